//! Runs experiments on agent plugins and keeps every game as a replayable record.

pub mod catalogue;
pub mod identity;
pub mod journal;
pub mod plugin;
pub mod provenance;
pub mod record;
pub mod store;
pub mod worker;
