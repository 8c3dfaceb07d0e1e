//! A study's identity, and whether the stored trials match it.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::explain::told;
use crate::study::{PlannedStudy, StudyState};
use records::identity::Difference;
use verdict::format::counted;

/// A study's state in a word, and in what its identity differs from that of the stored trials.
pub(super) fn state(planned: &PlannedStudy) -> (&'static str, &[Difference]) {
    match &planned.state {
        StudyState::Missing if planned.journalled > 0 => ("in progress", &[]),
        StudyState::Missing => ("missing", &[]),
        StudyState::Whole { .. } => ("complete", &[]),
        StudyState::Stale { differences } => ("stale", differences),
    }
}

pub(super) fn as_json(planned: &PlannedStudy) -> Value {
    let (state, differences) = state(planned);
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
