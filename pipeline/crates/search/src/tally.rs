//! What all trials of one point came to, by the point: a point that is tried again is known again, and meets
//! games that are new to it.

use std::collections::BTreeMap;

use crate::{Origin, Point, Proposal, SearchProblem, Sums, Trial};

/// What all trials of one point came to.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct PointTally {
    /// How many trials there were.
    pub(crate) trials: usize,
    /// What their games came to in the first objective, as far as none faulted.
    sums: Sums,
    /// Whether its agent ever faulted.
    faulted: bool,
}

impl PointTally {
    /// The mean loss of the first objective over all its games; infinite where its agent ever faulted.
    pub(crate) fn loss(&self) -> f64 {
        if self.faulted { f64::INFINITY } else { self.sums.sum / self.sums.count as f64 }
    }

    fn add(&mut self, trial: &Trial) {
        self.trials += 1;
        match &trial.losses {
            Some(losses) => self.sums.add(losses[0].sums()),
            None => self.faulted = true,
        }
    }
}

/// The tallies of all points that were tried.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Tallies(BTreeMap<Point, PointTally>);

impl Tallies {
    /// Counts another trial.
    pub(crate) fn add(&mut self, trial: &Trial) {
        if let Some(tally) = self.0.get_mut(&trial.point) {
            return tally.add(trial);
        }
        let mut tally = PointTally::default();
        tally.add(trial);
        self.0.insert(trial.point.clone(), tally);
    }

    /// What the trials of a point came to, if it was tried.
    pub(crate) fn of(&self, point: &Point) -> Option<&PointTally> {
        self.0.get(point)
    }

    /// Proposals of points of which some were tried before, or are there twice: each meets games that it has
    /// not met.
    pub(crate) fn proposals(
        &self,
        study: &SearchProblem,
        points: impl IntoIterator<Item = (Point, Origin)>,
        first_trial: usize,
    ) -> Vec<Proposal> {
        let mut twins: BTreeMap<Point, usize> = BTreeMap::new();
        let proposal = |(trial, (point, origin)): (usize, (Point, Origin))| {
            let twins = twins.entry(point.clone()).or_default();
            let repeat = self.of(&point).map_or(0, |tally| tally.trials) + *twins;
            *twins += 1;
            Proposal { point, origin, games: study.evaluation.games_of(trial, repeat) }
        };
        (first_trial..).zip(points).map(proposal).collect()
    }
}

impl<'a> FromIterator<&'a Trial> for Tallies {
    fn from_iter<T: IntoIterator<Item = &'a Trial>>(trials: T) -> Self {
        let mut tallies = Self::default();
        trials.into_iter().for_each(|trial| tallies.add(trial));
        tallies
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{GENETIC, noisy_sphere, play, real_study};
    use crate::{Bayes, Dimension, Genetic, Method, Range, Rating, Scale, Seeds, Space};

    #[test]
    fn a_point_is_worth_what_all_its_games_say_unless_it_ever_faulted() {
        let study = real_study(1, 1);
        let [a, b] = [0.25, 0.75].map(|unit| study.space.point(&[unit]));
        let trial = |point: &Point, losses: Option<Vec<f64>>| Trial {
            point: point.clone(),
            losses: losses.map(|losses| vec![losses.into()]),
        };
        let trials = [
            trial(&a, Some(vec![1.0, 2.0])),
            trial(&b, Some(vec![1.0])),
            trial(&a, Some(vec![6.0])),
            trial(&b, None),
        ];
        let tallies: Tallies = trials.iter().collect();
        let tally = tallies.of(&a).unwrap();
        assert_eq!((tally.trials, tally.sums.count, tally.loss()), (2, 3, 3.0));
        assert_eq!((tallies.of(&b).unwrap().trials, tallies.of(&b).unwrap().loss()), (2, f64::INFINITY));
        assert_eq!(tallies.of(&study.space.point(&[0.5])), None);
    }

    /// A study of so few points that twins abound.
    fn narrow(seeds: Seeds) -> SearchProblem {
        let range = Range::Integer { from: 0, to: 3, scale: Scale::Linear };
        let dimension = |name: &str| Dimension { name: name.to_owned(), range };
        let mut study = real_study(1, 5);
        study.space = Space::new(vec![dimension("a"), dimension("b")]).unwrap();
        study.evaluation.games = 3;
        study.evaluation.seeds = seeds;
        study
    }

    /// All proposals of a search to its end.
    fn proposed(method: &dyn Method, study: &SearchProblem) -> Vec<Proposal> {
        let batches = play(method, study, noisy_sphere);
        (0..batches.len()).flat_map(|done| method.propose(study, &batches[..done])).collect()
    }

    const RATED: Genetic = Genetic { population: 20, iterations: 15, rating: Rating::AllGames, ..GENETIC };
    const BAYES: Bayes = Bayes { start: 6, batches: 6, batch: 3 };

    #[test]
    fn where_games_are_common_no_twin_meets_a_game_that_its_point_has_met() {
        let methods: [&dyn Method; 2] = [&RATED, &BAYES];
        for method in methods {
            let study = narrow(Seeds::Common);
            let proposals = proposed(method, &study);
            let met: Vec<(&Point, u64)> = proposals
                .iter()
                .flat_map(|proposal| proposal.games.clone().map(|game| (&proposal.point, game)))
                .collect();
            let distinct: std::collections::BTreeSet<_> = met.iter().collect();
            assert!(proposals.len() > 16, "twins cannot be avoided among 16 points");
            assert_eq!(distinct.len(), met.len());
        }
    }

    #[test]
    fn where_games_are_fresh_no_two_trials_share_one() {
        let once = Genetic { rating: Rating::Once, ..RATED };
        let methods: [&dyn Method; 3] = [&RATED, &once, &BAYES];
        for method in methods {
            let proposals = proposed(method, &narrow(Seeds::Fresh));
            let games: Vec<u64> = proposals.iter().flat_map(|proposal| proposal.games.clone()).collect();
            assert_eq!(games, (0..3 * proposals.len() as u64).collect::<Vec<_>>());
        }
    }
}
