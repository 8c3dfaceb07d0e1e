//! N-tuple networks: what the agents that learn have in common.
//!
//! A network values a board by a sum of weights that small groups of its cells look up. [`mod@tuple`] is one
//! such group, [`network`] a list of them: which weights a board looks up, and in which order. Trainings keep
//! their weights in [`memory`] and go on from a [`checkpoint`]; what they leave behind for players is a file
//! of [`weights`], which is read in place. How the weights are learned, and how a player uses them, is each
//! agent's own affair.

pub mod checkpoint;
pub mod memory;
pub mod network;
pub mod training;
pub mod tuple;
pub mod weights;

pub use checkpoint::{CheckpointError, Progress};
pub use memory::Memory;
pub use network::{CellValues, Network, Sampling};
pub use training::{Hosted, Learner, LearnerParams};
pub use tuple::{Tuple, TupleError};
pub use weights::{Weights, WeightsError};
