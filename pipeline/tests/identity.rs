//! Identity: whatever changes how an agent plays is noticed before its games are put beside others.

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;
use surroundings::confined::ConfinedPath;

use common::lab::{Lab, Ran, experiment, signal, wait_until};
use common::{compile_plugin, compile_program_with};
use engine::Rules;
use engine::agent::Budget;
use pipeline::signatures::{Signatures, Signee};
use records::record::GameRecord;
use records::store::{Header, RecordsReader, RecordsSummary, RecordsWriter};
use workers::catalogue::Catalogue;
use workers::worker::{Launcher, Limits};

const PLUGIN: &str = "pipeline/tests/plugins/bad.c";
const PROGRAM: &str = "pipeline/tests/programs/bad.c";

/// A build of the plugin: the honest one, or one that plays otherwise somewhere.
fn build(name: &str, flags: &[&str]) -> PathBuf {
    compile_plugin(PLUGIN, &format!("identity-{name}"), flags)
}

/// The same player in another file.
fn rebuilt() -> PathBuf {
    build("rebuilt", &["-DNAME=\"Built once more\""])
}

/// A player that plays otherwise where its largest tile is 64: on no board of the first set.
fn drifting_at_64() -> PathBuf {
    build("at-64", &["-DFAULT=drifts", "-DEVERY=1", "-DAT_MOVE=1", "-DFROM_THEN_ON", "-DDRIFT_RANK=6"])
}

/// A player whose forty-first move is another: on no board of either set.
fn drifting_at_move_40() -> PathBuf {
    build("at-move-40", &["-DFAULT=drifts", "-DEVERY=1", "-DAT_MOVE=40"])
}

/// A laboratory in which the honest player has played six games.
fn lab() -> Lab {
    let lab = Lab::with(&experiment("e", "bad", 6, ""));
    install(&lab, &build("honest", &[]));
    lab.succeed(&["run", "--jobs", "1"]);
    lab
}

/// Puts a build in the place of the one before.
fn install(lab: &Lab, plugin: &Path) {
    let place = lab.path("plugins/libbad.so");
    // Never written over: a library that is open somewhere would change under its feet.
    let _ = fs::remove_file(&place);
    fs::copy(plugin, place).unwrap();
}

fn header(lab: &Lab) -> Header {
    RecordsSummary::read(&ConfinedPath::file(&lab.records_file("p/e")))
        .unwrap()
        .expect("there are records")
        .header
}

/// Makes the stored records those of a time before there was a second set.
fn forget_second_signature(lab: &Lab) {
    let file = lab.records_file("p/e");
    let mut reader = RecordsReader::open(&ConfinedPath::file(&file)).unwrap();
    let games: Vec<GameRecord> = reader.games().collect::<Result<_, _>>().unwrap();
    let header = Header { second_signature: None, ..reader.summary.header };
    let mut writer = RecordsWriter::create(&ConfinedPath::file(&file)).unwrap();
    games.iter().for_each(|game| writer.push(game).unwrap());
    writer.finish(&header).unwrap();
    // The list of hashes would notice.
    fs::remove_file(lab.path("results/SHA256SUMS")).unwrap();
}

fn explained(lab: &Lab) -> Vec<String> {
    let explained = lab.succeed(&["explain", "p/e", "--json"]).json();
    let parts = explained[0]["differences"].as_array().unwrap().iter();
    parts.map(|part| part["component"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_change_at_a_tile_that_the_first_set_lacks_makes_records_stale() {
    let lab = lab();
    let before = lab.digest("p/e");
    install(&lab, &drifting_at_64());
    assert_eq!(explained(&lab), ["second_signature"]);
    let ran = lab.run(&["verify", "--current"]);
    assert!(ran.code == Some(1) && ran.stdout.contains("stale: second_signature changed"), "{ran:?}");
    lab.succeed(&["run"]);
    assert_ne!(lab.digest("p/e"), before);
    assert!(explained(&lab).is_empty());
    lab.succeed(&["verify", "--current", "--recompute", "all"]);
}

/// What signed one agent is kept for the next: for one of the same file.
#[test]
fn agents_of_one_name_in_two_files_have_signatures_of_their_own() {
    let launcher = Launcher { program: env!("CARGO_BIN_EXE_pipeline").into(), limits: Limits::default() };
    let builds = [build("honest", &[]), build("another", &["-DINCREMENT=12345u"])];
    let [honest, another] = builds.map(|file| Catalogue::of_files(&launcher, vec![file]).unwrap());
    let sign = |signatures: &Signatures, catalogue: &Catalogue| {
        let (plugin, _) = catalogue.find("bad").unwrap();
        let (rules, params, budget) = (&Rules::default(), &serde_json::Map::new(), Budget::None);
        let signee = Signee {
            plugin,
            agent: "bad",
            rules,
            params,
            files: &Default::default(),
            budget,
            move_limit: Duration::from_secs(60),
        };
        signatures.get(&launcher, &signee).unwrap()
    };
    let nowhere = Path::new("/dev/null/no cache");
    let (alone, together) =
        (Signatures::load(&ConfinedPath::file(nowhere)), Signatures::load(&ConfinedPath::file(nowhere)));
    let alone = sign(&alone, &another);
    assert_ne!(sign(&together, &honest), alone);
    assert_eq!(sign(&together, &another), alone);
}

#[test]
fn records_from_before_the_second_set_are_extended_without_a_game() {
    let lab = lab();
    let (before, digest) = (header(&lab), lab.digest("p/e"));
    assert!(before.second_signature.as_ref().unwrap().starts_with("positions-2:"));
    for plugin in [build("honest", &[]), rebuilt()] {
        forget_second_signature(&lab);
        install(&lab, &plugin);
        assert!(lab.succeed(&["verify", "--current"]).stdout.contains("first set of positions only"));
        let ran = lab.succeed(&["run", "--json"]).json();
        assert_eq!(ran["experiments"][0]["played"], 0);
        assert_eq!(header(&lab), before);
        assert_eq!(lab.digest("p/e"), digest);
        assert!(!lab.succeed(&["verify", "--current"]).stdout.contains("first set of positions only"));
    }
}

#[test]
fn records_of_another_player_are_not_extended() {
    let lab = lab();
    forget_second_signature(&lab);
    let stored = fs::read(lab.records_file("p/e")).unwrap();
    install(&lab, &drifting_at_64());
    lab.run(&["run"]).assert_fails(3, &["p/e: its agent is not the one that played", "--fresh"]);
    assert_eq!(fs::read(lab.records_file("p/e")).unwrap(), stored);
}

#[test]
fn games_are_added_under_another_file_only_after_a_stored_one_came_out_the_same() {
    let lab = lab();
    let more = |lab: &Lab| lab.run(&["run", "--games", "12", "--json"]);
    install(&lab, &drifting_at_move_40());
    assert!(explained(&lab).is_empty(), "no signature shows it");
    let stored = fs::read(lab.records_file("p/e")).unwrap();
    let refused = more(&lab);
    refused.assert_fails(3, &["its agent is not the one that played", "move 41"]);
    assert_eq!(fs::read(lab.records_file("p/e")).unwrap(), stored);

    install(&lab, &rebuilt());
    let ran = more(&lab);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let longest = lab.records("p/e").into_iter().take(6).max_by_key(|game| game.moves).unwrap();
    assert_eq!(ran.json()["experiments"][0]["proven_by_game"], longest.game);
    assert_eq!(header(&lab).provenance.len(), 2);
    // Games of this very file are there now.
    let ran = lab.succeed(&["run", "--games", "14", "--json"]).json();
    assert!(ran["experiments"][0]["proven_by_game"].is_null(), "{ran}");
}

#[test]
fn a_journal_of_another_file_is_continued_only_after_one_of_its_games_came_out_the_same() {
    let slow = |name: &str, flags: &[&str]| build(name, &[&["-DSLEEP_US=400"], flags].concat());
    let lab = Lab::with(&experiment("e", "bad", 60, ""));
    install(&lab, &slow("slow", &[]));
    let mut run = lab.start(&["run", "--jobs", "1"]);
    wait_until("games are journalled", || {
        fs::metadata(lab.journal("p/e")).is_ok_and(|journal| journal.len() > 3000)
    });
    signal("KILL", run.id().into());
    run.wait().unwrap();
    install(&lab, &slow("slow-at-move-40", &["-DFAULT=drifts", "-DEVERY=1", "-DAT_MOVE=40"]));
    lab.run(&["run"]).assert_fails(3, &["its agent is not the one that played"]);
    install(&lab, &slow("slow-rebuilt", &["-DNAME=\"Built once more\""]));
    let ran: Ran = lab.succeed(&["run", "--json"]);
    assert!(ran.json()["experiments"][0]["proven_by_game"].is_u64(), "{ran:?}");
    let origins = header(&lab).provenance;
    assert_eq!(origins.len(), 2, "both files are named: {origins:?}");
    lab.succeed(&["verify", "--recompute", "all"]);
}

/// A laboratory with a program whose sheet names a file of data.
fn lab_with_data(files: &str) -> Lab {
    let lab = Lab::with(&experiment("e", "bad", 4, ""));
    let program = compile_program_with(PROGRAM, "program-with-data", &["-DFAULT=none"]);
    fs::copy(program, lab.path("plugins/bad")).unwrap();
    fs::write(lab.path("plugins/bad.agent"), format!("command = [\"./bad\"]\nfiles = {files}\n")).unwrap();
    fs::write(lab.path("plugins/weights.bin"), "first").unwrap();
    lab.succeed(&["run"]);
    lab
}

#[test]
fn files_that_a_program_needs_are_part_of_its_identity_by_content() {
    for (files, component) in
        [("[\"weights.bin\"]", "files.weights.bin"), ("{ weights = \"weights.bin\" }", "files.weights")]
    {
        let lab = lab_with_data(files);
        assert!(explained(&lab).is_empty());
        fs::write(lab.path("plugins/weights.bin"), "second").unwrap();
        assert_eq!(explained(&lab), [component]);
        assert!(lab.succeed(&["plan"]).stdout.contains(&format!("stale: {component} changed")));
        // Only their bytes count.
        fs::write(lab.path("plugins/weights.bin"), "first").unwrap();
        assert!(explained(&lab).is_empty());
    }
}

#[test]
fn stale_records_do_not_pass_a_recomputation() {
    let lab = lab_with_data("[\"weights.bin\"]");
    lab.succeed(&["verify", "--recompute", "1"]);
    fs::write(lab.path("plugins/weights.bin"), "second").unwrap();
    let ran = lab.run(&["verify", "--recompute", "1"]);
    ran.assert_fails(1, &["1 problem was found"]);
    assert!(ran.stdout.contains("p/e: the records are stale: files.weights.bin changed"), "{ran:?}");
    assert!(ran.stdout.lines().last().unwrap().starts_with("Not all as stored"), "{ran:?}");
}

#[test]
fn faulty_games_are_played_again_and_must_fault_alike() {
    let lab = Lab::with(&experiment("e", "bad", 12, "fault_share = \"1/1\""));
    let crashing =
        |at: &str| build("crashing", &["-DFAULT=segfault", "-DEVERY=2", &format!("-DAT_MOVE={at}")]);
    install(&lab, &crashing("20"));
    lab.run(&["run"]).assert_fails(3, &["agent-crash"]);
    let ran = lab.succeed(&["verify", "--recompute", "all", "--seed", "ff"]);
    assert!(ran.stdout.contains("Played 12 of 12 stored games again ("), "{ran:?}");
    assert!(ran.stdout.contains("drawn by seed 00000000000000ff"), "{ran:?}");
    install(&lab, &crashing("21"));
    let ran = lab.run(&["verify", "--recompute", "all"]);
    assert!(ran.code == Some(1) && ran.stdout.contains("20 moves are stored, 21 were played"), "{ran:?}");
}

/// Plays the first legal move; where a file beside it says so, it ends before a move, once or always.
const STUMBLING: &str = r#"while read -r line; do
case "$line" in
*'"type":"hello"'*) echo '{"type":"hello","protocol":1,"id":"stumbling","version":"1","budgets":["nodes"]}' ;;
*'"type":"setup"'*) echo '{"type":"ready"}' ;;
*'"type":"position"'*)
    if [ -e always ]; then exit 1; fi
    if [ -e once ]; then rm once; exit 1; fi
    legal=${line#*\"legal\":\"}; legal=${legal%%\"*}
    echo "{\"type\":\"move\",\"direction\":\"${legal%"${legal#?}"}\",\"nodes\":1,\"spent\":1}" ;;
esac
done
"#;

#[test]
fn a_fault_on_the_frozen_positions_counts_when_it_comes_twice() {
    let signature = |stumbles: Option<&str>| {
        let lab = Lab::with(&experiment("e", "stumbling", 2, "budget.nodes = 5"));
        lab.add_script("stumbling", STUMBLING);
        let order = stumbles.map(|file| lab.path(&format!("plugins/{file}")));
        order.iter().for_each(|file| fs::write(file, "").unwrap());
        let explained = lab.succeed(&["explain", "--json"]).json();
        assert!(!lab.path("plugins/once").exists(), "the agent was asked");
        explained[0]["identity"]["signature"].as_str().unwrap().to_owned()
    };
    let honest = signature(None);
    assert!(!honest.contains("fault"), "{honest}");
    assert_eq!(signature(Some("once")), honest);
    let always = signature(Some("always"));
    assert!(always.contains(":fault:"), "{always}");
}
