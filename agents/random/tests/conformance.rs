//! The random agent passes the suite, and plays every legal direction equally often.

use engine::agent::{Agent, Host, Position};
use engine::conformance::{self, Options};
use engine::{AgentSeed, Board, Rules};
use random::{Params, Random};

#[test]
fn it_conforms() {
    let plugin = random::plugin();
    for agent in plugin.agents() {
        let report = conformance::check(&plugin, agent, &Options::default());
        assert!(report.passed(), "{report}");
    }
}

#[test]
fn every_legal_direction_is_equally_likely() {
    let board: Board = "2 2 4 8 / . . . . / . . . . / . . . .".parse().unwrap();
    let position = Position::of_board(board).unwrap();
    let mut agent = Random::create(&Rules::default(), Params {}, Host::silent()).unwrap();
    agent.new_game(AgentSeed(1));
    let mut counts = [0_u32; 4];
    for _ in 0..30_000 {
        counts[agent.choose_move(&position).unwrap().direction as usize] += 1;
    }
    // Up is illegal. The chi-square of the other three has two degrees of freedom; 18.4 is its 0.9999 quantile.
    let chi_square: f64 =
        counts[1..].iter().map(|&count| (f64::from(count) - 10_000.0).powi(2) / 10_000.0).sum();
    assert_eq!(counts[0], 0);
    assert!(chi_square < 18.4, "{counts:?}");
}
