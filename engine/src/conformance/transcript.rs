//! What an agent did in a game, and whether it did it again.

use super::Finding;
use crate::agent::Decision;

/// What an agent did in one game, which it is to repeat to the letter.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Transcript {
    pub(super) directions: String,
    pub(super) decisions: Vec<Decision>,
}

/// Compares what was played in the same games.
pub(super) fn same(
    first: &[Transcript],
    second: &[Transcript],
    remedy: &'static str,
) -> Result<String, Finding> {
    let moves: usize = first.iter().map(|transcript| transcript.directions.len()).sum();
    let Some((one, other)) = first.iter().zip(second).find(|(one, other)| one != other) else {
        return Ok(format!("{moves} moves repeated"));
    };
    let differs = one.directions.bytes().zip(other.directions.bytes()).position(|(a, b)| a != b);
    let seen = match differs {
        Some(index) => format!(
            "move {} is {} the first time and {} the second",
            index + 1,
            &one.directions[index..=index],
            &other.directions[index..=index]
        ),
        None => {
            let mut pairs = one.decisions.iter().zip(&other.decisions);
            let differs = pairs.find(|(one, other)| one != other);
            format!("the moves are the same, but what the agent says about them is not: {differs:?}")
        }
    };
    Err(Finding { seen, remedy })
}
