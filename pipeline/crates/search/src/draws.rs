//! Functions drawn from a Gaussian process that has seen some points: what the loss may really be, each as
//! probable as the other.
//!
//! A function is drawn before anything is seen, as a sum of waves whose frequencies are those of the kernel
//! (Rahimi and Recht 2007), and then moved to what was seen by the covariances (Matheron's rule; Wilson and
//! others 2020). That costs no matrix of the points at which it is asked.

use crate::matrix::dot;
use crate::{Gaussian, Place, Space};

/// How many waves a function is made of.
const WAVES: usize = 512;

/// Functions of one process, in its standardised losses.
pub(crate) struct Draws<'a> {
    process: &'a Gaussian<'a>,
    space: &'a Space,
    /// For each wave its frequency along every flat coordinate, and its phase.
    waves: Vec<(Vec<f64>, f64)>,
    /// For each function the heights of its waves, and what moves it to each point that was seen.
    functions: Vec<(Vec<f64>, Vec<f64>)>,
}

impl<'a> Draws<'a> {
    pub(crate) fn new(space: &'a Space, process: &'a Gaussian<'a>, place: Place, count: usize) -> Self {
        let lengths = &process.hyperparameters().lengths;
        let axes = space.flat(&vec![0.0; space.len()]);
        let axes: Vec<f64> = axes.iter().map(|&(parameter, _)| lengths[parameter]).collect();
        let waves = (0..WAVES).map(|wave| frequency(place.at(0).at(wave), &axes)).collect();
        let mut draws = Self { process, space, waves, functions: Vec::new() };
        let known: Vec<Vec<f64>> = process.points().iter().map(|point| draws.heights(point)).collect();
        draws.functions = (0..count).map(|number| draws.function(place.at(1).at(number), &known)).collect();
        draws
    }

    /// A function: waves of random heights, and what is missing to the losses that were seen, noise and all.
    fn function(&self, place: Place, known: &[Vec<f64>]) -> (Vec<f64>, Vec<f64>) {
        let waves: Vec<f64> = (0..WAVES).map(|wave| place.at(0).at(wave).normal()).collect();
        let (losses, noise) = self.process.standard();
        let missing = |number: usize| {
            let luck = noise[number].sqrt() * place.at(1).at(number).normal();
            losses[number] - dot(&known[number], &waves) - luck
        };
        let missing: Vec<f64> = (0..known.len()).map(missing).collect();
        (waves, self.process.weights_for(&missing))
    }

    /// How high each wave is at a point of the unit cube.
    fn heights(&self, unit: &[f64]) -> Vec<f64> {
        let flat: Vec<f64> = self.space.flat(unit).into_iter().map(|(_, x)| x).collect();
        let height = (2.0 * self.process.hyperparameters().variance / WAVES as f64).sqrt();
        let wave = |(frequency, phase): &(Vec<f64>, f64)| height * libm::cos(dot(frequency, &flat) + phase);
        self.waves.iter().map(wave).collect()
    }

    /// The values of all functions at a point of the unit cube.
    pub(crate) fn at(&self, unit: &[f64]) -> Vec<f64> {
        let (heights, to_known) = (self.heights(unit), self.process.to_known(unit));
        self.functions.iter().map(|(waves, moves)| dot(&heights, waves) + dot(&to_known, moves)).collect()
    }
}

/// A frequency of Matern's kernel with smoothness 5/2, which is distributed as Student's t with five degrees
/// of freedom, and a phase.
fn frequency(place: Place, lengths: &[f64]) -> (Vec<f64>, f64) {
    let squares: f64 = (0..5).map(|number| place.at(0).at(number).normal()).map(|x| x * x).sum();
    let along =
        |(axis, length): (usize, &f64)| place.at(1).at(axis).normal() * (5.0 / squares).sqrt() / length;
    let frequency = lengths.iter().enumerate().map(along).collect();
    (frequency, std::f64::consts::TAU * place.at(2).unit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gaussian::mean_and_deviation;
    use crate::testing::real_study;
    use crate::{Dimension, Hyperparameters, Observations, Range};

    #[test]
    fn functions_have_the_mean_and_the_variance_of_the_process() {
        let choice = Dimension { name: "c".to_owned(), range: Range::Choice { count: 3 } };
        let mut dimensions = real_study(1, 1).space.dimensions().to_vec();
        dimensions.push(choice);
        let space = Space::new(dimensions).unwrap();
        let units = vec![vec![0.1, 0.2], vec![0.4, 0.5], vec![0.9, 0.8], vec![0.6, 0.2]];
        let seen = Observations { units, losses: vec![1.0, -1.0, 0.5, 2.0], noise: vec![0.1; 4] };
        let hyperparameters = Hyperparameters { lengths: vec![0.4, 0.8], variance: 1.2 };
        let process = Gaussian::with(&space, &seen, hyperparameters).unwrap();
        let (mean, deviation) = mean_and_deviation(&seen.losses);
        for place in 0..3 {
            let draws = Draws::new(&space, &process, Place::of("test", place), 4000);
            for unit in [[0.1, 0.2], [0.5, 0.5], [0.3, 0.8], [0.75, 0.2]] {
                let (drawn, spread) = mean_and_deviation(&draws.at(&unit));
                let (expected, variance) = process.predict(&unit);
                assert!((mean + deviation * drawn - expected).abs() < 0.1, "{drawn} {expected}");
                let ratio = spread * deviation / variance.sqrt();
                assert!((ratio - 1.0).abs() < 0.12, "{unit:?} {ratio}");
            }
        }
    }
}
