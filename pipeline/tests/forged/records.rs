//! Records: `verify` notices every forged game, and no other command breaks on it or accepts it.

use crate::common::prelude::*;

use crate::forge::{ForgedFile, column, mend_index};

/// A laboratory with two played experiments.
fn lab() -> Lab {
    let lab = Lab::with(&(experiment("r", "random", 5, "") + &experiment("c", "fixed-cycle", 5, "")));
    lab.succeed("reproduce --quiet");
    lab
}

/// A change to a file, and the message of `verify`.
type Case = (fn(&mut ForgedFile), &'static str);

/// Clears the screen, and imitates a line of ours.
pub(crate) const FORGED: &str = "\x1b[2J\nFORGED";

/// Files with a valid seal, digest and index entry.
const GAMES: [Case; 24] = [
    (|file| file.games(|games| games[1].score += 4), "game 1: score is 956, but the replay gives 952"),
    (|file| file.games(|games| games[1].max_tile = u32::MAX), "game 1: max_tile is 4294967295"),
    (|file| file.games(|games| games[1].moves = u32::MAX), "game 1: moves is 4294967295"),
    (|file| file.games(|games| games.iter_mut().for_each(|game| game.score = u32::MAX)), "game 4: score is"),
    (|file| file.games(|games| games[2].directions.insert(0, 'X')), "game 2: move 1: `X` is not one"),
    (|file| file.games(|games| games[2].directions.insert(0, 'é')), "game 2: move 1: `é` is not one"),
    (|file| file.games(|games| games[2].directions.truncate(9)), "game 2: score is"),
    (|file| file.games(|games| games[2].directions.push_str(&"U".repeat(1 << 20))), "game 2: move 152"),
    (|file| file.games(|games| games[2].ending = Ending::AgentCrash), "game 2: ending is"),
    (|file| file.games(|games| games[2].tile_seed ^= 1), "game 2: tile_seed is"),
    (|file| file.games(|games| games[2].agent_seed ^= 1), "game 2: agent_seed is"),
    (|file| file.games(|games| games.insert(2, games[2].clone())), "game 2 comes where game 3 should"),
    (|file| file.games(|games| drop(games.remove(2))), "game 3 comes where game 2 should"),
    (|file| file.games(|games| games.reverse()), "game 4 comes where game 0 should"),
    (|file| file.games(|games| games[4].game = u64::MAX), "game 18446744073709551615: tile_seed is"),
    (|file| file.games(|games| games[0].final_board.push(' ')), "game 0: final_board is"),
    (|file| file.games(|games| games[0].final_board = FORGED.to_owned()), "game 0: final_board is"),
    (|file| file.games(|games| games[0].final_board = "2".repeat(1 << 20)), "or a board is invalid"),
    (|file| file.set(column("ending", vec![FORGED; 5])), "an ending or a board is invalid"),
    (|file| file.set(column("nodes", vec![None::<u64>; 5])), "a value is missing"),
    (|file| file.set(column("score", vec![f64::NAN; 5])), "its columns are"),
    (|file| file.set(column("game", vec![-1_i64; 5])), "its columns are"),
    (|file| file.set(column(FORGED, vec![1_u32; 5])), "its columns are"),
    (|file| file.groups = vec![file.groups[0].clone(); 500], "game 0 comes where game 5 should"),
];

/// Files of good games with wrong metadata.
const HEADERS: [Case; 10] = [
    (|file| file.header(|header| header["experiment"] = "p/c".into()), "its header names `p/c`"),
    (|file| file.header(|header| header["experiment"] = "../../x".into()), "its header names `../../x`"),
    (|file| file.header(|header| header["experiment"] = FORGED.into()), "its header names `"),
    (|file| file.header(|header| header["identity"]["seed"] = FORGED.into()), "is not a hexadecimal"),
    (|file| file.header(|header| header["shard"] = part(1, 1, 5)), "its header names `p/r.part-1-of-1`"),
    (|file| file.header(|header| header["shard"] = part(3, 2, 5)), "there can be no such part"),
    (|file| file.header(|header| header["shard"] = part(u64::MAX, u64::MAX, 5)), "names `p/r.part"),
    (|file| drop(file.metadata.insert("retile.digest".into(), FORGED.into())), "its digest is"),
    (|file| drop(file.metadata.insert("retile.form".into(), FORGED.into())), "but this program reads"),
    (
        |file| file.header(|header| header["identity"]["seed"] = "0000000000000001".into()),
        "game 0: tile_seed",
    ),
];

fn part(part: u64, of: u64, games: u64) -> Value {
    json!({"part": part, "of": of, "games": games})
}

/// Asserts that commands end, with output that neither controls a terminal nor imitates our lines.
#[track_caller]
pub(crate) fn assert_sober(lab: &Lab, commands: &[&str]) {
    for command in commands {
        let ran = lab.run(command);
        assert!(matches!(ran.code, Some(0..=4)), "{command}: {ran:?}");
        for text in [&ran.stdout, &ran.stderr] {
            let is_plain = |letter: char| engine::abi::host::is_plain(letter) || "\n\t".contains(letter);
            assert!(text.chars().all(is_plain), "{command}: {text:?}");
            assert!(!text.lines().any(|line| line.trim_start().starts_with("FORGED")), "{command}: {text}");
            assert!(text.len() < 1 << 20, "{command}: {} bytes", text.len());
        }
    }
}

#[test]
fn a_forged_record_is_noticed_and_never_merged() {
    let lab = lab();
    let (file, index) = (lab.records_file("p/r"), lab.path("results/index.json"));
    let (good, indexed) = (fs::read(&file).unwrap(), fs::read(&index).unwrap());
    for (number, (forge, words)) in GAMES.iter().chain(&HEADERS).enumerate() {
        fs::write(&index, &indexed).unwrap();
        forge_file(&lab, &file, &good, *forge);
        lab.run("verify results/records").assert_finds(&[words]);
        let out = format!("out-{number}");
        let merge = format!("merge results --out {out}");
        assert_sober(
            &lab,
            &["verify results/records", &merge, "claims", "games p/r", "replay p/r 2", "plan"],
        );
        assert!(!lab.path(&out).join("records/p/r.parquet").exists(), "{number}: {words}: it was merged");
        assert!(lab.path(&out).join("records/p/c.parquet").exists(), "{number}: the other one was not");
    }
}

/// Replaces a good records file with a forged one that the index agrees with.
fn forge_file(lab: &Lab, file: &Path, good: &[u8], forge: fn(&mut ForgedFile)) {
    fs::write(file, good).unwrap();
    ForgedFile::rewrite(file, forge);
    mend_index(lab, "p/r");
}

#[test]
fn a_file_of_another_or_of_games_that_somebody_chose_is_no_evidence() {
    let lab = lab();
    let file = lab.records_file("p/r");
    let good = fs::read(&file).unwrap();
    for (forge, words) in [
        (HEADERS[0].0, "its header names `p/c`"),
        (HEADERS[4].0, "or a part of an experiment"),
        (GAMES[1].0, "is not a board with 4294967295 as its largest tile"),
    ] {
        forge_file(&lab, &file, &good, forge);
        for command in ["claims", "render"] {
            lab.run(command).assert_fails(1, &["r.parquet", words]);
        }
    }
    fs::write(&file, good).unwrap();
    lab.succeed("run p/r --games 401 --quiet");
    ForgedFile::rewrite(&file, |forged| {
        forged.games(|games| games.retain(|game| game.game % 100 == 0));
        forged.header(|header| header["shard"] = part(1, 100, 401));
    });
    mend_index(&lab, "p/r");
    lab.run("verify results/records").assert_finds(&["`p/r.part-1-of-100`"]);
    lab.run("claims").assert_fails(1, &["or a part of an experiment"]);
}

#[test]
fn a_hundred_thousand_machines_are_rendered_in_seconds_and_other_scores_are_not_identical() {
    let lab = lab();
    let file = lab.records_file("p/r");
    let many = |header: &mut Value| {
        let machine = |number: u32| {
            let mut machine = header["provenance"][0].clone();
            machine["cpu"] = format!("CPU {number}").into();
            machine
        };
        header["provenance"] = (0..100_000).map(machine).collect::<Vec<_>>().into();
    };
    ForgedFile::rewrite(&file, |forged| forged.header(many));
    let began = std::time::Instant::now();
    lab.succeed("render");
    assert!(began.elapsed().as_secs() < 40, "{:?}", began.elapsed());
    copy_folder(&lab.path("results"), &lab.path("good"));
    ForgedFile::rewrite(&file, |forged| {
        let digest = forged.metadata["retile.digest"].clone();
        forged.games(|games| games[1].score += 4);
        forged.metadata.insert("retile.digest".to_owned(), digest);
    });
    lab.run("diff good results").assert_finds(&["ALARM"]);
}
