//! A replayer in Python, written from `engine/README.md` alone, agrees with the engine on a thousand games of
//! each rule set.

#[path = "common/skip.rs"]
mod skip;

use std::io::Write;
use std::process::{Command, Stdio};

use engine::board::tile;
use engine::conformance::{adversarial_rule_sets, rule_sets};
use engine::{AgentSeed, Game, Placement, Rng, Rules, Slide, Spawning, TileSeed};
use serde_json::{Value, json};
use skip::skip;

const GAMES: u64 = 1000;
const MASTER_SEED: u64 = 2048;
const REPLAYER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/replayer.py");

/// The replayer's command; none, with a word about it, on a machine without Python.
fn python() -> Option<Command> {
    let found = Command::new("python3").arg("--version").output().is_ok_and(|output| output.status.success());
    if !found {
        skip(&format!("there is no python3 to run {REPLAYER}"));
    }
    found.then(|| {
        let mut command = Command::new("python3");
        command.arg(REPLAYER).stdin(Stdio::piped()).stdout(Stdio::piped());
        command
    })
}

/// Plays a random game, mostly towards one corner so that it lasts: the line for the replayer, and what it
/// should answer.
fn play(rules: &Rules, number: u64) -> (Value, Value) {
    let seed = TileSeed::derive(MASTER_SEED, number);
    let mut rng = Rng::from_seed(number);
    let mut game = Game::new(rules, seed);
    let (mut directions, mut spawns) = (String::new(), String::new());
    while game.ending().is_none() {
        let legal = game.legal_moves();
        let among = if rng.below(8) == 0 { legal.len() } else { legal.len().min(2) };
        let direction = legal.iter().nth(rng.below(among) as usize).expect("a legal direction");
        let tile = game.play_with(direction, |slide| place(slide, rules, &mut rng)).expect("legal");
        directions.push(direction.letter());
        spawns.extend(tile.map(|tile| tile.to_string()));
    }
    let mut line = json!({"rules": rules, "tile_seed": format!("{:016x}", seed.0), "directions": directions});
    if !rules.spawn.is_random() {
        line["spawns"] = json!(spawns);
    }
    let answer = json!({
        "score": game.score(),
        "moves": game.moves(),
        "max_tile": tile(game.max_rank()),
        "board": game.ranks().to_string(),
        "ending": game.ending(),
    });
    (line, answer)
}

/// An adversary who takes any of the tiles that chance could have placed.
fn place(slide: &Slide, rules: &Rules, rng: &mut Rng) -> Result<Placement, &'static str> {
    let nth = rng.below(slide.afterstate.empty_count()) as usize;
    let cell = slide.afterstate.empty_cells().nth(nth).ok_or("an empty cell")?;
    let is_four = rules.four.numerator() > 0 && rng.below(3) == 0;
    Placement::new(cell as u32, if is_four { 2 } else { 1 }).ok_or("a tile")
}

/// Hands lines to the replayer and reads as many answers.
fn replay(mut command: Command, lines: &[Value]) -> Vec<Value> {
    let mut child = command.spawn().expect("python3 starts");
    let mut input = child.stdin.take().expect("a pipe");
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()).expect("the replayer reads"));
    let output = child.wait_with_output().expect("the replayer ends");
    writer.join().expect("all lines written");
    assert!(output.status.success());
    let answers = String::from_utf8(output.stdout).expect("UTF-8");
    answers.lines().map(|line| serde_json::from_str(line).expect("an answer in JSON")).collect()
}

#[test]
fn a_thousand_games_of_each_rule_set_replay_alike() {
    let Some(command) = python() else { return };
    let mut lines = Vec::new();
    let mut expected = Vec::new();
    for (_, rules) in rule_sets().into_iter().chain(adversarial_rule_sets()) {
        for number in 0..GAMES {
            let (line, answer) = play(&rules, number);
            lines.push(line);
            expected.push(answer);
        }
    }
    let answers = replay(command, &lines);
    assert_eq!(answers.len(), expected.len());
    for ((line, answer), expected) in lines.iter().zip(&answers).zip(&expected) {
        assert_eq!(answer, expected, "{line}");
    }
    for ending in ["no-moves", "stopped-at-tile", "tile-cap"] {
        assert!(expected.iter().any(|answer| answer["ending"] == ending), "no game ended by {ending}");
    }
}

#[test]
fn a_wrong_direction_is_noticed() {
    let Some(command) = python() else { return };
    let (mut line, _) = play(&Rules::default(), 0);
    let played = line["directions"].as_str().unwrap().to_owned();
    line["directions"] = json!(played.clone() + "U");
    let after_the_end = replay(command, &[line]);
    let message = after_the_end[0]["error"].as_str().expect("an error");
    assert!(message.starts_with(&format!("move {}", played.len() + 1)), "{message}");
}

#[test]
fn a_wrong_tile_is_noticed() {
    let Some(command) = python() else { return };
    let (honest, _) = play(&Rules { spawn: Spawning::Adversarial, ..Rules::default() }, 0);
    let tiles = honest["spawns"].as_str().unwrap();
    let with_tiles = |spawns: String| {
        let mut line = honest.clone();
        line["spawns"] = json!(spawns);
        line
    };
    let mut without = honest.clone();
    without.as_object_mut().unwrap().remove("spawns");
    let lines = [
        with_tiles(tiles[..20].to_owned()),
        with_tiles(tiles.to_owned() + "02"),
        with_tiles("x2".to_owned() + &tiles[2..]),
        with_tiles(tiles[..1].to_owned() + "8" + &tiles[2..]),
        without,
    ];
    let words = ["move 11", "more tiles", "'x2' is no tile", "is no tile", "belong to adversarial games"];
    for (answer, word) in replay(command, &lines).iter().zip(words) {
        assert!(answer["error"].as_str().expect("an error").contains(word), "{answer}: {word}");
    }
}

#[test]
fn seeds_are_derived_alike() {
    let Some(mut command) = python() else { return };
    let output = command.args(["--seeds", "2048", "77"]).output().expect("python3 runs");
    let ours = format!("{:016x} {:016x}", TileSeed::derive(2048, 77).0, AgentSeed::derive(2048, 77).0);
    assert_eq!(String::from_utf8(output.stdout).unwrap().trim(), ours);
}
