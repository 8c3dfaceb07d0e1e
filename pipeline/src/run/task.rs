//! One experiment of a run: its journal, its running figures, and its faults.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use engine::Ending;
use serde::Serialize;

use super::progress::{Line, Progress};
use super::{Done, Options, RunError, finish};
use crate::downfall::harmless;
use crate::journal::Journal;
use crate::layout::Layout;
use crate::plan::{Planned, State};
use crate::store::{RecordsReader, Shard};
use crate::worker::protocol::{Assignment, Played};

/// An experiment under way.
pub(super) struct Task {
    pub(super) planned: Planned,
    pub(super) shard: Option<Shard>,
    pub(super) is_fresh: bool,
    /// The games that are in the records already, and stay there.
    stored: Stored,
    state: Mutex<Progressing>,
    line: Line,
}

/// What changes while games are played.
struct Progressing {
    journal: Journal,
    played: u64,
    faults: Vec<FaultNote>,
    alarms: Vec<String>,
    is_given_up: bool,
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
        is_fresh: bool,
        progress: &Progress,
    ) -> Result<Self, RunError> {
        let path = layout.journal(&planned.key, shard, is_fresh);
        let (journal, recovered) = Journal::open(&path, &planned.identity.hash())?;
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
        let is_stale = matches!(planned.state, State::Missing | State::Stale { .. });
        let stored = if is_fresh || is_stale { Stored::default() } else { Stored::read(planned)? };
        let faults = journalled_faults(&journal, &stored)?;
        let wanted = planned.wanted_games(shard).count() as u64;
        let line = progress.line(&planned.key.to_string(), wanted);
        let state = Progressing { journal, played: 0, faults, alarms: Vec::new(), is_given_up: false };
        let task = Self { planned: planned.clone(), shard, is_fresh, stored, state: Mutex::new(state), line };
        task.give_up_if_too_many(&mut task.lock());
        task.line.begin(wanted - task.missing().len() as u64);
        Ok(task)
    }

    /// The games that are wanted, and neither stored nor journalled.
    pub(super) fn missing(&self) -> Vec<u64> {
        let state = self.lock();
        // Records hold their games by number.
        let is_there = |game: &u64| self.stored.contains(*game) || state.journal.contains(*game);
        self.planned.wanted_games(self.shard).filter(|game| !is_there(game)).collect()
    }

    /// The assignment of some of its games.
    pub(super) fn assignment(&self, games: Vec<u64>, is_careful: bool) -> Assignment {
        self.line.start();
        Assignment { master_seed: self.planned.experiment.seed, games, is_careful, move_limit: None }
    }

    /// How long a move may take.
    pub(super) fn move_limit(&self) -> Duration {
        Duration::from_millis(self.planned.experiment.move_limit_ms)
    }

    /// Whether a game's record is what its seed and directions make.
    pub(super) fn believes(&self, played: &Played) -> bool {
        played.record.replay(&self.planned.experiment.rules, self.planned.experiment.seed).is_ok()
    }

    /// Writes a finished game down, and gives the experiment up where too many ended by a fault.
    pub(super) fn keep(&self, played: &Played) -> Result<(), RunError> {
        let mut state = self.lock();
        state.journal.append(played)?;
        state.played += 1;
        self.line.game(played.record.score);
        if played.record.ending.is_fault() {
            let note = FaultNote::of(played);
            self.line.say(&format!("{}: {note}", self.planned.key));
            state.faults.push(note);
            self.give_up_if_too_many(&mut state);
        }
        Ok(())
    }

    /// Gives the experiment up where more of its games than allowed ended by a fault, in earlier runs or in this one.
    fn give_up_if_too_many(&self, state: &mut Progressing) {
        let share = self.planned.experiment.fault_share;
        let faults = self.stored.faults as u128 + state.faults.len() as u128;
        let games = self.planned.wanted_games(self.shard).count() as u128;
        state.is_given_up = !state.faults.is_empty()
            && faults * u128::from(share.denominator()) > games * u128::from(share.numerator());
    }

    /// Notes what should never be.
    pub(super) fn alarm(&self, text: String) {
        self.line.say(&format!("{}: ALARM: {text}", self.planned.key));
        self.lock().alarms.push(text);
    }

    /// Whether the experiment was given up.
    pub(super) fn is_given_up(&self) -> bool {
        self.lock().is_given_up
    }

    /// Turns the journal into records, if no game is missing, and sums up.
    pub(super) fn close(self, layout: &Layout, options: &Options<'_>) -> Result<Done, RunError> {
        let is_whole = self.missing().is_empty();
        let Self { planned, shard, is_fresh, state, line, .. } = self;
        let mut state = state.into_inner().unwrap_or_else(PoisonError::into_inner);
        state.faults.sort_by_key(|fault| fault.game);
        line.end(is_whole);
        let mut done = Done {
            experiment: planned.key.to_string(),
            played: state.played,
            journalled: state.journal.games().count() as u64,
            records: None,
            digest: None,
            faults: state.faults,
            stopped_by_faults: state.is_given_up,
            alarms: state.alarms,
        };
        if is_whole && !state.is_given_up {
            let target = finish::Target { planned: &planned, shard, layout, is_fresh };
            let finished = finish::finish(&target, state.journal, &options.repository)?;
            done.journalled = 0;
            done.records = Some(finished.path);
            done.digest = Some(finished.digest);
            done.alarms.extend(finished.alarm);
        }
        Ok(done)
    }

    fn lock(&self) -> MutexGuard<'_, Progressing> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
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
