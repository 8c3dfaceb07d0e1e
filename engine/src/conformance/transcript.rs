//! What an agent did in a game, and whether it did it again.

use crate::agent::{Decision, TileDecision};

/// What an agent did in one game, which it is to repeat to the letter.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Transcript {
    pub(super) directions: String,
    pub(super) decisions: Vec<Decision>,
    /// The tiles that it placed, where that was its to do.
    pub(super) tiles: Vec<TileDecision>,
}

impl Transcript {
    /// The most that one decision used of the budget.
    pub(super) fn most_spent(&self) -> u64 {
        let moves = self.decisions.iter().map(|decision| decision.spent);
        moves.chain(self.tiles.iter().map(|placed| placed.spent)).max().unwrap_or(0)
    }
}

/// The first difference between two plays of the same games, if there is one.
pub(super) fn difference(first: &[Transcript], second: &[Transcript]) -> Option<String> {
    let (one, other) = first.iter().zip(second).find(|(one, other)| one != other)?;
    let differs = one.directions.bytes().zip(other.directions.bytes()).position(|(a, b)| a != b);
    Some(match differs {
        Some(index) => format!(
            "move {} is {} the first time and {} the second",
            index + 1,
            &one.directions[index..=index],
            &other.directions[index..=index]
        ),
        None if one.tiles != other.tiles => {
            let mut pairs = (1..).zip(one.tiles.iter().zip(&other.tiles));
            let differs = pairs.find(|(_, (one, other))| one != other);
            format!("the moves are the same, but not the tiles that the agent places: {differs:?}")
        }
        None => {
            let mut pairs = one.decisions.iter().zip(&other.decisions);
            let differs = pairs.find(|(one, other)| one != other);
            format!("the moves are the same, but what the agent says about them is not: {differs:?}")
        }
    })
}
