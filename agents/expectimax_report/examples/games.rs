//! Plays games of the report's rules, and says what they come to and how long they take.
//!
//!     cargo run --release -p expectimax_report --example games -- 20 '{"feature_values": "tiles"}'

use std::env;
use std::time::Instant;

use engine::abi::host::Silent;
use engine::agent::{Budget, Position};
use engine::{AgentSeed, Ending, Game, Rules, TileSeed};

/// The master seed of the games. It is not that of any experiment.
const SEED: u64 = 20308;

#[derive(Default)]
struct Totals {
    won: u64,
    score: u64,
    moves: u64,
    nodes: u64,
}

fn main() {
    let games: u64 = env::args().nth(1).map_or(20, |games| games.parse().expect("a number of games"));
    let params = env::args().nth(2).unwrap_or_else(|| "{}".to_owned());
    let start = Instant::now();
    let Totals { won, score, moves, nodes } = play(games, &params);
    let seconds = start.elapsed().as_secs_f64();
    let per_game = |total: f64| total / games as f64;
    let per_move = |total: f64| total / moves as f64;
    println!("{games} games, {won} won, mean score {:.0}", per_game(score as f64));
    println!("a game: {:.3} s, {:.0} moves", per_game(seconds), per_game(moves as f64));
    println!("a move: {:.3} ms, {:.0} expanded nodes", per_move(1e3 * seconds), per_move(nodes as f64));
}

fn play(games: u64, params: &str) -> Totals {
    let rules = Rules { stop_at: 2048.try_into().ok(), ..Rules::default() };
    let plugin = expectimax_report::plugin();
    let mut agent = plugin.create(0, &rules, params, Silent).expect("the parameters are right");
    let mut totals = Totals::default();
    for number in 0..games {
        let mut game = Game::new(&rules, TileSeed::derive(SEED, number));
        agent.new_game(AgentSeed::derive(SEED, number)).expect("a game begins");
        while game.ending().is_none() {
            let decision =
                agent.choose_move(&Position::of_game(&game, Budget::None)).expect("there is a move");
            game.play(decision.direction).expect("it is legal");
            totals.nodes += decision.nodes;
        }
        totals.won += u64::from(game.ending() == Some(Ending::StoppedAtTile));
        totals.score += u64::from(game.score());
        totals.moves += u64::from(game.moves());
    }
    totals
}
