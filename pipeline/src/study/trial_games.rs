//! The games of a trial, which arrive in pieces and in any order. The trial depends on neither.

use std::collections::BTreeMap;
use std::ops::Range;

use engine::Ending;

use manifest::Study;
use platform::plain;
use records::digest::RecordDigest;
use records::record::GameTiming;
use studies::{Effort, GameFigures, TrialOutcome};
use workers::worker::Fault;
use workers::worker::protocol::Played;

/// A game that an agent's fault ended, also when it was played again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FaultyGame {
    pub(super) game: u64,
    pub(super) ending: Ending,
    pub(super) reason: String,
}

impl FaultyGame {
    pub(super) fn of(game: u64, fault: Fault) -> Self {
        Self { game, ending: fault.ending, reason: plain::line(&fault.reason) }
    }
}

/// The games of a trial so far.
#[derive(Debug)]
pub(super) struct TrialGames {
    games: Range<u64>,
    played: BTreeMap<u64, Played>,
    /// The first game that is known to fault. Those behind it do not matter.
    fault: Option<FaultyGame>,
    is_over: bool,
}

/// All games of a trial, or its first fault, and their cost.
pub(super) struct TrialEnd {
    /// All games, or the first that faulted.
    pub(super) games: Result<AllGames, FaultyGame>,
    pub(super) cpu_ns: u64,
    pub(super) wall_ns: u64,
}

/// The games of a trial that were all played to their end.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct AllGames {
    /// Each of them, by number.
    pub(super) games: Vec<GameFigures>,
    /// The logical digest of their records.
    pub(super) digest: String,
}

impl TrialEnd {
    /// The outcome that is stored.
    pub(super) fn outcome(&self, study: &Study) -> TrialOutcome {
        match &self.games {
            Ok(AllGames { games, digest }) => TrialOutcome::of_games(study, games, digest),
            Err(FaultyGame { game, ending, reason }) => {
                TrialOutcome::Faulted { game: *game, ending: *ending, reason: reason.clone() }
            }
        }
    }
}

impl TrialGames {
    pub(super) const fn new(games: Range<u64>) -> Self {
        Self { games, played: BTreeMap::new(), fault: None, is_over: false }
    }

    /// Whether nothing depends on these games any more.
    pub(super) fn is_decided_before(&self, games: &Range<u64>) -> bool {
        self.is_over || self.fault.as_ref().is_some_and(|fault| fault.game < games.start)
    }

    /// Adds some games. With the last one that matters, the trial ends.
    pub(super) fn add(&mut self, played: Vec<Played>, fault: Option<FaultyGame>) -> Option<TrialEnd> {
        self.played.extend(played.into_iter().map(|played| (played.record.game, played)));
        let is_earlier = |fault: &FaultyGame| self.fault.as_ref().is_none_or(|known| fault.game < known.game);
        if let Some(fault) = fault.filter(is_earlier) {
            self.fault = Some(fault);
        }
        let end = self.fault.as_ref().map_or(self.games.end, |fault| fault.game);
        let matter = self.played.range(self.games.start..end).count() as u64;
        if self.is_over || matter < end - self.games.start {
            return None;
        }
        self.is_over = true;
        let cost = |of: fn(&GameTiming) -> u64| self.played.values().map(|played| of(&played.timing)).sum();
        let (cpu_ns, wall_ns) = (cost(|timing| timing.cpu_ns), cost(|timing| timing.wall_ns));
        let games = self.fault.clone().map_or_else(|| Ok(self.all_games()), Err);
        self.played.clear();
        Some(TrialEnd { games, cpu_ns, wall_ns })
    }

    fn all_games(&self) -> AllGames {
        let mut digest = RecordDigest::default();
        let mut games = Vec::with_capacity(self.played.len());
        for Played { record, .. } in self.played.values() {
            digest.add(record);
            let effort = Effort { moves: record.moves.into(), nodes: record.nodes };
            games.push(GameFigures { score: record.score, effort });
        }
        AllGames { games, digest: digest.finish() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(game: u64) -> Played {
        let record = fixtures::record(game, &"U".repeat(game as usize));
        Played { record, timing: GameTiming { game, cpu_ns: 10, wall_ns: 100 }, complaint: None }
    }

    fn fault(game: u64) -> FaultyGame {
        FaultyGame { game, ending: Ending::AgentCrash, reason: format!("in game {game}") }
    }

    #[test]
    fn pieces_make_the_same_trial_in_any_order() {
        let whole = |pieces: [Range<u64>; 3]| {
            let mut trial = TrialGames::new(3..9);
            let mut ended = pieces.map(|games| trial.add(games.map(played).collect(), None));
            let last = ended[2].take().unwrap();
            assert!(ended.iter().all(Option::is_none));
            assert_eq!((last.cpu_ns, last.wall_ns), (60, 600));
            last.games.unwrap()
        };
        let in_order = whole([3..5, 5..6, 6..9]);
        assert_eq!(whole([6..9, 3..5, 5..6]), in_order);
        let AllGames { games, digest } = in_order;
        let records: Vec<_> = (3..9).map(|game| played(game).record).collect();
        assert!(games.iter().map(|game| game.score).eq(records.iter().map(|record| record.score)));
        let mut expected = RecordDigest::default();
        records.iter().for_each(|record| expected.add(record));
        assert_eq!(digest, expected.finish());
    }

    #[test]
    fn the_first_faulty_game_costs_the_trial_whichever_is_found_first() {
        let mut trial = TrialGames::new(0..6);
        assert!(trial.add(Vec::new(), Some(fault(4))).is_none(), "games before it may fault too");
        assert!(trial.is_decided_before(&(5..6)) && !trial.is_decided_before(&(2..4)));
        assert!(trial.add(vec![played(2)], Some(fault(3))).is_none());
        let ended = trial.add(vec![played(0), played(1)], None).unwrap();
        assert_eq!(ended.games, Err(fault(3)));
        assert!(trial.add(vec![played(4)], None).is_none(), "what comes late changes nothing");
    }
}
