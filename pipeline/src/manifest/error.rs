//! What can be wrong with a manifest: the file, the place in it, the key, and what to do about it.

use std::path::{Path, PathBuf};
use std::{fmt, io};

use engine::rules::RulesError;

/// The part of a manifest that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// What stands outside of experiments, claims and notes.
    Paper,
    /// The experiment with this id.
    Experiment(String),
    /// The claim with this id.
    Claim(String),
    /// The note with this id.
    Note(String),
    /// The exhibit at this place of the paper.
    Exhibit(String),
    /// The figure with this id.
    Figure(String),
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Paper => f.write_str("the paper"),
            Self::Experiment(id) => write!(f, "experiment `{id}`"),
            Self::Claim(id) => write!(f, "claim `{id}`"),
            Self::Note(id) => write!(f, "note `{id}`"),
            Self::Exhibit(place) => write!(f, "exhibit `{place}`"),
            Self::Figure(id) => write!(f, "figure `{id}`"),
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
    /// The text is no TOML, a key is unknown or missing, or its value is not of its type.
    Toml {
        /// The file.
        file: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The column, from 1, in characters.
        column: usize,
        /// The part of the manifest that stands there.
        subject: Subject,
        /// The key whose value is wrong; none where the message itself names one.
        key: Option<String>,
        /// What is wrong with it.
        source: Box<toml::de::Error>,
    },
    /// A key's value is not one that it may have.
    Invalid {
        /// The file.
        file: PathBuf,
        /// The part of the manifest.
        subject: Subject,
        /// The key.
        key: &'static str,
        /// What is wrong with its value, and the remedy.
        problem: String,
    },
    /// Rules make no game.
    Rules {
        /// The file.
        file: PathBuf,
        /// Whose rules.
        subject: Subject,
        /// Why not.
        source: RulesError,
    },
    /// An experiment asks for an agent that there is not, or for what the agent does not take.
    Agent {
        /// The file.
        file: PathBuf,
        /// The experiment.
        experiment: String,
        /// What does not fit.
        source: Box<AgentMismatch>,
    },
}

impl ManifestError {
    /// The file or the folder that it is about.
    #[must_use]
    pub fn file(&self) -> &Path {
        match self {
            Self::Unreadable { file, .. }
            | Self::FileName { file }
            | Self::Toml { file, .. }
            | Self::Invalid { file, .. }
            | Self::Rules { file, .. }
            | Self::Agent { file, .. } => file,
        }
    }
}

/// What an experiment asks for and its agent does not offer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AgentMismatch {
    /// No plugin offers the agent.
    UnknownAgent {
        /// The agent.
        agent: String,
        /// The agents that there are.
        known: Vec<String>,
    },
    /// The agent has no such parameter.
    UnknownParameter {
        /// The agent.
        agent: String,
        /// The parameter.
        parameter: String,
        /// The parameters that it has.
        known: Vec<String>,
    },
    /// The agent needs a parameter that has no default.
    MissingParameter {
        /// The agent.
        agent: String,
        /// The parameter.
        parameter: String,
    },
    /// The agent's schema does not allow a parameter's value.
    Parameter {
        /// The parameter, with the way to the part of it that is wrong: `weights[2]`.
        parameter: String,
        /// The value, as JSON.
        value: String,
        /// What it must be.
        must: String,
    },
    /// The agent takes no budget of this kind.
    Budget {
        /// The agent.
        agent: String,
        /// The experiment's budget.
        budget: String,
        /// What could be written instead.
        takes: Vec<&'static str>,
    },
}

impl fmt::Display for AgentMismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownAgent { agent, known } => write!(
                f,
                "`agent` is `{agent}`, which no plugin offers; known: {}. Build the plugins with `cargo build --release`, or \
                 put the folder of yours into RETILE_AGENT_PATH",
                list(known)
            ),
            Self::UnknownParameter { agent, parameter, known } => write!(
                f,
                "`params` has `{parameter}`, which agent `{agent}` does not know; known: {}",
                list(known)
            ),
            Self::MissingParameter { agent, parameter } => {
                write!(f, "`params` lacks `{parameter}`, for which agent `{agent}` has no default: give it")
            }
            Self::Parameter { parameter, value, must } => {
                write!(f, "parameter `{parameter}` is {value}, must be {must}")
            }
            Self::Budget { agent, budget, takes } => {
                let takes =
                    if takes.is_empty() { "none that this host knows".to_owned() } else { takes.join(", ") };
                write!(f, "`budget` is {budget}, which agent `{agent}` does not take; it takes: {takes}")
            }
        }
    }
}

impl std::error::Error for AgentMismatch {}

fn list(names: &[String]) -> String {
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

impl fmt::Display for ManifestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = self.file().display();
        match self {
            Self::Unreadable { source, .. } => {
                write!(
                    f,
                    "{shown}: cannot be read: {source}; check the path, or name the folder with --configs"
                )
            }
            Self::FileName { .. } => write!(
                f,
                "{shown}: the file's name is the paper's id: 1 to 64 lower-case letters, digits, - and _ before `.toml`; \
                 rename it"
            ),
            Self::Toml { line, column, subject, key, source, .. } => {
                write!(f, "{shown}:{line}:{column}: {subject}: ")?;
                key.iter().try_for_each(|key| write!(f, "`{key}`: "))?;
                f.write_str(source.message())
            }
            Self::Invalid { subject, key, problem, .. } => write!(f, "{shown}: {subject}: `{key}` {problem}"),
            Self::Rules { subject, source, .. } => write!(f, "{shown}: {subject}: `rules`: {source}"),
            Self::Agent { experiment, source, .. } => {
                write!(f, "{shown}: experiment `{experiment}`: {source}")
            }
        }
    }
}

impl std::error::Error for ManifestError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Unreadable { source, .. } => Some(source),
            Self::Rules { source, .. } => Some(source),
            Self::Agent { source, .. } => Some(source.as_ref()),
            // TOML's own text repeats the message, with the line.
            Self::Toml { .. } | Self::FileName { .. } | Self::Invalid { .. } => None,
        }
    }
}

/// A part of a manifest while it is checked.
pub(super) struct Place<'a> {
    /// The file.
    pub(super) file: &'a Path,
    /// The part.
    pub(super) subject: Subject,
}

impl Place<'_> {
    /// The error that a key's value is wrong; `problem` goes on after the key's name.
    pub(super) fn wrong(&self, key: &'static str, problem: impl Into<String>) -> ManifestError {
        ManifestError::Invalid {
            file: self.file.to_owned(),
            subject: self.subject.clone(),
            key,
            problem: problem.into(),
        }
    }

    /// Checks that a text says something.
    pub(super) fn filled(&self, key: &'static str, text: &str) -> Result<(), ManifestError> {
        if text.trim().is_empty() { Err(self.wrong(key, "is empty: fill it in")) } else { Ok(()) }
    }
}
