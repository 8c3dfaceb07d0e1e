//! What a change did to an experiment's games: each number before and after, and the difference with its
//! interval.

use std::collections::BTreeMap;

use serde::Serialize;

use manifest::{Event, Given, Quantity};
use records::Provenance;
use stats::{
    Comparison, Estimate, Pairing, Rate, Sample, compare, compare_rates, mean, median, rate, ratio_of_logs,
};
use verdict::evidence::Games;

/// The ranks of the tiles whose rates are compared, as far as games reach them: 32 to 65,536.
const RANKS: std::ops::RangeInclusive<u32> = 5..=16;

/// What a change did to the scores and the tiles.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Effect {
    /// Whether the difference of the means was taken in pairs of the same seed.
    pub pairing: Pairing,
    /// The mean score.
    pub mean: Contrast,
    /// The median score.
    pub median: Contrast,
    /// The chance that a game after the change scores higher than one before, ties half.
    pub superiority: Estimate,
    /// How much games of one seed have in common; none without pairs, or where one side is constant.
    pub correlation: Option<Estimate>,
    /// The rates at which tiles are reached, as far as not all or no games do on both sides.
    pub tiles: Vec<TileContrast>,
}

/// A number before and after, and the difference.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Contrast {
    /// Of all games before.
    pub before: Estimate,
    /// Of all games after.
    pub after: Estimate,
    /// After less before.
    pub difference: Estimate,
}

/// The rate at which a tile is reached.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TileContrast {
    /// The tile.
    pub tile: u32,
    /// The rates.
    pub rate: Contrast,
}

/// What a change did to the CPU time of a move.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TimeContrast {
    /// After over before.
    pub ratio: Estimate,
    /// Whether both were measured on one kind of machine, so that the ratio says something of the program.
    pub same_machine: bool,
    /// The machines before.
    pub before: Vec<String>,
    /// The machines after.
    pub after: Vec<String>,
}

/// The effect on scores and tiles; `None` if a side has no games.
pub(super) fn effect(before: &Games, after: &Games) -> Option<Effect> {
    let [all_before, all_after] = [before, after].map(|games| Sample::new(games.scores()).ok());
    let (all_before, all_after) = (all_before?, all_after?);
    let Comparison {
        pairing,
        mean: mean_difference,
        median: median_difference,
        superiority,
        correlation,
        ..
    } = compare_scores(before, after, &all_before, &all_after)?;
    let contrast = |before, after, difference| Contrast { before, after, difference };
    Some(Effect {
        pairing,
        mean: contrast(mean(&all_before), mean(&all_after), mean_difference),
        median: contrast(median(&all_before), median(&all_after), median_difference),
        superiority,
        correlation,
        tiles: RANKS.filter_map(|rank| tile_contrast(before, after, 1 << rank)).collect(),
    })
}

/// Compares the games of the same seeds where there are such, else all of both.
fn compare_scores(
    before: &Games,
    after: &Games,
    all_before: &Sample,
    all_after: &Sample,
) -> Option<Comparison> {
    if let Some((before, after)) = pairs(before, after) {
        return compare(&before, &after, Pairing::SameSeeds).ok();
    }
    compare(all_before, all_after, Pairing::Independent).ok()
}

/// The scores of the games that both have with the same seeds, in the same order; `None` if there are fewer
/// than two.
fn pairs(before: &Games, after: &Games) -> Option<(Sample, Sample)> {
    if before.identity.seed != after.identity.seed {
        return None;
    }
    let scores: BTreeMap<u64, u32> =
        after.outcomes.iter().map(|outcome| (outcome.game, outcome.score)).collect();
    let pairs: Vec<(f64, f64)> = before
        .outcomes
        .iter()
        .filter_map(|outcome| Some((f64::from(outcome.score), f64::from(*scores.get(&outcome.game)?))))
        .collect();
    if pairs.len() < 2 {
        return None;
    }
    let (before, after): (Vec<f64>, Vec<f64>) = pairs.into_iter().unzip();
    Sample::new(before).ok().zip(Sample::new(after).ok())
}

fn tile_contrast(before: &Games, after: &Games, tile: u32) -> Option<TileContrast> {
    let [before, after] = [before, after].map(|games| {
        let (count, n) = games.count(Event::reach(tile), Given::Always);
        Rate::new(count, n).ok()
    });
    let (one, other) = (before?, after?);
    let is_same = |share: f64| one.share() == share && other.share() == share;
    if is_same(0.0) || is_same(1.0) {
        return None;
    }
    let rate = Contrast { before: rate(one), after: rate(other), difference: compare_rates(one, other) };
    Some(TileContrast { tile, rate })
}

/// The effect on the nodes of a move; `None` if they are the same in every game that both have.
pub(super) fn nodes(before: &Games, after: &Games) -> Option<Contrast> {
    let known: BTreeMap<u64, u64> =
        after.outcomes.iter().map(|outcome| (outcome.game, outcome.nodes)).collect();
    let differs = |(game, nodes): (u64, u64)| known.get(&game).is_some_and(|&other| other != nodes);
    if !before.outcomes.iter().any(|outcome| differs((outcome.game, outcome.nodes))) {
        return None;
    }
    let [before, after] =
        [before, after].map(|games| Sample::new(games.values(Quantity::NODES, Given::Always)).ok());
    let (before, after) = (before?, after?);
    let pairing = Pairing::Independent;
    let difference = compare(&before, &after, pairing).ok()?.mean;
    Some(Contrast { before: mean(&before), after: mean(&after), difference })
}

/// The effect on the CPU time of a move; `None` if it was not measured again.
pub(super) fn time(before: &Games, after: &Games) -> Option<TimeContrast> {
    if before.timings == after.timings {
        return None;
    }
    let logs = |games: &Games| Sample::new(games.cpu_ns_per_move().into_iter().map(libm::log)).ok();
    let ratio = ratio_of_logs(&logs(after)?, &logs(before)?);
    let [before, after] = [before, after].map(|games| machines(&games.provenance));
    Some(TimeContrast { ratio, same_machine: before == after && before.len() == 1, before, after })
}

/// The kinds of machine, each once.
fn machines(provenance: &[Provenance]) -> Vec<String> {
    let all = provenance.iter().map(|made| format!("{}, {}", made.cpu, made.platform));
    all.collect::<std::collections::BTreeSet<_>>().into_iter().collect()
}
