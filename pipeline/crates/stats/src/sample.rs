//! Samples: one number a game, in the form that every statistic starts from. A sample has a game and no value
//! that is not finite, so the statistics need no error of their own.

/// The values of at least one game.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    values: Vec<f64>,
    sorted: Vec<f64>,
}

/// Why values are no sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SampleError {
    /// There is no game.
    #[error("there is no game to take a statistic of")]
    Empty,
    /// The value of a game is infinite or not a number.
    #[error("value {index} is not a finite number")]
    NotFinite {
        /// The place of the value, from 0.
        index: usize,
    },
}

impl Sample {
    /// The sample of these values, in the order of the games.
    pub fn new(values: impl IntoIterator<Item = f64>) -> Result<Self, SampleError> {
        let values: Vec<f64> = values.into_iter().collect();
        if values.is_empty() {
            return Err(SampleError::Empty);
        }
        if let Some(index) = values.iter().position(|value| !value.is_finite()) {
            return Err(SampleError::NotFinite { index });
        }
        let mut sorted = values.clone();
        sorted.sort_by(f64::total_cmp);
        Ok(Self { values, sorted })
    }

    /// How many games.
    pub fn n(&self) -> u64 {
        self.values.len() as u64
    }

    /// The same number, to compute with.
    pub(super) fn size(&self) -> f64 {
        self.values.len() as f64
    }

    /// The values in the order of the games.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The values from the smallest to the largest.
    pub fn sorted(&self) -> &[f64] {
        &self.sorted
    }

    /// The value of a rank from 1; below the first it is minus infinity, beyond the last infinity.
    pub(super) fn ranked(&self, rank: u64) -> f64 {
        match rank.checked_sub(1) {
            None => f64::NEG_INFINITY,
            Some(index) => self.sorted.get(index as usize).copied().unwrap_or(f64::INFINITY),
        }
    }

    /// The smallest value.
    pub fn minimum(&self) -> f64 {
        self.sorted[0]
    }

    /// The largest value.
    pub fn maximum(&self) -> f64 {
        self.sorted[self.sorted.len() - 1]
    }

    /// The sum of a function of the values, in the order of the games.
    pub(super) fn sum_of(&self, function: impl Fn(f64) -> f64) -> f64 {
        self.values.iter().map(|&value| function(value)).sum()
    }

    /// The quantile by linear interpolation between order statistics (type 7 of Hyndman and Fan), for a share
    /// from 0 to 1.
    pub fn quantile(&self, share: f64) -> f64 {
        let last = self.sorted.len() - 1;
        let place = share.clamp(0.0, 1.0) * last as f64;
        let below = place.floor() as usize;
        let above = (below + 1).min(last);
        let weight = place - below as f64;
        self.sorted[below] * (1.0 - weight) + self.sorted[above] * weight
    }

    /// How many values are below this one.
    pub fn below(&self, value: f64) -> u64 {
        self.sorted.partition_point(|&other| other < value) as u64
    }

    /// How many values are at most this one.
    pub fn at_most(&self, value: f64) -> u64 {
        self.sorted.partition_point(|&other| other <= value) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_and_values_that_are_not_finite_are_no_sample() {
        assert_eq!(Sample::new([]), Err(SampleError::Empty));
        assert_eq!(Sample::new([1.0, f64::NAN]), Err(SampleError::NotFinite { index: 1 }));
        assert_eq!(Sample::new([f64::INFINITY]), Err(SampleError::NotFinite { index: 0 }));
        assert_eq!(SampleError::NotFinite { index: 1 }.to_string(), "value 1 is not a finite number");
    }

    #[test]
    fn quantiles_lie_between_order_statistics() {
        let sample = Sample::new([40.0, 10.0, 30.0, 20.0]).unwrap();
        assert_eq!([0.0, 0.25, 0.5, 1.0].map(|share| sample.quantile(share)), [10.0, 17.5, 25.0, 40.0]);
    }

    #[test]
    fn equal_values_are_counted_at_a_value_and_not_below_it() {
        let sample = Sample::new([2.0, 1.0, 2.0, 4.0]).unwrap();
        assert_eq!([0.0, 1.0, 2.0, 4.0].map(|value| sample.below(value)), [0, 0, 1, 3]);
        assert_eq!([0.0, 1.0, 2.0, 4.0].map(|value| sample.at_most(value)), [0, 1, 3, 4]);
    }
}
