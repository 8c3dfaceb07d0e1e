//! Section 3.2, Algorithms 2 and 3: the states after a move, and their value by random games.
//!
//! The states of many afterstates are valued at once: all their random games make one stream, in which the
//! engine's lanes stay full, and come back by their number.

use engine::Playouts;
use engine::prelude::*;

use crate::spawns::{RANKS, SpawnOdds};
use crate::theta::{GamesTable, StateGames};

/// What stands on the boards that are to stand for a spawned 4.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum FourBoards {
    /// A 4: Algorithm 2 as written.
    #[default]
    Fours,
    /// A 2: the released code.
    Twos,
}

/// The value function V.
pub struct ValueFunction {
    playouts: Playouts,
    games: GamesTable,
    odds: SpawnOdds,
    /// The ranks on the boards that stand for a spawned 2 and for a spawned 4.
    ranks: [u8; 2],
    /// The states of the set S, each with its number of random games.
    states: Vec<(Board, u32)>,
    results: Vec<u32>,
}

impl ValueFunction {
    /// With this many random games, under these rules.
    pub fn new(rules: &Rules, games: GamesTable, four_boards: FourBoards) -> Self {
        let ranks = match four_boards {
            FourBoards::Fours => RANKS,
            FourBoards::Twos => [RANKS[0]; 2],
        };
        Self {
            playouts: Playouts::new(rules),
            games,
            odds: SpawnOdds::new(rules.four),
            ranks,
            states: Vec::new(),
            results: Vec::new(),
        }
    }

    /// How many random games the states of an afterstate get together.
    pub fn random_games(&self, afterstate: Afterstate) -> u64 {
        let empty = afterstate.empty_count();
        let of_a_cell: u32 = self.odds.tiles().map(|tile| self.games.at(empty)[tile].played).sum();
        u64::from(of_a_cell) * u64::from(empty)
    }

    /// For every afterstate, the sum over its states of their odds times their value. A value is the mean of
    /// what the best random games scored from the state on: what was scored before adds the same to all of
    /// them.
    pub fn expect(&mut self, afterstates: &[Afterstate], rng: &mut Rng) -> Vec<f64> {
        self.get_states(afterstates);
        self.play(rng);
        let mut results = std::mem::take(&mut self.results);
        let mut rest = results.as_mut_slice();
        let expected = afterstates.iter().map(|afterstate| {
            let empty = afterstate.empty_count();
            let games = self.games.at(empty);
            self.odds.mean(|tile| {
                let played = empty as usize * games[tile].played as usize;
                let (of_tile, others) = std::mem::take(&mut rest).split_at_mut(played);
                rest = others;
                mean_of_best(of_tile, games[tile])
            })
        });
        let expected = expected.collect();
        self.results = results;
        expected
    }

    /// Algorithm 2: a 2, then a 4 in every empty cell.
    fn get_states(&mut self, afterstates: &[Afterstate]) {
        self.states.clear();
        for &afterstate in afterstates {
            let games = self.games.at(afterstate.empty_count());
            for tile in self.odds.tiles() {
                let boards =
                    afterstate.empty_cells().map(|cell| afterstate.with_spawn(cell, self.ranks[tile]));
                self.states.extend(boards.map(|board| (board, games[tile].played)));
            }
        }
    }

    /// Algorithm 3, its loop: the random games of all states, one state's after the other's.
    fn play(&mut self, rng: &mut Rng) {
        let Self { playouts, states, results, .. } = self;
        results.clear();
        results.resize(states.iter().map(|&(_, games)| games as usize).sum(), 0);
        let boards = states.iter().flat_map(|&(board, games)| (0..games).map(move |_| board));
        let jobs = boards.map(|board| (board, rng.next_u64()));
        playouts.random_many(jobs, |job, playout| results[job] = playout.reward);
    }
}

/// Algorithm 3, its end: the mean result of the best games of each state, over all states of a tile. These
/// have equally many.
///
/// DEVIATION: the printed algorithm sorts in ascending order and takes the first results, which would be the
/// worst; its comment says that it selects the top ones.
fn mean_of_best(results: &mut [u32], StateGames { played, kept }: StateGames) -> f64 {
    let states = results.len() / played as usize;
    let sum: u64 = results.chunks_mut(played as usize).map(|state| sum_of_best(state, kept as usize)).sum();
    sum as f64 / (states as f64 * f64::from(kept))
}

/// The sum of the largest results. Which they are takes one partition, not a whole sort.
pub(crate) fn sum_of_best(results: &mut [u32], kept: usize) -> u64 {
    let first = results.len() - kept;
    if first > 0 {
        results.select_nth_unstable(first);
    }
    results[first..].iter().copied().map(u64::from).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_results_count() {
        let results = [70, 10, 40, 20, 60, 50, 30, 40];
        for (kept, sum) in [(1, 70), (2, 130), (3, 180), (4, 220), (5, 260), (8, 320)] {
            assert_eq!(sum_of_best(&mut results.clone(), kept), sum, "{kept}");
        }
    }

    #[test]
    fn the_best_are_taken_of_every_state_apart() {
        // Two states of four games each: of the first 40 and 30 count, of the second 8 and 6.
        let mut results = [10, 40, 20, 30, 8, 2, 4, 6];
        assert_eq!(mean_of_best(&mut results, StateGames { played: 4, kept: 2 }), 84.0 / 4.0);
    }
}
