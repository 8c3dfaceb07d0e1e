//! Where an agent's files come from. A manifest names each by the role that the agent gives it, and says
//! which file it is: what a training gives, or the SHA-256 of one that is kept among the artefacts.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use engine::abi::host::is_identifier;
use jobs::Key;
use platform::plain::line;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::check::PaperContext;
use super::error::known;
use super::field_checks::{Checked, wrong_within};
use super::forms::is_sha256;
use super::limits::MOST_FILES;

/// Which file has a role: in JSON the text `PAPER/TRAINING`, or a SHA-256.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FileSource {
    /// The one that a training gives.
    Training(Key),
    /// The one with this SHA-256, in 64 lower-case hexadecimal digits.
    Sha256(String),
}

impl fmt::Display for FileSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Training(training) => training.fmt(f),
            Self::Sha256(sha256) => f.write_str(sha256),
        }
    }
}

/// A text that names no file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{}` names no file: write the id of a training, PAPER/TRAINING, or a SHA-256 of 64 lower-case hexadecimal digits", line(.0))]
pub struct FileSourceError(String);

impl FromStr for FileSource {
    type Err = FileSourceError;

    fn from_str(text: &str) -> Result<Self, FileSourceError> {
        if is_sha256(text) {
            return Ok(Self::Sha256(text.to_owned()));
        }
        match text.split_once('/') {
            Some((paper, training)) if is_identifier(paper) && is_identifier(training) => {
                Ok(Self::Training(Key::new(paper, training)))
            }
            _ => Err(FileSourceError(text.to_owned())),
        }
    }
}

impl Serialize for FileSource {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for FileSource {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        // A training of the manifest's own paper, which is filled in when the entry is checked.
        if is_identifier(&text) && !is_sha256(&text) {
            return Ok(Self::Training(Key::new("", &text)));
        }
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// Files as they are written, each by the role that its agent gives it.
#[derive(JsonSchema)]
#[schemars(extend("maxProperties" = MOST_FILES))]
#[expect(dead_code, reason = "it stands for the schema of files")]
pub(super) struct FilesSchema(
    /// The id of a training of this paper, PAPER/TRAINING, or the SHA-256 of a file that is kept among the
    /// artefacts.
    BTreeMap<String, String>,
);

/// Checks files as far as this manifest alone shows it, and gives trainings without a paper the entry's own.
/// Trainings of other papers are looked up when all manifests are read.
pub(super) fn check(files: &mut BTreeMap<String, FileSource>, context: &PaperContext<'_>) -> Checked {
    for (role, source) in files {
        let refuse = |problem: String| Err(wrong_within("files", &format!("files.{role}"), problem));
        if !is_identifier(role) {
            let role = line(role);
            return refuse(format!(
                "has the role `{role}`: write 1 to 64 lower-case letters, digits, - and _"
            ));
        }
        let FileSource::Training(key) = source else { continue };
        if key.paper.is_empty() {
            context.paper.clone_into(&mut key.paper);
        }
        let trainings = &context.names.trainings;
        if key.paper == context.paper && !trainings.contains(&key.id) {
            return refuse(no_training(role, key, trainings.iter().map(String::as_str)));
        }
    }
    Ok(())
}

/// What is said of a training that its paper does not have.
pub(super) fn no_training<'a>(role: &str, key: &Key, trainings: impl Iterator<Item = &'a str>) -> String {
    let Key { paper, id: training } = key;
    format!(
        "names training `{training}` as `{role}`, which `{paper}` does not have; its trainings: {}",
        known(trainings)
    )
}
