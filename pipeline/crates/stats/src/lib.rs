//! Statistics: from the numbers that games gave to estimates with intervals, and from published numbers to
//! p-values.
//!
//! All of it is pure: no file, no clock, no chance. Whatever is taken of games starts from a [`Sample`] or a
//! [`Rate`] and comes out as an [`Estimate`], so that no number stands without its interval and its number of
//! games. What a claim is about is a [`Measured`]; [`predict()`] tests a published number against it and
//! [`lead`] an order of two.
//!
//! Methods were chosen by what they cover on real scores, not by name: `calibration.rs` holds them to it.

#[macro_use]
mod named;

#[cfg(test)]
mod calibration;
mod compare;
mod density;
mod difference;
mod discrete;
mod effect;
mod estimate;
mod family;
mod many_trials;
mod mean;
mod measured;
mod median;
mod moments;
mod ordinal;
mod predict;
mod ranks;
mod rate;
mod rating;
mod ratio;
mod ruling;
mod sample;
#[cfg(test)]
mod samples;
mod skew;
mod special;
mod spread;
mod sprt;
mod superiority;
mod two_sided;

pub use compare::{Comparison, Pairing, compare, compare_rates};
pub use density::{bandwidth, density};
pub use difference::{PairingError, hybrid, maxima, minima, paired, paired_among, welch, welch_among};
pub use effect::{correlation, hedges_g};
pub use estimate::{Estimate, LEVEL, Method, POWER};
pub use family::{Misses, misses};
pub use mean::{mean, mean_among, mean_of_sums};
pub use measured::{Measured, Statistic};
pub use median::{iqm, median};
pub use ordinal::{Lead, Order, lead};
pub use predict::{
    Agreement, MOST_GAMES, MOST_GAMES_OF_OURS, MetricLimits, Power, Prediction, Reported, Side, Sizes,
    Visible, consistent_sizes, counts_printed_as, predict,
};
pub use ranks::{Rank, ranks};
pub use rate::{Rate, RateError, rate};
pub use rating::ratings;
pub use ratio::{exponential, predict_ratio, ratio_of_logs};
pub use ruling::Ruling;
pub use sample::{Sample, SampleError};
pub use special::last_alike;
pub use special::{normal_cdf, normal_density};
pub use spread::{population_sd, sd};
pub use sprt::{Decision, Sprt, SprtError, Tally};
pub use superiority::{cliffs_delta, superiority};
pub use two_sided::{Stronger, TwoSided, elo};
