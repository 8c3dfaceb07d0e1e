//! Rulings: the words that a verdict on a claim can be.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What came of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ruling {
    /// Numeric: games like ours could have given the published number, and would have refused another one.
    Consistent,
    /// Numeric: ours is higher.
    Higher,
    /// Numeric: ours is lower.
    Lower,
    /// Ordinal: the games bear the order out.
    Confirmed,
    /// Ordinal: they show the opposite.
    Contradicted,
    /// Numeric: no number would have been refused. Ordinal: the games do not tell the two apart.
    Undecided,
    /// Arithmetic: the computation gives what the paper says.
    Right,
    /// Arithmetic: it gives something else.
    Wrong,
    /// Nothing here can test it.
    Untestable,
}

impl Ruling {
    /// All of them, the good ones first.
    pub const ALL: [Self; 9] = [
        Self::Consistent,
        Self::Confirmed,
        Self::Right,
        Self::Higher,
        Self::Lower,
        Self::Contradicted,
        Self::Wrong,
        Self::Undecided,
        Self::Untestable,
    ];

    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Consistent => "consistent",
            Self::Higher => "higher",
            Self::Lower => "lower",
            Self::Confirmed => "confirmed",
            Self::Contradicted => "contradicted",
            Self::Undecided => "undecided",
            Self::Right => "right",
            Self::Wrong => "wrong",
            Self::Untestable => "untestable",
        }
    }

    /// Whether the claim was borne out; none where the games do not say.
    pub const fn is_borne_out(self) -> Option<bool> {
        match self {
            Self::Consistent | Self::Confirmed | Self::Right => Some(true),
            Self::Higher | Self::Lower | Self::Contradicted | Self::Wrong => Some(false),
            Self::Undecided | Self::Untestable => None,
        }
    }
}

impl fmt::Display for Ruling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
