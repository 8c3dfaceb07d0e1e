//! On games small enough to be solved, the tree comes to what value iteration finds.

#[path = "../../../engine/tests/common/small_game.rs"]
mod small_game;

use std::collections::HashMap;

use chen2023::measure::Measure;
use chen2023::rollout::{RolloutPolicy, Rollouts};
use chen2023::stream_key::StreamKey;
use chen2023::tree::Tree;
use chen2023::{Params, TreeKind};
use engine::naive::NaiveBoard;
use engine::{AgentSeed, Board, Direction, Rng, Rules};
use small_game::{SmallGame, mean};

/// Boards with few empty cells and tiles up to 16.
fn boards() -> impl Iterator<Item = Board> {
    let mut rng = Rng::from_seed(32);
    std::iter::from_fn(move || {
        let mut ranks = std::array::from_fn(|_| 1 + rng.below(4) as u8);
        (0..1 + rng.below(2)).for_each(|_| ranks[rng.below(16) as usize] = 0);
        Board::from_ranks(ranks)
    })
    .filter(|board| board.legal_moves().len() >= 2)
}

/// A small game, with the value of each of its first moves under perfect play.
struct Case {
    rules: Rules,
    measure: Measure,
    board: Board,
    optimal: Vec<(Direction, f64)>,
}

impl Case {
    /// The first small game whose best move is ahead of the others by this share of its value.
    fn new(measure: Measure, lead: f64) -> Self {
        let rules = Rules { stop_at: 32.try_into().ok(), ..Rules::default() };
        let case = |board: Board| {
            let end = |board: &NaiveBoard| f64::from(measure.of(*Board::from_ranks(board.0).unwrap()));
            let (ended, dead, values) = (&end, &end, HashMap::new());
            let mut game = SmallGame { rules: &rules, opponent: mean, ended, dead, most_boards: 120, values };
            let optimal = game.moves(board)?;
            let is_small_game = game.values.len() > 20;
            let case = Self { rules: rules.clone(), measure, board, optimal };
            (is_small_game && case.lead() >= lead * case.best().1).then_some(case)
        };
        boards().find_map(case).expect("a small game")
    }

    fn best(&self) -> (Direction, f64) {
        self.optimal.iter().copied().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap()
    }

    /// How far the second best move is behind.
    fn lead(&self) -> f64 {
        let (best, value) = self.best();
        let others = self.optimal.iter().filter(|&&(other, _)| other != best);
        value - others.map(|&(_, value)| value).fold(0.0, f64::max)
    }

    /// The move that a search comes to, and by what share its mean is off the optimum.
    fn search(&self, rollouts: u32) -> (Direction, f64) {
        let params = Params { measure: self.measure, tree: TreeKind::AsWritten, ..Params::default() };
        let played = Rollouts::new(&self.rules, RolloutPolicy::Greedy, self.measure);
        let key = StreamKey::of_search(AgentSeed(5), 0);
        let found = Tree::new(params.settings(&self.rules)).search(self.board, key, rollouts, &played);
        let (direction, stats) = found.moves[found.chosen].unwrap();
        let (_, optimum) = self.best();
        (direction, (stats.mean().unwrap() - optimum).abs() / optimum)
    }
}

/// The exploration term is weighed by the whole value of a rollout, so it takes many rollouts.
#[test]
fn the_tree_comes_to_the_optimum() {
    let (mut error_at_first, mut error_at_last) = (0.0, 0.0);
    for measure in [Measure::Sum, Measure::Mine, Measure::MineWithoutSum, Measure::MineWithRow] {
        for lead in [0.0, 0.01, 0.03] {
            let case = Case::new(measure, lead);
            let (direction, error) = case.search(300_000);
            let Case { board, optimal, .. } = &case;
            assert!(error < 0.015, "{board}, {measure:?}: {error} off {optimal:?}");
            assert!(
                lead < 0.03 || direction == case.best().0,
                "{board}, {measure:?}: {direction:?} of {optimal:?}"
            );
            error_at_first += case.search(300).1;
            error_at_last += error;
        }
    }
    assert!(error_at_last < 0.5 * error_at_first, "{error_at_first} became {error_at_last}");
}
