//! The agent passes the suite that every agent must pass, and goes where it is meant to go.

use engine::agent::{Agent, Host, Position};
use engine::conformance::{self, Options};
use engine::{AgentSeed, Board, Direction, Rules};

#[test]
fn it_conforms() {
    let plugin = @IDENT@::plugin();
    for agent in plugin.agents() {
        let report = conformance::check(&plugin, agent, &Options::default());
        assert!(report.passed(), "{report}");
    }
}

#[test]
fn it_goes_down_where_it_can_and_left_where_it_cannot() {
    let mut agent = new_agent();
    agent.new_game(AgentSeed(1));
    for (board, direction) in [
        (". . . . / . 2 . . / . . . . / . . . .", Direction::Down),
        (". . . . / . . . . / . . . . / . 2 . .", Direction::Left),
    ] {
        let board: Board = board.parse().unwrap();
        let position = Position::of_board(board).unwrap();
        assert_eq!(agent.choose_move(&position).unwrap().direction, direction);
    }
}

fn new_agent() -> @IDENT@::@TYPE@ {
    Agent::create(&Rules::default(), @IDENT@::Params::default(), Host::silent()).unwrap()
}
