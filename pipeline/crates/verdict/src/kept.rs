//! Verdicts that are kept: those on the claims of papers whose manifests were not loaded when the others were judged.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;

use super::view::FORM;
use manifest::Paper;
use surroundings::open::{self, LARGEST_TEXT};

/// What to do about damaged verdicts. They are never begun anew by themselves: a rendering of some papers knows nothing of the others.
const REMEDY: &str =
    "restore it, or remove it and run `pipeline render` to judge the papers that it loads again";

/// Why stored verdicts cannot be kept.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum KeptError {
    #[error("{}: the verdicts cannot be read: {source}; {REMEDY}", path.display())]
    Io { path: PathBuf, source: io::Error },
    #[error("{}: not a file of verdicts: {source}; {REMEDY}", path.display())]
    Form { path: PathBuf, source: serde_json::Error },
    #[error("{}: its verdicts have form {form}, but this program writes form {FORM}; {REMEDY}", path.display())]
    OtherForm { path: PathBuf, form: u32 },
}

/// Verdicts as they were stored, on papers that are not loaded now.
#[derive(Clone, Debug, Default)]
pub struct Kept(pub(super) Vec<Value>);

#[derive(Deserialize)]
struct File {
    form: u32,
    claims: Vec<Value>,
    #[serde(default)]
    kept: Vec<Value>,
}

impl Kept {
    /// The verdicts of a file that are on other papers than these; none where there is no file.
    ///
    /// # Errors
    /// Where the file cannot be read or holds no verdicts, or some that are to be kept are of another form.
    pub fn read(path: &Path, papers: &[Paper]) -> Result<Self, KeptError> {
        let (of, owned) = (|verdict: &Value| paper_of(verdict).map(str::to_owned), || path.to_owned());
        let bytes = match open::read(path, LARGEST_TEXT) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::default()),
            read => read.map_err(|source| KeptError::Io { path: owned(), source })?,
        };
        let file: File =
            serde_json::from_slice(&bytes).map_err(|source| KeptError::Form { path: owned(), source })?;
        let is_loaded =
            |verdict: &Value| of(verdict).is_none_or(|id| papers.iter().any(|paper| paper.id == id));
        let mut kept: Vec<Value> = file.claims.into_iter().chain(file.kept).collect();
        kept.retain(|verdict| !is_loaded(verdict));
        // In the order of papers, whichever were loaded last; the claims of each stay in theirs.
        kept.sort_by_key(of);
        match file.form {
            FORM => Ok(Self(kept)),
            _ if kept.is_empty() => Ok(Self(kept)),
            form => Err(KeptError::OtherForm { path: owned(), form }),
        }
    }

    /// The papers that they are on.
    #[must_use]
    pub fn papers(&self) -> BTreeSet<&str> {
        self.0.iter().filter_map(paper_of).collect()
    }
}

fn paper_of(verdict: &Value) -> Option<&str> {
    verdict.get("paper")?.as_str()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damaged_verdicts_are_told_of_and_those_of_another_form_not_mixed_in() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("claims.json");
        let read = |text: &str| {
            std::fs::write(&path, text).unwrap();
            Kept::read(&path, &[])
        };
        assert!(Kept::read(&path, &[]).unwrap().0.is_empty());
        let verdicts = r#"[{"paper": "q", "n": 1}, {"paper": "p", "n": 2}, {"paper": "q", "n": 3}]"#;
        let kept = read(&format!(r#"{{"form": {FORM}, "claims": {verdicts}}}"#)).unwrap();
        assert_eq!(kept.papers(), ["p", "q"].into());
        assert_eq!(
            kept.0.iter().map(|verdict| verdict["n"].as_u64().unwrap()).collect::<Vec<_>>(),
            [2, 1, 3]
        );
        let told = read(&format!(r#"{{"form": 1, "claims": {verdicts}}}"#)).unwrap_err().to_string();
        assert!(told.contains("claims.json: its verdicts have form 1"), "{told}");
        assert!(read(r#"{"form": 1, "claims": []}"#).unwrap().0.is_empty());
        let told = read(r#"{"form": 3, "cla"#).unwrap_err().to_string();
        assert!(told.contains("claims.json: not a file of verdicts: "), "{told}");
        assert!(told.ends_with(REMEDY), "{told}");
    }
}
