//! The games of a trial, which arrive in pieces and in any order. The trial depends on neither.

use std::collections::BTreeMap;
use std::ops::Range;

use super::player::PlayedGames;
use manifest::Study;
use platform::plain;
use records::{GameTiming, RecordDigest};
use studies::{Effort, GameFigures, TrialOutcome};
use workers::{Fault, Played};

/// The games of a trial so far.
#[derive(Debug)]
pub(super) struct TrialGames {
    games: Range<u64>,
    played: BTreeMap<u64, Played>,
    /// The first game that is known to fault. Those behind it do not matter.
    fault: Option<(u64, Fault)>,
    is_over: bool,
}

/// The outcome of a trial, and the cost of its games.
pub(super) struct TrialEnd {
    pub(super) outcome: TrialOutcome,
    pub(super) cpu_ns: u64,
    pub(super) wall_ns: u64,
}

impl TrialGames {
    pub(super) const fn new(games: Range<u64>) -> Self {
        Self { games, played: BTreeMap::new(), fault: None, is_over: false }
    }

    /// Whether nothing depends on this game any more.
    pub(super) fn is_decided_before(&self, game: u64) -> bool {
        self.is_over || self.fault.as_ref().is_some_and(|(faulty, _)| *faulty < game)
    }

    /// Adds some games. With the last one that matters, the trial ends.
    pub(super) fn add(&mut self, study: &Study, games: PlayedGames) -> Option<TrialEnd> {
        self.played.extend(games.played.into_iter().map(|played| (played.record.game, played)));
        let is_earlier = |(game, _): &(u64, Fault)| self.fault.as_ref().is_none_or(|known| *game < known.0);
        if let Some(fault) = games.fault.filter(is_earlier) {
            self.fault = Some(fault);
        }
        let end = self.fault.as_ref().map_or(self.games.end, |(game, _)| *game);
        let matter = self.played.range(self.games.start..end).count() as u64;
        if self.is_over || matter < end - self.games.start {
            return None;
        }
        self.is_over = true;
        let cost = |of: fn(&GameTiming) -> u64| self.played.values().map(|played| of(&played.timing)).sum();
        let (cpu_ns, wall_ns) = (cost(|timing| timing.cpu_ns), cost(|timing| timing.wall_ns));
        let outcome = match &self.fault {
            Some((game, fault)) => faulted(*game, fault),
            None => self.outcome(study),
        };
        self.played.clear();
        Some(TrialEnd { outcome, cpu_ns, wall_ns })
    }

    fn outcome(&self, study: &Study) -> TrialOutcome {
        let mut digest = RecordDigest::default();
        let mut games = Vec::with_capacity(self.played.len());
        for Played { record, .. } in self.played.values() {
            digest.add(record);
            let effort = Effort { moves: record.moves.into(), nodes: record.nodes };
            games.push(GameFigures { score: record.score, effort });
        }
        TrialOutcome::of_games(study, &games, &digest.finish())
    }
}

/// The outcome of a trial one of whose games ended by a fault, also when it was played again.
pub(super) fn faulted(game: u64, fault: &Fault) -> TrialOutcome {
    TrialOutcome::Faulted { game, ending: fault.ending, reason: plain::line(&fault.reason) }
}

#[cfg(test)]
mod tests {
    use engine::Ending;
    use manifest::Objective;

    use super::super::fixtures::study;
    use super::*;

    fn played(game: u64) -> Played {
        let record = fixtures::record(game, &"U".repeat(game as usize));
        Played { record, timing: GameTiming { game, cpu_ns: 10, wall_ns: 100 }, complaint: None }
    }

    fn games(games: impl Iterator<Item = u64>, fault: Option<u64>) -> PlayedGames {
        let fault_in = |game| (game, Fault { ending: Ending::AgentCrash, reason: format!("in game {game}") });
        PlayedGames { played: games.map(played).collect(), fault: fault.map(fault_in), alarms: Vec::new() }
    }

    #[test]
    fn pieces_make_the_same_trial_in_any_order() {
        let study = study(&[Objective::Score]);
        let whole = |pieces: [Range<u64>; 3]| {
            let mut trial = TrialGames::new(3..9);
            let mut ended = pieces.map(|piece| trial.add(&study, games(piece, None)));
            let last = ended[2].take().unwrap();
            assert!(ended.iter().all(Option::is_none));
            assert_eq!((last.cpu_ns, last.wall_ns), (60, 600));
            last.outcome
        };
        let in_order = whole([3..5, 5..6, 6..9]);
        assert_eq!(whole([6..9, 3..5, 5..6]), in_order);
        let TrialOutcome::Played { scores, digest, .. } = in_order else { panic!("{in_order:?}") };
        let records: Vec<_> = (3..9).map(|game| played(game).record).collect();
        assert!(scores.each().unwrap().iter().copied().eq(records.iter().map(|record| record.score)));
        let mut expected = RecordDigest::default();
        records.iter().for_each(|record| expected.add(record));
        assert!(expected.finish().starts_with(&digest));
    }

    #[test]
    fn the_first_faulty_game_costs_the_trial_whichever_is_found_first() {
        let (study, mut trial) = (study(&[Objective::Score]), TrialGames::new(0..6));
        let mut add = |played: &[u64], fault| trial.add(&study, games(played.iter().copied(), fault));
        assert!(add(&[], Some(4)).is_none(), "games before it may fault too");
        assert!(add(&[2], Some(3)).is_none());
        let ended = add(&[0, 1], None).unwrap();
        assert!(matches!(ended.outcome, TrialOutcome::Faulted { game: 3, ending: Ending::AgentCrash, .. }));
        assert!(add(&[4], None).is_none(), "what comes late changes nothing");
        let mut trial = TrialGames::new(0..6);
        trial.add(&study, games(0..0, Some(4)));
        assert!(trial.is_decided_before(5) && !trial.is_decided_before(2));
    }
}
