//! Players without a method, to measure the papers' methods against.

mod fixed_cycle;
mod order;
mod score_greedy;

pub use fixed_cycle::FixedCycle;
pub use score_greedy::ScoreGreedy;

engine::export_agents![FixedCycle, ScoreGreedy];
