//! A study as it is written: the keys of `[[study]]`, each with its type, before they are checked together.
//!
//! Methods of searching have settings of their own. They are held against the schema of their kind, so that all that is wrong with them is told
//! at once, key by key; the bounds that stand there are the ones that an editor sees.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use engine::Odds;
use engine::agent::Budget;
use schemars::{JsonSchema, schema_for};
use search::{Scale, SearchMethod, Seeds};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::files::RawFiles;
use super::limits;
use super::raw::{RawRules, RawSeed};
use super::{Objective, Set, Variant};

/// A search for better parameters of an agent. Its best are played again, on games that the search never saw, as experiments
/// `<study>-best-1`, `<study>-best-2` and so on, and beside them the agent's defaults as `<study>-default`; claims may name these.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Study")]
pub(super) struct RawStudy {
    /// What it is called within its paper: lower-case letters, digits, - and _. No experiment has the same id.
    pub(super) id: String,
    /// Its name in tables and figures; absent: the id is the name.
    #[schemars(length(max = limits::LONGEST_NAME))]
    pub(super) name: Option<String>,
    /// The id of the agent that plays; `pipeline agents` lists them.
    pub(super) agent: String,
    /// The parameters that stay as they are; those that are neither here nor searched have their defaults.
    #[serde(default)]
    pub(super) params: Map<String, Value>,
    /// The files that the agent needs, by role: a training of this paper, PAPER/TRAINING, or a SHA-256.
    #[serde(default)]
    pub(super) files: RawFiles,
    /// What the agent may use for a move, in plies, nodes or playouts; absent: none.
    #[serde(default)]
    pub(super) budget: Budget,
    /// Rules that differ from the paper's.
    #[serde(default)]
    pub(super) rules: RawRules,
    /// Where its proposals and its games have their chance from; absent: 2048.
    pub(super) seed: Option<RawSeed>,
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
    #[schemars(with = "SearchMethod")]
    pub(super) method: Map<String, Value>,
    /// How the best are played again.
    pub(super) winners: RawWinners,
    /// Whether it is run without being asked for; absent: default.
    #[serde(default)]
    pub(super) set: Set,
    /// What there is to say about it.
    #[schemars(length(max = limits::LONGEST_TEXT))]
    pub(super) note: Option<String>,
    /// The ids of the notes that it rests on.
    #[serde(default)]
    #[schemars(length(max = limits::MOST_ENTRIES))]
    pub(super) conditional_on: Vec<String>,
    /// How many milliseconds a move may take before the agent counts as hanging; absent: 60000.
    #[schemars(range(min = 1, max = limits::LONGEST_MOVE_MS))]
    pub(super) move_limit_ms: Option<u64>,
    /// The share of trials that may fault before the study is stopped; absent: "1/10".
    pub(super) fault_share: Option<Odds>,
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

/// How the best are played again.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Winners")]
pub(super) struct RawWinners {
    /// How many of the best; the agent's defaults always are beside them.
    #[schemars(range(min = 1, max = limits::MOST_WINNERS))]
    pub(super) best: u64,
    /// How many games each of them plays.
    #[schemars(range(min = 1, max = limits::MOST_GAMES))]
    pub(super) games: u64,
    /// The master seed of these games. It is not the study's: the winners are played on games that the search never saw.
    pub(super) seed: RawSeed,
}

static METHODS: LazyLock<Value> = LazyLock::new(|| schema_for!(SearchMethod).to_value());

/// The kinds of methods that there are.
pub(super) fn method_kinds() -> impl Iterator<Item = &'static str> {
    let kinds = METHODS["oneOf"].as_array().into_iter().flatten();
    kinds.filter_map(|kind| kind["properties"]["kind"]["const"].as_str())
}

/// The schema of a method's settings, behind the one in which its references are looked up; none where there is no such kind.
pub(super) fn method_schema(kind: &str) -> Option<(&'static Value, &'static Value)> {
    let kinds = METHODS["oneOf"].as_array()?;
    let named = kinds.iter().find(|known| known["properties"]["kind"]["const"] == kind)?;
    Some((&METHODS, named))
}
