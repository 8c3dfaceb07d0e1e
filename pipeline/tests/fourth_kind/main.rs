//! A kind of job that is added from outside goes through every command: it is planned, run, resumed after a
//! kill, explained, verified, diffed, merged and bundled, and no command has a line of code for it.
//!
//! The program under test is this very file: called `pipeline`, it is the pipeline with one more kind.

#[path = "../common/mod.rs"]
mod common;
mod openings;

use std::env::current_exe;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

use clap::Parser as _;
use pipeline::cli::Cli;
use pipeline::commands::dispatch;

use common::build::random_plugin;
use common::lab::{Lab, PROGRAM};
use common::process::{kill, wait_until};
use common::repository::{bundle, commit, track};
use common::stored::flip;

const GAMES: u64 = 40;

fn main() -> ExitCode {
    let program = current_exe().expect("a program has a file");
    if program.file_name() == Some("pipeline".as_ref()) {
        openings::register();
        return match dispatch(Cli::parse()) {
            Ok(()) => ExitCode::SUCCESS,
            Err(failure) => failure.report(),
        };
    }
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fourth-kind");
    fs::create_dir_all(&place).unwrap();
    let linked = place.join("pipeline");
    let _ = fs::remove_file(&linked);
    fs::hard_link(program, &linked).unwrap();
    PROGRAM.set(linked).unwrap();
    let tests: [(&str, fn()); 4] = [
        ("it_is_planned_run_and_explained", it_is_planned_run_and_explained),
        ("it_resumes_after_a_kill_with_the_same_rows", it_resumes_after_a_kill_with_the_same_rows),
        ("verify_notices_changed_rows", verify_notices_changed_rows),
        ("it_is_diffed_merged_and_bundled", it_is_diffed_merged_and_bundled),
    ];
    for (name, test) in tests {
        test();
        println!("test {name} ... ok");
    }
    println!("{} passed, 0 failed", tests.len());
    ExitCode::SUCCESS
}

/// A manifest's entry of the fourth kind.
fn opening(seed: u64) -> String {
    format!("[[opening]]\nid = \"o\"\ngames = {GAMES}\nseed = {seed}\n")
}

fn digest(lab: &Lab) -> String {
    let run = lab.json_of("run p/o --fresh");
    run["openings"][0]["digest"].as_str().unwrap_or_else(|| panic!("{run}")).to_owned()
}

fn journalled(lab: &Lab) -> u64 {
    lab.json_of("plan")[0]["journalled"].as_u64().unwrap()
}

fn it_is_planned_run_and_explained() {
    let lab = Lab::with(&opening(7));
    lab.succeed("plan").assert_prints(&["opening", "p/o", "missing"]);
    lab.succeed("run p/o").assert_prints(&["p/o: 40 played", "digest "]);
    lab.succeed("plan").assert_prints(&["opening", "complete"]);
    lab.succeed("explain p/o").assert_prints(&["\"seed\": 7", "identity "]);
    lab.paper("p", &opening(8));
    lab.succeed("plan").assert_prints(&["stale: seed changed"]);
    lab.succeed("explain p/o").assert_prints(&["seed", "7", "8"]);
    lab.run("verify --current").assert_code(1).assert_prints(&["p/o: the opening is stale: seed changed"]);
    lab.paper("p", &opening(7).replace("seed", "seeds"));
    lab.run("plan").assert_fails(2, &["opening `o`", "seed"]);
}

fn it_resumes_after_a_kill_with_the_same_rows() {
    let (whole, killed) = (Lab::with(&opening(7)), Lab::with(&opening(7)));
    whole.succeed("run p/o");
    let run = killed.command("run p/o").env("PAUSE_MS", "50").spawn().unwrap();
    let journal = killed.path("results/openings/p/o.journal");
    wait_until("rows in the journal", || journalled(&killed) > 0);
    kill(run);
    let left = journalled(&killed);
    assert!((1..GAMES).contains(&left), "{left}");
    killed.succeed("run p/o").assert_prints(&[&format!("p/o: {} played", GAMES - left)]);
    assert!(!journal.exists());
    assert_eq!(digest(&killed), digest(&whole));
}

fn verify_notices_changed_rows() {
    let lab = Lab::with(&opening(7));
    lab.succeed("run p/o");
    lab.succeed("verify").assert_prints(&["Checked 40 sums.", "All as stored"]);
    lab.succeed("verify --current --recompute 5").assert_prints(&["All as stored", "Added 5 sums again."]);
    let file = "results/openings/p/o.parquet";
    let bytes = lab.bytes(file);
    lab.write(file, flip(&bytes, bytes.len() / 2));
    lab.run("verify").assert_code(1).assert_prints(&["o.parquet"]);
}

fn it_is_diffed_merged_and_bundled() {
    let lab = Lab::with(&(opening(7) + &common::manifests::experiment("r", "random", 2, "")));
    lab.add_plugin(&random_plugin());
    lab.succeed("run p/o");
    track(&lab);
    let other = Lab::with(&opening(7));
    other.succeed(&format!("merge {}", lab.path("results").display()));
    assert_eq!(other.bytes("results/openings/p/o.parquet"), lab.bytes("results/openings/p/o.parquet"));
    lab.succeed("diff HEAD").assert_prints(&["identical"]);
    let bundled = bundle(&lab, "bundles", "");
    lab.succeed(&format!("verify {bundled}")).assert_prints(&["Checked 40 sums."]);
    lab.paper("p", &(opening(8) + &common::manifests::experiment("r", "random", 2, "")));
    lab.succeed("run p/o");
    lab.run("diff HEAD").assert_prints(&["p/o", "changed", "seed"]);
    commit(&lab);
}
