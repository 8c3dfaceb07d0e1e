//! The program: runs experiments on agents and keeps every game as a replayable record. Its libraries are the
//! crates below `crates/`.
//!
//! A [`plan`] compares what manifests ask for, signed by what agents decide ([`signatures`]), with what is
//! stored; a [`run`] plays what is missing into a [`journal`] and then into the records; a [`study`] searches
//! for better parameters, trial by trial; a [`training`] has an agent learn, from checkpoint to checkpoint;
//! [`recompute`] plays stored games again; a
//! [`contest`] says which of several agents is stronger. [`naming`] reads what a command line calls an agent,
//! and [`starts`] the boards that games can begin on. [`cli`] is what can be asked for, and [`commands`] do
//! it.

#![deny(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "they panic where nobody listens: see `platform::console`"
)]

mod checksums;
pub mod cli;
pub mod commands;
pub mod contest;
mod context;
mod failure;
pub mod job;
pub mod journal;
pub mod kinds;
mod lookup;
pub mod naming;
mod output;
pub mod plan;
mod player;
pub mod progress;
pub mod recompute;
pub mod run;
pub mod signatures;
pub mod starts;
pub mod study;
#[cfg(test)]
mod test_setup;
pub mod training;
