//! Board values: weighted sums of what the last board shows, so that a claim can be about a number that a
//! program computes from boards.

use std::fmt;

use crate::last_board::LastBoard;
use crate::papers::chen2023::{CORNER_BEST, CORNER_LAG, CORNER_RANK};

/// A number that a board shows.
#[derive(Clone, Copy)]
pub(crate) struct Feature {
    pub(crate) name: &'static str,
    /// At least as much as any board has: one that a tile of 65,536 ends holds less than twice as much.
    pub(crate) max: f64,
    pub(crate) value: fn(LastBoard) -> u32,
}

/// All of them, in the order in which they are written.
const FEATURES: [Feature; 4] = [TILE_SUM, CORNER_RANK, CORNER_BEST, CORNER_LAG];

const TILE_SUM: Feature = Feature { name: "tile-sum", max: 2.0 * 65_536.0, value: LastBoard::tile_sum };

/// A weighted sum of features, written `tile-sum+10*corner-rank`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BoardValue {
    /// A weight for each feature, in their order; 0 for those that are left out.
    weights: [u16; FEATURES.len()],
}

impl BoardValue {
    /// Reads the one form in which a value is printed; `None` for any other text.
    pub fn parse(text: &str) -> Option<Self> {
        let mut value = Self { weights: [0; FEATURES.len()] };
        for term in text.split('+') {
            let (weight, name) = term.split_once('*').unwrap_or(("1", term));
            let feature = FEATURES.iter().position(|feature| feature.name == name)?;
            value.weights[feature] = weight.parse().ok()?;
        }
        Some(value).filter(|value| value.to_string() == text)
    }

    /// The value of a board.
    pub fn of(self, board: LastBoard) -> f64 {
        self.sum(|feature| f64::from((feature.value)(board)))
    }

    /// At least the value of any board.
    pub fn max(self) -> f64 {
        self.sum(|feature| feature.max)
    }

    fn sum(self, number: impl Fn(&Feature) -> f64) -> f64 {
        self.terms().map(|(weight, feature)| f64::from(weight) * number(&feature)).sum()
    }

    fn terms(self) -> impl Iterator<Item = (u16, Feature)> {
        self.weights.into_iter().zip(FEATURES).filter(|&(weight, _)| weight > 0)
    }

    /// The names of the features, in their order.
    pub fn features(separator: &str) -> String {
        FEATURES.map(|feature| feature.name).join(separator)
    }

    /// The pattern of a text that may be one, for the schema.
    pub fn pattern() -> String {
        let term = format!(r"([1-9][0-9]*\*)?({})", Self::features("|"));
        format!(r"{term}(\+{term})*")
    }
}

impl fmt::Display for BoardValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, (weight, Feature { name, .. })) in self.terms().enumerate() {
            let plus = if number > 0 { "+" } else { "" };
            match weight {
                1 => write!(f, "{plus}{name}")?,
                weight => write!(f, "{plus}{weight}*{name}")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> BoardValue {
        BoardValue::parse(text).unwrap()
    }

    #[test]
    fn a_value_is_read_from_its_text_and_printed_as_it_was() {
        let text = "tile-sum+10*corner-rank+100*corner-best+10*corner-lag";
        assert_eq!(value(text), BoardValue { weights: [1, 10, 100, 10] });
        assert_eq!(value(text).to_string(), text);
        assert_eq!(value("65535*corner-lag"), BoardValue { weights: [0, 0, 0, 65535] });
        assert!((value(text).max() - (131_072.0 + 160.0 + 100.0 + 160.0)).abs() < 1e-9);
    }

    #[test]
    fn every_value_has_one_text() {
        let others = [
            "",
            "+",
            "tile-sum+",
            "corner-rank+tile-sum",
            "tile-sum+tile-sum",
            "1*tile-sum",
            "0*tile-sum",
            "tile-sum+0*corner-lag",
            "010*tile-sum",
            "65536*tile-sum",
            "-1*tile-sum",
            "tile-sum*10",
            "tile-sum + corner-lag",
            "free-cells",
        ];
        for text in others {
            assert_eq!(BoardValue::parse(text), None, "{text}");
        }
    }

    #[test]
    fn a_value_adds_up_what_its_formula_names() {
        let formula = "tile-sum+10*corner-rank+100*corner-best+10*corner-lag";
        for (board, formula, expected) in [
            // The 1024 has rank 10: in a corner it is worth 100 and 100 again.
            ("1024 4 . . / . . . . / . . . . / . . . .", formula, 1028.0 + 100.0 + 100.0),
            // Between two corners, it is worth the 9 ranks that the corners are behind.
            ("2 1024 . . / . . . . / . . . . / . . . .", formula, 1026.0 + 90.0),
            // Of two equal ones the first counts, which is in no corner; a corner is as large all the same.
            (". 64 . 64 / . . . . / . . . . / . . . .", formula, 128.0 + 100.0),
            ("2 1024 . . / . . . . / . . . . / . . . .", "3*corner-lag", 27.0),
        ] {
            assert_eq!(value(formula).of(LastBoard::parse(board).unwrap()), expected, "{board}");
        }
    }
}
