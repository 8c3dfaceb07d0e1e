//! Effect sizes and the correlation of games with the same seeds.

use super::difference::PairingError;
use super::estimate::{Estimate, Method};
use super::mean::TAIL;
use super::sample::Sample;
use super::special::normal_quantile;

/// Hedges' g: the difference of means in units of the pooled standard deviation, without the bias of small
/// samples.
///
/// The interval is the one for large samples (Hedges and Olkin 1985); `None` where neither sample has a
/// spread to measure by, and where three games are all: no factor makes their difference unbiased.
pub fn hedges_g(a: &Sample, b: &Sample) -> Option<Estimate> {
    let df = a.size() + b.size() - 2.0;
    let squares = a.variance() * (a.size() - 1.0) + b.variance() * (b.size() - 1.0);
    if df < 2.0 || squares == 0.0 {
        return None;
    }
    let unbiased = libm::exp(libm::lgamma(df / 2.0) - libm::lgamma((df - 1.0) / 2.0)) / (df / 2.0).sqrt();
    let g = unbiased * (a.mean() - b.mean()) / (squares / df).sqrt();
    let games = a.size() + b.size();
    let variance = games / (a.size() * b.size()) + g * g / (2.0 * games);
    let margin = normal_quantile(1.0 - TAIL) * variance.sqrt();
    Some(Estimate::symmetric(g, margin, a.n() + b.n(), Method::LargeSample))
}

/// Pearson's correlation of games that stand in pairs of the same seed, with Fisher's interval. `Ok(None)`
/// where one side is constant.
pub fn correlation(a: &Sample, b: &Sample) -> Result<Option<Estimate>, PairingError> {
    if a.n() != b.n() {
        return Err(PairingError { games: [a.n(), b.n()] });
    }
    let (mean_a, mean_b) = (a.mean(), b.mean());
    let products: f64 = a.values().iter().zip(b.values()).map(|(a, b)| (a - mean_a) * (b - mean_b)).sum();
    let spread = a.population_sd() * b.population_sd();
    if spread == 0.0 {
        return Ok(None);
    }
    let point = (products / (a.size() * spread)).clamp(-1.0, 1.0);
    Ok(Some(fisher(point, a.n())))
}

fn fisher(point: f64, pairs: u64) -> Estimate {
    let method = Method::FisherZ;
    if pairs < 4 {
        return Estimate { point, low: -1.0, high: 1.0, n: pairs, method };
    }
    if point.abs() == 1.0 {
        return Estimate::symmetric(point, 0.0, pairs, method);
    }
    let margin = normal_quantile(1.0 - TAIL) / (pairs as f64 - 3.0).sqrt();
    let z = libm::atanh(point);
    Estimate { point, low: libm::tanh(z - margin), high: libm::tanh(z + margin), n: pairs, method }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{assert_interval, sample};

    /// `scipy.stats.pearsonr([1, 2, 3, 4, 5], [10, 9, 2.5, 6, 4])` of its documentation, both doubled, with
    /// `confidence_interval()`.
    #[test]
    fn the_correlation_and_its_interval_are_those_of_scipy() {
        let (a, b) = (sample(&[2, 4, 6, 8, 10]), sample(&[20, 18, 5, 12, 8]));
        let estimate = correlation(&a, &b).unwrap().unwrap();
        assert!((estimate.point - -0.742_610_657_232_505_7).abs() < 1e-12, "{estimate:?}");
        assert_interval(&estimate, -0.9816918044786463, 0.40501116769030976, 1e-9);
    }

    #[test]
    fn the_same_games_correlate_wholly_and_constant_ones_not_at_all() {
        let a = sample(&[3, 8, 1, 9]);
        assert!((correlation(&a, &a).unwrap().unwrap().point - 1.0).abs() < 1e-15);
        assert_eq!(correlation(&a, &sample(&[2, 2, 2, 2])), Ok(None));
        assert!(correlation(&a, &sample(&[1])).is_err());
    }

    /// Means 3 and 5, both variances 2.5, so d = -1.2649; with 8 degrees of freedom the factor is 0.9027
    /// (Hedges 1981, table).
    #[test]
    fn the_effect_is_the_difference_in_pooled_deviations_shrunk() {
        let g = hedges_g(&sample(&[1, 2, 3, 4, 5]), &sample(&[3, 4, 5, 6, 7])).unwrap();
        assert!((g.point - -2.0 / 2.5_f64.sqrt() * 0.9027).abs() < 1e-4, "{g:?}");
        assert_eq!(hedges_g(&sample(&[1, 1]), &sample(&[2, 2])), None);
    }

    /// Hedges and Olkin (1985, chapter 5): (n + m) / nm + g² / 2(n + m) is the variance.
    #[test]
    fn the_interval_of_the_effect_is_the_one_for_large_samples() {
        // Means 2 and 7, sums of squares 2 and 26 with 6 degrees of freedom, whose factor is 0.8686.
        let g = hedges_g(&sample(&[1, 2, 3]), &sample(&[4, 5, 7, 9, 10])).unwrap();
        let expected = -5.0 / (28.0_f64 / 6.0).sqrt() * 0.8686;
        assert!((g.point - expected).abs() < 1e-3, "{g:?}");
        let margin = 1.959_964 * (8.0 / 15.0 + expected * expected / 16.0).sqrt();
        assert_interval(&g, expected - margin, expected + margin, 2e-3);
        assert_eq!(g.n, 8);
    }

    #[test]
    fn four_pairs_bound_a_correlation_and_three_do_not() {
        let three = correlation(&sample(&[1, 2, 4]), &sample(&[1, 3, 2])).unwrap().unwrap();
        assert_eq!((three.low, three.high, three.n), (-1.0, 1.0, 3));
        let four = correlation(&sample(&[1, 2, 4, 5]), &sample(&[1, 3, 2, 6])).unwrap().unwrap();
        assert!([-1.0, four.low, four.point, four.high, 1.0].is_sorted_by(|a, b| a < b), "{four:?}");
        let whole = correlation(&sample(&[1, 2, 3, 4]), &sample(&[4, 3, 2, 1])).unwrap().unwrap();
        assert!([whole.point, whole.low, whole.high].iter().all(|end| (end + 1.0).abs() < 1e-9), "{whole:?}");
    }

    /// With one degree of freedom the factor against the bias is 0, and would make every effect nothing.
    #[test]
    fn three_games_in_all_have_no_effect_size() {
        assert_eq!(hedges_g(&sample(&[1]), &sample(&[100, 102])), None);
        assert!(hedges_g(&sample(&[1]), &sample(&[100, 102, 104])).unwrap().point < -1.0);
    }
}
