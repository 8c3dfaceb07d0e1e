//! Trainings: games from which an agent learns, and the file that comes of them. A training says which agent
//! learns, by which parameters, from how many games; the same training gives the same bytes on every machine.

use engine::Rules;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::check::PaperContext;
use super::field_checks::{Checked, wrong};
use super::forms::{Id, Name, Sha256, Text};
use super::limits::{self, MOST_CURVE_ROWS};
use super::{NoteId, Set, seed};

/// How many games a row of a learning curve sums up, where a training does not say.
pub const DEFAULT_CURVE_EVERY: u64 = 1000;

/// A training, with all that determines what is learned. It gives a file that experiments can name:
/// `files.weights = "<training>"`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Training {
    /// What it is called within its paper: lower-case letters, digits, - and _. No experiment and no study
    /// has the same id.
    #[schemars(with = "Id")]
    pub id: String,
    /// The id of the agent that learns; `pipeline agents` lists them.
    #[schemars(with = "Id")]
    pub agent: String,
    /// How it learns, in the agent's own parameters of training; those left out have their defaults.
    #[serde(default)]
    pub params: Map<String, Value>,
    /// From how many games it learns, at least 1.
    #[schemars(range(min = 1, max = limits::MOST_LEARNED_GAMES))]
    pub games: u64,
    /// The master seed, from which every game has its own; absent: 2048.
    #[serde(default = "seed::default", with = "seed")]
    #[schemars(with = "seed::Seed")]
    pub seed: u64,
    /// Rules that differ from the paper's. Once read, these are all of its rules.
    #[serde(default)]
    pub rules: Rules,
    /// How many games a row of its learning curve sums up; absent: 1000. It determines nothing that is
    /// learned.
    #[serde(default = "default_curve_every")]
    #[schemars(range(min = 1, max = limits::MOST_LEARNED_GAMES))]
    pub curve_every: u64,
    /// The SHA-256 of the file that it gives, if that is known: a training that gives another is an error.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Sha256>")]
    pub sha256: Option<String>,
    /// Whether it belongs to every reproduction of its paper; absent: default.
    #[serde(default)]
    pub set: Set,
    /// What there is to say about it.
    #[schemars(with = "Option<Text>")]
    pub note: Option<String>,
    /// The ids of the notes that it rests on.
    #[serde(default)]
    #[schemars(length(max = limits::MOST_ENTRIES))]
    pub conditional_on: Vec<NoteId>,
    /// Published results of learning, drawn beside its curve.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = limits::MOST_LEARNING_POINTS))]
    pub points: Vec<LearningPoint>,
}

const fn default_curve_every() -> u64 {
    DEFAULT_CURVE_EVERY
}

/// Checks a training by what its manifest alone shows. What its agent says of it comes later, with the
/// agents.
pub(super) fn check(training: Training, context: &PaperContext<'_>) -> Checked<Training> {
    let Training { games, curve_every, .. } = training;
    let least = games.div_ceil(MOST_CURVE_ROWS);
    if curve_every < least {
        let problem = format!(
            "is {curve_every}, which makes more than {MOST_CURVE_ROWS} rows of {games} games: sum up at least {least}"
        );
        return Err(wrong("curve_every", problem));
    }
    context.check_common(&training.conditional_on, &training.rules)?;
    Ok(training)
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
    #[schemars(with = "Name")]
    pub label: String,
}
