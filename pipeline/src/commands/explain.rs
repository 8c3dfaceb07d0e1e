//! `pipeline explain`: an experiment's identity, and whether the stored records match it.

use std::fmt::Write as _;

use serde_json::json;

use super::context::{Context, paper_names, require_all};
use super::{Failure, print_json, print_text};
use crate::cli;
use crate::plan::{Planned, Selection, StoredState};
use verdict::format::counted;

pub(crate) fn explain(arguments: &cli::Explain) -> Result<(), Failure> {
    let context = Context::load(&arguments.places, &arguments.names)?;
    let names = paper_names(&arguments.names);
    let plan = context.plan(&Selection { names, with_extra: true, ..Selection::default() })?;
    if arguments.json {
        print_json(&plan.experiments.iter().map(as_json).collect::<Vec<_>>())?;
    } else {
        let texts: Vec<String> = plan.experiments.iter().map(text).collect();
        print_text(&texts.join("\n"))?;
    }
    require_all(&plan)
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
            let _ = writeln!(text, "{path}: stale, records of another identity:");
            for difference in differences {
                let (component, stored, now) = (&difference.component, &difference.one, &difference.other);
                let _ = writeln!(text, "  {component}: stored {stored}, now {now}");
            }
            Ok(())
        }
    };
    if planned.lacks_second_signature {
        let _ = writeln!(
            text,
            "{path}: signed on the first set of positions only; `pipeline run` adds the second signature"
        );
    }
    text
}
