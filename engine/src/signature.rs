//! The decision signature: a hash of what an agent decides on a frozen set of positions.
//!
//! It is part of an experiment's identity, so that a refactoring that changes no decision keeps its records valid, and one
//! that does makes them stale. The set is versioned and never changes: a new set is a new version.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

use crate::abi::host::{LoadedAgent, PlayError};
use crate::agent::{Budget, Position};
use crate::board::{Board, MAX_PACKED_RANK};
use crate::game::Game;
use crate::rules::Rules;
use crate::seed::{AgentSeed, Rng, TileSeed};
use crate::slide::potential;

/// The version of the set of positions; it stands in front of every signature.
pub const VERSION: &str = "positions-1";

/// The master seed of the positions, and of the agents' seeds on them.
const SEED: u64 = 0x5169_6e61_7475_7265;
/// The games of which the first moves are played, for what an agent carries from move to move.
const SEQUENCES: u64 = 2;
/// The moves played of each.
const SEQUENCE_MOVES: u32 = 6;

/// The boards of the set that can come up under these rules: every number of empty cells, with every other one of five
/// largest ranks from low to high. They are few, since an agent may think for a second about each.
#[must_use]
pub fn boards(rules: &Rules) -> Vec<Board> {
    let stop_rank = rules.stop_at.map_or(MAX_PACKED_RANK + 1, |stop| stop.rank());
    let mut rng = Rng::from_seed(SEED);
    let mut boards = Vec::new();
    for empty in 0..15 {
        let other = usize::from(empty % 2 == 1);
        for max_rank in [2, 5, 8, 11, 14].into_iter().skip(other).step_by(2) {
            let board = draw(&mut rng, empty, max_rank);
            if max_rank < stop_rank && !board.legal_moves().is_empty() {
                boards.push(board);
            }
        }
    }
    boards
}

/// A board with so many empty cells, one tile of the largest rank, and lower ranks elsewhere, the low ones more often.
fn draw(rng: &mut Rng, empty: usize, max_rank: u8) -> Board {
    let mut ranks = [0; 16];
    for rank in &mut ranks[..16 - empty] {
        let bound = 1 + rng.below(u32::from(max_rank));
        *rank = 1 + rng.below(bound) as u8;
    }
    ranks[0] = max_rank;
    for last in (1..16).rev() {
        ranks.swap(last, rng.below(last as u32 + 1) as usize);
    }
    Board::from_ranks(ranks).unwrap_or_default()
}

/// What an agent decides on the set, as letters; a position that it answers with an error is a `!`.
///
/// # Errors
/// Where the agent cannot go on at all, as after a panic, or when its process is gone.
pub fn decisions(agent: &mut LoadedAgent, rules: &Rules, budget: Budget) -> Result<String, PlayError> {
    decisions_told(agent, rules, budget, |_| ())
}

/// The same; `told` hears how many positions have been decided, after each: an agent may think for long.
///
/// # Errors
/// As for [`decisions`].
pub fn decisions_told(
    agent: &mut LoadedAgent,
    rules: &Rules,
    budget: Budget,
    mut told: impl FnMut(usize),
) -> Result<String, PlayError> {
    let mut letters = String::new();
    for (number, board) in (0..).zip(boards(rules)) {
        agent.new_game(AgentSeed::derive(SEED, number))?;
        let score = u64::from(potential(*board));
        let legal = board.legal_moves();
        let position = Position { board, legal, score, move_number: score / 8, budget };
        letters.push(letter(agent.choose_move(&position))?);
        told(letters.len());
    }
    for number in 0..SEQUENCES {
        sequence(agent, rules, budget, number, &mut letters, &mut told)?;
    }
    Ok(letters)
}

/// The first moves of a game, as letters behind a `/`.
fn sequence(
    agent: &mut LoadedAgent,
    rules: &Rules,
    budget: Budget,
    number: u64,
    letters: &mut String,
    told: &mut impl FnMut(usize),
) -> Result<(), PlayError> {
    letters.push('/');
    agent.new_game(AgentSeed::derive(SEED, 1000 + number))?;
    let mut game = Game::new(rules, TileSeed::derive(SEED, number));
    while game.ending().is_none() && game.moves() < SEQUENCE_MOVES {
        let decision = agent.choose_move(&Position::of_game(&game, budget));
        let direction = decision.as_ref().map(|decision| decision.direction);
        letters.push(letter(decision.clone())?);
        told(letters.len());
        if !direction.is_ok_and(|direction| game.play(direction).is_ok()) {
            letters.push('!');
            break;
        }
    }
    Ok(())
}

fn letter(decision: Result<crate::agent::Decision, PlayError>) -> Result<char, PlayError> {
    match decision {
        Ok(decision) => Ok(decision.direction.letter()),
        Err(final_word @ (PlayError::Panicked(_) | PlayError::Gone { .. })) => Err(final_word),
        Err(_) => Ok('!'),
    }
}

/// The signature of decisions: the version of the set, and SHA-256 in hexadecimal.
#[must_use]
pub fn of_decisions(letters: &str) -> String {
    let digest = Sha256::digest(format!("{VERSION}\n{letters}\n"));
    digest.iter().fold(format!("{VERSION}:"), |mut text, byte| {
        write!(text, "{byte:02x}").expect("a string takes all");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_set_of_positions_is_frozen() {
        let boards = boards(&Rules::default());
        let mut hasher = Sha256::new();
        for board in &boards {
            hasher.update(format!("{board}\n"));
        }
        let digest: String = hasher.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        assert_eq!((boards.len(), digest.as_str()), (38, "ff152ddd6e3436ce"));
    }

    #[test]
    fn the_set_covers_every_filling_and_stays_below_the_stop_tile() {
        let all = boards(&Rules::default());
        for empty in 0..15 {
            assert!(all.iter().any(|board| board.empty_count() == empty), "{empty} empty cells");
        }
        let stopped = boards(&Rules { stop_at: Some(512.try_into().unwrap()), ..Rules::default() });
        assert!(stopped.iter().all(|board| board.max_rank() < 9));
        assert!(!stopped.is_empty() && stopped.len() < all.len());
    }
}
