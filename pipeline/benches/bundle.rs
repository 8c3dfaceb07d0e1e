//! How long it takes to make the artifact bundle of this repository, all its checks included, and to verify it from itself alone.

use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use records::provenance::cpu_name;

/// What a person waits for without getting up.
const LIMIT_S: f64 = 30.0;

fn main() -> io::Result<()> {
    let scratch = tempfile::tempdir()?;
    let to = scratch.path().to_str().expect("a temporary folder has a plain name");
    println!("{}", cpu_name());
    // Work in progress can be measured too: the bundle says that it is not a commit's.
    report("bundle", seconds(&["bundle", "--allow-dirty", "--allow-stale", "--to", to])?);
    let bundle = find_bundle(scratch.path())?;
    report("verify the bundle", seconds(&["verify", &bundle])?);
    Ok(())
}

/// The seconds that a command of the program takes.
fn seconds(arguments: &[&str]) -> io::Result<f64> {
    let start = Instant::now();
    let status = Command::new(env!("CARGO_BIN_EXE_pipeline"))
        .args(arguments)
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(".."))
        .stdout(Stdio::null())
        .status()?;
    assert!(status.success(), "pipeline {} failed", arguments.join(" "));
    Ok(start.elapsed().as_secs_f64())
}

fn report(what: &str, seconds: f64) {
    let verdict = if seconds < LIMIT_S { "meets" } else { "MISSES" };
    println!("{what}: {seconds:.1} s: {verdict} the limit of {LIMIT_S} s");
}

fn find_bundle(folder: &Path) -> io::Result<String> {
    let mut names =
        std::fs::read_dir(folder)?.filter_map(|entry| Some(entry.ok()?.path().display().to_string()));
    names.find(|name| name.ends_with(".tar.zst")).ok_or_else(|| io::Error::other("there is no bundle"))
}
