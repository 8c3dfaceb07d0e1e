//! Verdicts as they are stored in `results/claims.json`, with no more digits than mean something.

use serde::Serialize;
use serde_json::Value;

use super::{Grounds, Kept, Ruling, Summary, Verdict};
use crate::format::plain;
use manifest::Claim;

/// The version of the file's form. Since 2 effects are ours against the published value, before that they were the other way round;
/// since 3 a verdict's word is its `verdict`, before that its `finding`.
pub(super) const FORM: u32 = 3;

/// All verdicts, as they are stored.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClaimsFile {
    form: u32,
    summary: Value,
    claims: Vec<VerdictView>,
    /// Those on papers that were not loaded, as they were; the summary does not count them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    kept: Vec<Value>,
}

/// One verdict, as it is stored.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct VerdictView {
    paper: String,
    claim: Value,
    #[serde(rename = "verdict")]
    ruling: Ruling,
    rests_on_timing: bool,
    grounds: Value,
    sentence: String,
}

impl ClaimsFile {
    /// The form of these verdicts.
    #[must_use]
    pub fn of(verdicts: &[Verdict<'_>]) -> Self {
        let claims = verdicts.iter().map(VerdictView::of).collect();
        Self { form: FORM, summary: plain(&Summary::of(verdicts)), claims, kept: Vec::new() }
    }

    /// The same, and beside them verdicts that were stored before.
    #[must_use]
    pub fn beside(self, Kept(kept): Kept) -> Self {
        Self { kept, ..self }
    }
}

impl VerdictView {
    fn of(verdict: &Verdict<'_>) -> Self {
        let claim: &Claim = verdict.claim;
        Self {
            paper: verdict.paper.id.clone(),
            // As the manifest has it: what a paper prints is not ours to round.
            claim: serde_json::to_value(claim).unwrap_or_default(),
            ruling: verdict.ruling,
            rests_on_timing: verdict.rests_on_timing,
            grounds: grounds(&verdict.grounds),
            sentence: verdict.sentence.clone(),
        }
    }
}

fn grounds(grounds: &Grounds) -> Value {
    #[derive(Serialize)]
    #[serde(tag = "kind", rename_all = "kebab-case")]
    enum View<'a, T: Serialize> {
        Numeric { ours: T, prediction: T, sizes: T, effect: T },
        Ordinal { better: T, worse: T, lead: T, visible: T, effect: T },
        Arithmetic { value: &'a str, because: &'a str },
        Nothing { reason: &'a str },
    }
    plain(&match grounds {
        Grounds::Numeric { ours, prediction, sizes, effect } => View::Numeric {
            ours: plain(ours),
            prediction: plain(prediction),
            sizes: plain(sizes),
            effect: plain(effect),
        },
        Grounds::Ordinal { better, worse, lead, visible, effect } => View::Ordinal {
            better: plain(better),
            worse: plain(worse),
            lead: plain(lead),
            visible: plain(visible),
            effect: plain(effect),
        },
        Grounds::Arithmetic { value, because } => View::Arithmetic { value, because },
        Grounds::Nothing(reason) => View::Nothing { reason },
    })
}
