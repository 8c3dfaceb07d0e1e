//! Methods: read with their usual settings, refused with the setting that is wrong, and run at their limits.

use search::{Bayes, Genetic, Halton, Latin, Race, Rating, Sobol, Surrogate};

use super::*;

#[test]
fn every_method_is_read_with_its_usual_settings() {
    let genetic = Genetic {
        population: 50,
        iterations: 500,
        mutation_probability: 0.1,
        crossover_probability: 0.5,
        parents_portion: 0.3,
        elite_ratio: 0.01,
        rating: Rating::Once,
    };
    let written = "kind = \"genetic\", population = 50, iterations = 500, mutation_probability = 0.1, crossover_probability = 0.5";
    for (method, trials, expected) in [
        (written.to_owned(), 25_050, SearchMethod::Genetic(genetic)),
        (
            format!("{written}, parents_portion = 0.5, elite_ratio = 0, rating = \"all-games\""),
            25_050,
            SearchMethod::Genetic(Genetic {
                parents_portion: 0.5,
                elite_ratio: 0.0,
                rating: Rating::AllGames,
                ..genetic
            }),
        ),
        (
            "kind = \"sobol\", points = 64, batch = 16".into(),
            64,
            SearchMethod::Sobol(Sobol { points: 64, batch: 16 }),
        ),
        (
            "kind = \"latin\", points = 9, batch = 2".into(),
            9,
            SearchMethod::Latin(Latin { points: 9, batch: 2 }),
        ),
        (
            "kind = \"halton\", points = 9, batch = 4".into(),
            9,
            SearchMethod::Halton(Halton { points: 9, batch: 4 }),
        ),
        (
            "kind = \"bayes\", start = 8, batches = 3, batch = 4".into(),
            20,
            SearchMethod::Bayes(Bayes { start: 8, batches: 3, batch: 4 }),
        ),
        (
            "kind = \"nsga\", population = 8, generations = 3".into(),
            32,
            SearchMethod::Nsga(Nsga::usual(8, 3)),
        ),
        (
            "kind = \"surrogate\", start = 8, rounds = 3, batch = 4".into(),
            20,
            SearchMethod::Surrogate(Surrogate { start: 8, rounds: 3, batch: 4, error: 0.1, epochs: 2000 }),
        ),
        (
            "kind = \"race\", points = 8, most = 40, winners = 2".into(),
            32,
            SearchMethod::Race(Race { points: 8, first: 9, most: 40, winners: 2 }),
        ),
    ] {
        let study = read(&with_method(&format!("{{ {method} }}"), "")).unwrap().studies.remove(0);
        assert_eq!(study.method, expected);
        assert_eq!(study.method.facts().most_trials, trials, "{method}");
        let batches = match &study.method {
            SearchMethod::Genetic(genetic) => 1 + genetic.iterations,
            SearchMethod::Sobol(sobol) => sobol.points.div_ceil(sobol.batch),
            SearchMethod::Latin(latin) => latin.points.div_ceil(latin.batch),
            SearchMethod::Halton(halton) => halton.points.div_ceil(halton.batch),
            // A batch at the start, and three more: generations, rounds, or the doublings of 9 games to 40.
            _ => 1 + 3,
        };
        assert_eq!(study.method.facts().most_batches, batches as u64, "{method}");
    }
}

/// Follows a study for some batches, on losses that differ from point to point, where every seventh trial
/// faults.
fn follow(study: &Study, batches: usize) -> Vec<usize> {
    let search = study.to_search();
    let mut finished: Vec<Vec<search::Trial>> = Vec::new();
    for batch in 0..batches {
        let proposals = study.method.propose(&search, &finished);
        let trial = |(number, proposal): (usize, search::Proposal)| {
            let loss = |objective: usize| {
                let sum: f64 = proposal.point.values().iter().sum();
                let losses = proposal.games.clone().map(|game| sum + (game as f64) + objective as f64);
                search::Losses::Each(losses.collect())
            };
            let losses = (0..study.objectives.len()).map(loss).collect();
            let has_faulted = (batch + number) % 7 == 6;
            search::Trial { losses: (!has_faulted).then_some(losses), point: proposal.point }
        };
        finished.push(proposals.into_iter().enumerate().map(trial).collect());
    }
    finished.iter().map(Vec::len).collect()
}

#[test]
fn settings_at_their_limits_can_be_searched_with() {
    let genetic = "kind = \"genetic\", iterations = 2, mutation_probability = 1";
    for (method, objectives, sizes) in [
        (
            format!("{genetic}, population = 4, crossover_probability = 0, parents_portion = 0.25"),
            "",
            [4, 2, 2],
        ),
        (
            format!("{genetic}, population = 4, crossover_probability = 0.001, parents_portion = 0.5"),
            "",
            [4, 2, 2],
        ),
        (format!("{genetic}, population = 5, crossover_probability = 1, elite_ratio = 1"), "", [5, 4, 4]),
        (
            "kind = \"nsga\", population = 4, generations = 2, crossover_index = 0, mutation_index = 0"
                .into(),
            "",
            [4, 4, 4],
        ),
        (
            "kind = \"nsga\", population = 4, generations = 2, crossover_index = 1000, mutation_index = 1000"
                .into(),
            OBJECTIVES,
            [4, 4, 4],
        ),
        ("kind = \"sobol\", points = 2, batch = 9".into(), OBJECTIVES, [2, 0, 0]),
        ("kind = \"latin\", points = 3, batch = 2".into(), "", [2, 1, 0]),
        ("kind = \"bayes\", start = 2, batches = 1, batch = 1".into(), OBJECTIVES, [2, 1, 0]),
        (
            "kind = \"surrogate\", start = 2, rounds = 1, batch = 1, epochs = 1, error = 10".into(),
            "",
            [2, 1, 0],
        ),
        ("kind = \"race\", points = 2, most = 9, winners = 1".into(), "", [2, 0, 0]),
    ] {
        let text = with_method(&format!("{{ {method} }}"), objectives);
        let study = read(&text).unwrap().studies.remove(0);
        assert_eq!(follow(&study, 3), sizes, "{method}");
    }
}
