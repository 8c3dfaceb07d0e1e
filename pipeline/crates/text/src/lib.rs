//! Numbers for people, in the same form in sentences, tables, figures and the report.

use serde::Serialize;
use serde_json::{Number, Value};

/// The most characters of a name, a place, a unit, an address or a title.
pub const LONGEST_NAME: usize = 300;

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
    /// A number on this scale.
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

/// A count and its noun, with separators: `1 game`, `1,000 games`, `2 studies`.
pub fn counted(count: u64, noun: &str) -> String {
    let number = thousands(count as f64);
    match noun.strip_suffix("dy") {
        _ if count == 1 => format!("{number} {noun}"),
        Some(stem) => format!("{number} {stem}dies"),
        None => format!("{number} {noun}s"),
    }
}

/// The same with the verb that agrees, given for one and for several: `1 game was`, `2 games were`.
pub fn counted_verb(count: u64, noun: &str, [one, several]: [&str; 2]) -> String {
    format!("{} {}", counted(count, noun), if count == 1 { one } else { several })
}

/// A whole number with separators.
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
pub fn percent(share: f64) -> String {
    let value = share * 100.0;
    let text = format!("{value:.1}");
    signed(text.strip_suffix(".0").unwrap_or(&text))
}

/// A difference with its sign, which zero has none of.
pub fn difference(value: f64, decimals: usize) -> String {
    let text = signed(&format!("{value:.decimals$}"));
    let is_zero = text.bytes().all(|byte| matches!(byte, b'0' | b'.'));
    if value > 0.0 && !is_zero { format!("+{text}") } else { text }
}

/// A time for a move, in the unit that fits it.
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
pub fn rounded(value: f64) -> f64 {
    format!("{value:.5e}").parse().unwrap_or(value)
}

/// A value as JSON, its numbers rounded to the digits that are the same on every machine.
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
