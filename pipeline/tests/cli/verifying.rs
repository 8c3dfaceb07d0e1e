//! Verification: what was tampered with is found and named.

use std::fs;
use std::path::Path;
use surroundings::confined::ConfinedPath;

use records::record::GameRecord;
use records::store::{Header, RecordsReader, RecordsWriter};

use crate::common::lab::records;
use crate::quick_lab;

/// Rewrites a records file, seal and all, with something changed.
fn tamper(file: &Path, change: impl FnOnce(&mut Header, &mut Vec<GameRecord>)) {
    let mut reader = RecordsReader::open(&ConfinedPath::file(file)).unwrap();
    let mut games: Vec<GameRecord> = reader.games().collect::<Result<_, _>>().unwrap();
    let mut header = reader.summary.header;
    change(&mut header, &mut games);
    let mut writer = RecordsWriter::create(&ConfinedPath::file(file)).unwrap();
    games.iter().for_each(|game| writer.push(game).unwrap());
    writer.finish(&header).unwrap();
}

#[test]
fn verification_finds_what_was_tampered_with_and_names_it() {
    let lab = quick_lab();
    lab.succeed(&["run"]);
    let (file, untouched) = (lab.records_file("p/r"), fs::read(lab.records_file("p/r")).unwrap());
    let found = |words: &[&str]| {
        let ran = lab.run(&["verify"]);
        ran.assert_fails(1, &[]);
        for word in words {
            assert!(ran.stdout.contains(word), "no `{word}` in {ran:?}");
        }
        assert!(ran.stdout.contains("p/r.parquet"), "{ran:?}");
        assert!(!ran.stdout.contains("p/c.parquet"), "{ran:?}");
        assert!(!ran.stderr.contains("panicked"), "{ran:?}");
    };
    let tampered = |change: fn(&mut Header, &mut Vec<GameRecord>), words: &[&str]| {
        fs::write(&file, &untouched).unwrap();
        tamper(&file, change);
        found(words);
    };
    tampered(|_, games| games[3].score += 4, &["game 3: score is "]);
    tampered(|_, games| games[4].directions.replace_range(6..7, "X"), &["game 4: move 7: `X`"]);
    tampered(|_, games| games[5].directions.truncate(10), &["game 5"]);
    tampered(|_, games| games[6].tile_seed ^= 1, &["game 6: tile_seed is "]);
    tampered(|_, games| games[7].agent_seed ^= 1, &["game 7: agent_seed is "]);
    tampered(|_, games| games[8].final_board = "2 2 2 2".into(), &["game 8: final_board is "]);
    tampered(|_, games| games[9].max_tile *= 2, &["game 9: max_tile is "]);
    tampered(|_, games| games[10].ending = engine::Ending::TileCap, &["game 10: ending is tile-cap"]);
    tampered(|header, _| header.identity.seed = "0000000000000001".into(), &["game 0: tile_seed is "]);
    tampered(|_, games| drop(games.remove(2)), &["game 3 comes where game 2 should"]);
    for length in [0, 3, 100, untouched.len() / 2, untouched.len() - 1] {
        fs::write(&file, &untouched[..length]).unwrap();
        found(&[]);
        // A broken file is no reason to play over it.
        let ran = lab.run(&["run"]);
        ran.assert_fails(1, &["p/r.parquet", "restore the file, or remove it"]);
    }
    let mut flipped = untouched.clone();
    flipped[200] ^= 1;
    fs::write(&file, flipped).unwrap();
    found(&[]);
    fs::write(&file, &untouched).unwrap();
    lab.succeed(&["verify"]);
}

#[test]
fn other_records_under_one_identity_are_an_alarm() {
    let lab = quick_lab();
    lab.succeed(&["run"]);
    let file = lab.records_file("p/r");
    tamper(&file, |_, games| {
        let letter = if &games[7].directions[4..5] == "U" { "D" } else { "U" };
        games[7].directions.replace_range(4..5, letter);
    });
    let stored = fs::read(&file).unwrap();
    let ran = lab.run(&["run", "--fresh"]);
    ran.assert_fails(1, &["same identity, different records", "game 7, move 5", "is kept"]);
    assert!(
        ran.stdout.contains("1 experiment gave the same games as before; 1 gave different ones: p/r.\n"),
        "{ran:?}"
    );
    assert_eq!(fs::read(&file).unwrap(), stored);
    let other = lab.path("results/records/p/r.differs.parquet");
    assert_eq!(records(&other).len(), 12);
    let ran = lab.run(&["verify", "--recompute", "12"]);
    assert!(ran.code == Some(1) && ran.stdout.contains("p/r: played again: game 7, move 5"), "{ran:?}");
    // The other experiment, and what it says of itself, are as before.
    lab.succeed(&["verify", "results/records/p/c.parquet"]);
}

#[test]
fn verify_takes_a_results_folder_and_refuses_to_compare_single_files_with_agents() {
    let lab = quick_lab();
    lab.succeed(&["run", "p"]);
    let ran = lab.succeed(&["verify", "results"]);
    assert!(ran.stdout.contains("All as stored"), "{ran:?}");
    lab.run(&["verify", "results/records/p/r.parquet", "--recompute", "1"])
        .assert_fails(2, &["--results", "a whole results folder"]);
}

#[test]
fn nothing_to_verify_is_no_success() {
    let lab = quick_lab();
    lab.run(&["verify"]).assert_fails(2, &["results/records", "`pipeline run` makes records"]);
    lab.succeed(&["run"]);
    for arguments in [&["verify", "paper-configs"][..], &["verify", "results", "paper-configs"]] {
        lab.run(arguments).assert_fails(2, &["paper-configs: there is no records file", "`pipeline run`"]);
    }
    fs::remove_dir_all(lab.path("results/records")).unwrap();
    fs::create_dir(lab.path("results/records")).unwrap();
    lab.run(&["verify", "--recompute", "1"]).assert_fails(2, &["there is no records file"]);
    let ran = lab.run(&["verify", "--current"]);
    // Two files that the manifests ask for, the list has, and the index names.
    ran.assert_fails(1, &["6 problems"]);
    assert!(ran.stdout.contains("there are no records"), "{ran:?}");
}
