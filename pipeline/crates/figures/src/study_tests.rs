//! The figures of studies, with as many trials and parameters as they must stand.

use std::sync::Arc;

use stats::{Estimate, Method};

use super::tests::figure;
use super::*;

/// Numbers between 0 and 1 that follow no pattern which shows, the same ones each time.
fn noise(place: usize, salt: usize) -> f64 {
    let mut word = (place as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        ^ (salt as u64).wrapping_mul(0xd1b5_4a32_d192_ed03);
    for _ in 0..3 {
        word = (word ^ (word >> 31)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    }
    (word >> 11) as f64 / (1_u64 << 53) as f64
}

fn between(point: f64, margin: f64) -> Estimate {
    Estimate { point, low: point - margin, high: point + margin, n: 1000, method: Method::SkewT }
}

fn panel(number: usize, batches: usize) -> ConvergencePanel {
    let mut best: f64 = 0.0;
    let step = |batch: usize| {
        let risen = 4000.0 * (1.0 - 1.0 / (1.0 + batch as f64 / 30.0));
        let mean = 8000.0 + risen + 600.0 * noise(batch, number);
        best = best.max(mean + 2000.0 + 3000.0 * noise(batch, number + 50));
        ConvergenceStep { at: (batch + 1) as f64, best: between(best, 1500.0), mean: Some(mean) }
    };
    ConvergencePanel {
        label: format!(
            "Genetic algorithm, final heuristics, two layers, {}",
            ["as released", "robust"][number % 2]
        ),
        steps: (0..batches).map(step).collect(),
        winners: (0..5).map(|place| between(12_800.0 - 150.0 * f64::from(place), 350.0)).collect(),
        default: Some(between(11_900.0, 300.0)),
    }
}

fn convergence(panels: usize, batches: usize) -> Convergence {
    Convergence {
        panels: (0..panels).map(|number| panel(number, batches)).collect(),
        across: "iteration".into(),
    }
}

fn parameters(count: usize) -> Vec<StudyParameter> {
    let names = [
        "final_monotonicity",
        "theta2",
        "final_empty",
        "order_of_moves",
        "smoothness",
        "share_of_best_games",
    ];
    let axis = |place: usize| match place % 4 {
        0 => ParameterAxis::Linear(0.0, 1000.0),
        1 => ParameterAxis::Logarithmic(0.01, 50.0),
        2 => ParameterAxis::Linear(0.05, 0.25),
        _ => ParameterAxis::Choices(vec!["URDL".into(), "LRUD".into(), "DLRU".into()]),
    };
    let name = |place: usize| names[place % names.len()].to_owned() + &"_b".repeat(place / names.len());
    (0..count).map(|place| StudyParameter { name: name(place), axis: axis(place) }).collect()
}

/// A value for each parameter, which late trials have nearer to the middle than early ones.
fn values(parameters: &[StudyParameter], trial: usize, late: f64) -> Vec<f64> {
    let value = |(place, parameter): (usize, &StudyParameter)| {
        let part = 0.5 + (noise(trial, place) - 0.5) * (1.0 - 0.8 * late);
        match &parameter.axis {
            ParameterAxis::Linear(from, to) => from + (to - from) * part,
            ParameterAxis::Logarithmic(from, to) => from * libm::pow(to / from, part),
            ParameterAxis::Choices(names) => {
                (part * names.len() as f64).floor().min(names.len() as f64 - 1.0)
            }
        }
    };
    parameters.iter().enumerate().map(value).collect()
}

fn tried(parameters: &[StudyParameter], count: usize) -> Vec<TrialPoint> {
    let trial = |trial: usize| {
        let late = trial as f64 / count as f64;
        let values = values(parameters, trial, late);
        let score = 4000.0 + 5000.0 * late + 4000.0 * noise(trial, 77);
        TrialPoint { batch: (trial / 34) as u32, origin: 0, values, score, cost: None }
    };
    (0..count).map(trial).collect()
}

fn shown(parameters: &[StudyParameter], label: &str, trial: usize) -> NamedPoint {
    let values = values(parameters, trial, 0.9).into_iter().map(Some).collect();
    let score = Some(between(9000.0 + 100.0 * trial as f64, 200.0));
    NamedPoint { label: label.into(), values, score, cost: None }
}

fn trials(count: usize, trials: usize) -> StudyTrials {
    let parameters = parameters(count);
    StudyTrials {
        trials: tried(&parameters, trials),
        default: Some(shown(&parameters, "default", 0)),
        winners: (1..6).map(|place| shown(&parameters, "winner", place)).collect(),
        parameters,
        batches: "iterations".into(),
    }
}

fn slices(count: usize, of: usize) -> Slices {
    Slices(Arc::new(trials(count, of)))
}

fn parallel(count: usize, of: usize) -> Parallel {
    Parallel(Arc::new(trials(count, of)))
}

fn method(number: usize) -> ParetoMethod {
    let names = ["Bayesian optimisation", "neural surrogate", "NSGA-II", "Sobol sequence"];
    let front = |step: usize| {
        (60.0 * libm::pow(1.5, step as f64 + 0.3 * number as f64), 9000.0 + 900.0 * step as f64)
    };
    let run = |seed: usize| {
        let at = |step: usize| {
            let games = 50.0 * step as f64;
            (games, (0.5 + 0.1 * noise(seed, number)) * games / (games + 200.0 + 300.0 * number as f64))
        };
        (0..40).map(at).collect()
    };
    ParetoMethod {
        label: names[number % names.len()].into(),
        front: (0..7).map(front).collect(),
        runs: (0..3).map(run).collect(),
    }
}

fn pareto(methods: usize, trials: usize) -> Pareto {
    let origins = ["sample", "crossover", "kept", "acquisition", "surrogate"];
    let trial = |trial: usize| {
        let cost = 60.0 * libm::pow(20.0, noise(trial, 1));
        let score = 4000.0 + 3600.0 * libm::log10(cost) * noise(trial, 2);
        let origin = trial % origins.len();
        TrialPoint { batch: 0, origin, values: Vec::new(), score, cost: Some(cost) }
    };
    let point = |label: &str, cost: f64, score: f64| NamedPoint {
        label: label.into(),
        values: Vec::new(),
        score: Some(between(score, 400.0)),
        cost: Some(between(cost, cost * 0.03)),
    };
    let winner = |place: usize| {
        let cost = 80.0 * libm::pow(1.9, place as f64);
        point(&format!("best {}", place + 1), cost, 8000.0 + 1000.0 * place as f64)
    };
    Pareto {
        origins: origins.map(str::to_owned).to_vec(),
        study: Arc::new(StudyTrials {
            parameters: Vec::new(),
            trials: (0..trials).map(trial).collect(),
            default: Some(point("default", 300.0, 8200.0)),
            winners: (0..5).map(winner).collect(),
            batches: String::new(),
        }),
        methods: (0..methods).map(method).collect(),
        cost: "playouts per move".into(),
        reference: "a score of 0 at 1,200 playouts per move".into(),
    }
}

fn importance(count: usize) -> Importance {
    let row = |place: usize| ImportanceRow {
        label: parameters(count)[place].name.clone(),
        indices: vec![
            Some(between(0.5 * noise(place, 9), 0.04)),
            Some(between(0.7 * noise(place, 10), 0.05)),
        ],
    };
    Importance {
        series: vec!["score".into(), "cost of a move".into()],
        rows: (0..count).map(row).collect(),
        remarks: "First-order indices of a Gaussian process that was fitted to all trials; intervals from 200 draws.".into(),
    }
}

fn learning(trainings: usize, rows: u64) -> Learning {
    let published = |score: f64, place: u64| LearningPoint {
        games: rows * 1000,
        score,
        label: ["Szubert and Jaśkowski 2014", "TDL2048"][place as usize % 2].into(),
    };
    let curve = |number: usize| {
        let last = 60_000.0 * (number + 1) as f64;
        let step = |row: u64| {
            let part = libm::log10(1.0 + row as f64) / libm::log10(1.0 + rows as f64);
            let reached = |tile: usize| (part * 1.2 - 0.25 * tile as f64).clamp(0.0, 1.0);
            LearningStep {
                games: row * 1000,
                score: last * part + 3000.0 * noise(row as usize, number),
                reached: (0..4).map(reached).collect(),
            }
        };
        LearningCurve {
            label: ["four 6-tuples, 8 symmetries", "four 5-tuples", "17 straight and square 4-tuples"]
                [number % 3]
                .into(),
            steps: (1..=rows).map(step).collect(),
            published: (0..2).map(|place| published(last * 0.98, place)).collect(),
        }
    };
    Learning { curves: (0..trainings).map(curve).collect(), tiles: vec![2048, 8192, 16_384, 32_768] }
}

/// The kinds of figures of a study or a training, small and large.
pub(super) fn kinds() -> Vec<(&'static str, Box<dyn Chart>)> {
    vec![
        ("one convergence", Box::new(convergence(1, 40))),
        ("convergence of one batch", Box::new(convergence(1, 1))),
        ("convergence", Box::new(convergence(4, 500))),
        ("pareto", Box::new(pareto(1, 300))),
        ("pareto of methods", Box::new(pareto(4, 17_050))),
        ("two slices", Box::new(slices(2, 60))),
        ("slices", Box::new(slices(9, 17_050))),
        ("few parallel", Box::new(parallel(3, 50))),
        ("parallel", Box::new(parallel(9, 17_050))),
        ("importance", Box::new(importance(9))),
        ("one step of learning", Box::new(learning(1, 1))),
        ("learning", Box::new(learning(1, 500))),
        ("learning of four", Box::new(learning(4, 1000))),
    ]
}

#[test]
fn figures_of_17_050_trials_stay_small() {
    for (name, kind) in kinds() {
        let drawing = kind.draw(&figure()).unwrap();
        assert!(drawing.svg.len() < 150_000, "{name}: an SVG of {} bytes", drawing.svg.len());
        let png = drawing.png().unwrap();
        assert!(png.len() < 120_000, "{name}: a PNG of {} bytes", png.len());
    }
}

fn texts(kind: &dyn Chart) -> Vec<String> {
    kind.draw(&figure()).unwrap().texts.into_iter().map(|text| text.text).collect()
}

#[test]
fn a_convergence_says_what_the_optimism_is() {
    let mut one = convergence(1, 40);
    one.panels[0].steps.last_mut().unwrap().best = between(20_000.0, 1500.0);
    let said = texts(&one).join(" ");
    assert!(said.contains("20,000 in the study, 12,800 on held-out games: optimism 7,200"), "{said}");
    one.panels[0].winners.clear();
    let said = texts(&one).join(" ");
    assert!(said.contains("20,000 in the study, not yet played on held-out games"), "{said}");
}

#[test]
fn what_is_thinned_is_said() {
    let said = texts(&slices(2, 17_050)).join(" ");
    assert!(said.contains("of 17,050 trials"), "{said}");
    let said = texts(&slices(2, 60)).join(" ");
    assert!(said.contains("Drawn: all 60 trials."), "{said}");
    let said = texts(&parallel(3, 17_050)).join(" ");
    assert!(said.contains("of 1,705 trials drawn; others: "), "{said}");
    assert!(!texts(&pareto(1, 300)).join(" ").contains("Drawn"));
}

#[test]
fn an_interval_without_ends_is_no_obstacle() {
    let mut open = convergence(1, 5);
    for step in &mut open.panels[0].steps {
        (step.best.low, step.best.high) = (f64::NEG_INFINITY, f64::INFINITY);
    }
    assert!(open.draw(&figure()).is_ok());
}

#[test]
fn a_study_without_trials_is_refused() {
    let charts: [&dyn Chart; 4] = [&parallel(2, 0), &slices(2, 0), &convergence(2, 0), &learning(2, 0)];
    assert!(charts.iter().all(|chart| matches!(chart.draw(&figure()), Err(FigureError::Empty(_)))));
}

#[test]
fn a_value_that_has_no_logarithm_is_refused() {
    let mut wrong = trials(2, 10);
    wrong.trials[3].values[1] = 0.0;
    assert!(matches!(Slices(Arc::new(wrong)).draw(&figure()), Err(FigureError::NoPlace(_))));
}

#[test]
fn learning_names_what_was_published_and_the_tiles_that_were_reached() {
    let said = texts(&learning(2, 100));
    assert_eq!(said.iter().filter(|text| text.ends_with("Jaśkowski 2014: 117,600")).count(), 1, "{said:?}");
    assert!(said.contains(&"32768".to_owned()));
    let mut weak = learning(1, 100);
    for step in &mut weak.curves[0].steps {
        step.reached[3] = 0.0;
    }
    assert!(!texts(&weak).contains(&"32768".to_owned()));
    weak.curves[0].steps[7].reached.pop();
    assert!(matches!(weak.draw(&figure()), Err(FigureError::NoPlace(_))));
}

#[test]
fn the_most_important_parameter_stands_first() {
    let mut two = importance(2);
    two.rows[0].indices[0] = Some(between(0.1, 0.01));
    two.rows[1].indices[0] = Some(between(0.4, 0.01));
    let drawing = two.draw(&figure()).unwrap();
    let top = |name: &str| drawing.texts.iter().find(|text| text.text == name).unwrap().frame.top;
    assert!(top("theta2") < top("final_monotonicity"));
}
