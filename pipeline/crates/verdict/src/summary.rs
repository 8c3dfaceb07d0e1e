//! How many claims came to what, and how many misses chance alone would bring.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Grounds, Ruling, Verdict};
use stats::{Misses, misses};

/// The verdicts, counted.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// All that papers claim.
    pub counts: Counts,
    /// Those of each paper.
    pub papers: BTreeMap<String, Counts>,
    /// Our own checks on what papers print; no paper claims them.
    pub audits: Counts,
    /// The published numbers that no reading fits, against those that chance would miss.
    pub misses: Misses,
}

/// How many claims came to what.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Counts(BTreeMap<Ruling, u64>);

impl Counts {
    /// How many came to this.
    #[must_use]
    pub fn of(&self, ruling: Ruling) -> u64 {
        self.0.get(&ruling).copied().unwrap_or(0)
    }

    /// How many there are.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.0.values().sum()
    }

    fn add(&mut self, ruling: Ruling) {
        *self.0.entry(ruling).or_default() += 1;
    }
}

impl Summary {
    /// Counts verdicts.
    #[must_use]
    pub fn of(verdicts: &[Verdict<'_>]) -> Self {
        let (mut counts, mut audits) = (Counts::default(), Counts::default());
        let mut papers: BTreeMap<String, Counts> = BTreeMap::new();
        for verdict in verdicts {
            if verdict.claim.audit {
                audits.add(verdict.ruling);
                continue;
            }
            counts.add(verdict.ruling);
            papers.entry(verdict.paper.id.clone()).or_default().add(verdict.ruling);
        }
        Self { counts, papers, audits, misses: misses(published_numbers(verdicts).into_values()) }
    }

    /// What to bear in mind with the counts: chance, and what they leave out.
    #[must_use]
    pub fn remarks(&self) -> String {
        let chance = (self.misses.claims > 0).then(|| self.chance_sentence());
        [chance, self.audits_sentence()].into_iter().flatten().collect::<Vec<_>>().join(" ")
    }

    /// What chance has to do with it, in a sentence.
    #[must_use]
    pub fn chance_sentence(&self) -> String {
        let Misses { claims, seen, expected, .. } = self.misses;
        let fit = if seen == 1 { "fits" } else { "fit" };
        format!(
            "Of {claims} published numbers that games can test, {seen} {fit} none of the readings that were tried; if one reading of each \
             were true, at most about {expected:.1} misses would be expected by chance alone. Numbers from the same games miss together, \
             so the count varies more than it would for independent numbers. Times are left out: they were measured on other machines."
        )
    }

    /// What came of our own checks, in a sentence; none where there are none.
    #[must_use]
    pub fn audits_sentence(&self) -> Option<String> {
        let total = self.audits.total();
        let parts: Vec<String> =
            self.audits.0.iter().map(|(ruling, count)| format!("{count} {ruling}")).collect();
        let (checks, are, them) = if total == 1 { ("check", "is", "it") } else { ("checks", "are", "them") };
        (total > 0).then(|| {
            format!(
                "{total} {checks} of ours on what the papers print {are} not counted, since no paper claims {them}: {}.",
                parts.join(", ")
            )
        })
    }
}

/// Every published number that was tested: the probability that its interval holds it, and whether no reading of it fits.
///
/// Readings of one number exclude each other, so they are one number here.
fn published_numbers<'a>(verdicts: &'a [Verdict<'a>]) -> BTreeMap<(&'a str, &'a str), (f64, bool)> {
    let mut numbers = BTreeMap::new();
    for verdict in verdicts.iter().filter(|verdict| !verdict.rests_on_timing) {
        let Grounds::Numeric { prediction, .. } = &verdict.grounds else { continue };
        let first = verdict.claim.reading_of.as_ref().unwrap_or(&verdict.claim.id);
        let number: &mut (f64, bool) =
            numbers.entry((verdict.paper.id.as_str(), first.as_str())).or_insert((prediction.level, true));
        number.0 = number.0.min(prediction.level);
        number.1 &= verdict.ruling != Ruling::Consistent;
    }
    numbers
}
