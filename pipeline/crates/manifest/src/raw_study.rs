//! A study as it is written: the keys of `[[study]]`, each with its type, before they are checked together.
//!
//! Methods of searching have settings of their own. They are held against the schema of their kind, so that all that is wrong with them is told
//! at once, key by key; the bounds that stand there are the ones that an editor sees.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use engine::Odds;
use engine::agent::Budget;
use schemars::{JsonSchema, schema_for};
use search::{Scale, Seeds};
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
    pub(super) seeds: RawSeeds,
    /// How it searches: the kind, and its settings.
    #[schemars(with = "RawMethod")]
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

/// Whether trials share their games.
#[derive(Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "Seeds")]
pub(super) enum RawSeeds {
    /// Each trial has games of its own: luck is never met twice.
    #[default]
    Fresh,
    /// All trials have the same games: luck is shared.
    Common,
}

impl From<RawSeeds> for Seeds {
    fn from(raw: RawSeeds) -> Self {
        match raw {
            RawSeeds::Fresh => Self::Fresh,
            RawSeeds::Common => Self::Common,
        }
    }
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
    pub(super) scale: Option<RawScale>,
    /// How many decimals a number is rounded to before it is played; for all but whole numbers.
    #[schemars(range(max = limits::MOST_DIGITS))]
    pub(super) digits: Option<u32>,
    /// The values that are tried, in the place of a range of numbers.
    #[schemars(length(min = 2, max = limits::MOST_CHOICES))]
    pub(super) choices: Option<Vec<Value>>,
}

/// Along which equal steps of a parameter count as equal.
#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "Scale")]
pub(super) enum RawScale {
    /// Its value.
    Linear,
    /// Its logarithm.
    Logarithmic,
}

impl From<RawScale> for Scale {
    fn from(raw: RawScale) -> Self {
        match raw {
            RawScale::Linear => Self::Linear,
            RawScale::Logarithmic => Self::Logarithmic,
        }
    }
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

/// How a study searches.
#[derive(JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
#[schemars(rename = "SearchMethod")]
#[expect(dead_code, reason = "the schema is made of it; settings are read by the methods themselves")]
enum RawMethod {
    /// The genetic algorithm of the Python package `geneticalgorithm` 1.0.2, for one objective.
    Genetic {
        /// How many individuals a generation has.
        #[schemars(range(min = 4, max = limits::MOST_TRIALS))]
        population: usize,
        /// How many generations follow the first.
        #[schemars(range(min = 1, max = limits::MOST_TRIALS))]
        iterations: usize,
        /// The chance that a gene mutates.
        #[schemars(range(min = 0, max = 1))]
        mutation_probability: f64,
        /// The chance that a parent may mate: 0, or at least 0.001.
        #[schemars(range(min = 0, max = 1))]
        crossover_probability: f64,
        /// The share of a generation that is kept as parents; absent: 0.3, the package's own.
        #[schemars(range(min = 0, max = 1))]
        parents_portion: Option<f64>,
        /// The share of a generation that is kept for being best; absent: 0.01, the package's own.
        #[schemars(range(min = 0, max = 1))]
        elite_ratio: Option<f64>,
        /// What an individual that is kept is worth; absent: once.
        rating: Option<RawRating>,
    },
    /// Points of Sobol's sequence with Owen's scrambling.
    Sobol {
        /// How many points.
        #[schemars(range(min = 1, max = limits::MOST_SOBOL_POINTS))]
        points: usize,
        /// How many of them are one batch.
        #[schemars(range(min = 1, max = limits::MOST_SOBOL_POINTS))]
        batch: usize,
    },
    /// A Latin hypercube.
    Latin {
        /// How many points.
        #[schemars(range(min = 1, max = limits::MOST_TRIALS))]
        points: usize,
        /// How many of them are one batch.
        #[schemars(range(min = 1, max = limits::MOST_TRIALS))]
        batch: usize,
    },
    /// Bayesian optimisation with a Gaussian process: expected improvement, and ParEGO for two objectives.
    Bayes {
        /// How many points of Sobol's sequence come first, as one batch.
        #[schemars(range(min = 2, max = limits::MOST_TRIALS_OF_A_PROCESS))]
        start: usize,
        /// How many batches follow.
        #[schemars(range(min = 1, max = limits::MOST_TRIALS_OF_A_PROCESS))]
        batches: usize,
        /// How many points a batch has.
        #[schemars(range(min = 1, max = limits::MOST_TRIALS_OF_A_PROCESS))]
        batch: usize,
    },
    /// NSGA-II.
    Nsga {
        /// How many individuals a generation has, an even number.
        #[schemars(range(min = 4, max = limits::MOST_TRIALS), extend("multipleOf" = 2))]
        population: usize,
        /// How many generations follow the first.
        #[schemars(range(min = 1, max = limits::MOST_TRIALS))]
        generations: usize,
        /// The chance that two parents are crossed; absent: 0.9.
        #[schemars(range(min = 0, max = 1))]
        crossover_probability: Option<f64>,
        /// How near children stay to their parents; absent: 15.
        #[schemars(range(min = 0, max = 1000))]
        crossover_index: Option<f64>,
        /// How near a mutated gene stays to what it was; absent: 20.
        #[schemars(range(min = 0, max = 1000))]
        mutation_index: Option<f64>,
    },
    /// A neural network for each objective, searched by evolution, whose best points are played and learned from again.
    Surrogate {
        /// How many points of Sobol's sequence come first, as one batch.
        #[schemars(range(min = 2, max = limits::MOST_SOBOL_POINTS))]
        start: usize,
        /// How many rounds of learning and playing follow.
        #[schemars(range(min = 1, max = limits::MOST_TRIALS))]
        rounds: usize,
        /// How many points a round plays.
        #[schemars(range(min = 1, max = limits::MOST_TRIALS))]
        batch: usize,
        /// The error at which a network has learned enough, in deviations of its objective; absent: 0.1.
        #[schemars(range(min = 0, max = 10))]
        error: Option<f64>,
        /// After how many epochs it is left as it is; absent: 2000.
        #[schemars(range(min = 1, max = 1_000_000))]
        epochs: Option<usize>,
    },
    /// A race between points of Sobol's sequence, for one objective on common games: all play the study's `games`, those that are worse
    /// than the best drop out, and the others play twice as many, again and again.
    Race {
        /// How many points take part.
        #[schemars(range(min = 2, max = limits::MOST_SOBOL_POINTS))]
        points: usize,
        /// How many games the last may have played when it ends.
        #[schemars(range(min = 1, max = limits::MOST_GAMES_OF_A_STUDY))]
        most: u64,
        /// How many may be left for it to end sooner.
        #[schemars(range(min = 1, max = limits::MOST_WINNERS))]
        winners: usize,
    },
}

/// What an individual that is kept is worth.
#[derive(JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "Rating")]
#[expect(dead_code, reason = "the schema is made of it")]
enum RawRating {
    /// What it was found to be worth when it came: the package's way, in which the luckiest lives on.
    Once,
    /// What all its games say. It plays further ones in every generation in which it is kept.
    AllGames,
}

static METHODS: LazyLock<Value> = LazyLock::new(|| schema_for!(RawMethod).to_value());

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
