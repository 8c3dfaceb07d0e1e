//! A batch while it is played: threads take pieces from it, and each trial is written down as soon as its last game is in.

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use engine::Odds;

use super::RunStudyError;
use super::batch::{Batch, Piece};
use super::journal::{FinishedTrial, TrialJournal};
use super::player::Player;
use super::progress::Line;
use super::trial_under_way::{Ended, FaultyGame, TrialUnderWay};
use manifest::Study;
use studies::TrialRow;

/// A batch while it is played.
pub(super) struct BatchUnderWay<'a> {
    study: &'a Study,
    batch: &'a Batch,
    pieces: Mutex<VecDeque<Piece>>,
    /// By their places in the batch.
    trials: Vec<Mutex<TrialUnderWay>>,
    kept: Mutex<Kept<'a>>,
    limit: FaultLimit,
    is_over: AtomicBool,
    line: &'a Line,
}

/// What finished trials go to.
pub(super) struct Kept<'a> {
    pub(super) journal: &'a mut TrialJournal,
    pub(super) there: &'a mut BTreeMap<u64, FinishedTrial>,
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
    /// Whether so many faulty trials of this batch are too many, whatever its other trials come to. A single one never is.
    pub(super) fn is_passed(self, of_batch: u64, batch: &Batch) -> bool {
        let (faults, trials) = (u128::from(self.before + of_batch), u128::from(batch.end()));
        faults >= 2
            && faults * u128::from(self.share.denominator()) > trials * u128::from(self.share.numerator())
    }
}

/// How long a game takes, as far as anybody knows; threads tell each other.
#[derive(Default)]
pub(super) struct GameTime(AtomicU64);

impl GameTime {
    pub(super) fn get(&self) -> Option<Duration> {
        let ns = self.0.load(Ordering::Relaxed);
        (ns > 0).then(|| Duration::from_nanos(ns))
    }

    /// Hears how long some games took. Trials differ, so that it is the mean over some pieces.
    fn hear(&self, took: Duration, games: u64) {
        let new = took.as_nanos() as u64 / games.max(1);
        let mean = self.get().map_or(new, |known| (known.as_nanos() as u64 * 3 + new) / 4);
        self.0.store(mean.max(1), Ordering::Relaxed);
    }
}

impl<'a> BatchUnderWay<'a> {
    pub(super) fn new(
        study: &'a Study,
        batch: &'a Batch,
        pieces: VecDeque<Piece>,
        kept: Kept<'a>,
        faults_before: u64,
        line: &'a Line,
    ) -> Self {
        let limit = FaultLimit { before: faults_before, share: study.fault_share };
        let trial = |proposal: &search::Proposal| Mutex::new(TrialUnderWay::new(proposal.games.clone()));
        let trials = batch.proposals.iter().map(trial).collect();
        let (pieces, kept, is_over) = (Mutex::new(pieces), Mutex::new(kept), AtomicBool::new(false));
        Self { study, batch, pieces, trials, kept, limit, is_over, line }
    }

    /// Plays until no piece is left, the study is stopped or given up, or another thread has broken off.
    pub(super) fn play(
        &self,
        player: &mut Player<'_>,
        game_time: &GameTime,
        stop: &AtomicBool,
    ) -> Result<(), RunStudyError> {
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
        player: &mut Player<'_>,
        piece: &Piece,
        game_time: &GameTime,
    ) -> Result<(), RunStudyError> {
        let under_way = &self.trials[piece.place];
        if lock(under_way).is_settled_before(&piece.games) {
            return Ok(());
        }
        let trial = self.batch.first_trial + piece.place as u64;
        let begun = Instant::now();
        let pieced = player.play(trial, &self.batch.proposals[piece.place], piece.games.clone())?;
        if pieced.fault.is_none() {
            game_time.hear(begun.elapsed(), piece.games.end - piece.games.start);
        }
        for alarm in pieced.alarms {
            self.line.say(&format!("ALARM: {alarm}"));
            lock(&self.kept).alarms.push(alarm);
        }
        let ended = lock(under_way).take(pieced.played, pieced.fault);
        ended.map_or(Ok(()), |ended| self.keep(trial, ended))
    }

    /// Writes a finished trial down, and gives the study up where too many have faulted.
    fn keep(&self, trial: u64, ended: Ended) -> Result<(), RunStudyError> {
        let is_fault = ended.came.is_err();
        if let Err(FaultyGame { game, ending, reason }) = &ended.came {
            self.line.say(&format!("trial {trial}: game {game} ended by {ending}: {reason}"));
        }
        let (came, proposal) = (ended.kept(self.study), self.batch.proposal(trial));
        let finished = FinishedTrial::of(trial, proposal, came, ended.cpu_ns, ended.wall_ns);
        let mut kept = lock(&self.kept);
        kept.journal.append(&finished)?;
        kept.there.insert(trial, finished);
        if is_fault && self.limit.is_passed(self.batch.faults(kept.before, kept.there), self.batch) {
            self.is_over.store(true, Ordering::Relaxed);
        }
        drop(kept);
        self.line.trial();
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
        time.hear(Duration::from_millis(40), 10);
        assert_eq!(time.get(), Some(Duration::from_millis(4)));
        time.hear(Duration::from_millis(8), 1);
        assert_eq!(time.get(), Some(Duration::from_millis(5)));
    }
}
