//! Rulings: the words that a verdict on a claim can be.

use serde::{Deserialize, Serialize};

named! {
    /// The verdict on a claim, in a word.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Ruling {
        /// Numeric: games like ours could have given the published number, and would refuse another one.
        Consistent = "consistent",
        /// Numeric: ours is higher.
        Higher = "higher",
        /// Numeric: ours is lower.
        Lower = "lower",
        /// Ordinal: the games bear the order out.
        Confirmed = "confirmed",
        /// Ordinal: they show the opposite.
        Contradicted = "contradicted",
        /// Numeric: no number would have been refused. Ordinal: the games do not tell the two apart.
        Undecided = "undecided",
        /// Arithmetic: the computation gives what the paper says.
        Right = "right",
        /// Arithmetic: it gives something else.
        Wrong = "wrong",
        /// Nothing here can test it.
        Untestable = "untestable",
    }
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

    /// Whether the claim was borne out; `None` if the games do not say.
    pub const fn is_borne_out(self) -> Option<bool> {
        match self {
            Self::Consistent | Self::Confirmed | Self::Right => Some(true),
            Self::Higher | Self::Lower | Self::Contradicted | Self::Wrong => Some(false),
            Self::Undecided | Self::Untestable => None,
        }
    }
}
