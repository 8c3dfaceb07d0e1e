//! Methods: read with their usual settings, refused with the setting that is wrong, and run at their limits.

use search::{Bayes, Genetic, Latin, Race, Rating, Sobol, Surrogate};

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
        assert_eq!(study.method.most_trials(), trials, "{method}");
        let batches = match &study.method {
            SearchMethod::Genetic(genetic) => 1 + genetic.iterations,
            SearchMethod::Sobol(sobol) => sobol.points.div_ceil(sobol.batch),
            SearchMethod::Latin(latin) => latin.points.div_ceil(latin.batch),
            // A batch at the start, and three more: generations, rounds, or the doublings of 9 games to 40.
            _ => 1 + 3,
        };
        assert_eq!(study.method.most_batches(), batches as u64, "{method}");
    }
}

#[test]
fn settings_of_methods_are_refused_with_those_that_there_are() {
    let kinds = "known: genetic, sobol, latin, bayes, nsga, surrogate, race";
    method_refused("{ population = 8 }", &format!("has no `kind`: say how it searches; {kinds}"));
    method_refused(
        "{ kind = \"annealing\" }",
        &format!("is of kind `annealing`, which there is not; {kinds}"),
    );
    method_refused("{ kind = 5 }", &format!("has 5 as `kind`, which is not text; {kinds}"));
    refused_on("method", &with(METHOD, "\"sobol\""), "`method` is \"sobol\"; write a table");
    method_refused(
        "{ kind = \"nsga\", population = 8, generation = 3, generations = 3 }",
        "of kind `nsga`: `generation` is unknown; known: crossover_index, crossover_probability, generations, kind, \
         mutation_index, population",
    );
    method_refused("{ kind = \"sobol\", points = 8 }", "of kind `sobol`: `batch` is missing: add it");
    let sobol = |settings: &str, problem: &str| {
        method_refused(
            &format!("{{ kind = \"sobol\", {settings} }}"),
            &format!("of kind `sobol`: {problem}"),
        );
    };
    sobol("points = 0, batch = 1", "`points` is 0, must be at least 1");
    sobol("points = 65537, batch = 1", "`points` is 65537, must be at most 65536");
    sobol("points = 8, batch = 0", "`batch` is 0, must be at least 1");
    sobol("points = 8.5, batch = 1", "`points` is 8.5, must be a whole number");
    sobol("points = \"8\", batch = 1", "`points` is \"8\", must be a whole number");
    method_refused(
        "{ kind = \"sobol\", points = nan, batch = 1 }",
        "has nan or inf as `points`: write a finite number",
    );
}

#[test]
fn settings_that_a_method_cannot_run_with_are_refused() {
    let genetic = |settings: &str, problem: &str| {
        let method =
            format!("{{ kind = \"genetic\", iterations = 9, mutation_probability = 0.1, {settings} }}");
        method_refused(&method, &format!("of kind `genetic`: {problem}"));
    };
    genetic("population = 3, crossover_probability = 0.5", "`population` is 3, must be at least 4");
    genetic(
        "population = 9, crossover_probability = 1.5",
        "`crossover_probability` is 1.5, must be at most 1",
    );
    genetic(
        "population = 9, crossover_probability = 1e-9",
        "`crossover_probability` is 0.000000001, must be 0 or at least 0.001",
    );
    for portion in ["0.1", "0.9", "1"] {
        genetic(
            &format!("population = 9, crossover_probability = 0.5, parents_portion = {portion}"),
            &format!("`parents_portion` is {portion}, which of 9 must keep at least 1 and leave at least 2"),
        );
    }
    genetic(
        "population = 9, crossover_probability = 0.5, rating = \"twice\"",
        "`rating` is \"twice\", must be \"once\" or \"all-games\"",
    );
    let of = |kind: &str, settings: &str, problem: &str| {
        method_refused(
            &format!("{{ kind = \"{kind}\", {settings} }}"),
            &format!("of kind `{kind}`: {problem}"),
        );
    };
    of("nsga", "population = 9, generations = 3", "`population` is 9, must be even");
    of("nsga", "population = 2, generations = 3", "`population` is 2, must be at least 4");
    of("surrogate", "start = 8, rounds = 3, batch = 4, error = 0", "`error` is 0, must be above 0");
    of("bayes", "start = 1, batches = 3, batch = 4", "`start` is 1, must be at least 2");
    of("bayes", "start = 8, batches = 100, batch = 20", "it comes to 2008 trials: ask for at most 2000");
    of(
        "nsga",
        "population = 1000, generations = 1000",
        "it comes to 1001000 trials: ask for at most 1000000",
    );
    of(
        "race",
        "points = 8, most = 8, winners = 2",
        "`most` is 8, must be at least the 9 `games` of the first round",
    );
    of(
        "race",
        "points = 8, most = 90, winners = 8",
        "`winners` is 8, must be below the 8 `points` that take part",
    );
    of(
        "race",
        "points = 65536, most = 1000, winners = 1",
        "it comes to 65536000 games: ask for at most 10000000",
    );
}

#[test]
fn methods_for_one_objective_take_one_and_a_race_common_games() {
    for (kind, rest) in [
        (
            "genetic",
            "population = 8, iterations = 3, mutation_probability = 0.1, crossover_probability = 0.5",
        ),
        ("race", "points = 8, most = 90, winners = 1"),
    ] {
        let method = format!("{{ kind = \"{kind}\", {rest} }}");
        let problem =
            format!("`objectives` has two, and method `{kind}` takes one: remove one, or use another method");
        refused_on("objectives", &with_method(&method, OBJECTIVES), &problem);
        read(&with_method(&method, "objectives = [\"cost\"]\n")).unwrap();
    }
    let race = with_method("{ kind = \"race\", points = 8, most = 90, winners = 1 }", "");
    let problem = "`seeds` must be \"common\" in a race, whose test compares points on the same games";
    refused_on("seeds", &race.replace("\"common\"", "\"fresh\""), problem);
}

/// Follows a study for some batches, on losses that differ from point to point, where every seventh trial faults.
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
