//! A study as it is written: the keys of `[[study]]`, each with its type, before they are checked together.

use std::collections::BTreeMap;

use engine::agent::Budget;
use engine::{Odds, Rules};
use schemars::JsonSchema;
use search::{Scale, SearchMethod, Seeds};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::files::FilesSchema;
use super::forms::{Id, Name, Text};
use super::limits;
use super::{
    FileSource, NoteId, Objective, Set, Variant, Winners, default_fault_share, default_move_limit, seed,
};

/// A search for better parameters of an agent. Its best are played again, on games that the search never saw,
/// as experiments `<study>-best-1`, `<study>-best-2` and so on, and beside them the agent's defaults as
/// `<study>-default`; claims may name these.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Study")]
pub(super) struct RawStudy {
    /// What it is called within its paper: lower-case letters, digits, - and _. No experiment has the same
    /// id.
    #[schemars(with = "Id")]
    pub(super) id: String,
    /// Its name in tables and figures; absent: the id is the name.
    #[schemars(with = "Option<Name>")]
    pub(super) name: Option<String>,
    /// The id of the agent that plays; `pipeline agents` lists them.
    #[schemars(with = "Id")]
    pub(super) agent: String,
    /// The parameters that stay as they are; those that are neither here nor searched have their defaults.
    #[serde(default)]
    pub(super) params: Map<String, Value>,
    /// The files that the agent loads, by role: a training of this paper, PAPER/TRAINING, or a SHA-256.
    #[serde(default)]
    #[schemars(with = "FilesSchema")]
    pub(super) files: BTreeMap<String, FileSource>,
    /// What the agent may use for a move, in plies, nodes or playouts; absent: none.
    #[serde(default)]
    pub(super) budget: Budget,
    /// Rules that differ from the paper's.
    #[serde(default)]
    pub(super) rules: Rules,
    /// The seed of its proposals and of its games; absent: 2048.
    #[serde(default = "seed::default", with = "seed")]
    #[schemars(with = "seed::Seed")]
    pub(super) seed: u64,
    /// The parameters that are searched, each with its range.
    #[schemars(extend("minProperties" = 1, "maxProperties" = limits::MOST_SEARCHED))]
    pub(super) space: BTreeMap<String, RawRange>,
    /// What is made better, the first one first; absent: the score alone.
    #[serde(default = "score_alone")]
    #[schemars(length(min = 1, max = 2))]
    pub(super) objectives: Vec<Objective>,
    /// How many games a trial plays, at least 1; in a race those of the first round.
    #[schemars(range(min = 1, max = limits::MOST_GAMES_OF_A_TRIAL))]
    pub(super) games: u64,
    /// Whether trials share their games; absent: fresh.
    #[serde(default)]
    pub(super) seeds: Seeds,
    /// How it searches: the kind, and its settings.
    pub(super) method: SearchMethod,
    /// How the best are played again.
    pub(super) winners: Winners,
    /// Whether it is run without being asked for; absent: default.
    #[serde(default)]
    pub(super) set: Set,
    /// What there is to say about it.
    #[schemars(with = "Option<Text>")]
    pub(super) note: Option<String>,
    /// The ids of the notes that it rests on.
    #[serde(default)]
    #[schemars(length(max = limits::MOST_ENTRIES))]
    pub(super) conditional_on: Vec<NoteId>,
    /// How many milliseconds a move may take before the agent counts as hanging; absent: 60000.
    #[serde(default = "default_move_limit")]
    #[schemars(range(min = 1, max = limits::LONGEST_MOVE_MS))]
    pub(super) move_limit_ms: u64,
    /// The share of trials that may fault before the study is stopped; absent: "1/10".
    #[serde(default = "default_fault_share")]
    pub(super) fault_share: Odds,
    /// Which form of the paper's method it plays, where text and released program differ.
    pub(super) variant: Option<Variant>,
}

fn score_alone() -> Vec<Objective> {
    vec![Objective::Score]
}

/// What a searched parameter may be: a number from `from` to `to`, or one of `choices`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Range")]
pub(super) struct RawRange {
    /// The smallest number.
    pub(super) from: Option<f64>,
    /// The largest number.
    pub(super) to: Option<f64>,
    /// Whether only whole numbers are tried; absent: false.
    #[serde(default)]
    pub(super) integer: bool,
    /// Along which equal steps count as equal; absent: linear.
    pub(super) scale: Option<Scale>,
    /// How many decimals a number is rounded to before it is played; for all but whole numbers.
    #[schemars(range(max = limits::MOST_DIGITS))]
    pub(super) digits: Option<u32>,
    /// The values that are tried, in the place of a range of numbers.
    #[schemars(length(min = 2, max = limits::MOST_CHOICES))]
    pub(super) choices: Option<Vec<Value>>,
}
