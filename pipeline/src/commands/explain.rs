//! `pipeline explain`: the identity of an experiment or a study, and whether what is stored matches it; without a name, a table of all.

use std::fmt::Write as _;

use serde_json::json;

use super::context::{Context, paper_names, require_all};
use super::table::table;
use super::{Failure, explain_studies, print_json, print_text};
use crate::cli;
use crate::plan::{Planned, Selection, StoredState, Unplanned};
use crate::study::PlannedStudy;
use records::identity::Difference;
use verdict::format::counted;

pub(crate) fn explain(arguments: &cli::Explain) -> Result<(), Failure> {
    let context = Context::load(&arguments.places, &arguments.names)?;
    let names = paper_names(&arguments.names);
    let selection = |names: Vec<String>| Selection { names, with_extra: true, ..Selection::default() };
    let studies = context.plan_studies(&selection(names.clone()))?;
    // Whoever names a study alone asks for it, and not for its winners.
    let others: Vec<String> = names.iter().filter(|name| !context.is_study(name)).cloned().collect();
    let plan = match others.is_empty() && !names.is_empty() {
        true => None,
        false => Some(context.plan(&selection(others))?),
    };
    let planned = plan.as_ref().map_or(&[][..], |plan| &plan.experiments);
    if arguments.json {
        let experiments = planned.iter().map(as_json);
        let studies = studies.studies.iter().map(explain_studies::as_json);
        print_json(&experiments.chain(studies).collect::<Vec<_>>())?;
    } else if names.is_empty() {
        let unplanned = plan.iter().flat_map(|plan| &plan.unplanned).chain(&studies.unplanned);
        let waiting = context.waiting(&selection(names));
        print_text(&overview(planned, &studies.studies, unplanned, &waiting))?;
    } else {
        let experiments = planned.iter().map(text);
        let texts: Vec<String> =
            experiments.chain(studies.studies.iter().map(explain_studies::text)).collect();
        let waiting = context.waiting(&selection(names));
        let texts: Vec<String> =
            texts.into_iter().chain(waiting.iter().map(|waiting| format!("{waiting}.\n"))).collect();
        print_text(&texts.join("\n"))?;
    }
    let unplanned = plan.map(|plan| plan.unplanned).unwrap_or_default();
    require_all(&[unplanned, studies.unplanned].concat())
}

/// A row for each experiment and each study: its state, and the parts of its identity that changed.
fn overview<'a>(
    planned: &[Planned],
    studies: &[PlannedStudy],
    unplanned: impl Iterator<Item = &'a Unplanned>,
    waiting: &[String],
) -> String {
    let experiments = planned.iter().map(|planned| {
        let changed = match &planned.state {
            StoredState::Stale { differences } => components(differences),
            _ => String::new(),
        };
        vec![planned.key.to_string(), state(planned).to_owned(), changed]
    });
    let studies = studies.iter().map(|planned| {
        let (state, differences) = explain_studies::state(planned);
        vec![format!("study {}", planned.key), state.to_owned(), components(differences)]
    });
    let unplanned =
        unplanned.map(|unplanned| vec![unplanned.key.to_string(), unplanned.state(), String::new()]);
    let rows: Vec<Vec<String>> = experiments.chain(studies).chain(unplanned).collect();
    if rows.is_empty() && waiting.is_empty() {
        return "There are no experiments.\n".to_owned();
    }
    let table = table(&["experiment", "state", "changed since"], &rows);
    let waiting: String = waiting.iter().map(|waiting| format!("{waiting}.\n")).collect();
    format!("{table}{waiting}`pipeline explain PAPER/EXPERIMENT` prints the whole identity.\n")
}

/// The parts in which identities differ.
fn components(differences: &[Difference]) -> String {
    differences.iter().map(|difference| difference.component.as_str()).collect::<Vec<_>>().join(", ")
}

fn as_json(planned: &Planned) -> serde_json::Value {
    let differences = match &planned.state {
        StoredState::Stale { differences } => json!(differences),
        _ => json!([]),
    };
    json!({
        "experiment": planned.key.to_string(),
        "identity": planned.identity,
        "hash": planned.identity.hash(),
        "second_signature": planned.second_signature,
        "records": planned.path,
        "state": state(planned),
        "differences": differences,
        "plugin": { "file": planned.plugin.file, "sha256": planned.plugin.sha256 },
    })
}

fn state(planned: &Planned) -> &'static str {
    match planned.state {
        StoredState::Missing => "missing",
        StoredState::Complete { .. } => "complete",
        StoredState::Partial { .. } => "partial",
        StoredState::Stale { .. } => "stale",
    }
}

fn text(planned: &Planned) -> String {
    let identity = serde_json::to_string_pretty(&planned.identity).unwrap_or_default();
    let mut text = format!("{}\n{identity}\nidentity {}\n", planned.key, planned.identity.hash());
    if let Some(signature) = &planned.second_signature {
        let _ = writeln!(text, "second signature {signature}");
    }
    let _ = writeln!(text, "plugin {} (SHA-256 {})", planned.plugin.file.display(), planned.plugin.sha256);
    let path = planned.path.display();
    let _ = match &planned.state {
        StoredState::Missing => writeln!(text, "{path}: no records yet"),
        StoredState::Complete { games } => {
            writeln!(text, "{path}: {} of this identity", counted(*games, "game"))
        }
        StoredState::Partial { games } => {
            writeln!(text, "{path}: {} of this identity, {} wanted", counted(*games, "game"), planned.games)
        }
        StoredState::Stale { differences } => {
            writeln!(text, "{path}: stale, records of another identity:\n{}", told(differences))
        }
    };
    if planned.is_marked() {
        let _ = writeln!(
            text,
            "{path}: marked as nondeterministic: it has no signature, and no run repeats its games"
        );
    }
    if planned.lacks_second_signature {
        let _ = writeln!(
            text,
            "{path}: signed on the first set of positions only; `pipeline run` adds the second signature"
        );
    }
    text
}

/// In what identities differ, a line each.
pub(super) fn told(differences: &[Difference]) -> String {
    let line = |difference: &Difference| {
        let Difference { component, one, other } = difference;
        format!("  {component}: stored {one}, now {other}")
    };
    differences.iter().map(line).collect::<Vec<_>>().join("\n")
}
