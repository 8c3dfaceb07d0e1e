//! Verdicts that are kept: those on the claims of papers whose manifests were not loaded when the others were
//! judged.

use std::collections::BTreeSet;
use std::io;

use serde::Deserialize;
use serde_json::Value;

use super::view::FORM;
use manifest::Paper;
use platform::{ConfinedPath, LARGEST_TEXT};

/// What to do about damaged verdicts. They are never begun anew by themselves: a rendering of some papers
/// knows nothing of the others.
const REMEDY: &str =
    "restore it, or remove it and run `pipeline render` to judge the papers that it loads again";

/// Why stored verdicts cannot be kept.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum StoredVerdictsError {
    #[error("{}: the verdicts cannot be read: {source}; {REMEDY}", path.display())]
    Io { path: ConfinedPath, source: io::Error },
    #[error("{}: not a file of verdicts: {source}; {REMEDY}", path.display())]
    Form { path: ConfinedPath, source: serde_json::Error },
    #[error("{}: its verdicts have form {form}, but this program writes form {FORM}; {REMEDY}", path.display())]
    OtherForm { path: ConfinedPath, form: u32 },
}

/// Verdicts and findings as they were stored, on papers that are not loaded now.
#[derive(Clone, Debug, Default)]
pub struct StoredVerdicts {
    pub(super) verdicts: Vec<Value>,
    pub(super) findings: Vec<Value>,
}

#[derive(Deserialize)]
struct StoredFile {
    form: u32,
    claims: Vec<Value>,
    #[serde(default)]
    kept: Vec<Value>,
    #[serde(default)]
    findings: Vec<Value>,
    #[serde(default)]
    kept_findings: Vec<Value>,
}

impl StoredVerdicts {
    /// The verdicts of a file that are on other papers than these; `None` if there is no file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or holds no verdicts, or if some to be kept have another
    /// form.
    pub fn read(path: &ConfinedPath, papers: &[Paper]) -> Result<Self, StoredVerdictsError> {
        let owned = || path.to_owned();
        let bytes = match path.read(LARGEST_TEXT) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::default()),
            read => read.map_err(|source| StoredVerdictsError::Io { path: owned(), source })?,
        };
        let file: StoredFile = serde_json::from_slice(&bytes)
            .map_err(|source| StoredVerdictsError::Form { path: owned(), source })?;
        let verdicts = of_others(file.claims.into_iter().chain(file.kept), papers);
        let findings = of_others(file.findings.into_iter().chain(file.kept_findings), papers);
        match file.form {
            form if form != FORM && !verdicts.is_empty() => {
                Err(StoredVerdictsError::OtherForm { path: owned(), form })
            }
            _ => Ok(Self { verdicts, findings }),
        }
    }

    /// The papers that they are on.
    pub fn papers(&self) -> BTreeSet<&str> {
        self.verdicts.iter().filter_map(paper_of).collect()
    }
}

/// What is on other papers than these, in the order of papers, whichever were loaded last; that of each stays
/// in its own.
fn of_others(stored: impl Iterator<Item = Value>, papers: &[Paper]) -> Vec<Value> {
    let is_loaded = |id: &str| papers.iter().any(|paper| paper.id == id);
    let mut others: Vec<Value> =
        stored.filter(|value| paper_of(value).is_some_and(|id| !is_loaded(id))).collect();
    others.sort_by_key(|value| paper_of(value).map(str::to_owned));
    others
}

fn paper_of(verdict: &Value) -> Option<&str> {
    verdict.get("paper")?.as_str()
}

#[cfg(test)]
mod tests {
    use super::*;
    use platform::ConfinedPath;

    #[test]
    fn damaged_verdicts_are_told_of_and_those_of_another_form_not_mixed_in() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("claims.json");
        let read = |text: &str| {
            std::fs::write(&path, text).unwrap();
            StoredVerdicts::read(&ConfinedPath::file(&path), &[])
        };
        assert!(StoredVerdicts::read(&ConfinedPath::file(&path), &[]).unwrap().verdicts.is_empty());
        let verdicts = r#"[{"paper": "q", "n": 1}, {"paper": "p", "n": 2}, {"paper": "q", "n": 3}]"#;
        let kept = read(&format!(r#"{{"form": {FORM}, "claims": {verdicts}}}"#)).unwrap();
        assert_eq!(kept.papers(), ["p", "q"].into());
        assert_eq!(
            kept.verdicts.iter().map(|verdict| verdict["n"].as_u64().unwrap()).collect::<Vec<_>>(),
            [2, 1, 3]
        );
        let findings = r#"[{"paper": "q", "n": 1}]"#;
        let kept = read(&format!(
            r#"{{"form": {FORM}, "claims": {verdicts}, "findings": {findings}, "kept_findings": {verdicts}}}"#
        ));
        let kept = kept.unwrap().findings;
        assert_eq!(
            kept.iter().map(|finding| finding["n"].as_u64().unwrap()).collect::<Vec<_>>(),
            [2, 1, 1, 3]
        );
        for form in [1, 2] {
            let told = read(&format!(r#"{{"form": {form}, "claims": {verdicts}}}"#)).unwrap_err().to_string();
            assert!(told.contains(&format!("claims.json: its verdicts have form {form}")), "{told}");
        }
        assert!(read(r#"{"form": 1, "claims": []}"#).unwrap().verdicts.is_empty());
        let told = read(r#"{"form": 3, "cla"#).unwrap_err().to_string();
        assert!(told.contains("claims.json: not a file of verdicts: "), "{told}");
        assert!(told.ends_with(REMEDY), "{told}");
        let told = StoredVerdicts::read(&ConfinedPath::root(folder.path()), &[]).unwrap_err().to_string();
        assert!(
            told.contains(": the verdicts cannot be read: "),
            "what cannot be read is not absent: {told}"
        );
    }
}
