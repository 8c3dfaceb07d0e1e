//! The cost of drawing everything from the committed results: verdicts, tables, figures and report.
//!
//! CPU time counts, of all threads: it does not depend on what else the machine does.

mod common;

use std::process::{Command, ExitCode};
use std::time::Instant;
use std::{fs, io};

use records::layout::Layout;
use records::provenance::cpu_name;
use rendering::render::render;
use rustix::time::{ClockId, clock_gettime};

use common::{exit, root, verdict};

/// What a person waits for without getting up, even on one core.
const LIMIT_S: f64 = 20.0;

fn main() -> io::Result<ExitCode> {
    let papers = manifest::load_folder(&root().join("paper-configs")).expect("the manifests are right");
    let scratch = tempfile::tempdir()?;
    let parts = ["records", "studies", "timing", "index.json"].map(|part| root().join("results").join(part));
    assert!(Command::new("cp").arg("-r").args(parts).arg(scratch.path()).status()?.success());
    let layout = Layout::new(scratch.path());
    println!("{}", cpu_name());
    let mut best = f64::INFINITY;
    for round in 1..=3 {
        for drawn in ["tables", "figures", "report"] {
            let _ = fs::remove_dir_all(scratch.path().join(drawn));
        }
        let (start, cpu_before) = (Instant::now(), cpu_s());
        let published = render(&papers, &layout, &layout).expect("the committed records can be drawn");
        let (wall, cpu) = (start.elapsed().as_secs_f64(), cpu_s() - cpu_before);
        best = best.min(cpu);
        println!("round {round}: {} files in {cpu:.2} CPU s ({wall:.1} s passed)", published.files.len());
    }
    let is_met = best < LIMIT_S;
    println!("everything is drawn in {best:.2} CPU s: {} the limit of {LIMIT_S} s", verdict(is_met));
    Ok(exit(is_met))
}

/// The CPU time of this process so far.
fn cpu_s() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}
