//! Verdicts: every claim, held against the stored games.
//!
//! A numeric claim is `consistent` where games like ours could have given the published number, else ours is `higher` or `lower`;
//! where our games could not have refused any number, it is `undecided`. An ordinal one is `confirmed`, `contradicted` or `undecided`
//! by the interval of the difference; an arithmetic one is `right` or `wrong`. What has no games, or faults that nobody has
//! acknowledged, or cannot be tested by games at all, is `untestable`, with the reason.

mod arithmetic;
mod conclusions;
pub mod evidence;
mod explained;
pub mod format;
mod gate;
mod kept;
mod last_board;
mod numeric;
mod of_studies;
mod ordinal;
mod readings;
mod replayed;
mod sentence;
mod stale;
mod summary;
#[cfg(test)]
mod tests;
mod thresholds;
mod view;

use serde::Serialize;

pub use manifest::Ruling;

pub use conclusions::{Concluded, Need, Part, Standing, conclude};
pub use gate::{Change, GateError, changes, differences, read_gate, read_stored, rulings};
pub use kept::{Kept, KeptError};
pub use readings::{PaperReadings, Reading};
pub use sentence::{GroundsTexts, grounds_texts, published_text};
pub use stale::stale_note;
pub use summary::{Counts, Orders, Summary};
pub use thresholds::Thresholds;
pub use view::{ClaimsFile, VerdictView};

use crate::evidence::{Evidence, Games};
use crate::format::counted;
use manifest::{Claim, ClaimKind, Given, Metric, Paper, Statistic};
use records::key::Key;
use stats::{Estimate, Measured, NoSample, Prediction, Rate, Sample, Sizes};
use surroundings::threads;

/// A claim and what came of it.
#[derive(Clone, Debug)]
pub struct Verdict<'a> {
    /// The paper.
    pub paper: &'a Paper,
    /// The claim.
    pub claim: &'a Claim,
    /// What came of it.
    pub ruling: Ruling,
    /// What it rests on.
    pub grounds: Grounds,
    /// Whether it rests on measured time, so that another machine may find otherwise.
    pub rests_on_timing: bool,
    /// Whether games that the manifest asks for are missing, so that playing them may find otherwise.
    pub lacks_games: bool,
    /// All of it in a sentence or two.
    pub sentence: String,
}

/// What a verdict rests on.
#[derive(Clone, Debug)]
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
        /// Where it is undecided, how many games of ours would decide; none where no number of them would.
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
        /// Where they do not tell the two apart: how many games of each would, with 80 % power, if the lead is the one that was found.
        games_to_decide: Option<[u64; 2]>,
    },
    /// A computation done again.
    Arithmetic {
        /// What it gives.
        value: String,
        /// How.
        because: String,
    },
    /// Nothing: the reason.
    Nothing(Untestable),
}

/// How far ours is from the published value, on a scale that says how much that matters: where ours is higher, a difference is above 0
/// and a ratio above 1. A published range is measured from its end that is nearest to ours, so inside of it they are 0 and 1.
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
#[must_use]
pub fn judge<'a>(papers: &'a [Paper], evidence: &Evidence) -> Vec<Verdict<'a>> {
    let claims = papers.iter().flat_map(|paper| paper.claims.iter().map(move |claim| (paper, claim)));
    let claims: Vec<(&'a Paper, &'a Claim)> = claims.collect();
    // Some take their numbers from the moves in records files.
    threads::map(&claims, |(paper, claim)| judge_one(paper, claim, evidence))
}

fn judge_one<'a>(paper: &'a Paper, claim: &'a Claim, evidence: &Evidence) -> Verdict<'a> {
    let court = Court { paper, evidence };
    let judged = match &claim.kind {
        ClaimKind::Numeric { .. } => numeric::judge(&court, &claim.kind),
        ClaimKind::Ordinal { .. } => ordinal::judge(&court, &claim.kind),
        ClaimKind::OrdinalOfStudies { .. } => of_studies::judge(&court, &claim.kind),
        ClaimKind::Arithmetic { check, published } => {
            let computed = arithmetic::compute(check, published);
            let ruling = if computed.is_right { Ruling::Right } else { Ruling::Wrong };
            Ok((ruling, Grounds::Arithmetic { value: computed.value, because: computed.because }))
        }
        ClaimKind::Untestable { reason } => Err(Untestable::ByNature { reason: reason.clone() }),
    };
    let (ruling, grounds) = judged.unwrap_or_else(|reason| (Ruling::Untestable, Grounds::Nothing(reason)));
    let sentence = sentence::sentence(claim, ruling, &grounds);
    let (rests_on_timing, lacks_games) = (court.rests_on_timing(claim), court.lacks_games(claim));
    Verdict { paper, claim, ruling, grounds, rests_on_timing, lacks_games, sentence }
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
    #[error("no game counts for this claim")]
    NoGame,
    #[error("{0}")]
    NoSample(NoSample),
    #[error("the games of {experiment} were not timed")]
    NotTimed { experiment: String },
    #[error("ratios need at least two timed games on each side")]
    FewTimed,
    #[error("the ratio needs a value above 0 of every game of {experiment}")]
    NotPositive { experiment: String },
    #[error("its games cannot be replayed: {problem}")]
    NotReplayed { problem: String },
    #[error("all games reach {tile}, or none does, or their scores are all the same")]
    NothingBetween { tile: u32 },
    #[error("a ratio needs two experiments")]
    OneExperiment,
    #[error("the two are different statistics")]
    DifferentStatistics,
    #[error("{n} games are too few to say what {published} games of the paper would give")]
    FewGames { n: u64, published: u64 },
}

/// Where claims are held against games. What cannot be, is an error with the reason.
struct Court<'a> {
    paper: &'a Paper,
    evidence: &'a Evidence,
}

impl Court<'_> {
    /// The games of an experiment, if they may be used.
    fn games(&self, experiment: &str) -> Result<&Games, Untestable> {
        let key = Key { paper: self.paper.id.clone(), experiment: experiment.to_owned() };
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

    /// Whether an experiment or a study of a claim has not been played as its manifest has it: not at all, otherwise, or fewer games.
    fn lacks_games(&self, claim: &Claim) -> bool {
        let is_whole = |id: &str| {
            let key = Key { paper: self.paper.id.clone(), experiment: id.to_owned() };
            let (asked, games) = (self.paper.experiment(id)?, self.evidence.games(&key)?);
            Some(stale_note(asked, games).is_none() && games.outcomes.len() as u64 >= asked.games)
        };
        let is_searched = |id: &&str| {
            let key = Key { paper: self.paper.id.clone(), experiment: (*id).to_owned() };
            self.evidence.searched(&key).is_some()
        };
        !claim.studies().iter().all(is_searched)
            || claim.experiments().into_iter().any(|id| is_whole(id) != Some(true))
    }
}

/// What a metric is taken of in some games.
enum Taken {
    Games(Sample),
    Count(Rate),
}

impl Taken {
    fn of(metric: Metric, games: &Games) -> Result<Self, Untestable> {
        match metric {
            Metric::Summary { quantity, given, .. } => sample(games.values(quantity, given)).map(Self::Games),
            Metric::Share { event, given } => {
                let (count, n) = games.count(event, given);
                Rate::new(count, n).map(Self::Count).map_err(|_| Untestable::NoGame)
            }
            Metric::Habit(habit) => sample(replayed::values(games, habit)?).map(Self::Games),
            Metric::Explained { tile } => {
                sample(explained::by_reaching(&games.outcomes, tile)?).map(Self::Games)
            }
            Metric::Ratio(_) | Metric::CpuPerMoveRatio => Err(Untestable::OneExperiment),
        }
    }

    fn measured(&self, metric: Metric) -> Measured<'_> {
        match (self, metric) {
            (Self::Count(rate), _) => Measured::Rate(*rate),
            (Self::Games(sample), Metric::Summary { statistic, .. }) => Measured::Summary(statistic, sample),
            (Self::Games(sample), _) => Measured::Summary(Statistic::Mean, sample),
        }
    }
}

fn sample(values: Vec<f64>) -> Result<Sample, Untestable> {
    Sample::new(values).map_err(|error| match error {
        NoSample::Empty => Untestable::NoGame,
        other => Untestable::NoSample(other),
    })
}

/// The logarithms of what a ratio is about, one for each game.
fn logs(metric: Metric, games: &Games, experiment: &str) -> Result<Sample, Untestable> {
    let Metric::Ratio(quantity) = metric else { return log_times(games, experiment) };
    let values = games.values(quantity, Given::Always);
    if values.iter().any(|&value| value <= 0.0) {
        return Err(Untestable::NotPositive { experiment: experiment.to_owned() });
    }
    sample(values.into_iter().map(libm::log).collect())
}

/// The logarithms of the CPU times of a move, one for each game: ratios are differences there.
fn log_times(games: &Games, experiment: &str) -> Result<Sample, Untestable> {
    let times = games.cpu_ns_per_move();
    if times.is_empty() {
        return Err(Untestable::NotTimed { experiment: experiment.to_owned() });
    }
    sample(times.into_iter().map(libm::log).collect())
}

/// A metric of an experiment's games, with its interval, as tables show it.
///
/// # Errors
/// The reason, where there is nothing to take it of.
pub fn estimate(metric: Metric, games: &Games) -> Result<Estimate, Untestable> {
    Ok(Taken::of(metric, games)?.measured(metric).estimate())
}
