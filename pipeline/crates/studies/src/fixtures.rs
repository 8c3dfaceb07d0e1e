//! Studies that nobody played, for the tests: games are computed from the point.

use engine::Rules;
use engine::agent::Budget;
use jobs::{Canonical as _, StoredIdentity};
use manifest::{DEFAULT_FAULT_SHARE, DEFAULT_MOVE_LIMIT_MS, Objective, SearchMethod, Set, Study, Winners};
use platform::hash::sha256;
use search::{Dimension, Genetic, Range, Rating, Scale, Seeds, Space, Trial, TrialEvaluation};
use serde_json::{Map, json};

use crate::{Effort, GameFigures, Player, StudyHeader, StudyIdentity, TrialOutcome, TrialRow};

/// A small genetic search over one parameter of each kind.
pub(crate) fn study(rating: Rating) -> Study {
    let dimension = |name: &str, range| Dimension { name: name.to_owned(), range };
    let space = Space::new(vec![
        dimension("choice", Range::Choice { count: 2 }),
        dimension("real", Range::Real { from: 0.0, to: 8.0, scale: Scale::Linear, digits: 1 }),
        dimension("whole", Range::Integer { from: 1, to: 4, scale: Scale::Linear }),
    ]);
    let method = Genetic {
        population: 8,
        iterations: 5,
        mutation_probability: 0.2,
        crossover_probability: 0.5,
        parents_portion: 0.3,
        elite_ratio: 0.01,
        rating,
    };
    Study {
        id: "s".to_owned(),
        name: None,
        agent: "a".to_owned(),
        params: Map::from_iter([("fixed".to_owned(), json!(1))]),
        files: Default::default(),
        budget: Budget::Plies(2),
        rules: Rules::default(),
        seed: 7,
        space: space.unwrap(),
        choices: [("choice".to_owned(), vec![json!("u"), json!("v")])].into(),
        objectives: vec![Objective::Score],
        evaluation: TrialEvaluation { games: 3, seeds: Seeds::Fresh },
        method: SearchMethod::Genetic(method),
        winners: Winners { best: 2, games: 10, seed: 8 },
        set: Set::Default,
        note: None,
        conditional_on: Vec::new(),
        move_limit_ms: DEFAULT_MOVE_LIMIT_MS,
        fault_share: DEFAULT_FAULT_SHARE,
        variant: None,
    }
}

/// What the agent would tell of itself.
pub(crate) fn identity(study: &Study) -> StoredIdentity {
    let params = Map::from_iter([("fixed".to_owned(), json!(1)), ("other".to_owned(), json!("x"))]);
    let player =
        Player { version: "1.0.0".to_owned(), params, files: [].into(), signatures: vec!["s".to_owned()] };
    StudyIdentity::new(study, player).stored()
}

/// The header of a study's file.
pub(crate) fn header(study: &Study) -> StudyHeader {
    let (identity, manifest) = (identity(study), serde_json::to_value(study).unwrap());
    StudyHeader { study: "p/s".to_owned(), identity, manifest, provenance: Vec::new() }
}

/// What a game comes to: better with a larger `real`, with luck that depends on the game.
pub(crate) fn figures(values: &[f64], game: u64) -> GameFigures {
    let luck = (game.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 60) as u32;
    let effort = Effort { moves: 10, nodes: 10 + (values[2] * 30.0) as u64 + u64::from(luck) };
    GameFigures { score: 100 + (values[1] * 20.0) as u32 + luck, effort }
}

/// All trials of a study.
pub(crate) fn run(study: &Study) -> Vec<TrialRow> {
    let searched = study.to_search();
    let mut proposer = study.method.proposer(&searched);
    let (mut rows, mut finished): (Vec<TrialRow>, Vec<Vec<Trial>>) = (Vec::new(), Vec::new());
    loop {
        let proposals = proposer.next(&finished);
        if proposals.is_empty() {
            return rows;
        }
        let first = rows.len();
        for proposal in proposals {
            let games: Vec<GameFigures> =
                proposal.games.clone().map(|game| figures(proposal.point.values(), game)).collect();
            let outcome = TrialOutcome::of_games(study, &games, &sha256(format!("{:?}", proposal.games)));
            rows.push(TrialRow::of(rows.len() as u64, finished.len() as u32, proposal, outcome));
        }
        finished.push(rows[first..].iter().map(|row| row.to_trial(&study.objectives)).collect());
    }
}
