//! The strategy of section 4.2: two directions by turns, another only in need.

#[path = "../../../engine/tests/common/agents.rs"]
mod agents;

use agents::{begun, letter, play};
use engine::abi::host::LoadedAgent;
use engine::agent::Budget;
use engine::{AgentSeed, Rules};

fn agent() -> LoadedAgent {
    begun(&chen2023::plugin(), "chen-two-directions", &Rules::default(), "{}")
}

const ALL_LEGAL: &str = ". . . . / . 2 . . / . . . . / . . . .";

#[test]
fn up_and_left_come_by_turns_from_up_in_every_game() {
    let mut agent = agent();
    assert_eq!([(); 3].map(|()| letter(&mut agent, ALL_LEGAL)), ['U', 'L', 'U']);
    agent.new_game(AgentSeed(0)).unwrap();
    assert_eq!(letter(&mut agent, ALL_LEGAL), 'U');
}

#[test]
fn one_that_is_illegal_leaves_the_turn_to_the_other_and_stays_next() {
    let mut agent = agent();
    let only_left = ". 2 . . / . . . . / . . . . / . . . .";
    assert_eq!([only_left, only_left, ALL_LEGAL].map(|board| letter(&mut agent, board)), ['L', 'L', 'U']);
}

#[test]
fn right_comes_before_down_and_neither_takes_a_turn() {
    let mut agent = agent();
    let right = "2 . . . / 4 . . . / . . . . / . . . .";
    let down = "2 4 2 4 / . . . . / . . . . / . . . .";
    assert_eq!([right, down, ALL_LEGAL].map(|board| letter(&mut agent, board)), ['R', 'D', 'U']);
}

/// "The player must do a set of two actions" to keep the largest tile in its corner: the others are rare.
#[test]
fn most_moves_of_a_game_are_of_the_pair() {
    let (letters, _) = play(&mut agent(), &Rules::default(), Budget::None, 1);
    let of_the_pair = letters.chars().filter(|letter| "UL".contains(*letter)).count();
    assert!(of_the_pair * 10 > letters.len() * 9, "{of_the_pair} of {}", letters.len());
}
