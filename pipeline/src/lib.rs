//! Runs experiments on agent plugins and keeps every game as a replayable record.

pub mod plugin;
