//! What agents decide and play, frozen. Each agent crate has a table of it in `tests/frozen.rs`, written on x86-64: other processors,
//! processor features and compilers must come to the same. docs/reproducibility.md says where this is tried.

#![allow(dead_code, reason = "every crate uses a part of it")]

use std::fmt::Write as _;

use engine::abi::host::{LoadedAgent, PlayError, Plugin, Silent};
use engine::agent::{Budget, Position};
use engine::board::tile;
use engine::signature::Set;
use engine::{AgentSeed, Game, Odds, Rules, Scatter, Slide, Start, TileSeed};
use sha2::{Digest as _, Sha256};

/// The master seed of most experiments.
const SEED: u64 = 2048;

/// An agent, its rules, its parameters as JSON and its budget; and the beginnings of four hashes: of its decisions on the first and
/// on the second set of positions, of its first game, and of every value that it gave a move of that game.
pub(crate) type Row = (&'static str, Rules, &'static str, Budget, [&'static str; 4]);

/// Compares every row with what the agent does here. Games end after `moves` moves.
pub(crate) fn check(plugin: &Plugin, moves: u32, rows: &[Row]) {
    for agent in plugin.agents() {
        assert!(rows.iter().any(|row| row.0 == agent.id), "{} has no row", agent.id);
    }
    let told = |row: &Row, hashes: &str| format!("{} {} {}: {hashes}\n", row.0, row.2, row.3);
    let frozen: String = rows.iter().map(|row| told(row, &row.4.join(" "))).collect();
    let found: String = rows.iter().map(|row| told(row, &hashes(plugin, row, moves))).collect();
    assert!(found == frozen, "frozen:\n{frozen}found:\n{found}");
    println!("frozen: {} signatures and {} games are equal", 2 * rows.len(), rows.len());
}

fn hashes(plugin: &Plugin, (id, rules, params, budget, _): &Row, moves: u32) -> String {
    let mut agent = create(plugin, id, rules, params);
    let mut signature = |set: Set| {
        let decisions = set.decisions(&mut agent, rules, *budget).unwrap();
        set.sign(&decisions).split_once(':').unwrap().1[..16].to_owned()
    };
    let signatures = Set::ALL.map(&mut signature).join(" ");
    let mut agent = create(plugin, id, rules, params);
    let Played { record, values } = play(&mut agent, rules, *budget, 0, moves);
    format!("{signatures} {} {}", &sha256(&record)[..16], &sha256(&values)[..16])
}

/// Plays the first games of agents without parameters and budget, and compares the digest of their records.
pub(crate) fn check_digests(plugin: &Plugin, games: u64, rows: &[(&str, Rules, &str)]) {
    for (id, rules, digest) in rows {
        let mut agent = create(plugin, id, rules, "{}");
        let record = |game| play(&mut agent, rules, Budget::None, game, u32::MAX).record;
        assert_eq!(sha256((0..games).map(record).collect::<String>()), *digest, "{id}, {rules:?}");
    }
    println!("frozen: {} games are equal", games * rows.len() as u64);
}

/// Compares the bytes of a file of a training by their hash.
pub(crate) fn check_bytes(bytes: &[u8], frozen: &str) {
    assert_eq!(&sha256(bytes)[..16], frozen, "{} bytes", bytes.len());
    println!("frozen: 1 file of a training is equal");
}

/// The rules of the framework behind the student's development document.
pub(crate) fn course_rules() -> Rules {
    let start = Start::Scatter(Scatter { empty: 16, two: 4, four: 2, eight: 1 });
    Rules { four: Odds::new(1, 4).unwrap(), start, ..Rules::default() }
}

fn create(plugin: &Plugin, id: &str, rules: &Rules, params: &str) -> LoadedAgent {
    let index = plugin.agent(id).unwrap().index;
    plugin.create(index, rules, params, Silent).unwrap_or_else(|error| panic!("{id} {params}: {error}"))
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
