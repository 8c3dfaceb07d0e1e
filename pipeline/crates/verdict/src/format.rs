//! Numbers for people, in the same form in sentences, tables, figures and the report.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::{Number, Value};

use manifest::{BoardPart, Event, Given, Habit, Metric, Quantity, Statistic, Variant};

/// What a number counts, and so how it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Points, tiles or nodes: whole numbers with separators, or one decimal where they are small.
    Points,
    /// Shares from 0 to 1: percentages.
    Share,
    /// Ratios: two decimals and a sign of multiplication.
    Ratio,
}

impl Scale {
    /// The scale of a metric.
    #[must_use]
    pub const fn of(metric: Metric) -> Self {
        match metric {
            Metric::Summary { .. } => Self::Points,
            Metric::Share { .. } | Metric::Habit(_) | Metric::Explained { .. } => Self::Share,
            Metric::Ratio(_) | Metric::CpuPerMoveRatio => Self::Ratio,
        }
    }

    /// A number on this scale.
    #[must_use]
    pub fn text(self, value: f64) -> String {
        match self {
            _ if value == f64::INFINITY => "∞".to_owned(),
            _ if value == f64::NEG_INFINITY => "−∞".to_owned(),
            Self::Points if value.abs() < 100.0 && value.fract() != 0.0 => signed(&format!("{value:.1}")),
            Self::Points => thousands(value),
            Self::Share => format!("{} %", percent(value)),
            Self::Ratio => format!("{}×", signed(&format!("{value:.2}"))),
        }
    }

    /// The numbers between two.
    #[must_use]
    pub fn interval(self, low: f64, high: f64) -> String {
        match self {
            Self::Share if low.is_finite() && high.is_finite() => {
                format!("{} to {} %", percent(low), percent(high))
            }
            _ => match (low.is_finite(), high.is_finite()) {
                (true, true) => format!("{} to {}", self.text(low), self.text(high)),
                (true, false) => format!("{} or more", self.text(low)),
                (false, true) => format!("{} or less", self.text(high)),
                (false, false) => "anything".to_owned(),
            },
        }
    }
}

/// So many of something, the thousands apart: `1 game`, `1,000 games`, `2 studies`.
#[must_use]
pub fn counted(count: u64, noun: &str) -> String {
    let number = thousands(count as f64);
    match noun.strip_suffix("dy") {
        _ if count == 1 => format!("{number} {noun}"),
        Some(stem) => format!("{number} {stem}dies"),
        None => format!("{number} {noun}s"),
    }
}

/// What a metric is called in a sentence, after `the`.
#[must_use]
pub fn metric_name(metric: Metric) -> String {
    let given = |given: Given| match given {
        Given::Always => String::new(),
        Given::Reached(tile) => format!(" of games that reach {tile}"),
        Given::NotReached(tile) => format!(" of games that do not reach {tile}"),
    };
    match metric {
        Metric::Summary { quantity, statistic, given: which } => {
            format!("{} {}{}", statistic_name(statistic), quantity_name(quantity), given(which))
        }
        Metric::Share { event, given: which } => {
            let event = match event {
                Event::Reach(tile) => format!("share that reaches {tile}"),
                Event::ScoreBelow(score) => {
                    format!("share below {} points", thousands(f64::from(score)))
                }
                Event::AtLeast(quantity, number) => {
                    let number = thousands(f64::from(number));
                    format!("share whose {} is at least {number}", quantity_name(quantity))
                }
                Event::MaxTileIn(part) => format!("share with the largest tile {}", part_name(part)),
            };
            format!("{event}{}", given(which))
        }
        Metric::Habit(Habit::Greedy) => "mean share of moves that take the largest reward at hand".to_owned(),
        Metric::Habit(Habit::RandomGain) => {
            "mean gain of random games from the boards of a game, as a share of its score".to_owned()
        }
        Metric::Explained { tile } => {
            format!("share of the variance of scores that reaching {tile} explains")
        }
        Metric::Ratio(quantity) => format!("ratio of the geometric mean {}", quantity_name(quantity)),
        Metric::CpuPerMoveRatio => "ratio of CPU time per move".to_owned(),
    }
}

fn quantity_name(quantity: Quantity) -> Cow<'static, str> {
    match quantity {
        Quantity::Score => "score".into(),
        Quantity::TileSum => "sum of tiles".into(),
        Quantity::MaxTile => "largest tile".into(),
        Quantity::Nodes => "number of nodes per move".into(),
        Quantity::Merges => "number of merges in 1,000 moves".into(),
        Quantity::BoardValue(value) => {
            let formula = value.to_string().replace('+', " + ").replace('*', " × ");
            format!("board value ({formula})").into()
        }
    }
}

/// Where a tile stands, after `the largest tile`.
pub(crate) const fn part_name(part: BoardPart) -> &'static str {
    match part {
        BoardPart::Corners => "in a corner",
        BoardPart::BetweenCorners => "between two corners",
        BoardPart::Center => "in the center",
    }
}

const fn statistic_name(statistic: Statistic) -> &'static str {
    match statistic {
        Statistic::Mean => "mean",
        Statistic::Sd | Statistic::PopulationSd => "standard deviation of the",
        Statistic::Median => "median",
        Statistic::Minimum => "lowest",
        Statistic::Maximum => "highest",
    }
}

/// Which form of a paper's method an experiment plays.
#[must_use]
pub const fn variant_name(variant: Variant) -> &'static str {
    match variant {
        Variant::AsWritten => "as written",
        Variant::AsReleased => "as released",
    }
}

/// A whole number with separators.
#[must_use]
pub fn thousands(value: f64) -> String {
    let digits = format!("{:.0}", value.abs());
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    if value < 0.0 && digits.bytes().any(|digit| digit != b'0') { format!("−{text}") } else { text }
}

/// A share as a percentage without its sign: whole ones without decimals, others with one.
#[must_use]
pub fn percent(share: f64) -> String {
    let value = share * 100.0;
    let text = format!("{value:.1}");
    signed(text.strip_suffix(".0").unwrap_or(&text))
}

/// A difference with its sign, which zero has none of.
#[must_use]
pub fn difference(value: f64, decimals: usize) -> String {
    let text = signed(&format!("{value:.decimals$}"));
    let is_zero = text.bytes().all(|byte| matches!(byte, b'0' | b'.'));
    if value > 0.0 && !is_zero { format!("+{text}") } else { text }
}

/// A time for a move, in the unit that fits it.
#[must_use]
pub fn nanoseconds(ns: f64) -> String {
    match ns {
        _ if ns < 1e3 => format!("{ns:.0} ns"),
        _ if ns < 1e6 => format!("{:.1} µs", ns / 1e3),
        _ if ns < 1e9 => format!("{:.1} ms", ns / 1e6),
        _ => format!("{:.1} s", ns / 1e9),
    }
}

/// With the typographic minus, and none before zero.
fn signed(text: &str) -> String {
    match text.strip_prefix('-') {
        Some(rest) if rest.bytes().all(|byte| matches!(byte, b'0' | b'.')) => rest.to_owned(),
        Some(rest) => format!("−{rest}"),
        None => text.to_owned(),
    }
}

/// A number with six significant digits: more are noise, and might differ between machines.
#[must_use]
pub fn rounded(value: f64) -> f64 {
    format!("{value:.5e}").parse().unwrap_or(value)
}

/// A value as JSON, its numbers rounded to the digits that are the same on every machine.
#[must_use]
pub fn plain(value: &impl Serialize) -> Value {
    let mut value = serde_json::to_value(value).unwrap_or_default();
    round(&mut value);
    value
}

fn round(value: &mut Value) {
    match value {
        Value::Number(number) if number.is_f64() => {
            let short = number.as_f64().map(rounded).and_then(Number::from_f64);
            if let Some(short) = short {
                *number = short;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(round),
        Value::Object(fields) => fields.values_mut().for_each(round),
        _ => {}
    }
}

/// A name at the beginning of a sentence or of a cell.
#[must_use]
pub fn capitalised(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn numbers_are_rounded_wherever_they_stand() {
        let mut value = json!({"a": [1.234_567_89, 3], "b": {"c": 0.333_333_333}, "d": "1.234567890"});
        round(&mut value);
        assert_eq!(value, json!({"a": [1.23457, 3], "b": {"c": 0.333_333}, "d": "1.234567890"}));
    }

    #[test]
    fn large_numbers_have_separators_and_small_ones_a_decimal() {
        assert_eq!(Scale::Points.text(1_234_567.4), "1,234,567");
        assert_eq!(Scale::Points.text(-19999.0), "−19,999");
        assert_eq!(Scale::Points.text(999.6), "1,000");
        assert_eq!(Scale::Points.text(12.34), "12.3");
        assert_eq!(Scale::Points.text(12.0), "12");
        assert_eq!(Scale::Points.text(-0.2), "−0.2");
        assert_eq!(thousands(-0.2), "0");
    }

    #[test]
    fn metrics_of_the_last_board_are_named_by_what_they_ask() {
        let name = |text: &str| metric_name(text.parse().unwrap());
        assert_eq!(name("tile-sum+10*corner-rank.min"), "lowest board value (tile-sum + 10 × corner-rank)");
        assert_eq!(name("tile-sum.at-least.2048"), "share whose sum of tiles is at least 2,048");
        assert_eq!(
            name("max-tile-in-center.if-not-reach-2048"),
            "share with the largest tile in the center of games that do not reach 2048"
        );
        assert_eq!(name("merges.mean"), "mean number of merges in 1,000 moves");
    }

    #[test]
    fn a_method_is_played_as_written_or_as_released() {
        let names = [Variant::AsWritten, Variant::AsReleased].map(variant_name);
        assert_eq!(names, ["as written", "as released"]);
    }

    #[test]
    fn only_the_first_letter_is_made_a_capital() {
        let names = ["mean score of B", "élan", "2048 reached", ""].map(capitalised);
        assert_eq!(names, ["Mean score of B", "Élan", "2048 reached", ""]);
    }

    #[test]
    fn shares_are_percentages() {
        assert_eq!(Scale::Share.text(0.86), "86 %");
        assert_eq!(Scale::Share.text(0.785), "78.5 %");
        assert_eq!(Scale::Share.interval(0.0, 0.035), "0 to 3.5 %");
        assert_eq!(percent(-0.0001), "0");
    }

    #[test]
    fn differences_have_a_sign_unless_they_are_nothing() {
        let texts = [1.984, -1.984, 0.001, -0.001, 0.0].map(|value| difference(value, 2));
        assert_eq!(texts, ["+1.98", "−1.98", "0.00", "0.00", "0.00"]);
    }

    #[test]
    fn intervals_without_an_end_say_so() {
        assert_eq!(Scale::Points.interval(16000.0, f64::INFINITY), "16,000 or more");
        assert_eq!(Scale::Points.interval(f64::NEG_INFINITY, 5.0), "5 or less");
        assert_eq!(Scale::Ratio.interval(5.5, 6.25), "5.50× to 6.25×");
        assert_eq!(Scale::Share.interval(0.2, f64::INFINITY), "20 % or more");
        assert_eq!(Scale::Share.interval(f64::NEG_INFINITY, 0.2), "20 % or less");
        assert_eq!(Scale::Share.interval(f64::NEG_INFINITY, f64::INFINITY), "anything");
        for scale in [Scale::Points, Scale::Share, Scale::Ratio] {
            assert_eq!((scale.text(f64::INFINITY), scale.text(f64::NEG_INFINITY)), ("∞".into(), "−∞".into()));
        }
    }

    #[test]
    fn times_are_in_the_unit_that_fits() {
        let texts = [512.0, 15_500.0, 2_340_000.0, 7.5e9].map(nanoseconds);
        assert_eq!(texts, ["512 ns", "15.5 µs", "2.3 ms", "7.5 s"]);
        assert_eq!([1e3, 1e6, 1e9].map(nanoseconds), ["1.0 µs", "1.0 ms", "1.0 s"], "one is of its own unit");
    }

    #[test]
    fn six_digits_are_kept() {
        assert_eq!(rounded(19_999.123_456), 19_999.1);
        assert_eq!(rounded(0.000_123_456_789), 0.000_123_457);
        assert_eq!(
            [0.0, f64::INFINITY, f64::NEG_INFINITY].map(rounded),
            [0.0, f64::INFINITY, f64::NEG_INFINITY]
        );
        assert!(rounded(f64::NAN).is_nan());
    }
}
