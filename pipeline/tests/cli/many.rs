//! Many experiments: commands that read the records of all of them need no more stack for more of them.

use crate::common::prelude::*;

use engine::agent::Budget;
use engine::{Direction, Game};
use jobs::Key;
use records::store::write_timing;
use records::{Course, GameTiming, Header, Identity, Index, IndexEntry, Layout, Seeds};
use serde_json::Map;

/// Far more than fit on a thread's stack, were the work on each done on top of the last.
const EXPERIMENTS: u64 = 400;
const STACK: &str = "400000";

/// A game that was given up after its first move, which is the shortest that there is.
fn game(seed: u64) -> GameRecord {
    let seeds = Seeds::derive(seed, 0);
    let mut game = Game::new(&Rules::default(), seeds.tiles);
    let legal = Direction::ALL.into_iter().find(|&direction| game.board().legal_moves().contains(direction));
    let direction = legal.expect("the first board has a move");
    game.play(direction).unwrap();
    let mut course = Course::new(&Rules::default());
    course.push(direction, None, 1);
    GameRecord::of(&game, seeds, course, Ending::AgentError)
}

/// Writes the records of an experiment as a run would.
fn store(layout: &Layout, key: &Key, seed: u64) {
    let identity = Identity::new(Rules::default(), ("random", "1.0.0"), Map::new(), Budget::None, seed, None);
    let hash = identity.hash();
    let header = Header { experiment: key.to_string(), ..fixtures::header(identity, "a processor") };
    let digest = fixtures::write(&layout.records(key, None), &header, [game(seed)]);
    write_timing(&layout.timing(key, None), &[GameTiming { game: 0, cpu_ns: 1, wall_ns: 1 }]).unwrap();
    Index::enter(layout, IndexEntry { records: key.clone(), identity: hash, digest, games: 1 }).unwrap();
}

#[test]
fn hundreds_of_experiments_fit_on_a_small_stack() {
    let lab = Lab::new();
    let layout = Layout::new(lab.path("results"));
    let mut manifest = String::new();
    for seed in 0..EXPERIMENTS {
        let id = format!("e{seed}");
        manifest.push_str(&experiment(&id, "random", 1, &format!("seed = {seed}")));
        store(&layout, &Key::new("p", &id), seed);
    }
    lab.paper("p", &manifest);
    for arguments in ["claims", "render", "diff results results"] {
        let ran = lab.run_with("RUST_MIN_STACK", STACK, arguments);
        assert_eq!(ran.code, Some(0), "{arguments:?}: {}", ran.stderr);
    }
}
