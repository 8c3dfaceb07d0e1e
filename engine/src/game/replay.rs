//! Replaying: a game from its directions. Its score comes from the [`potential`] of the last board, not from
//! every slide.
//!
//! A check of one game now and then, with other work in between, finds the row tables gone from the caches,
//! and every look-up waits for memory. For such checks, rows slide by arithmetic, which has nothing to fetch.

use super::{Ending, Game, IllegalMove, TurnError};
use crate::board::{Board, ONES};
use crate::direction::Direction;
use crate::naive::NaiveBoard;
use crate::placement::Placement;
use crate::rules::{Merging, Rules};
use crate::seed::TileSeed;
use crate::slide::{potential, slid_once};

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
    /// The game. Its score is counted only in the plain way.
    game: Game,
    way: Way,
    /// The potential of the first board, and 4 for each spawned 4 since: what the potential is above the
    /// score.
    unscored: u32,
}

/// How the boards of a replay slide.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// Rows are looked up in tables.
    Tables,
    /// Rows slide by arithmetic. Tiles merge once.
    Arithmetic,
    /// The game plays itself, because of a tile that may not fit, or of an adversary.
    Plain,
}

impl Replay {
    /// Starts the game of these rules and this tile seed as one of many: rows are looked up in tables.
    pub fn among_many(rules: &Rules, seed: TileSeed) -> Self {
        Self::new(rules, seed, Way::Tables)
    }

    /// Starts the game of these rules and this tile seed alone: nothing is looked up, unless tiles cascade.
    pub fn alone(rules: &Rules, seed: TileSeed) -> Self {
        Self::new(rules, seed, Way::Arithmetic)
    }

    fn new(rules: &Rules, seed: TileSeed, way: Way) -> Self {
        let game = Game::new(rules, seed);
        let unscored = potential(*game.board);
        let is_plain = !rules.spawn.is_random() || way == Way::Arithmetic && rules.merging != Merging::Once;
        let mut replay = Self { game, way: if is_plain { Way::Plain } else { way }, unscored };
        replay.take_plain_way();
        replay
    }

    /// Plays the next move.
    ///
    /// # Errors
    /// Returns an error if the direction is illegal; the game stays as it was.
    pub fn play(&mut self, direction: Direction) -> Result<(), IllegalMove> {
        let game = &mut self.game;
        let after = match self.way {
            Way::Plain => return game.play(direction),
            Way::Tables => game.model.slides.slid(game.board, direction),
            Way::Arithmetic => slid_once(game.board, direction),
        };
        if after.packed() == game.board.packed() || game.ending.is_some() {
            return Err(IllegalMove { direction, legal: game.legal_moves() });
        }
        game.moves += 1;
        if game.model.stop_rank.is_some_and(|stop| after.has_rank(stop)) {
            game.board = Board::from_packed(after.packed());
            game.ending = Some(Ending::StoppedAtTile);
        } else {
            game.board = game.model.spawn(after, &mut game.tiles);
            // A 4 has rank 2, a 2 has rank 1.
            let spawned = game.board.packed() ^ after.packed();
            self.unscored += 4 * u32::from(spawned & (2 * ONES) != 0);
            game.end_without_moves();
            self.take_plain_way();
        }
        Ok(())
    }

    /// Plays the next move, with a tile from whom the rules say, as [`Game::play_with`] does.
    ///
    /// # Errors
    /// Returns an error if the direction or the tile is illegal, or there is no tile; the game stays as it
    /// was.
    pub fn play_with<E>(
        &mut self,
        direction: Direction,
        place: impl FnOnce() -> Result<Placement, E>,
    ) -> Result<Option<Placement>, TurnError<E>> {
        match self.way {
            Way::Plain => self.game.play_with(direction, |_| place()),
            Way::Tables | Way::Arithmetic => Ok(self.play(direction).map(|()| None)?),
        }
    }

    /// Takes the plain way if the largest tiles of the board may merge to one that does not fit.
    fn take_plain_way(&mut self) {
        if self.way != Way::Plain && self.game.ending.is_none() && has_largest_packed(self.game.board) {
            self.game.score = self.score();
            self.way = Way::Plain;
        }
    }

    /// The points so far.
    pub fn score(&self) -> u32 {
        match self.way {
            Way::Plain => self.game.score,
            Way::Tables | Way::Arithmetic => potential(*self.game.board) - self.unscored,
        }
    }

    /// The moves played so far.
    pub const fn moves(&self) -> u32 {
        self.game.moves
    }

    /// How the game ended, if it has.
    pub const fn ending(&self) -> Option<Ending> {
        self.game.ending
    }

    /// The current board, including a 65536 tile.
    pub fn ranks(&self) -> NaiveBoard {
        self.game.ranks()
    }

    /// The largest rank on the board, 16 if the game ended by making 65536.
    pub fn max_rank(&self) -> u8 {
        self.game.max_rank()
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
    use crate::seed::Rng;

    /// Plays a game in both ways, by directions that chance picks, some of them illegal, and compares all
    /// that can be seen.
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
