//! The three searches again, slow and plain: recursion over the whole tree, without memory and without
//! pruning.
//!
//! They share with the agents the game (`engine`), the heuristics, and the draw of a random opponent's tile.
//! Tests hold the agents' values and moves against them; the benchmark measures what the agents gain.

#![allow(dead_code, unreachable_pub)]

use engine::agent::MoveValues;
use engine::{Afterstate, Board, Direction, Rules, Slides};
use middleton_schmidt::Heuristic;
use middleton_schmidt::minimax_random::SearchSeed;

/// What the opponent does in the tree.
#[derive(Clone, Copy, Debug)]
pub enum Opponent {
    /// Every spawn, averaged by its odds.
    Average,
    /// The worst spawn.
    Antagonistic,
    /// One drawn spawn.
    Random(SearchSeed),
}

/// A plain search under some rules.
pub struct Reference<'a, H> {
    pub rules: &'a Rules,
    pub heuristic: &'a H,
    pub opponent: Opponent,
}

impl<H: Heuristic> Reference<'_, H> {
    /// The value of every direction, none if it is illegal, and the first largest in the order up, down,
    /// left, right.
    pub fn search(&self, board: Board, layers: u32) -> (MoveValues, Direction) {
        let mut values = MoveValues::default();
        let mut best = None;
        for direction in [Direction::Up, Direction::Down, Direction::Left, Direction::Right] {
            let Some(value) = self.direction(board, direction, layers) else { continue };
            values.value[direction as usize] = Some(value);
            if best.is_none_or(|(_, largest)| value > largest) {
                best = Some((direction, value));
            }
        }
        (values, best.expect("a legal move").0)
    }

    /// The value of a move with this many layers, this one included; none if it is illegal.
    fn direction(&self, board: Board, direction: Direction, layers: u32) -> Option<f64> {
        let slide = Slides::of(self.rules.merging).slide(board, direction)?;
        let stops = self.rules.stop_at.is_some_and(|stop| slide.afterstate.max_rank() >= stop.rank());
        Some(if stops || slide.makes_cap || layers == 1 {
            self.heuristic.value(*slide.afterstate)
        } else {
            self.opponent(slide.afterstate, layers - 1)
        })
    }

    /// The value of an afterstate with this many layers, the opponent's included.
    pub fn opponent(&self, afterstate: Afterstate, layers: u32) -> f64 {
        let four = self.rules.four.probability();
        let chances = [(1, 1.0 - four), (2, four)].into_iter().filter(|&(_, chance)| chance > 0.0);
        match self.opponent {
            Opponent::Random(seed) => {
                self.player(seed.spawn(afterstate, layers, self.rules.four), layers - 1)
            }
            Opponent::Antagonistic => {
                let spawns = afterstate
                    .empty_cells()
                    .flat_map(|cell| chances.clone().map(move |(rank, _)| afterstate.with_spawn(cell, rank)));
                spawns.map(|board| self.player(board, layers - 1)).fold(f64::INFINITY, f64::min)
            }
            Opponent::Average => {
                let mut sum = 0.0;
                for cell in afterstate.empty_cells() {
                    for (rank, chance) in chances.clone() {
                        sum += chance * self.player(afterstate.with_spawn(cell, rank), layers - 1);
                    }
                }
                sum / f64::from(afterstate.empty_count())
            }
        }
    }

    /// The value of a board with this many layers, the player's included.
    pub fn player(&self, board: Board, layers: u32) -> f64 {
        if layers == 0 {
            let is_lost = board.legal_moves().is_empty();
            return if is_lost { self.heuristic.lost(*board) } else { self.heuristic.value(*board) };
        }
        let values =
            Direction::ALL.into_iter().filter_map(|direction| self.direction(board, direction, layers));
        values.reduce(f64::max).unwrap_or_else(|| self.heuristic.lost(*board))
    }
}
