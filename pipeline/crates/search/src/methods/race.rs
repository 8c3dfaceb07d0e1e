//! A race where games are dear: all begin with few games, the worse drop out by a test on the same games, and
//! the others play twice as many.

use std::collections::BTreeSet;
use std::ops::Range;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stats::{PairingError, Sample, paired};

use super::{
    Eligible, Method, MethodFacts, Proposer, SMOKE_TRIALS, SearchMethod, SettingError, counted, require,
    sobol, unseen,
};
use crate::limits::{MOST_GAMES_OF_A_STUDY, MOST_SOBOL_POINTS, MOST_WINNERS};
use crate::losses::mean;
use crate::{Origin, Point, Proposal, SearchProblem, Trial};

/// A race between points of Sobol's sequence, for one objective on common games: all play the study's
/// `games`, those that are worse than the best drop out, and the others play twice as many, again and again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Race {
    /// How many points take part; those that rounding makes equal are one.
    #[schemars(range(min = 2, max = MOST_SOBOL_POINTS))]
    pub points: usize,
    /// How many games all play first: those of a trial of the study.
    #[serde(default)]
    #[schemars(skip)]
    pub first: u64,
    /// How many games the last may have played when it ends.
    #[schemars(range(min = 1, max = MOST_GAMES_OF_A_STUDY))]
    pub most: u64,
    /// How many may be left for it to end sooner.
    #[schemars(range(min = 1, max = MOST_WINNERS))]
    pub winners: usize,
}

/// How one stands in a race.
#[derive(Clone)]
struct RaceState {
    /// Its number among those who take part.
    number: usize,
    /// The losses of all its games.
    losses: Vec<f64>,
    /// Whether it still runs.
    runs: bool,
}

impl Race {
    /// How often the first round's games are doubled before they reach the most.
    fn doublings(&self) -> usize {
        let games = std::iter::successors(Some(self.first.max(1)), |games| games.checked_mul(2));
        games.take_while(|&games| games < self.most).count()
    }

    /// Who takes part.
    fn points(&self, study: &SearchProblem) -> Vec<Point> {
        let place = study.place("race");
        let point = |number| study.space.point(&sobol(place, number, study.space.len()));
        let mut known = BTreeSet::new();
        (0..self.points).map(point).filter(|point| known.insert(point.clone())).collect()
    }
}

impl Method for Race {
    fn facts(&self) -> MethodFacts {
        MethodFacts {
            batch_words: ("round", "rounds"),
            most_games: Some((self.points as u64).saturating_mul(self.most)),
            most_points: self.points as u64,
            trials: None,
            takes_one_objective: true,
            needs_common_games: true,
            eligible: Eligible::MostTrials,
            ..MethodFacts::of_batches("race", self.points, self.doublings(), self.points)
        }
    }

    fn description(&self) -> String {
        format!(
            "Race of {} from {} up to {}, in which those that are worse than the best drop out",
            counted(self.points, "point"),
            text::counted(self.first, "game"),
            text::thousands(self.most as f64)
        )
    }

    fn set_games(&mut self, games: u64) {
        self.first = games;
    }

    fn check(&self) -> Result<(), SettingError> {
        let Self { points, first, most, winners } = *self;
        require(most >= first, "most", || {
            format!("is {most}, must be at least the {first} `games` of the first round")
        })?;
        require(winners < points, "winners", || {
            format!("is {winners}, must be below the {points} `points` that take part")
        })
    }

    fn smoke_sized(&self) -> SearchMethod {
        Self { points: self.points.min(SMOKE_TRIALS), first: 1, most: 2, ..*self }.into()
    }

    fn proposer<'a>(&'a self, study: &'a SearchProblem) -> Box<dyn Proposer + 'a> {
        Box::new(Rounds { race: self, points: self.points(study), seen: 0, standings: Vec::new() })
    }
}

/// How the rounds so far went.
struct Rounds<'a> {
    race: &'a Race,
    points: Vec<Point>,
    seen: usize,
    standings: Vec<RaceState>,
}

impl Proposer for Rounds<'_> {
    fn next(&mut self, finished: &[Vec<Trial>]) -> Vec<Proposal> {
        for (_, round) in unseen(&mut self.seen, finished) {
            take_in(&mut self.standings, round);
        }
        let proposal = |origin: Origin, number: usize, games: &Range<u64>| Proposal {
            point: self.points[number].clone(),
            origin,
            games: games.clone(),
        };
        let Race { first, most, winners, .. } = *self.race;
        if finished.is_empty() {
            let games = 0..first.min(most);
            return (0..self.points.len()).map(|number| proposal(Origin::Sample, number, &games)).collect();
        }
        let running: Vec<&RaceState> = self.standings.iter().filter(|standing| standing.runs).collect();
        let played = running.first().map_or(0, |standing| standing.losses.len() as u64);
        let games = played..(2 * played).min(most);
        if games.is_empty() || running.len() <= winners {
            return Vec::new();
        }
        running.iter().map(|standing| proposal(Origin::Kept, standing.number, &games)).collect()
    }
}

/// Counts a round: all take part in the first one, and those that still run in every other.
fn take_in(standings: &mut Vec<RaceState>, round: &[Trial]) {
    if standings.is_empty() {
        let begin = |number| RaceState { number, losses: Vec::new(), runs: true };
        standings.extend((0..round.len()).map(begin));
    }
    let running = standings.iter_mut().filter(|standing| standing.runs);
    for (standing, trial) in running.zip(round) {
        match trial.losses.as_ref().and_then(|losses| losses[0].each()) {
            Some(losses) => standing.losses.extend(losses),
            None => standing.runs = false,
        }
    }
    drop_worse(standings);
}

/// Takes out those that are worse than the best beyond the interval of the difference, game by game.
fn drop_worse(standings: &mut [RaceState]) {
    let running = standings.iter().filter(|standing| standing.runs);
    let Some(best) = running.min_by(|a, b| mean(&a.losses).total_cmp(&mean(&b.losses))).cloned() else {
        return;
    };
    for standing in standings.iter_mut().filter(|standing| standing.runs && standing.number != best.number) {
        standing.runs = !is_worse(&standing.losses, &best.losses);
    }
}

/// Whether the interval of the mean difference lies above 0.
fn is_worse(losses: &[f64], best: &[f64]) -> bool {
    let sample = |values: &[f64]| Sample::new(values.to_vec()).ok();
    let (Some(losses), Some(best)) = (sample(losses), sample(best)) else { return false };
    let difference: Result<_, PairingError> = paired(&losses, &best);
    difference.is_ok_and(|difference| difference.low > 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{noisy_sphere, play, real_study, sphere};

    const RACE: Race = Race { points: 12, first: 8, most: 256, winners: 1 };

    /// How all stand after these rounds.
    fn standings(finished: &[Vec<Trial>]) -> Vec<RaceState> {
        let mut standings = Vec::new();
        finished.iter().for_each(|round| take_in(&mut standings, round));
        standings
    }

    /// How many games the race has saved against all playing as many as the last.
    fn saved(finished: &[Vec<Trial>]) -> u64 {
        let games = standings(finished).into_iter().map(|standing| standing.losses.len() as u64);
        let games: Vec<u64> = games.collect();
        let most = games.iter().copied().max().unwrap_or(0);
        games.iter().map(|games| most - games).sum()
    }

    #[test]
    fn with_noise_it_saves_most_of_the_games() {
        let mut study = real_study(2, 77);
        study.evaluation.games = 9;
        let race = Race { points: 128, first: 9, most: 144, winners: 1 };
        let rounds = play(&race, &study, noisy_sphere);
        let games = |trial: &Trial| trial.losses.as_ref().unwrap()[0].count() as u64;
        let played: u64 = rounds.iter().flatten().map(games).sum();
        assert!(saved(&rounds) > 2 * played, "{} saved, {played} played", saved(&rounds));
    }

    #[test]
    fn the_best_stays_and_the_worst_leave_early() {
        let study = real_study(1, 1);
        let rounds = play(&RACE, &study, noisy_sphere);
        let standings = standings(&rounds);
        let true_loss = |standing: &&RaceState| sphere(rounds[0][standing.number].point.values(), 0)[0];
        let left: Vec<&RaceState> = standings.iter().filter(|standing| standing.runs).collect();
        let best = standings.iter().map(|standing| true_loss(&standing)).fold(f64::INFINITY, f64::min);
        assert!(left.iter().any(|standing| true_loss(standing) == best));
        let first_out = standings.iter().filter(|standing| standing.losses.len() == 8);
        assert!(first_out.clone().count() >= 3);
        assert!(first_out.into_iter().all(|standing| true_loss(&standing) > best + 0.5));
        assert!(saved(&rounds) > 1000, "{}", saved(&rounds));
    }

    #[test]
    fn rounds_double_the_games_and_everyone_meets_the_same() {
        let study = real_study(1, 2);
        let rounds = play(&RACE, &study, noisy_sphere);
        let second = RACE.propose(&study, &rounds[..1]);
        assert!(second.iter().all(|proposal| proposal.games == (8..16)));
        let third = RACE.propose(&study, &rounds[..2]);
        assert!(third.iter().all(|proposal| proposal.games == (16..32)));
    }

    #[test]
    fn points_that_rounding_makes_equal_run_once() {
        let range = crate::Range::Choice { count: 3 };
        let space = crate::Space::new(vec![crate::Dimension { name: "order".to_owned(), range }]).unwrap();
        let study = SearchProblem { space, ..real_study(1, 1) };
        assert_eq!(RACE.propose(&study, &[]).len(), 3);
    }

    #[test]
    fn a_fault_ends_the_race_for_its_point() {
        let study = real_study(1, 3);
        let mut first = play(&RACE, &study, noisy_sphere).swap_remove(0);
        first[5].losses = None;
        assert!(!standings(&[first.clone()])[5].runs);
        let fifth = first[5].point.clone();
        assert!(RACE.propose(&study, &[first]).iter().all(|proposal| proposal.point != fifth));
    }
}
