//! The cost of what is made from the committed results: everything drawn again, then bundled and verified.
//!
//! For drawing, CPU time counts, of all threads: it does not depend on what else the machine does.

mod common;

use std::process::{Command, ExitCode, Stdio};

use records::provenance::cpu_name;

use common::{Cost, exit, root, verdict};

/// What a person waits for without getting up: to draw everything, even on one core, and to bundle it.
const RENDER_LIMIT_S: f64 = 20.0;
const BUNDLE_LIMIT_S: f64 = 30.0;

fn main() -> ExitCode {
    println!("{}", cpu_name());
    let scratch = tempfile::tempdir().expect("a folder for copies");
    let [results, to] = ["results", "bundles"].map(|name| scratch.path().join(name).display().to_string());
    std::fs::create_dir(&results).expect("a new folder");
    let parts = ["records", "studies", "timing", "index.json"].map(|part| root().join("results").join(part));
    assert!(
        Command::new("cp").arg("-r").args(parts).arg(&results).status().is_ok_and(|copied| copied.success())
    );
    let render = || cost(&["render", "--results", &results]);
    let is_met = render().min(render()).is_within("everything is drawn", RENDER_LIMIT_S);
    // Work in progress can be measured too: the bundle says that it is not a commit's.
    report("bundle", &["bundle", "--allow-dirty", "--allow-stale", "--to", &to]);
    let made = std::fs::read_dir(&to).expect("the folder").flatten().map(|entry| entry.path());
    let bundle = made.map(|path| path.display().to_string()).find(|name| name.ends_with(".tar.zst"));
    report("verify the bundle", &["verify", &bundle.expect("a bundle")]);
    exit(is_met)
}

/// Prints the time that a command takes beside its limit.
fn report(what: &str, arguments: &[&str]) {
    let wall_s = cost(arguments).wall.as_secs_f64();
    println!("{what}: {wall_s:.1} s: {} the limit of {BUNDLE_LIMIT_S} s", verdict(wall_s < BUNDLE_LIMIT_S));
}

/// What a command of the program takes in this repository.
fn cost(arguments: &[&str]) -> Cost {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pipeline"));
    Cost::of(command.args(arguments).current_dir(root()).stdout(Stdio::null()))
}
