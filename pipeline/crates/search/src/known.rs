//! Every method finds the known minimum of a function, and the known front of two, with noise and without.

use std::collections::BTreeMap;

use crate::testing::{GENETIC, noisy_schaffer, noisy_sphere, play, real_study, schaffer, sphere};
use crate::{
    Bayes, Genetic, Halton, Latin, Losses, Method, Nsga, Point, Race, Rating, SearchProblem, Sobol,
    Surrogate, Trial, hypervolume, spread,
};

fn genetic(rating: Rating) -> Genetic {
    Genetic { rating, ..GENETIC }
}

const BAYES: Bayes = Bayes { start: 12, batches: 12, batch: 2 };
const SURROGATE: Surrogate = Surrogate { start: 24, rounds: 6, batch: 6, error: 0.05, epochs: 800 };
const RACE: Race = Race { points: 128, first: 9, most: 144, winners: 1 };

/// Nine games a trial.
fn study(dimensions: usize) -> SearchProblem {
    let mut study = real_study(dimensions, 77);
    study.evaluation.games = 9;
    study
}

/// Every point that was tried, with the mean losses of all its games.
fn by_all_games(batches: &[Vec<Trial>]) -> Vec<(&Point, Vec<f64>)> {
    let mut games: BTreeMap<&Point, Vec<Losses>> = BTreeMap::new();
    for trial in batches.iter().flatten() {
        let losses = trial.losses.as_ref().unwrap();
        let known = games.entry(&trial.point).or_insert_with(|| vec![Losses::Each(Vec::new()); losses.len()]);
        known.iter_mut().zip(losses).for_each(|(known, losses)| known.extend(losses));
    }
    let means = |games: Vec<Losses>| games.iter().map(Losses::mean).collect();
    games.into_iter().map(|(point, games)| (point, means(games))).collect()
}

/// What the winner is really worth.
fn winner(method: &dyn Method, function: fn(&[f64], u64) -> Vec<f64>) -> f64 {
    let batches = play(method, &study(2), function);
    let best = by_all_games(&batches).into_iter().min_by(|a, b| a.1[0].total_cmp(&b.1[0])).unwrap();
    sphere(best.0.values(), 0)[0]
}

/// The minimum is 0; chance alone, which has one of 60 trials, is about 0.3 away from it.
#[test]
fn the_winner_is_near_the_minimum_and_noise_moves_it_little() {
    let methods: [(&str, &dyn Method, f64, f64); 9] = [
        ("genetic, as released", &genetic(Rating::Once), 0.01, 1.0),
        ("genetic, by all games", &genetic(Rating::AllGames), 0.01, 0.25),
        ("Sobol", &Sobol { points: 256, batch: 64 }, 0.3, 1.0),
        ("Latin", &Latin { points: 256, batch: 64 }, 0.3, 1.0),
        ("Halton", &Halton { points: 256, batch: 64 }, 0.3, 1.0),
        ("Bayes", &BAYES, 0.01, 0.5),
        ("NSGA-II", &Nsga::usual(40, 20), 0.01, 1.0),
        ("surrogate", &SURROGATE, 0.1, 0.5),
        ("race", &RACE, 0.5, 0.5),
    ];
    for (name, method, exact, noisy) in methods {
        let (clear, dim) = (winner(method, sphere), winner(method, noisy_sphere));
        assert!(clear < exact, "{name} without noise: {clear}");
        assert!(dim < noisy, "{name} with noise: {dim}");
    }
}

/// How much of the known front twelve winners really reach: about 12.6, where they are evenly spread along
/// it.
fn reached(method: &dyn Method, function: fn(&[f64], u64) -> Vec<f64>) -> f64 {
    let batches = play(method, &study(1), function);
    let known = by_all_games(&batches);
    let losses: Vec<&[f64]> = known.iter().map(|(_, losses)| losses.as_slice()).collect();
    let winners = spread(&losses, 12).into_iter().map(|number| known[number].0);
    let pairs: Vec<[f64; 2]> = winners
        .map(|point| schaffer(point.values(), 0).try_into().expect("there are two objectives"))
        .collect();
    hypervolume(&pairs, [4.0, 4.0])
}

#[test]
fn with_two_objectives_the_winners_lie_along_the_front_and_noise_moves_them_little() {
    let methods: [(&str, &dyn Method, f64, f64); 6] = [
        ("Sobol", &Sobol { points: 64, batch: 64 }, 12.5, 12.0),
        ("Latin", &Latin { points: 64, batch: 64 }, 12.5, 12.0),
        ("Halton", &Halton { points: 64, batch: 64 }, 12.5, 12.0),
        ("Bayes", &BAYES, 12.5, 12.0),
        ("NSGA-II", &Nsga::usual(24, 12), 12.5, 12.0),
        ("surrogate", &SURROGATE, 12.5, 12.0),
    ];
    for (name, method, exact, noisy) in methods {
        let (clear, dim) = (reached(method, schaffer), reached(method, noisy_schaffer));
        assert!(clear > exact, "{name} without noise: {clear}");
        assert!(dim > noisy, "{name} with noise: {dim}");
    }
}
