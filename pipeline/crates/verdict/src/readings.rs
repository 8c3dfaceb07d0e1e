//! A paper under each of its interpretations: which of its statements fit, and which do not.
//!
//! A statement is what the paper says once, in a number or an order; its readings are the claims that test
//! it, each under some interpretations and at most one under each. No statement chooses its own reading: an
//! interpretation is judged as a whole, and the best single one speaks for the paper.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Grounds, Ruling, Verdict};
use manifest::Paper;
use stats::LEVEL;

/// How a paper fares under one interpretation, in statements.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Reading {
    /// The interpretation.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Those that were tested under it.
    pub covered: u64,
    /// Those that do not fit: ours is higher or lower, or the order is contradicted.
    pub missed: u64,
    /// Those that our games do not decide.
    pub undecided: u64,
    /// Those whose games were not played, or cannot be used.
    pub untested: u64,
    /// Those that it says nothing about.
    pub not_covered: u64,
    /// How many would be missed by chance, at most, if all that were tested are true.
    pub expected: f64,
}

impl Reading {
    fn of(id: &str, name: &str, statements: &[Statement<'_>]) -> Self {
        let mut reading = Self { id: id.to_owned(), name: name.to_owned(), ..Self::default() };
        for statement in statements {
            match (statement.verdict(id), statement.tested(id)) {
                (None, _) => reading.not_covered += 1,
                (Some(_), None) => reading.untested += 1,
                (Some(_), Some(tested)) => {
                    reading.covered += 1;
                    reading.missed += u64::from(tested.is_miss());
                    reading.undecided += u64::from(tested.ruling == Ruling::Undecided);
                    reading.expected += tested.chance;
                }
            }
        }
        reading
    }

    pub(super) fn add(&mut self, other: &Self) {
        self.covered += other.covered;
        self.missed += other.missed;
        self.undecided += other.undecided;
        self.untested += other.untested;
        self.not_covered += other.not_covered;
        self.expected += other.expected;
    }

    /// What speaks against it, first of all what it misses or leaves out. What was not played may be missed
    /// as well.
    const fn against(&self) -> (u64, u64) {
        (self.missed + self.not_covered + self.untested, self.undecided)
    }
}

/// How a paper fares under all of its interpretations.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PaperReadings {
    /// The interpretations, in the manifest's order.
    pub interpretations: Vec<Reading>,
    /// The place of the one that fits best.
    #[serde(skip)]
    best: usize,
    /// Its id.
    #[serde(rename = "best")]
    best_id: String,
}

impl PaperReadings {
    pub(super) fn of(paper: &Paper, statements: &[Statement<'_>]) -> Self {
        let of = |interpretation: &manifest::Interpretation| {
            Reading::of(&interpretation.id, &interpretation.name, statements)
        };
        let interpretations: Vec<Reading> = paper.interpretations.iter().map(of).collect();
        let places = (0..interpretations.len()).min_by_key(|&place| interpretations[place].against());
        let best = places.unwrap_or_default();
        let best_id = interpretations.get(best).map(|reading| reading.id.clone()).unwrap_or_default();
        Self { interpretations, best, best_id }
    }

    /// The one that misses or leaves out the fewest statements; of equals, the one with the fewest undecided,
    /// then the first.
    pub fn best(&self) -> &Reading {
        &self.interpretations[self.best]
    }
}

/// What a paper says once, and the verdicts on its readings.
pub(super) struct Statement<'a>(Vec<&'a Verdict<'a>>);

/// A statement that was tested under an interpretation.
#[derive(Clone, Copy)]
pub(super) struct Tested {
    pub(super) ruling: Ruling,
    pub(super) is_order: bool,
    /// The chance that it would be missed if it were true, at most.
    pub(super) chance: f64,
}

impl Tested {
    pub(super) fn is_miss(&self) -> bool {
        self.ruling.is_borne_out() == Some(false)
    }
}

impl<'a> Statement<'a> {
    /// The verdict on the reading that applies under an interpretation.
    fn verdict(&self, interpretation: &str) -> Option<&'a Verdict<'a>> {
        self.0.iter().copied().find(|verdict| verdict.claim.is_under(interpretation))
    }

    /// The same as a test; `None` if there is no reading, or its games cannot be used.
    pub(super) fn tested(&self, interpretation: &str) -> Option<Tested> {
        let verdict = self.verdict(interpretation)?;
        let (is_order, chance) = match &verdict.grounds {
            Grounds::Numeric { prediction, .. } => (false, 1.0 - prediction.level),
            // Of an interval's two errors, only one puts a true order the wrong way round.
            Grounds::Ordinal { .. } => (true, (1.0 - LEVEL) / 2.0),
            Grounds::Arithmetic { .. } | Grounds::Nothing { .. } => return None,
        };
        Some(Tested { ruling: verdict.ruling, is_order, chance })
    }
}

/// The statements of every paper that has some for games to test, in the order of claims. Those that rest on
/// time in any reading are left out, and so are our own checks.
pub(super) fn statements<'a>(verdicts: &'a [Verdict<'a>]) -> Vec<(&'a Paper, Vec<Statement<'a>>)> {
    let mut papers: Vec<(&Paper, Vec<Statement<'_>>)> = Vec::new();
    let mut places: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    let counts =
        |verdict: &&Verdict<'_>| !verdict.claim.audit && verdict.claim.is_tested_under_interpretations();
    for verdict in verdicts.iter().filter(counts) {
        let paper = verdict.paper;
        if papers.last().is_none_or(|(last, _)| last.id != paper.id) {
            papers.push((paper, Vec::new()));
        }
        let Some((_, statements)) = papers.last_mut() else { continue };
        let place = *places.entry((&paper.id, verdict.claim.statement())).or_insert_with(|| {
            statements.push(Statement(Vec::new()));
            statements.len() - 1
        });
        statements[place].0.push(verdict);
    }
    for (_, statements) in &mut papers {
        statements.retain(|statement| statement.0.iter().all(|verdict| !verdict.rests_on_timing));
    }
    papers.retain(|(_, statements)| !statements.is_empty());
    papers
}
