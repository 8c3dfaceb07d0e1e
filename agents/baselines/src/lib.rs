//! Players without a method, to measure the papers' methods against.

mod fixed_cycle;

pub use fixed_cycle::FixedCycle;

engine::export_agents![FixedCycle];
