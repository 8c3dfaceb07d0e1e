//! Games whose tiles the agent places against itself: played, replayed, merged, and ended by faults.

use crate::common::prelude::*;

use engine::Spawning;

use crate::twins::{AT_MOVE, GAMES, SEED, assert_games};

const SPAWNER: &str = "pipeline/tests/plugins/spawner.c";
const RULES: &str = "[experiment.rules]\nspawn = \"adversarial\"";
fn rules() -> Rules {
    Rules { spawn: Spawning::Adversarial, ..Rules::default() }
}

fn lab(fault: &str, more: &str) -> Lab {
    let lab = Lab::with(&experiment("e", "spawner", GAMES, &format!("{more}\n{RULES}")));
    lab.build_plugin(SPAWNER, &format!("spawner-{fault}"), &[&format!("-DFAULT={fault}")]);
    lab
}

#[test]
fn games_show_their_tiles_and_are_the_same_for_any_jobs_and_shards_and_when_played_again() {
    let whole = lab("none", "");
    whole.succeed("run --jobs 3");
    let games = whole.records("p/e");
    assert_eq!(games.len() as u64, GAMES);
    for game in &games {
        assert_eq!(game.replay(&rules(), SEED), Ok(()));
        assert_eq!(game.spawns.as_ref().map(String::len), Some(2 * game.moves as usize));
        assert_eq!(game.nodes, 3 * u64::from(game.moves), "the nodes of moves and of tiles");
        assert!(game.ending == Ending::NoMoves && game.moves > AT_MOVE as u32);
    }
    whole.succeed("verify --recompute all --current");
    let alone = lab("none", "");
    alone.succeed("run --jobs 1");
    assert_eq!(alone.digest("p/e"), whole.digest("p/e"));
    let parts = lab("none", "");
    parts.succeed(&format!("merge {}", parts.play_parts("p/e", 2, "").join(" ")));
    assert_eq!(parts.digest("p/e"), whole.digest("p/e"));
    let game = &games[0];
    let listed = whole.json_of("games p/e");
    assert_eq!(listed[0]["spawns"].as_str(), game.spawns.as_deref());
    whole
        .succeed(&format!("replay p/e 0 --move {}", game.moves))
        .assert_prints(&[&format!("score {}  no-moves", game.score)]);
}

#[test]
fn a_fault_over_a_tile_costs_its_game_and_the_move_before_it() {
    let good = lab("none", "");
    good.succeed("run");
    for (fault, ending, words) in [
        ("taken_cell", Ending::IllegalMove, "which is not empty"),
        ("no_such_tile", Ending::IllegalMove, "in cell 16"),
        ("fails", Ending::AgentError, "no tile comes to mind"),
        ("crashes", Ending::AgentCrash, "(abort)"),
    ] {
        println!("{fault}");
        let lab = lab(fault, "fault_share = \"1/1\"");
        lab.run("run --jobs 2").assert_fails(3, &[words]).assert_omits(&["ALARM"]);
        assert_games(&rules(), &lab.records("p/e"), &good.records("p/e"), ending);
        lab.succeed("verify");
    }
}

#[test]
fn an_agent_that_places_no_tiles_is_refused_before_a_game() {
    let lab = Lab::with(&experiment("e", "random", GAMES, RULES));
    lab.run("run").assert_fails(2, &["needs an agent that places the tiles"]);
    assert!(!lab.records_file("p/e").exists());
}

/// A program over the bridge that places tiles.
const PROGRAM: &str = r#"import json, sys
for line in sys.stdin:
    message = json.loads(line)
    kind = message["type"]
    if kind == "hello":
        reply = {"type": "hello", "protocol": 1, "id": "placer", "version": "1", "places_tiles": True}
    elif kind == "setup":
        reply = {"type": "ready"}
        if message["rules"]["four"] != "1/10":
            reply = {"type": "refused", "what": "rules", "reason": "the odds must be 1/10"}
    elif kind == "position":
        reply = {"type": "move", "direction": message["legal"][0], "nodes": 1}
    elif kind == "afterstate":
        tiles = [tile for row in message["board"] for tile in row]
        cell = max(cell for cell, tile in enumerate(tiles) if tile == 0)
        reply = {"type": "tile", "cell": cell, "tile": 4 if message["move"] % 5 == 4 else 2, "nodes": 2}
    else:
        continue
    print(json.dumps(reply), flush=True)
"#;

#[test]
fn a_program_places_the_tiles_that_its_twin_in_c_does() {
    if !has_python() {
        return skip("there is no python3 for a program that places tiles");
    }
    let twin = lab("none", "");
    twin.succeed("run --games 4");
    let lab = Lab::with(&experiment("e", "placer", 4, RULES));
    lab.write("plugins/placer.py", PROGRAM);
    lab.add_script("placer", "exec python3 \"$(dirname \"$0\")/placer.py\"\n");
    lab.succeed("run");
    assert_eq!(lab.records("p/e"), twin.records("p/e"));
    lab.succeed("check plugins/placer.agent");
}
