//! Claims as checked types: what a paper says, in the form in which its verdict can be computed.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Check, Metric, NoteId};

/// Something that a paper says and that can be put to a test.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Claim {
    /// What it is called within its paper.
    pub id: String,
    /// What the paper says, in our words.
    pub text: String,
    /// Where the paper says it: `Table 1`, `Section 7.2`.
    pub place: String,
    /// The notes whose decisions a verdict rests on.
    pub conditional_on: Vec<NoteId>,
    /// The claim about the same published number under the reading that comes first, where this one tests another reading.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reading_of: Option<String>,
    /// Whether it is a check of ours on what the paper prints. The paper does not say it, so it counts neither for nor against it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub audit: bool,
    /// How it is tested.
    #[serde(flatten)]
    pub kind: ClaimKind,
}

impl Claim {
    /// The published number of a numeric claim.
    #[must_use]
    pub const fn published(&self) -> Option<Published> {
        match self.kind {
            ClaimKind::Numeric { published, .. } => Some(published),
            _ => None,
        }
    }
}

/// How a claim is tested.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum ClaimKind {
    /// A published number, against the same metric of an experiment.
    Numeric {
        /// What the number measures.
        metric: Metric,
        /// The experiment that measures it again.
        experiment: String,
        /// The experiment that a ratio divides by; there for ratios only.
        reference: Option<String>,
        /// The published number.
        published: Published,
        /// Its unit, for tables.
        unit: Option<String>,
        /// How many games it was computed from.
        n: PublishedN,
        /// The step to which it was rounded; 0 where it is exact. The true value lies within half a step of it.
        rounding: f64,
    },
    /// One experiment beats another on a metric.
    Ordinal {
        /// What they are compared on.
        metric: Metric,
        /// The experiment that the paper calls better.
        better: String,
        /// The experiment that the paper calls worse.
        worse: String,
        /// Which end of the metric is the better one.
        wins: Wins,
    },
    /// A computation that can be done again without a game.
    Arithmetic {
        /// The computation, with what it is computed from.
        #[serde(flatten)]
        check: Check,
        /// What the paper says that it gives.
        published: Stated,
    },
}

/// A published number.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Published {
    /// One number.
    Number(f64),
    /// Anything from the first to the second, both included.
    Range(f64, f64),
}

/// How many games a published number was computed from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PublishedN {
    /// The paper says it.
    Known(u64),
    /// The paper does not, and this is assumed.
    Assumed(u64),
}

impl PublishedN {
    /// The number, said or assumed.
    #[must_use]
    pub const fn games(self) -> u64 {
        match self {
            Self::Known(games) | Self::Assumed(games) => games,
        }
    }
}

/// What a paper says that a computation gives.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Stated {
    /// A number.
    Number(f64),
    /// Words.
    Text(String),
}

/// Which of two values of a metric is the better one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Wins {
    /// The higher one.
    Higher,
    /// The lower one.
    Lower,
}

impl Wins {
    /// What is meant where a claim does not say: less time is better, and more of all else.
    #[must_use]
    pub const fn default_for(metric: Metric) -> Self {
        if metric.is_ratio() { Self::Lower } else { Self::Higher }
    }
}
