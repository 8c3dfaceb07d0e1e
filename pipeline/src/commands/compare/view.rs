//! The result of a contest, for scripts, and the tables that show it.

use std::path::PathBuf;

use engine::Rules;
use engine::agent::Budget;
use serde::Serialize;
use serde_json::{Map, Value};

use super::Question;
use super::words::letter;
use crate::contest::{ContestScore, PairDecision, PairScore, PairTest};
use crate::plan::PlannedExperiment;
use jobs::Key;
use rendering::tables::{Cell, Table};
use stats::{Comparison, Estimate, Pairing, Sample, elo};
use text::{Scale, percent};

/// The result of a contest.
#[derive(Serialize)]
pub(super) struct View {
    pub(super) contestants: Vec<Contestant>,
    pub(super) rules: Rules,
    pub(super) starts: Vec<String>,
    pub(super) seed: u64,
    /// How many seeds count.
    pub(super) seeds: u64,
    pub(super) limit: u64,
    pub(super) test: PairTest,
    pub(super) is_decided: bool,
    pub(super) pairs: Vec<Pair>,
    /// The records, if they are kept.
    pub(super) records: Vec<PathBuf>,
}

/// One of the agents.
#[derive(Serialize)]
pub(super) struct Contestant {
    /// The agent as the command line names it.
    pub(super) label: String,
    /// The agent and all settings that are not its defaults, as a command line takes them.
    written: String,
    #[serde(skip)]
    pub(super) setting: String,
    agent: String,
    version: String,
    plugin: PathBuf,
    plugin_sha256: String,
    params: Map<String, Value>,
    budget: Budget,
    /// The experiment whose budget it is, if none was given.
    budget_of: Option<Key>,
    /// Whether another contest would play the same games.
    pub(super) repeatable: bool,
    /// The mean score; none before the first seed.
    pub(super) mean: Option<Estimate>,
    /// Its rating among more than two, the average being 0.
    rating: Option<Estimate>,
    /// The best place that the tests leave open.
    pub(super) best_place: usize,
    /// The worst one.
    worst_place: usize,
}

/// Two of the agents.
#[derive(Serialize)]
pub(super) struct Pair {
    #[serde(flatten)]
    pub(super) score: PairScore,
    /// The second one's lead.
    pub(super) elo: Estimate,
    /// How the second one's scores differ from the first's.
    pub(super) scores: Option<Comparison>,
    /// Whether both have the same score on every seed.
    pub(super) same_scores: bool,
    /// The logarithm of the likelihood ratio of a one-sided test, or both of a two-sided one: that A is
    /// stronger, and that B is.
    llr: Vec<f64>,
    /// The bounds of each ratio, at which the test decides.
    bounds: (f64, f64),
}

impl View {
    pub(super) fn of(
        question: &Question,
        planned: &[Vec<PlannedExperiment>],
        score: &ContestScore,
        records: Vec<PathBuf>,
    ) -> Self {
        let agents = question.agents.len();
        let sample = |place: usize| Sample::new(score.scores.iter().map(|seed| f64::from(seed[place]))).ok();
        let samples: Vec<Option<Sample>> = (0..agents).map(sample).collect();
        let ratings = if agents == 2 { Vec::new() } else { stats::ratings(&score.scores) };
        let pairs: Vec<Pair> =
            score.pairs.iter().map(|pair| Pair::of(pair, &question.test, &samples)).collect();
        let contestants = question.agents.iter().enumerate().map(|(place, chosen)| {
            let of_it = |pair: &&Pair| [pair.score.first, pair.score.second].contains(&place);
            let winners = || pairs.iter().filter(of_it).filter_map(Pair::winner);
            Contestant {
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
                repeatable: planned[place].iter().all(PlannedExperiment::repeats),
                mean: samples[place].as_ref().map(stats::mean),
                rating: ratings.get(place).copied(),
                best_place: 1 + winners().filter(|&winner| winner != place).count(),
                worst_place: agents - winners().filter(|&winner| winner == place).count(),
            }
        });
        let names = question.starts.iter().map(|(name, _)| name.clone());
        Self {
            contestants: contestants.collect(),
            rules: question.rules.clone(),
            starts: names.filter(|name| !name.is_empty()).collect(),
            seed: question.seed,
            seeds: score.seeds,
            limit: question.limit,
            test: question.test,
            is_decided: score.is_decided(),
            pairs,
            records,
        }
    }

    pub(super) fn pairs_table(&self) -> Table {
        let label = |place: usize| Cell::Text(self.contestants[place].label.clone());
        let decision = |pair: &&Pair| match pair.score.decision {
            Some(PairDecision::FirstStronger) => "A is stronger",
            Some(PairDecision::SecondStronger) => "B is stronger",
            Some(PairDecision::NoDifference) => "no difference that matters",
            Some(PairDecision::SecondNotStronger) => "B is not stronger",
            None => "undecided",
        };
        let superiority = |scores: &Comparison| Cell::Estimate(scores.superiority, Scale::Share);
        let table = Table::of(
            &self.pairs,
            &[
                ("A", &|pair| label(pair.score.first)),
                ("B", &|pair| label(pair.score.second)),
                ("seeds", &|pair| Cell::Count(pair.score.tally.pairs())),
                ("A won", &|pair| Cell::Count(pair.score.tally.losses)),
                ("tied", &|pair| Cell::Count(pair.score.tally.ties)),
                ("B won", &|pair| Cell::Count(pair.score.tally.wins)),
                ("Elo of B over A", &|pair| points(Some(pair.elo))),
                ("P(B > A)", &|pair| pair.scores.as_ref().map_or(Cell::Empty, superiority)),
                ("B minus A", &|pair| points(pair.scores.as_ref().map(|scores| scores.mean))),
                ("decision", &|pair| Cell::Text(decision(pair).to_owned())),
            ],
        );
        let caption = "Intervals of 95 %, a little too narrow: the test chose when to stop.";
        table.named("pairs", "Every two agents", caption).unwrap_or_default()
    }

    /// The strongest first.
    pub(super) fn ratings_table(&self) -> Table {
        let mut order: Vec<(usize, &Contestant)> = self.contestants.iter().enumerate().collect();
        let rating = |contestant: &Contestant| contestant.rating.map_or(0.0, |rating| rating.point);
        order.sort_by(|(_, one), (_, other)| rating(other).total_cmp(&rating(one)));
        let places = |Contestant { best_place, worst_place, .. }: &Contestant| match best_place == worst_place
        {
            true => best_place.to_string(),
            false => format!("{best_place} to {worst_place}"),
        };
        let table = Table::of(
            order,
            &[
                ("place", &|(_, one)| Cell::Text(places(one))),
                ("", &|(place, _)| Cell::Text(letter(*place))),
                ("agent", &|(_, one)| Cell::Text(one.label.clone())),
                ("Elo", &|(_, one)| points(one.rating)),
                ("mean score", &|(_, one)| points(one.mean)),
            ],
        );
        let caption = "Elo by Bradley and Terry's model, the average being 0; a place is a range where tests leave it open.";
        table.named("ratings", "Ratings", caption).unwrap_or_default()
    }

    /// The probability that a game of the row's agent scores higher than one of the column's.
    pub(super) fn matrix(&self) -> Table {
        let places = || 0..self.contestants.len();
        let header = ["".to_owned(), "agent".to_owned()].into_iter().chain(places().map(letter)).collect();
        let row = |one: usize| {
            let texts = [letter(one), self.contestants[one].label.clone()].map(Cell::Text);
            texts.into_iter().chain(places().map(|other| self.cell(one, other))).collect()
        };
        let table = Table { header, rows: places().map(row).collect(), ..Table::default() };
        let caption =
            "P(row scores more than column), ties half; > stronger, < weaker, = no difference that matters.";
        table.named("superiority", "Probability of improvement", caption).unwrap_or_default()
    }

    fn cell(&self, one: usize, other: usize) -> Cell {
        let places = (one.min(other), one.max(other));
        let pair = self.pairs.iter().find(|pair| (pair.score.first, pair.score.second) == places);
        let Some((pair, scores)) = pair.and_then(|pair| Some((pair, pair.scores.as_ref()?))) else {
            return Cell::Empty;
        };
        let second = scores.superiority.point;
        let share = if one == pair.score.second { second } else { 1.0 - second };
        let mark = match (pair.winner(), pair.score.decision) {
            (Some(winner), _) if winner == one => " >",
            (Some(_), _) => " <",
            (None, Some(_)) => " =",
            (None, None) => "",
        };
        Cell::Text(format!("{} %{mark}", percent(share)))
    }
}

impl Pair {
    fn of(pair: &PairScore, test: &PairTest, samples: &[Option<Sample>]) -> Self {
        let sides = samples[pair.first].as_ref().zip(samples[pair.second].as_ref());
        let tally = pair.tally;
        let (llr, bounds) = match test {
            PairTest::OneSided(test) => (vec![test.llr(tally)], test.bounds()),
            PairTest::TwoSided(test) => (test.llrs(tally).to_vec(), test.bounds()),
        };
        Self {
            score: *pair,
            elo: elo(tally),
            scores: sides.and_then(|(one, other)| stats::compare(one, other, Pairing::SameSeeds).ok()),
            same_scores: tally.pairs() > 0 && tally.ties == tally.pairs(),
            llr,
            bounds,
        }
    }

    /// The one that is found stronger.
    fn winner(&self) -> Option<usize> {
        match self.score.decision? {
            PairDecision::FirstStronger => Some(self.score.first),
            PairDecision::SecondStronger => Some(self.score.second),
            PairDecision::NoDifference | PairDecision::SecondNotStronger => None,
        }
    }
}

fn points(estimate: Option<Estimate>) -> Cell {
    estimate.map_or(Cell::Empty, |estimate| Cell::Estimate(estimate, Scale::Points))
}
