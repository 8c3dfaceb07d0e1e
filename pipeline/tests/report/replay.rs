//! `assets/replay.js` agrees with the engine on thousands of games of every rule set.

use std::fs;
use std::path::Path;
use std::process::Command;

use engine::conformance::{adversarial_rule_sets, rule_sets};
use engine::{Ending, Merging, Odds, Rules, Scatter, Spawning, Start};
use rendering::report::PageReplay;
use serde_json::Value;

use crate::chromium::Chromium;
use crate::common::skip;
use crate::games::play;

const REPLAY: &str = include_str!("../../crates/rendering/src/report/assets/replay.js");
const CHECK: &str = include_str!("check.js");

/// Every combination of odds, merging, start, stop and spawn that makes a game.
fn combinations() -> Vec<Rules> {
    let odds = [(0, 1), (1, 10), (1, 4), (1, 1), (u32::MAX - 1, u32::MAX)];
    let scatters = [
        [16, 4, 2, 1],
        [1, 1, 1, 1],
        [1, 0, 0, 0],
        [u32::MAX - 30, 10, 10, 10],
        [0, 1 << 31, 1 << 30, 1 << 29],
    ];
    let boards = [
        "2 . . . / . . . . / . . . . / . . . 4",
        "32768 16384 8192 8192 / . . . . / . . . . / . . . .",
        "2 4 2 4 / 4 2 4 2 / 2 4 2 4 / 4 2 4 2",
        "16384 8192 4096 4096 / 2 2 4 8 / 8 4 2 2 / 32768 . . .",
    ];
    let scatter = |[empty, two, four, eight]: [u32; 4]| Start::Scatter(Scatter { empty, two, four, eight });
    let mut starts = vec![Start::TwoTiles];
    starts.extend(scatters.map(scatter));
    starts.extend(boards.map(|text| Start::Board(text.parse().expect("a board"))));
    let stops =
        [None, Some(16), Some(128), Some(32768)].map(|stop| stop.and_then(|tile: u32| tile.try_into().ok()));
    let mut all = Vec::new();
    for (numerator, denominator) in odds {
        for merging in [Merging::Once, Merging::Cascading] {
            for start in &starts {
                for stop_at in stops {
                    let four = Odds::new(numerator, denominator).expect("odds");
                    for spawn in [Spawning::Random, Spawning::Adversarial] {
                        all.push(Rules { four, merging, start: start.clone(), stop_at, spawn });
                    }
                }
            }
        }
    }
    all.retain(|rules| rules.validate().is_ok());
    all
}

/// Games of all rules; every fifth is cut short, as by a fault of its agent.
fn games() -> Vec<PageReplay> {
    let limit = |number: u64| if number.is_multiple_of(5) { number as u32 } else { u32::MAX };
    let named = rule_sets()
        .into_iter()
        .chain(adversarial_rule_sets())
        .flat_map(|(_, rules)| (0..500).map(move |number| (rules.clone(), number)));
    let combined =
        combinations().into_iter().flat_map(|rules| (0..10).map(move |number| (rules.clone(), number)));
    named.chain(combined).map(|(rules, number)| play(&rules, number, limit(number))).collect()
}

/// The games as lines of JSON, in the form that the page has them in.
fn lines(games: &[PageReplay]) -> String {
    games.iter().map(|game| serde_json::to_string(game).expect("JSON") + "\n").collect()
}

/// What `check.js` says of the games, from each JavaScript that is there.
fn check(games: &[PageReplay]) -> Vec<(&'static str, Value)> {
    let folder = tempfile::tempdir().expect("a folder");
    let answers: Vec<_> = [("node", node(folder.path(), games)), ("Chromium", chromium(games))]
        .into_iter()
        .filter_map(|(name, answer)| Some((name, answer?)))
        .collect();
    if answers.is_empty() {
        skip("there is neither node nor Chromium to run replay.js");
    }
    answers
}

fn node(folder: &Path, games: &[PageReplay]) -> Option<Value> {
    let found = Command::new("node").arg("--version").output().is_ok_and(|output| output.status.success());
    if !found {
        return None;
    }
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        fs::write(&path, text).expect("a file");
        path
    };
    let arguments =
        [write("check.js", CHECK), write("replay.js", REPLAY), write("games.jsonl", &lines(games))];
    let output = Command::new("node").args(arguments).output().expect("node runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(serde_json::from_slice(&output.stdout).expect("an answer in JSON"))
}

fn chromium(games: &[PageReplay]) -> Option<Value> {
    let page = format!(
        "<!DOCTYPE html><meta charset=utf-8><script>{REPLAY}</script>\n\
         <script type='text/plain' id='games'>{}</script>\n<pre id='result'></pre><script>{CHECK}</script>",
        lines(games)
    );
    Some(Chromium::find()?.result(&page, "1280,800", &[]))
}

#[test]
fn thousands_of_games_of_every_rule_set_replay_alike() {
    let games = games();
    assert!(games.len() > 5000, "{}", games.len());
    for ending in [Ending::NoMoves, Ending::StoppedAtTile, Ending::TileCap, Ending::AgentCrash] {
        assert!(games.iter().filter(|game| game.ending == ending).count() > 100, "few games end by {ending}");
    }
    for (name, answer) in check(&games) {
        assert_eq!(answer["wrong"].as_array().expect("a list"), &Vec::<Value>::new(), "{name}");
        assert_eq!(answer["games"], games.len(), "{name}");
        eprintln!(
            "{name}: {} games, {} moves in {} ms",
            answer["games"], answer["moves"], answer["milliseconds"]
        );
    }
}

#[test]
fn a_record_that_was_tampered_with_is_noticed_and_named() {
    let honest = play(&Rules::default(), 7, u32::MAX);
    let mut last_letters = honest.directions.chars().rev();
    let other = if last_letters.next() == Some('U') { "D" } else { "U" };
    let turned = honest.directions[..honest.moves as usize - 1].to_owned() + other;
    let placed = play(&Rules { spawn: Spawning::Adversarial, ..Rules::default() }, 7, u32::MAX);
    let with_tiles = |tamper: fn(&mut String)| {
        let mut tampered = placed.clone();
        tamper(tampered.spawns.as_mut().expect("placed tiles"));
        tampered
    };
    let tampered = [
        (PageReplay { score: honest.score + 4, ..honest.clone() }, "score"),
        (PageReplay { max_tile: 2 * honest.max_tile, ..honest.clone() }, "largest tile"),
        (
            PageReplay { final_board: honest.final_board.replacen('2', "4", 1), ..honest.clone() },
            "last board",
        ),
        (PageReplay { ending: Ending::TileCap, ..honest.clone() }, "ending"),
        (PageReplay { ending: Ending::Timeout, ..honest.clone() }, "ending"),
        (PageReplay { game: 8, ..honest.clone() }, "tile seed"),
        (PageReplay { tile_seed: honest.tile_seed ^ 1, ..honest.clone() }, "tile seed"),
        (PageReplay { directions: turned, ..honest.clone() }, ""),
        (
            PageReplay {
                directions: honest.directions.clone() + "U",
                moves: honest.moves + 1,
                ..honest.clone()
            },
            "the game is over: no-moves",
        ),
        (
            PageReplay { rules: Rules { merging: Merging::Cascading, ..Rules::default() }, ..honest.clone() },
            "",
        ),
        (PageReplay { spawns: Some(String::new()), ..honest.clone() }, "belong to adversarial games"),
        (PageReplay { spawns: None, ..placed.clone() }, "belong to adversarial games"),
        (with_tiles(|tiles| tiles.truncate(20)), "move 11: no tile is recorded"),
        (with_tiles(|tiles| tiles.push_str("02")), "more tiles are recorded"),
        (with_tiles(|tiles| tiles.replace_range(4..6, "g2")), "move 3: no tile in a cell: g2"),
        (with_tiles(|tiles| tiles.replace_range(5..6, "8")), "move 3: no tile in a cell"),
    ];
    let (games, words): (Vec<PageReplay>, Vec<&str>) = tampered.into_iter().unzip();
    for (name, answer) in check(&games) {
        let wrong = answer["wrong"].as_array().expect("a list");
        assert_eq!(wrong.len(), games.len(), "{name}: {answer}");
        for (index, (difference, word)) in wrong.iter().zip(&words).enumerate() {
            assert_eq!(difference["line"], index, "{name}");
            assert!(difference["differences"].to_string().contains(word), "{name}: {difference}, not {word}");
        }
    }
}

/// Random games hardly ever meet a product that floating point would round up.
#[test]
fn draws_are_exact_where_a_product_ends_in_ones() {
    let mut cases = String::new();
    for bound in (1..u32::MAX).step_by(4_294_968).map(|number| number | 1) {
        // By Newton's method: five bits, then twice as many each time.
        let inverse = (0..5).fold(bound, |x, _| x.wrapping_mul(2u32.wrapping_sub(bound.wrapping_mul(x))));
        let bits = inverse.wrapping_neg();
        assert_eq!(bits.wrapping_mul(bound), u32::MAX, "the product's lower half");
        let expected = (u64::from(bits) * u64::from(bound)) >> 32;
        cases.push_str(&format!("[{bits}, {bound}, {expected}],"));
    }
    let expression = format!(
        "String([{cases}].filter(([bits, bound, expected]) => Retile.scale(bits, bound) !== expected))"
    );
    let Some(wrong) = run_node(&expression) else { return };
    assert_eq!(wrong, "");
}

#[test]
fn the_vectors_of_the_specification_hold_and_unknown_rules_are_not_guessed() {
    let unknown = "{ rules: { five: '1/10' }, seed: '0', game: 0, directions: '', moves: 0 }";
    let vectors = [
        (&*format!("Retile.check({unknown}).differences[0]"), "unknown rules: {\"five\":\"1/10\"}"),
        ("tileSeed('0', 0)", "5fe621f3123a2563"),
        ("tileSeed('2048', 1)", "18e7266ca159280b"),
        ("tileSeed('18446744073709551615', 999999)", "ca07941fa7fae562"),
        ("first('0')", "53175d61490b23df"),
        ("first('800')", "0bfdf21f7218d958"),
        ("first('b3a89e342bf34856')", "716c123086f94dbe"),
    ];
    for (expression, expected) in vectors {
        let Some(answer) = run_node(expression) else { return };
        assert_eq!(answer, expected, "{expression}");
    }
}

/// The text of an expression in node, with `replay.js` loaded; none, with a message, without node.
fn run_node(expression: &str) -> Option<String> {
    let helpers = "const { tileSeed } = Retile; const first = (seed) => { const s = new Retile.TileStream(seed); s.next(); \
                   return [s.high, s.low].map((half) => half.toString(16).padStart(8, '0')).join(''); };";
    let script = format!("{REPLAY}\n{helpers}\nprocess.stdout.write({expression})");
    let Ok(output) = Command::new("node").args(["-e", &script]).output() else {
        skip("there is no node");
        return None;
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8(output.stdout).expect("UTF-8"))
}
