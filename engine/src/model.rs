//! The game as a search sees it: how boards slide, which tiles spawn, and which slides end the game.

use crate::agent::MoveValues;
use crate::board::{Afterstate, Board};
use crate::direction::Direction;
use crate::game::Ending;
use crate::naive::NaiveBoard;
use crate::rules::{Merging, Odds, Rules};
use crate::seed::Rng;
use crate::slide::{Slide, Slides};
use crate::spawn;

/// What a search needs to know of the rules. Every rule of the engine can be searched.
#[derive(Clone, Copy)]
pub struct Model {
    /// How rows slide.
    pub slides: &'static Slides,
    /// How tiles merge.
    pub merging: Merging,
    /// The odds of a 4.
    pub four: Odds,
    /// The lowest rank that ends the game by being made, if the packed board can hold it.
    pub stop_rank: Option<u8>,
}

impl Model {
    /// The game under these rules.
    pub fn new(rules: &Rules) -> Self {
        Self {
            slides: Slides::of(rules.merging),
            merging: rules.merging,
            four: rules.four,
            stop_rank: rules.stop_at.map(|stop| stop.rank()),
        }
    }

    /// Slides a board; `None` if nothing would change, which is not a legal move.
    #[inline]
    pub fn slide(&self, board: Board, direction: Direction) -> Option<Slide> {
        self.slides.slide(board, direction)
    }

    /// The legal moves of a board, in this order.
    #[inline]
    pub fn moves(
        &self,
        board: Board,
        order: [Direction; 4],
    ) -> impl Iterator<Item = (Direction, Slide)> + use<> {
        let slides = self.slides;
        order.into_iter().filter_map(move |direction| Some((direction, slides.slide(board, direction)?)))
    }

    /// Values the legal moves of a board, in this order. `value` returns the value of a move, and the
    /// positions expanded for it.
    #[inline]
    pub fn value_moves(
        &self,
        board: Board,
        order: [Direction; 4],
        mut value: impl FnMut(Direction, &Slide) -> (f64, u64),
    ) -> MoveValues {
        let mut values = MoveValues::default();
        for (direction, slide) in self.moves(board, order) {
            let (value, nodes) = value(direction, &slide);
            values.set(direction, value, nodes);
        }
        values
    }

    /// Whether a slide ends the game, by the tile at which the rules stop or by 65536.
    #[inline]
    pub fn ends_game(&self, slide: &Slide) -> bool {
        slide.makes_cap || self.stop_rank.is_some_and(|stop| slide.afterstate.has_rank(stop))
    }

    /// The ending that a slide causes by the tile that it makes, if any.
    #[inline]
    pub fn ending(&self, slide: &Slide) -> Option<Ending> {
        let ending = if slide.makes_cap { Ending::TileCap } else { Ending::StoppedAtTile };
        self.ends_game(slide).then_some(ending)
    }

    /// The tiles after a slide, including a 65536, which the packed board cannot hold.
    #[cold]
    pub fn final_tiles(&self, board: Board, direction: Direction) -> NaiveBoard {
        let before = NaiveBoard::from(*board);
        before.slide(direction, self.merging).map_or(before, |slide| slide.board)
    }

    /// The board after a spawned tile.
    #[inline]
    pub fn spawn(&self, afterstate: Afterstate, rng: &mut Rng) -> Board {
        spawn::spawn(afterstate, self.four, rng)
    }
}
