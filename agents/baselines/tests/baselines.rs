//! The baselines conform, and play as they say.

#[path = "../../../engine/tests/common/agents.rs"]
mod agents;

use agents::{assert_conforms, assert_refused, begun, create, letter, position};
use engine::agent::Budget;
use engine::{Merging, Rules};
use serde_json::json;

#[test]
fn they_conform() {
    for id in ["fixed-cycle", "score-greedy"] {
        assert_conforms(&baselines::plugin(), id, &json!({}), 200, None);
    }
}

#[test]
fn the_cycle_goes_on_behind_the_last_move_and_passes_over_illegal_ones() {
    let mut agent = begun(&baselines::plugin(), "fixed-cycle", &Rules::default(), "{}");
    let all_legal = ". . . . / . 2 . . / . . . . / . . . .";
    let up_and_left_only = ". . . . / . . . . / . . . . / . . . 2";
    let boards = [all_legal, all_legal, up_and_left_only, up_and_left_only];
    assert_eq!(boards.map(|board| letter(&mut agent, board)), ['U', 'R', 'L', 'U']);
}

#[test]
fn greedy_takes_the_highest_reward() {
    let mut agent = begun(&baselines::plugin(), "score-greedy", &Rules::default(), "{}");
    // Up and down merge the 4s for 8 points, left and right the 2s for 4.
    let fours = position("4 2 2 . / 4 . . . / . . . . / . . . .", Budget::None);
    let decision = agent.choose_move(&fours).unwrap();
    assert_eq!((decision.direction.letter(), decision.value), ('U', Some(8.0)));
    assert_eq!(agent.move_values().unwrap().value, [8.0, 4.0, 8.0, 4.0].map(Some));
    // The rewards of a slide add up.
    let several = position("2 2 8 8 / . . . . / 2 . . . / . . . .", Budget::None);
    assert_eq!(agent.choose_move(&several).unwrap().value, Some(20.0));
}

#[test]
fn of_equal_rewards_greedy_takes_the_first_of_its_order() {
    let nothing_merges = ". . . . / . 2 . . / . . . . / . . . .";
    let up_is_illegal = "2 4 . . / . . . . / . . . . / . . . .";
    for (order, board, expected) in [
        ("URDL", nothing_merges, 'U'),
        ("LDRU", nothing_merges, 'L'),
        ("URDL", up_is_illegal, 'R'),
        ("ULDR", up_is_illegal, 'D'),
    ] {
        let params = json!({"order": order});
        let mut agent = begun(&baselines::plugin(), "score-greedy", &Rules::default(), params);
        assert_eq!(letter(&mut agent, board), expected, "{order}, {board}");
    }
}

#[test]
fn greedy_plays_by_the_rules_it_is_given() {
    // To the left the first row scores 4, or 4 + 8 + 16 if merges go on; upwards the 8s score 16.
    let board = "2 2 4 8 / 8 . . . / 8 . . . / . . . .";
    for (merging, expected) in [(Merging::Once, 'U'), (Merging::Cascading, 'L')] {
        let rules = Rules { merging, ..Rules::default() };
        let mut agent = begun(&baselines::plugin(), "score-greedy", &rules, "{}");
        assert_eq!(letter(&mut agent, board), expected);
    }
}

#[test]
fn an_order_needs_every_direction_once() {
    let plugin = baselines::plugin();
    for (id, parameter) in [("fixed-cycle", "cycle"), ("score-greedy", "order")] {
        assert!(create(&plugin, id, &Rules::default(), json!({parameter: "LDRU"})).is_ok());
        for wrong in ["URD", "URDD", "URDX", "urdl", ""] {
            assert_refused(&plugin, id, &json!({parameter: wrong}), &format!("`{parameter}`"));
        }
    }
}
