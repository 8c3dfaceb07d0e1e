//! Verdicts: every claim, held against the stored games.
//!
//! A numeric claim is `consistent` where games like ours could have given the published number, else ours is
//! `higher` or `lower`; where our games could not have refused any number, it is `undecided`. An ordinal one
//! is `confirmed`, `contradicted` or `undecided` by the interval of the difference; an arithmetic one is
//! `right` or `wrong`. What has no games, or faults that nobody has acknowledged, or cannot be tested by
//! games at all, is `untestable`, with the reason.

mod conclusions;
pub mod evidence;
mod gate;
mod kinds;
mod readings;
mod stale;
mod stored;
mod summary;
#[cfg(test)]
mod tests;
mod thresholds;
mod view;

use serde::{Serialize, Serializer};

pub use manifest::Ruling;

pub use conclusions::{ConclusionStatus, JudgedConclusion, NeededVerdict, Part, conclude};
pub use evidence::{EvidenceError, StudyEvidence};
pub use gate::{Change, GateError, changes, differences, read_gate, read_stored, rulings};
pub use kinds::{GroundsTexts, published_text};
pub use readings::{PaperReadings, Reading};
pub use stale::stale_note;
pub use stored::{StoredVerdicts, StoredVerdictsError};
pub use summary::{Counts, Orders, Summary};
pub use thresholds::Thresholds;
pub use view::{ClaimsFile, VerdictView};

use crate::evidence::{Evidence, Games};
use jobs::Key;
use manifest::{Claim, Metric, NoteId, Paper};
use metrics::MetricError;
use platform::threads;
use stats::{Estimate, Prediction, Sizes};
use text::counted;

/// A claim and its verdict.
#[derive(Clone, Debug)]
pub struct Verdict<'a> {
    /// The paper.
    pub paper: &'a Paper,
    /// The claim.
    pub claim: &'a Claim,
    /// The result.
    pub ruling: Ruling,
    /// What it rests on.
    pub grounds: Grounds,
    /// Whether it rests on measured time, so that another machine may find otherwise.
    pub rests_on_timing: bool,
    /// Whether games that the manifest asks for are missing, so that playing them may find otherwise.
    pub lacks_games: bool,
    /// Why, in a sentence or two, without the notes that it is conditional on.
    pub reason: String,
    /// The texts of its row in a table.
    pub texts: GroundsTexts,
}

impl Verdict<'_> {
    /// The reason, and the notes that the verdict is conditional on.
    pub fn sentence(&self) -> String {
        let notes: Vec<&str> = self.claim.conditional_on.iter().map(NoteId::as_str).collect();
        match notes.as_slice() {
            [] => self.reason.clone(),
            notes => format!("{} Conditional on {}.", self.reason, notes.join(", ")),
        }
    }
}

/// What a verdict rests on.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Grounds {
    /// A published number against games.
    Numeric {
        /// Ours.
        ours: Estimate,
        /// Where the paper's would lie.
        prediction: Prediction,
        /// The numbers of games at which the claim would stand, where the paper does not say how many it had.
        sizes: Option<Sizes>,
        /// How far ours is from the published number.
        effect: Option<Effect>,
        /// Where it is undecided, how many games of ours would decide; `None` if no number of them would.
        games_to_decide: Option<u64>,
        /// Where an end of a published range is our own choice, the ends with which the verdict is the same.
        thresholds: Option<Thresholds>,
    },
    /// Two experiments against each other.
    Ordinal {
        /// The one that is said to be better.
        better: Estimate,
        /// The other.
        worse: Estimate,
        /// By how much the first is ahead.
        lead: Estimate,
        /// The smallest lead that would have been seen with 80 % power.
        visible: Option<f64>,
        /// How far apart the two are.
        effect: Option<Effect>,
        /// Where they do not tell the two apart: how many games of each would, with 80 % power, if the lead
        /// is the one that was found.
        games_to_decide: Option<[u64; 2]>,
    },
    /// A computation done again.
    Arithmetic {
        /// What it gives.
        value: String,
        /// How.
        because: String,
    },
    /// Nothing.
    Nothing {
        /// Why.
        #[serde(serialize_with = "as_text")]
        reason: Untestable,
    },
}

fn as_text<S: Serializer>(reason: &Untestable, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(reason)
}

/// How far ours is from the published value, on a scale that says how much that matters: where ours is
/// higher, a difference is above 0 and a ratio above 1. A published range is measured from its end that is
/// nearest to ours, so inside of it they are 0 and 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Effect {
    /// Ours less the published number, in standard deviations of one of our games.
    StandardDeviations(f64),
    /// Our share less the published one.
    ShareDifference(f64),
    /// Ours over the published number.
    Ratio(f64),
    /// The probability that a game of the better one scores higher than one of the other, ties half.
    Superiority(Estimate),
}

/// Judges every claim of every paper, in the manifests' order.
pub fn judge<'a>(papers: &'a [Paper], evidence: &Evidence) -> Vec<Verdict<'a>> {
    let claims = papers.iter().flat_map(|paper| paper.claims.iter().map(move |claim| (paper, claim)));
    let claims: Vec<(&'a Paper, &'a Claim)> = claims.collect();
    // Some take their numbers from the moves in records files.
    threads::map(&claims, |(paper, claim)| judge_one(paper, claim, evidence))
}

fn judge_one<'a>(paper: &'a Paper, claim: &'a Claim, evidence: &Evidence) -> Verdict<'a> {
    let context = ClaimContext { paper, evidence };
    let kinds::Judgement { ruling, grounds, reason, texts } = kinds::judge(&context, claim);
    let (rests_on_timing, lacks_games) = (context.rests_on_timing(claim), context.lacks_games(claim));
    Verdict { paper, claim, ruling, grounds, rests_on_timing, lacks_games, reason, texts }
}

/// Why something cannot be held against games, or taken of them.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum Untestable {
    #[error("{reason}")]
    ByNature { reason: String },
    #[error("{key} was not played; `pipeline run {key}` plays it")]
    NotPlayed { key: Key },
    #[error("study {key} was not run; `pipeline study {key}` runs it")]
    NotSearched { key: Key },
    #[error(
        "the games of {key} are stale: the manifest asks for {instead}; `pipeline run {key}` plays them again"
    )]
    Stale { key: Key, instead: String },
    #[error(
        "{} of {key} {} ended by a fault of the agent; `acknowledged_faults = {faults}` lets {} count",
        counted(*faults, "game"),
        if *faults == 1 { "was" } else { "were" },
        if *faults == 1 { "it" } else { "them" }
    )]
    Faulty { key: Key, faults: u64 },
    #[error(transparent)]
    Metric(#[from] MetricError),
    #[error("ratios need at least two timed games on each side")]
    FewTimed,
    #[error("the two are different statistics")]
    DifferentStatistics,
    #[error("{n} games are too few to say what {published} games of the paper would give")]
    FewGames { n: u64, published: u64 },
}

/// What the claims of a paper are tested with.
struct ClaimContext<'a> {
    paper: &'a Paper,
    evidence: &'a Evidence,
}

impl ClaimContext<'_> {
    /// The games of an experiment, if they may be used.
    fn games(&self, experiment: &str) -> Result<&Games, Untestable> {
        let key = Key::new(&self.paper.id, experiment);
        let games = self.evidence.games(&key).ok_or_else(|| Untestable::NotPlayed { key: key.clone() })?;
        let asked = self.paper.experiment(experiment);
        if let Some(instead) = asked.and_then(|asked| stale_note(asked, games)) {
            return Err(Untestable::Stale { key, instead });
        }
        let acknowledged = asked.map_or(0, |experiment| experiment.acknowledged_faults);
        let faults = games.faults();
        if faults > acknowledged {
            return Err(Untestable::Faulty { key, faults });
        }
        Ok(games)
    }

    /// Whether a claim rests on measured time: on a ratio of times, or on an agent that looks at the clock.
    fn rests_on_timing(&self, claim: &Claim) -> bool {
        let by_clock = |id: &str| {
            let budget = self.paper.experiment(id).map(|experiment| experiment.budget);
            matches!(budget, Some(engine::agent::Budget::TimeNs(_)))
        };
        let is_timed = claim.metric().is_some_and(Metric::is_timed);
        is_timed || claim.experiments().into_iter().any(by_clock)
    }

    /// Whether an experiment or a study of a claim has not been played as its manifest has it: not at all,
    /// otherwise, or fewer games.
    fn lacks_games(&self, claim: &Claim) -> bool {
        let is_whole = |id: &str| {
            let key = Key::new(&self.paper.id, id);
            let (asked, games) = (self.paper.experiment(id)?, self.evidence.games(&key)?);
            Some(stale_note(asked, games).is_none() && games.outcomes.len() as u64 >= asked.games)
        };
        let is_searched = |id: &&str| {
            let key = Key::new(&self.paper.id, id);
            self.evidence.study(&key).is_some()
        };
        !claim.studies().iter().all(is_searched)
            || claim.experiments().into_iter().any(|id| is_whole(id) != Some(true))
    }
}
