//! How many claims came to what, how each paper fares under each of its interpretations, and how many misses
//! chance alone would bring.

use std::collections::BTreeMap;

use serde::Serialize;

use super::readings::{PaperReadings, Reading, Tested, statements};
use super::{Ruling, Verdict};
use stats::{LEVEL, Misses, misses};
use text::{counted, percent};

/// The verdicts, counted.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// All that papers claim.
    pub counts: Counts,
    /// Those of each paper.
    pub papers: BTreeMap<String, Counts>,
    /// Our own checks on what papers print; no paper claims them.
    pub audits: Counts,
    /// Each paper that games can test, under each of its interpretations.
    pub readings: BTreeMap<String, PaperReadings>,
    /// All papers, each under its best single interpretation.
    pub best: Reading,
    /// The statements of those that were missed, against those that chance would miss.
    pub misses: Misses,
    /// The orders among them.
    pub orders: Orders,
}

/// How many claims came to what.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Counts(BTreeMap<Ruling, u64>);

impl Counts {
    /// How many came to this.
    pub fn of(&self, ruling: Ruling) -> u64 {
        self.0.get(&ruling).copied().unwrap_or(0)
    }

    /// How many there are.
    pub fn total(&self) -> u64 {
        self.0.values().sum()
    }

    fn add(&mut self, ruling: Ruling) {
        *self.0.entry(ruling).or_default() += 1;
    }
}

/// Orders that were put to the test, each by an interval of its own.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Orders {
    /// Those that were tested.
    pub tested: u64,
    /// Those that were decided, for or against the paper.
    pub decided: u64,
    /// The level of each interval.
    pub level: f64,
    /// How many would be decided wrongly by chance alone, at most: as often as an interval does not hold the
    /// truth.
    pub wrong_at_most: f64,
}

impl Orders {
    fn of(tested: &[Tested]) -> Self {
        let orders: Vec<&Tested> = tested.iter().filter(|tested| tested.is_order).collect();
        let decided = orders.iter().filter(|order| order.ruling != Ruling::Undecided).count() as u64;
        let count = orders.len() as u64;
        Self { tested: count, decided, level: LEVEL, wrong_at_most: count as f64 * (1.0 - LEVEL) }
    }
}

impl Summary {
    /// Counts verdicts.
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
        let (mut readings, mut tested) = (BTreeMap::new(), Vec::new());
        let mut best = Reading::default();
        for (paper, statements) in statements(verdicts) {
            let of_paper = PaperReadings::of(paper, &statements);
            let chosen = of_paper.best();
            tested.extend(statements.iter().filter_map(|statement| statement.tested(&chosen.id)));
            best.add(chosen);
            readings.insert(paper.id.clone(), of_paper);
        }
        let misses = misses(tested.iter().map(|tested| (1.0 - tested.chance, tested.is_miss())));
        Self { counts, papers, audits, readings, best, misses, orders: Orders::of(&tested) }
    }

    /// What to bear in mind with the counts: chance, and what they leave out.
    pub fn remarks(&self) -> String {
        let chance = (self.best.covered > 0).then(|| self.chance_sentence());
        [chance, self.orders_sentence(), self.audits_sentence()]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// How the papers fare under the best single interpretation of each, and what chance has to do with it.
    pub fn chance_sentence(&self) -> String {
        let Reading { covered, missed, undecided, not_covered, untested, expected, .. } = &self.best;
        let statements = counted(*covered, "statement");
        let mut parts = vec![so_many(*missed, "is missed", "are missed")];
        parts.push(so_many(*undecided, "is undecided", "are undecided"));
        if *not_covered > 0 {
            parts.push(so_many(*not_covered, "more is not covered", "more are not covered"));
        }
        if *untested > 0 {
            parts.push(so_many(*untested, "more lacks its games", "more lack their games"));
        }
        let last = parts.pop().unwrap_or_default();
        format!(
            "Each paper is read in one way throughout: the interpretation that fits it best. Of {statements} that games can test, {} and \
             {last}; if all were true, about {expected:.1} misses would be expected by chance alone, at most. Statements about the same \
             games miss together, so the count varies more than it would for independent ones. Times are left out: they were measured \
             on other machines.",
            parts.join(", "),
        )
    }

    /// How many orders were decided, and how many of them wrongly by chance; `None` if there are none.
    pub fn orders_sentence(&self) -> Option<String> {
        let Orders { tested, decided, level, wrong_at_most } = self.orders;
        let (orders, decisions) = (counted(tested, "order"), so_many(decided, "was decided", "were decided"));
        (tested > 0).then(|| {
            format!(
                "Of {orders} among these statements {decisions}, each by itself at the {} % level; at most about {wrong_at_most:.1} \
                 wrong decisions would be expected by chance alone.",
                percent(level),
            )
        })
    }

    /// The results of our own checks, in a sentence; `None` if there are none.
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

/// So many, with the verb that goes with it.
fn so_many(count: u64, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
