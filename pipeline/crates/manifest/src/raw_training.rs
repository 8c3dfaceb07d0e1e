//! A training as it is written: the keys of `[[training]]`, each with its type, and what can be wrong with them together.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::check::{PaperContext, check_id, check_plain, note_ids};
use super::field_checks::{Checked, filled_if_given, named, one_to, too_many, wrong};
use super::files::is_sha256;
use super::limits::{LARGEST_NUMBER, MOST_CURVE_ROWS, MOST_LEARNED_GAMES};
use super::raw::{RawRules, RawSeed};
use super::training::DEFAULT_CURVE_EVERY;
use super::{DEFAULT_SEED, LearningPoint, Set, Training, limits};

/// Games from which an agent learns. What comes of them is a file that experiments can name: `files.weights = "<training>"`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Training")]
pub(super) struct RawTraining {
    /// What it is called within its paper: lower-case letters, digits, - and _. No experiment and no study has the same id.
    id: String,
    /// The id of the agent that learns; `pipeline agents` lists them.
    agent: String,
    /// How it learns, in the agent's own parameters of training; those left out have their defaults.
    #[serde(default)]
    params: Map<String, Value>,
    /// From how many games it learns, at least 1.
    #[schemars(range(min = 1, max = limits::MOST_LEARNED_GAMES))]
    games: u64,
    /// Where its games have their chance from; absent: 2048.
    seed: Option<RawSeed>,
    /// Rules that differ from the paper's.
    #[serde(default)]
    rules: RawRules,
    /// How many games a row of its learning curve sums up; absent: 1000.
    #[schemars(range(min = 1, max = limits::MOST_LEARNED_GAMES))]
    curve_every: Option<u64>,
    /// The SHA-256 of the file that it gives: a training that gives another is an error.
    #[schemars(regex(pattern = "^[0-9a-f]{64}$"))]
    sha256: Option<String>,
    /// Whether it belongs to every reproduction of its paper; absent: default.
    #[serde(default)]
    set: Set,
    /// What there is to say about it.
    #[schemars(length(max = limits::LONGEST_TEXT))]
    note: Option<String>,
    /// The ids of the notes that it rests on.
    #[serde(default)]
    #[schemars(length(max = limits::MOST_ENTRIES))]
    conditional_on: Vec<String>,
    /// Published results of learning, drawn beside its curve.
    #[serde(default)]
    #[schemars(length(max = limits::MOST_LEARNING_POINTS))]
    points: Vec<LearningPoint>,
}

/// From a training as written to a checked one. What its agent says of it comes later, with the agents.
pub(super) fn training(raw: RawTraining, context: &PaperContext<'_>) -> Checked<Training> {
    let curve_every = raw.curve_every.unwrap_or(DEFAULT_CURVE_EVERY);
    check_id("id", &raw.id)?;
    check_id("agent", &raw.agent)?;
    check_plain("params", "params", &raw.params)?;
    one_to("games", raw.games, MOST_LEARNED_GAMES, "ask for")?;
    check_curve(raw.games, curve_every)?;
    check_sha256(raw.sha256.as_deref())?;
    filled_if_given("note", raw.note.as_deref())?;
    check_points(&raw.points)?;
    let conditional_on = note_ids("conditional_on", &raw.conditional_on, context.names)?;
    let rules = context.rules_with(raw.rules)?;
    Ok(Training {
        id: raw.id,
        agent: raw.agent,
        params: raw.params,
        games: raw.games,
        seed: raw.seed.map_or(DEFAULT_SEED, |RawSeed(seed)| seed),
        rules,
        curve_every,
        sha256: raw.sha256,
        set: raw.set,
        note: raw.note,
        conditional_on,
        points: raw.points,
    })
}

/// A curve has at least a row, and not more than a figure could show.
fn check_curve(games: u64, every: u64) -> Checked {
    one_to("curve_every", every, MOST_LEARNED_GAMES, "sum up")?;
    let least = games.div_ceil(MOST_CURVE_ROWS);
    if every < least {
        let problem = format!(
            "is {every}, which makes more than {MOST_CURVE_ROWS} rows of {games} games: sum up at least {least}"
        );
        return Err(wrong("curve_every", problem));
    }
    Ok(())
}

fn check_sha256(sha256: Option<&str>) -> Checked {
    if sha256.is_none_or(is_sha256) {
        return Ok(());
    }
    let problem = "is no SHA-256: write 64 lower-case hexadecimal digits, as `pipeline train` prints them";
    Err(wrong("sha256", problem))
}

fn check_points(points: &[LearningPoint]) -> Checked {
    if points.len() > limits::MOST_LEARNING_POINTS {
        return Err(wrong("points", too_many(points.len(), limits::MOST_LEARNING_POINTS)));
    }
    for LearningPoint { games, mean, label } in points {
        if !(1..=MOST_LEARNED_GAMES).contains(games) {
            let problem = format!("has a point after {games} games: give from 1 to {MOST_LEARNED_GAMES}");
            return Err(wrong("points", problem));
        }
        if !(0.0..=LARGEST_NUMBER).contains(mean) {
            let problem = format!("has a mean of {mean}: give from 0 to {LARGEST_NUMBER}");
            return Err(wrong("points", problem));
        }
        named("points", label)?;
    }
    Ok(())
}
