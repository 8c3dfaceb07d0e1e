//! One experiment of a run: its journal, its running figures, and its faults.
//!
//! The journal is open only while games are added to it: a run may have ten thousand experiments, and a
//! process few descriptors.

use std::sync::atomic::Ordering;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::earlier_games::{StoredGames, journalled_faults, proof};
use super::finish::finish;
use super::report::{FaultNote, JobResult};
use super::{RunError, exceeds};
use crate::journal::{Journal, Leftovers, Title, spool_path};
use crate::kinds::RunContext;
use crate::plan::PlannedExperiment;
use crate::player::{GamePlayer, GameSetup};
use crate::progress::{Progress, ProgressLine};
use jobs::Status;
use platform::ConfinedPath;
use records::{GameRecord, Provenance};
use workers::{Fault, Played, Spool, WorkerError};

/// An experiment of a run.
pub(super) struct Task<'a> {
    pub(super) planned: &'a PlannedExperiment,
    /// All that determines its games.
    pub(super) setup: GameSetup<'a>,
    /// The games that were wanted, and neither stored nor journalled, when the run started.
    pub(super) missing: Vec<u64>,
    context: &'a RunContext<'a>,
    /// The origin of the games that are played now.
    origin: Provenance,
    /// How many games in the records ended by a fault.
    stored_faults: usize,
    /// A game that the agent must play again as it is, before any is added: all others come from another
    /// plugin file.
    proof: Option<GameRecord>,
    state: Mutex<TaskState>,
    line: ProgressLine,
}

/// What changes while games are played.
struct TaskState {
    /// Open while games are added.
    journal: Option<Journal>,
    /// How many games are still missing.
    left: usize,
    result: JobResult,
}

impl TaskState {
    const fn is_given_up(&self) -> bool {
        self.result.stopped_by_faults || self.result.failure.is_some()
    }

    /// Closes the journal if no more games are played. A late one opens it again.
    fn close_if_given_up(&mut self) {
        if self.is_given_up() {
            self.journal = None;
        }
    }
}

impl<'a> Task<'a> {
    /// Reads the stored and journalled games of an experiment, and lists the missing ones. Without leftovers
    /// of an earlier run there is no journal to read.
    pub(super) fn open(
        planned: &'a PlannedExperiment,
        context: &'a RunContext<'a>,
        leftovers: &Leftovers,
    ) -> Result<Self, RunError> {
        let RunContext { layout, options, progress, .. } = *context;
        let is_fresh = options.is_fresh;
        let origin = options.origin.by_plugin(&planned.plugin.sha256);
        let path = layout.journal(&planned.key, planned.shard, is_fresh);
        let journal = match leftovers.contains(&path) {
            true => Some(open_journal(&path, planned, origin.clone(), progress)?),
            false => None,
        };
        let is_stale = matches!(planned.status, Status::Missing | Status::Stale { .. });
        let stored = if is_fresh || is_stale { StoredGames::default() } else { StoredGames::read(planned)? };
        let faults = match &journal {
            Some(journal) => journalled_faults(journal, &stored)?,
            None => Vec::new(),
        };
        let proof = proof(planned, &stored, journal.as_ref())?;
        let is_journalled = |game: u64| journal.as_ref().is_some_and(|journal| journal.contains(game));
        let is_there = |game: &u64| stored.contains(*game) || is_journalled(*game);
        let missing: Vec<u64> = planned.wanted_games().filter(|game| !is_there(game)).collect();
        let wanted = planned.wanted_games().count() as u64;
        let line = progress.line(&planned.key.to_string(), Some(wanted), "game");
        line.set_done(wanted - missing.len() as u64);
        let journalled = journal.as_ref().map_or(0, |journal| journal.games().count() as u64);
        let job = planned.key.to_string();
        let result = JobResult { job, journalled, faults, ..JobResult::default() };
        let task = Self {
            planned,
            setup: planned.setup(),
            context,
            origin,
            stored_faults: stored.faults,
            proof,
            state: Mutex::new(TaskState { journal: None, left: missing.len(), result }),
            missing,
            line,
        };
        task.stop_if_too_many(&mut task.lock());
        Ok(task)
    }

    /// Whether a stored game is still to be played again before anything is added.
    pub(super) fn is_unproven(&self) -> bool {
        let state = self.lock();
        self.proof.is_some() && state.result.proven_by.is_none() && !state.is_given_up()
    }

    /// Has the agent play a game of another plugin file again before games of this one are added. If it
    /// differs, the experiment is given up: nothing is added to what another agent has played.
    pub(super) fn prove(&self, line: &ProgressLine) -> Result<(), RunError> {
        let options = self.context.options;
        let Some(game) = self.proof.as_ref().filter(|_| !options.stop.load(Ordering::Relaxed)) else {
            return Ok(());
        };
        let played = GamePlayer::new(options.launcher, 1).repeat(&self.setup, game, None)?;
        line.game(game.score);
        match played.difference {
            None => self.lock().result.proven_by = Some(game.game),
            Some(difference) => self.fail(&format!(
                "its agent is not the one that played the stored games, though its signature is the same: {difference}; give the \
                 agent another version, or play all games again with --fresh"
            )),
        }
        Ok(())
    }

    /// Shows its line, once games of it are handed out.
    pub(super) fn start(&self) {
        self.line.start();
    }

    /// A spool for the worker of the thread with this number. Without one, as on a full disk, games are sent
    /// one by one.
    pub(super) fn spool(&self, thread: usize) -> Option<Spool> {
        Spool::create(&spool_path(&self.journal_path(), thread), &self.title()).ok()
    }

    fn journal_path(&self) -> ConfinedPath {
        let RunContext { layout, options, .. } = self.context;
        layout.journal(&self.planned.key, self.planned.shard, options.is_fresh)
    }

    fn title(&self) -> Title {
        self.planned.title(Some(self.origin.clone()))
    }

    /// The journal, opened where it is not.
    fn journal<'j>(&self, state: &'j mut TaskState) -> Result<&'j mut Journal, RunError> {
        Ok(match &mut state.journal {
            Some(journal) => journal,
            none => none.insert(Journal::open(&self.journal_path(), &self.title())?.0),
        })
    }

    /// Journals a game, and gives the experiment up if too many ended by a fault.
    pub(super) fn keep(&self, played: &Played) -> Result<(), RunError> {
        let mut state = self.lock();
        self.journal(&mut state)?.append(played)?;
        state.left -= 1;
        state.result.journalled += 1;
        state.result.played += 1;
        self.line.game(played.record.score);
        if played.record.ending.is_fault() {
            let note = FaultNote::of(played);
            self.line.say(&note.to_string());
            state.result.faults.push(note);
            self.stop_if_too_many(&mut state);
        }
        Ok(())
    }

    /// Stops the experiment where more of its games than allowed ended by a fault, in earlier runs or in this
    /// one.
    fn stop_if_too_many(&self, state: &mut TaskState) {
        let share = self.planned.experiment.fault_share;
        let faults = (self.stored_faults + state.result.faults.len()) as u64;
        let games = self.planned.wanted_games().count() as u64;
        state.result.stopped_by_faults = !state.result.faults.is_empty() && exceeds(share, faults, games);
        state.close_if_given_up();
    }

    /// Gives the experiment up, since its agent cannot be made. All of its games so far are kept.
    pub(super) fn give_up(&self, error: &WorkerError) {
        self.fail(&format!("the agent could be created before and now cannot: {error}"));
    }

    /// Gives the experiment up, since a game needs more memory than there is. It is not kept: with more, it
    /// may come to its end.
    pub(super) fn run_out_of_memory(&self, game: u64, fault: &Fault) {
        self.lock().result.is_out_of_memory = true;
        self.fail(&format!("game {game} needs more memory: {fault}"));
    }

    /// Gives the experiment up. All of its games so far are kept.
    fn fail(&self, reason: &str) {
        let text = format!("{reason}; the experiment is given up, and its games so far are kept");
        let mut state = self.lock();
        if state.result.failure.is_none() {
            self.line.say(&text);
            state.result.failure = Some(format!("{}: {text}", self.planned.key));
        }
        state.close_if_given_up();
    }

    /// Notes what should never be.
    pub(super) fn alarm(&self, text: String) {
        self.line.say(&format!("ALARM: {text}"));
        self.lock().result.alarms.push(text);
    }

    /// Whether the experiment was given up.
    pub(super) fn is_given_up(&self) -> bool {
        self.lock().is_given_up()
    }

    /// Turns the journal into records, once no game is missing. The other experiments go on meanwhile: no
    /// thread plays this one any more, so that none waits for its lock.
    pub(super) fn finish_if_complete(&self) -> Result<(), RunError> {
        if self.is_unproven() {
            return Ok(());
        }
        let mut state = self.lock();
        if state.left > 0 || state.is_given_up() || state.result.file.is_some() {
            return Ok(());
        }
        let journal = match state.journal.take() {
            Some(journal) => journal,
            None => Journal::open(&self.journal_path(), &self.title())?.0,
        };
        let RunContext { layout, options, .. } = self.context;
        let finished = finish(self.planned, layout, options.is_fresh, journal, &self.origin)?;
        finished.add_to(&mut state.result);
        self.line.end(true);
        Ok(())
    }

    /// What running did to it.
    pub(super) fn into_result(self) -> JobResult {
        let TaskState { left, mut result, .. } =
            self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        if result.file.is_none() {
            self.line.end(left == 0);
        }
        result.faults.sort_by_key(|fault| fault.game);
        result
    }

    fn lock(&self) -> MutexGuard<'_, TaskState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Opens an experiment's journal, takes over what workers have spooled, and reports what differs from how an
/// earlier run left it.
fn open_journal(
    path: &ConfinedPath,
    planned: &PlannedExperiment,
    origin: Provenance,
    progress: &Progress,
) -> Result<Journal, RunError> {
    let (mut journal, recovered) = Journal::open(path, &planned.title(Some(origin)))?;
    // A fault that is the agent's comes again; one in a spool may be due to the kill.
    journal
        .take_over(|played| !played.record.ending.is_fault() && planned.setup().accepts(&played.record))?;
    recovered.sentences(&journal, "game").iter().for_each(|sentence| progress.say(sentence));
    Ok(journal)
}
