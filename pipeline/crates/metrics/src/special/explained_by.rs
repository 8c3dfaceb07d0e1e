//! `score.explained-by.TILE`: the share of the variance of scores that lies between the games that reach a
//! tile and those that do not.

use records::Outcome;

use super::{Parameter, SpecialMetric};
use crate::MetricError;

pub(super) static EXPLAINED_BY: SpecialMetric = SpecialMetric {
    name: "score.explained-by",
    parameter: Parameter::Tile,
    words: |tile| format!("share of the variance of scores that reaching {tile} explains"),
    max: 1.0,
    values: |games, tile| by_reaching(&games.outcomes, tile),
};

/// A value for every game whose mean is the share.
///
/// The share is a quotient of two sums over games. To first order, replacing one game changes it by that
/// game's influence, and the values are the share plus these influences: their mean is the share itself, and
/// their spread is how far it would vary between samples.
fn by_reaching(outcomes: &[Outcome], tile: u32) -> Result<Vec<f64>, MetricError> {
    let nothing = MetricError::NothingToExplain { tile };
    let games: Vec<(f64, bool)> =
        outcomes.iter().map(|outcome| (f64::from(outcome.score), outcome.max_tile >= tile)).collect();
    let all = mean(games.iter().map(|&(score, _)| score)).ok_or(nothing.clone())?;
    let of_group = |wanted| mean(games.iter().filter(|game| game.1 == wanted).map(|&(score, _)| score));
    let (Some(with), Some(without)) = (of_group(true), of_group(false)) else { return Err(nothing) };
    let group = |reached: bool| if reached { with } else { without };
    let squared = |distance: f64| distance * distance;
    let variance = mean(games.iter().map(|&(score, _)| squared(score - all))).unwrap_or(0.0);
    let between = mean(games.iter().map(|&(_, reached)| squared(group(reached) - all))).unwrap_or(0.0);
    if variance <= 0.0 {
        return Err(nothing);
    }
    let share = between / variance;
    let value = |&(score, reached): &(f64, bool)| {
        let distance = group(reached) - all;
        let on_between = squared(distance) + 2.0 * distance * (score - group(reached)) - between;
        let on_variance = squared(score - all) - variance;
        share + (on_between - share * on_variance) / variance
    };
    Ok(games.iter().map(value).collect())
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0_u64), |(sum, count), value| (sum + value, count + 1));
    (count > 0).then(|| sum / count as f64)
}

#[cfg(test)]
mod tests {
    use engine::Ending;

    use super::*;

    fn outcomes(games: &[(u32, u32)]) -> Vec<Outcome> {
        let outcome = |&(score, max_tile): &(u32, u32)| Outcome {
            game: 0,
            score,
            max_tile,
            moves: 1,
            final_board: String::new(),
            nodes: 0,
            ending: Ending::NoMoves,
        };
        games.iter().map(outcome).collect()
    }

    fn share(games: &[(u32, u32)], tile: u32) -> f64 {
        mean(by_reaching(&outcomes(games), tile).unwrap().into_iter()).unwrap()
    }

    #[test]
    fn the_mean_of_the_values_is_the_share_of_the_variance() {
        // Means 2 and 8 around 5: 9 of a variance of 10.
        let games = [(1, 2048), (3, 2048), (7, 4096), (9, 8192)];
        assert!((share(&games, 4096) - 0.9).abs() < 1e-12);
        // The largest alone: 9 and 11/3 around 5.
        let between = (16.0 + 3.0 * (4.0 / 3.0) * (4.0 / 3.0)) / 4.0;
        assert!((share(&games, 8192) - between / 10.0).abs() < 1e-12);
    }

    /// The outer game of either group speaks for the tile, the inner one against it: by 0.06 of a share of
    /// 0.9, with the same games.
    #[test]
    fn a_game_far_out_on_the_side_of_its_group_raises_the_share() {
        let values = by_reaching(&outcomes(&[(1, 2048), (3, 2048), (7, 4096), (9, 8192)]), 4096).unwrap();
        let expected = [0.96, 0.84, 0.84, 0.96];
        assert!(
            values.iter().zip(expected).all(|(value, right)| (value - right).abs() < 1e-12),
            "{values:?}"
        );
    }

    #[test]
    fn a_tile_that_decides_the_score_explains_all_of_it_with_certainty() {
        let values = by_reaching(&outcomes(&[(10, 2048), (10, 2048), (30, 4096)]), 4096).unwrap();
        assert!(values.iter().all(|value| (value - 1.0).abs() < 1e-12), "{values:?}");
    }

    /// The spread of the values is that of the share: leaving out each game in turn gives almost the same.
    #[test]
    fn the_values_spread_as_the_share_does_without_each_game() {
        let games: Vec<(u32, u32)> = (0..200)
            .map(|i| if i % 5 < 2 { (70 + i * 7 % 41, 4096) } else { (20 + i * 13 % 37, 2048) })
            .collect();
        let n = games.len() as f64;
        let values = by_reaching(&outcomes(&games), 4096).unwrap();
        let whole = share(&games, 4096);
        let spread: f64 = values.iter().map(|value| (value - whole) * (value - whole)).sum();
        let without = |left_out: usize| {
            let rest: Vec<_> =
                games.iter().enumerate().filter(|(i, _)| *i != left_out).map(|(_, g)| *g).collect();
            let pseudo = n * whole - (n - 1.0) * share(&rest, 4096);
            (pseudo - whole) * (pseudo - whole)
        };
        let jackknife: f64 = (0..games.len()).map(without).sum();
        assert!((spread / jackknife - 1.0).abs() < 0.05, "{spread} {jackknife}");
    }

    #[test]
    fn where_all_games_are_on_one_side_there_is_nothing_to_tell() {
        for games in [&[][..], &[(1, 2048), (2, 2048)], &[(5, 2048), (5, 4096)]] {
            let reason = by_reaching(&outcomes(games), 4096).unwrap_err();
            assert_eq!(reason, MetricError::NothingToExplain { tile: 4096 });
        }
    }
}
