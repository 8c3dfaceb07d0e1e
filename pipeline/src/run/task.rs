//! One experiment of a run: its journal, its running figures, and its faults.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use engine::Ending;
use serde::Serialize;

use super::finish::{Finished, Target, finish};
use super::progress::{Line, Progress};
use super::{Done, Options, RunError};
use crate::downfall::harmless;
use crate::journal::{Journal, spool_path};
use crate::layout::Layout;
use crate::plan::{Planned, State};
use crate::store::{RecordsReader, Shard};
use crate::worker::protocol::{Assignment, Played};
use crate::worker::{Spool, WorkerError};

/// An experiment under way.
pub(super) struct Task {
    pub(super) planned: Planned,
    /// The games that were wanted, and neither stored nor journalled, when the run began.
    pub(super) missing: Vec<u64>,
    shard: Option<Shard>,
    layout: Layout,
    is_fresh: bool,
    repository: PathBuf,
    /// How many games in the records ended by a fault.
    stored_faults: usize,
    state: Mutex<Progressing>,
    line: Line,
}

/// What changes while games are played.
struct Progressing {
    /// Gone once its games are in the records.
    journal: Option<Journal>,
    /// How many games are still missing.
    left: usize,
    played: u64,
    faults: Vec<FaultNote>,
    alarms: Vec<String>,
    stopped_by_faults: bool,
    failure: Option<String>,
    finished: Option<Finished>,
}

impl Progressing {
    /// The state before the first game, with the faults of an earlier run.
    const fn begin(journal: Journal, left: usize, faults: Vec<FaultNote>) -> Self {
        Self {
            journal: Some(journal),
            left,
            played: 0,
            faults,
            alarms: Vec::new(),
            stopped_by_faults: false,
            failure: None,
            finished: None,
        }
    }

    const fn is_given_up(&self) -> bool {
        self.stopped_by_faults || self.failure.is_some()
    }
}

/// A game that an agent's fault ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FaultNote {
    /// The game's number.
    pub game: u64,
    /// The seed of its tiles, in hexadecimal.
    pub tile_seed: String,
    /// How it ended.
    pub ending: Ending,
    /// The moves before.
    pub moves: u32,
    /// What is known of it.
    pub reason: String,
}

impl Task {
    /// Opens an experiment's journal and sees what is left to play.
    pub(super) fn open(
        planned: &Planned,
        shard: Option<Shard>,
        layout: &Layout,
        options: &Options<'_>,
        progress: &Progress,
    ) -> Result<Self, RunError> {
        let is_fresh = options.is_fresh;
        let journal = open_journal(&layout.journal(&planned.key, shard, is_fresh), planned, progress)?;
        let is_stale = matches!(planned.state, State::Missing | State::Stale { .. });
        let stored = if is_fresh || is_stale { Stored::default() } else { Stored::read(planned)? };
        let faults = journalled_faults(&journal, &stored)?;
        let is_there = |game: &u64| stored.contains(*game) || journal.contains(*game);
        let missing: Vec<u64> = planned.wanted_games(shard).filter(|game| !is_there(game)).collect();
        let wanted = planned.wanted_games(shard).count() as u64;
        let line = progress.line(&planned.key.to_string(), wanted);
        line.begin(wanted - missing.len() as u64);
        let task = Self {
            planned: planned.clone(),
            shard,
            layout: layout.clone(),
            is_fresh,
            repository: options.repository.clone(),
            stored_faults: stored.faults,
            state: Mutex::new(Progressing::begin(journal, missing.len(), faults)),
            missing,
            line,
        };
        task.stop_if_too_many(&mut task.lock());
        Ok(task)
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
        let journal = self.layout.journal(&self.planned.key, self.shard, self.is_fresh);
        Spool::create(&spool_path(&journal, thread), &self.planned.identity.hash()).ok()
    }

    /// How long a move may take.
    pub(super) fn move_limit(&self) -> Duration {
        Duration::from_millis(self.planned.experiment.move_limit_ms)
    }

    /// Whether a game's record is what its seed and directions make.
    pub(super) fn believes(&self, played: &Played) -> bool {
        is_true(&self.planned, played)
    }

    /// Writes a finished game down, and gives the experiment up where too many ended by a fault.
    pub(super) fn keep(&self, played: &Played) -> Result<(), RunError> {
        let mut state = self.lock();
        let Some(journal) = &mut state.journal else { unreachable!("no game is played after the last") };
        journal.append(played)?;
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
        let games = self.planned.wanted_games(self.shard).count() as u128;
        state.stopped_by_faults = !state.faults.is_empty()
            && faults * u128::from(share.denominator()) > games * u128::from(share.numerator());
    }

    /// Gives the experiment up, since its agent cannot be made. All of its games so far are kept.
    pub(super) fn give_up(&self, error: &WorkerError) {
        let text = format!(
            "{}: the agent was made before, and now cannot be: {error}; the experiment is given up, and its games so far are kept",
            self.planned.key
        );
        let mut state = self.lock();
        if state.failure.is_none() {
            self.line.say(&text);
            state.failure = Some(text);
        }
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
        let mut state = self.lock();
        if state.left > 0 || state.is_given_up() {
            return Ok(());
        }
        let Some(journal) = state.journal.take() else { return Ok(()) };
        let Self { planned, shard, layout, is_fresh, .. } = self;
        let target = Target { planned, shard: *shard, layout, is_fresh: *is_fresh };
        state.finished = Some(finish(&target, journal, &self.repository)?);
        Ok(())
    }

    /// Sums up.
    pub(super) fn into_done(self) -> Done {
        let mut state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        state.faults.sort_by_key(|fault| fault.game);
        self.line.end(state.left == 0);
        let mut done = Done {
            experiment: self.planned.key.to_string(),
            played: state.played,
            journalled: state.journal.map_or(0, |journal| journal.games().count() as u64),
            records: None,
            digest: None,
            faults: state.faults,
            stopped_by_faults: state.stopped_by_faults,
            failure: state.failure,
            same_as_stored: None,
            alarms: state.alarms,
        };
        if let Some(finished) = state.finished {
            done.records = Some(finished.path);
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
fn open_journal(path: &Path, planned: &Planned, progress: &Progress) -> Result<Journal, RunError> {
    let identity = planned.identity.hash();
    let (mut journal, recovered) = Journal::open(path, &identity)?;
    journal.take_over(&identity, |played| is_true(planned, played))?;
    if recovered.torn_bytes > 0 {
        progress.say(&format!(
            "{}: {} bytes of a torn end were dropped; {} whole games are kept",
            path.display(),
            recovered.torn_bytes,
            journal.games().count()
        ));
    }
    if let Some(aside) = &recovered.set_aside {
        progress.say(&format!(
            "{}: the journal was of another identity and is kept as {}",
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

/// The games that an experiment's records hold.
#[derive(Default)]
struct Stored {
    /// Their numbers, in order.
    games: Vec<u64>,
    /// How many of them a fault ended.
    faults: usize,
}

impl Stored {
    fn read(planned: &Planned) -> Result<Self, RunError> {
        let mut stored = Self::default();
        for record in RecordsReader::open(&planned.path)?.games() {
            let record = record?;
            stored.games.push(record.game);
            stored.faults += usize::from(record.ending.is_fault());
        }
        Ok(stored)
    }

    fn contains(&self, game: u64) -> bool {
        self.games.binary_search(&game).is_ok()
    }
}

/// The faults of a run that was stopped or killed: its games are kept, and count as if they were played now.
fn journalled_faults(journal: &Journal, stored: &Stored) -> Result<Vec<FaultNote>, RunError> {
    let mut faults = Vec::new();
    for game in journal.games().filter(|&game| !stored.contains(game)) {
        let played = journal.read(game)?;
        if played.record.ending.is_fault() {
            faults.push(FaultNote::of(&played));
        }
    }
    Ok(faults)
}

impl FaultNote {
    fn of(played: &Played) -> Self {
        let record = &played.record;
        Self {
            game: record.game,
            tile_seed: format!("{:016x}", record.tile_seed),
            ending: record.ending,
            moves: record.moves,
            reason: played.complaint.as_deref().map(harmless).unwrap_or_default(),
        }
    }
}

impl std::fmt::Display for FaultNote {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { game, tile_seed, ending, moves, reason } = self;
        write!(f, "game {game} (tile seed {tile_seed}) ended by {ending} after {moves} moves: {reason}")
    }
}
