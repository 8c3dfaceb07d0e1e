//! Replaying: a game from its directions, with its score taken from the last board, by its [`potential`], instead of from
//! every slide.
//!
//! Whoever checks one game now and then, with other work in between, finds the row tables gone from the caches, and pays for
//! every look-up in memory's time. For them rows slide by arithmetic, which has nothing to fetch.

use super::{Ending, Game, IllegalMove, TurnError};
use crate::board::{Board, ONES};
use crate::direction::{Direction, Directions};
use crate::naive::NaiveBoard;
use crate::placement::Placement;
use crate::rules::{Merging, Odds, Rules, Spawning};
use crate::seed::{Rng, TileSeed};
use crate::slide::{Slides, potential, slid_once};
use crate::spawn;

/// A game that is played again. It is the same game as [`Game`] makes of the same directions.
///
/// ```
/// use engine::game::Replay;
/// use engine::{Game, Rules, TileSeed};
///
/// let (rules, seed) = (Rules::default(), TileSeed::derive(2048, 0));
/// let mut game = Game::new(&rules, seed);
/// let mut replay = Replay::alone(&rules, seed);
/// while let Some(direction) = game.legal_moves().iter().next() {
///     game.play(direction)?;
///     replay.play(direction)?;
/// }
/// assert_eq!((replay.score(), replay.ending()), (game.score(), game.ending()));
/// # Ok::<(), engine::IllegalMove>(())
/// ```
#[derive(Clone)]
pub struct Replay {
    /// The row tables, where they are used.
    tables: Option<&'static Slides>,
    merging: Merging,
    four: Odds,
    stop_rank: Option<u8>,
    spawning: Spawning,
    tiles: Rng,
    board: Board,
    moves: u32,
    ending: Option<Ending>,
    /// The potential of the first board, and 4 for each 4 that spawned since: what the potential is above the score.
    unscored: u32,
    /// The rest of a game that these ways are not for.
    rest: Option<Game>,
}

impl Replay {
    /// Begins the game that the rules and the tile seed stand for, as one of many: rows are looked up in tables.
    pub fn among_many(rules: &Rules, seed: TileSeed) -> Self {
        Self::new(rules, seed, Some(Slides::of(rules.merging)))
    }

    /// Begins the game that the rules and the tile seed stand for, by itself: nothing is looked up.
    pub fn alone(rules: &Rules, seed: TileSeed) -> Self {
        Self::new(rules, seed, None)
    }

    fn new(rules: &Rules, seed: TileSeed, tables: Option<&'static Slides>) -> Self {
        let mut tiles = seed.rng();
        let board = spawn::start(rules, &mut tiles);
        let mut replay = Self {
            tables,
            merging: rules.merging,
            four: rules.four,
            stop_rank: rules.stop_at.map(|stop| stop.rank()),
            spawning: rules.spawn,
            tiles,
            board,
            moves: 0,
            ending: None,
            unscored: potential(*board),
            rest: None,
        };
        replay.settle();
        replay
    }

    /// Plays the next move.
    ///
    /// # Errors
    /// Where the direction is illegal; the game stays as it was.
    pub fn play(&mut self, direction: Direction) -> Result<(), IllegalMove> {
        if let Some(game) = &mut self.rest {
            return game.play(direction);
        }
        let after = match self.tables {
            Some(tables) => tables.slid(self.board, direction),
            None => slid_once(self.board, direction),
        };
        if after.packed() == self.board.packed() || self.ending.is_some() {
            return Err(IllegalMove { direction, legal: self.legal_moves() });
        }
        self.moves += 1;
        if self.stop_rank.is_some_and(|stop| after.max_rank() >= stop) {
            self.board = Board::from_packed(after.packed());
            self.ending = Some(Ending::StoppedAtTile);
        } else {
            self.board = spawn::spawn(after, self.four, &mut self.tiles);
            // A 4 has rank 2, a 2 has rank 1.
            let spawned = self.board.packed() ^ after.packed();
            self.unscored += 4 * u32::from(spawned & (2 * ONES) != 0);
            self.settle();
        }
        Ok(())
    }

    /// Plays the next move, with a tile from whom the rules say, as [`Game::play_with`] does.
    ///
    /// # Errors
    /// Where the direction or the tile is illegal, or there is no tile; the game stays as it was.
    pub fn play_with<E>(
        &mut self,
        direction: Direction,
        place: impl FnOnce() -> Result<Placement, E>,
    ) -> Result<Option<Placement>, TurnError<E>> {
        match &mut self.rest {
            Some(game) => game.play_with(direction, |_| place()),
            None => Ok(self.play(direction).map(|()| None)?),
        }
    }

    /// Whether the game under way has to be played in the plain way: arithmetic merges once, a largest tile may become one that does
    /// not fit, and an adversary's tiles are not drawn.
    fn needs_plain_way(&self) -> bool {
        has_largest_packed(self.board)
            || self.tables.is_none() && self.merging != Merging::Once
            || !self.spawning.is_random()
    }

    /// Sees whether a new board ends the game, or is one for the plain way.
    fn settle(&mut self) {
        if self.board.legal_moves().is_empty() {
            self.ending = Some(Ending::NoMoves);
        } else if self.needs_plain_way() {
            self.rest = Some(Game {
                slides: Slides::of(self.merging),
                merging: self.merging,
                four: self.four,
                stop_rank: self.stop_rank,
                spawning: self.spawning,
                tiles: self.tiles.clone(),
                board: self.board,
                score: self.score(),
                moves: self.moves,
                ending: None,
                capped: None,
            });
        }
    }

    fn legal_moves(&self) -> Directions {
        if self.ending.is_some() { Directions::NONE } else { self.board.legal_moves() }
    }

    /// The points so far.
    pub fn score(&self) -> u32 {
        self.rest.as_ref().map_or_else(|| potential(*self.board) - self.unscored, Game::score)
    }

    /// The moves played so far.
    pub fn moves(&self) -> u32 {
        self.rest.as_ref().map_or(self.moves, Game::moves)
    }

    /// How the game ended, if it has.
    pub fn ending(&self) -> Option<Ending> {
        self.rest.as_ref().map_or(self.ending, Game::ending)
    }

    /// The board as it stands, a 65536 tile included.
    pub fn ranks(&self) -> NaiveBoard {
        self.rest.as_ref().map_or_else(|| NaiveBoard::from(*self.board), Game::ranks)
    }

    /// The largest rank on the board, 16 where the game ended by making 65536.
    pub fn max_rank(&self) -> u8 {
        self.rest.as_ref().map_or_else(|| self.board.max_rank(), Game::max_rank)
    }
}

/// Whether a board has a 32768 tile: two of them make what does not fit.
fn has_largest_packed(board: Board) -> bool {
    let x = board.packed();
    x & x >> 1 & x >> 2 & x >> 3 & ONES != 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conformance::rule_sets;

    /// Plays a game in both ways, by directions that chance picks, some of them illegal, and compares all that can be seen.
    fn assert_same_game(rules: &Rules, seed: u64) {
        for begin in [Replay::alone, Replay::among_many] {
            let mut chance = Rng::from_seed(seed);
            let mut game = Game::new(rules, TileSeed(seed));
            let mut replay = begin(rules, TileSeed(seed));
            loop {
                assert_eq!((replay.score(), replay.moves()), (game.score(), game.moves()));
                assert_eq!((replay.ending(), replay.max_rank()), (game.ending(), game.max_rank()));
                assert_eq!(replay.ranks(), game.ranks());
                if game.ending().is_some() {
                    break;
                }
                let direction = Direction::ALL[chance.below(4) as usize];
                assert_eq!(replay.play(direction), game.play(direction));
            }
            for direction in Direction::ALL {
                assert_eq!(replay.play(direction), game.play(direction));
            }
        }
    }

    #[test]
    fn a_replay_is_the_game_under_all_rules() {
        for (_, rules) in rule_sets() {
            (0..200).for_each(|seed| assert_same_game(&rules, seed));
        }
    }

    #[test]
    fn a_replay_is_the_game_up_to_the_largest_tiles() {
        for text in [
            "16384 16384 8192 8192 / 2 . . . / . . . . / . . . 2",
            "32768 16384 8192 8192 / 2 . . . / . . . . / . . . 2",
            "32768 4 2 2 / 32768 8 4 2 / 2 . . . / . . . .",
        ] {
            let start = crate::rules::Start::Board(text.parse().unwrap());
            let rules = Rules { start, ..Rules::default() };
            (0..200).for_each(|seed| assert_same_game(&rules, seed));
        }
    }
}
