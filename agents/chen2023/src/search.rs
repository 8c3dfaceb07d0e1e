//! What both forms of the search have in common: the game that they look into, what can be set, and what
//! comes out.

use engine::{Afterstate, Board, Direction, Rules};

use crate::final_choice::FinalChoice;
use crate::measure::Measure;
use crate::uct::{Arms, Stats};

/// The game as a search sees it.
#[derive(Clone, Copy)]
pub struct Model {
    /// Its rules.
    pub game: engine::Model,
    /// What the end of a game is worth.
    pub measure: Measure,
}

/// A legal move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// Where the tiles slide.
    pub direction: Direction,
    /// The board after the slide.
    pub afterstate: Afterstate,
    /// The measure of that board where the move ends the game.
    pub end: Option<u32>,
}

impl Move {
    /// In the place of a move where there is none.
    pub(crate) const NOTHING: Self =
        Self { direction: Direction::Up, afterstate: Afterstate::EMPTY, end: Some(0) };

    /// How many boards can come of it: a 2 or a 4 in each empty cell, unless it ends the game.
    pub fn spawns(&self) -> usize {
        if self.end.is_some() { 0 } else { 2 * self.afterstate.empty_count() as usize }
    }
}

impl Model {
    /// The game under these rules.
    pub fn new(rules: &Rules, measure: Measure) -> Self {
        Self { game: engine::Model::new(rules), measure }
    }

    /// The legal moves, in the order of the released program: up, right, down, left.
    pub fn moves(self, board: Board) -> impl Iterator<Item = Move> {
        self.game.moves(board, Direction::ALL).map(move |(direction, slide)| {
            let end = self.game.ends_game(&slide).then(|| self.measure.of(*slide.afterstate));
            Move { direction, afterstate: slide.afterstate, end }
        })
    }
}

/// What can be set about a search.
#[derive(Clone, Copy)]
pub struct Settings {
    /// The game.
    pub model: Model,
    /// The constant C in front of the exploration term.
    pub exploration: f64,
    /// Which move is played in the end.
    pub final_choice: FinalChoice,
}

/// Where the number of iterations of a search ends.
#[derive(Clone, Copy, Debug, Default)]
pub struct IterationLimits {
    /// This many in any case.
    pub least: u32,
    /// This many where the final choice is not settled before.
    pub most: u32,
}

impl IterationLimits {
    /// A search whose final choice is not settled goes on, at most for as long again (D-7).
    pub const fn of(iterations: u32) -> Self {
        Self { least: iterations, most: 2 * iterations }
    }

    /// Whether a search is over that has done this many iterations.
    #[inline]
    pub fn reached(self, done: u32, is_settled: impl FnOnce() -> bool) -> bool {
        done >= self.least && (done >= self.most || is_settled())
    }

    /// How far it makes sense to look ahead from there.
    #[inline]
    pub fn horizon(self, done: u32) -> u32 {
        /// Past the least, every further iteration may be the last.
        const STEP: u32 = 16;
        if done < self.least { self.least } else { self.most.min(done + STEP) }
    }
}

/// What a search came to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SearchSummary {
    /// The moves of the root, each with what the search did there; none beyond the number of legal ones.
    pub moves: [Option<(Direction, Stats)>; 4],
    /// The number of the one to play.
    pub chosen: usize,
    /// The rollouts that the search asked for.
    pub rollouts: u64,
    /// Those that were played, guesses that were not asked for included.
    pub played: u64,
    /// The most moves from the root to a rollout's start.
    pub depth: u32,
}

impl SearchSummary {
    /// Makes the final choice among the moves in these directions. The rollout from the root had the value
    /// `leaf`; `log_root` is `sqrt(ln(N + 1))`.
    pub fn new(
        directions: impl Iterator<Item = Direction>,
        tried: &Arms,
        leaf: u32,
        log_root: f64,
        settings: &Settings,
    ) -> Self {
        let mut found = Self::default();
        let mut legal = 0;
        for direction in directions {
            found.moves[legal] = Some((direction, tried.stats(legal)));
            legal += 1;
        }
        let weight = settings.exploration * f64::from(leaf);
        found.chosen = settings.final_choice.choose(tried, legal, weight, log_root);
        found
    }
}
