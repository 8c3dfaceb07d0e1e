//! Searching for better parameters: what a study tries next, as a pure function of its seed and of the trials that are done.
//!
//! A method proposes batch after batch of [`Point`]s of a [`Space`]; whoever runs the study plays games with each and hands the
//! finished batches back. No method keeps a state: it reads all finished batches each time, and draws its random numbers by their
//! place in the study ([`Place`]) and not from a stream. So to resume a study is to read its trials, a stored study can be followed
//! again proposal by proposal, and neither the number of jobs nor the order in which trials end can change it.
//!
//! Arithmetic is plain `f64` with `libm`: the same on every machine, where libraries that pick their kernels by the processor are not.

mod bayes;
mod gaussian;
mod genetic;
mod latin;
mod matrix;
mod minimise;
mod network;
mod nsga;
mod pareto;
mod place;
mod race;
mod space;
mod surrogate;
#[cfg(test)]
mod testing;
mod trial;

pub use bayes::Bayes;
pub use gaussian::{Gaussian, Hyperparameters, NotPositive};
pub use genetic::{Genetic, Rating};
pub use latin::{Latin, Sobol, sobol};
pub use network::{Network, Training};
pub use nsga::Nsga;
pub use pareto::{dominates, front, hypervolume};
pub use place::Place;
pub use race::{Race, Standing};
pub use space::{Dimension, NoSpace, Point, Range, Scale, Space};
pub use surrogate::Surrogate;
pub use trial::{Evaluation, Origin, Proposal, Seeds, Study, Trial};

/// A way to search: given the finished batches, the next one.
pub trait Method {
    /// The proposals of the next batch; none where the search has ended.
    ///
    /// The same study and the same finished batches give the same proposals, always and everywhere.
    fn propose(&self, study: &Study, finished: &[Vec<Trial>]) -> Vec<Proposal>;
}
