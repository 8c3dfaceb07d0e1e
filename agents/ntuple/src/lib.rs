//! An n-tuple network trained by temporal coherence learning: our own agent, put together from what the
//! literature found to work.
//!
//! [`trainer`] learns the weights, [`training_params`] is what a manifest can set about that, [`search`]
//! plays with them greedily or by expectimax, and [`agent`] is what the host sees of it. The network itself,
//! its files and checkpoints are in the crate `tuples`. `README.md` says where each idea comes from.

pub mod agent;
pub mod search;
pub mod trainer;
pub mod training_params;

pub use agent::NTuple;

engine::export_agents![NTuple => tuples::Hosted<training_params::Params>];
