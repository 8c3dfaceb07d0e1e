use std::fs;

use engine::Ending;
use engine::agent::Budget;
use serde_json::{Map, Value};

use super::*;
use crate::catalogue::PluginEntry;
use crate::identity::Identity;
use crate::layout::Key;
use crate::manifest;
use crate::plan::State;
use crate::store::{Header, RecordsWriter};
use crate::worker::Limits;

#[test]
fn the_chosen_games_are_distinct_and_the_same_each_time() {
    let chosen = choose("digest", 1000, 20);
    assert_eq!(chosen, choose("digest", 1000, 20));
    assert_ne!(chosen, choose("other", 1000, 20));
    assert_eq!(chosen.len(), 20);
    assert_eq!(choose("digest", 3, 20), BTreeSet::from([0, 1, 2]));
    assert!(choose("digest", 0, 1).is_empty());
}

/// An experiment whose stored games ended so.
fn stored(folder: &Path, endings: &[Ending]) -> Planned {
    let file = folder.join("p.toml");
    let citation = "[citation]\ntitle = \"T\"\nauthors = [\"A\"]\nyear = 2026\n";
    let experiment = "[[experiment]]\nid = \"e\"\nagent = \"x\"\ngames = 100\n";
    fs::write(&file, format!("{citation}{experiment}")).unwrap();
    let experiment = manifest::load(&file).unwrap().experiments.remove(0);
    let rules = experiment.rules.clone();
    let identity = Identity::new(rules, ("x", "1"), Map::new(), Budget::None, experiment.seed, None);
    let path = folder.join("e.parquet");
    let mut writer = RecordsWriter::create(&path).unwrap();
    for (game, &ending) in endings.iter().enumerate() {
        writer.push(&record(game as u64, ending)).unwrap();
    }
    let header = Header {
        experiment: "p/e".to_owned(),
        identity: identity.clone(),
        manifest: Value::Null,
        provenance: Vec::new(),
        shard: None,
    };
    writer.finish(&header).unwrap();
    Planned {
        key: Key { paper: "p".to_owned(), experiment: "e".to_owned() },
        games: experiment.games,
        experiment,
        also_for: Vec::new(),
        identity,
        params: Map::new(),
        plugin: PluginEntry { file: "libx.so".into(), sha256: String::new(), agents: Vec::new() },
        path,
        state: State::Complete { games: endings.len() as u64 },
        journalled: 0,
        to_play: 0,
        time_per_game: None,
    }
}

fn record(game: u64, ending: Ending) -> GameRecord {
    GameRecord {
        game,
        tile_seed: game,
        agent_seed: game,
        score: 0,
        max_tile: 2,
        moves: 1,
        directions: "U".to_owned(),
        final_board: "2 . . . / . . . . / . . . . / . . . 2".to_owned(),
        nodes: 0,
        ending,
    }
}

/// A launcher whose workers cannot be started, as where the machine has no process left.
fn broken_launcher() -> Launcher {
    Launcher { program: PathBuf::from("/nowhere/pipeline"), limits: Limits::default() }
}

const ONE: Sample = Sample { games: 1, moves: None };

#[test]
fn that_no_worker_can_be_started_is_no_difference_of_the_records() {
    let folder = tempfile::tempdir().unwrap();
    let planned = stored(folder.path(), &[Ending::NoMoves]);
    let error = recompute(&planned, &broken_launcher(), ONE).unwrap_err();
    assert!(matches!(error, RecomputeError::Worker(_)), "{error:?}");
}

#[test]
fn games_are_drawn_among_those_that_no_fault_ended() {
    let folder = tempfile::tempdir().unwrap();
    let mut endings = vec![Ending::AgentCrash; 50];
    endings[17] = Ending::NoMoves;
    endings[31] = Ending::NoMoves;
    let planned = stored(folder.path(), &endings);
    let drawn = |count| -> Vec<u64> {
        let mut reader = RecordsReader::open(&planned.path).unwrap();
        draw(&mut reader, count).unwrap().iter().map(|record| record.game).collect()
    };
    assert!([vec![17], vec![31]].contains(&drawn(1)), "{:?}", drawn(1));
    assert_eq!(drawn(2), [17, 31]);
    assert_eq!(drawn(9), [17, 31]);
}

#[test]
fn where_a_fault_ended_every_game_none_is_played_again() {
    let folder = tempfile::tempdir().unwrap();
    let planned = stored(folder.path(), &[Ending::AgentCrash, Ending::Timeout]);
    let recomputed = recompute(&planned, &broken_launcher(), ONE).unwrap();
    assert!(recomputed.games.is_empty() && recomputed.differences.is_empty());
}
