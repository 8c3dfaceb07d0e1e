//! Jobs that cannot run before another one has.

use crate::identity::components;
use crate::{Difference, Key, StoreError, Words};

/// A job that cannot run before another one has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blocked {
    /// The job.
    pub job: Key,
    /// The kind of the job that it waits for.
    pub kind: &'static Words,
    /// The job that it waits for.
    pub by: Key,
    /// Why the result of that job is not available.
    pub reason: Unavailable,
}

/// Why the result of a job is not available.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unavailable {
    /// It has not run to its end.
    NotRun,
    /// The result of another identity is stored.
    Stale(Vec<Difference>),
    /// Its file cannot be used.
    Unusable(String),
    /// A study has fewer winners than the manifest asks for.
    FewerWinners,
    /// No manifest that was read lists it.
    NotListed,
}

impl Unavailable {
    /// The stored result of a job, or why it is not available.
    pub fn or_stored<T>(stored: &Result<Option<T>, StoreError>) -> Result<&T, Self> {
        match stored {
            Ok(stored) => stored.as_ref().ok_or(Self::NotRun),
            Err(error) => Err(Self::Unusable(platform::errors::chain(error))),
        }
    }

    /// The reason in words, with the remedy.
    pub fn text(&self, words: &Words, by: &Key) -> String {
        let Words { kind, command, .. } = words;
        let run = format!("run `pipeline {command} {by}`");
        match self {
            Self::NotRun => format!("{kind} {by} has not run yet; {run}"),
            Self::Stale(differences) => {
                format!("{kind} {by} is stale, {} changed; {run}", components(differences))
            }
            Self::Unusable(reason) => format!("{kind} {by}: {reason}"),
            Self::FewerWinners => format!("{kind} {by} has fewer winners"),
            Self::NotListed => {
                format!("there is no {kind} {by}; name its manifest too, or the folder with --configs")
            }
        }
    }
}

impl Blocked {
    /// The reason in words, with the remedy.
    pub fn text(&self) -> String {
        self.reason.text(self.kind, &self.by)
    }

    /// Which jobs wait for what, in a sentence. All of them wait for the same job.
    pub fn sentence(all: &[&Self]) -> String {
        let Self { job, kind: words, by, reason } = all[0];
        let Words { kind, command, .. } = words;
        let (who, verb) = match all.len() as u64 {
            1 => (job.to_string(), "waits"),
            count => (text::counted(count, "experiment"), "wait"),
        };
        match reason {
            Unavailable::NotRun => {
                format!("{who} {verb} for {kind} {by}; run `pipeline {command} {by}`")
            }
            Unavailable::FewerWinners => format!("{who} cannot be played: {}", reason.text(words, by)),
            Unavailable::Unusable(reason) => format!("{who} {verb} for {kind} {by}: {reason}"),
            reason => format!("{who} {verb} for {kind} {by}: {}", reason.text(words, by)),
        }
    }
}
