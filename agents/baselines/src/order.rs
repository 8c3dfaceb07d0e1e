//! The order of the four directions, as a parameter.

use engine::prelude::*;

/// Reads four letters, each direction once; an error names the parameter.
pub(crate) fn read_order(parameter: &str, letters: &str) -> Result<[Direction; 4], Refusal> {
    let wrong = || {
        Refusal::Params(format!(
            "parameter `{parameter}` is \"{letters}\": it must have each of the letters U R D L once"
        ))
    };
    let directions: Option<Vec<Direction>> = letters.chars().map(Direction::from_letter).collect();
    let order: [Direction; 4] = directions.ok_or_else(wrong)?.try_into().map_err(|_| wrong())?;
    let has_all = Direction::ALL.iter().all(|direction| order.contains(direction));
    if has_all { Ok(order) } else { Err(wrong()) }
}
