//! The gate: verdicts against committed ones. What rests on measured time is left out, since machines differ.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

use serde::{Deserialize, Serialize};

use super::{Ruling, Verdict};
use platform::{ConfinedPath, LARGEST_TEXT, open};

/// A verdict that is not what it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Change {
    /// The claim, as `paper/claim`.
    pub claim: String,
    /// What it was; none for a claim that is new.
    pub before: Option<Ruling>,
    /// What it is; none for a claim that is gone.
    pub now: Option<Ruling>,
}

/// Why committed verdicts cannot be read.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum GateError {
    #[error("{}: the verdicts cannot be read", path.display())]
    Io { path: PathBuf, source: io::Error },
    #[error("{}: not a file of verdicts; `pipeline claims --json` prints one", path.display())]
    Form { path: PathBuf, source: serde_json::Error },
}

#[derive(Deserialize)]
struct GateFile {
    claims: Vec<JudgedClaim>,
    #[serde(default)]
    kept: Vec<JudgedClaim>,
}

#[derive(Deserialize)]
struct JudgedClaim {
    paper: String,
    claim: ClaimId,
    // Forms before 3 call it a finding.
    #[serde(rename = "verdict", alias = "finding")]
    ruling: Ruling,
    rests_on_timing: bool,
}

#[derive(Deserialize)]
struct ClaimId {
    id: String,
}

/// The rulings of a file of verdicts by claim, those that rest on time left out.
pub fn read_gate(path: &Path) -> Result<BTreeMap<String, Ruling>, GateError> {
    // Wherever they come from, a pipe included: they are named by hand.
    parse_gate(path, fs::File::open(path).and_then(|file| open::bounded(file, LARGEST_TEXT)))
}

/// The same of the verdicts of a results folder.
pub fn read_stored(path: &ConfinedPath) -> Result<BTreeMap<String, Ruling>, GateError> {
    parse_gate(path.path(), path.read(LARGEST_TEXT))
}

fn parse_gate(path: &Path, text: io::Result<Vec<u8>>) -> Result<BTreeMap<String, Ruling>, GateError> {
    let path = || path.to_owned();
    let text = text.map_err(|source| GateError::Io { path: path(), source })?;
    let file: GateFile =
        serde_json::from_slice(&text).map_err(|source| GateError::Form { path: path(), source })?;
    let kept = file.claims.into_iter().chain(file.kept).filter(|entry| !entry.rests_on_timing);
    Ok(kept.map(|entry| (format!("{}/{}", entry.paper, entry.claim.id), entry.ruling)).collect())
}

/// The verdicts that differ from those before.
pub fn changes(before: &BTreeMap<String, Ruling>, verdicts: &[Verdict<'_>]) -> Vec<Change> {
    differences(before, &rulings(verdicts))
}

/// The rulings by claim, those that rest on time left out.
pub fn rulings(verdicts: &[Verdict<'_>]) -> BTreeMap<String, Ruling> {
    let kept = verdicts.iter().filter(|verdict| !verdict.rests_on_timing);
    kept.map(|verdict| (format!("{}/{}", verdict.paper.id, verdict.claim.id), verdict.ruling)).collect()
}

/// The claims whose rulings differ.
pub fn differences(before: &BTreeMap<String, Ruling>, now: &BTreeMap<String, Ruling>) -> Vec<Change> {
    let names: std::collections::BTreeSet<&String> = before.keys().chain(now.keys()).collect();
    let change = |name: &String| {
        let (before, now) = (before.get(name).copied(), now.get(name).copied());
        (before != now).then(|| Change { claim: name.clone(), before, now })
    };
    names.into_iter().filter_map(change).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_gone_and_changed_claims_are_named_and_timed_ones_left_out() {
        let text = br#"{"form": 2, "summary": {}, "claims": [
                {"paper": "p", "claim": {"id": "a"}, "finding": "consistent", "rests_on_timing": false},
                {"paper": "p", "claim": {"id": "b"}, "verdict": "lower", "rests_on_timing": false},
                {"paper": "p", "claim": {"id": "fast"}, "verdict": "higher", "rests_on_timing": true}]}"#;
        let before = parse_gate(Path::new("claims.json"), Ok(text.to_vec())).unwrap();
        let now = BTreeMap::from([("p/a".to_owned(), Ruling::Consistent), ("p/c".to_owned(), Ruling::Right)]);
        let change = |claim: &str, before, now| Change { claim: claim.to_owned(), before, now };
        assert_eq!(
            differences(&before, &now),
            [change("p/b", Some(Ruling::Lower), None), change("p/c", None, Some(Ruling::Right))]
        );
    }
}
