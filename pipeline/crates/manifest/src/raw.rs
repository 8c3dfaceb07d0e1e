//! A manifest as it is written: the keys of the TOML file, each with its type, before they are checked together.
//!
//! The same types give the schema for editors, so the comments on their fields are what an author sees there.

use std::fmt;

use engine::agent::Budget;
use engine::{Merging, Odds, Rules, Spawning, Start, StopTile};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema, schema_for};
use serde::{Deserialize, Deserializer, de};
use serde_json::{Map, Value};

use super::figure::RawFigure;
use super::files::RawFiles;
use super::interpretation::RawInterpretation;
use super::limits;
use super::raw_claim::RawClaim;
use super::raw_study::RawStudy;
use super::raw_training::RawTraining;
use super::{Citation, Conclusion, Exhibit, Role, Set, Variant};

/// The JSON schema of a manifest, for editors.
#[must_use]
pub fn schema() -> Value {
    let mut schema = schema_for!(RawPaper).to_value();
    bound_budgets(&mut schema);
    schema
}

/// The engine knows what budgets there are, and manifests how large one may be.
fn bound_budgets(schema: &mut Value) {
    let kinds = schema.pointer_mut("/$defs/Budget/oneOf").and_then(Value::as_array_mut);
    for kind in kinds.into_iter().flatten() {
        let amounts = kind.get_mut("properties").and_then(Value::as_object_mut);
        for (name, amount) in amounts.into_iter().flatten() {
            let most = if name == "time-ns" { limits::LONGEST_MOVE_NS } else { limits::MOST_BUDGET };
            amount["minimum"] = 1.into();
            amount["maximum"] = most.into();
        }
    }
}

/// What one paper on 2048 claims, and how that is tested.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Manifest")]
#[expect(
    dead_code,
    reason = "lists are read entry by entry; here they are for the schema, and for what is not a list"
)]
pub(super) struct RawPaper {
    /// Where the paper is found.
    pub(super) citation: Citation,
    /// The method in a few sentences.
    #[schemars(length(max = limits::LONGEST_TEXT))]
    pub(super) summary: Option<String>,
    /// The rules of all experiments that do not say otherwise; absent: the standard game.
    #[serde(default)]
    pub(super) rules: RawRules,
    /// What is played.
    #[serde(default)]
    #[schemars(length(max = limits::MOST_ENTRIES))]
    pub(super) experiment: Vec<RawExperiment>,
    /// Searches for better parameters of an agent.
    #[serde(default)]
    #[schemars(length(max = limits::MOST_STUDIES))]
    pub(super) study: Vec<RawStudy>,
    /// What agents learn: games, and the files that come of them.
    #[serde(default)]
    #[schemars(length(max = limits::MOST_TRAININGS))]
    pub(super) training: Vec<RawTraining>,
    /// What the paper says.
    #[serde(default)]
    #[schemars(length(max = limits::MOST_ENTRIES))]
    pub(super) claim: Vec<RawClaim>,
    /// How open questions about the paper were decided.
    #[serde(default)]
    #[schemars(length(max = limits::MOST_ENTRIES))]
    pub(super) note: Vec<RawNote>,
    /// Whole ways to read the paper; absent: there is one, which covers every claim.
    #[serde(default)]
    #[schemars(length(max = limits::MOST_INTERPRETATIONS))]
    pub(super) interpretation: Vec<RawInterpretation>,
    /// What a reader takes home, the most important first.
    #[serde(default)]
    #[schemars(length(max = limits::MOST_ENTRIES))]
    pub(super) finding: Vec<Conclusion>,
    /// What was claimed, what holds, what does not, and why, in a paragraph.
    pub(super) account: Option<Conclusion>,
    /// The paper's own tables and figures, and what shows the same here.
    #[serde(default)]
    #[schemars(length(max = limits::MOST_ENTRIES))]
    pub(super) exhibit: Vec<Exhibit>,
    /// Figures beside those that every paper gets.
    #[serde(default)]
    #[schemars(length(max = limits::MOST_ENTRIES))]
    pub(super) figure: Vec<RawFigure>,
    /// Whether this is no paper, but a comparison of methods of several papers on one game; absent: false.
    #[serde(default)]
    pub(super) comparison: bool,
}

/// Rules that differ from those around them: an experiment's from its paper's, a paper's from the standard game.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Rules")]
pub(super) struct RawRules {
    /// The odds that a spawned tile is a 4, such as "1/10".
    four: Option<Odds>,
    /// How tiles merge in one slide.
    merging: Option<Merging>,
    /// The board that a game begins on.
    start: Option<Start>,
    /// The tile whose making ends the game; "none": the game goes on until no move is left.
    stop_at: Option<RawStop>,
    /// Who places the tile that comes after a slide.
    spawn: Option<Spawning>,
}

impl RawRules {
    /// These rules where they are given, the others where not.
    pub(super) fn over(self, base: &Rules) -> Rules {
        Rules {
            four: self.four.unwrap_or(base.four),
            merging: self.merging.unwrap_or(base.merging),
            start: self.start.unwrap_or_else(|| base.start.clone()),
            stop_at: match self.stop_at {
                None => base.stop_at,
                Some(RawStop::At(tile)) => Some(tile),
                Some(RawStop::Never(Never::None)) => None,
            },
            spawn: self.spawn.unwrap_or(base.spawn),
        }
    }
}

/// The tile whose making ends the game, or "none".
#[derive(Deserialize, JsonSchema)]
#[serde(untagged, expecting = "a game stops at a tile from 8 to 32768, a power of two, or at \"none\"")]
#[schemars(rename = "StopAt")]
enum RawStop {
    At(StopTile),
    Never(Never),
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Never {
    None,
}

/// One set of games: an agent, with all that determines what it plays.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Experiment")]
pub(super) struct RawExperiment {
    /// What it is called within its paper: lower-case letters, digits, - and _.
    pub(super) id: String,
    /// The id of the agent that plays; `pipeline agents` lists them.
    pub(super) agent: String,
    /// The agent's parameters; those left out have their defaults.
    #[serde(default)]
    pub(super) params: Map<String, Value>,
    /// The files that the agent needs, by role: a training of this paper, PAPER/TRAINING, or a SHA-256.
    #[serde(default)]
    pub(super) files: RawFiles,
    /// What the agent may use for a move; absent: none.
    #[serde(default)]
    pub(super) budget: Budget,
    /// How many games are played, at least 1.
    #[schemars(range(min = 1, max = limits::MOST_GAMES))]
    pub(super) games: u64,
    /// The master seed, from which every game has its own; absent: 2048.
    pub(super) seed: Option<RawSeed>,
    /// Rules that differ from the paper's.
    #[serde(default)]
    pub(super) rules: RawRules,
    /// Whether it is played without being asked for; absent: default.
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
    /// The share of games that may fault before the experiment is stopped; absent: "1/10".
    pub(super) fault_share: Option<Odds>,
    /// Which form of the paper's method it plays, where text and released program differ.
    pub(super) variant: Option<Variant>,
    /// The method's name in tables and figures, which its variants share; absent: the id is the name.
    #[schemars(length(max = limits::LONGEST_NAME))]
    pub(super) method: Option<String>,
    /// What its games are for; absent: play.
    #[serde(default)]
    pub(super) role: Role,
    /// How many faulty games are known and do not bar verdicts; absent: 0.
    #[serde(default)]
    #[schemars(range(max = limits::MOST_GAMES))]
    pub(super) acknowledged_faults: u64,
    /// Whether it is a row of the table that compares the papers, if it plays by that table's rules; absent: false.
    #[serde(default)]
    pub(super) compared: bool,
}

/// A seed of 64 bits. TOML's integers have a sign, so the upper half is written as text.
pub(super) struct RawSeed(pub(super) u64);

impl<'de> Deserialize<'de> for RawSeed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(SeedVisitor)
    }
}

struct SeedVisitor;

impl de::Visitor<'_> for SeedVisitor {
    type Value = RawSeed;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number, 0 or more, or hexadecimal text such as \"0xffffffffffffffff\"")
    }

    fn visit_u64<E: de::Error>(self, seed: u64) -> Result<RawSeed, E> {
        Ok(RawSeed(seed))
    }

    fn visit_i64<E: de::Error>(self, seed: i64) -> Result<RawSeed, E> {
        u64::try_from(seed).map(RawSeed).map_err(|_| E::invalid_value(de::Unexpected::Signed(seed), &self))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<RawSeed, E> {
        text.strip_prefix("0x")
            .filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
            .and_then(|digits| u64::from_str_radix(digits, 16).ok())
            .map(RawSeed)
            .ok_or_else(|| E::invalid_value(de::Unexpected::Str(text), &self))
    }
}

impl JsonSchema for RawSeed {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Seed".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A seed of 64 bits; as text where it is larger than TOML's integers.",
            "anyOf": [
                {"type": "integer", "minimum": 0},
                {"type": "string", "pattern": "^0x[0-9a-fA-F]{1,16}$"},
            ],
        })
    }
}

/// How an open question about a paper was decided.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Note")]
pub(super) struct RawNote {
    /// Capital letters, a hyphen and a number, such as D-1.
    pub(super) id: String,
    /// The question and its decision.
    #[schemars(length(max = limits::LONGEST_TEXT))]
    pub(super) text: String,
}
