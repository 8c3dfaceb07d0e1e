//! Iteration 1: minimax with iterative deepening until the time is up. The evaluation is the score.

use std::ops::{Add, Sub};

use engine::board::pack_row;
use engine::memo::Memo;
use engine::prelude::*;

use crate::course::{ACTIONS, SPAWNS, possible_count, possible_tiles};
use crate::deepening::{FirstDepth, Late, deepen};
use crate::memo::{MEMO_BITS, MemoKey};
use crate::node_value::{NodeValue, score_of};
use crate::{DEEPENING, Params, about};

/// Iteration 1, "Basic MinMax Agent".
pub struct DeepeningMinimax(Minimax);

impl Agent for DeepeningMinimax {
    type Params = Params;

    const ABOUT: About = about("devdoc-1", "Iteration 1: deepening minimax on the score", DEEPENING);

    fn create(rules: &Rules, Params {}: Params, _host: Host) -> Result<Self, Refusal> {
        Ok(Self(Minimax::new(rules)))
    }

    /// `findMove`
    fn choose_move(&mut self, position: &Position) -> Result<Decision, Failure> {
        let score = score_of(position)?;
        self.0.memo.forget();
        let deepened = deepen(position, Late::Kept, FirstDepth::Counts, |direction, depth| {
            self.0.of_move(position.board, score, direction, depth)
        });
        // A depth counts the player's moves and the tiles that come, as plies do.
        deepened.decide(deepened.depth)
    }
}

/// The two players of the search.
struct Minimax {
    model: Model,
    last_moves: LastMoves,
    memo: Memo<NodeValue>,
}

impl Minimax {
    fn new(rules: &Rules) -> Self {
        Self { model: Model::new(rules), last_moves: LastMoves::new(rules), memo: Memo::new(MEMO_BITS) }
    }

    /// The value of a legal move, searched to a depth of which the move itself is the first layer.
    fn of_move(&mut self, board: Board, score: u32, direction: Direction, depth: u32) -> NodeValue {
        self.slid(board, score, direction, depth - 1).unwrap_or_default()
    }

    /// Slides and goes on with the other player; none if the move is illegal.
    #[inline]
    fn slid(&mut self, board: Board, score: u32, direction: Direction, depth: u32) -> Option<NodeValue> {
        let slide = self.model.slide(board, direction)?;
        let score = score + slide.reward;
        let is_over = self.model.ends_game(&slide);
        Some(if is_over { heuristic(score) } else { self.min_player(slide.afterstate, score, depth) })
    }

    /// `maxPlayer`
    fn max_player(&mut self, board: Board, score: u32, depth: u32) -> NodeValue {
        if depth == 0 {
            return heuristic(score);
        }
        // A dead board keeps the score that it has: so do the loop's starting values.
        let mut best = NodeValue { value: f64::from(score), nodes: 1 };
        for direction in ACTIONS {
            if let Some(NodeValue { value, nodes }) = self.slid(board, score, direction, depth - 1) {
                best = NodeValue { value: value.max(best.value), nodes: nodes + best.nodes };
            }
        }
        best
    }

    /// `minPlayer`
    ///
    /// DEVIATION: its search begins with the first tile, not with a best of 1e6. These agents score no
    /// million.
    fn min_player(&mut self, afterstate: Afterstate, score: u32, depth: u32) -> NodeValue {
        match depth {
            0 => return heuristic(score),
            // A tile that comes scores nothing, so all the boards of a last layer have the same value.
            1 => return NodeValue { value: f64::from(score), nodes: 1 + possible_count(*afterstate) },
            _ => {}
        }
        let key = MemoKey { afterstate, score, depth };
        if let Some(searched) = key.get(&self.memo) {
            return searched;
        }
        let worst = match depth {
            2 => self.last_moves.worst(afterstate, score),
            _ => self.worst(key),
        };
        key.put(&mut self.memo, worst);
        worst
    }

    /// The smallest value over the tiles that may come.
    fn worst(&mut self, MemoKey { afterstate, score, depth }: MemoKey) -> NodeValue {
        let mut worst = NodeValue { value: f64::INFINITY, nodes: 1 };
        for board in possible_tiles(afterstate) {
            let NodeValue { value, nodes } = self.max_player(board, score, depth - 1);
            worst = NodeValue { value: value.min(worst.value), nodes: nodes + worst.nodes };
        }
        worst
    }
}

/// `heuristic`: the score.
fn heuristic(score: u32) -> NodeValue {
    NodeValue::leaf(f64::from(score))
}

/// The last two layers in one: of all tiles that may come, the worst one for the best reward of a move behind
/// it. How the game goes on after that move does not matter to the score, so rewards are all it takes.
struct LastMoves {
    rewards: RowTable<Rewards>,
}

impl LastMoves {
    fn new(rules: &Rules) -> Self {
        let model = Model::new(rules);
        Self { rewards: RowTable::from_fn(|line| Rewards::of_line(&model, line)) }
    }

    /// A tile changes one row and one column: the rewards of all others are looked up once for all tiles.
    fn worst(&self, afterstate: Afterstate, score: u32) -> NodeValue {
        let (rows, columns) = (afterstate.rows(), afterstate.columns());
        let (in_rows, in_columns) = (self.rewards.rows(*afterstate), self.rewards.columns(*afterstate));
        let (mut worst, mut nodes) = (u32::MAX, 1);
        for cell in afterstate.empty_cells() {
            let (row, column) = (rows[cell / 4], columns[cell % 4]);
            let other_rows = in_rows - self.rewards.get(row);
            let other_columns = in_columns - self.rewards.get(column);
            for rank in SPAWNS {
                let row = row | u16::from(rank) << (4 * (cell % 4));
                let column = column | u16::from(rank) << (4 * (cell / 4));
                let horizontal = other_rows + self.rewards.get(row);
                let vertical = other_columns + self.rewards.get(column);
                worst = worst.min(horizontal.best().max(vertical.best()));
                nodes += 1 + u64::from(afterstate.with_spawn(cell, rank).legal_moves().len());
            }
        }
        NodeValue { value: f64::from(score + worst), nodes }
    }
}

/// What a line, or several, bring when they slide towards either end; 0 where nothing merges or moves.
#[derive(Clone, Copy)]
struct Rewards {
    towards_low: u32,
    towards_high: u32,
}

impl Rewards {
    fn of_line(model: &Model, line: [u8; 4]) -> Self {
        let board = Board::from_packed(u64::from(pack_row(line)));
        let reward = |direction| model.slide(board, direction).map_or(0, |slide| slide.reward);
        Self { towards_low: reward(Direction::Left), towards_high: reward(Direction::Right) }
    }

    fn best(self) -> u32 {
        self.towards_low.max(self.towards_high)
    }
}

impl Add for Rewards {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            towards_low: self.towards_low + other.towards_low,
            towards_high: self.towards_high + other.towards_high,
        }
    }
}

impl Sub for Rewards {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self {
            towards_low: self.towards_low - other.towards_low,
            towards_high: self.towards_high - other.towards_high,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::Rng;
    use engine::agent::MoveValues;

    fn values(board: &str, score: u32, depth: u32) -> [NodeValue; 4] {
        let mut search = Minimax::new(&Rules::default());
        let board = board.parse().unwrap();
        ACTIONS.map(|direction| search.of_move(board, score, direction, depth))
    }

    /// Up is illegal. Down brings nothing, left and right merge the 2s:
    ///
    /// `2 . 2 4` down stays as it is, left gives `4 4 . .`, right gives `. . 4 4`.
    const BOARD: &str = "2 . 2 4 / . . . . / . . . . / . . . .";

    #[test]
    fn depth_1_is_the_score_after_the_move() {
        let [_, down, left, right] = values(BOARD, 100, 1);
        assert_eq!(down, NodeValue { value: 100.0, nodes: 1 });
        assert_eq!([left, right], [NodeValue { value: 104.0, nodes: 1 }; 2]);
    }

    #[test]
    fn depth_2_adds_the_tiles_and_changes_no_value() {
        let [_, down, left, right] = values(BOARD, 100, 2);
        // 13 cells are empty after down, 14 after left and right; two tiles may come into each.
        assert_eq!(down, NodeValue { value: 100.0, nodes: 1 + 26 });
        assert_eq!([left, right], [NodeValue { value: 104.0, nodes: 1 + 28 }; 2]);
    }

    #[test]
    fn depth_3_fears_the_worst_tile() {
        let [_, down, left, right] = values(BOARD, 100, 3);
        // After down, a 4 between the 2s leaves `2 4 2 4`, where nothing merges. After left or right no tile
        // comes between the 4s, which make an 8.
        assert_eq!([down, left, right].map(|searched| searched.value), [100.0, 112.0, 112.0]);
    }

    #[test]
    fn depth_1_is_greedy_and_depth_2_makes_the_same_choice() {
        let model = Model::new(&Rules::default());
        let mut search = Minimax::new(&Rules::default());
        let mut rng = Rng::from_seed(1);
        for _ in 0..5000 {
            // Ranks 0 to 3, the low ones more often.
            let board = Board::from_packed(rng.next_u64() & rng.next_u64() & 0x3333_3333_3333_3333);
            let [mut greedy, mut one, mut two] = [MoveValues::default(); 3];
            for direction in ACTIONS {
                if let Some(slide) = model.slide(board, direction) {
                    NodeValue::leaf(f64::from(8 + slide.reward)).set(&mut greedy, direction);
                    search.of_move(board, 8, direction, 1).set(&mut one, direction);
                    search.of_move(board, 8, direction, 2).set(&mut two, direction);
                }
            }
            let best = |values: MoveValues| values.first_best(ACTIONS);
            assert_eq!([best(one), best(two)], [best(greedy); 2]);
        }
    }
}
