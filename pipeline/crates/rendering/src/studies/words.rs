//! Studies in words: how they search, where, and how to play what they found.

use crate::settings::{behind, budget_argument, setting};
use engine::Rules;
use engine::agent::Budget;
use manifest::{Objective, Study};
use search::{Dimension, Point, Range, Scale, Seeds};
use serde_json::Value;
use text::counted;

/// How a study searches, in a sentence.
pub fn method_text(study: &Study) -> String {
    let how = study.method.description();
    let seeds = match study.evaluation.seeds {
        Seeds::Common => ", the same for all points",
        Seeds::Fresh => " of its own",
    };
    format!("{how}. Each trial plays {}{seeds}.", counted(study.evaluation.games, "game"))
}

/// What a study makes better, in a few words.
pub fn objectives_text(study: &Study) -> String {
    let names = study.objectives.iter().map(|objective| match objective {
        Objective::Score => "a high mean score".to_owned(),
        Objective::Cost => format!("few {}", cost_name(study)),
    });
    names.collect::<Vec<_>>().join(" and ")
}

/// What a move costs.
pub const fn cost_name(study: &Study) -> &'static str {
    match study.budget {
        Budget::Playouts(_) => "playouts per move",
        _ => "nodes per move",
    }
}

/// What a parameter may be.
pub fn range_text(study: &Study, dimension: &Dimension) -> String {
    let scaled = |scale: Scale| if scale == Scale::Logarithmic { ", by its logarithm" } else { "" };
    match dimension.range {
        Range::Real { from, to, scale, digits } => {
            let rounded = match digits {
                0 => "rounded to whole numbers".to_owned(),
                digits => format!("rounded to {}", counted(u64::from(digits), "decimal")),
            };
            format!("{from} to {to}, {rounded}{}", scaled(scale))
        }
        Range::Integer { from, to, scale } => format!("whole numbers from {from} to {to}{}", scaled(scale)),
        Range::Choice { .. } => {
            let names: Vec<String> = choices(study, dimension).iter().map(plain_value).collect();
            format!("one of {}", names.join(", "))
        }
    }
}

/// The choices of a parameter; none if it has a range.
pub(crate) fn choices<'s>(study: &'s Study, dimension: &Dimension) -> &'s [Value] {
    study.choices.get(&dimension.name).map_or(&[], Vec::as_slice)
}

/// A value as text, without quotes around words and without decimals that say nothing.
pub(crate) fn plain_value(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => {
            number.as_f64().map_or_else(|| number.to_string(), |number| number.to_string())
        }
        value => value.to_string(),
    }
}

/// The parameters of a point that were searched.
pub fn point_text(study: &Study, point: &Point) -> String {
    let params = study.params_at(point);
    let searched = study.space.dimensions().iter().filter_map(|dimension| {
        Some(format!("{} = {}", dimension.name, plain_value(params.get(&dimension.name)?)))
    });
    searched.collect::<Vec<_>>().join(", ")
}

/// The command that plays a point on the games on which the study's winners are played.
pub fn eval_command(study: &Study, point: &Point) -> String {
    let params = study.params_at(point);
    let settings = params.iter().map(|(name, value)| setting(name, value));
    let agent = behind(&study.agent, settings.chain(budget_argument(study.budget)));
    let mut words = vec!["pipeline eval".to_owned(), quoted(&agent)];
    let rules = rule_arguments(&study.rules);
    words.extend(rules.iter().map(|(name, value)| format!("--rules {}", quoted(&setting(name, value)))));
    words.push(format!("--games {} --seed {}", study.winners.games, study.winners.seed));
    words.join(" ")
}

/// The rules that differ from the standard game.
fn rule_arguments(rules: &Rules) -> Vec<(String, Value)> {
    let object = |rules: &Rules| match serde_json::to_value(rules) {
        Ok(Value::Object(object)) => object,
        _ => serde_json::Map::new(),
    };
    let usual = object(&Rules::default());
    object(rules).into_iter().filter(|(name, value)| usual.get(name) != Some(value)).collect()
}

/// A word that a shell takes as it is.
fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "_=.,:/+-@%".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_rounded_number_has_no_decimals_that_say_nothing() {
        assert_eq!(
            [json!(1031.0), json!(0.562), json!(7), json!("URDL")].map(|value| plain_value(&value)),
            ["1031", "0.562", "7", "URDL"]
        );
    }

    #[test]
    fn a_word_is_quoted_where_a_shell_would_change_it() {
        assert_eq!(
            [quoted("a,b=1.5"), quoted("a,b=[1, 2]"), quoted("it's")],
            ["a,b=1.5", "'a,b=[1, 2]'", "'it'\\''s'"]
        );
    }
}
