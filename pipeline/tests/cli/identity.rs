//! Identity: a change in how an agent plays is noticed before its games are stored beside others.

use crate::common::prelude::*;

use engine::agent::Budget;
use pipeline::signatures::{AgentSetup, Signatures};
use workers::{Catalogue, Launcher, Limits};

const PROGRAM: &str = "pipeline/tests/programs/bad.c";

/// The same player in another file.
const REBUILT: &[&str] = &["-DNAME=\"Built again\""];
/// A player that plays otherwise where its largest tile is 64: on no board of the first set.
const AT_64: &[&str] = &["-DFAULT=drifts", "-DEVERY=1", "-DAT_MOVE=1", "-DFROM_THEN_ON", "-DDRIFT_RANK=6"];
/// A player whose forty-first move is another: on no board of either set.
const AT_MOVE_40: &[&str] = &["-DFAULT=drifts", "-DEVERY=1", "-DAT_MOVE=40"];

/// A build of the plugin: the honest one, or one that plays otherwise somewhere.
fn build(flags: &[&str]) -> PathBuf {
    compile_plugin(BAD, "identity", flags)
}

/// A laboratory in which the honest player has played six games.
fn lab() -> Lab {
    copy_of("identity", || {
        let lab = Lab::with(&experiment("e", "bad", 6, ""));
        install(&lab, &[]);
        lab.succeed("run --jobs 1");
        lab
    })
}

/// Puts a build in the place of the one before.
fn install(lab: &Lab, flags: &[&str]) {
    lab.install(&build(flags), "libbad.so");
}

/// Makes the stored records those of a time before there was a second set.
fn forget_second_signature(lab: &Lab) {
    rewrite(&lab.records_file("p/e"), |header, _| header.second_signature = None);
    // The list of hashes would notice.
    lab.remove("results/SHA256SUMS");
}

fn explained(lab: &Lab) -> Vec<String> {
    let explained = lab.json_of("explain p/e");
    texts(&explained[0]["differences"], "component").into_iter().map(str::to_owned).collect()
}

#[test]
fn a_change_at_a_tile_that_the_first_set_lacks_makes_records_stale() {
    let lab = lab();
    let before = lab.digest("p/e");
    install(&lab, AT_64);
    assert_eq!(explained(&lab), ["second_signature"]);
    lab.run("verify --current").assert_finds(&["stale: second_signature changed"]);
    lab.succeed("run");
    assert_ne!(lab.digest("p/e"), before);
    assert!(explained(&lab).is_empty());
    lab.succeed("verify --current --recompute all");
}

/// What signed one agent is kept for the next: for one of the same file.
#[test]
fn agents_of_one_name_in_two_files_have_signatures_of_their_own() {
    let launcher = Launcher { program: env!("CARGO_BIN_EXE_pipeline").into(), limits: Limits::default() };
    let builds = [build(&[]), build(&["-DINCREMENT=12345u"])];
    let [honest, another] = builds.map(|file| Catalogue::of_files(&launcher, vec![file]).unwrap());
    let sign = |signatures: &Signatures, catalogue: &Catalogue| {
        let (plugin, _) = catalogue.find("bad").unwrap();
        let (rules, params, files) = (&Rules::default(), &Default::default(), &Default::default());
        let (agent, budget, move_limit) = ("bad", Budget::None, Duration::from_secs(60));
        let setup = AgentSetup { plugin, agent, rules, params, files, budget, move_limit };
        signatures.get(&launcher, &setup).unwrap()
    };
    let nowhere = Path::new("/dev/null/no cache");
    let (alone, together) = (Signatures::load(&confined(nowhere)), Signatures::load(&confined(nowhere)));
    let alone = sign(&alone, &another);
    assert_ne!(sign(&together, &honest), alone);
    assert_eq!(sign(&together, &another), alone);
}

#[test]
fn records_from_before_the_second_set_are_extended_without_a_game_by_the_same_player() {
    let lab = lab();
    let (before, digest) = (lab.header("p/e"), lab.digest("p/e"));
    assert!(before.second_signature.as_ref().unwrap().starts_with("positions-2:"));
    for flags in [&[], REBUILT] {
        forget_second_signature(&lab);
        install(&lab, flags);
        lab.succeed("verify --current").assert_prints(&["first set of positions only"]);
        let ran = lab.json_of("run");
        assert_eq!(ran["experiments"][0]["played"], 0);
        assert_eq!(lab.header("p/e"), before);
        assert_eq!(lab.digest("p/e"), digest);
        lab.succeed("verify --current").assert_omits(&["first set of positions only"]);
    }
    forget_second_signature(&lab);
    let stored = fs::read(lab.records_file("p/e")).unwrap();
    install(&lab, AT_64);
    lab.run("run").assert_fails(3, &["p/e: its agent is not the one that played", "--fresh"]);
    assert_eq!(fs::read(lab.records_file("p/e")).unwrap(), stored);
}

#[test]
fn another_build_adds_games_only_after_it_reproduced_a_stored_one() {
    let lab = lab();
    let more = |lab: &Lab| lab.run("run --games 12 --json");
    install(&lab, AT_MOVE_40);
    assert!(explained(&lab).is_empty(), "no signature shows it");
    let stored = fs::read(lab.records_file("p/e")).unwrap();
    more(&lab).assert_fails(3, &["its agent is not the one that played", "move 41"]);
    assert_eq!(fs::read(lab.records_file("p/e")).unwrap(), stored);

    install(&lab, REBUILT);
    let ran = more(&lab).assert_code(0).json();
    let longest = lab.records("p/e").into_iter().take(6).max_by_key(|game| game.moves).unwrap();
    assert_eq!(ran["experiments"][0]["proven_by_game"], longest.game);
    assert_eq!(lab.header("p/e").provenance.len(), 2);
    // Games of this very file are there now.
    let ran = lab.json_of("run --games 14");
    assert!(ran["experiments"][0]["proven_by_game"].is_null(), "{ran}");
}

#[test]
fn another_build_resumes_a_journal_only_after_it_reproduced_one_of_its_games() {
    let lab = Lab::with(&experiment("e", "bad", 60, ""));
    let install_slow = |flags: &[&str]| install(&lab, &[&["-DSLEEP_US=400"], flags].concat());
    install_slow(&[]);
    let run = lab.start("run --jobs 1");
    lab.wait_for_games("p/e", 3000);
    kill(run);
    install_slow(AT_MOVE_40);
    lab.run("run").assert_fails(3, &["its agent is not the one that played"]);
    install_slow(REBUILT);
    let ran = lab.succeed("run --json");
    assert!(ran.json()["experiments"][0]["proven_by_game"].is_u64(), "{ran:?}");
    let origins = lab.header("p/e").provenance;
    assert_eq!(origins.len(), 2, "both files are named: {origins:?}");
    lab.succeed("verify --recompute all");
}

/// A laboratory with a program whose sheet names a file of data.
fn lab_with_data(files: &str) -> Lab {
    let lab = Lab::with(&experiment("e", "bad", 4, ""));
    let program = compile_program_with(PROGRAM, "program-with-data", &["-DFAULT=none"]);
    fs::copy(program, lab.path("plugins/bad")).unwrap();
    lab.write("plugins/bad.agent", format!("command = [\"./bad\"]\nfiles = {files}\n"));
    lab.write("plugins/weights.bin", "first");
    lab.succeed("run");
    lab
}

#[test]
fn files_that_a_program_needs_are_part_of_its_identity_by_content() {
    for (files, component) in
        [("[\"weights.bin\"]", "files.weights.bin"), ("{ weights = \"weights.bin\" }", "files.weights")]
    {
        let lab = lab_with_data(files);
        assert!(explained(&lab).is_empty());
        lab.write("plugins/weights.bin", "second");
        assert_eq!(explained(&lab), [component]);
        assert!(lab.succeed("plan").stdout.contains(&format!("stale: {component} changed")));
        // Only their bytes count.
        lab.write("plugins/weights.bin", "first");
        assert!(explained(&lab).is_empty());
    }
    let lab = lab_with_data("[\"weights.bin\"]");
    lab.succeed("verify --recompute 1");
    lab.write("plugins/weights.bin", "second");
    let ran = lab.run("verify --recompute 1");
    let stale = "p/e: the experiment is stale: files.weights.bin changed";
    ran.assert_fails(1, &["1 problem was found"]).assert_prints(&[stale]);
    assert!(ran.stdout.lines().last().unwrap().starts_with("Not all as stored"), "{ran:?}");
}

#[test]
fn faulty_games_are_played_again_and_must_fault_alike() {
    let lab = Lab::with(&experiment("e", "bad", 12, "fault_share = \"1/1\""));
    let crash_at = |at: &str| install(&lab, &["-DFAULT=segfault", "-DEVERY=2", &format!("-DAT_MOVE={at}")]);
    crash_at("20");
    lab.run("run").assert_fails(3, &["agent-crash"]);
    let words = ["Played 12 of 12 stored games again (", "drawn by seed 00000000000000ff"];
    lab.succeed("verify --recompute all --seed ff").assert_prints(&words);
    crash_at("21");
    lab.run("verify --recompute all").assert_finds(&["20 moves are stored, 21 were played"]);
}

#[test]
fn a_fault_on_the_frozen_positions_counts_if_it_happens_twice() {
    let signature = |stumbles: Option<&str>| {
        let lab = Lab::with(&experiment("e", "stumbling", 2, "budget.nodes = 5"));
        let stumble = "[ ! -e always ] || exit 1; [ ! -e once ] || { rm once; exit 1; }; ";
        lab.add_agent("stumbling", r#","budgets":["nodes"]"#, &(stumble.to_owned() + &reply("$first")));
        stumbles.iter().for_each(|file| lab.write(&format!("plugins/{file}"), ""));
        let explained = lab.json_of("explain");
        assert!(!lab.exists("plugins/once"), "the agent was asked");
        explained[0]["identity"]["signature"].as_str().unwrap().to_owned()
    };
    let honest = signature(None);
    assert_lacks(&honest, &["fault"]);
    assert_eq!(signature(Some("once")), honest);
    let always = signature(Some("always"));
    assert_has(&always, &[":fault:"]);
}
