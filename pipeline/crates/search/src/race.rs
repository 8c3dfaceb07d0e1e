//! A race where games are dear: all begin with few games, the worse drop out by a test on the same games, and the others play twice as many.

use serde::Serialize;
use stats::{NotPaired, Sample, paired};

use crate::trial::mean;
use crate::{Method, Origin, Point, Proposal, Study, Trial};

/// The settings of a race between given points.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Race {
    /// Who takes part.
    pub points: Vec<Point>,
    /// How many games all play first.
    pub first: u64,
    /// How many games the last may have played when it ends.
    pub most: u64,
    /// How many may be left for it to end sooner.
    pub winners: usize,
}

/// How one stands in a race.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// Its number among those who take part.
    pub number: usize,
    /// The losses of all its games.
    pub losses: Vec<f64>,
    /// Whether it still runs.
    pub runs: bool,
}

impl Race {
    /// How all stand after these rounds.
    #[must_use]
    pub fn standings(&self, finished: &[Vec<Trial>]) -> Vec<Standing> {
        let begin = |number| Standing { number, losses: Vec::new(), runs: true };
        let mut standings: Vec<Standing> = (0..self.points.len()).map(begin).collect();
        for round in finished {
            let running = standings.iter_mut().filter(|standing| standing.runs);
            for (standing, trial) in running.zip(round) {
                match &trial.losses {
                    Some(losses) => standing.losses.extend(&losses[0]),
                    None => standing.runs = false,
                }
            }
            drop_worse(&mut standings);
        }
        standings
    }

    /// How many games the race has saved against all playing as many as the last.
    #[must_use]
    pub fn saved(&self, finished: &[Vec<Trial>]) -> u64 {
        let games: Vec<u64> =
            self.standings(finished).iter().map(|standing| standing.losses.len() as u64).collect();
        let most = games.iter().copied().max().unwrap_or(0);
        games.iter().map(|games| most - games).sum()
    }
}

impl Method for Race {
    fn propose(&self, _: &Study, finished: &[Vec<Trial>]) -> Vec<Proposal> {
        let standings = self.standings(finished);
        let running: Vec<&Standing> = standings.iter().filter(|standing| standing.runs).collect();
        let played = running.first().map_or(0, |standing| standing.losses.len() as u64);
        let games = played..(2 * played).max(self.first).min(self.most);
        if games.is_empty() || (!finished.is_empty() && running.len() <= self.winners) {
            return Vec::new();
        }
        let origin = if finished.is_empty() { Origin::Sample } else { Origin::Kept };
        let proposal = |standing: &&Standing| Proposal {
            point: self.points[standing.number].clone(),
            origin,
            games: games.clone(),
        };
        running.iter().map(proposal).collect()
    }
}

/// Takes out those that are worse than the best beyond the interval of the difference, game by game.
fn drop_worse(standings: &mut [Standing]) {
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
    let difference: Result<_, NotPaired> = paired(&losses, &best);
    difference.is_ok_and(|difference| difference.low > 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{noisy_sphere, play, real_study, sphere};

    fn race(study: &Study) -> Race {
        let points = (0..12).map(|number| study.space.point(&[0.4 + 0.05 * f64::from(number)])).collect();
        Race { points, first: 8, most: 256, winners: 1 }
    }

    #[test]
    fn the_best_stays_and_the_worst_leave_early() {
        let study = real_study(1, 1);
        let race = race(&study);
        let rounds = play(&race, &study, noisy_sphere);
        let standings = race.standings(&rounds);
        let true_loss = |standing: &&Standing| sphere(race.points[standing.number].values(), 0)[0];
        let left: Vec<&Standing> = standings.iter().filter(|standing| standing.runs).collect();
        let best = standings.iter().map(|standing| true_loss(&standing)).fold(f64::INFINITY, f64::min);
        assert!(left.iter().any(|standing| true_loss(standing) == best));
        let first_out = standings.iter().filter(|standing| standing.losses.len() == 8);
        assert!(first_out.clone().count() >= 3);
        assert!(first_out.into_iter().all(|standing| true_loss(&standing) > 0.5));
        assert!(race.saved(&rounds) > 1000, "{}", race.saved(&rounds));
    }

    #[test]
    fn rounds_double_the_games_and_everyone_meets_the_same() {
        let study = real_study(1, 2);
        let race = race(&study);
        let rounds = play(&race, &study, noisy_sphere);
        let second = race.propose(&study, &rounds[..1]);
        assert!(second.iter().all(|proposal| proposal.games == (8..16)));
        let third = race.propose(&study, &rounds[..2]);
        assert!(third.iter().all(|proposal| proposal.games == (16..32)));
    }

    #[test]
    fn a_fault_ends_the_race_for_its_point() {
        let study = real_study(1, 3);
        let race = race(&study);
        let mut first = play(&race, &study, noisy_sphere).swap_remove(0);
        first[5].losses = None;
        assert!(!race.standings(&[first])[5].runs);
    }
}
