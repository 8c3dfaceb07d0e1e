//! How much each parameter matters: the first-order index of Sobol, which is the share of the loss's variance
//! over the whole space that this parameter causes alone.
//!
//! A Gaussian process is fitted to the trials, functions that may be the loss are drawn from it, and the
//! index of each is estimated by the scheme of Saltelli and others (2010) at points of Sobol's sequence. The
//! index is the median over the functions and its interval holds the middle 95 %, so it tells what the trials
//! leave open. Groups of functions are asked at points of their own, so it tells how far the sampling may be
//! off too (Le Gratiet, Cannamela and Iooss 2014).

use std::collections::BTreeMap;

use serde::Serialize;

use crate::draws::Draws;
use crate::{Gaussian, Losses, Observations, Place, Point, Space, Trial, sobol};

/// How many points the process sees at most, and how many its hyperparameters are found from; of more, evenly
/// many are left out.
const MOST_POINTS: usize = 500;
const MOST_FITTED: usize = 150;
/// How many groups of functions there are, how many functions each has, and at how many points of the
/// sequence it is asked.
const GROUPS: usize = 4;
const FUNCTIONS: usize = 50;
const SAMPLE: usize = 256;

/// How much a parameter matters.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Importance {
    /// The parameter.
    pub name: String,
    /// The share of the variance that it causes alone, from 0 to 1.
    pub index: f64,
    /// Where the 95 % interval of that share begins.
    pub low: f64,
    /// Where it ends.
    pub high: f64,
}

/// How much each parameter matters for an objective, by these trials. Nothing if they do not tell: all
/// faulted, or all have the same loss.
///
/// The trials of one point count as one. Of more than 500 points as many are left out evenly, in the order in
/// which they were tried.
pub fn importance<'a>(
    space: &Space,
    trials: impl IntoIterator<Item = &'a Trial>,
    objective: usize,
    seed: u64,
) -> Vec<Importance> {
    let known = observations(space, trials, objective).thinned(MOST_POINTS);
    let Some(process) = process(space, &known) else { return Vec::new() };
    let place = Place::of("importance", seed);
    let groups = (0..GROUPS).flat_map(|group| indices(space, &process, place.at(group)));
    let by_function: Vec<Vec<f64>> = groups.collect();
    let summary = |(parameter, dimension): (usize, &crate::Dimension)| {
        let mut shares: Vec<f64> = by_function.iter().map(|indices| indices[parameter]).collect();
        shares.sort_by(f64::total_cmp);
        let quantile = |share: f64| shares[(share * (shares.len() - 1) as f64).round() as usize];
        let [low, index, high] = [0.025, 0.5, 0.975].map(quantile);
        Importance { name: dimension.name.clone(), index, low, high }
    };
    space.dimensions().iter().enumerate().map(summary).collect()
}

/// What all games of every point say, in the order in which the points were tried first.
fn observations<'a>(
    space: &Space,
    trials: impl IntoIterator<Item = &'a Trial>,
    objective: usize,
) -> Observations {
    let mut order: Vec<(&Point, Losses)> = Vec::new();
    let mut numbers: BTreeMap<&Point, usize> = BTreeMap::new();
    for (point, losses) in trials.into_iter().filter_map(|trial| Some((&trial.point, trial.losses.as_ref()?)))
    {
        let number = *numbers.entry(point).or_insert(order.len());
        match order.get_mut(number) {
            Some((_, known)) => known.extend(&losses[objective]),
            None => order.push((point, losses[objective].clone())),
        }
    }
    Observations {
        units: order.iter().map(|(point, _)| space.unit(point)).collect(),
        losses: order.iter().map(|(_, losses)| losses.mean()).collect(),
        noise: order.iter().map(|(_, losses)| losses.variance_of_mean()).collect(),
    }
}

impl Observations {
    /// At most this many of them, evenly.
    fn thinned(&self, most: usize) -> Self {
        Self {
            units: thinned(&self.units, most),
            losses: thinned(&self.losses, most),
            noise: thinned(&self.noise, most),
        }
    }
}

fn thinned<T: Clone>(all: &[T], most: usize) -> Vec<T> {
    let count = all.len();
    let is_kept = |number: usize| count <= most || (number * most) % count < most;
    all.iter().enumerate().filter(|(number, _)| is_kept(*number)).map(|(_, one)| one.clone()).collect()
}

/// The process that has seen all of them, with hyperparameters that some of them gave.
fn process<'a>(space: &'a Space, known: &Observations) -> Option<Gaussian<'a>> {
    let first = known.losses.first()?;
    if known.losses.iter().all(|loss| loss == first) {
        return None;
    }
    let hyperparameters = Gaussian::fit(space, &known.thinned(MOST_FITTED))?.hyperparameters().clone();
    Gaussian::with(space, known, hyperparameters)
}

/// For each function of a group the index of every parameter.
fn indices(space: &Space, process: &Gaussian<'_>, place: Place) -> Vec<Vec<f64>> {
    let draws = Draws::new(space, process, place.at(0), FUNCTIONS);
    let parameters = space.len();
    // What is played is rounded, and so is what is asked.
    let settled = |unit: &[f64]| space.unit(&space.point(unit));
    let mut sums = vec![IndexSums::new(parameters); FUNCTIONS];
    for number in 0..SAMPLE {
        let pair = sobol(place.at(1), number, 2 * parameters);
        let (one, other) = (settled(&pair[..parameters]), settled(&pair[parameters..]));
        let crossed = (0..parameters).map(|parameter| {
            let mut unit = one.clone();
            unit[parameter] = other[parameter];
            draws.at(&unit)
        });
        let crossed: Vec<Vec<f64>> = crossed.collect();
        let (one, other) = (draws.at(&one), draws.at(&other));
        for (function, sums) in sums.iter_mut().enumerate() {
            sums.add(one[function], other[function], crossed.iter().map(|values| values[function]));
        }
    }
    sums.iter().map(IndexSums::indices).collect()
}

/// What the scheme adds up for one function, point by point.
#[derive(Clone)]
struct IndexSums {
    /// Of the values at both points of a pair, and of their squares.
    values: f64,
    squares: f64,
    /// For each parameter, of the second value times what it alone changes at the first; and of that change,
    /// to take out the mean.
    products: Vec<f64>,
    changes: Vec<f64>,
}

impl IndexSums {
    fn new(parameters: usize) -> Self {
        Self { values: 0.0, squares: 0.0, products: vec![0.0; parameters], changes: vec![0.0; parameters] }
    }

    fn add(&mut self, one: f64, other: f64, crossed: impl Iterator<Item = f64>) {
        self.values += one + other;
        self.squares += one * one + other * other;
        for (parameter, crossed) in crossed.enumerate() {
            self.products[parameter] += other * (crossed - one);
            self.changes[parameter] += crossed - one;
        }
    }

    fn indices(&self) -> Vec<f64> {
        let count = SAMPLE as f64;
        let mean = self.values / (2.0 * count);
        let variance = self.squares / (2.0 * count) - mean * mean;
        let index = |(product, change): (&f64, &f64)| {
            let caused = (product - mean * change) / count;
            if variance > 0.0 { (caused / variance).clamp(0.0, 1.0) } else { 0.0 }
        };
        self.products.iter().zip(&self.changes).map(index).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{noise, play, real_study};
    use crate::{SearchProblem, Sobol};
    use std::f64::consts::PI;

    fn of(
        study: &SearchProblem,
        points: usize,
        function: impl Fn(&[f64], u64) -> Vec<f64>,
    ) -> Vec<Importance> {
        let batches = play(&Sobol { points, batch: points }, study, function);
        importance(&study.space, batches.iter().flatten(), 0, 1)
    }

    fn assert_holds(importance: &[Importance], known: &[f64], most_width: f64) {
        assert_eq!(importance.len(), known.len());
        for (importance, known) in importance.iter().zip(known) {
            let Importance { index, low, high, .. } = importance;
            assert!(low <= index && index <= high && high - low < most_width, "{importance:?}");
            assert!(low - 0.005 <= *known && *known <= high + 0.005, "{importance:?} {known}");
        }
    }

    /// Ishigami's function on the cube from -pi to pi, whose indices are known: a strong wave, a stronger
    /// one, and a parameter that matters only with the first.
    #[test]
    fn the_indices_of_ishigamis_function_are_found() {
        let study = real_study(3, 1);
        let importance = of(&study, 250, |values, _| {
            let [x, y, z] = [0, 1, 2].map(|number| values[number] * PI / 4.0);
            vec![libm::sin(x) + 7.0 * libm::sin(y).powi(2) + 0.1 * z.powi(4) * libm::sin(x)]
        });
        let wave = 0.5 * (1.0 + 0.1 * PI.powi(4) / 5.0).powi(2);
        let total = 49.0 / 8.0 + 0.1 * PI.powi(4) / 5.0 + 0.01 * PI.powi(8) / 18.0 + 0.5;
        assert_holds(&importance, &[wave / total, 49.0 / 8.0 / total, 0.0], 0.25);
    }

    #[test]
    fn noise_widens_the_intervals_and_they_still_hold_the_indices() {
        let mut study = real_study(3, 2);
        study.evaluation.games = 9;
        let sum = |values: &[f64]| 3.0 * values[0] + 2.0 * values[1];
        let known = [9.0 / 13.0, 4.0 / 13.0, 0.0];
        let exact = of(&study, 60, |values, _| vec![sum(values)]);
        assert_holds(&exact, &known, 0.15);
        let noisy = of(&study, 60, |values, game| vec![sum(values) + 15.0 * noise(values, game).normal()]);
        assert_holds(&noisy, &known, 0.6);
        assert!(noisy[0].high - noisy[0].low > 1.5 * (exact[0].high - exact[0].low), "{noisy:?} {exact:?}");
    }

    #[test]
    fn trials_that_tell_nothing_give_no_index() {
        let study = real_study(2, 3);
        assert_eq!(importance(&study.space, &[], 0, 1), []);
        assert_eq!(of(&study, 10, |_, _| vec![7.0]), []);
    }

    #[test]
    fn thinning_is_even_and_leaves_short_lists_alone() {
        assert_eq!(thinned(&(0..10).collect::<Vec<_>>(), 4), [0, 3, 5, 8]);
        assert_eq!(thinned(&(0..4).collect::<Vec<_>>(), 4), [0, 1, 2, 3]);
        assert_eq!(thinned(&(0..17_050).collect::<Vec<_>>(), 500).len(), 500);
    }
}
