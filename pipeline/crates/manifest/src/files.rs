//! Where an agent's files come from. A manifest names each by the role that the agent gives it, and says which file it is: what a training
//! gives, or the SHA-256 of one that is kept among the artefacts.

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
use super::field_checks::{Checked, too_many, wrong, wrong_within};
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
#[error("`{}` names no file: write PAPER/TRAINING, or a SHA-256 of 64 lower-case hexadecimal digits", line(.0))]
pub struct NoFileSource(String);

impl FromStr for FileSource {
    type Err = NoFileSource;

    fn from_str(text: &str) -> Result<Self, NoFileSource> {
        if is_sha256(text) {
            return Ok(Self::Sha256(text.to_owned()));
        }
        match text.split_once('/') {
            Some((paper, training)) if is_identifier(paper) && is_identifier(training) => {
                Ok(Self::Training(Key::new(paper, training)))
            }
            _ => Err(NoFileSource(text.to_owned())),
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
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// Whether a text is a SHA-256 as `sha256sum` prints it.
pub(super) fn is_sha256(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// Files as they are written, each by the role that its agent gives it.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(transparent)]
#[schemars(rename = "Files", extend("maxProperties" = MOST_FILES))]
pub(super) struct RawFiles(
    /// The id of a training of this paper, PAPER/TRAINING, or the SHA-256 of a file that is kept among the artefacts.
    BTreeMap<String, String>,
);

impl RawFiles {
    /// The files, checked as far as this manifest alone shows it: trainings of other papers are looked up when all are read.
    pub(super) fn check(self, context: &PaperContext<'_>) -> Checked<BTreeMap<String, FileSource>> {
        if self.0.len() > MOST_FILES {
            return Err(wrong("files", too_many(self.0.len(), MOST_FILES)));
        }
        let source = |(role, text): (String, String)| {
            let source = source(&role, &text, context);
            match source {
                Ok(source) => Ok((role, source)),
                Err(problem) => Err(wrong_within("files", &format!("files.{role}"), problem)),
            }
        };
        self.0.into_iter().map(source).collect()
    }
}

/// The file that a text means, or what is wrong with it.
fn source(role: &str, text: &str, context: &PaperContext<'_>) -> Result<FileSource, String> {
    let shown = line(role);
    if !is_identifier(role) {
        return Err(format!("has the role `{shown}`: write 1 to 64 lower-case letters, digits, - and _"));
    }
    if is_sha256(text) {
        return Ok(FileSource::Sha256(text.to_owned()));
    }
    let (paper, training) = text.split_once('/').unwrap_or((context.paper, text));
    if !is_identifier(paper) || !is_identifier(training) {
        let text = line(text);
        return Err(format!(
            "has `{text}` as `{shown}`: write the id of a training, PAPER/TRAINING, or a SHA-256 of 64 lower-case \
             hexadecimal digits"
        ));
    }
    let key = Key::new(paper, training);
    let trainings = &context.names.trainings;
    if paper == context.paper && !trainings.iter().any(|id| id == training) {
        return Err(no_training(&shown, &key, trainings.iter().map(String::as_str)));
    }
    Ok(FileSource::Training(key))
}

/// What is said of a training that its paper does not have.
pub(super) fn no_training<'a>(role: &str, key: &Key, trainings: impl Iterator<Item = &'a str>) -> String {
    let Key { paper, id: training } = key;
    format!(
        "names training `{training}` as `{role}`, which `{paper}` does not have; its trainings: {}",
        known(trainings)
    )
}
