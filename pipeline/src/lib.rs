//! Runs experiments on agent plugins and keeps every game as a replayable record.

pub mod identity;
pub mod journal;
pub mod plugin;
pub mod record;
pub mod worker;
