//! A batch while it is played: threads take pieces from it, and each trial is journalled with its last game.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use engine::Odds;

use super::batch::{Batch, Piece};
use super::journal::{FinishedTrial, Journalled, TrialJournal};
use super::player::TrialPlayer;
use super::trial_games::{TrialEnd, TrialGames};
use crate::progress::ProgressLine;
use crate::run::RunError;
use manifest::Study;
use studies::{TrialOutcome, TrialRow};

/// A batch while it is played.
pub(super) struct BatchRun<'a> {
    study: &'a Study,
    batch: &'a Batch,
    pieces: Mutex<VecDeque<Piece>>,
    /// By their places in the batch.
    trials: Vec<Mutex<TrialGames>>,
    sink: Mutex<Sink<'a>>,
    limit: FaultLimit,
    is_over: AtomicBool,
    line: &'a ProgressLine,
}

/// Where finished trials go.
pub(super) struct Sink<'a> {
    pub(super) journal: &'a mut TrialJournal,
    pub(super) journalled: &'a mut Journalled,
    pub(super) alarms: &'a mut Vec<String>,
    pub(super) before: &'a [TrialRow],
}

/// How many trials may fault.
#[derive(Clone, Copy)]
pub(super) struct FaultLimit {
    /// Those of the batches before this one.
    pub(super) before: u64,
    /// The share of all trials, up to the end of the batch, that may fault.
    pub(super) share: Odds,
}

impl FaultLimit {
    /// Whether this many faulty trials of the batch are too many, whatever its other trials do. One never is.
    pub(super) fn is_passed(self, of_batch: u64, batch: &Batch) -> bool {
        let (faults, trials) = (u128::from(self.before + of_batch), u128::from(batch.end()));
        faults >= 2
            && faults * u128::from(self.share.denominator()) > trials * u128::from(self.share.numerator())
    }
}

/// How long a game takes, measured by all threads.
#[derive(Default)]
pub(super) struct GameTime(AtomicU64);

impl GameTime {
    pub(super) fn get(&self) -> Option<Duration> {
        let ns = self.0.load(Ordering::Relaxed);
        (ns > 0).then(|| Duration::from_nanos(ns))
    }

    /// Adds the time of some games. Trials differ, so it is a mean over some pieces.
    fn add(&self, took: Duration, games: u64) {
        let new = took.as_nanos() as u64 / games.max(1);
        let mean = self.get().map_or(new, |known| (known.as_nanos() as u64 * 3 + new) / 4);
        self.0.store(mean.max(1), Ordering::Relaxed);
    }
}

impl<'a> BatchRun<'a> {
    pub(super) fn new(
        study: &'a Study,
        batch: &'a Batch,
        pieces: VecDeque<Piece>,
        sink: Sink<'a>,
        limit: FaultLimit,
        line: &'a ProgressLine,
    ) -> Self {
        let trial = |proposal: &search::Proposal| Mutex::new(TrialGames::new(proposal.games.clone()));
        let trials = batch.proposals.iter().map(trial).collect();
        let (pieces, sink, is_over) = (Mutex::new(pieces), Mutex::new(sink), AtomicBool::new(false));
        Self { study, batch, pieces, trials, sink, limit, is_over, line }
    }

    /// Plays until no piece is left, the study is stopped or given up, or another thread has failed.
    pub(super) fn play(
        &self,
        player: &mut TrialPlayer<'_>,
        game_time: &GameTime,
        stop: &AtomicBool,
    ) -> Result<(), RunError> {
        while !stop.load(Ordering::Relaxed) && !self.is_over.load(Ordering::Relaxed) {
            let Some(piece) = lock(&self.pieces).pop_front() else { break };
            let played = self.play_piece(player, &piece, game_time);
            if played.is_err() {
                self.is_over.store(true, Ordering::Relaxed);
            }
            played?;
            self.line.tick();
        }
        Ok(())
    }

    fn play_piece(
        &self,
        player: &mut TrialPlayer<'_>,
        piece: &Piece,
        game_time: &GameTime,
    ) -> Result<(), RunError> {
        let games = &self.trials[piece.place];
        if lock(games).is_decided_before(&piece.games) {
            return Ok(());
        }
        let trial = self.batch.first_trial + piece.place as u64;
        let start = Instant::now();
        let mut result = player.play(trial, &self.batch.proposals[piece.place], piece.games.clone())?;
        if result.fault.is_none() {
            game_time.add(start.elapsed(), piece.games.end - piece.games.start);
        }
        for alarm in std::mem::take(&mut result.alarms) {
            self.line.say(&format!("ALARM: {alarm}"));
            lock(&self.sink).alarms.push(alarm);
        }
        let end = lock(games).add(self.study, result);
        end.map_or(Ok(()), |end| self.keep(trial, end))
    }

    /// Journals a trial, and stops the study if too many have faulted.
    fn keep(&self, trial: u64, TrialEnd { outcome, cpu_ns, wall_ns }: TrialEnd) -> Result<(), RunError> {
        let mut is_faulty = false;
        if let TrialOutcome::Faulted { game, ending, reason } = &outcome {
            is_faulty = true;
            self.line.say(&format!("trial {trial}: game {game} ended by {ending}: {reason}"));
        }
        let finished = FinishedTrial::of(trial, self.batch.proposal(trial), outcome, cpu_ns, wall_ns);
        let mut sink = lock(&self.sink);
        sink.journal.append(&finished)?;
        sink.journalled.insert(trial, finished);
        let faults = || self.batch.faults(sink.before, sink.journalled);
        if is_faulty && self.limit.is_passed(faults(), self.batch) {
            self.is_over.store(true, Ordering::Relaxed);
        }
        drop(sink);
        self.line.rows(1);
        Ok(())
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use search::{Dimension, Origin, Proposal, Range, Scale, Space};

    use super::*;
    use crate::study::batch::FirstTrials;

    /// A batch of so many trials behind so many others.
    fn batch(before: u64, trials: u64) -> Batch {
        let range = Range::Real { from: 0.0, to: 1.0, scale: Scale::Linear, digits: 2 };
        let space = Space::new(vec![Dimension { name: "x".to_owned(), range }]).unwrap();
        let proposal =
            |trial| Proposal { point: space.point(&[0.5]), origin: Origin::Sample, games: trial..trial + 1 };
        Batch::new(1, before, (0..trials).map(proposal).collect(), &mut FirstTrials::default())
    }

    #[test]
    fn a_share_of_the_trials_up_to_the_end_of_the_batch_may_fault_and_a_single_one_always() {
        let limit = |before| FaultLimit { before, share: Odds::new(1, 10).unwrap() };
        assert!(!limit(0).is_passed(1, &batch(0, 4)), "one of four");
        assert!(limit(0).is_passed(2, &batch(0, 4)), "two of four");
        assert!(!limit(0).is_passed(2, &batch(0, 20)), "two of twenty, whenever they come");
        assert!(!limit(1).is_passed(1, &batch(10, 10)) && limit(2).is_passed(1, &batch(10, 10)));
        let all = FaultLimit { before: 0, share: Odds::new(1, 1).unwrap() };
        assert!(!all.is_passed(4, &batch(0, 4)));
    }

    #[test]
    fn the_time_of_a_game_follows_what_games_take() {
        let time = GameTime::default();
        assert_eq!(time.get(), None);
        time.add(Duration::from_millis(40), 10);
        assert_eq!(time.get(), Some(Duration::from_millis(4)));
        time.add(Duration::from_millis(8), 1);
        assert_eq!(time.get(), Some(Duration::from_millis(5)));
    }
}
