//! A training, and how its games could have gone, for the tests.

use engine::Rules;
use engine::abi::host::TrainingInfo;
use manifest::{Set, Training};
use serde_json::{Map, json};

use crate::{ArtefactOf, Cost, Curve, GamesOfARow, TrainingHeader, TrainingIdentity};

pub(crate) fn training() -> Training {
    Training {
        id: "t".to_owned(),
        agent: "a".to_owned(),
        params: Map::from_iter([("alpha".to_owned(), json!(0.5))]),
        games: 2500,
        seed: 7,
        rules: Rules::default(),
        curve_every: 1000,
        sha256: None,
        set: Set::Default,
        note: None,
        conditional_on: Vec::new(),
        points: Vec::new(),
    }
}

/// What its agent says of it.
pub(crate) fn info() -> TrainingInfo {
    TrainingInfo {
        role: "weights".to_owned(),
        version: "1.0.0".to_owned(),
        params_schema: json!({"properties": {"alpha": {"default": 1}, "lambda": {"default": 1}}}),
    }
}

pub(crate) fn curve() -> Curve {
    let mut curve = Curve::default();
    for (games, moves, score_sum, reached) in [
        (1000, 400_000, 4_000_000, [10, 0, 0, 0]),
        (1000, 900_000, 12_000_000, [500, 20, 0, 0]),
        (500, 700_000, 9_000_000, [400, 90, 8, 1]),
    ] {
        curve.add(GamesOfARow { games, moves, score_sum, reached });
    }
    curve
}

/// The header of the training's file, which gave a file of this hash.
pub(crate) fn header(sha256: &str) -> TrainingHeader {
    TrainingHeader {
        training: "p/t".to_owned(),
        identity: TrainingIdentity::new(&training(), &info(), Some("games-3:00".to_owned())),
        manifest: serde_json::to_value(training()).unwrap(),
        artefact: ArtefactOf {
            role: "weights".to_owned(),
            sha256: sha256.to_owned(),
            raw_bytes: 9,
            packed_bytes: 22,
        },
        cost: Cost { games: 2500, moves: 2_000_000, cpu_ns: 3_000_000_000 },
        provenance: Vec::new(),
    }
}
