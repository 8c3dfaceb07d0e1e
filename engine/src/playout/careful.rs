//! The plain way through a playout, for the rare ones that hold a tile which the lanes cannot.

use super::Playout;
use super::policy::Policy;
use crate::board::Board;
use crate::direction::Direction;
use crate::game::Ending;
use crate::rules::Odds;
use crate::seed::Rng;
use crate::slide::{Slide, Slides};
use crate::spawn;

/// The rules of a playout, as far as they matter to it.
#[derive(Clone, Copy)]
pub(super) struct Careful {
    pub(super) slides: &'static Slides,
    pub(super) four: Odds,
    /// The lowest rank that ends a playout by being made, where there is one.
    pub(super) stop_rank: Option<u8>,
}

impl Careful {
    /// Plays from a board to the end.
    pub(super) fn play(self, policy: impl Policy, start: Board, seed: u64) -> Playout {
        let mut rng = Rng::from_seed(seed);
        let mut playout = Playout { board: start, reward: 0, moves: 0, ending: Ending::NoMoves };
        loop {
            let slides = Direction::ALL.map(|direction| self.slides.slide(playout.board, direction));
            let Some(slide) = policy.choose(slides, rng.plus_word()) else { return playout };
            playout.reward += slide.reward;
            playout.moves += 1;
            if let Some(ending) = self.ending(slide) {
                let board = Board::from_packed(slide.afterstate.packed());
                return Playout { board, ending, ..playout };
            }
            playout.board = spawn::spawn(slide.afterstate, self.four, &mut rng);
        }
    }

    fn ending(self, slide: Slide) -> Option<Ending> {
        let is_stopped = || self.stop_rank.is_some_and(|stop| slide.afterstate.max_rank() >= stop);
        if slide.makes_cap { Some(Ending::TileCap) } else { is_stopped().then_some(Ending::StoppedAtTile) }
    }
}
