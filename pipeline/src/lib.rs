//! Runs experiments on agent plugins and keeps every game as a replayable record.
//!
//! The modules stand in the order of the flow, and each uses only those before it: a [`manifest`] says what a paper claims and how
//! to test it; the [`plugin`] boundary, the [`bridge`] to programs and the [`worker`] processes give agents; a [`plan`] compares what
//! is wanted with what is stored; a [`run`] plays what is missing into a [`journal`] and then into the [`store`]; [`verify`] replays
//! it all. What is stored becomes [`evidence`], of which [`stats`] make estimates and [`verdict`] judges every claim; [`render`] draws
//! tables and figures, [`report`] the page, and [`publish`] writes them all. A [`diff`] says what changed between two sets of
//! results, a [`contest`] which of two agents is stronger; a [`bundle`] hands the whole to
//! somebody else.

pub mod causes;
pub mod stats;

pub mod manifest;

mod downfall;
pub mod record;

mod pipe;

pub mod bridge;
pub mod plugin;

mod frame;
pub mod worker;

pub mod catalogue;
mod git;
pub mod identity;
pub mod provenance;
pub mod signatures;

pub mod output;
pub mod store;

pub mod journal;
pub mod layout;
pub mod plan;
pub mod run;

pub mod index;

pub mod evidence;
pub mod format;
pub mod verdict;

pub mod render;
pub mod report;

pub mod publish;

pub mod merge;
pub mod verify;

pub mod bundle;
pub mod contest;
pub mod diff;

pub mod cli;
pub mod commands;
