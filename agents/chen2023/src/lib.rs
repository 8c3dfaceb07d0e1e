//! Chen, Thao and Bashir, "MCTS Algorithm and Heuristic in 2048": UCT whose rollouts are valued by a measure
//! of their last board.
//!
//! The agent `chen-uct` is one search with four choices: the [`measure`], the policy of a [`rollout`], the
//! tree, which is [`flat`] as released and a real [`tree`] as written, and the [`final_choice`]. [`uct`]
//! selects; [`stream_key`] is where chance comes from, so that [`ahead`] can have rollouts played before the
//! search asks for them. [`two_directions`] is the strategy of section 4.2 by itself. The crate's README says
//! which section of the paper is where.

pub mod ahead;
pub mod final_choice;
pub mod flat;
pub mod measure;
pub mod nodes;
pub mod params;
pub mod rollout;
pub mod search;
pub mod stream_key;
pub mod tree;
pub mod two_directions;
pub mod uct;

use engine::prelude::*;
use flat::Flat;
pub use params::{Params, TreeKind};
use rollout::Rollouts;
use search::SearchSummary;
use stream_key::StreamKey;
use tree::Tree;
pub use two_directions::TwoDirections;

/// The agent `chen-uct`.
pub struct ChenUct {
    rollouts: Rollouts,
    form: SearchForm,
    seed: AgentSeed,
    /// The last decision of this game: the number of its move, and the number that the search chose.
    last: Option<(u64, usize)>,
}

/// The two forms of the search.
enum SearchForm {
    AsReleased(Flat),
    AsWritten { tree: Box<Tree>, is_kept: bool },
}

/// The most rollouts that are accepted for a move: all that a search can want are given room at once.
const MOST_ROLLOUTS: u64 = 1_000_000;

impl Agent for ChenUct {
    type Params = Params;

    // The released program does not count its first rollouts for the moves, and for the max-robust child a
    // search goes on.
    const ABOUT: About = About::new(
        "chen-uct",
        "UCT with measures (Chen, Thao and Bashir)",
        "J. Chen, A. Thao, M. Bashir: MCTS Algorithm and Heuristic in 2048, 2023",
        Capabilities::PLAYOUTS.with(Capabilities::OVERRUNS),
    );

    fn create(rules: &Rules, params: Params, _host: Host) -> Result<Self, Refusal> {
        params.validate()?;
        let settings = params.settings(rules);
        let form = match params.tree {
            TreeKind::AsReleased => SearchForm::AsReleased(Flat::new(settings)),
            TreeKind::AsWritten => {
                SearchForm::AsWritten { tree: Box::new(Tree::new(settings)), is_kept: params.keep_tree }
            }
        };
        let rollouts = Rollouts::new(rules, params.rollouts, params.measure);
        Ok(Self { rollouts, form, seed: AgentSeed(0), last: None })
    }

    fn new_game(&mut self, seed: AgentSeed) {
        self.seed = seed;
        self.last = None;
    }

    fn choose_move(&mut self, position: &Position) -> Result<Decision, Failure> {
        let found = self.search(position, rollouts_of(position.budget)?);
        self.last = Some((position.move_number, found.chosen));
        let mut values = MoveValues::default();
        for (direction, stats) in found.moves.into_iter().flatten() {
            values.set(direction, stats.low_mean(), stats.visits.into());
        }
        let (direction, stats) = found.moves[found.chosen].ok_or("the position has no legal move")?;
        Ok(Decision {
            direction,
            nodes: found.rollouts,
            spent: found.rollouts,
            depth: found.depth,
            value: Some(stats.low_mean()),
            values: Some(values),
        })
    }
}

impl ChenUct {
    fn search(&mut self, position: &Position, budget: u32) -> SearchSummary {
        let key = StreamKey::of_search(self.seed, position.move_number);
        let (board, rollouts) = (position.board, &self.rollouts);
        match &mut self.form {
            SearchForm::AsReleased(flat) => flat.search(board, key, budget, rollouts),
            SearchForm::AsWritten { tree, is_kept } => match self.last {
                Some((move_number, chosen)) if *is_kept && move_number + 1 == position.move_number => {
                    tree.search_on(chosen, board, key, budget, rollouts)
                }
                _ => tree.search(board, key, budget, rollouts),
            },
        }
    }
}

fn rollouts_of(budget: Budget) -> Result<u32, Failure> {
    match budget {
        Budget::Playouts(playouts @ 1..=MOST_ROLLOUTS) => Ok(playouts as u32),
        other => Err(format!("the budget is {other}: it must be 1 to {MOST_ROLLOUTS} playouts").into()),
    }
}

engine::export_agents![ChenUct, TwoDirections];
