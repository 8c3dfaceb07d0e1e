//! A training as it is written: the keys of `[[training]]`, each with its type, and what can be wrong with them together.

use engine::Rules;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::check::{Known, check_id, check_plain, check_rules, note_ids};
use super::files::is_sha256;
use super::limits::{LARGEST_NUMBER, MOST_CURVE_ROWS, MOST_LEARNED_GAMES};
use super::place::{Checked, Place, all};
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
pub(super) fn training(place: &Place<'_>, raw: RawTraining, known: &Known<'_>) -> Checked<Training> {
    let rules = raw.rules.over(known.rules.unwrap_or(&Rules::default()));
    let curve_every = raw.curve_every.unwrap_or(DEFAULT_CURVE_EVERY);
    let conditional_on = note_ids(place, "conditional_on", &raw.conditional_on, known.names);
    all([
        check_id(place, "id", &raw.id),
        check_id(place, "agent", &raw.agent),
        check_plain(place, "params", "params", &raw.params),
        place.one_to("games", raw.games, MOST_LEARNED_GAMES, "ask for"),
        if known.rules.is_some() { check_rules(place, &rules) } else { Ok(()) },
        check_curve(place, raw.games, curve_every),
        check_sha256(place, raw.sha256.as_deref()),
        place.filled_if_given("note", raw.note.as_deref()),
        check_points(place, &raw.points),
    ])?;
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
        conditional_on: conditional_on?,
        points: raw.points,
    })
}

/// A curve has at least a row, and not more than a figure could show.
fn check_curve(place: &Place<'_>, games: u64, every: u64) -> Checked {
    place.one_to("curve_every", every, MOST_LEARNED_GAMES, "sum up")?;
    let least = games.div_ceil(MOST_CURVE_ROWS);
    // Too many games are told of by themselves.
    if every < least && games <= MOST_LEARNED_GAMES {
        let problem = format!(
            "is {every}, which makes more than {MOST_CURVE_ROWS} rows of {games} games: sum up at least {least}"
        );
        return Err(place.wrong("curve_every", problem));
    }
    Ok(())
}

fn check_sha256(place: &Place<'_>, sha256: Option<&str>) -> Checked {
    if sha256.is_none_or(is_sha256) {
        return Ok(());
    }
    let problem = "is no SHA-256: write 64 lower-case hexadecimal digits, as `pipeline train` prints them";
    Err(place.wrong("sha256", problem))
}

fn check_points(place: &Place<'_>, points: &[LearningPoint]) -> Checked {
    if points.len() > limits::MOST_LEARNING_POINTS {
        let problem = super::place::too_many(points.len(), limits::MOST_LEARNING_POINTS);
        return Err(place.wrong("points", problem));
    }
    all(points.iter().map(|LearningPoint { games, mean, label }| {
        let has_games = if (1..=MOST_LEARNED_GAMES).contains(games) {
            Ok(())
        } else {
            let problem = format!("has a point after {games} games: give from 1 to {MOST_LEARNED_GAMES}");
            Err(place.wrong("points", problem))
        };
        let has_mean = if (0.0..=LARGEST_NUMBER).contains(mean) {
            Ok(())
        } else {
            Err(place.wrong("points", format!("has a mean of {mean}: give from 0 to {LARGEST_NUMBER}")))
        };
        all([has_games, has_mean, place.named("points", label)])
    }))
}
