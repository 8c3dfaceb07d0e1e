//! The policies: equation 2, which takes the expected value alone, equation 3, which is Bellman's, and for
//! few empty cells the expectimax of section 5.2.
//!
//! A look ahead goes down to afterstates, which the value function values all at once, and back up. One move
//! deep it is the MDP itself. Both ways walk the tree in the same order, so the values come back up as a
//! plain list.

use engine::prelude::*;

use crate::MOVE_ORDER;
use crate::spawns::{RANKS, SpawnOdds};
use crate::value::ValueFunction;

/// What the value of a move is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Policy {
    /// Equation 2: the expected value of the states that it leads to.
    Expected,
    /// Equation 3: its reward, plus the expected value times gamma.
    ///
    /// A value is the score at the end of a game, in which the reward is contained: it counts twice, as in
    /// the paper.
    Bellman {
        /// The discount.
        gamma: f64,
    },
}

impl Policy {
    fn value(self, reward: u32, expected: f64) -> f64 {
        match self {
            Self::Expected => expected,
            Self::Bellman { gamma } => f64::from(reward) + gamma * expected,
        }
    }
}

/// The tree of moves and spawns.
#[derive(Clone, Copy)]
pub struct Lookahead {
    model: Model,
    odds: SpawnOdds,
}

impl Lookahead {
    /// Under these rules.
    pub fn new(rules: &Rules) -> Self {
        Self { model: Model::new(rules), odds: SpawnOdds::new(rules.four) }
    }

    /// Values every legal move of a board by looking this many of the player's moves ahead, at least one.
    pub fn value_moves(
        &self,
        (board, score): (Board, u64),
        depth: u32,
        policy: Policy,
        value: &mut ValueFunction,
        rng: &mut Rng,
    ) -> MoveValues {
        let mut leaves = Vec::new();
        self.descend(board, depth, &mut leaves);
        let expected = value.expect(&leaves, rng);
        let valued =
            leaves.iter().zip(expected).map(|(&leaf, expected)| (expected, value.random_games(leaf)));
        let mut ascent = Ascent { lookahead: self, policy, valued, games: 0 };
        self.model.value_moves(board, MOVE_ORDER, |_, slide| {
            let before = ascent.games;
            (ascent.of_move(slide, score, depth), ascent.games - before)
        })
    }

    /// Lists the afterstates at which the look ahead ends.
    fn descend(&self, board: Board, depth: u32, leaves: &mut Vec<Afterstate>) {
        let moves = self.model.moves(board, MOVE_ORDER).filter(|(_, slide)| !self.model.ends_game(slide));
        for (_, slide) in moves {
            if depth == 1 {
                leaves.push(slide.afterstate);
                continue;
            }
            for tile in self.odds.tiles() {
                for state in states(slide.afterstate, tile) {
                    self.descend(state, depth - 1, leaves);
                }
            }
        }
    }
}

/// The states of an afterstate with one of the tiles.
fn states(afterstate: Afterstate, tile: usize) -> impl Iterator<Item = Board> {
    afterstate.empty_cells().map(move |cell| afterstate.with_spawn(cell, RANKS[tile]))
}

/// The way back up, with the values of the leaves in the order in which they were listed.
struct Ascent<'a, I> {
    lookahead: &'a Lookahead,
    policy: Policy,
    valued: I,
    /// The random games behind the values used so far.
    games: u64,
}

impl<I: Iterator<Item = (f64, u64)>> Ascent<'_, I> {
    /// The value of a move from a board with this score. One that ends the game is worth the score that it
    /// ends with.
    fn of_move(&mut self, slide: &Slide, score: u64, depth: u32) -> f64 {
        let score = score + u64::from(slide.reward);
        let expected = if self.lookahead.model.ends_game(slide) {
            score as f64
        } else if depth == 1 {
            let (expected, games) = self.valued.next().expect("a value for every leaf");
            self.games += games;
            score as f64 + expected
        } else {
            self.expected(slide.afterstate, score, depth)
        };
        self.policy.value(slide.reward, expected)
    }

    /// Equation 4: the states of an afterstate by their odds, each worth what its best move is.
    fn expected(&mut self, afterstate: Afterstate, score: u64, depth: u32) -> f64 {
        let lookahead = self.lookahead;
        let sum = lookahead
            .odds
            .mean(|tile| states(afterstate, tile).map(|state| self.of_state(state, score, depth - 1)).sum());
        sum / f64::from(afterstate.empty_count())
    }

    /// The value of a state: that of its best move, or the score where there is none.
    fn of_state(&mut self, board: Board, score: u64, depth: u32) -> f64 {
        let moves = self.lookahead.model.moves(board, MOVE_ORDER);
        let values = moves.map(|(_, slide)| self.of_move(&slide, score, depth));
        values.reduce(f64::max).unwrap_or(score as f64)
    }
}
