//! A study's identity, and whether the stored trials match it.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::explain::told;
use crate::study::{PlannedStudy, StudyState};
use verdict::format::counted;

pub(super) fn as_json(planned: &PlannedStudy) -> Value {
    let (state, differences) = match &planned.state {
        StudyState::Missing if planned.journalled > 0 => ("in progress", json!([])),
        StudyState::Missing => ("missing", json!([])),
        StudyState::Whole { .. } => ("complete", json!([])),
        StudyState::Stale { differences } => ("stale", json!(differences)),
    };
    let identity = planned.identity.stored();
    json!({
        "study": planned.key.to_string(),
        "hash": identity.hash(),
        "identity": identity,
        "file": planned.path,
        "state": state,
        "journalled": planned.journalled,
        "differences": differences,
        "plugin": { "file": planned.plugin.file, "sha256": planned.plugin.sha256 },
    })
}

pub(super) fn text(planned: &PlannedStudy) -> String {
    let identity = planned.identity.stored();
    let parts = serde_json::to_string_pretty(&identity).unwrap_or_default();
    let mut text = format!("{}\n{parts}\nidentity {}\n", planned.key, identity.hash());
    let _ = writeln!(text, "plugin {} (SHA-256 {})", planned.plugin.file.display(), planned.plugin.sha256);
    let path = planned.path.display();
    let _ = match &planned.state {
        StudyState::Missing => writeln!(text, "{path}: no trials yet"),
        StudyState::Whole { trials } => {
            writeln!(text, "{path}: {} of this identity", counted(*trials, "trial"))
        }
        StudyState::Stale { differences } => {
            writeln!(text, "{path}: stale, trials of another identity:\n{}", told(differences))
        }
    };
    if planned.journalled > 0 {
        let trials = counted(planned.journalled, "trial");
        let _ = writeln!(
            text,
            "{trials} of this identity in the journal; `pipeline study {}` goes on",
            planned.key
        );
    }
    text
}
