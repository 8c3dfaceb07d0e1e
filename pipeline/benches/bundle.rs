//! How long it takes to make the bundle of this repository, with all checks, and to verify it.

mod common;

use std::fs;
use std::process::{Command, Stdio};

use records::provenance::cpu_name;

use common::{Cost, root, verdict};

/// What a person waits for without getting up.
const LIMIT_S: f64 = 30.0;

fn main() {
    let scratch = tempfile::tempdir().expect("a folder for the bundle");
    let to = scratch.path().to_str().expect("a temporary folder has a plain name");
    println!("{}", cpu_name());
    // Work in progress can be measured too: the bundle says that it is not a commit's.
    report("bundle", &["bundle", "--allow-dirty", "--allow-stale", "--to", to]);
    let made =
        fs::read_dir(to).expect("the folder").flatten().map(|entry| entry.path().display().to_string());
    let bundle = made.into_iter().find(|name| name.ends_with(".tar.zst")).expect("a bundle");
    report("verify the bundle", &["verify", &bundle]);
}

/// Runs a command of the program, and prints the time that passed beside its limit.
fn report(what: &str, arguments: &[&str]) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pipeline"));
    let cost = Cost::of(command.args(arguments).current_dir(root()).stdout(Stdio::null()));
    let wall_s = cost.wall.as_secs_f64();
    println!("{what}: {wall_s:.1} s: {} the limit of {LIMIT_S} s", verdict(wall_s < LIMIT_S));
}
