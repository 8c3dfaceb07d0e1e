//! How a command fails: a message for people and an exit code for scripts.

use std::error::Error;
use std::io::IsTerminal as _;
use std::process::ExitCode;

use crate::bundle::{BundleError, RenderError};
pub(super) use crate::causes::chain;
use crate::contest::ContestError;
use crate::diff::{DrawError, SourceError};
use crate::evidence::EvidenceError;
use crate::index::IndexError;
use crate::journal::JournalError;
use crate::layout::LockError;
use crate::manifest::ManifestError;
use crate::merge::MergeError;
use crate::output::OutputError;
use crate::plan::PlanError;
use crate::plugin::OpenError;
use crate::publish::PublishError;
use crate::run::RunError;
use crate::store::StoreError;
use crate::verdict::GateError;
use crate::verify::RecomputeError;
use crate::worker::{NoWorker, WorkerError};

/// A command that did not succeed.
#[derive(Debug)]
pub struct Failure {
    code: u8,
    message: String,
}

/// A check or gate failed.
const CHECK: u8 = 1;
/// The usage or a manifest is wrong.
const USAGE: u8 = 2;
/// An agent faulted.
const AGENT: u8 = 3;
/// An I/O error that may pass.
const IO: u8 = 4;

impl Failure {
    /// A check failed. The message may be empty, where the command has said it all.
    pub(crate) fn check(message: impl Into<String>) -> Self {
        Self { code: CHECK, message: message.into() }
    }

    /// The usage is wrong.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self { code: USAGE, message: message.into() }
    }

    /// An agent faulted.
    pub(crate) fn agent(message: impl Into<String>) -> Self {
        Self { code: AGENT, message: message.into() }
    }

    /// An I/O error.
    pub(crate) fn io(error: impl Error) -> Self {
        Self { code: IO, message: chain(&error) }
    }

    /// Two things cannot be compared, whatever the reason is.
    pub(crate) fn incomparable(error: &dyn Error) -> Self {
        Self::with(USAGE, error)
    }

    fn with(code: u8, error: &dyn Error) -> Self {
        Self { code, message: chain(error) }
    }

    /// Whether it may pass, and so says nothing about what was looked at.
    pub(crate) const fn may_pass(&self) -> bool {
        self.code == IO
    }

    /// What is wrong, for people.
    pub(crate) fn message(&self) -> &str {
        &self.message
    }

    /// Prints the message and gives the exit code.
    pub(crate) fn report(&self) -> ExitCode {
        if !self.message.is_empty() {
            let is_coloured = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
            let (red, plain) = if is_coloured { ("\x1b[1;31m", "\x1b[0m") } else { ("", "") };
            eprintln!("{red}error{plain}: {}", self.message);
        }
        ExitCode::from(self.code)
    }
}

impl From<ManifestError> for Failure {
    fn from(error: ManifestError) -> Self {
        Self::with(USAGE, &error)
    }
}

impl From<OpenError> for Failure {
    fn from(error: OpenError) -> Self {
        match error {
            OpenError::NoWorker(error) => error.into(),
            other => Self::with(USAGE, &other),
        }
    }
}

impl From<LockError> for Failure {
    fn from(error: LockError) -> Self {
        Self::with(IO, &error)
    }
}

impl From<JournalError> for Failure {
    fn from(error: JournalError) -> Self {
        Self::with(IO, &error)
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        let remedy = match error {
            StoreError::Io { .. } => return Self::with(IO, &error),
            StoreError::Timing(_) => "remove it: its games stay, and `pipeline run --fresh` times them anew",
            _ => "remove it and its games are played again",
        };
        Self::check(format!("{}; restore the file, or {remedy}", chain(&error)))
    }
}

impl From<OutputError> for Failure {
    fn from(error: OutputError) -> Self {
        Self::with(IO, &error)
    }
}

impl From<IndexError> for Failure {
    fn from(error: IndexError) -> Self {
        match error {
            IndexError::Store(error) => error.into(),
            IndexError::Missing { .. } => Self::with(USAGE, &error),
            IndexError::Form { .. } | IndexError::OtherForm { .. } => Self::with(CHECK, &error),
            other => Self::with(IO, &other),
        }
    }
}

impl From<EvidenceError> for Failure {
    fn from(error: EvidenceError) -> Self {
        match error {
            EvidenceError::Index(error) => error.into(),
            EvidenceError::Store(error) => error.into(),
            other => Self::with(CHECK, &other),
        }
    }
}

impl From<PublishError> for Failure {
    fn from(error: PublishError) -> Self {
        match error {
            PublishError::Evidence(error) => error.into(),
            PublishError::Output(error) => error.into(),
            PublishError::Store(error) => error.into(),
            other => Self::with(USAGE, &other),
        }
    }
}

impl From<ContestError> for Failure {
    fn from(error: ContestError) -> Self {
        let code = match &error {
            ContestError::Agent { source, .. } => worker_code(source),
            ContestError::Fault { .. } => AGENT,
            ContestError::Worker(_) | ContestError::Threads(_) => IO,
        };
        Self::with(code, &error)
    }
}

impl From<SourceError> for Failure {
    fn from(error: SourceError) -> Self {
        Self::incomparable(&error)
    }
}

impl From<DrawError> for Failure {
    fn from(error: DrawError) -> Self {
        match error {
            DrawError::Output(error) => error.into(),
            DrawError::Figure(error) => Self::with(USAGE, &error),
        }
    }
}

impl From<BundleError> for Failure {
    fn from(error: BundleError) -> Self {
        match error {
            BundleError::Index(error) => error.into(),
            BundleError::Evidence(error) => error.into(),
            BundleError::Store(error) => error.into(),
            BundleError::Output(error) => error.into(),
            BundleError::Io { .. } => Self::with(IO, &error),
            BundleError::Refused { .. } | BundleError::Form { .. } => Self::with(CHECK, &error),
            other => Self::with(USAGE, &other),
        }
    }
}

impl From<RenderError> for Failure {
    fn from(error: RenderError) -> Self {
        match error {
            RenderError::Records(_) => Self::with(CHECK, &error),
            RenderError::Io(_) => Self::with(IO, &error),
        }
    }
}

impl From<GateError> for Failure {
    fn from(error: GateError) -> Self {
        Self::with(USAGE, &error)
    }
}

impl From<WorkerError> for Failure {
    fn from(error: WorkerError) -> Self {
        Self::with(worker_code(&error), &error)
    }
}

/// Whose fault it is that a worker did not answer as it should.
const fn worker_code(error: &WorkerError) -> u8 {
    match error {
        WorkerError::Refused(_) => USAGE,
        WorkerError::Failed(_) | WorkerError::Down(_) => AGENT,
        WorkerError::NotStarted(_) => IO,
    }
}

impl From<NoWorker> for Failure {
    fn from(error: NoWorker) -> Self {
        Self::with(IO, &error)
    }
}

impl From<RecomputeError> for Failure {
    fn from(error: RecomputeError) -> Self {
        match error {
            RecomputeError::Store(error) => error.into(),
            RecomputeError::Worker(error) => error.into(),
        }
    }
}

impl From<MergeError> for Failure {
    fn from(error: MergeError) -> Self {
        match error {
            MergeError::Store(error) => error.into(),
            MergeError::Differs { .. } => Self::with(CHECK, &error),
            other => Self::with(USAGE, &other),
        }
    }
}

impl From<PlanError> for Failure {
    fn from(error: PlanError) -> Self {
        match error {
            PlanError::Store(error) => error.into(),
            PlanError::Journal(error) => error.into(),
            PlanError::Agent { ref source, .. } => Self::with(worker_code(source), &error),
            other => Self::with(USAGE, &other),
        }
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Self {
        match error {
            RunError::Store(error) => error.into(),
            other => Self::with(IO, &other),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::time::Duration;

    use engine::Rules;
    use engine::agent::Budget;
    use serde_json::Map;

    use super::*;
    use crate::catalogue::{Catalogue, PluginEntry};
    use crate::record::GameTiming;
    use crate::signatures::{Signatures, Subject};
    use crate::store::{read_timing, write_timing};
    use crate::worker::{Launcher, Limits};

    /// A launcher whose workers cannot be started, as where the machine has no process left.
    fn broken_launcher() -> Launcher {
        Launcher { program: PathBuf::from("/nowhere/pipeline"), limits: Limits::default() }
    }

    #[track_caller]
    fn assert_may_pass(failure: &Failure) {
        assert!(failure.may_pass(), "exit code {}: {}", failure.code, failure.message);
        assert!(failure.message.contains("no worker can be started: "), "{}", failure.message);
        assert!(failure.message.ends_with("try again later"), "{}", failure.message);
    }

    #[test]
    fn a_torn_timing_file_costs_no_game() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("e.parquet");
        let timings = [GameTiming { game: 0, cpu_ns: 1, wall_ns: 2 }];
        write_timing(&file, &timings).unwrap();
        let bytes = std::fs::read(&file).unwrap();
        std::fs::write(&file, &bytes[..bytes.len() / 2]).unwrap();
        let failure = Failure::from(read_timing(&file).unwrap_err());
        assert_eq!(failure.code, CHECK);
        assert!(failure.message.contains("e.parquet: cannot read the timing"), "{}", failure.message);
        let remedy = "remove it: its games stay, and `pipeline run --fresh` times them anew";
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
        let plugin = PluginEntry { file: "libx.so".into(), sha256: String::new(), agents: Vec::new() };
        let (rules, params) = (Rules::default(), Map::new());
        let subject = Subject {
            plugin: &plugin,
            agent: "x",
            rules: &rules,
            params: &params,
            budget: Budget::None,
            move_limit: Duration::from_secs(1),
        };
        let folder = tempfile::tempdir().unwrap();
        let signatures = Signatures::load(&folder.path().join("signatures.json"));
        let source = signatures.get(&broken_launcher(), &subject).unwrap_err();
        assert!(matches!(source, WorkerError::NotStarted(_)), "{source:?}");
        let planned = PlanError::Agent { file: "p.toml".into(), experiment: "e".to_owned(), source };
        assert_may_pass(&planned.into());
    }
}
