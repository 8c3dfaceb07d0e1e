//! What a contest came to, for people and for scripts.

use std::path::PathBuf;

use engine::Rules;
use engine::agent::Budget;
use serde::Serialize;
use serde_json::{Map, Value};

use super::Question;
use crate::contest::{ContestResult, Judge, PairDecision, PairStanding};
use crate::lookup::chosen_agent::ChosenAgent;
use crate::plan::Planned;
use jobs::Key;
use stats::{Comparison, Estimate, Pairing, Sample, Tally, elo};

/// The outcome of a contest.
#[derive(Serialize)]
pub(super) struct View {
    pub(super) contestants: Vec<Contestant>,
    pub(super) rules: Rules,
    pub(super) starts: Vec<String>,
    pub(super) seed: u64,
    /// How many seeds were played that count.
    pub(super) seeds: u64,
    pub(super) limit: u64,
    pub(super) test: Judge,
    pub(super) is_decided: bool,
    /// Every two contestants.
    pub(super) pairs: Vec<Pair>,
    /// Of two contestants alone: how they stand.
    pub(super) standing: Option<TwoStanding>,
    /// The records, where they are kept.
    pub(super) records: Vec<PathBuf>,
}

/// One of the agents.
#[derive(Serialize)]
pub(super) struct Contestant {
    /// What the command line calls it.
    pub(super) label: String,
    /// The agent and all settings that are not its defaults, as a command line takes them.
    pub(super) written: String,
    #[serde(skip)]
    pub(super) setting: String,
    pub(super) agent: String,
    pub(super) version: String,
    pub(super) plugin: PathBuf,
    pub(super) plugin_sha256: String,
    pub(super) params: Map<String, Value>,
    pub(super) budget: Budget,
    /// The experiment whose budget it is, where none was given.
    pub(super) budget_of: Option<Key>,
    /// Whether another contest would play the same games.
    pub(super) repeatable: bool,
    /// The mean score; none before the first seed.
    pub(super) mean: Option<Estimate>,
    /// Its rating among more than two, the average being 0.
    pub(super) rating: Option<Estimate>,
    /// The best place that the tests leave open.
    pub(super) best_place: usize,
    /// The worst one.
    pub(super) worst_place: usize,
}

/// Two of the agents.
#[derive(Serialize)]
pub(super) struct Pair {
    pub(super) first: usize,
    pub(super) second: usize,
    /// The seeds, from the second one's view.
    pub(super) tally: Tally,
    pub(super) decision: Option<PairDecision>,
    /// The second one's lead.
    pub(super) elo: Estimate,
    /// How the second one's scores differ from the first's.
    pub(super) scores: Option<Comparison>,
    /// Whether both have the same score on every seed.
    pub(super) same_scores: bool,
}

/// How two contestants stand.
#[derive(Serialize)]
pub(super) struct TwoStanding {
    tally: Tally,
    /// The logarithm of the likelihood ratio of a one-sided test, or both of a two-sided one: that A is stronger, and that B is.
    llr: Value,
    bounds: (f64, f64),
    decision: Option<&'static str>,
}

impl View {
    pub(super) fn of(
        question: &Question,
        planned: &[Vec<Planned>],
        outcome: &ContestResult,
        records: Vec<PathBuf>,
    ) -> Self {
        let samples: Vec<Option<Sample>> = (0..question.agents.len())
            .map(|place| Sample::new(outcome.scores.iter().map(|seed| f64::from(seed[place]))).ok())
            .collect();
        let ratings = match question.agents.len() {
            2 => Vec::new(),
            _ => stats::ratings(&outcome.scores),
        };
        let pairs: Vec<Pair> = outcome.standing.pairs.iter().map(|pair| Pair::of(pair, &samples)).collect();
        let contestants = question.agents.iter().enumerate().map(|(place, chosen)| {
            let mean = samples[place].as_ref().map(stats::mean);
            let repeatable = planned[place].iter().all(Planned::repeats);
            Contestant {
                repeatable,
                ..Contestant::of(chosen, place, mean, ratings.get(place).copied(), &pairs)
            }
        });
        let standing = match &outcome.standing.pairs[..] {
            [only] => Some(TwoStanding::of(&question.judge, only)),
            _ => None,
        };
        Self {
            contestants: contestants.collect(),
            rules: question.rules.clone(),
            starts: question
                .starts
                .iter()
                .map(|(name, _)| name.clone())
                .filter(|name| !name.is_empty())
                .collect(),
            seed: question.seed,
            seeds: outcome.standing.seeds,
            limit: question.limit,
            test: question.judge,
            is_decided: outcome.standing.is_decided(),
            pairs,
            standing,
            records,
        }
    }
}

impl Contestant {
    fn of(
        chosen: &ChosenAgent,
        place: usize,
        mean: Option<Estimate>,
        rating: Option<Estimate>,
        pairs: &[Pair],
    ) -> Self {
        let beaten_by = |pair: &&Pair| pair.winner().is_some_and(|winner| winner != place && pair.has(place));
        let all = pairs.iter().filter(|pair| pair.has(place)).count() + 1;
        let worse_than = pairs.iter().filter(beaten_by).count();
        let better_than = pairs.iter().filter(|pair| pair.winner() == Some(place)).count();
        Self {
            label: chosen.label.clone(),
            written: chosen.written(),
            setting: chosen.setting(),
            agent: chosen.agent.id.clone(),
            version: chosen.agent.version.clone(),
            plugin: chosen.plugin.file.clone(),
            plugin_sha256: chosen.plugin.sha256.clone(),
            params: chosen.params.clone(),
            budget: chosen.budget,
            budget_of: chosen.budget_of.clone(),
            repeatable: true,
            mean,
            rating,
            best_place: 1 + worse_than,
            worst_place: all - better_than,
        }
    }
}

impl Pair {
    fn of(pair: &PairStanding, samples: &[Option<Sample>]) -> Self {
        let PairStanding { first, second, tally, decision } = *pair;
        let sides = samples[first].as_ref().zip(samples[second].as_ref());
        let scores = sides.and_then(|(one, other)| stats::compare(one, other, Pairing::SameSeeds).ok());
        let same_scores = tally.pairs() > 0 && tally.ties == tally.pairs();
        Self { first, second, tally, decision, elo: elo(tally), scores, same_scores }
    }

    fn has(&self, place: usize) -> bool {
        self.first == place || self.second == place
    }

    /// The one that is found stronger.
    pub(super) fn winner(&self) -> Option<usize> {
        match self.decision {
            Some(PairDecision::FirstStronger) => Some(self.first),
            Some(PairDecision::SecondStronger) => Some(self.second),
            _ => None,
        }
    }
}

impl TwoStanding {
    fn of(judge: &Judge, pair: &PairStanding) -> Self {
        let (llr, bounds) = match judge {
            Judge::OneSided(test) => (test.llr(pair.tally).into(), test.bounds()),
            Judge::TwoSided(test) => (test.llrs(pair.tally).to_vec().into(), test.bounds()),
        };
        let decision = pair.decision.map(|decision| match (judge, decision) {
            (Judge::OneSided(_), PairDecision::SecondStronger) => "stronger",
            (Judge::OneSided(_), _) => "not-stronger",
            (_, PairDecision::FirstStronger) => "first-stronger",
            (_, PairDecision::SecondStronger) => "second-stronger",
            _ => "no-difference",
        });
        Self { tally: pair.tally, llr, bounds, decision }
    }
}
