//! The space of a study, parameter by parameter: what can be searched, and what is only a mistake.

use std::collections::BTreeMap;

use search::{Dimension, Range, Space, SpaceError};
use serde_json::{Map, Value};

use super::field_checks::{CheckError, Checked, wrong, wrong_within};
use super::limits::{LARGEST_NUMBER, MOST_DIGITS};
use super::raw_study::RawRange;
use platform::plain::line;
use text::counted;

/// Where a study searches: the parameters by name, and for each that is one of a list, the list.
pub(super) struct SearchedSpace {
    pub(super) space: Space,
    pub(super) choices: BTreeMap<String, Vec<Value>>,
}

/// Checks all parameters, and that none of them also stays as it is.
pub(super) fn searched(
    raw: BTreeMap<String, RawRange>,
    fixed: &Map<String, Value>,
) -> Checked<SearchedSpace> {
    let (mut dimensions, mut choices) = (Vec::new(), BTreeMap::new());
    for (name, raw) in raw {
        let parameter = SearchedParameter { name: &name };
        parameter.check_free(fixed)?;
        let range = parameter.range(&raw)?;
        if let Some(values) = raw.choices {
            choices.insert(name.clone(), values);
        }
        dimensions.push(Dimension { name, range });
    }
    // Each was tried by itself, and no name is there twice.
    let space = Space::new(dimensions).map_err(|error| wrong("space", format!("is refused: {error}")));
    Ok(SearchedSpace { space: space?, choices })
}

/// How many points a space has, as far as a number of points is ever asked for.
pub(super) fn points(space: &Space) -> f64 {
    let of_range = |dimension: &Dimension| match dimension.range {
        Range::Real { from, to, digits, .. } => ((to - from) * power_of_ten(digits)).round() + 1.0,
        Range::Integer { from, to, .. } => f64::from(to) - f64::from(from) + 1.0,
        Range::Choice { count } => f64::from(count),
    };
    space.dimensions().iter().map(of_range).product()
}

fn power_of_ten(digits: u32) -> f64 {
    10_u64.pow(digits.min(MOST_DIGITS)) as f64
}

/// One parameter while it is checked.
struct SearchedParameter<'a> {
    name: &'a str,
}

impl SearchedParameter<'_> {
    /// Refuses it; `problem` goes on after its name.
    fn wrong(&self, problem: &str) -> CheckError {
        let problem = format!("has `{}` {problem}", line(self.name));
        wrong_within("space", &format!("space.{}", self.name), problem)
    }

    fn check_free(&self, fixed: &Map<String, Value>) -> Checked {
        if fixed.contains_key(self.name) {
            return Err(
                self.wrong("and so does `params`: a parameter is searched or stays as it is; remove one")
            );
        }
        Ok(())
    }

    fn range(&self, raw: &RawRange) -> Checked<Range> {
        let range = match &raw.choices {
            Some(choices) => self.choices(raw, choices)?,
            None => self.numbers(raw)?,
        };
        let alone = Dimension { name: self.name.to_owned(), range };
        Space::new(vec![alone]).map(|_| range).map_err(|error| self.no_space(raw, &error))
    }

    fn choices(&self, raw: &RawRange, choices: &[Value]) -> Checked<Range> {
        let beside = [
            ("from", raw.from.is_some()),
            ("to", raw.to.is_some()),
            ("integer", raw.integer),
            ("scale", raw.scale.is_some()),
            ("digits", raw.digits.is_some()),
        ];
        if let Some((key, _)) = beside.into_iter().find(|&(_, is_given)| is_given) {
            return Err(self.wrong(&format!("with `choices` and `{key}`: keep one of them")));
        }
        let twice =
            |(before, value): (usize, &Value)| choices[..before].contains(value).then(|| value.clone());
        if let Some(value) = choices.iter().enumerate().find_map(twice) {
            return Err(
                self.wrong(&format!("with the choice {} twice: remove one", line(&value.to_string())))
            );
        }
        Ok(Range::Choice { count: choices.len() as u32 })
    }

    fn numbers(&self, raw: &RawRange) -> Checked<Range> {
        let (from, to) = match (raw.from, raw.to) {
            (Some(from), Some(to)) => (from, to),
            (None, None) => return Err(self.wrong("without a range: give `from` and `to`, or `choices`")),
            (None, Some(_)) => return Err(self.wrong("without `from`: give the smallest number")),
            (Some(_), None) => return Err(self.wrong("without `to`: give the largest number")),
        };
        let scale = raw.scale.unwrap_or_default();
        match (raw.integer, raw.digits) {
            (true, Some(_)) => Err(self.wrong("with `integer` and `digits`: whole numbers have no decimals; remove `digits`")),
            (true, None) => Ok(Range::Integer { from: self.whole("from", from)?, to: self.whole("to", to)?, scale }),
            (false, Some(digits)) => self.real(Range::Real { from, to, scale, digits }),
            (false, None) => Err(self.wrong(
                "without `digits`: give the decimals that it is rounded to before it is played, or `integer = true`",
            )),
        }
    }

    fn whole(&self, key: &str, number: f64) -> Checked<i32> {
        let is_whole = number.fract() == 0.0 && (f64::from(i32::MIN)..=f64::from(i32::MAX)).contains(&number);
        if is_whole {
            return Ok(number as i32);
        }
        let ends = format!("a whole number from {} to {}", i32::MIN, i32::MAX);
        Err(self
            .wrong(&format!("with `{key}` {number}: write {ends}, or `digits` in the place of `integer`")))
    }

    /// A range whose numbers are exact once they are rounded.
    fn real(&self, range: Range) -> Checked<Range> {
        let Range::Real { from, to, digits, .. } = range else { return Ok(range) };
        let largest = from.abs().max(to.abs()) * power_of_ten(digits);
        if largest.is_finite() && largest > LARGEST_NUMBER {
            return Err(self.wrong(&format!(
                "from {from} to {to} with {}, more than a number holds: give a smaller range, or fewer digits",
                counted(digits.into(), "digit")
            )));
        }
        Ok(range)
    }

    fn no_space(&self, raw: &RawRange, error: &SpaceError) -> CheckError {
        let ends = || format!("from {} to {}", raw.from.unwrap_or_default(), raw.to.unwrap_or_default());
        let digits = counted(raw.digits.unwrap_or_default().into(), "digit");
        self.wrong(&match error {
            SpaceError::EmptyRange { .. } => format!("{}: write finite numbers, `from` below `to`", ends()),
            SpaceError::NotPositive { .. } => {
                format!("{} on a logarithmic scale: begin above 0, or remove `scale`", ends())
            }
            SpaceError::Rounded { .. } => {
                format!("{} with {digits}, to which its ends cannot be rounded: give more digits", ends())
            }
            SpaceError::Refused(_) => format!("that is refused: {error}"),
        })
    }
}
