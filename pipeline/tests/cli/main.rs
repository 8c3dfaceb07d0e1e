//! The command line, by the real program: what it prints, where, and with which exit code.

#[path = "../common/mod.rs"]
mod common;

mod artifact;
mod checking;
mod claiming;
mod clock;
mod faults;
mod hostile;
mod merging;
mod nondeterminism;
mod output;
mod reproducing;
mod running;
mod usage;
mod verifying;

use common::lab::{Lab, experiment};

/// A laboratory with two experiments that are soon played.
fn quick_lab() -> Lab {
    Lab::with(
        &(experiment("r", "random", 12, "") + &experiment("c", "fixed-cycle", 12, "params.cycle = \"URDL\"")),
    )
}
