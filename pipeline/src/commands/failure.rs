//! How a command fails: a message for people and an exit code for scripts.

use std::error::Error;
use std::io;
use std::process::ExitCode;

use crate::cluster::collect::CollectError;
use crate::cluster::sending::SendError;
use crate::cluster::slurm::SlurmError;
use crate::cluster::work::WorkError;
use crate::cluster::workplace::WorkplaceError;
use crate::contest::ContestError;
use crate::journal::JournalError;
use crate::plan::PlanError;
use crate::recompute::RecomputeError;
use crate::run::RunError;
use crate::study::{GatherError, RunStudyError};
use bundle::{BundleError, RenderAgainError};
use diff::{DrawError, SourceError};
use manifest::ManifestError;
use platform::atomic::WriteError;
use platform::console::note;
pub(super) use platform::errors::chain;
use records::index::IndexError;
use records::layout::LockError;
use records::merge::MergeError;
use records::store::StoreError;
use records::sums::SumsError;
use rendering::everything::RenderError;
use studies::StudyError;
use trainings::TrainingError;
use verdict::evidence::EvidenceError;
use verdict::{GateError, StoredVerdictsError};
use workers::catalogue::CatalogueError;
use workers::plugin::OpenError;
use workers::worker::{WorkerError, WorkerStartError};

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
    pub(crate) fn io(error: impl Error + 'static) -> Self {
        Self::with(IO, &error)
    }

    /// Two things cannot be compared, whatever the reason is.
    pub(crate) fn incomparable(error: &(dyn Error + 'static)) -> Self {
        Self::with(USAGE, error)
    }

    fn with(code: u8, error: &(dyn Error + 'static)) -> Self {
        let code = if code == IO && is_of_the_folder(error) { CHECK } else { code };
        Self { code, message: chain(error) }
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
        self.code == IO
    }

    /// What is wrong, for people.
    pub(crate) fn message(&self) -> &str {
        &self.message
    }

    /// Prints the message and gives the exit code.
    #[must_use]
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

impl Failure {
    /// What keeps an experiment from being put together.
    pub(crate) fn from_collecting(error: &CollectError) -> Self {
        let code = match error {
            CollectError::Faults { .. } => AGENT,
            CollectError::Journal(_) | CollectError::Store(StoreError::Io { .. }) => IO,
            _ => CHECK,
        };
        Self::with(code, error)
    }
}

impl From<WorkplaceError> for Failure {
    fn from(error: WorkplaceError) -> Self {
        let code = match error {
            WorkplaceError::Form { .. } | WorkplaceError::OtherForm { .. } => CHECK,
            WorkplaceError::Path { .. } => USAGE,
            WorkplaceError::Io { .. } | WorkplaceError::Output(_) => IO,
        };
        Self::with(code, &error)
    }
}

impl From<SlurmError> for Failure {
    fn from(error: SlurmError) -> Self {
        let code = if error.is_usage() { USAGE } else { IO };
        Self::with(code, &error)
    }
}

impl From<SendError> for Failure {
    fn from(error: SendError) -> Self {
        match error {
            SendError::Workplace(error) => error.into(),
            SendError::Outside { .. } | SendError::Program { .. } => Self::with(USAGE, &error),
            SendError::Slurm { ref source, .. } if source.is_usage() => Self::with(USAGE, &error),
            SendError::Slurm { .. } | SendError::Copy { .. } | SendError::Output(_) => Self::with(IO, &error),
        }
    }
}

impl From<WorkError> for Failure {
    fn from(error: WorkError) -> Self {
        match error {
            WorkError::Plan(error) => error.into(),
            WorkError::Run(error) => error.into(),
            WorkError::Plugin(error) => error.into(),
            WorkError::Store(error) => error.into(),
            WorkError::Journal(error) => error.into(),
            WorkError::Program(_) => Self::with(IO, &error),
            WorkError::OtherProgram { .. } | WorkError::OtherPlugin { .. } => Self::with(CHECK, &error),
        }
    }
}

impl From<ManifestError> for Failure {
    fn from(error: ManifestError) -> Self {
        Self::with(USAGE, &error)
    }
}

impl From<OpenError> for Failure {
    fn from(error: OpenError) -> Self {
        Self::with(USAGE, &error)
    }
}

impl From<CatalogueError> for Failure {
    fn from(error: CatalogueError) -> Self {
        match error {
            CatalogueError::Open(error) => error.into(),
            CatalogueError::Worker(error) => error.into(),
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
            StoreError::Timing(_) => "remove it: its games stay, and `pipeline run --fresh` times them again",
            _ => "remove it to have its games played again",
        };
        Self::check(format!("{}; restore the file, or {remedy}", chain(&error)))
    }
}

impl From<WriteError> for Failure {
    fn from(error: WriteError) -> Self {
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

impl From<RenderError> for Failure {
    fn from(error: RenderError) -> Self {
        match error {
            RenderError::Evidence(error) => error.into(),
            RenderError::StoredVerdicts(error) => error.into(),
            RenderError::Output(error) => error.into(),
            RenderError::Store(error) => error.into(),
            RenderError::Training(error) => error.into(),
            other => Self::with(USAGE, &other),
        }
    }
}

impl From<StoredVerdictsError> for Failure {
    fn from(error: StoredVerdictsError) -> Self {
        let code = if matches!(error, StoredVerdictsError::Io { .. }) { IO } else { CHECK };
        Self::with(code, &error)
    }
}

impl From<SumsError> for Failure {
    fn from(error: SumsError) -> Self {
        match error {
            SumsError::Output(error) => error.into(),
            SumsError::Form { .. } => Self::with(CHECK, &error),
            SumsError::Io { .. } => Self::with(IO, &error),
        }
    }
}

impl From<ContestError> for Failure {
    fn from(error: ContestError) -> Self {
        let code = match &error {
            ContestError::Agent { source, .. } => worker_code(source),
            ContestError::Fault { .. } => AGENT,
            ContestError::Journal(_) | ContestError::Worker(_) | ContestError::Threads(_) => IO,
            ContestError::Store(_) | ContestError::Run(_) => CHECK,
        };
        match error {
            ContestError::Store(error) => error.into(),
            ContestError::Run(error) => error.into(),
            error => Self::with(code, &error),
        }
    }
}

impl From<SourceError> for Failure {
    fn from(error: SourceError) -> Self {
        match error {
            SourceError::Damaged { .. } => Self::with(CHECK, &error),
            SourceError::Bundle { source, .. } => (*source).into(),
            other => Self::incomparable(&other),
        }
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
            BundleError::Study(error) => error.into(),
            BundleError::Sums(error) => error.into(),
            BundleError::Output(error) => error.into(),
            BundleError::Io { .. } => Self::with(IO, &error),
            BundleError::Refused { .. } | BundleError::Form { .. } => Self::with(CHECK, &error),
            other => Self::with(USAGE, &other),
        }
    }
}

impl From<RenderAgainError> for Failure {
    fn from(error: RenderAgainError) -> Self {
        match error {
            RenderAgainError::Records(_) => Self::with(CHECK, &error),
            RenderAgainError::Io(_) => Self::with(IO, &error),
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
        WorkerError::Failed(_) | WorkerError::Faulted(_) => AGENT,
        WorkerError::NotStarted(_) => IO,
    }
}

impl From<WorkerStartError> for Failure {
    fn from(error: WorkerStartError) -> Self {
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
            MergeError::Store(StoreError::Io { .. }) => Self::with(IO, &error),
            // Whatever it is, it may be the only copy of somebody's games.
            MergeError::Store(error) => Self::check(format!(
                "{}; it was left as it is: copy it once more from where it was played",
                chain(&error)
            )),
            MergeError::Output(error) => error.into(),
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
            PlanError::Study(error) => error.into(),
            PlanError::Agent { ref source, .. } | PlanError::NotProbed(ref source) => {
                Self::with(worker_code(source), &error)
            }
            other => Self::with(USAGE, &other),
        }
    }
}

impl From<StudyError> for Failure {
    fn from(error: StudyError) -> Self {
        match error {
            StudyError::Store(error) => error.into(),
            other => Self::with(CHECK, &other),
        }
    }
}

impl From<TrainingError> for Failure {
    fn from(error: TrainingError) -> Self {
        match error {
            TrainingError::Store(error) => error.into(),
            other => Self::with(CHECK, &other),
        }
    }
}

impl From<GatherError> for Failure {
    fn from(error: GatherError) -> Self {
        let code = match error {
            GatherError::NoPart { .. } => USAGE,
            GatherError::Differs { .. } => CHECK,
            GatherError::Journal(_) | GatherError::Io { .. } | GatherError::Output(_) => IO,
        };
        Self::with(code, &error)
    }
}

impl From<RunStudyError> for Failure {
    fn from(error: RunStudyError) -> Self {
        match error {
            RunStudyError::Store(error) => error.into(),
            RunStudyError::Study(error) => error.into(),
            RunStudyError::Plugin { ref source, .. } => Self::with(worker_code(source), &error),
            other => Self::with(IO, &other),
        }
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Self {
        match error {
            RunError::Store(error) => error.into(),
            RunError::TooMany { .. } => Self::with(USAGE, &error),
            other => Self::with(IO, &other),
        }
    }
}

#[cfg(test)]
mod tests {
    use platform::confined::ConfinedPath;
    use std::path::PathBuf;
    use std::time::Duration;

    use engine::Rules;
    use engine::agent::Budget;
    use serde_json::Map;

    use super::*;
    use crate::signatures::{Signatures, Signee};
    use manifest::Subject;
    use records::record::GameTiming;
    use records::store::{read_timing, write_timing};
    use workers::catalogue::{Catalogue, PluginEntry};
    use workers::worker::{Launcher, Limits};

    /// A launcher whose workers cannot be started, as where the machine has no process left.
    fn broken_launcher() -> Launcher {
        Launcher { program: PathBuf::from("/nowhere/pipeline"), limits: Limits::default() }
    }

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
        assert_eq!(failure.code, CHECK);
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
        let plugin = PluginEntry {
            file: "libx.so".into(),
            sha256: String::new(),
            files: Default::default(),
            agents: Vec::new(),
        };
        let (rules, params) = (Rules::default(), Map::new());
        let signee = Signee {
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
        let source = signatures.get(&broken_launcher(), &signee).unwrap_err();
        assert!(matches!(source, WorkerError::NotStarted(_)), "{source:?}");
        let planned =
            PlanError::Agent { file: "p.toml".into(), subject: Subject::Experiment("e".to_owned()), source };
        assert_may_pass(&planned.into());
    }
}
