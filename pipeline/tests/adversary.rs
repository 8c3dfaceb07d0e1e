//! Games whose tiles the agent places against itself, by the real program: played, replayed, merged, played again, and cut short by
//! whatever an agent does while it places one.

mod common;

use std::fs;

use common::lab::{Lab, experiment};
use common::{compile_plugin, has_python, skip};
use engine::{AgentSeed, Ending, Rules, Spawning};
use records::record::GameRecord;

const SPAWNER: &str = "pipeline/tests/plugins/spawner.c";
const RULES: &str = "[experiment.rules]\nspawn = \"adversarial\"";
const SEED: u64 = 2048;
const GAMES: u64 = 16;
/// The plugin's own: in which games it is bad, and after which move.
const EVERY: u64 = 9;
const AT_MOVE: u32 = 20;

fn rules() -> Rules {
    Rules { spawn: Spawning::Adversarial, ..Rules::default() }
}

fn lab(fault: &str, more: &str) -> Lab {
    let lab = Lab::with(&experiment("e", "spawner", GAMES, &format!("{more}\n{RULES}")));
    lab.add_plugin(&compile_plugin(SPAWNER, &format!("spawner-{fault}"), &[&format!("-DFAULT={fault}")]));
    lab
}

fn assert_placed(game: &GameRecord) {
    assert_eq!(game.replay(&rules(), SEED), Ok(()));
    assert_eq!(game.spawns.as_ref().map(String::len), Some(2 * game.moves as usize), "game {}", game.game);
    assert_eq!(game.nodes, 3 * u64::from(game.moves), "the nodes of moves and of tiles");
}

#[test]
fn games_are_the_same_for_any_jobs_and_shards_and_when_played_again() {
    let whole = lab("none", "");
    whole.succeed(&["run", "--jobs", "3"]);
    let games = whole.records("p/e");
    assert_eq!(games.len() as u64, GAMES);
    games.iter().for_each(assert_placed);
    assert!(games.iter().all(|game| game.ending == Ending::NoMoves && game.moves > AT_MOVE));
    whole.succeed(&["verify", "--recompute", "all", "--current"]);
    let alone = lab("none", "");
    alone.succeed(&["run", "--jobs", "1"]);
    assert_eq!(alone.digest("p/e"), whole.digest("p/e"));
    let parts = lab("none", "");
    for part in ["1/2", "2/2"] {
        parts.succeed(&["run", "--shard", part]);
    }
    let part = |part: &str| format!("results/records/p/e.part-{part}-of-2.parquet");
    parts.succeed(&["merge", &part("1"), &part("2")]);
    assert_eq!(parts.digest("p/e"), whole.digest("p/e"));
}

#[test]
fn games_are_shown_with_their_tiles() {
    let lab = lab("none", "");
    lab.succeed(&["run", "--games", "1"]);
    let game = &lab.records("p/e")[0];
    let listed = lab.succeed(&["games", "p/e", "--json"]).json();
    assert_eq!(listed[0]["spawns"].as_str(), game.spawns.as_deref());
    let last = lab.succeed(&["replay", "p/e", "0", "--move", &game.moves.to_string()]);
    assert!(last.stdout.contains(&format!("score {}  no-moves", game.score)), "{last:?}");
}

/// Runs a plugin that is bad while it places a tile: its games end before that move, and no other is touched.
fn assert_contained(fault: &str, ending: Ending, words: &[&str]) {
    let good = lab("none", "");
    good.succeed(&["run"]);
    let lab = lab(fault, "fault_share = \"1/1\"");
    let ran = lab.run(&["run", "--jobs", "2"]);
    ran.assert_fails(3, words);
    assert!(!ran.stderr.contains("ALARM"), "{ran:?}");
    let mut bad = 0;
    for (game, good) in lab.records("p/e").iter().zip(&good.records("p/e")) {
        assert_placed(game);
        if AgentSeed::derive(SEED, game.game).0.is_multiple_of(EVERY) {
            bad += 1;
            assert_eq!((game.ending, game.moves), (ending, AT_MOVE), "{fault}: game {}", game.game);
            assert!(good.begins_with(game), "{fault}: game {}", game.game);
        } else {
            assert_eq!(game, good);
        }
    }
    assert!(bad > 0);
    lab.succeed(&["verify"]);
}

#[test]
fn a_tile_that_cannot_go_there_forfeits_the_game_and_the_move() {
    assert_contained("taken_cell", Ending::IllegalMove, &["which is not empty"]);
    assert_contained("no_such_tile", Ending::IllegalMove, &["in cell 16"]);
}

#[test]
fn an_agent_that_fails_or_crashes_over_a_tile_keeps_the_moves_before() {
    assert_contained("fails", Ending::AgentError, &["no tile comes to mind"]);
    assert_contained("crashes", Ending::AgentCrash, &["(abort)"]);
}

#[test]
fn an_agent_that_places_no_tiles_is_refused_before_a_game() {
    let lab = Lab::with(&experiment("e", "random", GAMES, RULES));
    let ran = lab.run(&["run"]);
    assert_ne!(ran.code, Some(0));
    assert!(ran.stderr.contains("needs an agent that places the tiles"), "{ran:?}");
    assert!(!lab.records_file("p/e").exists());
}

/// A program over the bridge that places tiles.
const PROGRAM: &str = r#"import json, sys
for line in sys.stdin:
    told = json.loads(line)
    kind = told["type"]
    if kind == "hello":
        said = {"type": "hello", "protocol": 1, "id": "placer", "version": "1", "places_tiles": True}
    elif kind == "setup":
        said = {"type": "ready"}
        if told["rules"]["four"] != "1/10":
            said = {"type": "refused", "what": "rules", "reason": "the odds must be 1/10"}
    elif kind == "position":
        said = {"type": "move", "direction": told["legal"][0], "nodes": 1}
    elif kind == "afterstate":
        tiles = [tile for row in told["board"] for tile in row]
        cell = max(cell for cell, tile in enumerate(tiles) if tile == 0)
        said = {"type": "tile", "cell": cell, "tile": 4 if told["move"] % 5 == 4 else 2, "nodes": 2}
    else:
        continue
    print(json.dumps(said), flush=True)
"#;

#[test]
fn a_program_places_the_tiles_that_its_twin_in_c_does() {
    if !has_python() {
        return skip("there is no python3 for a program that places tiles");
    }
    let twin = lab("none", "");
    twin.succeed(&["run", "--games", "4"]);
    let lab = Lab::with(&experiment("e", "placer", 4, RULES));
    fs::write(lab.path("plugins/placer.py"), PROGRAM).unwrap();
    lab.add_script("placer", "exec python3 \"$(dirname \"$0\")/placer.py\"\n");
    lab.succeed(&["run"]);
    assert_eq!(lab.records("p/e"), twin.records("p/e"));
    lab.succeed(&["check", "plugins/placer.agent"]);
}
