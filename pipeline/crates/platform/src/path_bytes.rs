//! Paths in JSON: as text, or as bytes if they are not UTF-8. For `#[serde(with = "path_bytes")]`.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Deserializer, Serialize as _, Serializer};

#[derive(Deserialize)]
#[serde(untagged)]
enum PathForm {
    Text(PathBuf),
    Bytes(Vec<u8>),
}

/// Writes a path.
pub fn serialize<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    match path.to_str() {
        Some(text) => serializer.serialize_str(text),
        None => path.as_os_str().as_bytes().serialize(serializer),
    }
}

/// Reads a path.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<PathBuf, D::Error> {
    Ok(match PathForm::deserialize(deserializer)? {
        PathForm::Text(path) => path,
        PathForm::Bytes(bytes) => OsString::from_vec(bytes).into(),
    })
}
