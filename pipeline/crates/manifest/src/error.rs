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

/// Why there is no manifest, or none that can be run.
#[derive(Debug)]
pub enum ManifestError {
    /// A file or a folder cannot be read.
    Unreadable {
        /// The file or the folder.
        file: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// A file's name is no paper's id.
    FileName {
        /// The file.
        file: PathBuf,
    },
    /// The text is not TOML.
    Syntax {
        /// The file.
        file: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The column, from 1, in characters.
        column: usize,
        /// What is wrong there.
        source: Box<toml::de::Error>,
    },
    /// A key is unknown or missing, or its value is not one that it may have.
    Invalid {
        /// The file.
        file: PathBuf,
        /// The line, from 1, if it is known.
        line: Option<usize>,
        /// The part of the manifest that stands there.
        subject: Subject,
        /// The key, what is wrong with its value, and the remedy.
        problem: String,
    },
    /// An experiment, a study or a training asks for an agent that there is not, or for what the agent does
    /// not take.
    Agent {
        /// The file.
        file: PathBuf,
        /// The line, from 1, where it is known.
        line: Option<usize>,
        /// The experiment or the study.
        subject: Subject,
        /// What does not fit.
        source: Box<AgentMismatch>,
    },
    /// Several things are wrong.
    Several {
        /// The problems that are shown, by file and line.
        shown: Vec<ManifestError>,
        /// How many there are beside them.
        more: usize,
    },
}

impl ManifestError {
    /// The file or the folder that it is about; of several problems that of the first.
    pub fn file(&self) -> &Path {
        match self {
            Self::Several { shown, .. } => shown.first().map_or(Path::new(""), Self::file),
            Self::Unreadable { file, .. }
            | Self::FileName { file }
            | Self::Syntax { file, .. }
            | Self::Invalid { file, .. }
            | Self::Agent { file, .. } => file,
        }
    }

    /// The line that it is about, where there is one.
    pub(super) const fn line(&self) -> Option<usize> {
        match self {
            Self::Syntax { line, .. } => Some(*line),
            Self::Invalid { line, .. } | Self::Agent { line, .. } => *line,
            Self::Unreadable { .. } | Self::FileName { .. } | Self::Several { .. } => None,
        }
    }
}

/// Something that an experiment, a study or a training asks for and its agent does not offer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AgentMismatch {
    /// The agent needs a parameter that has no default.
    #[error("`params` lacks `{}`, for which agent `{agent}` has no default: give it", line(parameter))]
    MissingParameter {
        /// The agent.
        agent: String,
        /// The parameter.
        parameter: String,
    },
    /// The agent's schema does not allow a parameter's value.
    #[error("parameter {problem}")]
    Parameter {
        /// The parameter.
        parameter: String,
        /// What is wrong with it, beginning with the way to the part that is: `weights[2]`.
        problem: String,
    },
    /// There is no such agent, parameter, file or training, or no such budget.
    #[error("{problem}")]
    Other {
        /// The key of the entry that it is about: `files.weights`.
        key: String,
        /// The key, what is wrong with its value, and what there is instead.
        problem: String,
    },
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

impl fmt::Display for ManifestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = path(self.file());
        let shown = self.line().map_or_else(|| file.clone(), |line| format!("{file}:{line}"));
        match self {
            Self::Unreadable { source, .. } => {
                write!(
                    f,
                    "{shown}: cannot be read: {source}; check the path, or name the folder with --configs"
                )
            }
            Self::FileName { .. } => write!(
                f,
                "{shown}: the file's name must be the paper's id, 1 to 64 lower-case letters, digits, - and _ before `.toml`; \
                 rename it"
            ),
            Self::Syntax { column, source, .. } => {
                write!(f, "{shown}:{column}: not TOML: {}", paragraph(source.message()))
            }
            Self::Invalid { subject, problem, .. } => write!(f, "{shown}: {subject}: {problem}"),
            Self::Agent { subject, source, .. } => write!(f, "{shown}: {subject}: {source}"),
            Self::Several { shown, more, .. } => {
                let lines: Vec<String> = shown.iter().map(ToString::to_string).collect();
                f.write_str(&lines.join("\n"))?;
                if *more > 0 { write!(f, "\nand {more} more") } else { Ok(()) }
            }
        }
    }
}

impl std::error::Error for ManifestError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Unreadable { source, .. } => Some(source),
            Self::Agent { source, .. } => Some(source.as_ref()),
            // TOML's own text repeats the message, with the line.
            Self::Syntax { .. } | Self::FileName { .. } | Self::Invalid { .. } | Self::Several { .. } => None,
        }
    }
}
