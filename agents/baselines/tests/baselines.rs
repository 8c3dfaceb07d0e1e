//! The baselines conform, and play as they say.

use engine::abi::host::{CreateError, Silent};
use engine::agent::Position;
use engine::conformance::{self, Options};
use engine::{AgentSeed, Rules};

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
fn a_cycle_needs_every_direction_once() {
    let plugin = baselines::plugin();
    let index = plugin.agent("fixed-cycle").unwrap().index;
    let create = |cycle: &str| {
        let params = serde_json::json!({"cycle": cycle}).to_string();
        plugin.create(index, &Rules::default(), &params, Silent).map(drop)
    };
    assert_eq!(create("LDRU"), Ok(()));
    for wrong in ["URD", "URDD", "URDX", "urdl", ""] {
        let error = create(wrong).unwrap_err();
        assert!(matches!(&error, CreateError::BadParams(text) if text.contains("`cycle`")), "{error}");
    }
}
