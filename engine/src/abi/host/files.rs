//! The files that agents load.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// A file whose content the host has checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Where it is, for agents that read it themselves.
    pub path: PathBuf,
    /// What is in it, for as long as the process lives.
    pub bytes: &'static [u8],
    /// The SHA-256 of that, in hexadecimal.
    pub sha256: String,
}

/// Files by their roles.
#[derive(Clone, Debug, Default)]
pub struct Files(Arc<BTreeMap<String, File>>);

impl Files {
    /// The file in this role.
    pub fn get(&self, role: &str) -> Option<&File> {
        self.0.get(role)
    }

    /// The files by their roles, in the order of these.
    pub fn iter(&self) -> impl Iterator<Item = (&String, &File)> {
        self.0.iter()
    }
}

impl FromIterator<(String, File)> for Files {
    fn from_iter<I: IntoIterator<Item = (String, File)>>(files: I) -> Self {
        Self(Arc::new(files.into_iter().collect()))
    }
}
