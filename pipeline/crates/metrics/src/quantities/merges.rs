//! `merges`: the merges in 1,000 moves. A game without a move has none.

use engine::{Ending, Game, TileSeed};
use records::Outcome;

use super::QuantityKind;
use crate::{Games, LastBoard};

pub(super) static MERGES: QuantityKind = QuantityKind {
    name: "merges",
    words: "number of merges in 1,000 moves",
    // A slide merges at most eight times.
    max: 8_000.0,
    compares_games: false,
    value: |games, outcome| match outcome.moves {
        0 => None,
        moves => Some(1000.0 * merges(games, outcome)? / f64::from(moves)),
    },
};

/// Counts merges from both ends of a game: every spawn adds a tile and every merge takes one away.
fn merges(games: &Games, outcome: &Outcome) -> Option<f64> {
    let seed = TileSeed::derive(games.identity.master_seed().ok()?, outcome.game);
    let first = 16 - Game::new(&games.identity.rules, seed).board().empty_count();
    // The move that makes a tile which ends the game is followed by no spawn.
    let unfollowed = matches!(outcome.ending, Ending::StoppedAtTile | Ending::TileCap);
    let spawned = outcome.moves - u32::from(unfollowed);
    Some(f64::from(first + spawned) - f64::from(LastBoard::of(outcome)?.tiles()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{games, outcome};

    /// Two tiles at the beginning and one more with each of ten moves are twelve; four are left.
    #[test]
    fn merges_are_the_tiles_that_are_gone() {
        let games = games(Vec::new(), Vec::new());
        let board = outcome("2 4 . . / . 65536 . . / . . . . / . . . 8", 100);
        for (ending, merges) in
            [(Ending::NoMoves, 800.0), (Ending::StoppedAtTile, 700.0), (Ending::TileCap, 700.0)]
        {
            assert_eq!((MERGES.value)(&games, &Outcome { ending, ..board.clone() }), Some(merges));
        }
        assert_eq!((MERGES.value)(&games, &Outcome { moves: 0, ..board }), None);
    }
}
