//! What agents decide and play, frozen. Each agent crate has a table of it in `tests/frozen.rs`, written on
//! x86-64: other processors, processor features and compilers must come to the same. docs/reproducibility.md
//! says where this is tried.

#![allow(dead_code, reason = "every crate uses a part of it")]

#[path = "agents.rs"]
mod agents;

use std::fmt::Write as _;

use agents::{course_rules, create, with_weights};
use engine::abi::host::{LoadedAgent, PlayError, Plugin, Silent};
use engine::agent::{Budget, Position};
use engine::board::tile;
use engine::signature::Set;
use engine::{AgentSeed, Game, Rules, Slide, TileSeed};
use sha2::{Digest as _, Sha256};

/// The master seed of most experiments.
const SEED: u64 = 2048;

/// Compares every row of a table with what the agent does here. Games end after `moves` moves.
///
/// A row is `agent | rules | budget | parameters | hashes`, where rules are JSON or `course`, and the hashes
/// are the beginnings of four: of the decisions on the first and on the second set of positions, of the first
/// game, and of every value that the agent gave a move of that game.
pub(crate) fn check(plugin: &Plugin, moves: u32, table: &str) {
    let rows: Vec<Vec<&str>> = cells(table).collect();
    for agent in plugin.agents() {
        assert!(rows.iter().any(|row| row[0] == agent.id), "{} has no row", agent.id);
    }
    let line = |row: &[&str], hashes: &str| format!("{}: {hashes}\n", row[..4].join(" "));
    let frozen: String = rows.iter().map(|row| line(row, row[4])).collect();
    let found: String = rows.iter().map(|row| line(row, &hashes(plugin, row, moves))).collect();
    assert!(found == frozen, "frozen:\n{frozen}found:\n{found}");
    println!("frozen: {} signatures and {} games are equal", 2 * rows.len(), rows.len());
}

/// The rows of a table, each as its cells.
fn cells(table: &str) -> impl Iterator<Item = Vec<&str>> {
    let rows = table.lines().filter(|line| line.contains('|'));
    rows.map(|line| line.split('|').map(str::trim).collect())
}

fn rules_of(text: &str) -> Rules {
    if text == "course" { course_rules() } else { serde_json::from_str(text).unwrap() }
}

fn hashes(plugin: &Plugin, row: &[&str], moves: u32) -> String {
    let (rules, budget) = (rules_of(row[1]), serde_json::from_str(row[2]).unwrap());
    let make = || create(plugin, row[0], &rules, row[3]).unwrap_or_else(|error| panic!("{row:?}: {error}"));
    let mut agent = make();
    let mut signature = |set: Set| {
        let decisions = set.decisions(&mut agent, &rules, budget, |_| ()).unwrap();
        set.sign(&decisions).split_once(':').unwrap().1[..16].to_owned()
    };
    let signatures = Set::ALL.map(&mut signature).join(" ");
    let Played { record, values } = play(&mut make(), &rules, budget, 0, moves);
    format!("{signatures} {} {}", &sha256(&record)[..16], &sha256(&values)[..16])
}

/// Plays the first games of agents without parameters and budget, and compares the digest of their records:
/// rows are `agent | rules | digest`.
pub(crate) fn check_digests(plugin: &Plugin, games: u64, table: &str) {
    let mut played = 0;
    for row in cells(table) {
        let rules = rules_of(row[1]);
        let mut agent = create(plugin, row[0], &rules, "{}").unwrap();
        let record = |game| play(&mut agent, &rules, Budget::None, game, u32::MAX).record;
        assert_eq!(sha256((0..games).map(record).collect::<String>()), row[2], "{row:?}");
        played += games;
    }
    println!("frozen: {played} games are equal");
}

/// Trains a plugin's first agent for this many games, and compares the hashes of its checkpoint and weights.
/// Returns the plugin with these weights.
pub(crate) fn check_training(plugin: Plugin, params: &str, games: u32, frozen: [&str; 2]) -> Plugin {
    let mut training = plugin.train(0, &Rules::default(), params, 7, Silent).unwrap();
    for _ in 0..games {
        training.next_game().unwrap();
    }
    let (mut checkpoint, mut weights) = (Vec::new(), Vec::new());
    training.save(&mut checkpoint).unwrap();
    training.artefact(&mut weights).unwrap();
    assert_eq!([&checkpoint, &weights].map(|bytes| sha256(bytes)[..16].to_owned()), frozen);
    println!("frozen: 2 files of a training are equal");
    with_weights(plugin, weights)
}

fn sha256(bytes: impl AsRef<[u8]>) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

struct Played {
    /// The game as a line of the digest of records: see `records::digest`.
    record: String,
    /// The value of every decision, as bits.
    values: String,
}

fn play(agent: &mut LoadedAgent, rules: &Rules, budget: Budget, number: u64, most: u32) -> Played {
    let (tile_seed, agent_seed) = (TileSeed::derive(SEED, number), AgentSeed::derive(SEED, number));
    let (mut directions, mut tiles, mut values) = (String::new(), String::new(), String::new());
    let mut game = Game::new(rules, tile_seed);
    agent.new_game(agent_seed).unwrap();
    while game.ending().is_none() && game.moves() < most {
        let position = Position::of_game(&game, budget);
        let decision = agent.choose_move(&position).unwrap();
        let place = |slide: &Slide| -> Result<_, PlayError> {
            let placed = agent.place_tile(&position.slid(slide))?;
            write!(tiles, "{}", placed.tile).unwrap();
            Ok(placed.tile)
        };
        game.play_with(decision.direction, place).unwrap();
        directions.push(decision.direction.letter());
        writeln!(values, "{:?}", decision.value.map(f64::to_bits)).unwrap();
    }
    let ending = game.ending().map_or("unfinished", |ending| ending.name());
    let tiles = if rules.spawn.is_random() { tiles } else { format!("\t{tiles}") };
    let record = format!(
        "{number}\t{:016x}\t{:016x}\t{}\t{}\t{}\t{directions}\t{}\t{ending}{tiles}\n",
        tile_seed.0,
        agent_seed.0,
        game.score(),
        tile(game.max_rank()),
        game.moves(),
        game.ranks(),
    );
    Played { record, values }
}
