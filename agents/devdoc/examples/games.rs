//! Plays a few games of an iteration under the course rules and says how long one takes and what it scores:
//! `games AGENT GAMES [BUDGET]`, where a budget is a number of nodes, or a time such as `1ms`.

use std::time::Instant;

use engine::abi::host::{LoadedAgent, Silent};
use engine::agent::{Budget, Position};
use engine::{AgentSeed, Game, Odds, Rules, Scatter, Start, TileSeed};

const USAGE: &str =
    "usage: games AGENT GAMES [BUDGET], such as: games devdoc-6 10 1000, or: games devdoc-6 10 1ms";

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [id, games, budget @ ..] = &args[..] else { panic!("{USAGE}") };
    let games: u64 = games.parse().expect(USAGE);
    let budget = budget.first().map_or(Budget::None, |text| read_budget(text));
    let start = Start::Scatter(Scatter { empty: 16, two: 4, four: 2, eight: 1 });
    let rules = Rules { four: Odds::new(1, 4).unwrap_or_default(), start, ..Rules::default() };

    let plugin = devdoc::plugin();
    let index = plugin.agent(id).expect(USAGE).index;
    let mut agent = plugin.create(index, &rules, "{}", Silent).expect("the agent plays the course rules");
    let started = Instant::now();
    let played: Vec<Played> = (0..games).map(|number| play(&mut agent, &rules, budget, number)).collect();
    report(&played, started.elapsed().as_secs_f64());
}

fn read_budget(text: &str) -> Budget {
    match text.strip_suffix("ms") {
        Some(milliseconds) => Budget::TimeNs(1_000_000 * milliseconds.parse::<u64>().expect(USAGE)),
        None => Budget::Nodes(text.parse().expect(USAGE)),
    }
}

struct Played {
    score: f64,
    moves: f64,
    nodes: f64,
    plies: f64,
}

fn play(agent: &mut LoadedAgent, rules: &Rules, budget: Budget, number: u64) -> Played {
    let mut game = Game::new(rules, TileSeed::derive(2048, number));
    agent.new_game(AgentSeed::derive(2048, number)).expect("a game begins");
    let (mut nodes, mut plies) = (0, 0);
    while game.ending().is_none() {
        let decision = agent.choose_move(&Position::of_game(&game, budget)).expect("there is a move");
        game.play(decision.direction).expect("the move is legal");
        nodes += decision.nodes;
        plies += decision.depth;
    }
    let (score, moves) = (f64::from(game.score()), f64::from(game.moves()));
    Played { score, moves, nodes: nodes as f64, plies: f64::from(plies) }
}

fn report(played: &[Played], seconds: f64) {
    let games = played.len() as f64;
    let total = |of: fn(&Played) -> f64| played.iter().map(of).sum::<f64>();
    let (mean, moves) = (total(|game| game.score) / games, total(|game| game.moves));
    let variance =
        played.iter().map(|game| (game.score - mean).powi(2)).sum::<f64>() / (games - 1.0).max(1.0);
    let highest = played.iter().map(|game| game.score).fold(0.0, f64::max);
    println!("{:.3} ms a game, {:.0} moves a game", 1e3 * seconds / games, moves / games);
    println!("score {mean:.0} (SD {:.0}, highest {highest:.0})", variance.sqrt());
    println!(
        "{:.1} plies and {:.0} nodes a move",
        total(|game| game.plies) / moves,
        total(|game| game.nodes) / moves
    );
}
