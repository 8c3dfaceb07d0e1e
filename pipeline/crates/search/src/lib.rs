//! Searching for better parameters: what a study tries next, as a pure function of its seed and of the trials
//! that are done.
//!
//! A [`Method`] proposes batch after batch of [`Point`]s of a [`Space`]; the caller plays games with
//! each and hands the finished batches back. What it proposes follows from these batches alone, and its
//! random numbers are drawn by their place in the study ([`Place`]) and not from a stream. So to resume a
//! study is to read its trials, a stored study can be followed again proposal by proposal, and neither the
//! number of jobs nor the order in which trials end can change it. A [`Proposer`] remembers what it has read,
//! which saves time and changes nothing.
//!
//! | method | proposes |
//! |---|---|
//! | [`Sobol`], [`Latin`], [`Halton`] | points that cover the space |
//! | [`Genetic`] | children of good points, as the Python package `geneticalgorithm` 1.0.2 does; or rated by all their games |
//! | [`Bayes`] | where a Gaussian process expects most, with one objective or several |
//! | [`Nsga`] | children of points that spread along the Pareto front |
//! | [`Surrogate`] | where evolution on a neural network ends |
//! | [`Race`] | further games for those of a sample that are not worse than the best |
//!
//! Its results are read from its trials: [`front`] and [`spread`] along it, [`hypervolume`],
//! [`importance`] of each parameter, and [`Method::generations`].
//!
//! Arithmetic is plain `f64` with `libm`: the same on every machine, where libraries that pick their kernels
//! by the processor are not.

mod draws;
mod gaussian;
mod importance;
#[cfg(test)]
mod known;
pub mod limits;
mod losses;
mod matrix;
mod methods;
mod minimise;
mod network;
#[cfg(test)]
mod package;
mod pareto;
mod place;
mod point;
mod space;
mod tally;
#[cfg(test)]
mod testing;
mod trial;

use gaussian::{Gaussian, Hyperparameters, Observations};
pub use importance::{Importance, importance};
pub use losses::{Losses, Sums};
pub use methods::{
    Bayes, Eligible, Generation, Genetic, Halton, Latin, Method, MethodFacts, Nsga, Proposer, Race, Rating,
    SearchMethod, SettingError, Sobol, Surrogate, sobol,
};
use network::Network;
pub use pareto::{dominates, front, hypervolume, spread};
pub use place::Place;
pub use point::Point;
pub use space::{Dimension, Range, Scale, Space, SpaceError};
pub use trial::{Origin, Proposal, SearchProblem, Seeds, Trial, TrialEvaluation};
