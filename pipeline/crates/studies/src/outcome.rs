//! The outcome of a study: how it went batch by batch, which points nothing beats, and who won.
//!
//! A point's value is the mean over all of its games, as far as the method plays it more than once. The
//! genetic algorithm as released knows one value of an individual, the first: there the luckiest wins, and
//! here too, so that what its luck is worth can be seen.

use std::collections::BTreeMap;

use manifest::{Objective, Study};
use search::{Eligible, Origin, Point, dominates, hypervolume};
use stats::Estimate;

use crate::scores::mean_of;
use crate::{Scores, TrialRow};

/// A point of a study, with all that its games say of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Contender<'a> {
    /// The parameters.
    pub point: &'a Point,
    /// The first trial whose games count for it.
    pub trial: u64,
    /// How many trials it had.
    pub trials: usize,
    /// The last batch in which it was played again because the method had kept it.
    pub kept: Option<u32>,
    /// The scores of the games that count for it.
    pub scores: Scores,
    /// The cost of a move in each of them, or in each trial.
    pub costs: Vec<f64>,
}

impl Contender<'_> {
    /// Its mean score in the study, with an interval that knows nothing of how it was chosen.
    pub fn score(&self) -> Option<Estimate> {
        self.scores.estimate()
    }

    /// Its mean cost of a move in the study.
    pub fn cost(&self) -> Option<Estimate> {
        mean_of(self.costs.iter().copied())
    }

    /// The mean loss of an objective: the lower the better.
    fn loss(&self, objective: Objective) -> f64 {
        match objective {
            Objective::Score => -self.scores.mean(),
            Objective::Cost => self.costs.iter().sum::<f64>() / self.costs.len() as f64,
        }
    }

    fn losses(&self, objectives: &[Objective]) -> Vec<f64> {
        objectives.iter().map(|&objective| self.loss(objective)).collect()
    }

    /// Whether any game counts for it.
    fn is_known(&self) -> bool {
        self.scores.count() > 0
    }
}

/// How far a study had come after a batch.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The batch, from 0.
    pub batch: u32,
    /// The games asked for up to its end.
    pub games: u64,
    /// The mean of the batch's trials in the first objective: a score, or a cost.
    pub mean: Option<f64>,
    /// The best point so far in the first objective, with its value in the study.
    pub best: Option<Estimate>,
}

/// The points of a study that were played without a fault, by their parameters, with all that counts for
/// them.
pub fn contenders<'a>(study: &Study, rows: &'a [TrialRow]) -> Vec<Contender<'a>> {
    let mut known = KnownPoints::new(study);
    rows.iter().for_each(|row| known.add(row));
    known.contenders.into_values().filter(Contender::is_known).collect()
}

/// What is known of all points so far.
struct KnownPoints<'a, 's> {
    study: &'s Study,
    contenders: BTreeMap<&'a Point, Contender<'a>>,
    faulted: std::collections::BTreeSet<&'a Point>,
}

impl<'a, 's> KnownPoints<'a, 's> {
    const fn new(study: &'s Study) -> Self {
        Self { study, contenders: BTreeMap::new(), faulted: std::collections::BTreeSet::new() }
    }

    /// Takes in a trial: a fault counts against its point for good.
    fn add(&mut self, row: &'a TrialRow) {
        let (Some(scores), Some(efforts)) = (row.scores(), row.efforts()) else {
            self.contenders.remove(&row.point);
            self.faulted.insert(&row.point);
            return;
        };
        if self.faulted.contains(&row.point) {
            return;
        }
        let costs = efforts.iter().map(|effort| effort.of_a_move());
        let alone = Contender {
            point: &row.point,
            trial: row.trial,
            trials: 1,
            kept: (row.origin == Origin::Kept).then_some(row.batch),
            scores: scores.clone(),
            costs: costs.collect(),
        };
        let Some(known) = self.contenders.get_mut(&row.point) else {
            self.contenders.insert(&row.point, alone);
            return;
        };
        known.trials += 1;
        known.kept = known.kept.max(alone.kept);
        if self.study.method.facts().pools_trials {
            known.scores.extend(&alone.scores);
            known.costs.extend(alone.costs);
        } else if alone.loss(self.study.objectives[0]) < known.loss(self.study.objectives[0]) {
            *known = Contender { trials: known.trials, kept: known.kept, ..alone };
        }
    }
}

/// Follows a study: what is known after each batch, the batch, and the games asked for up to its end.
fn by_batch<'a, T>(
    study: &Study,
    rows: &'a [TrialRow],
    after: impl Fn(&KnownPoints<'a, '_>, &'a [TrialRow], u64) -> T,
) -> Vec<T> {
    let (mut known, mut games) = (KnownPoints::new(study), 0);
    let batches = rows.chunk_by(|one, next| one.batch == next.batch);
    batches
        .map(|batch| {
            batch.iter().for_each(|row| known.add(row));
            games += batch.iter().map(|row| row.games.end - row.games.start).sum::<u64>();
            after(&known, batch, games)
        })
        .collect()
}

/// How the study went, batch by batch.
pub fn steps(study: &Study, rows: &[TrialRow]) -> Vec<Step> {
    let objective = study.objectives[0];
    by_batch(study, rows, |known, batch, games| {
        let values: Vec<f64> = batch.iter().filter_map(|row| value(row, objective)).collect();
        let mean = (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64);
        let ranked = best_first(study, known.contenders.values());
        let best = ranked.first().and_then(|best| estimate(best, objective));
        Step { batch: batch[0].batch, games, mean, best }
    })
}

fn value(row: &TrialRow, objective: Objective) -> Option<f64> {
    match objective {
        Objective::Score => row.mean_score(),
        Objective::Cost => row.mean_cost(),
    }
}

fn estimate(contender: &Contender<'_>, objective: Objective) -> Option<Estimate> {
    match objective {
        Objective::Score => contender.score(),
        Objective::Cost => contender.cost(),
    }
}

/// Those that may win, the best in the first objective first; of equal ones the earlier.
///
/// Where a method plays its best again and again, those win that it has kept to the end: what was tried once
/// and praised for it is not known well enough. Where it drops the others, those win that were not dropped.
fn best_first<'k, 'a: 'k>(
    study: &Study,
    contenders: impl Iterator<Item = &'k Contender<'a>>,
) -> Vec<&'k Contender<'a>> {
    let known: Vec<&Contender<'a>> = contenders.filter(|contender| contender.is_known()).collect();
    let most = known.iter().map(|contender| contender.trials).max();
    let kept = known.iter().map(|contender| contender.kept).max().flatten();
    let may_win = |contender: &&Contender<'a>| match study.method.facts().eligible {
        Eligible::All => true,
        Eligible::KeptToTheEnd => contender.kept == kept,
        Eligible::MostTrials => Some(contender.trials) == most,
    };
    let fits = known.into_iter().filter(may_win);
    let mut ranked: Vec<(f64, &Contender<'a>)> =
        fits.map(|contender| (contender.loss(study.objectives[0]), contender)).collect();
    ranked.sort_by(|(a, one), (b, other)| a.total_cmp(b).then(one.trial.cmp(&other.trial)));
    ranked.into_iter().map(|(_, contender)| contender).collect()
}

/// Those that no other beats in every objective, the first objective's best last.
fn front<'k, 'a>(study: &Study, contenders: &'k [Contender<'a>]) -> Vec<&'k Contender<'a>> {
    let losses: Vec<Vec<f64>> =
        contenders.iter().map(|contender| contender.losses(&study.objectives)).collect();
    let is_beaten = |mine: &[f64]| losses.iter().any(|other| dominates(other, mine));
    let unbeaten = (0..contenders.len()).filter(|&number| !is_beaten(&losses[number]));
    let mut front: Vec<usize> = unbeaten.collect();
    front.sort_by(|&a, &b| {
        losses[b][0].total_cmp(&losses[a][0]).then(contenders[a].trial.cmp(&contenders[b].trial))
    });
    front.into_iter().map(|number| &contenders[number]).collect()
}

/// The winners of a study, as many as it plays again: the best, or with two objectives points spread along
/// the front, both ends among them, the one with the best first objective first.
pub fn winners<'a>(study: &Study, rows: &'a [TrialRow]) -> Vec<Contender<'a>> {
    let contenders = contenders(study, rows);
    let most = study.winners.best;
    if study.objectives.len() == 1 {
        return best_first(study, contenders.iter()).into_iter().take(most).cloned().collect();
    }
    let mut front = front(study, &contenders);
    front.reverse();
    spread(front.len(), most).into_iter().map(|number| front[number].clone()).collect()
}

/// So many numbers below `count`, evenly apart, the first and the last among them.
fn spread(count: usize, most: usize) -> Vec<usize> {
    if count <= most {
        return (0..count).collect();
    }
    let gaps = most.max(2) - 1;
    (0..most).map(|number| (number * (count - 1) + gaps / 2) / gaps).collect()
}

/// How much of what a study of score and cost could reach it had reached after each batch: the games asked
/// for until then, and the area between its front and a reference of no points at this cost of a move.
pub fn reached(study: &Study, rows: &[TrialRow], reference_cost: f64) -> Vec<(u64, f64)> {
    by_batch(study, rows, |known, _, games| {
        let losses = known.contenders.values().filter(|contender| contender.is_known());
        let losses: Vec<[f64; 2]> = losses
            .map(|contender| [contender.loss(Objective::Score), contender.loss(Objective::Cost)])
            .collect();
        (games, hypervolume(&losses, [0.0, reference_cost]))
    })
}

/// The mean of what was reached over the games spent, up to a number of games: each batch's counts until the
/// next one ends.
pub fn mean_reached(reached: &[(u64, f64)], games: u64) -> Option<f64> {
    let first = reached.first()?.0;
    if games <= first {
        return None;
    }
    let ends = reached.iter().skip(1).map(|&(end, _)| end).chain([u64::MAX]);
    let area: f64 = reached
        .iter()
        .zip(ends)
        .map(|(&(begin, value), end)| (end.min(games).saturating_sub(begin)) as f64 * value)
        .sum();
    Some(area / (games - first) as f64)
}

/// The largest mean cost of a move among trials, the reference of [`reached`].
pub fn largest_cost<'a>(rows: impl IntoIterator<Item = &'a TrialRow>) -> f64 {
    rows.into_iter().filter_map(TrialRow::mean_cost).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests;
