//! Claims as checked types: what a paper says, in the form in which its verdict can be computed.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Check, Metric, NoteId, Ruling, StatedValue};

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
    /// The interpretations under which this is how the paper's statement is tested; `None` if all of them
    /// are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub under: Option<Vec<String>>,
    /// The claim that tests the same statement of the paper and comes first, where this one tests it with
    /// other experiments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reading_of: Option<String>,
    /// Whether it is a check of ours on what the paper prints. The paper does not say it, so it counts
    /// neither for nor against it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub audit: bool,
    /// How it is tested.
    #[serde(flatten)]
    pub kind: ClaimKind,
}

impl ClaimKind {
    /// The verdicts that a claim of this kind can get. Every computation has an answer, and what is written
    /// as untestable stays so.
    pub const fn rulings(&self) -> &'static [Ruling] {
        match self {
            Self::Numeric { .. } => {
                &[Ruling::Consistent, Ruling::Higher, Ruling::Lower, Ruling::Undecided, Ruling::Untestable]
            }
            Self::Ordinal { .. } | Self::OrdinalOfStudies { .. } => {
                &[Ruling::Confirmed, Ruling::Contradicted, Ruling::Undecided, Ruling::Untestable]
            }
            Self::Arithmetic { .. } => &[Ruling::Right, Ruling::Wrong],
            Self::Untestable { .. } => &[Ruling::Untestable],
        }
    }
}

impl Claim {
    /// The statement of the paper that it tests: the id of the claim that comes first among its readings.
    pub fn statement(&self) -> &str {
        self.reading_of.as_deref().unwrap_or(&self.id)
    }

    /// Whether it is how its statement is tested under an interpretation.
    pub fn is_under(&self, interpretation: &str) -> bool {
        let is_named = |under: &Vec<String>| under.iter().any(|id| id == interpretation);
        self.is_tested_under_interpretations() && self.under.as_ref().is_none_or(is_named)
    }

    /// Whether an interpretation can make a difference to it: games do, computations and what nothing can
    /// test do not.
    pub const fn is_tested_under_interpretations(&self) -> bool {
        matches!(
            self.kind,
            ClaimKind::Numeric { .. } | ClaimKind::Ordinal { .. } | ClaimKind::OrdinalOfStudies { .. }
        )
    }

    /// Whether two claims are of one kind.
    pub(super) fn has_kind_of(&self, other: &Self) -> bool {
        std::mem::discriminant(&self.kind) == std::mem::discriminant(&other.kind)
    }

    /// What a claim measures of experiments.
    pub const fn metric(&self) -> Option<Metric> {
        match self.kind {
            ClaimKind::Numeric { metric, .. } | ClaimKind::Ordinal { metric, .. } => Some(metric),
            ClaimKind::OrdinalOfStudies { .. }
            | ClaimKind::Arithmetic { .. }
            | ClaimKind::Untestable { .. } => None,
        }
    }

    /// The experiments whose games it is tested by.
    pub fn experiments(&self) -> Vec<&str> {
        match &self.kind {
            ClaimKind::Numeric { experiment, reference, .. } => {
                std::iter::once(experiment).chain(reference).map(String::as_str).collect()
            }
            ClaimKind::Ordinal { better, worse, .. } => vec![better, worse],
            ClaimKind::OrdinalOfStudies { .. }
            | ClaimKind::Arithmetic { .. }
            | ClaimKind::Untestable { .. } => Vec::new(),
        }
    }

    /// The studies whose trials it is tested by.
    pub fn studies(&self) -> Vec<&str> {
        match &self.kind {
            ClaimKind::OrdinalOfStudies { better, worse, .. } => {
                better.iter().chain(worse).map(String::as_str).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The published number of a numeric claim.
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
        /// Which end of a published range is our own choice, for a word such as "uncommon".
        #[serde(skip_serializing_if = "Option::is_none")]
        chosen: Option<Chosen>,
        /// Its unit, for tables.
        unit: Option<String>,
        /// How many games it was computed from.
        n: PublishedN,
        /// The step to which it was rounded; 0 where it is exact. The true value lies within half a step of
        /// it.
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
    /// One way to search beats another, study by study: the first of one against the first of the other, and
    /// so on.
    OrdinalOfStudies {
        /// What they are compared on; the higher one is the better one.
        metric: StudyMetric,
        /// The studies of the way that the paper calls better.
        better: Vec<String>,
        /// As many of the other, each beside the one that it is compared with.
        worse: Vec<String>,
    },
    /// A computation that can be done again without a game.
    Arithmetic {
        /// The computation, with what it is computed from.
        #[serde(flatten)]
        check: Check,
        /// What the paper says that it gives.
        published: StatedValue,
    },
    /// Something that nothing here can test.
    Untestable {
        /// Why not.
        reason: String,
    },
}

/// A number that the trials of a study give.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum StudyMetric {
    /// The mean hypervolume of the front over the games spent, up to as many games as both of a pair have
    /// spent: the higher, the fewer games it took to find what is good.
    Hypervolume,
}

impl StudyMetric {
    /// All of them.
    pub const ALL: [Self; 1] = [Self::Hypervolume];

    /// How manifests and tables write it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hypervolume => "hypervolume",
        }
    }
}

/// The end of a published range that is our own choice: the paper has a word, and no number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Chosen {
    /// The lower end.
    Low,
    /// The upper end.
    High,
    /// Both ends.
    Both,
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
    pub const fn games(self) -> u64 {
        match self {
            Self::Known(games) | Self::Assumed(games) => games,
        }
    }
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
    pub const fn default_for(metric: Metric) -> Self {
        if metric.is_timed() { Self::Lower } else { Self::Higher }
    }
}
