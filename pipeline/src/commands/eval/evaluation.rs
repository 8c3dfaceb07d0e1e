//! The statistics of an agent's games, by themselves and beside the games of others.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Serialize;

use super::games::{AgentGames, StartGames, sample};
use crate::lookup::chosen_agent::ChosenAgent;
use engine::Rules;
use records::Outcome;
use stats::{Estimate, Pairing, Rate, Sample};

/// The statistics of an agent's games.
#[derive(Serialize)]
pub(super) struct EvalResult {
    pub(super) agent: String,
    /// The agent and all settings that are not its defaults, as a command line takes them.
    pub(super) written: String,
    pub(super) setting: String,
    pub(super) seed: u64,
    pub(super) games: u64,
    pub(super) faults: u64,
    /// Agents whose games no run repeats: this one, or those it is compared with.
    pub(super) not_repeatable: Vec<String>,
    pub(super) mean: Estimate,
    pub(super) median: Estimate,
    pub(super) lowest: u32,
    pub(super) highest: u32,
    pub(super) reach: Vec<Reach>,
    pub(super) ns_per_move: Option<f64>,
    /// The scores from each start, if there are several.
    pub(super) starts: Vec<FromStart>,
    pub(super) against: Vec<Against>,
    pub(super) ranking: Option<Ranking>,
    /// The records, if they are kept: the file, or the first of several.
    pub(super) records: Option<PathBuf>,
    #[serde(skip)]
    pub(super) scores: Vec<f64>,
    /// The agent as the command line names it.
    #[serde(skip)]
    pub(super) label: String,
}

/// How often a tile is made.
#[derive(Serialize)]
pub(super) struct Reach {
    pub(super) tile: u32,
    pub(super) rate: Estimate,
}

/// The games from one start.
#[derive(Serialize)]
pub(super) struct FromStart {
    pub(super) start: String,
    pub(super) mean: Estimate,
    pub(super) lowest: u32,
    pub(super) highest: u32,
}

/// The agent beside another.
#[derive(Serialize)]
pub(super) struct Against {
    pub(super) name: String,
    pub(super) mean: Estimate,
    /// How often the agent scores more, as of independent games.
    pub(super) scores_more: Estimate,
    /// How many games of both have the same seed and start.
    pub(super) pairs: u64,
    /// The agent's mean score minus the other's: over the pairs, if there are any.
    pub(super) difference: Estimate,
    /// How much games of one seed have in common.
    pub(super) correlation: Option<Estimate>,
    /// Whether all pairs are one and the same game.
    pub(super) same_games: bool,
}

/// The stored experiments under the same rules, best first, with the agent among them.
#[derive(Serialize)]
pub(super) struct Ranking {
    /// The best place that the intervals allow.
    pub(super) best: usize,
    /// The worst one.
    pub(super) worst: usize,
    /// All, the agent included.
    pub(super) rows: Vec<RankedAgent>,
    /// How many stored experiments play by other rules.
    pub(super) other_rules: usize,
}

#[derive(Serialize)]
pub(super) struct RankedAgent {
    pub(super) name: String,
    pub(super) agent: String,
    pub(super) mean: Estimate,
    pub(super) is_ours: bool,
}

impl EvalResult {
    /// Evaluates the first games, which are the agent's, beside those of rivals that played too, of stored
    /// rivals, and of all that is stored.
    pub(super) fn of(
        chosen: &ChosenAgent,
        (ours, rivals): (&AgentGames, &[AgentGames]),
        stored_rivals: &[AgentGames],
        stored: &[AgentGames],
        is_kept: bool,
    ) -> Self {
        let scores = ours.sample();
        let mean = stats::mean(&scores);
        let (lowest, highest) = range(ours.outcomes());
        let fickle = std::iter::once(ours).chain(rivals).filter(|games| !games.is_repeatable());
        let kept = ours.parts.first().filter(|_| is_kept).map(|part| part.records.path().to_owned());
        Self {
            agent: chosen.agent.id.clone(),
            written: chosen.written(),
            setting: chosen.describe(),
            seed: ours.seed.unwrap_or_default(),
            games: ours.outcomes().count() as u64,
            faults: ours.outcomes().filter(|outcome| outcome.ending.is_fault()).count() as u64,
            not_repeatable: fickle.map(|games| games.name.clone()).collect(),
            mean,
            median: stats::median(&scores),
            lowest,
            highest,
            reach: reach(ours),
            ns_per_move: ours.ns_per_move(),
            starts: ours.parts.iter().filter(|part| !part.start.is_empty()).map(FromStart::of).collect(),
            against: rivals.iter().chain(stored_rivals).map(|rival| Against::of(ours, rival)).collect(),
            ranking: Ranking::of(&chosen.agent.id, &mean, &chosen.rules, stored),
            records: kept,
            scores: ours.outcomes().map(|outcome| f64::from(outcome.score)).collect(),
            label: chosen.label.clone(),
        }
    }
}

/// The lowest and the highest score.
fn range<'a>(outcomes: impl Iterator<Item = &'a Outcome> + Clone) -> (u32, u32) {
    let scores = outcomes.map(|outcome| outcome.score);
    (scores.clone().min().unwrap_or(0), scores.max().unwrap_or(0))
}

impl FromStart {
    fn of(part: &StartGames) -> Self {
        let (lowest, highest) = range(part.outcomes.iter());
        let mean = stats::mean(&sample(part.outcomes.iter()));
        Self { start: part.start.clone(), mean, lowest, highest }
    }
}

impl Against {
    /// Games have the same seeds if their master seeds are the same.
    fn of(ours: &AgentGames, rival: &AgentGames) -> Self {
        let parts = ours.parts.iter().zip(&rival.parts).filter(|_| ours.seed == rival.seed);
        let pairs: Vec<(&Outcome, &Outcome)> =
            parts.flat_map(|(our, their)| paired(&our.outcomes, &their.outcomes)).collect();
        let side = |pick: fn(&(&Outcome, &Outcome)) -> u32| {
            Sample::new(pairs.iter().map(|pair| f64::from(pick(pair)))).ok()
        };
        let both = side(|pair| pair.1.score).zip(side(|pair| pair.0.score));
        let compared =
            both.and_then(|(theirs, ours)| stats::compare(&theirs, &ours, Pairing::SameSeeds).ok());
        let (our, their) = (ours.sample(), rival.sample());
        Self {
            name: rival.name.clone(),
            mean: stats::mean(&their),
            scores_more: stats::superiority(&our, &their),
            pairs: pairs.len() as u64,
            difference: compared.as_ref().map_or_else(|| stats::welch(&our, &their), |both| both.mean),
            correlation: compared.and_then(|compared| compared.correlation),
            same_games: !pairs.is_empty() && pairs.iter().all(|(one, other)| is_same(one, other)),
        }
    }
}

/// The games that both have, by number.
fn paired<'a>(ours: &'a [Outcome], theirs: &'a [Outcome]) -> Vec<(&'a Outcome, &'a Outcome)> {
    let by_number: BTreeMap<u64, &Outcome> = theirs.iter().map(|outcome| (outcome.game, outcome)).collect();
    ours.iter().filter_map(|our| Some((our, *by_number.get(&our.game)?))).collect()
}

/// Whether two games of one seed end the same way.
fn is_same(one: &Outcome, other: &Outcome) -> bool {
    (one.score, one.moves, one.ending, &one.final_board)
        == (other.score, other.moves, other.ending, &other.final_board)
}

/// The rates of the tiles that some games make and others do not, and of the largest that all make.
fn reach(games: &AgentGames) -> Vec<Reach> {
    let largest: Vec<u32> = games.outcomes().map(|outcome| outcome.max_tile).collect();
    let highest = largest.iter().copied().max().unwrap_or(0);
    let rate = |tile: u32| {
        let count = largest.iter().filter(|&&max_tile| max_tile >= tile).count() as u64;
        let rate = Rate::new(count, largest.len() as u64).expect("games are counted among themselves");
        Reach { tile, rate: stats::rate(rate) }
    };
    let tiles = (1..=16).map(|rank| 1_u32 << rank).filter(|&tile| tile <= highest);
    let mut rates: Vec<Reach> = tiles.map(rate).collect();
    let in_all = rates.iter().filter(|reach| reach.rate.point == 1.0).count();
    rates.drain(..in_all.saturating_sub(1));
    rates
}

impl Ranking {
    /// None if nothing is stored.
    fn of(agent: &str, ours: &Estimate, rules: &Rules, stored: &[AgentGames]) -> Option<Self> {
        if stored.is_empty() {
            return None;
        }
        let row = |name: &str, agent: &str, mean: Estimate, is_ours: bool| RankedAgent {
            name: name.to_owned(),
            agent: agent.to_owned(),
            mean,
            is_ours,
        };
        let comparable = stored.iter().filter(|stored| stored.rules == *rules);
        let mut rows: Vec<RankedAgent> = comparable
            .map(|stored| row(&stored.name, &stored.agent, stats::mean(&stored.sample()), false))
            .collect();
        let other_rules = stored.len() - rows.len();
        let best = 1 + rows.iter().filter(|row| row.mean.low > ours.high).count();
        let worst = 1 + rows.iter().filter(|row| row.mean.high > ours.low).count();
        rows.push(row("(here)", agent, *ours, true));
        rows.sort_by(|one, other| other.mean.point.total_cmp(&one.mean.point));
        Some(Self { best, worst, rows, other_rules })
    }
}

#[cfg(test)]
mod tests {
    use super::super::games::{games, outcome};
    use super::*;

    #[test]
    fn games_are_paired_by_their_numbers_and_known_to_be_the_same() {
        let play = |numbers: std::ops::Range<u64>| -> Vec<Outcome> {
            numbers.map(|game| outcome(game, 100 + 10 * game as u32, game as u32)).collect()
        };
        let (ours, theirs) = (games("o", 1, play(0..4)), games("x", 1, play(2..9)));
        let pairs = paired(&ours.parts[0].outcomes, &theirs.parts[0].outcomes);
        let numbers: Vec<(u64, u64)> = pairs.iter().map(|(one, other)| (one.game, other.game)).collect();
        assert_eq!(numbers, [(2, 2), (3, 3)]);
        let against = Against::of(&ours, &theirs);
        assert_eq!((against.pairs, against.same_games, against.difference.point), (2, true, 0.0));
        let mut others = play(2..9);
        others[1].final_board = "another".to_owned();
        let against = Against::of(&ours, &games("x", 1, others));
        assert!(!against.same_games, "a board tells them apart if the score does not");
        let against = Against::of(&ours, &games("x", 2, play(2..9)));
        assert_eq!((against.pairs, against.same_games, against.correlation), (0, false, None));
        assert!((against.difference.point - -35.0).abs() < 1e-9, "{:?}", against.difference);
    }

    #[test]
    fn a_place_is_a_range_if_intervals_overlap() {
        let stored = |name: &str, scores: [u32; 3]| {
            games(name, 1, (0..).zip(scores).map(|(game, score)| outcome(game, score, 1)).collect())
        };
        let all = [
            stored("p/high", [10_000, 10_050, 10_100]),
            stored("p/near", [900, 1050, 1200]),
            stored("p/low", [0, 5, 10]),
        ];
        let ours = stats::mean(&stored("ours", [1000, 1010, 1020]).sample());
        let ranking = Ranking::of("mine", &ours, &Rules::default(), &all).unwrap();
        assert_eq!((ranking.best, ranking.worst, ranking.other_rules), (2, 3, 0));
        let names: Vec<&str> = ranking.rows.iter().map(|row| row.name.as_str()).collect();
        assert_eq!(names, ["p/high", "p/near", "(here)", "p/low"]);
    }
}
