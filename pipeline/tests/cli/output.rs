//! What is printed: JSON for scripts, text for people.

use crate::common::prelude::*;

use crate::quick_lab;

#[test]
fn with_json_standard_output_is_json_only() {
    let lab = quick_lab();
    let report = lab.json_of("run");
    assert_eq!(report["experiments"][0]["experiment"], "p/r");
    assert_eq!(report["experiments"][0]["played"], 12);
    assert_eq!(report["experiments"][0]["digest"], lab.digest("p/r").as_str());
    assert_eq!(lab.json_of("plan")[1]["state"], "complete");
    assert_eq!(lab.json_of("explain p/c")[0]["identity"]["params"]["cycle"], "URDL");
    assert_eq!(lab.json_of("verify --recompute 2")["files"][0]["games"], 12);
    assert_eq!(lab.json_of("reproduce")["run"]["experiments"].as_array().map(Vec::len), Some(0));
    assert_eq!(lab.json_of("reproduce --smoke")["smoke"], true);
    assert!(lab.succeed("schema").json()["properties"]["experiment"].is_object());
    let agents = lab.json_of("agents");
    assert!(list(&agents["plugins"]).iter().all(|plugin| plugin["sha256"].as_str().unwrap().len() == 64));
    let games = lab.json_of("games p/r --sort score");
    let scores: Vec<u64> = list(&games).iter().map(|game| game["score"].as_u64().unwrap()).collect();
    assert!(scores.len() == 12 && scores.is_sorted_by(|one, other| one >= other), "{scores:?}");
    let is_seed = |seed: &Value| seed.as_str().is_some_and(|seed| seed.len() == 16);
    assert!(is_seed(&games[0]["tile_seed"]) && is_seed(&games[0]["agent_seed"]), "{}", games[0]);
    let plugin = agents["plugins"][0]["file"].as_str().unwrap();
    assert!(lab.json_of(&format!("check {plugin} --moves 5")).is_array());
}

#[test]
fn people_get_text_without_control_sequences_and_a_closed_pipe_is_not_an_error() {
    let lab = quick_lab();
    let mut texts = Vec::new();
    for (arguments, words) in [
        ("plan", &["p/r", "missing", "24 games to play"][..]),
        ("run", &["Played 24 games", "p/c: 12 played", "digest "]),
        ("run", &["All 2 experiments are complete; nothing was played"]),
        ("plan", &["complete", "No game to play"]),
        ("explain p/r", &["p/r", "identity ", "\"agent\": \"random\"", "12 games of this identity"]),
        ("explain", &["experiment  p/r  complete", "`pipeline explain PAPER/NAME` prints"]),
        ("games p/r --limit 3 --sort max-tile", &["max tile", "no-moves"]),
        ("replay p/r 3 --move 0", &["game 3 move 0/", "score 0"]),
        ("replay p/r 3", &["game 3 move 1/", "no-moves"]),
        ("agents", &["random", "fixed-cycle", "what it is"]),
        ("agents fixed-cycle", &["fixed-cycle", "URDL", "SHA-256"]),
        ("verify --current", &["Replayed 24 games", "All as stored"]),
        (
            "reproduce",
            &["nothing was played", "Replayed 24 games", "Played 2 of 24 stored games again", "--fresh"],
        ),
        ("completions bash", &["complete", "pipeline"]),
        ("completions fish", &["pipeline"]),
        ("completions zsh", &["#compdef pipeline"]),
    ] {
        let ran = lab.succeed(arguments);
        ran.assert_prints(words);
        texts.extend([ran.stdout, ran.stderr]);
    }
    texts.push(lab.run("run q").stderr);
    assert!(texts.iter().all(|text| !text.contains('\x1b') && !text.contains('\r')));
    assert_eq!(lab.succeed("run --quiet --fresh").stderr, "");
    lab.run("replay p/r 12").assert_fails(2, &["no game 12", "12 games"]);
    lab.run("replay p/r 0 --move 99999").assert_fails(2, &["not 99999"]);
    let game = &lab.records("p/r")[5];
    let shown = lab.succeed(&format!("replay p/r 5 --move {}", game.moves)).stdout;
    let tiles = |text: &str| {
        text.split_whitespace().filter(|word| *word != "/").map(str::to_owned).collect::<Vec<_>>()
    };
    let (head, board) = shown.split_once('\n').unwrap();
    assert_has(head, &[&format!("score {}", game.score), "no-moves"]);
    assert_eq!(tiles(board), tiles(&game.final_board));
    let mut child = lab.start("replay p/r 0");
    drop(child.stdout.take());
    wait_until("the program ends", || child.try_wait().unwrap().is_some());
    let ran = CommandOutput::from(child);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
}
