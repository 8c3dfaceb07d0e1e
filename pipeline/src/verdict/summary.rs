//! How many claims came to what, and how many misses chance alone would bring.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Finding, Grounds, Verdict};
use crate::stats::{Misses, misses};

/// The verdicts, counted.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// All of them.
    pub counts: Counts,
    /// Those of each paper.
    pub papers: BTreeMap<String, Counts>,
    /// The numeric claims that were missed, against those that chance would miss.
    pub misses: Misses,
}

/// How many claims came to what.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Counts(BTreeMap<Finding, u64>);

impl Counts {
    /// How many came to this.
    #[must_use]
    pub fn of(&self, finding: Finding) -> u64 {
        self.0.get(&finding).copied().unwrap_or(0)
    }

    /// How many there are.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.0.values().sum()
    }

    fn add(&mut self, finding: Finding) {
        *self.0.entry(finding).or_default() += 1;
    }
}

impl Summary {
    /// Counts verdicts.
    #[must_use]
    pub fn of(verdicts: &[Verdict<'_>]) -> Self {
        let mut counts = Counts::default();
        let mut papers: BTreeMap<String, Counts> = BTreeMap::new();
        for verdict in verdicts {
            counts.add(verdict.finding);
            papers.entry(verdict.paper.id.clone()).or_default().add(verdict.finding);
        }
        let tested = verdicts.iter().filter_map(|verdict| match &verdict.grounds {
            Grounds::Numeric { prediction, .. } => {
                Some((prediction.level, verdict.finding != Finding::Consistent))
            }
            _ => None,
        });
        Self { counts, papers, misses: misses(tested) }
    }

    /// What chance has to do with it, in a sentence.
    #[must_use]
    pub fn chance_sentence(&self) -> String {
        let Misses { claims, seen, expected, .. } = self.misses;
        format!(
            "Of {claims} numeric claims that were tested, {seen} were missed; if all were true, chance alone would miss about \
             {expected:.1}. Claims about the same games miss together, so the number can stray further than for independent ones."
        )
    }
}
