//! Running: the games of a plan, played by workers, journalled at once, and turned into records.
//!
//! rayon's threads each drive one worker process and take games from one queue for all experiments. The records do not depend on
//! how many threads there are, on their order, or on how often a run was killed and taken up again.

mod earlier_games;
mod fault_note;
mod finish;
mod player;
mod progress;
mod queue;
mod repeat;
mod task;

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;

use crate::journal::{JournalError, Leftovers};
use crate::plan::{Missing, Plan, Planned, Unplanned};
use earlier_games::{StoredGames, proof};
pub use fault_note::FaultNote;
pub(crate) use finish::{Target, difference, finish};
use manifest::limits::MOST_GAMES_OF_A_RUN;
use platform::threads;
use player::Player;
pub use progress::{Display, Progress};
use queue::Queue;
use records::layout::Layout;
use records::provenance::Provenance;
use records::store::StoreError;
pub(crate) use repeat::Repeater;
use task::Task;
use workers::worker::{Launcher, WorkerStartError};

/// How games are played. None of it changes a record.
pub struct Options<'a> {
    /// How many games are played at once.
    pub jobs: usize,
    /// Play everything again, whatever is stored.
    pub is_fresh: bool,
    /// Only one part of the trials of a study: which, and of how many.
    pub shard: Option<(u64, u64)>,
    /// What this attempt at a study's part is called, where several may be under way: each has a journal of its own then.
    pub attempt: Option<&'a str>,
    /// How to start workers.
    pub launcher: &'a Launcher,
    /// Where what is played now comes from, by no plugin yet.
    pub origin: Provenance,
    /// Set from outside to stop after the games in flight.
    pub stop: &'a AtomicBool,
    /// Whether a game that ran out of memory is left for another run, which may have more of it.
    pub is_memory_retried: bool,
}

/// What a run did.
#[derive(Clone, Debug, Default, Serialize)]
pub struct RunReport {
    /// Every experiment of the plan.
    pub experiments: Vec<Done>,
    /// Whether it was stopped from outside before all was played.
    pub interrupted: bool,
}

/// What a run did for one experiment.
#[derive(Clone, Debug, Serialize)]
pub struct Done {
    /// The experiment, as `paper/experiment`.
    pub experiment: String,
    /// Games played now.
    pub played: u64,
    /// Games that are in the journal, and in no records file yet.
    pub journalled: u64,
    /// The records file, once all games are in it.
    pub records: Option<PathBuf>,
    /// The logical digest of the records.
    pub digest: Option<String>,
    /// The games that an agent's fault ended, among those played now and those of a run that was cut short.
    pub faults: Vec<FaultNote>,
    /// Whether so many games ended by a fault that the experiment was stopped.
    pub stopped_by_faults: bool,
    /// Why the experiment was given up, where its agent cannot be made, or could not be signed.
    pub failure: Option<String>,
    /// Whether that is since a game ran out of memory, and is left for another run.
    #[serde(skip)]
    pub is_out_of_memory: bool,
    /// What is missing, where that is why.
    #[serde(flatten)]
    pub missing: Option<Missing>,
    /// Whether games that were played again are as they were stored; none where there was nothing to compare.
    pub same_as_stored: Option<bool>,
    /// The game that was played again whole before others were added to it, and came out the same: the plugin's file is another.
    pub proven_by_game: Option<u64>,
    /// What should never be: records that differ under one identity, faults that do not repeat.
    pub alarms: Vec<String>,
}

impl Done {
    /// An experiment of which nothing was played.
    fn unplanned(unplanned: &Unplanned) -> Self {
        Self {
            experiment: unplanned.key.to_string(),
            played: 0,
            journalled: 0,
            records: None,
            digest: None,
            faults: Vec::new(),
            stopped_by_faults: false,
            failure: Some(unplanned.reason.clone()),
            is_out_of_memory: false,
            missing: unplanned.missing.clone(),
            same_as_stored: None,
            proven_by_game: None,
            alarms: Vec::new(),
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
    #[error(
        "{games} games of all experiments are more than the {MOST_GAMES_OF_A_RUN} that one run takes on: name some experiments, or \
         ask for fewer games with --games"
    )]
    TooMany { games: u64 },
    #[error("cannot start the run's threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// Plays what a plan lacks. The records of an experiment are written as soon as its last game is in.
///
/// # Errors
/// Where the disk or the system fails; all finished games are kept, and the next run goes on from there.
pub fn run(
    plan: &Plan,
    layout: &Layout,
    options: &Options<'_>,
    progress: &Progress,
) -> Result<RunReport, RunError> {
    for unplanned in &plan.unplanned {
        let is_told_once = matches!(unplanned.missing, Some(Missing::Agent(_)));
        let why = if is_told_once { unplanned.state() } else { unplanned.reason.clone() };
        progress.say(&format!("{}: given up: {why}", unplanned.key));
    }
    let games = plan.experiments.iter().fold(0_u64, |sum, planned| sum.saturating_add(planned.games));
    if games > MOST_GAMES_OF_A_RUN {
        return Err(RunError::TooMany { games });
    }
    let leftovers = Leftovers::below(&layout.all_records());
    let mut tasks = Vec::new();
    for planned in &plan.experiments {
        let is_complete = planned.status.is_complete();
        let is_left = leftovers.contains(&layout.journal(&planned.key, planned.shard, false));
        if options.is_fresh || !is_complete || is_left || planned.lacks_second_signature {
            let origin = options.origin.by_plugin(&planned.plugin.sha256);
            tasks.push(Task::open(planned, layout, options.is_fresh, origin, &leftovers, progress)?);
        }
    }
    prove(&tasks, options, progress)?;
    progress.expect(tasks.len(), tasks.iter().map(|task| task.missing.len() as u64).sum());
    // A run that was killed may have left no more to do than this.
    tasks.iter().try_for_each(Task::finish_if_whole)?;
    play(&tasks, options, progress)?;
    let unplanned = plan.unplanned.iter().map(Done::unplanned);
    let experiments: Vec<Done> = tasks.into_iter().map(Task::into_done).chain(unplanned).collect();
    // One that comes after the last game interrupts nothing.
    let is_cut_short =
        |done: &Done| done.records.is_none() && !done.stopped_by_faults && done.failure.is_none();
    let interrupted = options.stop.load(Ordering::Relaxed) && experiments.iter().any(is_cut_short);
    Ok(RunReport { experiments, interrupted })
}

/// Plays a stored game of an experiment again, where others of another plugin file are to be added, and gives what is different of it.
///
/// # Errors
/// Where the records cannot be read, or no worker can be started.
pub fn disproof(planned: &Planned, launcher: &Launcher) -> Result<Option<String>, RunError> {
    let stored = StoredGames::read(planned)?;
    match proof(planned, &stored, None)? {
        Some(game) => Ok(Repeater::new(planned, launcher).play(&game, None)?.difference),
        None => Ok(None),
    }
}

/// Plays a stored game again of each experiment whose games are of another plugin file. An experiment that lacks no game is finished at
/// once: what is shown of it need not be shown again after an interruption.
fn prove(tasks: &[Task<'_>], options: &Options<'_>, progress: &Progress) -> Result<(), RunError> {
    let open: Vec<&Task<'_>> = tasks.iter().filter(|task| task.is_unproven()).collect();
    if open.is_empty() {
        return Ok(());
    }
    let line = progress.line("stored games played again", open.len() as u64);
    line.start();
    let proven = threads::map(&open, |task| {
        task.prove(options, &line)?;
        progress.tick();
        task.finish_if_whole()
    });
    line.end(true);
    proven.into_iter().collect()
}

/// Lets all threads play until the queue is empty, or something breaks.
fn play(tasks: &[Task<'_>], options: &Options<'_>, progress: &Progress) -> Result<(), RunError> {
    let queue = Queue::new(tasks, options.jobs);
    let broken = AtomicBool::new(false);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.jobs).build()?;
    let outcomes = pool.broadcast(|thread| {
        let player = Player::new(thread.index(), tasks, &queue, options, &broken, progress);
        let outcome = player.play();
        if outcome.is_err() {
            broken.store(true, Ordering::Relaxed);
        }
        outcome
    });
    outcomes.into_iter().collect()
}
