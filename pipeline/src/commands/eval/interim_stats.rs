//! Estimates with their intervals, as little as `eval` needs. All intervals are at 95 %.

use serde::Serialize;

/// A number that was estimated from games.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) struct Estimate {
    pub(super) point: f64,
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) n: u64,
}

/// The 0.975 quantile of the normal distribution.
const Z: f64 = 1.959_963_985;

/// The mean, with a t interval; of one game there is no interval but everything.
pub(super) fn mean(values: &[f64]) -> Estimate {
    let n = values.len() as f64;
    let point = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|value| (value - point).powi(2)).sum::<f64>() / (n - 1.0);
    let half = if values.len() < 2 { f64::INFINITY } else { t_quantile(n - 1.0) * (variance / n).sqrt() };
    Estimate { point, low: point - half, high: point + half, n: values.len() as u64 }
}

/// The median, with the interval of the order statistics around it.
pub(super) fn median(values: &[f64]) -> Estimate {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let n = sorted.len();
    let point = (sorted[(n - 1) / 2] + sorted[n / 2]) / 2.0;
    let half = Z * (n as f64).sqrt() / 2.0;
    let low = ((n as f64 / 2.0 - half).floor().max(0.0)) as usize;
    let high = ((n as f64 / 2.0 + half).ceil() as usize).min(n - 1);
    Estimate { point, low: sorted[low], high: sorted[high], n: n as u64 }
}

/// A rate, with Wilson's interval.
pub(super) fn rate(count: u64, n: u64) -> Estimate {
    let (k, n_f) = (count as f64, n as f64);
    let point = k / n_f;
    let centre = (k + Z * Z / 2.0) / (n_f + Z * Z);
    let half = Z / (n_f + Z * Z) * (k * (n_f - k) / n_f + Z * Z / 4.0).sqrt();
    Estimate { point, low: (centre - half).max(0.0), high: (centre + half).min(1.0), n }
}

/// The probability that a game of the one scores more than a game of the other, ties counted half, with the interval that
/// the spread of each side's placements gives.
pub(super) fn exceeds(one: &[f64], other: &[f64]) -> Estimate {
    let share = |value: f64, among: &[f64]| {
        let wins = among.iter().filter(|&&against| value > against).count() as f64;
        let ties = among.iter().filter(|&&against| value == against).count() as f64;
        (wins + ties / 2.0) / among.len() as f64
    };
    let ours = mean(&one.iter().map(|&value| share(value, other)).collect::<Vec<_>>());
    let theirs = mean(&other.iter().map(|&value| 1.0 - share(value, one)).collect::<Vec<_>>());
    let half = ((ours.high - ours.point).powi(2) + (theirs.high - theirs.point).powi(2)).sqrt();
    let n = (one.len().min(other.len())) as u64;
    let point = ours.point;
    Estimate { point, low: (point - half).max(0.0), high: (point + half).min(1.0), n }
}

/// The 0.975 quantile of Student's t, by the expansion of Cornish and Fisher; exact enough from three degrees on.
fn t_quantile(degrees: f64) -> f64 {
    if degrees < 1.5 {
        return 12.706;
    }
    if degrees < 2.5 {
        return 4.303;
    }
    let (z, v) = (Z, degrees);
    z + (z.powi(3) + z) / (4.0 * v)
        + (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / (96.0 * v * v)
        + (3.0 * z.powi(7) + 19.0 * z.powi(5) + 17.0 * z.powi(3) - 15.0 * z) / (384.0 * v.powi(3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_and_intervals_are_those_of_the_tables() {
        for (degrees, quantile) in [(1.0, 12.706), (5.0, 2.571), (30.0, 2.042), (1000.0, 1.962)] {
            assert!((t_quantile(degrees) - quantile).abs() < 0.01, "{degrees}");
        }
        let rate = rate(0, 10);
        assert!(rate.low == 0.0 && (rate.high - 0.2775).abs() < 1e-3, "{rate:?}");
        let mean = mean(&[1.0, 2.0, 3.0]);
        assert!((mean.point - 2.0).abs() < 1e-12 && (mean.high - 4.484).abs() < 0.01, "{mean:?}");
        assert_eq!(median(&[5.0, 1.0, 3.0]).point, 3.0);
        assert_eq!(exceeds(&[2.0, 2.0], &[1.0, 2.0]).point, 0.75);
    }
}
