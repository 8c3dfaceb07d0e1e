//! The genetic algorithm held against the Python package that it follows: on functions with known minima, the
//! mean best value after this many iterations agrees. What the package came to is in `fixtures/genetic.json`,
//! which `fixtures/genetic.py` made.

use std::f64::consts::{E, TAU};

use serde_json::Value;

use crate::testing::{GENETIC, play};
use crate::{Dimension, Genetic, Method, Range, Scale, SearchProblem, Seeds, Space, TrialEvaluation};

const RUNS: u64 = 200;

/// The settings of the fixture.
const PACKAGE: Genetic = Genetic { iterations: 200, ..GENETIC };

/// The quantile of the normal distribution for one half of 1 % shared by twelve comparisons.
const QUANTILE: f64 = 3.341;

fn real(from: f64, to: f64) -> Range {
    Range::Real { from, to, scale: Scale::Linear, digits: 12 }
}

fn integer(from: i32, to: i32) -> Range {
    Range::Integer { from, to, scale: Scale::Linear }
}

fn sphere(x: &[f64]) -> f64 {
    x.iter().map(|x| (x - 1.0) * (x - 1.0)).sum()
}

fn rastrigin(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x - 10.0 * libm::cos(TAU * x) + 10.0).sum()
}

fn ackley(x: &[f64]) -> f64 {
    let mean = |of: fn(f64) -> f64| x.iter().map(|&x| of(x)).sum::<f64>() / x.len() as f64;
    let (squares, waves) = (mean(|x| x * x), mean(|x| libm::cos(TAU * x)));
    20.0 + E - 20.0 * libm::exp(-0.2 * squares.sqrt()) - libm::exp(waves)
}

/// Whole numbers beside a real one: a score, below 0 and in thousands, with plateaus.
fn steps(x: &[f64]) -> f64 {
    let plateau = ((x[2] - 0.3).abs() * 10.0).floor();
    -20000.0 + 100.0 * ((x[0] - 321.0).abs() + (x[1] - 40.0).abs()) + 1000.0 * plateau
}

/// What is to be made small.
type Function = fn(&[f64]) -> f64;

/// A function of the fixture, with its space.
fn function(name: &str) -> (Function, Vec<Range>) {
    match name {
        "sphere" => (sphere, vec![real(-4.0, 4.0); 3]),
        "rastrigin" => (rastrigin, vec![real(-5.12, 5.12); 4]),
        "ackley" => (ackley, vec![real(-32.768, 32.768); 4]),
        "steps" => (steps, vec![integer(250, 750), integer(25, 100), real(0.0, 1.0)]),
        other => panic!("the fixture has a function `{other}` that is not here"),
    }
}

/// The best value after every iteration, for each of this many runs.
fn runs(genetic: &Genetic, name: &str) -> Vec<Vec<f64>> {
    let (function, ranges) = function(name);
    let named = |(number, range)| Dimension { name: format!("x{number}"), range };
    let space = Space::new(ranges.into_iter().enumerate().map(named).collect()).unwrap();
    let run = |seed| {
        let evaluation = TrialEvaluation { games: 1, seeds: Seeds::Common };
        let study = SearchProblem { space: space.clone(), seed, evaluation };
        let batches = play(genetic, &study, |values, _| vec![function(values)]);
        genetic.generations(&study, &batches).unwrap().iter().map(|generation| generation.best).collect()
    };
    (0..RUNS).map(run).collect()
}

/// For each cell of the fixture how far the means are apart, in half widths of the interval of their
/// difference.
fn distances(genetic: &Genetic, is_asked: impl Fn(&str) -> bool) -> Vec<(String, f64)> {
    let fixture: Value = serde_json::from_str(include_str!("../fixtures/genetic.json")).unwrap();
    let cells = fixture["cells"].as_array().unwrap();
    assert_eq!(cells.len(), 12);
    let mut distances = Vec::new();
    for cells in cells.chunk_by(|a, b| a["function"] == b["function"]) {
        let name = cells[0]["function"].as_str().unwrap();
        if !is_asked(name) {
            continue;
        }
        let runs = runs(genetic, name);
        for cell in cells {
            let number = |name: &str| cell[name].as_f64().unwrap();
            let iterations = number("iterations") as usize;
            let values: Vec<f64> = runs.iter().map(|run| run[iterations]).collect();
            let ours = crate::losses::mean(&values);
            let theirs = number("deviation").powi(2) / number("runs");
            let error = (crate::losses::variance_of_mean(&values) + theirs).sqrt();
            let distance = (ours - number("mean")).abs() / (QUANTILE * error);
            distances.push((format!("{cell}: {ours}"), distance));
        }
    }
    distances
}

#[test]
fn the_mean_best_value_agrees_with_the_package_on_every_function_after_10_50_and_200_iterations() {
    for (cell, distance) in distances(&PACKAGE, |_| true) {
        assert!(distance < 1.0, "{cell} is {distance} half widths away");
    }
}

/// The comparison can tell: half as many mutations, twice as many parents, five of the best instead of one.
/// What is too little for one function and 200 runs is, for example, a share of parents of 0.4.
#[test]
fn an_algorithm_with_other_settings_does_not_agree() {
    let apart = |genetic: Genetic| {
        let distances = distances(&genetic, |name| name == "rastrigin");
        distances.into_iter().map(|(_, distance)| distance).fold(0.0, f64::max)
    };
    let mutation = apart(Genetic { mutation_probability: 0.05, ..PACKAGE });
    let parents = apart(Genetic { parents_portion: 0.6, ..PACKAGE });
    let elite = apart(Genetic { elite_ratio: 0.1, ..PACKAGE });
    assert!([mutation, parents, elite].iter().all(|&apart| apart > 1.0), "{mutation} {parents} {elite}");
}
