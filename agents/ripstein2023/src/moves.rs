//! The player's moves under the rules of the game, and which of several valued ones is played.

use engine::{Afterstate, Board, Direction, Rules, Slides};

/// The order in which the released code looks at the directions; only a larger value replaces the best so far.
///
/// DEVIATION: the released classes also value illegal directions: at the current score, at 0, and in the trial of Bellman's equation
/// with a V of 0. No legal move is ever worth less than that, so an illegal direction wins nothing but a draw with moves after
/// which nothing more is scored; there the released code tries directions until one is legal, and the first legal one is taken here (D-8,
/// D-16).
pub const MOVE_ORDER: [Direction; 4] = [Direction::Right, Direction::Left, Direction::Up, Direction::Down];

/// A legal move of the player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// Where the tiles slide to.
    pub direction: Direction,
    /// The board that awaits a spawn.
    pub afterstate: Afterstate,
    /// What the slide scores.
    pub reward: u32,
    /// Whether it made the tile at which the rules stop, or 65536: then nothing spawns.
    pub ends_game: bool,
}

/// The rules, as far as moves need them. Every rule that the engine knows can be played.
#[derive(Clone, Copy)]
pub struct Moves {
    slides: &'static Slides,
    stop_rank: Option<u8>,
}

impl Moves {
    /// Moves under these rules.
    pub fn new(rules: &Rules) -> Self {
        Self { slides: Slides::of(rules.merging), stop_rank: rules.stop_at.map(|stop| stop.rank()) }
    }

    /// The legal moves of a board, in [`MOVE_ORDER`]: the set A of section 3.2.
    pub fn legal(&self, board: Board) -> impl Iterator<Item = Move> + use<> {
        let Self { slides, stop_rank } = *self;
        MOVE_ORDER.into_iter().filter_map(move |direction| {
            let slide = slides.slide(board, direction)?;
            Some(Move {
                direction,
                afterstate: slide.afterstate,
                reward: slide.reward,
                ends_game: slide.ends_game(stop_rank),
            })
        })
    }
}
