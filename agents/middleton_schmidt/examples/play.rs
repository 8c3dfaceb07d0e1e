//! Plays games of one agent and prints their scores and time: `play AGENT PLIES GAMES SEED PARAMS-JSON`.
//!
//! The pipeline plays the experiments; this is for a quick look at weights and depths.

use std::time::Instant;

use engine::abi::host::Silent;
use engine::agent::{Budget, Position};
use engine::board::tile;
use engine::{AgentSeed, Game, Rules, TileSeed};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [id, plies, games, seed, params] = args.as_slice() else {
        eprintln!("usage: play AGENT PLIES GAMES SEED PARAMS-JSON");
        std::process::exit(2);
    };
    let number = |text: &String| -> u64 { text.parse().expect("a number") };
    let (budget, games, seed) = (Budget::Plies(number(plies)), number(games), number(seed));
    let plugin = middleton_schmidt::plugin();
    let index = plugin.agent(id).expect("an agent of this plugin").index;
    let rules = Rules::default();
    let mut agent = plugin.create(index, &rules, params, Silent).expect("its parameters");
    let (mut scores, mut moves, mut nodes, mut tiles) = (Vec::new(), 0, 0, [0_u32; 17]);
    let start = Instant::now();
    for game in 0..games {
        let mut played = Game::new(&rules, TileSeed::derive(seed, game));
        agent.new_game(AgentSeed::derive(seed, game)).expect("a new game");
        while played.ending().is_none() {
            let decision = agent.choose_move(&Position::of_game(&played, budget)).expect("a move");
            nodes += decision.nodes;
            played.play(decision.direction).expect("a legal move");
        }
        scores.push(f64::from(played.score()));
        moves += u64::from(played.moves());
        tiles[usize::from(played.max_rank())] += 1;
    }
    let elapsed_s = start.elapsed().as_secs_f64();
    let mean = scores.iter().sum::<f64>() / games as f64;
    let variance =
        scores.iter().map(|score| (score - mean).powi(2)).sum::<f64>() / (games as f64 - 1.0).max(1.0);
    println!(
        "{id} {plies} plies {params}: mean {mean:.0} ± {:.0}, {:.1} ms/game, {:.1} µs/move, {} nodes/move",
        (variance / games as f64).sqrt(),
        elapsed_s * 1e3 / games as f64,
        elapsed_s * 1e6 / moves as f64,
        nodes / moves.max(1),
    );
    for (rank, count) in tiles.iter().enumerate().filter(|(_, count)| **count > 0) {
        println!("  {:>6}: {count}", if rank == 16 { 65536 } else { tile(rank as u8) });
    }
}
