//! N-tuple networks trained by temporal difference learning, after Szubert and Jaskowski, "Temporal
//! Difference Learning of N-Tuple Networks for the Game 2048" (2014).
//!
//! [`networks`] has the paper's two networks, [`trainer`] its learning of the values of afterstates,
//! [`training_params`] what a manifest can set about that, and [`agent`] the greedy player. The paper itself
//! was not at hand: what is taken from its authors' published program, and what is second-hand, says so where
//! it stands.

pub mod agent;
pub mod networks;
pub mod trainer;
pub mod training_params;

pub use agent::Szubert;

engine::export_agents![Szubert => tuples::Hosted<training_params::Params>];
