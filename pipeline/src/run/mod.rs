//! Running: the games of a plan, played by workers, journalled at once, and turned into records.
//!
//! rayon's threads each drive one worker process and take games from one queue for all experiments. The
//! records do not depend on how many threads there are, on their order, or on how often a run was killed and
//! taken up again.

mod earlier_games;
mod finish;
mod report;
mod task;
mod threads;

use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use engine::Odds;

use crate::job::EXPERIMENT;
use crate::journal::{JournalError, Leftovers};
use crate::kinds::RunContext;
use crate::plan::PlannedExperiment;
use crate::player::{GamePlayer, PieceSize, Queue};
use crate::progress::Progress;
use earlier_games::{StoredGames, proof};
pub(crate) use finish::{difference, finish};
use manifest::limits::MOST_GAMES_OF_A_RUN;
use records::{Provenance, Shard, StoreError};
pub use report::{FaultNote, JobResult, RunReport};
pub(crate) use report::{RowComparison, StoredFile};
use task::Task;
use threads::RunThread;
use workers::{Launcher, WorkerError, WorkerStartError};

/// How many workers may fail to create an agent that could be created before.
const TRIES: u32 = 3;

/// How games are played. None of it changes a record.
pub struct Options<'a> {
    /// How many games are played at once.
    pub jobs: usize,
    /// Play everything again, whatever is stored.
    pub is_fresh: bool,
    /// Only one part of the trials of a study.
    pub shard: Option<Shard>,
    /// The name of this attempt at a study's part, if several may run: each then has a journal of its own.
    pub attempt: Option<&'a str>,
    /// How to start workers.
    pub launcher: &'a Launcher,
    /// The origin of what is played now, by no plugin yet.
    pub origin: Provenance,
    /// Set from outside to stop after the games in flight.
    pub stop: &'a AtomicBool,
    /// Whether a game that ran out of memory is left for another run, which may have more of it.
    pub is_memory_retried: bool,
    /// The time between two checkpoints of a training.
    pub checkpoint_interval: Duration,
}

impl<'a> Options<'a> {
    /// The usual way to play on this many threads.
    pub const fn new(jobs: usize, launcher: &'a Launcher, origin: Provenance, stop: &'a AtomicBool) -> Self {
        Self {
            jobs,
            is_fresh: false,
            shard: None,
            attempt: None,
            launcher,
            origin,
            stop,
            is_memory_retried: false,
            checkpoint_interval: Duration::from_secs(300),
        }
    }
}

/// Why a run broke off. All finished games are kept.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum RunError {
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Worker(#[from] WorkerStartError),
    #[error("{}: agent `{agent}`: {source}", plugin.display())]
    Agent { plugin: PathBuf, agent: String, source: WorkerError },
    #[error("{}: agent `{agent}`: game {game}: {reason}", plugin.display())]
    Fault { plugin: PathBuf, agent: String, game: u64, reason: String },
    #[error("{}: the plugin can no longer be opened: {source}", file.display())]
    Plugin { file: PathBuf, source: WorkerError },
    #[error(
        "{games} games of all experiments are more than the {MOST_GAMES_OF_A_RUN} that one run takes on: name some experiments, or \
         ask for fewer games with --games"
    )]
    TooMany { games: u64 },
    #[error("cannot create a scratch folder: {0}")]
    Scratch(io::Error),
    #[error("cannot start threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// Whether more rows ended by a fault than a share of all allows.
pub(crate) fn exceeds(share: Odds, faults: u64, of: u64) -> bool {
    u128::from(faults) * u128::from(share.denominator()) > u128::from(of) * u128::from(share.numerator())
}

/// Plays the games that experiments lack. The records of an experiment are written as soon as its last game
/// is in.
///
/// # Errors
/// Returns an error if the disk or the system fails. All finished games are kept, and the next run continues.
pub fn run(experiments: &[&PlannedExperiment], context: &RunContext<'_>) -> Result<RunReport, RunError> {
    let RunContext { layout, options, progress, .. } = *context;
    let games = experiments.iter().fold(0_u64, |sum, planned| sum.saturating_add(planned.games));
    if games > MOST_GAMES_OF_A_RUN {
        return Err(RunError::TooMany { games });
    }
    let leftovers = Leftovers::below(&layout.all_records());
    let mut tasks = Vec::new();
    for &planned in experiments {
        let is_complete = planned.status.is_complete();
        let is_left = leftovers.contains(&layout.journal(&planned.key, planned.shard, false));
        if options.is_fresh || !is_complete || is_left || planned.lacks_second_signature {
            tasks.push(Task::open(planned, context, &leftovers)?);
        }
    }
    prove(&tasks, progress)?;
    let missing = tasks.iter().map(|task| task.missing.len() as u64).sum();
    progress.expect(tasks.len(), EXPERIMENT.kinds, missing, EXPERIMENT.row);
    // A run that was killed may have left no more to do than this.
    tasks.iter().try_for_each(Task::finish_if_complete)?;
    play(&tasks, options)?;
    let jobs: Vec<JobResult> = tasks.into_iter().map(Task::into_result).collect();
    // A stop after the last game interrupts nothing.
    let interrupted = options.stop.load(Ordering::Relaxed) && jobs.iter().any(JobResult::is_cut_short);
    Ok(RunReport { jobs, interrupted, ..RunReport::new(&EXPERIMENT) })
}

/// Plays a stored game of an experiment again before games of another plugin file are added, and returns how
/// it differs.
pub fn disproof(planned: &PlannedExperiment, launcher: &Launcher) -> Result<Option<String>, RunError> {
    let stored = StoredGames::read(planned)?;
    match proof(planned, &stored, None)? {
        Some(game) => Ok(GamePlayer::new(launcher, 1).repeat(&planned.setup(), &game, None)?.difference),
        None => Ok(None),
    }
}

/// Plays a stored game again of each experiment whose games are of another plugin file. An experiment that
/// lacks no game is finished at once, so that an interruption costs no second proof.
fn prove(tasks: &[Task<'_>], progress: &Progress) -> Result<(), RunError> {
    let open: Vec<&Task<'_>> = tasks.iter().filter(|task| task.is_unproven()).collect();
    if open.is_empty() {
        return Ok(());
    }
    let line = progress.line("stored games played again", Some(open.len() as u64), "game");
    line.start();
    let proven = platform::threads::map(&open, |task| {
        task.prove(&line)?;
        task.finish_if_complete()
    });
    line.end(true);
    proven.into_iter().collect()
}

/// Lets all threads play until the queue is empty, or something breaks.
fn play(tasks: &[Task<'_>], options: &Options<'_>) -> Result<(), RunError> {
    let missing = tasks.iter().map(|task| task.missing.clone());
    let queue = Queue::new(missing.enumerate(), options.jobs);
    let broken = AtomicBool::new(false);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.jobs).build()?;
    let outcomes = pool.broadcast(|thread| {
        let thread = RunThread {
            number: thread.index(),
            tasks,
            queue: &queue,
            options,
            is_broken: &broken,
            player: GamePlayer::new(options.launcher, TRIES),
            spool: None,
            size: PieceSize::START,
        };
        let outcome = thread.play();
        if outcome.is_err() {
            broken.store(true, Ordering::Relaxed);
        }
        outcome
    });
    outcomes.into_iter().collect()
}
