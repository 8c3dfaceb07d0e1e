//! A Gaussian process: what is known of a loss between the points that were tried.
//!
//! The kernel is Matern's with smoothness 5/2 and a length for each parameter; the noise of each point is the
//! squared standard error of its own trial. Losses are standardised first, so that one prior fits all
//! studies. The lengths are the most probable ones under a weak prior around half of the range, found from
//! fixed starts.

use crate::Space;
use crate::matrix::{Lower, dot};
use crate::minimise::minimise;

/// What is added to every point's noise, in variances of the losses: two trials of one point never make the
/// matrix singular.
const NUGGET: f64 = 1e-6;
/// How many evaluations a start may take.
const EVALUATIONS: usize = 200;
/// The lengths that the search for the best ones starts from, as shares of a range.
const STARTS: [f64; 2] = [0.2, 0.8];
/// The middle of the prior of a length, and its deviation, in logarithms.
const PRIOR_LENGTH: f64 = 0.5;
const PRIOR_DEVIATION: f64 = 1.0;
/// Beyond these the search does not follow: logarithms of shares of a range, and of variances.
const LARGEST_LOGARITHM: f64 = 6.0;

/// How a loss varies over the space.
#[derive(Clone, Debug)]
pub(crate) struct Hyperparameters {
    /// For each parameter, as a share of its range, how far one has to go for the loss to be another.
    pub(crate) lengths: Vec<f64>,
    /// The variance of the loss over the space.
    pub(crate) variance: f64,
}

/// What was seen of a loss.
#[derive(Clone, Debug, Default)]
pub(crate) struct Observations {
    /// Points in the unit cube.
    pub(crate) units: Vec<Vec<f64>>,
    /// The loss at each.
    pub(crate) losses: Vec<f64>,
    /// The variance of each loss.
    pub(crate) noise: Vec<f64>,
}

/// A Gaussian process that has seen some points.
pub(crate) struct Gaussian<'a> {
    space: &'a Space,
    points: Vec<Vec<f64>>,
    hyperparameters: Hyperparameters,
    solved: Solved,
    seen: Seen,
}

/// What a process is fitted to, made ready once for all hyperparameters that are tried.
struct Seen {
    /// For each point and every one up to itself, how far they are apart: the squares, parameter by
    /// parameter.
    gaps: Vec<Vec<f64>>,
    parameters: usize,
    /// The losses, standardised, and the variances of these.
    standard: Vec<f64>,
    noise: Vec<f64>,
    /// The mean and the deviation of the losses.
    scale: (f64, f64),
}

/// What given hyperparameters make of it.
struct Solved {
    factor: Lower,
    weights: Vec<f64>,
    log_likelihood: f64,
}

impl Seen {
    /// `None` if a number is not finite.
    fn of(space: &Space, Observations { units: points, losses, noise }: &Observations) -> Option<Self> {
        if losses.iter().chain(noise).any(|value| !value.is_finite()) {
            return None;
        }
        let scale = mean_and_deviation(losses);
        let row = |number: usize| {
            points[..=number].iter().flat_map(|other| space.squared_gaps(&points[number], other)).collect()
        };
        Some(Self {
            gaps: (0..points.len()).map(row).collect(),
            parameters: space.len(),
            standard: losses.iter().map(|loss| (loss - scale.0) / scale.1).collect(),
            noise: noise.iter().map(|noise| NUGGET + noise / (scale.1 * scale.1)).collect(),
            scale,
        })
    }

    /// `None` if the matrix of the covariances is not positive definite.
    fn solve(&self, hyperparameters: &Hyperparameters) -> Option<Solved> {
        let shrink = hyperparameters.shrink();
        let row = |(gaps, noise): (&Vec<f64>, &f64)| {
            let gaps = gaps.chunks_exact(self.parameters);
            let mut row: Vec<f64> =
                gaps.map(|gaps| hyperparameters.covariance(&shrink, gaps.iter().copied())).collect();
            if let Some(own) = row.last_mut() {
                *own += noise;
            }
            row
        };
        let rows = self.gaps.iter().zip(&self.noise).map(row).collect();
        let factor = Lower::factor(rows)?;
        let halfway = factor.solve(&self.standard);
        let constant = self.standard.len() as f64 * libm::log(std::f64::consts::TAU);
        let log_likelihood = -0.5 * (dot(&halfway, &halfway) + factor.log_determinant() + constant);
        Some(Solved { weights: factor.solve_transposed(&halfway), factor, log_likelihood })
    }
}

impl Hyperparameters {
    /// What squared distances along each parameter are multiplied by: one over the squared length.
    fn shrink(&self) -> Vec<f64> {
        self.lengths.iter().map(|length| 1.0 / (length * length)).collect()
    }

    /// Matern's covariance with smoothness 5/2 of two points that are so far apart.
    fn covariance(&self, shrink: &[f64], squared_gaps: impl Iterator<Item = f64>) -> f64 {
        let squared: f64 = squared_gaps.zip(shrink).map(|(gap, shrink)| gap * shrink).sum();
        let distance = (5.0 * squared).sqrt();
        self.variance * (1.0 + distance + 5.0 * squared / 3.0) * libm::exp(-distance)
    }
}

impl<'a> Gaussian<'a> {
    /// The process whose hyperparameters fit best. `None` if the covariances of the points are not positive
    /// definite, or a number is not finite.
    pub(crate) fn fit(space: &'a Space, seen: &Observations) -> Option<Self> {
        let of = |logarithms: &[f64]| {
            let (variance, lengths) = logarithms.split_last().expect("a space has a parameter");
            Hyperparameters {
                lengths: lengths.iter().map(|&length| libm::exp(length)).collect(),
                variance: libm::exp(*variance),
            }
        };
        let known = Seen::of(space, seen)?;
        let surprise = |logarithms: &[f64]| {
            if logarithms.iter().any(|value| value.abs() > LARGEST_LOGARITHM) {
                return f64::INFINITY;
            }
            let solved = known.solve(&of(logarithms));
            solved.map_or(f64::INFINITY, |solved| prior_surprise(logarithms) - solved.log_likelihood)
        };
        let best = STARTS.map(|length| {
            let mut start = vec![libm::log(length); space.len()];
            start.push(0.0);
            minimise(&start, 0.7, EVALUATIONS, surprise)
        });
        let [(first, its), (second, others)] = best;
        Self::with(space, seen, of(if its <= others { &first } else { &second }))
    }

    /// The process with given hyperparameters.
    pub(crate) fn with(
        space: &'a Space,
        observations: &Observations,
        hyperparameters: Hyperparameters,
    ) -> Option<Self> {
        let seen = Seen::of(space, observations)?;
        let solved = seen.solve(&hyperparameters)?;
        Some(Self { space, points: observations.units.clone(), hyperparameters, solved, seen })
    }

    /// The mean and the variance of the loss at a point of the unit cube, without the noise of a trial.
    pub(crate) fn predict(&self, unit: &[f64]) -> (f64, f64) {
        let to_known = self.to_known(unit);
        let explained = self.solved.factor.solve(&to_known);
        let variance = (self.hyperparameters.variance - dot(&explained, &explained)).max(0.0);
        let (mean, deviation) = self.seen.scale;
        (mean + deviation * dot(&to_known, &self.solved.weights), variance * deviation * deviation)
    }

    /// The covariances of a point of the unit cube with all that were seen.
    pub(crate) fn to_known(&self, unit: &[f64]) -> Vec<f64> {
        let (shrink, hyperparameters) = (self.hyperparameters.shrink(), &self.hyperparameters);
        let covariance =
            |point: &Vec<f64>| hyperparameters.covariance(&shrink, self.space.squared_gaps(unit, point));
        self.points.iter().map(covariance).collect()
    }

    /// The points that were seen, in the unit cube.
    pub(crate) fn points(&self) -> &[Vec<f64>] {
        &self.points
    }

    /// The losses that were seen, standardised, and the variances of these.
    pub(crate) fn standard(&self) -> (&[f64], &[f64]) {
        (&self.seen.standard, &self.seen.noise)
    }

    /// What the covariances of a point are weighed by, for standardised losses other than those that were
    /// seen.
    pub(crate) fn weights_for(&self, standard: &[f64]) -> Vec<f64> {
        self.solved.factor.solve_transposed(&self.solved.factor.solve(standard))
    }

    /// How the loss varies.
    pub(crate) const fn hyperparameters(&self) -> &Hyperparameters {
        &self.hyperparameters
    }
}

/// How improbable these logarithms are before anything is known, but for a constant.
fn prior_surprise(logarithms: &[f64]) -> f64 {
    let (variance, lengths) = logarithms.split_last().expect("a space has a parameter");
    let from = |value: f64, middle: f64| ((value - middle) / PRIOR_DEVIATION).powi(2) / 2.0;
    lengths.iter().map(|&length| from(length, libm::log(PRIOR_LENGTH))).sum::<f64>() + from(*variance, 0.0)
}

/// The mean and the standard deviation of a population; a deviation of 1 if all are equal.
pub(crate) fn mean_and_deviation(values: &[f64]) -> (f64, f64) {
    let mean = crate::losses::mean(values);
    let variance =
        values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / values.len() as f64;
    (mean, if variance > 0.0 { variance.sqrt() } else { 1.0 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::real_study;
    use serde_json::Value;

    fn numbers(value: &Value) -> Vec<f64> {
        value.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
    }

    #[test]
    fn it_agrees_with_the_gaussian_process_of_scikit_learn() {
        let data: Value = serde_json::from_str(include_str!("../fixtures/gaussian.json")).unwrap();
        let rows = |name: &str| data[name].as_array().unwrap().iter().map(numbers).collect::<Vec<_>>();
        let study = real_study(3, 1);
        let hyperparameters = Hyperparameters {
            lengths: numbers(&data["lengths"]),
            variance: data["variance"].as_f64().unwrap(),
        };
        let (losses, noise) = (numbers(&data["losses"]), numbers(&data["noise"]));
        let seen = Observations { units: rows("points"), losses, noise };
        let process = Gaussian::with(&study.space, &seen, hyperparameters).unwrap();
        let expected = data["log_likelihood"].as_f64().unwrap();
        assert!(
            (process.solved.log_likelihood - expected).abs() < 1e-9,
            "{} {expected}",
            process.solved.log_likelihood
        );
        let asked = rows("asked");
        assert_eq!(asked.len(), 20);
        for (unit, expected) in asked.iter().zip(rows("answers")) {
            let (mean, variance) = process.predict(unit);
            assert!((mean - expected[0]).abs() < 1e-8, "{mean} {expected:?}");
            assert!((variance - expected[1]).abs() < 1e-8, "{variance} {expected:?}");
        }
    }

    #[test]
    fn a_fit_is_at_least_as_likely_as_where_it_started_and_learns_which_parameter_matters() {
        let study = real_study(2, 1);
        let units: Vec<Vec<f64>> =
            (0..30).map(|number| crate::sobol(crate::Place::of("test", 3), number, 2)).collect();
        let losses = units.iter().map(|point| libm::sin(6.0 * point[0])).collect();
        let seen = Observations { units, losses, noise: vec![1e-4; 30] };
        let fitted = Gaussian::fit(&study.space, &seen).unwrap();
        for length in STARTS {
            let hyperparameters = Hyperparameters { lengths: vec![length; 2], variance: 1.0 };
            let start = Gaussian::with(&study.space, &seen, hyperparameters).unwrap();
            assert!(fitted.solved.log_likelihood > start.solved.log_likelihood);
        }
        let lengths = &fitted.hyperparameters().lengths;
        assert!(lengths[1] > 3.0 * lengths[0], "{lengths:?}");
        let (mean, variance) = fitted.predict(&[0.5, 0.5]);
        assert!((mean - libm::sin(3.0)).abs() < 4.0 * variance.sqrt() + 0.02, "{mean} {variance}");
    }

    #[test]
    fn noise_of_a_point_is_believed() {
        let study = real_study(1, 1);
        let hyperparameters = || Hyperparameters { lengths: vec![0.3], variance: 1.0 };
        let at = |noise: f64| {
            let units = vec![vec![0.2], vec![0.5], vec![0.8]];
            let seen = Observations { units, losses: vec![0.0, 3.0, 0.0], noise: vec![1e-9, noise, 1e-9] };
            Gaussian::with(&study.space, &seen, hyperparameters()).unwrap().predict(&[0.5]).0
        };
        assert!((at(1e-9) - 3.0).abs() < 0.01 && at(10.0) < 1.5, "{} {}", at(1e-9), at(10.0));
    }

    #[test]
    fn numbers_that_are_not_finite_make_no_process() {
        let study = real_study(1, 1);
        let (units, losses) = (vec![vec![0.1], vec![0.2]], vec![f64::NAN, 1.0]);
        let seen = Observations { units, losses, noise: vec![0.1, 0.1] };
        assert!(Gaussian::fit(&study.space, &seen).is_none());
    }
}
