//! Points of a space: what is played, stored and looked up.

use std::cmp::Ordering;

use serde::Serialize;

use crate::{Dimension, Space};

/// A value for every parameter of a space, as it is played: rounded and in range; choices are their number.
///
/// All values are numbers, and 0 has no sign: points that are equal are equal in every bit, and can be looked
/// up.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct Point(pub(crate) Vec<f64>);

impl Ord for Point {
    fn cmp(&self, other: &Self) -> Ordering {
        let values = self.0.iter().zip(&other.0).map(|(mine, other)| mine.total_cmp(other));
        values.fold(Ordering::Equal, Ordering::then).then(self.0.len().cmp(&other.0.len()))
    }
}

impl PartialOrd for Point {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Point {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Point {}

impl Point {
    /// The values, in the order of the space's parameters.
    pub fn values(&self) -> &[f64] {
        &self.0
    }

    /// A point of stored values, if it is one of the space: rounded and in range.
    pub fn stored(space: &Space, values: Vec<f64>) -> Option<Self> {
        let fits = |(dimension, &value): (&Dimension, &f64)| {
            dimension.range.settled(value).to_bits() == value.to_bits()
        };
        let is_point = values.len() == space.len() && space.dimensions().iter().zip(&values).all(fits);
        is_point.then_some(Self(values))
    }
}
