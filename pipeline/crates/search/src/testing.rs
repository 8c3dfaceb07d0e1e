//! Functions with known minima, and a study of them.

use crate::{
    Dimension, Genetic, Losses, Method, Place, Proposal, Range, Rating, Scale, SearchProblem, Seeds, Space,
    Trial, TrialEvaluation,
};

/// The usual settings of the genetic algorithm, over few iterations.
pub(crate) const GENETIC: Genetic = Genetic {
    population: 50,
    iterations: 40,
    mutation_probability: 0.1,
    crossover_probability: 0.5,
    parents_portion: 0.3,
    elite_ratio: 0.01,
    rating: Rating::Once,
};

/// A study of this many real parameters from -4 to 4.
pub(crate) fn real_study(dimensions: usize, seed: u64) -> SearchProblem {
    let range = Range::Real { from: -4.0, to: 4.0, scale: Scale::Linear, digits: 6 };
    let dimension = |number| Dimension { name: format!("x{number}"), range };
    let space = Space::new((0..dimensions).map(dimension).collect()).unwrap();
    SearchProblem { space, seed, evaluation: TrialEvaluation { games: 1, seeds: Seeds::Common } }
}

/// Runs a search to its end on a function of the point and the game that gives each objective's loss.
pub(crate) fn play(
    method: &(impl Method + ?Sized),
    study: &SearchProblem,
    function: impl Fn(&[f64], u64) -> Vec<f64>,
) -> Vec<Vec<Trial>> {
    let mut batches: Vec<Vec<Trial>> = Vec::new();
    let mut proposer = method.proposer(study);
    loop {
        let proposals = proposer.next(&batches);
        if proposals.is_empty() {
            return batches;
        }
        batches.push(proposals.into_iter().map(|proposal| trial(proposal, &function)).collect());
    }
}

/// What comes of a proposal.
pub(crate) fn trial(proposal: Proposal, function: &impl Fn(&[f64], u64) -> Vec<f64>) -> Trial {
    let games: Vec<Vec<f64>> = proposal.games.map(|game| function(proposal.point.values(), game)).collect();
    let of = |objective: usize| Losses::Each(games.iter().map(|game| game[objective]).collect());
    Trial { point: proposal.point, losses: Some((0..games[0].len()).map(of).collect()) }
}

/// The sum of squares around 1, whose minimum is 0.
pub(crate) fn sphere(values: &[f64], _: u64) -> Vec<f64> {
    vec![values.iter().map(|x| (x - 1.0) * (x - 1.0)).sum()]
}

/// The same with noise of deviation 1.
pub(crate) fn noisy_sphere(values: &[f64], game: u64) -> Vec<f64> {
    vec![sphere(values, game)[0] + noise(values, game).normal()]
}

/// Where a game has its luck from, which depends on the point too.
pub(crate) fn noise(values: &[f64], game: u64) -> Place {
    let root = Place::of("noise", game);
    values.iter().fold(root, |place, value| place.at(value.to_bits() as usize))
}

/// Schaffer's two objectives of one parameter: the squares around 0 and around 2.
pub(crate) fn schaffer(values: &[f64], _: u64) -> Vec<f64> {
    vec![values[0] * values[0], (values[0] - 2.0) * (values[0] - 2.0)]
}

/// The same with noise of deviation 1/2 on each.
pub(crate) fn noisy_schaffer(values: &[f64], game: u64) -> Vec<f64> {
    let place = noise(values, game);
    let noisy = |(objective, loss): (usize, f64)| loss + 0.5 * place.at(objective).normal();
    schaffer(values, game).into_iter().enumerate().map(noisy).collect()
}
