//! Trainings: games from which an agent learns, and the file that comes of them. A training says which agent learns, by which parameters,
//! from how many games; the same training gives the same bytes on every machine.

use engine::Rules;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{NoteId, Set, hexadecimal, limits};

/// How many games a row of a learning curve sums up, where a training does not say.
pub const DEFAULT_CURVE_EVERY: u64 = 1000;

/// A training, with all that determines what is learned.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Training {
    /// What it is called within its paper; no experiment and no study has the same name.
    pub id: String,
    /// The id of the agent that learns.
    pub agent: String,
    /// Its parameters as given; those left out have their defaults.
    pub params: Map<String, Value>,
    /// From how many games it learns, at least 1.
    pub games: u64,
    /// Where its games have their chance from.
    #[serde(serialize_with = "hexadecimal")]
    pub seed: u64,
    /// The paper's rules, with the training's own laid over them.
    pub rules: Rules,
    /// How many games a row of its learning curve sums up. It determines nothing that is learned.
    pub curve_every: u64,
    /// The SHA-256 of the file that it gives, where that is known: one that gives another is an error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// Whether it belongs to every reproduction of its paper.
    pub set: Set,
    /// What there is to say about it.
    pub note: Option<String>,
    /// The notes that it rests on.
    pub conditional_on: Vec<NoteId>,
    /// What was published on its learning, to be drawn beside its curve.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub points: Vec<LearningPoint>,
}

/// A published result of learning.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LearningPoint {
    /// After how many games.
    #[schemars(range(min = 1, max = limits::MOST_LEARNED_GAMES))]
    pub games: u64,
    /// The mean score.
    #[schemars(range(min = 0.0, max = limits::LARGEST_NUMBER))]
    pub mean: f64,
    /// What stands beside it.
    #[schemars(length(max = limits::LONGEST_NAME))]
    pub label: String,
}
