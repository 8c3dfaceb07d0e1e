//! What can be wrong with a manifest: the file, the place in it, the key, and what to do about it.

use std::path::{Path, PathBuf};
use std::{fmt, io};

use platform::plain::{line, paragraph, path};

/// The part of a manifest that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// What stands outside of experiments, studies, claims and notes.
    Paper,
    /// The entry of this kind with this id, or number: `experiment`, `e`.
    Entry(&'static str, String),
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Paper => f.write_str("the paper"),
            Self::Entry(kind, id) => write!(f, "{kind} `{}`", line(id)),
        }
    }
}

/// Why there is no manifest, or none that can be run. Lines and columns count from 1.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum ManifestError {
    /// A file or a folder cannot be read.
    #[error("{}: cannot be read: {source}; check the path, or name the folder with --configs", path(file))]
    Unreadable { file: PathBuf, source: io::Error },
    /// A file's name is no paper's id.
    #[error(
        "{}: the file's name must be the paper's id, 1 to 64 lower-case letters, digits, - and _ before `.toml`; \
         rename it",
        path(file)
    )]
    FileName { file: PathBuf },
    /// The text is not TOML. Its own text repeats the message with the line, so it is not a source.
    #[error("{}:{line}:{column}: not TOML: {}", path(file), paragraph(error.message()))]
    Syntax { file: PathBuf, line: usize, column: usize, error: Box<toml::de::Error> },
    /// A key is unknown or missing, or its value is not one that it may have, or that its agent takes.
    #[error("{}{}: {subject}: {problem}", path(file), line.map(|line| format!(":{line}")).unwrap_or_default())]
    Invalid { file: PathBuf, line: Option<usize>, subject: Subject, problem: String },
    /// Several problems, by file and line, and how many there are beside those that are shown.
    #[error("{}", listed(shown, *more))]
    Several { shown: Vec<ManifestError>, more: usize },
}

fn listed(shown: &[ManifestError], more: usize) -> String {
    let rest = (more > 0).then(|| format!("and {more} more"));
    shown.iter().map(ToString::to_string).chain(rest).collect::<Vec<_>>().join("\n")
}

impl ManifestError {
    /// The file or the folder that it is about; of several problems that of the first.
    pub fn file(&self) -> &Path {
        match self {
            Self::Several { shown, .. } => shown.first().map_or(Path::new(""), Self::file),
            Self::Unreadable { file, .. }
            | Self::FileName { file }
            | Self::Syntax { file, .. }
            | Self::Invalid { file, .. } => file,
        }
    }

    /// The line that it is about, where there is one.
    pub(super) const fn line(&self) -> Option<usize> {
        match self {
            Self::Syntax { line, .. } => Some(*line),
            Self::Invalid { line, .. } => *line,
            Self::Unreadable { .. } | Self::FileName { .. } | Self::Several { .. } => None,
        }
    }
}

/// Something that an experiment, a study or a training asks for and its agent does not offer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum AgentMismatch {
    /// The agent needs a parameter that has no default.
    #[error("`params` lacks `{}`, for which agent `{agent}` has no default: give it", line(parameter))]
    MissingParameter { agent: String, parameter: String },
    /// The agent's schema does not allow a parameter's value. The problem begins with the part: `weights[2]`.
    #[error("parameter {problem}")]
    Parameter { parameter: String, problem: String },
    /// There is no such agent, parameter, file, training or budget. The key is the entry's: `files.weights`.
    #[error("{problem}")]
    Other { key: String, problem: String },
}

impl AgentMismatch {
    /// The key of the experiment or the study that it is about: `params.top`.
    pub(super) fn key(&self) -> String {
        match self {
            Self::MissingParameter { .. } => "params".to_owned(),
            Self::Parameter { parameter, .. } => format!("params.{parameter}"),
            Self::Other { key, .. } => key.clone(),
        }
    }
}

/// The most names that a message lists.
const MOST_LISTED: usize = 20;

/// The names that there are, for a message about one that is not among them.
pub(super) fn known<'a>(mut names: impl Iterator<Item = &'a str>) -> String {
    let mut listed: Vec<String> = names.by_ref().take(MOST_LISTED).map(line).collect();
    match names.count() {
        0 if listed.is_empty() => return "none".to_owned(),
        0 => {}
        more => listed.push(format!("and {more} more")),
    }
    listed.join(", ")
}
