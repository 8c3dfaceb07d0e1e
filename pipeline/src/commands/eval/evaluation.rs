//! What is known of an agent after its games, and of it beside others.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Serialize;

use super::played::{Part, Played};
use super::standing::{Standing, Stored};
use crate::cli;
use crate::lookup::chosen_agent::ChosenAgent;
use records::record::Outcome;
use stats::{Estimate, Pairing, Rate, Sample};

/// What is known of an agent after its games.
#[derive(Serialize)]
pub(super) struct Evaluation {
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
    /// How it does from each start, where there are several.
    pub(super) starts: Vec<FromStart>,
    pub(super) against: Vec<Against>,
    pub(super) standing: Option<Standing>,
    /// Where the records are kept, if they are: the file, or the first of several.
    pub(super) records: Option<PathBuf>,
    #[serde(skip)]
    pub(super) scores: Vec<f64>,
    /// The name of the agent on the command line.
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

/// How the agent does beside another.
#[derive(Serialize)]
pub(super) struct Against {
    pub(super) name: String,
    pub(super) mean: Estimate,
    /// How often the agent scores more, as of independent games.
    pub(super) scores_more: Estimate,
    /// How many games of both have the same seed and start.
    pub(super) pairs: u64,
    /// The agent's mean score minus the other's: over the pairs, where there are any.
    pub(super) difference: Estimate,
    /// How much games of one seed have in common.
    pub(super) correlation: Option<Estimate>,
    /// Whether all pairs are one and the same game.
    pub(super) same_games: bool,
}

/// The scores of games that were played, of which there is at least one.
pub(super) fn sample(scores: &[f64]) -> Sample {
    Sample::new(scores.iter().copied()).expect("games have been played, and scores are finite")
}

impl Evaluation {
    pub(super) fn of(
        chosen: &ChosenAgent,
        seed: u64,
        arguments: &cli::Eval,
        ours: &Played,
        rivals: &[Played],
        stored_rivals: &[Stored],
        stored: &[Stored],
    ) -> Self {
        let scores = ours.scores();
        let outcomes: Vec<&Outcome> = ours.outcomes().collect();
        let played = rivals.iter().map(|rival| Against::played(ours, rival));
        let kept = stored_rivals.iter().map(|rival| Against::stored(ours, rival, seed));
        let mean = stats::mean(&sample(&scores));
        let fickle = std::iter::once(ours).chain(rivals).filter(|played| !played.is_repeatable());
        let first = ours.parts.first().map(|part| part.records.clone());
        Self {
            agent: chosen.agent.id.clone(),
            written: chosen.written(),
            setting: chosen.describe(),
            seed,
            games: outcomes.len() as u64,
            faults: outcomes.iter().filter(|outcome| outcome.ending.is_fault()).count() as u64,
            not_repeatable: fickle.map(|played| played.name.clone()).collect(),
            mean,
            median: stats::median(&sample(&scores)),
            lowest: outcomes.iter().map(|outcome| outcome.score).min().unwrap_or(0),
            highest: outcomes.iter().map(|outcome| outcome.score).max().unwrap_or(0),
            reach: reach(&outcomes),
            ns_per_move: ours.ns_per_move(),
            starts: ours.parts.iter().filter(|part| !part.start.is_empty()).map(FromStart::of).collect(),
            against: played.chain(kept).collect(),
            standing: Standing::of(&chosen.agent.id, &mean, &chosen.rules, stored),
            records: first.filter(|_| arguments.keep_in.is_some()).map(|file| file.path().to_owned()),
            scores,
            label: chosen.label.clone(),
        }
    }
}

impl FromStart {
    fn of(part: &Part) -> Self {
        let scores: Vec<f64> = part.outcomes.iter().map(|outcome| f64::from(outcome.score)).collect();
        let scores_of = || part.outcomes.iter().map(|outcome| outcome.score);
        Self {
            start: part.start.clone(),
            mean: stats::mean(&sample(&scores)),
            lowest: scores_of().min().unwrap_or(0),
            highest: scores_of().max().unwrap_or(0),
        }
    }
}

/// Games of two agents with the same seed and start.
type Pairs<'a> = Vec<(&'a Outcome, &'a Outcome)>;

impl Against {
    /// Beside one that played here: on the same seeds.
    fn played(ours: &Played, rival: &Played) -> Self {
        let parts = ours.parts.iter().zip(&rival.parts);
        let pairs = parts.flat_map(|(our, their)| paired(&our.outcomes, &their.outcomes)).collect();
        Self::of(&rival.name, &ours.scores(), &rival.scores(), &pairs)
    }

    /// Beside stored games: on the same seeds, if the master seed is the same.
    fn stored(ours: &Played, rival: &Stored, seed: u64) -> Self {
        let first = ours.parts.first().filter(|_| rival.seed == Some(seed) && ours.parts.len() == 1);
        let pairs = first.map(|part| paired(&part.outcomes, &rival.outcomes)).unwrap_or_default();
        Self::of(&rival.name, &ours.scores(), &rival.scores(), &pairs)
    }

    fn of(name: &str, ours: &[f64], theirs: &[f64], pairs: &Pairs<'_>) -> Self {
        let side = |pick: fn(&(&Outcome, &Outcome)) -> u32| {
            Sample::new(pairs.iter().map(|pair| f64::from(pick(pair)))).ok()
        };
        let both = side(|pair| pair.1.score).zip(side(|pair| pair.0.score));
        let compared =
            both.and_then(|(theirs, ours)| stats::compare(&theirs, &ours, Pairing::SameSeeds).ok());
        Self {
            name: name.to_owned(),
            mean: stats::mean(&sample(theirs)),
            scores_more: stats::superiority(&sample(ours), &sample(theirs)),
            pairs: pairs.len() as u64,
            difference: compared
                .as_ref()
                .map_or_else(|| stats::welch(&sample(ours), &sample(theirs)), |compared| compared.mean),
            correlation: compared.and_then(|compared| compared.correlation),
            same_games: !pairs.is_empty() && pairs.iter().all(|(one, other)| is_same(one, other)),
        }
    }
}

/// The games that both have, by number.
fn paired<'a>(ours: &'a [Outcome], theirs: &'a [Outcome]) -> Pairs<'a> {
    let by_number: BTreeMap<u64, &Outcome> = theirs.iter().map(|outcome| (outcome.game, outcome)).collect();
    ours.iter().filter_map(|our| Some((our, *by_number.get(&our.game)?))).collect()
}

/// Whether two games of one seed took the same course, as far as their ends tell.
fn is_same(one: &Outcome, other: &Outcome) -> bool {
    (one.score, one.moves, one.ending, &one.final_board)
        == (other.score, other.moves, other.ending, &other.final_board)
}

/// The rates of the tiles that some games make and others do not, and of the largest that all make.
fn reach(outcomes: &[&Outcome]) -> Vec<Reach> {
    let games = outcomes.len() as u64;
    let largest = outcomes.iter().map(|outcome| outcome.max_tile).max().unwrap_or(0);
    let tiles = (1..=16).map(|rank| 1_u32 << rank).filter(|&tile| tile <= largest);
    let mut rates: Vec<Reach> = tiles
        .map(|tile| {
            let count = outcomes.iter().filter(|outcome| outcome.max_tile >= tile).count() as u64;
            Reach {
                tile,
                rate: stats::rate(Rate::new(count, games).expect("games are counted among themselves")),
            }
        })
        .collect();
    let in_all = rates.iter().filter(|reach| reach.rate.point == 1.0).count();
    rates.drain(..in_all.saturating_sub(1));
    rates
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::Ending;

    fn outcome(game: u64, score: u32) -> Outcome {
        Outcome {
            game,
            score,
            max_tile: 64,
            moves: score / 4,
            final_board: format!("{score}"),
            nodes: game,
            ending: Ending::NoMoves,
        }
    }

    #[test]
    fn games_are_paired_by_their_numbers_and_known_to_be_the_same() {
        let ours: Vec<Outcome> = (0..4).map(|game| outcome(game, 100 + 10 * game as u32)).collect();
        let theirs: Vec<Outcome> = (2..9).map(|game| outcome(game, 100 + 10 * game as u32)).collect();
        let pairs = paired(&ours, &theirs);
        let numbers: Vec<(u64, u64)> = pairs.iter().map(|(one, other)| (one.game, other.game)).collect();
        assert_eq!(numbers, [(2, 2), (3, 3)]);
        let scores = |of: &[Outcome]| of.iter().map(|outcome| f64::from(outcome.score)).collect::<Vec<_>>();
        let against = Against::of("x", &scores(&ours), &scores(&theirs), &pairs);
        assert_eq!((against.pairs, against.same_games, against.difference.point), (2, true, 0.0));
        let mut others = theirs.clone();
        others[1].final_board = "another".to_owned();
        let against = Against::of("x", &scores(&ours), &scores(&others), &paired(&ours, &others));
        assert!(!against.same_games, "a board tells them apart where the score does not");
        let against = Against::of("x", &scores(&ours), &scores(&theirs), &Vec::new());
        assert_eq!((against.pairs, against.same_games, against.correlation), (0, false, None));
        assert!((against.difference.point - -35.0).abs() < 1e-9, "{:?}", against.difference);
    }
}
