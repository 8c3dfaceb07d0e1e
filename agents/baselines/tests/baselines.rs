//! The baselines conform, and play as they say.

use engine::abi::host::{CreateError, Silent};
use engine::agent::Position;
use engine::conformance::{self, Options};
use engine::{AgentSeed, Merging, Rules};

#[test]
fn they_conform() {
    let plugin = baselines::plugin();
    for agent in plugin.agents() {
        let report = conformance::check(&plugin, agent, &Options::default());
        assert!(report.passed(), "{}\n{report}", agent.id);
    }
}

#[test]
fn the_cycle_goes_on_behind_the_last_move_and_passes_over_illegal_ones() {
    let plugin = baselines::plugin();
    let index = plugin.agent("fixed-cycle").unwrap().index;
    let mut agent = plugin.create(index, &Rules::default(), "{}", Silent).unwrap();
    agent.new_game(AgentSeed(0)).unwrap();
    let mut play = |board: &str| {
        let position = Position::of_board(board.parse().unwrap()).unwrap();
        agent.choose_move(&position).unwrap().direction.letter()
    };
    let all_legal = ". . . . / . 2 . . / . . . . / . . . .";
    assert_eq!([play(all_legal), play(all_legal)], ['U', 'R']);
    let up_and_left_only = ". . . . / . . . . / . . . . / . . . 2";
    assert_eq!(play(up_and_left_only), 'L');
    assert_eq!(play(up_and_left_only), 'U');
}

#[test]
fn greedy_takes_the_highest_reward() {
    let plugin = baselines::plugin();
    let index = plugin.agent("score-greedy").unwrap().index;
    let mut agent = plugin.create(index, &Rules::default(), "{}", Silent).unwrap();
    agent.new_game(AgentSeed(0)).unwrap();
    // Up and down merge the 4s for 8 points, left and right the 2s for 4.
    let position = Position::of_board("4 2 2 . / 4 . . . / . . . . / . . . .".parse().unwrap()).unwrap();
    let decision = agent.choose_move(&position).unwrap();
    assert_eq!((decision.direction.letter(), decision.value), ('U', Some(8.0)));
    let known = agent.move_values().unwrap().value;
    assert_eq!(known, [Some(8.0), Some(4.0), Some(8.0), Some(4.0)]);
    // The rewards of a slide add up.
    let position = Position::of_board("2 2 8 8 / . . . . / 2 . . . / . . . .".parse().unwrap()).unwrap();
    assert_eq!(agent.choose_move(&position).unwrap().value, Some(20.0));
}

#[test]
fn of_equal_rewards_greedy_takes_the_first_of_its_order() {
    let choose = |order: &str, board: &str| {
        let plugin = baselines::plugin();
        let index = plugin.agent("score-greedy").unwrap().index;
        let params = serde_json::json!({"order": order}).to_string();
        let mut agent = plugin.create(index, &Rules::default(), &params, Silent).unwrap();
        agent.new_game(AgentSeed(0)).unwrap();
        let position = Position::of_board(board.parse().unwrap()).unwrap();
        agent.choose_move(&position).unwrap().direction.letter()
    };
    let nothing_merges = ". . . . / . 2 . . / . . . . / . . . .";
    let up_is_illegal = "2 4 . . / . . . . / . . . . / . . . .";
    assert_eq!([choose("URDL", nothing_merges), choose("LDRU", nothing_merges)], ['U', 'L']);
    assert_eq!([choose("URDL", up_is_illegal), choose("ULDR", up_is_illegal)], ['R', 'D']);
}

#[test]
fn greedy_plays_by_the_rules_it_is_given() {
    let plugin = baselines::plugin();
    let index = plugin.agent("score-greedy").unwrap().index;
    let choose = |merging| {
        let rules = Rules { merging, ..Rules::default() };
        let mut agent = plugin.create(index, &rules, "{}", Silent).unwrap();
        agent.new_game(AgentSeed(0)).unwrap();
        // To the left the first row scores 4, or 4 + 8 + 16 where merges go on; upwards the 8s score 16.
        let board = "2 2 4 8 / 8 . . . / 8 . . . / . . . .".parse().unwrap();
        agent.choose_move(&Position::of_board(board).unwrap()).unwrap().direction.letter()
    };
    assert_eq!([choose(Merging::Once), choose(Merging::Cascading)], ['U', 'L']);
}

#[test]
fn an_order_needs_every_direction_once() {
    let plugin = baselines::plugin();
    for (agent, parameter) in [("fixed-cycle", "cycle"), ("score-greedy", "order")] {
        let index = plugin.agent(agent).unwrap().index;
        let create = |order: &str| {
            let params = serde_json::json!({parameter: order}).to_string();
            plugin.create(index, &Rules::default(), &params, Silent).map(drop)
        };
        assert_eq!(create("LDRU"), Ok(()));
        for wrong in ["URD", "URDD", "URDX", "urdl", ""] {
            let error = create(wrong).unwrap_err();
            let named = format!("`{parameter}`");
            assert!(matches!(&error, CreateError::BadParams(text) if text.contains(&named)), "{error}");
        }
    }
}
