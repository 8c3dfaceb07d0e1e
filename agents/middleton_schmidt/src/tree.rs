//! The tree that all three searches walk: the moves of a board and the spawns of an afterstate, under the rules of the game.

use engine::agent::{Budget, Decision, Failure, MoveValues};
use engine::{Afterstate, Board, Direction, Grid, Odds, Rules, Slides};

use crate::heuristic::Heuristic;

/// The order in which moves are tried. Of equal ones the first is played, since only a larger value replaces it (D-6).
pub const MOVE_ORDER: [Direction; 4] = [Direction::Up, Direction::Down, Direction::Left, Direction::Right];

/// A move in the tree: where the tiles stand after it, and whether the game is over by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// The slid board.
    pub afterstate: Afterstate,
    /// Whether it made the tile at which the rules stop, or 65536. Nothing spawns then, and the search ends too (D-5).
    pub ends_game: bool,
}

/// The rules of the game, as far as a search needs them. Every rule that the engine knows can be searched.
#[derive(Clone, Copy)]
pub struct Tree {
    slides: &'static Slides,
    four: Odds,
    stop_rank: Option<u8>,
}

impl Tree {
    /// The tree of the game under these rules.
    pub fn new(rules: &Rules) -> Self {
        let stop_rank = rules.stop_at.map(|stop| stop.rank());
        Self { slides: Slides::of(rules.merging), four: rules.four, stop_rank }
    }

    /// The player's move in a direction; none where nothing would change.
    #[inline]
    pub fn slide(&self, board: Board, direction: Direction) -> Option<Move> {
        let slide = self.slides.slide(board, direction)?;
        Some(Move { afterstate: slide.afterstate, ends_game: slide.ends_game(self.stop_rank) })
    }

    /// The player's legal moves, in [`MOVE_ORDER`].
    #[inline]
    pub fn moves(&self, board: Board) -> impl Iterator<Item = Move> {
        MOVE_ORDER.into_iter().filter_map(move |direction| self.slide(board, direction))
    }

    /// Values every legal move of a board. `value` gives that of a move and the positions expanded for it.
    pub(crate) fn value_moves(&self, board: Board, mut value: impl FnMut(Move) -> (f64, u64)) -> MoveValues {
        let mut values = MoveValues::default();
        for direction in MOVE_ORDER {
            if let Some(slid) = self.slide(board, direction) {
                let (value, nodes) = value(slid);
                values.set(direction, value, nodes);
            }
        }
        values
    }

    /// The odds of a spawned 4.
    pub const fn four(&self) -> Odds {
        self.four
    }

    /// The ranks of tiles that can spawn.
    pub(crate) fn spawned_ranks(&self) -> &'static [u8] {
        match (self.four.numerator(), self.four.denominator()) {
            (0, _) => &[1],
            (fours, all) if fours == all => &[2],
            _ => &[1, 2],
        }
    }

    /// The value of a board at which the search ends after a spawn.
    #[inline]
    pub(crate) fn leaf_board(&self, heuristic: &impl Heuristic, board: Board) -> f64 {
        if board.legal_moves().is_empty() { heuristic.lost(*board) } else { heuristic.value(*board) }
    }

    /// The value of a board at which the search ends after one more move: that of its best afterstate. With one that is worth
    /// `enough`, the others are not looked at.
    ///
    /// Most of the time goes here. Heuristics do not see which way the board is mirrored, so columns slide as the rows of the
    /// mirrored board, and are valued there. Which tile a move makes does not matter: its afterstate is a leaf anyway.
    #[inline]
    pub(crate) fn best_leaf(&self, heuristic: &impl Heuristic, board: Board, enough: f64) -> f64 {
        let mut best = f64::NEG_INFINITY;
        for grid in [*board, board.transposed()] {
            for slid in [self.towards_low(grid), self.towards_high(grid)] {
                if slid != grid {
                    let value = heuristic.value(slid);
                    best = if value > best { value } else { best };
                }
                if best >= enough {
                    return best;
                }
            }
        }
        if best == f64::NEG_INFINITY { heuristic.lost(*board) } else { best }
    }

    #[inline]
    fn towards_low(&self, grid: Grid) -> Grid {
        from_rows(grid.rows().map(|row| self.slides.row_towards_low(row)))
    }

    #[inline]
    fn towards_high(&self, grid: Grid) -> Grid {
        from_rows(grid.rows().map(|row| self.slides.row_towards_high(row)))
    }
}

/// The decision for the best of the valued moves, of equals the first in [`MOVE_ORDER`]. The root itself is
/// expanded as well.
pub(crate) fn decide(values: &MoveValues, layers: u32, budget: Budget) -> Result<Decision, Failure> {
    let nodes = 1 + values.total_nodes();
    Ok(Decision { nodes, ..values.decide(MOVE_ORDER, layers, budget.amount())? })
}

#[inline]
fn from_rows([a, b, c, d]: [u16; 4]) -> Grid {
    *Board::from_packed(u64::from(a) | u64::from(b) << 16 | u64::from(c) << 32 | u64::from(d) << 48)
}
