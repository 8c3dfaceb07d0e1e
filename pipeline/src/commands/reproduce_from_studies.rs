//! `pipeline reproduce --from` with the names of studies: these are run again, and compared trial by trial with the bundle's.

use jobs::identity::Canonical as _;
use serde::Serialize;

use super::Failure;
use super::context::Context;
use super::run::outcome;
use super::table::table;
use crate::cli;
use crate::plan::PlannedStudy;
use crate::plan::Selection;
use jobs::Key;
use jobs::StoreError;
use platform::plain;
use records::layout::Layout;
use studies::Studies;
use studies::store::{self, StoredStudy};

/// What came of one study.
#[derive(Serialize)]
pub(super) struct ComparedStudy {
    study: Key,
    /// How many trials were run.
    trials: u64,
    /// The digest in the bundle.
    stored_digest: String,
    /// The digest of what was run.
    played_digest: String,
    /// The first trial that differs, if one does.
    pub(super) difference: Option<String>,
    /// The parts of the identity that are not as in the bundle.
    identity: Vec<String>,
}

/// Runs the studies of a bundle again that are named.
pub(super) fn run_named(
    context: &Context,
    stored: &Layout,
    arguments: &cli::Reproduce,
) -> Result<Vec<ComparedStudy>, Failure> {
    let names: Vec<String> = arguments.names.iter().filter(|name| context.is_study(name)).cloned().collect();
    if names.is_empty() {
        return Ok(Vec::new());
    }
    let plan = context.plan_studies(&Selection { names, with_extra: true, ..Selection::default() })?;
    for planned in &plan.jobs {
        if !stored.study(&planned.key).exists() {
            return Err(Failure::usage(format!("the bundle has no trials of study {}", planned.key)));
        }
    }
    let report = context.run_jobs(&Studies, &plan, &arguments.playing, |_| ())?;
    outcome(&report)?;
    let compared = plan.jobs.iter().map(|planned| compare(planned, stored));
    Ok(compared.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
}

/// Compares what was run with what is stored in the bundle.
fn compare(planned: &PlannedStudy, stored: &Layout) -> Result<Option<ComparedStudy>, StoreError> {
    let in_bundle = store::read(&stored.study(&planned.key), &planned.study)?;
    let played = store::read(&planned.path, &planned.study)?;
    let Some((in_bundle, played)) = in_bundle.zip(played) else { return Ok(None) };
    let identity = in_bundle.header.identity.differences(&played.header.identity);
    Ok(Some(ComparedStudy {
        study: planned.key.clone(),
        trials: played.rows.len() as u64,
        difference: difference(&in_bundle, &played),
        stored_digest: in_bundle.digest,
        played_digest: played.digest,
        identity: identity.into_iter().map(|part| part.component).collect(),
    }))
}

fn difference(stored: &StoredStudy, played: &StoredStudy) -> Option<String> {
    if stored.digest == played.digest {
        return None;
    }
    let differs = stored.rows.iter().zip(&played.rows).find(|(one, other)| one != other);
    Some(match differs {
        Some((row, _)) => format!("trial {} differs", row.trial),
        None => format!("{} trials in the bundle, {} now", stored.rows.len(), played.rows.len()),
    })
}

/// What came of studies as a table; nothing where none was named.
pub(super) fn text(compared: &[ComparedStudy]) -> String {
    if compared.is_empty() {
        return String::new();
    }
    let row = |study: &ComparedStudy| {
        let trials = study.difference.clone().unwrap_or_else(|| "all trials identical".to_owned());
        let outcome = match study.identity.join(", ") {
            parts if parts.is_empty() => trials,
            parts => format!("{trials}; different identity: {}", plain::line(&parts)),
        };
        vec![study.study.to_string(), study.trials.to_string(), outcome]
    };
    let rows: Vec<Vec<String>> = compared.iter().map(row).collect();
    table(&["study", "trials", "compared with the bundle"], &rows)
}
