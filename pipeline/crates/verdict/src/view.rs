//! Verdicts as they are stored in `results/claims.json`, with no more digits than mean something.

use serde::Serialize;
use serde_json::Value;

use super::{JudgedConclusion, Ruling, StoredVerdicts, Summary, Verdict};
use manifest::Claim;
use text::plain;

/// The version of the file's form. Since 2 effects are ours against the published value, before that they
/// were the other way round; since 3 a verdict's word is its `verdict`, before that its `finding`, findings
/// are sentences, and interpretations are counted.
pub(super) const FORM: u32 = 3;

/// All verdicts, as they are stored.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClaimsFile {
    form: u32,
    summary: Value,
    findings: Vec<Value>,
    claims: Vec<VerdictView>,
    /// The verdicts on papers that were not loaded, as they were; the summary does not count them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    kept: Vec<Value>,
    /// The findings on those papers, likewise.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    kept_findings: Vec<Value>,
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
    /// The form of these verdicts, and of what is concluded from them.
    pub fn of(verdicts: &[Verdict<'_>], concluded: &[JudgedConclusion<'_>]) -> Self {
        Self {
            form: FORM,
            summary: plain(&Summary::of(verdicts)),
            findings: concluded.iter().map(plain).collect(),
            claims: verdicts.iter().map(VerdictView::of).collect(),
            kept: Vec::new(),
            kept_findings: Vec::new(),
        }
    }

    /// The same, and beside them verdicts that were stored before.
    pub fn beside(self, StoredVerdicts { verdicts, findings }: StoredVerdicts) -> Self {
        Self { kept: verdicts, kept_findings: findings, ..self }
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
            grounds: plain(&verdict.grounds),
            sentence: verdict.sentence(),
        }
    }
}
