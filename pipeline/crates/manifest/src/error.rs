//! What can be wrong with a manifest: the file, the place in it, the key, and what to do about it.

use std::path::{Path, PathBuf};
use std::{fmt, io};

use platform::plain::{line, paragraph, path};

/// The part of a manifest that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// What stands outside of experiments, studies, claims and notes.
    Paper,
    /// The experiment with this id.
    Experiment(String),
    /// The study with this id.
    Study(String),
    /// The training with this id.
    Training(String),
    /// The claim with this id.
    Claim(String),
    /// The note with this id.
    Note(String),
    /// The exhibit at this place of the paper.
    Exhibit(String),
    /// The figure with this id.
    Figure(String),
    /// The interpretation with this id.
    Interpretation(String),
    /// The finding with this number, from `#1`.
    Finding(String),
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Paper => f.write_str("the paper"),
            Self::Experiment(id) => write!(f, "experiment `{}`", line(id)),
            Self::Study(id) => write!(f, "study `{}`", line(id)),
            Self::Training(id) => write!(f, "training `{}`", line(id)),
            Self::Claim(id) => write!(f, "claim `{}`", line(id)),
            Self::Note(id) => write!(f, "note `{}`", line(id)),
            Self::Exhibit(place) => write!(f, "exhibit `{}`", line(place)),
            Self::Figure(id) => write!(f, "figure `{}`", line(id)),
            Self::Interpretation(id) => write!(f, "interpretation `{}`", line(id)),
            Self::Finding(number) => write!(f, "finding {}", line(number)),
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
    /// An experiment, a study or a training asks for an agent that there is not, or for what the agent does not take.
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
    #[must_use]
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

/// What an experiment or a study asks for and its agent does not offer.
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
        /// The parameter.
        parameter: String,
        /// What is wrong with it, beginning with the way to the part that is: `weights[2]`.
        problem: String,
    },
    /// The agent has no parameter that a study could search.
    UnknownSearched {
        /// The agent.
        agent: String,
        /// The parameter.
        parameter: String,
        /// The parameters that it has.
        known: Vec<String>,
    },
    /// The agent's schema does not allow a value that a study could come to.
    Searched {
        /// The parameter.
        parameter: String,
        /// What is wrong with it, beginning with the way to the part that is, and the remedy.
        problem: String,
    },
    /// The agent needs a file that is not named.
    MissingFile {
        /// The agent.
        agent: String,
        /// What it calls the file.
        role: String,
    },
    /// The agent needs no such file.
    UnknownFile {
        /// The agent.
        agent: String,
        /// What the file is called.
        role: String,
        /// The files that it needs.
        known: Vec<String>,
    },
    /// The agent cannot be trained.
    Untrained {
        /// The agent.
        agent: String,
        /// Those that can.
        known: Vec<String>,
    },
    /// The agent takes no budget of this kind.
    Budget {
        /// The agent.
        agent: String,
        /// The budget that is asked for.
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
                 add the folder of your own to RETILE_AGENT_PATH",
                list(known)
            ),
            Self::UnknownParameter { agent, parameter, known } => write!(
                f,
                "`params` has `{}`, which agent `{agent}` does not know; known: {}",
                line(parameter),
                list(known)
            ),
            Self::MissingParameter { agent, parameter } => {
                let parameter = line(parameter);
                write!(f, "`params` lacks `{parameter}`, for which agent `{agent}` has no default: give it")
            }
            Self::Parameter { problem, .. } => write!(f, "parameter {problem}"),
            Self::UnknownSearched { agent, parameter, known } => write!(
                f,
                "`space` has `{}`, which agent `{agent}` does not know; known: {}",
                line(parameter),
                list(known)
            ),
            Self::Searched { problem, .. } => write!(f, "`space` reaches values that are refused: {problem}"),
            Self::MissingFile { agent, role } => write!(
                f,
                "`files` lacks `{role}`, which agent `{agent}` needs: name a training or a SHA-256, such as \
                 `files.{role} = \"PAPER/TRAINING\"`; `pipeline artefacts` lists what there is"
            ),
            Self::UnknownFile { agent, role, known } => write!(
                f,
                "`files` has `{role}`, which agent `{agent}` does not need; it needs: {}",
                list(known)
            ),
            Self::Untrained { agent, known } => {
                write!(f, "`agent` is `{agent}`, which cannot be trained; those that can: {}", list(known))
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

impl AgentMismatch {
    /// The key of the experiment or the study that it is about: `params.top`.
    pub(super) fn key(&self) -> String {
        match self {
            Self::UnknownAgent { .. } | Self::Untrained { .. } => "agent".to_owned(),
            Self::MissingFile { .. } => "files".to_owned(),
            Self::UnknownFile { role, .. } => format!("files.{role}"),
            Self::UnknownParameter { parameter, .. } | Self::Parameter { parameter, .. } => {
                format!("params.{parameter}")
            }
            Self::UnknownSearched { parameter, .. } | Self::Searched { parameter, .. } => {
                format!("space.{parameter}")
            }
            Self::MissingParameter { .. } => "params".to_owned(),
            Self::Budget { .. } => "budget".to_owned(),
        }
    }
}

fn list(names: &[String]) -> String {
    known(names.iter().map(String::as_str))
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
