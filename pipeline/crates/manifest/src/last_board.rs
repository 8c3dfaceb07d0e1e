//! What can be asked about the last board of a game: where its largest tile stands, and board values, which are weighted sums of what it
//! shows, so that a claim can be about a number that a program computes from boards.

use std::fmt;

/// A part of the board; together they are all of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BoardPart {
    /// The four corners.
    Corners,
    /// The cells of the edges, between two corners.
    BetweenCorners,
    /// The four cells at no edge.
    Center,
}

impl BoardPart {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Corners, Self::BetweenCorners, Self::Center];

    /// The text of the event that a largest tile stands there.
    pub(super) const fn event(self) -> &'static str {
        match self {
            Self::Corners => "max-tile-in-corner",
            Self::BetweenCorners => "max-tile-between-corners",
            Self::Center => "max-tile-in-center",
        }
    }
}

/// A weighted sum of features, written `tile-sum+10*corner-rank`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BoardValue {
    /// A weight for each feature, in the order of [`Feature::ALL`]; 0 where it is left out.
    weights: [u16; Feature::ALL.len()],
}

/// What a board shows, as a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Feature {
    /// The sum of its tiles.
    TileSum,
    /// The rank of its largest tile where that stands in a corner, else 0; of several, the first row by row.
    CornerRank,
    /// 1 where a corner holds a largest tile, else 0.
    CornerBest,
    /// How many ranks the best corner is behind the largest tile.
    CornerLag,
}

impl Feature {
    /// All of them, in the order in which they are written.
    pub const ALL: [Self; 4] = [Self::TileSum, Self::CornerRank, Self::CornerBest, Self::CornerLag];

    /// The name in a metric's text.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::TileSum => "tile-sum",
            Self::CornerRank => "corner-rank",
            Self::CornerBest => "corner-best",
            Self::CornerLag => "corner-lag",
        }
    }

    const fn most(self) -> f64 {
        match self {
            Self::TileSum => 2.0 * 65_536.0,
            Self::CornerRank | Self::CornerLag => 16.0,
            Self::CornerBest => 1.0,
        }
    }
}

impl BoardValue {
    /// The features that count, with their weights.
    pub fn terms(self) -> impl Iterator<Item = (u16, Feature)> {
        self.weights.into_iter().zip(Feature::ALL).filter(|&(weight, _)| weight > 0)
    }

    /// More than the value of any board: one that a tile of 65,536 ends holds less than twice as much.
    #[must_use]
    pub fn most(self) -> f64 {
        self.terms().map(|(weight, feature)| f64::from(weight) * feature.most()).sum()
    }

    /// Reads the one form in which a value is printed; none for any other text.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut value = Self { weights: [0; Feature::ALL.len()] };
        for term in text.split('+') {
            let (weight, name) = term.split_once('*').unwrap_or(("1", term));
            let feature = Feature::ALL.iter().position(|feature| feature.name() == name)?;
            value.weights[feature] = weight.parse().ok()?;
        }
        Some(value).filter(|value| value.to_string() == text)
    }

    /// The pattern of a text that may be one, for the schema.
    pub(super) fn pattern() -> String {
        let term = format!(r"([1-9][0-9]*\*)?({})", Feature::ALL.map(Feature::name).join("|"));
        format!(r"{term}(\+{term})*")
    }
}

impl fmt::Display for BoardValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, (weight, feature)) in self.terms().enumerate() {
            let plus = if number > 0 { "+" } else { "" };
            match weight {
                1 => write!(f, "{plus}{}", feature.name())?,
                weight => write!(f, "{plus}{weight}*{}", feature.name())?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_read_from_its_text_and_printed_as_it_was() {
        let text = "tile-sum+10*corner-rank+100*corner-best+10*corner-lag";
        let value = BoardValue::parse(text).unwrap();
        let terms: Vec<(u16, Feature)> = value.terms().collect();
        let [sum, rank, best, lag] = Feature::ALL;
        assert_eq!(terms, [(1, sum), (10, rank), (100, best), (10, lag)]);
        assert_eq!(value.to_string(), text);
        assert_eq!(BoardValue::parse("65535*corner-lag").unwrap().terms().next(), Some((65535, lag)));
        assert!((value.most() - (131_072.0 + 160.0 + 100.0 + 160.0)).abs() < 1e-9);
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
}
