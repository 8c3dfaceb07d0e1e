//! The command line, by the real program: what it prints, where, and with which exit code.

#[path = "../common/mod.rs"]
mod common;

mod adversary;
mod agents;
mod artefacts;
mod artifact;
mod bridge;
mod checking;
mod claiming;
mod clock;
mod compare;
mod containment;
mod determinism;
mod diff;
mod findings;
mod hostile;
mod identity;
mod interop;
mod links;
mod many;
mod merging;
mod naming;
mod nondeterminism;
mod output;
mod platform;
mod play;
mod rendering;
mod reproducing;
mod results;
mod running;
mod studies;
mod studies_checked;
mod train;
mod twins;
mod usage;
mod verifying;

use common::prelude::*;

/// A board, quoted as in a shell.
const BOARD: &str = "'2 2 4 8 / . . . . / . . . . / . . . .'";

/// A laboratory with two experiments that are soon played.
fn quick_lab() -> Lab {
    Lab::with(
        &(experiment("r", "random", 12, "") + &experiment("c", "fixed-cycle", 12, "params.cycle = \"URDL\"")),
    )
}
