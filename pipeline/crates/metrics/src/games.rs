//! The games of an experiment, with what metrics need of them.

use std::collections::BTreeMap;

use jobs::Key;
use platform::ConfinedPath;
use records::{GameTiming, Identity, Outcome, Provenance};

use crate::{Event, Given, Quantity};

/// The games of one experiment.
#[derive(Clone, Debug)]
pub struct Games {
    /// The experiment whose file holds them.
    pub records: Key,
    /// That file.
    pub file: ConfinedPath,
    /// All that determines them.
    pub identity: Identity,
    /// What their agent decides on the second set of frozen positions, if it is known.
    pub second_signature: Option<String>,
    /// Their logical digest.
    pub digest: String,
    /// Where they come from.
    pub provenance: Vec<Provenance>,
    /// The outcome of each, in the order of their numbers.
    pub outcomes: Vec<Outcome>,
    /// What each cost, if it was measured.
    pub timings: Vec<GameTiming>,
    /// The hashes of the files that all of this was read from.
    pub hashes: FileHashes,
}

/// The hashes of the files that games were read from. Files with the same bytes hold the same games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileHashes {
    /// Of the records; `None` for games that were not read from a file.
    pub records: Option<String>,
    /// Of the timing; `None` if there is none.
    pub timing: Option<String>,
}

impl Games {
    /// How many games an agent's fault ended.
    pub fn faults(&self) -> u64 {
        self.outcomes.iter().filter(|outcome| outcome.ending.is_fault()).count() as u64
    }

    /// The scores, in the order of the games.
    pub fn scores(&self) -> Vec<f64> {
        self.values(Quantity::SCORE, Given::Always)
    }

    /// A quantity of every game that counts and has it.
    pub fn values(&self, quantity: Quantity, given: Given) -> Vec<f64> {
        self.counted(given).filter_map(|outcome| quantity.value(self, outcome)).collect()
    }

    /// In how many of the games that count an event happens, and how many count.
    pub fn count(&self, event: Event, given: Given) -> (u64, u64) {
        let happened = self.counted(given).filter(|outcome| event.happens(self, outcome)).count() as u64;
        (happened, self.counted(given).count() as u64)
    }

    fn counted(&self, given: Given) -> impl Iterator<Item = &Outcome> {
        self.outcomes.iter().filter(move |outcome| given.counts(outcome))
    }

    /// CPU time per move in each game whose time is known, in nanoseconds.
    pub fn cpu_ns_per_move(&self) -> Vec<f64> {
        let moves: BTreeMap<u64, u32> =
            self.outcomes.iter().map(|outcome| (outcome.game, outcome.moves)).collect();
        let per_move = |timing: &GameTiming| {
            let moves = *moves.get(&timing.game).filter(|&&moves| moves > 0)?;
            Some(timing.known_cpu_ns()? as f64 / f64::from(moves))
        };
        self.timings.iter().filter_map(per_move).collect()
    }
}
