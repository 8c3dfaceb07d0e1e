//! The space of parameters that a study searches.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::limits::MOST_DIGITS;
use crate::{Place, Point};

/// The parameters that a study may change, each with its range.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Space(Vec<Dimension>);

/// One parameter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Dimension {
    /// What the agent calls it.
    pub name: String,
    /// What it may be.
    pub range: Range,
}

/// What a parameter may be.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Range {
    /// Any number from one to the other, rounded.
    Real {
        /// The smallest.
        from: f64,
        /// The largest.
        to: f64,
        /// Along which equal steps count as equal.
        scale: Scale,
        /// How many decimals it is rounded to, before it is played and hashed.
        digits: u32,
    },
    /// Any whole number from one to the other.
    Integer {
        /// The smallest.
        from: i32,
        /// The largest.
        to: i32,
        /// Along which equal steps count as equal.
        scale: Scale,
    },
    /// One of this many choices, by its number in the list.
    Choice {
        /// How many there are.
        count: u32,
    },
}

/// Along which equal steps of a parameter count as equal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Scale {
    /// Its value.
    #[default]
    Linear,
    /// Its logarithm.
    Logarithmic,
}

/// Why parameters make no space.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum SpaceError {
    #[error("{0}")]
    Refused(String),
    #[error("parameter `{name}`: `from` must be less than `to`")]
    EmptyRange { name: String },
    #[error("parameter `{name}`: a logarithmic range begins above 0")]
    NotPositive { name: String },
    #[error(
        "parameter `{name}`: rounded to {digits} digit{}, `from` and `to` are not themselves; give more digits",
        if *digits == 1 { "" } else { "s" }
    )]
    Rounded { name: String, digits: u32 },
}

impl Space {
    /// A space of these parameters.
    pub fn new(dimensions: Vec<Dimension>) -> Result<Self, SpaceError> {
        if dimensions.is_empty() {
            return Err(SpaceError::Refused("there is no parameter to search".to_owned()));
        }
        for (number, Dimension { name, range }) in dimensions.iter().enumerate() {
            if dimensions[..number].iter().any(|other| other.name == *name) {
                return Err(SpaceError::Refused(format!("parameter `{name}` is there twice: remove one")));
            }
            range.check(name)?;
        }
        Ok(Self(dimensions))
    }

    /// The parameters.
    pub fn dimensions(&self) -> &[Dimension] {
        &self.0
    }

    /// How many parameters there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Never: a space has a parameter.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The point at these coordinates of the unit cube.
    pub fn point(&self, unit: &[f64]) -> Point {
        debug_assert_eq!(unit.len(), self.len());
        Point(self.0.iter().zip(unit).map(|(dimension, &unit)| dimension.range.value(unit)).collect())
    }

    /// A point of which each value is made from its range and its number.
    pub(crate) fn point_by(&self, mut value: impl FnMut(usize, Range) -> f64) -> Point {
        Point(self.0.iter().enumerate().map(|(gene, dimension)| value(gene, dimension.range)).collect())
    }

    /// The coordinates of a point in the unit cube, from which [`Space::point`] gives it back.
    pub fn unit(&self, point: &Point) -> Vec<f64> {
        self.0.iter().zip(&point.0).map(|(dimension, &value)| dimension.range.unit(value)).collect()
    }

    /// The squared distance between two points in the unit cube, parameter by parameter; two choices are 0 or
    /// 1 apart.
    pub(crate) fn squared_gaps<'a>(&'a self, a: &'a [f64], b: &'a [f64]) -> impl Iterator<Item = f64> + 'a {
        self.0.iter().zip(a.iter().zip(b)).map(|(dimension, (a, b))| match dimension.range {
            Range::Choice { .. } => f64::from(u8::from(a != b)),
            Range::Real { .. } | Range::Integer { .. } => (a - b) * (a - b),
        })
    }
}

/// Half of a squared distance of 1: two corners that lie so far along two axes are 1 apart.
const HALF: f64 = 0.5;

impl Space {
    /// Coordinates whose distances are those of [`Space::squared_gaps`], each with the number of its
    /// parameter: a choice has an axis for each of its list.
    pub(crate) fn flat(&self, unit: &[f64]) -> Vec<(usize, f64)> {
        let axes = |(number, (dimension, &unit)): (usize, (&Dimension, &f64))| match dimension.range {
            Range::Real { .. } | Range::Integer { .. } => vec![(number, unit)],
            Range::Choice { count } => {
                let chosen = dimension.range.value(unit);
                let along = |axis| if f64::from(axis) == chosen { HALF.sqrt() } else { 0.0 };
                (0..count).map(|axis| (number, along(axis))).collect()
            }
        };
        self.0.iter().zip(unit).enumerate().flat_map(axes).collect()
    }
}

impl Range {
    fn check(self, name: &str) -> Result<(), SpaceError> {
        let refused = |problem: String| Err(SpaceError::Refused(format!("parameter `{name}`: {problem}")));
        let name = || name.to_owned();
        let (low, high, scale) = match self {
            Self::Choice { count: 0..2 } => return refused("give at least two choices".to_owned()),
            Self::Choice { .. } => return Ok(()),
            Self::Real { from, to, scale, .. } => (from, to, scale),
            Self::Integer { from, to, scale } => (f64::from(from), f64::from(to), scale),
        };
        // Written so that it also catches what is no number.
        if !(low < high && low.is_finite() && high.is_finite()) {
            return Err(SpaceError::EmptyRange { name: name() });
        }
        if scale == Scale::Logarithmic && low <= 0.0 {
            return Err(SpaceError::NotPositive { name: name() });
        }
        match self {
            Self::Real { digits, .. } if digits > MOST_DIGITS => {
                refused(format!("at most {MOST_DIGITS} digits"))
            }
            Self::Real { digits, .. } if rounded(low, digits) != low || rounded(high, digits) != high => {
                Err(SpaceError::Rounded { name: name(), digits })
            }
            _ => Ok(()),
        }
    }

    /// The value at a coordinate from 0 to 1. Every whole number and every choice has an equal share of a
    /// linear scale.
    pub fn value(self, unit: f64) -> f64 {
        let along = |low: f64, high: f64, scale: Scale| match scale {
            Scale::Linear => low + unit * (high - low),
            Scale::Logarithmic => libm::exp(libm::log(low) + unit * (libm::log(high) - libm::log(low))),
        };
        self.settled(match self {
            Self::Real { from, to, scale, .. } => along(from, to, scale),
            Self::Integer { from, to, scale } => along(f64::from(from), f64::from(to) + 1.0, scale).floor(),
            Self::Choice { count } => along(0.0, f64::from(count), Scale::Linear).floor(),
        })
    }

    /// The coordinate of a value, from 0 to 1: for whole numbers and choices the middle of their share.
    pub fn unit(self, value: f64) -> f64 {
        let along = |low: f64, high: f64, scale: Scale, value: f64| match scale {
            Scale::Linear => (value - low) / (high - low),
            Scale::Logarithmic => libm::log(value / low) / libm::log(high / low),
        };
        match self {
            Self::Real { from, to, scale, .. } => along(from, to, scale, value),
            Self::Integer { from, to, scale } => {
                let (low, high) = (f64::from(from), f64::from(to) + 1.0);
                f64::midpoint(along(low, high, scale, value), along(low, high, scale, value + 1.0))
            }
            Self::Choice { count } => (value + 0.5) / f64::from(count),
        }
    }

    /// The nearest value that can be played.
    pub(crate) fn settled(self, value: f64) -> f64 {
        let nearest = match self {
            Self::Real { from, to, digits, .. } => rounded(value, digits).clamp(from, to),
            Self::Integer { from, to, .. } => value.round().clamp(f64::from(from), f64::from(to)),
            Self::Choice { count } => value.round().clamp(0.0, f64::from(count - 1)),
        };
        // What is rounded to 0 from below must not keep its sign.
        nearest + 0.0
    }

    /// A value from the whole range.
    pub(crate) fn anywhere(self, place: Place) -> f64 {
        self.value(place.unit())
    }

    /// The value that lies between two others at a share of the way, along the scale; a choice is one of the
    /// two.
    pub(crate) fn between(self, a: f64, b: f64, share: f64) -> f64 {
        match self {
            Self::Real { scale: Scale::Linear, .. } => self.settled(a + share * (b - a)),
            Self::Real { scale: Scale::Logarithmic, .. } => {
                self.settled(libm::exp(libm::log(a) + share * (libm::log(b) - libm::log(a))))
            }
            // From the lower one up to, and without, the upper one, as integers are drawn in Python.
            Self::Integer { .. } => a.min(b) + (share * (a - b).abs()).floor(),
            Self::Choice { .. } => {
                if share < 0.5 {
                    a
                } else {
                    b
                }
            }
        }
    }
}

/// A number with this many decimals. Both the whole number and the power of ten are exact, so the quotient is
/// the number that its decimal text stands for.
fn rounded(value: f64, digits: u32) -> f64 {
    let power = (0..digits).fold(1.0, |power, _| power * 10.0);
    (value * power).round() / power
}

#[cfg(test)]
mod tests {
    use super::*;

    fn space() -> Space {
        let real = Range::Real { from: 0.5, to: 8.0, scale: Scale::Logarithmic, digits: 3 };
        let integer = Range::Integer { from: 5, to: 20, scale: Scale::Linear };
        let dimension = |name: &str, range| Dimension { name: name.to_owned(), range };
        Space::new(vec![
            dimension("a", real),
            dimension("b", integer),
            dimension("c", Range::Choice { count: 3 }),
        ])
        .unwrap()
    }

    #[test]
    fn a_point_is_found_again_from_its_coordinates() {
        let space = space();
        for number in 0..1000 {
            let place = Place::of("test", 1).at(number);
            let unit: Vec<f64> = (0..3).map(|gene| place.at(gene).unit()).collect();
            let point = space.point(&unit);
            assert_eq!(space.point(&space.unit(&point)), point);
            assert_eq!(Point::stored(&space, point.values().to_vec()), Some(point));
        }
    }

    #[test]
    fn values_are_rounded_and_in_range_and_every_whole_number_is_equally_likely() {
        let space = space();
        assert_eq!(space.point(&[0.0, 0.0, 0.0]).values(), [0.5, 5.0, 0.0]);
        assert_eq!(space.point(&[1.0, 1.0, 1.0]).values(), [8.0, 20.0, 2.0]);
        assert_eq!(space.point(&[0.5, 0.5, 0.5]).values(), [2.0, 13.0, 1.0]);
        let range = space.dimensions()[1].range;
        let count = (0..1600).filter(|&step| range.value(f64::from(step) / 1600.0) == 20.0).count();
        assert_eq!(count, 100);
    }

    #[test]
    fn a_value_that_was_not_rounded_or_is_out_of_range_is_no_point() {
        let space = space();
        for values in [vec![0.5001, 5.0, 0.0], vec![0.5, 21.0, 0.0], vec![0.5, 5.5, 0.0], vec![0.5, 5.0]] {
            assert_eq!(Point::stored(&space, values), None);
        }
    }

    #[test]
    fn zero_has_no_sign() {
        let range = Range::Real { from: -1.0, to: 1.0, scale: Scale::Linear, digits: 1 };
        assert_eq!(range.settled(-0.04).to_bits(), 0.0_f64.to_bits());
        assert_eq!(Range::Integer { from: -3, to: 3, scale: Scale::Linear }.settled(-0.4).to_bits(), 0);
        let space = Space::new(vec![Dimension { name: "x".to_owned(), range }]).unwrap();
        assert_eq!(Point::stored(&space, vec![-0.0]), None);
        assert!(Point::stored(&space, vec![0.0]).is_some());
    }

    #[test]
    fn between_two_parents_lies_neither_outside_nor_a_third_choice() {
        let space = space();
        let [real, integer, choice] = [0, 1, 2].map(|number| space.dimensions()[number].range);
        assert_eq!(real.between(1.0, 4.0, 0.5), 2.0);
        assert_eq!(integer.between(20.0, 5.0, 0.0), 5.0);
        assert_eq!(integer.between(5.0, 20.0, 0.999), 19.0);
        assert_eq!([choice.between(0.0, 2.0, 0.4), choice.between(0.0, 2.0, 0.6)], [0.0, 2.0]);
    }

    #[test]
    fn what_has_nothing_to_search_is_refused() {
        let real = |from, to, scale, digits| Range::Real { from, to, scale, digits };
        let refused =
            |range| Space::new(vec![Dimension { name: "x".to_owned(), range }]).unwrap_err().to_string();
        assert_eq!(Space::new(Vec::new()).unwrap_err().to_string(), "there is no parameter to search");
        assert_eq!(refused(real(1.0, 1.0, Scale::Linear, 2)), "parameter `x`: `from` must be less than `to`");
        assert_eq!(
            refused(real(f64::NAN, 1.0, Scale::Linear, 2)),
            "parameter `x`: `from` must be less than `to`"
        );
        assert_eq!(
            refused(real(0.0, 1.0, Scale::Logarithmic, 2)),
            "parameter `x`: a logarithmic range begins above 0"
        );
        assert_eq!(
            refused(real(0.25, 1.0, Scale::Linear, 1)),
            "parameter `x`: rounded to 1 digit, `from` and `to` are not themselves; give more digits"
        );
        assert_eq!(refused(Range::Choice { count: 1 }), "parameter `x`: give at least two choices");
        let twice = Dimension { name: "x".to_owned(), range: Range::Choice { count: 2 } };
        assert_eq!(
            Space::new(vec![twice.clone(), twice]).unwrap_err().to_string(),
            "parameter `x` is there twice: remove one"
        );
    }
}
