//! One experiment of a run: its journal, its running figures, and its faults.
//!
//! The journal is open only while games are added to it: a run may have ten thousand experiments, and a process few descriptors.

use std::sync::atomic::Ordering;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::earlier_games::{StoredGames, journalled_faults, proof};
use super::fault_note::FaultNote;
use super::finish::{Finished, Target, finish};
use super::progress::{Line, Progress};
use super::{Done, Options, Repeater, RunError};
use crate::journal::{Journal, Leftovers, Title, spool_path};
use crate::plan::Planned;
use jobs::Status;
use platform::confined::ConfinedPath;
use records::layout::Layout;
use records::provenance::Provenance;
use records::record::GameRecord;
use text::counted;
use workers::worker::protocol::{Assignment, Played};
use workers::worker::{Fault, Spool, WorkerError};

/// An experiment under way.
pub(super) struct Task<'a> {
    pub(super) planned: &'a Planned,
    /// The games that were wanted, and neither stored nor journalled, when the run began.
    pub(super) missing: Vec<u64>,
    layout: &'a Layout,
    is_fresh: bool,
    /// Where the games that are played now come from.
    origin: Provenance,
    /// How many games in the records ended by a fault.
    stored_faults: usize,
    /// A game that the agent must play again as it is, before any is added: all others come from another plugin file.
    proof: Option<GameRecord>,
    state: Mutex<Progressing>,
    line: Line,
}

/// What changes while games are played.
struct Progressing {
    /// Open while games are added.
    journal: Option<Journal>,
    /// How many games are in the journal, and in no records yet.
    journalled: u64,
    /// How many games are still missing.
    left: usize,
    played: u64,
    faults: Vec<FaultNote>,
    alarms: Vec<String>,
    stopped_by_faults: bool,
    failure: Option<String>,
    is_out_of_memory: bool,
    proven_by_game: Option<u64>,
    finished: Option<Finished>,
}

impl Progressing {
    /// The state before the first game, with the faults of an earlier run.
    const fn begin(journalled: u64, left: usize, faults: Vec<FaultNote>) -> Self {
        Self {
            journal: None,
            journalled,
            left,
            played: 0,
            faults,
            alarms: Vec::new(),
            stopped_by_faults: false,
            failure: None,
            is_out_of_memory: false,
            proven_by_game: None,
            finished: None,
        }
    }

    const fn is_given_up(&self) -> bool {
        self.stopped_by_faults || self.failure.is_some()
    }

    /// Gives the journal's descriptor back where no more games are played. One that comes late opens it again.
    fn close_if_given_up(&mut self) {
        if self.is_given_up() {
            self.journal = None;
        }
    }
}

impl<'a> Task<'a> {
    /// Looks at what is stored and journalled of an experiment, and sees what is left to play. Without leftovers of an earlier run
    /// there is no journal to look at.
    pub(super) fn open(
        planned: &'a Planned,
        layout: &'a Layout,
        is_fresh: bool,
        origin: Provenance,
        leftovers: &Leftovers,
        progress: &Progress,
    ) -> Result<Self, RunError> {
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
        let line = progress.line(&planned.key.to_string(), wanted);
        line.begin(wanted - missing.len() as u64);
        let journalled = journal.as_ref().map_or(0, |journal| journal.games().count() as u64);
        let task = Self {
            planned,
            layout,
            is_fresh,
            origin,
            stored_faults: stored.faults,
            proof,
            state: Mutex::new(Progressing::begin(journalled, missing.len(), faults)),
            missing,
            line,
        };
        task.stop_if_too_many(&mut task.lock());
        Ok(task)
    }

    /// Whether a stored game is still to be played again before anything is added.
    pub(super) fn is_unproven(&self) -> bool {
        let state = self.lock();
        self.proof.is_some() && state.proven_by_game.is_none() && !state.is_given_up()
    }

    /// Has the agent play a game of another plugin file again, where games of this one are to stand beside it. Where it comes
    /// out otherwise, the experiment is given up: nothing is added to what another agent has played.
    pub(super) fn prove(&self, options: &Options<'_>, told: &Line) -> Result<(), RunError> {
        let Some(game) = self.proof.as_ref().filter(|_| !options.stop.load(Ordering::Relaxed)) else {
            return Ok(());
        };
        let played = Repeater::new(self.planned, options.launcher).play(game, None)?;
        told.game(game.score);
        match played.difference {
            None => self.lock().proven_by_game = Some(game.game),
            Some(difference) => self.fail(&format!(
                "its agent is not the one that played the stored games, though its signature is the same: {difference}; give the \
                 agent another version, or play all games again with --fresh"
            )),
        }
        Ok(())
    }

    /// The assignment of some of its games.
    pub(super) fn assignment(&self, games: Vec<u64>, spool: Option<&Spool>) -> Assignment {
        self.line.start();
        Assignment {
            master_seed: self.planned.experiment.seed,
            games,
            is_careful: false,
            move_limit: None,
            spool: spool.map(|spool| spool.path().to_owned()),
        }
    }

    /// A spool for the worker of the thread with this number. Without one, as on a full disk, games are sent one by one.
    pub(super) fn spool(&self, thread: usize) -> Option<Spool> {
        Spool::create(&spool_path(&self.journal_path(), thread), &self.title()).ok()
    }

    fn journal_path(&self) -> ConfinedPath {
        self.layout.journal(&self.planned.key, self.planned.shard, self.is_fresh)
    }

    fn title(&self) -> Title {
        self.planned.title(Some(self.origin.clone()))
    }

    /// The journal, opened where it is not.
    fn journal<'j>(&self, state: &'j mut Progressing) -> Result<&'j mut Journal, RunError> {
        if state.journal.is_none() {
            state.journal = Some(Journal::open(&self.journal_path(), &self.title())?.0);
        }
        let Some(journal) = &mut state.journal else { unreachable!("it was opened just now") };
        Ok(journal)
    }

    /// How long a move may take.
    pub(super) fn move_limit(&self) -> Duration {
        Duration::from_millis(self.planned.experiment.move_limit_ms)
    }

    /// Whether a game's record is what its seed and directions make.
    pub(super) fn believes(&self, played: &Played) -> bool {
        is_true(self.planned, played)
    }

    /// Writes a finished game down, and gives the experiment up where too many ended by a fault.
    pub(super) fn keep(&self, played: &Played) -> Result<(), RunError> {
        let mut state = self.lock();
        self.journal(&mut state)?.append(played)?;
        state.journalled += 1;
        state.left -= 1;
        state.played += 1;
        self.line.game(played.record.score);
        if played.record.ending.is_fault() {
            let note = FaultNote::of(played);
            self.line.say(&format!("{}: {note}", self.planned.key));
            state.faults.push(note);
            self.stop_if_too_many(&mut state);
        }
        Ok(())
    }

    /// Stops the experiment where more of its games than allowed ended by a fault, in earlier runs or in this one.
    fn stop_if_too_many(&self, state: &mut Progressing) {
        let share = self.planned.experiment.fault_share;
        let faults = self.stored_faults as u128 + state.faults.len() as u128;
        let games = self.planned.wanted_games().count() as u128;
        state.stopped_by_faults = !state.faults.is_empty()
            && faults * u128::from(share.denominator()) > games * u128::from(share.numerator());
        state.close_if_given_up();
    }

    /// Gives the experiment up, since its agent cannot be made. All of its games so far are kept.
    pub(super) fn give_up(&self, error: &WorkerError) {
        self.fail(&format!("the agent could be created before and now cannot: {error}"));
    }

    /// Gives the experiment up, since a game needs more memory than there is. It is not kept: with more, it may come to its end.
    pub(super) fn run_out_of_memory(&self, game: u64, fault: &Fault) {
        self.lock().is_out_of_memory = true;
        self.fail(&format!("game {game} needs more memory: {fault}"));
    }

    /// Gives the experiment up. All of its games so far are kept.
    fn fail(&self, reason: &str) {
        let key = &self.planned.key;
        let text = format!("{key}: {reason}; the experiment is given up, and its games so far are kept");
        let mut state = self.lock();
        if state.failure.is_none() {
            self.line.say(&text);
            state.failure = Some(text);
        }
        state.close_if_given_up();
    }

    /// Notes what should never be.
    pub(super) fn alarm(&self, text: String) {
        self.line.say(&format!("{}: ALARM: {text}", self.planned.key));
        self.lock().alarms.push(text);
    }

    /// Whether the experiment was given up.
    pub(super) fn is_given_up(&self) -> bool {
        self.lock().is_given_up()
    }

    /// Turns the journal into records, once no game is missing. The other experiments go on meanwhile: no thread plays this one
    /// any more, so that none waits for its lock.
    pub(super) fn finish_if_whole(&self) -> Result<(), RunError> {
        if self.is_unproven() {
            return Ok(());
        }
        let mut state = self.lock();
        if state.left > 0 || state.is_given_up() || state.finished.is_some() {
            return Ok(());
        }
        self.journal(&mut state)?;
        let Some(journal) = state.journal.take() else { unreachable!("it was opened just now") };
        let Self { planned, layout, is_fresh, .. } = self;
        let target = Target { planned, layout, is_fresh: *is_fresh };
        state.finished = Some(finish(&target, journal, &self.origin)?);
        state.journalled = 0;
        self.line.end(true);
        Ok(())
    }

    /// Sums up.
    pub(super) fn into_done(self) -> Done {
        let mut state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        state.faults.sort_by_key(|fault| fault.game);
        if state.finished.is_none() {
            self.line.end(state.left == 0);
        }
        let mut done = Done {
            experiment: self.planned.key.to_string(),
            played: state.played,
            journalled: state.journalled,
            records: None,
            digest: None,
            faults: state.faults,
            stopped_by_faults: state.stopped_by_faults,
            failure: state.failure,
            is_out_of_memory: state.is_out_of_memory,
            missing: None,
            same_as_stored: None,
            proven_by_game: state.proven_by_game,
            alarms: state.alarms,
        };
        if let Some(finished) = state.finished {
            done.records = Some(finished.path.path().to_owned());
            done.digest = Some(finished.digest);
            done.same_as_stored = finished.same_as_stored;
            done.alarms.extend(finished.alarm);
        }
        done
    }

    fn lock(&self) -> MutexGuard<'_, Progressing> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Opens an experiment's journal, takes over what workers have spooled, and says what of it is not as an earlier run left it.
fn open_journal(
    path: &ConfinedPath,
    planned: &Planned,
    origin: Provenance,
    progress: &Progress,
) -> Result<Journal, RunError> {
    let (mut journal, recovered) = Journal::open(path, &planned.title(Some(origin)))?;
    // A fault that is the agent's comes again; one in a spool may be that of whoever killed the run.
    journal.take_over(|played| !played.record.ending.is_fault() && is_true(planned, played))?;
    if recovered.torn_bytes > 0 {
        progress.say(&format!(
            "{}: dropped an incomplete end of {}, kept {}",
            path.display(),
            counted(recovered.torn_bytes, "byte"),
            counted(journal.games().count() as u64, "whole game")
        ));
    }
    if let Some(aside) = &recovered.set_aside {
        progress.say(&format!(
            "{}: the journal belongs to another identity and is kept as {}",
            path.display(),
            aside.display()
        ));
    }
    Ok(journal)
}

/// Whether a game's record is what its seed and directions make.
fn is_true(planned: &Planned, played: &Played) -> bool {
    played.record.replay_alone(&planned.experiment.rules, planned.experiment.seed).is_ok()
}
