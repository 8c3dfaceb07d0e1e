//! The method of a study: its kind, its settings, and whether its objectives, games and size fit them.

use search::{Evaluation, SearchMethod, Seeds};
use serde_json::{Map, Value};

use super::check::check_plain;
use super::error::known;
use super::field_checks::{CheckError, Checked, wrong, wrong_within};
use super::limits::MOST_GAMES_OF_A_STUDY;
use super::raw_study::{method_kinds, method_schema};
use super::{Objective, params, words};
use platform::plain::line;

/// The method that a table of settings names, if it fits its study.
pub(super) fn method(
    raw: Map<String, Value>,
    objectives: &[Objective],
    evaluation: Evaluation,
) -> Checked<SearchMethod> {
    check_plain("method", "method", &raw)?;
    let (kind, root, schema) = kind(&raw)?;
    let refuse = |setting: &str, problem: String| {
        let problem = format!("of kind `{kind}`: {problem}");
        wrong_within("method", &format!("method.{setting}"), problem)
    };
    let settings = Value::Object(raw);
    if let Some(violation) = params::check(root, schema, &settings, "").first() {
        return Err(refuse(violation.name(), violation.to_string()));
    }
    let mut method: SearchMethod = serde_json::from_value(settings)
        .map_err(|error| refuse("kind", words::problem(None, &error.to_string())))?;
    method.set_games(evaluation.games);
    method.check().map_err(|error| refuse(error.setting, error.to_string()))?;
    if method.takes_one_objective() && objectives.len() > 1 {
        let problem = format!("has two, and method `{kind}` takes one: remove one, or use another method");
        return Err(wrong("objectives", problem));
    }
    if method.needs_common_games() && evaluation.seeds != Seeds::Common {
        let problem = format!("must be \"common\" in a {kind}, whose test compares points on the same games");
        return Err(wrong("seeds", problem));
    }
    let (trials, most) = (method.most_trials(), method.trial_limit());
    if trials > most {
        return Err(refuse("kind", format!("it comes to {trials} trials: ask for at most {most}")));
    }
    let games = method.most_games(evaluation.games);
    if games > MOST_GAMES_OF_A_STUDY {
        let problem = format!("it comes to {games} games: ask for at most {MOST_GAMES_OF_A_STUDY}");
        return Err(refuse("kind", problem));
    }
    Ok(method)
}

/// The kind of a method, with the schema of its settings behind the one in which references are looked up.
fn kind(raw: &Map<String, Value>) -> Checked<(String, &'static Value, &'static Value)> {
    let problem = match raw.get("kind") {
        None => "has no `kind`: say how it searches".to_owned(),
        Some(Value::String(kind)) => match method_schema(kind) {
            Some((root, schema)) => return Ok((kind.clone(), root, schema)),
            None => format!("is of kind `{}`, which there is not", line(kind)),
        },
        Some(other) => format!("has {} as `kind`, which is not text", line(&other.to_string())),
    };
    let problem = format!("{problem}; known: {}", known(method_kinds()));
    Err::<_, CheckError>(wrong_within("method", "method.kind", problem))
}
