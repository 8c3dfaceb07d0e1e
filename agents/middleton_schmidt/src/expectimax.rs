//! Expectimax (section "Expectimax vs minimax"): the player takes the best move, the spawns are averaged by
//! their odds.

use engine::prelude::*;

use crate::PAPER;
use crate::heuristic::Heuristic;
use crate::params::Params;
use crate::search::{Opponent, Setup, TreeSearch};

/// The agent `ms-expectimax`.
pub struct Expectimax(Setup<f64>);

impl Agent for Expectimax {
    type Params = Params;

    const ABOUT: About =
        About::new("ms-expectimax", "Expectimax (Middleton and Schmidt)", PAPER, Capabilities::PLIES);

    fn create(rules: &Rules, params: Params, _host: Host) -> Result<Self, Refusal> {
        Ok(Self(Setup::new(rules, &params)?))
    }

    fn choose_move(&mut self, position: &Position) -> Result<Decision, Failure> {
        self.0.choose_move(position, Average::new(self.0.tree.four))
    }
}

/// All spawns, each with its odds.
#[derive(Clone, Copy)]
struct Average {
    two: f64,
    four: f64,
}

impl Average {
    fn new(four: Odds) -> Self {
        let four = four.probability();
        Self { two: 1.0 - four, four }
    }
}

impl Opponent for Average {
    fn memo_bits(layers: u32) -> u32 {
        2 * layers + 2
    }

    fn answer<H: Heuristic>(
        self,
        search: &mut TreeSearch<'_, H, Self>,
        afterstate: Afterstate,
        layers: u32,
    ) -> f64 {
        let mut sum = 0.0;
        for cell in afterstate.empty_cells() {
            if self.two > 0.0 {
                sum += self.two * search.player(afterstate.with_spawn(cell, 1), layers - 1);
            }
            if self.four > 0.0 {
                sum += self.four * search.player(afterstate.with_spawn(cell, 2), layers - 1);
            }
        }
        sum / f64::from(afterstate.empty_count())
    }
}
