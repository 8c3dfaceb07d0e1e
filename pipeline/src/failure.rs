//! How a command fails: a message for people and an exit code for scripts.

use std::error::Error;
use std::io;
use std::process::ExitCode;

use crate::journal::JournalError;
use crate::plan::PlanError;
use crate::run::RunError;
use crate::study::GatherError;
use bundle::BundleError;
use cluster::ClusterError;
use diff::{DrawError, SourceError};
use manifest::ManifestError;
use platform::WriteError;
use platform::console::note;
pub(crate) use platform::errors::chain;
use records::{IndexError, LockError, MergeError, StoreError, SumsError};
use rendering::render::RenderError;
use verdict::{EvidenceError, GateError, StoredVerdictsError};
use workers::{CatalogueError, OpenError, WorkerError, WorkerStartError};

/// A command that did not succeed.
#[derive(Debug)]
pub struct Failure {
    code: u8,
    message: String,
}

impl Failure {
    /// A check failed. The message may be empty, if the command has printed the reason.
    pub(crate) fn check(message: impl Into<String>) -> Self {
        Self { code: CHECK.0, message: message.into() }
    }

    /// The usage is wrong.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self { code: USAGE.0, message: message.into() }
    }

    /// An agent faulted.
    pub(crate) fn agent(message: impl Into<String>) -> Self {
        Self { code: AGENT.0, message: message.into() }
    }

    /// An I/O error.
    pub(crate) fn io(error: impl Error + 'static) -> Self {
        Self::with(IO, &error)
    }

    /// Two things cannot be compared, whatever the reason is.
    pub(crate) fn incomparable(error: &(dyn Error + 'static)) -> Self {
        Self::with(USAGE, error)
    }

    fn with(Class(code, remedy): Class, error: &(dyn Error + 'static)) -> Self {
        let code = if code == IO.0 && is_of_the_folder(error) { CHECK.0 } else { code };
        Self { code, message: chain(error) + remedy }
    }

    /// Several that were met on the way: the first has the exit code.
    pub(crate) fn of_all(failures: Vec<Self>) -> Result<(), Self> {
        let mut failures = failures.into_iter();
        let Some(first) = failures.next() else { return Ok(()) };
        Err(failures.fold(first, |all, next| all.and(&format!("\n{}", next.message))))
    }

    /// The same, with more to say.
    pub(crate) fn and(mut self, more: &str) -> Self {
        self.message.push_str(more);
        self
    }

    /// The same, said of a subject.
    pub(crate) fn of(self, subject: &str) -> Self {
        Self { message: format!("{subject}: {}", self.message), ..self }
    }

    /// Whether it may pass, and so says nothing about what was looked at.
    pub(crate) const fn may_pass(&self) -> bool {
        self.code == IO.0
    }

    /// What is wrong, for people.
    pub(crate) fn message(&self) -> &str {
        &self.message
    }

    /// Prints the message and gives the exit code.
    pub fn report(&self) -> ExitCode {
        if !self.message.is_empty() {
            let is_coloured = platform::console::is_coloured(&std::io::stderr());
            let (red, plain) = if is_coloured { ("\x1b[1;31m", "\x1b[0m") } else { ("", "") };
            note(format_args!("{red}error{plain}: {}", self.message));
        }
        ExitCode::from(self.code)
    }
}

/// Whether an I/O error comes from the folder itself, such as a link in it, so that a retry does not help.
fn is_of_the_folder(error: &(dyn Error + 'static)) -> bool {
    let kind = error.downcast_ref::<io::Error>().map(io::Error::kind);
    kind == Some(io::ErrorKind::InvalidInput) || error.source().is_some_and(is_of_the_folder)
}

/// An exit code, and what a message says behind the error.
#[derive(Clone, Copy)]
pub(crate) struct Class(u8, &'static str);

/// A check or gate failed.
const CHECK: Class = Class(1, "");
/// The usage or a manifest is wrong.
const USAGE: Class = Class(2, "");
/// An agent faulted.
const AGENT: Class = Class(3, "");
/// A temporary I/O error.
const IO: Class = Class(4, "");

/// An error that can end a command.
pub(crate) trait Classified: Error + 'static {
    /// Its exit code, and a remedy that only the command line knows.
    fn class(&self) -> Class;
}

impl<E: Classified> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::with(error.class(), &error)
    }
}

/// The classes of errors, one row per type: the variants whose own error decides, then an arm for the
/// variants of each class.
macro_rules! classes {
    ($($error:ty $([$($inner:ident)+])? { $($arms:tt)+ })+) => {$(
        impl Classified for $error {
            fn class(&self) -> Class {
                match self {
                    $($(Self::$inner(error) => error.class(),)+)?
                    $($arms)+
                }
            }
        }
    )+};
}

classes! {
    BundleError [Index Store Sums] {
        Self::Output(_) | Self::Io { .. } => IO,
        Self::Damaged(_) => CHECK,
        _ => USAGE,
    }
    CatalogueError {
        Self::Open(_) => USAGE,
        Self::Worker(_) => IO,
    }
    ClusterError {
        Self::Usage(_) => USAGE,
        Self::Check(_) => CHECK,
        Self::Temporary(_) | Self::Io { .. } | Self::Output(_) => IO,
    }
    DrawError {
        Self::Output(_) => IO,
        Self::Figure(_) => USAGE,
    }
    EvidenceError [Index Store] { _ => CHECK }
    GatherError {
        Self::NoPart { .. } => USAGE,
        Self::Differs { .. } => CHECK,
        Self::Journal(_) => IO,
    }
    GateError { _ => USAGE }
    IndexError [Store] {
        Self::Missing { .. } => USAGE,
        Self::Form { .. } | Self::OtherForm { .. } => CHECK,
        _ => IO,
    }
    JournalError { _ => IO }
    StoredVerdictsError {
        Self::Io { .. } => IO,
        _ => CHECK,
    }
    LockError { _ => IO }
    ManifestError { _ => USAGE }
    MergeError {
        Self::Store(StoreError::Io { .. }) => IO,
        // Whatever it is, it may be the only copy of somebody's games.
        Self::Store(_) => Class(1, "; it was left as it is: copy it once more from where it was played"),
        Self::Differs { .. } => CHECK,
        _ => USAGE,
    }
    OpenError { _ => USAGE }
    PlanError [Store] {
        Self::Agent { source, .. } | Self::NotProbed(source) => source.class(),
        Self::Journal(_) => IO,
        _ => USAGE,
    }
    RenderError [Evidence StoredVerdicts Store] {
        Self::Output(_) => IO,
        _ => USAGE,
    }
    RunError [Store] {
        Self::Agent { source, .. } | Self::Plugin { source, .. } => source.class(),
        Self::Fault { .. } => AGENT,
        Self::TooMany { .. } => USAGE,
        _ => IO,
    }
    StoreError {
        Self::Io { .. } => IO,
        error if error.has_remedy() => CHECK,
        Self::Timing(_) => Class(
            1,
            "; restore the file, or remove it: its games stay, and `pipeline run --fresh` times them again",
        ),
        _ => Class(1, "; restore the file, or remove it to have its games played again"),
    }
    SumsError {
        Self::Form { .. } => CHECK,
        _ => IO,
    }
    WorkerError {
        Self::Refused(_) => USAGE,
        Self::Failed(_) | Self::Faulted(_) => AGENT,
        Self::NotStarted(_) => IO,
    }
    WorkerStartError { _ => IO }
    WriteError { _ => IO }
}

impl From<SourceError> for Failure {
    fn from(error: SourceError) -> Self {
        match error {
            SourceError::Damaged(_) => Self::with(CHECK, &error),
            SourceError::Bundle(source) => source.into(),
            other => Self::incomparable(&other),
        }
    }
}

#[cfg(test)]
mod tests {
    use platform::ConfinedPath;
    use std::time::Duration;

    use engine::Rules;
    use engine::agent::Budget;
    use serde_json::Map;

    use super::*;
    use crate::signatures::{AgentSetup, Signatures};
    use crate::test_setup::broken_launcher;
    use manifest::Subject;
    use records::GameTiming;
    use records::store::{read_timing, write_timing};
    use workers::{Catalogue, PluginEntry};

    #[track_caller]
    fn assert_may_pass(failure: &Failure) {
        assert!(failure.may_pass(), "exit code {}: {}", failure.code, failure.message);
        assert!(failure.message.contains("cannot start a worker: "), "{}", failure.message);
        assert!(failure.message.ends_with("try again later"), "{}", failure.message);
    }

    #[test]
    fn a_torn_timing_file_costs_no_game() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("e.parquet");
        let timings = [GameTiming { game: 0, cpu_ns: 1, wall_ns: 2 }];
        write_timing(&ConfinedPath::file(&file), &timings).unwrap();
        let bytes = std::fs::read(&file).unwrap();
        std::fs::write(&file, &bytes[..bytes.len() / 2]).unwrap();
        let failure = Failure::from(read_timing(&ConfinedPath::file(&file)).unwrap_err());
        assert_eq!(failure.code, CHECK.0);
        assert!(failure.message.contains("e.parquet: cannot read the footer"), "{}", failure.message);
        let remedy = "remove it: its games stay, and `pipeline run --fresh` times them again";
        assert!(failure.message.ends_with(remedy), "{}", failure.message);
    }

    #[test]
    fn a_catalogue_for_which_no_worker_can_be_started_is_an_error_that_may_pass() {
        let library = tempfile::Builder::new().prefix("lib").suffix(".so").tempfile().unwrap();
        let error = Catalogue::of_files(&broken_launcher(), vec![library.path().to_owned()]).unwrap_err();
        assert_may_pass(&error.into());
    }

    #[test]
    fn a_signature_for_which_no_worker_can_be_started_is_an_error_that_may_pass() {
        let plugin = PluginEntry::default();
        let (rules, params) = (Rules::default(), Map::new());
        let setup = AgentSetup {
            plugin: &plugin,
            agent: "x",
            rules: &rules,
            params: &params,
            files: &Default::default(),
            budget: Budget::None,
            move_limit: Duration::from_secs(1),
        };
        let folder = tempfile::tempdir().unwrap();
        let signatures = Signatures::load(&ConfinedPath::file(&folder.path().join("signatures.json")));
        let source = signatures.get(&broken_launcher(), &setup).unwrap_err();
        assert!(matches!(source, WorkerError::NotStarted(_)), "{source:?}");
        let planned = PlanError::Agent {
            file: "p.toml".into(),
            subject: Subject::Entry("experiment", "e".to_owned()),
            source,
        };
        assert_may_pass(&planned.into());
    }
}
