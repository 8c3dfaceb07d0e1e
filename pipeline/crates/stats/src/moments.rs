//! Moments of a sample, which the intervals are made of.

use super::sample::Sample;

impl Sample {
    /// The mean. Sums of whole numbers are exact.
    pub fn mean(&self) -> f64 {
        self.sum_of(|value| value) / self.size()
    }

    /// The sum of squared distances from the mean.
    fn squares(&self) -> f64 {
        let mean = self.mean();
        self.sum_of(|value| (value - mean) * (value - mean))
    }

    /// The variance with n - 1 below; 0 for one game.
    pub fn variance(&self) -> f64 {
        if self.n() == 1 { 0.0 } else { self.squares() / (self.size() - 1.0) }
    }

    /// The standard deviation with n - 1 below, which estimates that of all games the agent could play.
    pub fn sd(&self) -> f64 {
        self.variance().sqrt()
    }

    /// The standard deviation with n below, that of these games alone.
    pub fn population_sd(&self) -> f64 {
        (self.squares() / self.size()).sqrt()
    }

    /// The skewness of these games; 0 where all are equal.
    pub fn skewness(&self) -> f64 {
        let (mean, sd) = (self.mean(), self.population_sd());
        if sd == 0.0 {
            return 0.0;
        }
        self.sum_of(|value| {
            let z = (value - mean) / sd;
            z * z * z
        }) / self.size()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of 2, 4, 4, 4, 5, 5, 7, 9 the mean is 5, the squares sum to 32 and the cubes to 42.
    #[test]
    fn moments_are_those_worked_out_by_hand() {
        let sample = Sample::new([2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]).unwrap();
        assert_eq!((sample.mean(), sample.population_sd(), sample.variance()), (5.0, 2.0, 32.0 / 7.0));
        assert_eq!(sample.skewness(), 42.0 / 8.0 / 8.0);
    }

    /// The squares themselves would need more digits than there are.
    #[test]
    fn large_values_that_differ_little_keep_their_spread() {
        let unit = 1.0 / 262_144.0;
        let sample = Sample::new([0.0, 4.0, 6.0, 10.0].map(|units| 4_294_967_296.0 + units * unit)).unwrap();
        assert_eq!(sample.variance(), 52.0 / 3.0 * unit * unit);
    }

    #[test]
    fn one_game_has_no_spread() {
        let sample = Sample::new([7.0]).unwrap();
        assert_eq!((sample.sd(), sample.skewness()), (0.0, 0.0));
    }
}
