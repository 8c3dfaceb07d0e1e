//! Samples and assertions for tests.

use super::estimate::Estimate;
use super::measured::{Measured, Statistic};
use super::predict::{Prediction, Reported, predict};
use super::sample::Sample;

pub(super) fn sample(values: &[i32]) -> Sample {
    Sample::new(values.iter().map(|&value| f64::from(value))).unwrap()
}

pub(super) fn one_to(last: u32) -> Sample {
    Sample::new((1..=last).map(f64::from)).unwrap()
}

/// Survival in days of the mice without treatment: Efron and Tibshirani, An Introduction to the Bootstrap,
/// 1993, table 2.1.
pub(super) fn mice() -> Sample {
    sample(&[52, 104, 146, 10, 51, 30, 40, 27, 46])
}

/// An exact published number, put to the test.
pub(super) fn tested(statistic: Statistic, sample: &Sample, n_published: u64, number: f64) -> Prediction {
    predict(&Measured::Summary(statistic, sample), n_published, Reported::number(number, 0.0))
}

#[track_caller]
pub(super) fn assert_interval(estimate: &Estimate, low: f64, high: f64, within: f64) {
    let is_near = (estimate.low - low).abs() < within && (estimate.high - high).abs() < within;
    assert!(is_near, "{estimate:?} is not from {low} to {high}");
}
