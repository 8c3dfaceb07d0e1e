//! The program: runs experiments on agents and keeps every game as a replayable record. Its libraries are the
//! crates below `crates/`.
//!
//! A [`plan`] compares manifests, with the [`signatures`] of agents, with what is stored. A [`run`] plays the
//! missing games into a [`journal`], and then writes the records. A [`study`] searches for better parameters,
//! trial by trial; a [`training`] trains an agent, from checkpoint to checkpoint. [`recompute`] plays stored
//! games again; a [`contest`] shows which of several agents is stronger. [`naming`] reads the names of agents
//! on a command line, and [`starts`] the boards that games start from. [`cli`] has the arguments of the
//! [`commands`].

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
