//! A claim as it is written: the keys of `[[claim]]`, of which each kind takes its own, and the schema that
//! tells an author so.

use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema, schema_for};
use serde::{Deserialize, Deserializer, de};
use serde_json::{Map, Value, json};

use super::forms::{Id, Name, Text};
use super::limits;
use super::{Check, Chosen, Metric, NoteId, StudyMetric, Wins};

/// Something that a paper says. Which keys it needs depends on its kind.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Claim", transform = args_of_checks)]
pub(super) struct RawClaim {
    /// What it is called within its paper: lower-case letters, digits, - and _.
    #[schemars(with = "Id")]
    pub(super) id: String,
    /// How it is tested.
    pub(super) kind: RawClaimKind,
    /// What the paper says, in our words.
    #[schemars(with = "Text")]
    pub(super) text: String,
    /// Where the paper says it, such as "Table 1".
    #[schemars(with = "Name")]
    pub(super) place: String,
    /// The ids of the notes whose decisions a verdict rests on.
    #[serde(default)]
    #[schemars(length(max = limits::MOST_ENTRIES))]
    pub(super) conditional_on: Vec<NoteId>,
    /// Numeric and ordinal: the interpretations under which this is how the statement is tested; absent: all
    /// of them.
    #[schemars(length(min = 1, max = limits::MOST_ENTRIES))]
    pub(super) under: Option<Vec<String>>,
    /// Numeric and ordinal: the claim that tests the same statement first; no interpretation may have both.
    pub(super) reading_of: Option<String>,
    /// All but untestable: whether it is a check of ours on what the paper prints, which counts neither for
    /// nor against the paper.
    pub(super) audit: Option<bool>,
    /// Numeric and ordinal: what is measured, of games such as `score.mean`, and of studies `hypervolume`.
    pub(super) metric: Option<RawMetric>,
    /// Numeric: the experiment that measures it again.
    pub(super) experiment: Option<String>,
    /// Numeric, with a ratio: the experiment that it divides by.
    pub(super) reference: Option<String>,
    /// Numeric and arithmetic: what the paper gives; a numeric claim takes a number or a range [low, high].
    pub(super) published: Option<RawPublished>,
    /// Numeric, with a range: which end of it is our own choice, for a word such as "uncommon".
    pub(super) chosen: Option<Chosen>,
    /// Numeric: the unit, for tables.
    #[schemars(with = "Option<Name>")]
    pub(super) unit: Option<String>,
    /// Numeric: how many games the paper says the number was computed from.
    #[schemars(range(min = 1, max = limits::MOST_PUBLISHED_GAMES))]
    pub(super) n: Option<u64>,
    /// Numeric: how many games are assumed where the paper does not say.
    #[schemars(range(min = 1, max = limits::MOST_PUBLISHED_GAMES))]
    pub(super) assumed_n: Option<u64>,
    /// Numeric: the step to which the number was rounded, such as 0.01; absent: it is exact.
    #[schemars(range(min = 0, max = limits::LARGEST_NUMBER))]
    pub(super) rounding: Option<f64>,
    /// Ordinal, of experiments: the one that the paper calls better.
    pub(super) better: Option<String>,
    /// Ordinal, of experiments: the one that the paper calls worse.
    pub(super) worse: Option<String>,
    /// Ordinal, of ways to search: at least two studies of the way that the paper calls better, in the place
    /// of `better`. The metric is `hypervolume`: the mean hypervolume of the front over the games spent, up
    /// to as many games as both of a pair have spent.
    #[schemars(length(min = 2, max = limits::MOST_STUDIES))]
    pub(super) better_studies: Option<Vec<String>>,
    /// Ordinal, of ways to search: as many studies of the other way, each compared with the one at the same
    /// place of `better_studies`.
    #[schemars(length(min = 2, max = limits::MOST_STUDIES))]
    pub(super) worse_studies: Option<Vec<String>>,
    /// Ordinal, of experiments: which end of the metric is the better one; absent: lower for time, higher for
    /// all else.
    pub(super) wins: Option<Wins>,
    /// Arithmetic: the computation.
    pub(super) check: Option<String>,
    /// Arithmetic: what it is computed from.
    pub(super) args: Option<Map<String, Value>>,
    /// Untestable: why nothing here can test it.
    #[schemars(with = "Option<Text>")]
    pub(super) reason: Option<String>,
}

/// What a claim measures.
#[derive(Clone, Copy)]
pub(super) enum RawMetric {
    /// Of experiments.
    Games(Metric),
    /// Of studies.
    Studies(StudyMetric),
}

impl<'de> Deserialize<'de> for RawMetric {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        match StudyMetric::ALL.into_iter().find(|metric| metric.name() == text) {
            Some(metric) => Ok(Self::Studies(metric)),
            None => text.parse().map(Self::Games).map_err(de::Error::custom),
        }
    }
}

impl JsonSchema for RawMetric {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "ClaimMetric".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let (games, studies) =
            (generator.subschema_for::<Metric>(), generator.subschema_for::<StudyMetric>());
        json_schema!({"anyOf": [games, studies]})
    }
}

/// The arguments of each check: one branch for each that there is.
fn args_of_checks(schema: &mut Schema) {
    schema.insert("dependentSchemas".to_owned(), json!({"check": schema_for!(Check).to_value()}));
}

/// How a claim is tested.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "ClaimKind")]
pub(super) enum RawClaimKind {
    /// A published number, against the same metric of an experiment.
    Numeric,
    /// One experiment beats another on a metric, or one way to search another.
    Ordinal,
    /// A computation that can be done again without a game.
    Arithmetic,
    /// Something that nothing here can test, with the reason.
    Untestable,
}

impl fmt::Display for RawClaimKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Numeric => "a numeric claim",
            Self::Ordinal => "an ordinal claim",
            Self::Arithmetic => "an arithmetic claim",
            Self::Untestable => "an untestable claim",
        })
    }
}

/// What a paper gives.
#[derive(Deserialize, JsonSchema)]
#[serde(untagged, expecting = "write a number, a range [low, high] or text")]
#[schemars(rename = "Published")]
pub(super) enum RawPublished {
    /// A number.
    Number(#[schemars(range(min = -limits::LARGEST_NUMBER, max = limits::LARGEST_NUMBER))] f64),
    /// Anything from the first to the second.
    Range(#[schemars(inner(range(min = -limits::LARGEST_NUMBER, max = limits::LARGEST_NUMBER)))] [f64; 2]),
    /// Words.
    Text(#[schemars(with = "Name")] String),
}
