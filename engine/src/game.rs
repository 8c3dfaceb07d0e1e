//! One game: the board, the tile stream and the score, moved on by directions until it ends.

mod replay;

use std::fmt;
use std::str::FromStr;

use serde::de::IntoDeserializer as _;
use serde::de::value::Error as NameError;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::board::{Board, MAX_PACKED_RANK};
use crate::direction::{Direction, Directions};
use crate::model::Model;
use crate::naive::NaiveBoard;
use crate::placement::{IllegalTile, Placement};
use crate::rules::{Rules, Spawning};
use crate::seed::{Rng, TileSeed};
use crate::slide::Slide;
use crate::spawn;
pub use replay::Replay;

/// How a game came to its end. The first three are the game's own; the others are the agent's fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// No direction was legal.
    NoMoves,
    /// A slide made the tile at which the rules stop.
    StoppedAtTile,
    /// A slide made 65536.
    TileCap,
    /// The agent chose a direction that changes nothing, or none at all, or placed a tile where none can go.
    IllegalMove,
    /// The agent reported an error.
    AgentError,
    /// The agent's process died.
    AgentCrash,
    /// The agent took longer over a move than the limit allows.
    Timeout,
    /// The agent ran into a limit of its resources.
    ResourceLimit,
}

impl Ending {
    /// The word for it in records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::NoMoves => "no-moves",
            Self::StoppedAtTile => "stopped-at-tile",
            Self::TileCap => "tile-cap",
            Self::IllegalMove => "illegal-move",
            Self::AgentError => "agent-error",
            Self::AgentCrash => "agent-crash",
            Self::Timeout => "timeout",
            Self::ResourceLimit => "resource-limit",
        }
    }

    /// Whether the agent is to blame, so that the game's result says nothing about its play.
    pub const fn is_fault(self) -> bool {
        !matches!(self, Self::NoMoves | Self::StoppedAtTile | Self::TileCap)
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Ending {
    type Err = NameError;

    fn from_str(name: &str) -> Result<Self, NameError> {
        Self::deserialize(name.into_deserializer())
    }
}

/// The direction that was asked for changes nothing, or the game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{} is illegal here; legal: {}", .direction.letter(), listed(*.legal))]
pub struct IllegalMove {
    /// What was asked for.
    pub direction: Direction,
    /// What would have been legal.
    pub legal: Directions,
}

fn listed(legal: Directions) -> String {
    if legal.is_empty() {
        return "none: the game is over".to_owned();
    }
    legal.iter().map(Direction::letter).collect()
}

/// Why a move was not played, with the source's own reason `E` for having no tile.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TurnError<E> {
    /// The direction is illegal.
    #[error(transparent)]
    Move(#[from] IllegalMove),
    /// The tile is.
    #[error("{0}")]
    Tile(IllegalTile),
    /// There is no tile.
    #[error("{0}")]
    Unplaced(E),
}

/// A game in progress.
///
/// ```
/// use engine::{Game, Rules, TileSeed};
///
/// let mut game = Game::new(&Rules::default(), TileSeed::derive(2048, 0));
/// while let Some(direction) = game.legal_moves().iter().next() {
///     game.play(direction)?;
/// }
/// assert_eq!(game.ending(), Some(engine::Ending::NoMoves));
/// # Ok::<(), engine::IllegalMove>(())
/// ```
#[derive(Clone)]
pub struct Game {
    model: Model,
    spawning: Spawning,
    tiles: Rng,
    board: Board,
    score: u32,
    moves: u32,
    ending: Option<Ending>,
    /// The last board of a game that ended by making 65536, which the packed form cannot hold.
    capped: Option<NaiveBoard>,
}

impl Game {
    /// Begins the game that the rules and the tile seed stand for.
    pub fn new(rules: &Rules, seed: TileSeed) -> Self {
        let mut tiles = seed.rng();
        let board = spawn::start(rules, &mut tiles);
        let mut game = Self {
            model: Model::new(rules),
            spawning: rules.spawn,
            tiles,
            board,
            score: 0,
            moves: 0,
            ending: None,
            capped: None,
        };
        game.end_without_moves();
        game
    }

    /// Plays one move: slides, scores, and unless that ended the game, spawns a tile by chance. Under rules
    /// that leave the tiles to an adversary, [`Game::play_with`] is the way.
    ///
    /// # Errors
    /// Returns an error if the direction is illegal; the game stays as it was.
    pub fn play(&mut self, direction: Direction) -> Result<(), IllegalMove> {
        debug_assert!(self.spawning.is_random(), "an adversary places the tiles of this game");
        let slide = self.slide(direction)?;
        if !self.ends_by(direction, &slide) {
            let board = self.model.spawn(slide.afterstate, &mut self.tiles);
            self.go_on(&slide, board);
        }
        Ok(())
    }

    /// Plays one move, with a tile from whom the rules say: chance, or `place`, which is asked for one unless
    /// the slide ends the game. Returns the tile that was placed.
    ///
    /// # Errors
    /// Returns an error if the direction or the tile is illegal, or there is no tile; the game stays as it
    /// was.
    pub fn play_with<E>(
        &mut self,
        direction: Direction,
        place: impl FnOnce(&Slide) -> Result<Placement, E>,
    ) -> Result<Option<Placement>, TurnError<E>> {
        if self.spawning.is_random() {
            self.play(direction)?;
            return Ok(None);
        }
        let slide = self.slide(direction)?;
        if self.ends_by(direction, &slide) {
            return Ok(None);
        }
        let placement = place(&slide).map_err(TurnError::Unplaced)?;
        let board = placement.on(slide.afterstate, self.model.four).map_err(TurnError::Tile)?;
        self.go_on(&slide, board);
        Ok(Some(placement))
    }

    fn slide(&self, direction: Direction) -> Result<Slide, IllegalMove> {
        let slide = self.ending.is_none().then(|| self.model.slide(self.board, direction)).flatten();
        slide.ok_or_else(|| IllegalMove { direction, legal: self.legal_moves() })
    }

    /// Ends the game if this slide does, and returns whether it did.
    fn ends_by(&mut self, direction: Direction, slide: &Slide) -> bool {
        self.ending = self.model.ending(slide);
        match self.ending {
            None => return false,
            Some(Ending::TileCap) => self.capped = Some(self.model.final_tiles(self.board, direction)),
            Some(_) => self.board = Board::from_packed(slide.afterstate.packed()),
        }
        self.count(slide);
        true
    }

    fn go_on(&mut self, slide: &Slide, board: Board) {
        self.count(slide);
        self.board = board;
        self.end_without_moves();
    }

    fn count(&mut self, slide: &Slide) {
        self.score += slide.reward;
        self.moves += 1;
    }

    fn end_without_moves(&mut self) {
        if self.board.legal_moves().is_empty() {
            self.ending = Some(Ending::NoMoves);
        }
    }

    /// The board that awaits a move. In a finished game it is the last packed one: see [`Game::ranks`].
    pub const fn board(&self) -> Board {
        self.board
    }

    /// The legal directions; none once the game has ended.
    pub const fn legal_moves(&self) -> Directions {
        if self.ending.is_some() { Directions::NONE } else { self.board.legal_moves() }
    }

    /// The points so far.
    pub const fn score(&self) -> u32 {
        self.score
    }

    /// The moves played so far.
    pub const fn moves(&self) -> u32 {
        self.moves
    }

    /// How the game ended, if it has.
    pub const fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// The board as it stands, a 65536 tile included.
    pub fn ranks(&self) -> NaiveBoard {
        self.capped.unwrap_or_else(|| NaiveBoard::from(*self.board))
    }

    /// The largest rank on the board, 16 where the game ended by making 65536.
    pub fn max_rank(&self) -> u8 {
        debug_assert!(self.capped.is_some() || self.board.max_rank() <= MAX_PACKED_RANK);
        self.ranks().0.into_iter().max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Odds, Scatter, Start};

    fn from_board(text: &str, stop_at: Option<u32>) -> Game {
        let start = Start::Board(text.parse().unwrap());
        let stop_at = stop_at.map(|tile| tile.try_into().unwrap());
        Game::new(&Rules { start, stop_at, ..Rules::default() }, TileSeed(7))
    }

    #[test]
    fn nothing_spawns_after_an_illegal_move() {
        let mut game = from_board("2 4 . . / . . . . / . . . . / . . . .", None);
        let before = (game.board(), game.tiles.clone());
        assert!(game.play(Direction::Left).is_err());
        assert_eq!(
            (game.board(), game.tiles.clone(), game.score(), game.moves()),
            (before.0, before.1, 0, 0)
        );
    }

    #[test]
    fn one_tile_spawns_after_a_legal_move_and_scores_nothing() {
        let fours = Rules { four: Odds::new(1, 1).unwrap(), ..Rules::default() };
        let mut game = Game::new(&fours, TileSeed(3));
        assert_eq!(game.board().tile_sum(), 8);
        let direction = game.legal_moves().iter().next().unwrap();
        game.play(direction).unwrap();
        assert_eq!(game.board().tile_sum(), 12);
        assert!(game.score() == 0 || game.score() == 8, "a spawned 4 itself brings no points");
    }

    #[test]
    fn the_move_that_makes_the_stop_tile_ends_the_game_before_a_spawn() {
        let mut game = from_board("1024 1024 . . / . . . . / . . . . / . . . .", Some(2048));
        game.play(Direction::Left).unwrap();
        assert_eq!(game.ending(), Some(Ending::StoppedAtTile));
        assert_eq!(game.ranks().to_string(), "2048 . . . / . . . . / . . . . / . . . .");
        assert_eq!(game.score(), 2048);
        assert!(game.play(Direction::Right).is_err());
    }

    #[test]
    fn making_65536_scores_and_ends_every_game() {
        let mut game = from_board("32768 32768 2 . / . . . . / . . . . / . . . .", None);
        game.play(Direction::Left).unwrap();
        assert_eq!(game.ending(), Some(Ending::TileCap));
        assert_eq!(game.ranks().to_string(), "65536 2 . . / . . . . / . . . . / . . . .");
        assert_eq!((game.score(), game.max_rank()), (65536, 16));
    }

    #[test]
    fn a_game_without_tiles_ends_before_its_first_move() {
        let nothing = Start::Scatter(Scatter { empty: 1, two: 0, four: 0, eight: 0 });
        let game = Game::new(&Rules { start: nothing, ..Rules::default() }, TileSeed(1));
        assert_eq!((game.ending(), game.moves(), game.score()), (Some(Ending::NoMoves), 0, 0));
    }

    #[test]
    fn an_adversary_places_the_tiles_and_a_refused_one_leaves_the_game_as_it_was() {
        let start = Start::Board("2 2 . . / . . . . / . . . . / . . . .".parse().unwrap());
        let rules = Rules { start, spawn: Spawning::Adversarial, ..Rules::default() };
        let mut game = Game::new(&rules, TileSeed(7));
        let placed = |text: &'static str| move |_: &Slide| text.parse::<Placement>();
        let taken = game.play_with(Direction::Left, placed("02"));
        assert!(matches!(taken, Err(TurnError::Tile(IllegalTile::Taken(_)))), "{taken:?}");
        let none = game.play_with(Direction::Left, placed(""));
        assert!(matches!(none, Err(TurnError::Unplaced(_))), "{none:?}");
        let illegal = game.play_with(Direction::Up, placed("f2"));
        assert!(matches!(illegal, Err(TurnError::Move(_))), "{illegal:?}");
        assert_eq!((game.moves(), game.score()), (0, 0));
        assert_eq!(game.play_with(Direction::Left, placed("f4")).unwrap(), "f4".parse().ok());
        assert_eq!(game.board().to_string(), "4 . . . / . . . . / . . . . / . . . 4");
        assert_eq!((game.moves(), game.score()), (1, 4));
    }

    #[test]
    fn no_tile_is_asked_for_after_a_slide_that_ends_the_game() {
        let start = Start::Board("4 4 . . / . . . . / . . . . / . . . .".parse().unwrap());
        let stop_at = Some(8.try_into().unwrap());
        let rules = Rules { start, stop_at, spawn: Spawning::Adversarial, ..Rules::default() };
        let mut game = Game::new(&rules, TileSeed(7));
        let unasked = |_: &Slide| -> Result<Placement, &str> { Err("asked") };
        assert_eq!(game.play_with(Direction::Left, unasked), Ok(None));
        assert_eq!((game.ending(), game.score()), (Some(Ending::StoppedAtTile), 8));
    }

    #[test]
    fn endings_round_trip_through_their_names() {
        use Ending::*;
        let own = [NoMoves, StoppedAtTile, TileCap].map(|ending| (ending, false));
        let faults =
            [IllegalMove, AgentError, AgentCrash, Timeout, ResourceLimit].map(|ending| (ending, true));
        for (ending, is_fault) in own.into_iter().chain(faults) {
            assert_eq!(ending.name().parse(), Ok(ending));
            assert_eq!(serde_json::to_value(ending).unwrap(), ending.name());
            assert_eq!(ending.is_fault(), is_fault);
        }
    }
}
