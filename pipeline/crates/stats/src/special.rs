//! The distribution functions that the intervals need. They rest on `libm` and plain arithmetic, so that
//! every machine gets the same bits: the logarithm and the exponential of the standard library are the
//! platform's.

use std::f64::consts::{PI, SQRT_2};

/// The standard normal distribution function.
pub fn normal_cdf(z: f64) -> f64 {
    0.5 * libm::erfc(-z / SQRT_2)
}

/// The standard normal density.
pub fn normal_density(z: f64) -> f64 {
    libm::exp(-0.5 * z * z) / (2.0 * PI).sqrt()
}

/// The quantile of the standard normal distribution.
pub(super) fn normal_quantile(share: f64) -> f64 {
    symmetric_quantile(share, normal_cdf, normal_density)
}

/// Student's distribution function.
pub(super) fn t_cdf(t: f64, df: f64) -> f64 {
    if t == 0.0 {
        return 0.5;
    }
    let tail = 0.5 * beta_cdf(df / (df + t * t), df / 2.0, 0.5);
    if t > 0.0 { 1.0 - tail } else { tail }
}

/// The quantile of Student's distribution.
pub(super) fn t_quantile(share: f64, df: f64) -> f64 {
    let log_peak = libm::lgamma((df + 1.0) / 2.0) - libm::lgamma(df / 2.0) - 0.5 * libm::log(df * PI);
    let density = |t: f64| libm::exp(log_peak - (df + 1.0) / 2.0 * libm::log1p(t * t / df));
    symmetric_quantile(share, |t| t_cdf(t, df), density)
}

/// The quantile of a distribution with one peak, symmetric about 0.
///
/// Below 0 the distribution function is convex, so Newton's steps from 0 fall towards the quantile and never
/// beyond; there it also has all its digits.
fn symmetric_quantile(share: f64, cdf: impl Fn(f64) -> f64, density: impl Fn(f64) -> f64) -> f64 {
    if share > 0.5 {
        return -symmetric_quantile(1.0 - share, cdf, density);
    }
    let mut at = 0.0;
    loop {
        let next = at - (cdf(at) - share) / density(at);
        if next >= at || !next.is_finite() {
            return at;
        }
        at = next;
    }
}

/// The beta distribution function, which is the regularised incomplete beta function.
///
/// The continued fraction converges fast below the mean, so above it the mirror image is taken.
pub(super) fn beta_cdf(x: f64, a: f64, b: f64) -> f64 {
    if x <= 0.0 || x >= 1.0 {
        return if x <= 0.0 { 0.0 } else { 1.0 };
    }
    let log_front =
        libm::lgamma(a + b) - libm::lgamma(a) - libm::lgamma(b) + a * libm::log(x) + b * libm::log1p(-x);
    let front = libm::exp(log_front);
    if x < (a + 1.0) / (a + b + 2.0) {
        front * beta_fraction(x, a, b) / a
    } else {
        1.0 - front * beta_fraction(1.0 - x, b, a) / b
    }
}

/// The continued fraction of the incomplete beta function, by Lentz's method (DLMF 8.17.22).
fn beta_fraction(x: f64, a: f64, b: f64) -> f64 {
    const TINY: f64 = 1e-300;
    let away_from_zero = |value: f64| if value.abs() < TINY { TINY } else { value };
    let mut c = 1.0;
    let mut d = 1.0 / away_from_zero(1.0 - (a + b) * x / (a + 1.0));
    let mut result = d;
    for step in 1..10_000 {
        let m = f64::from(step);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        d = 1.0 / away_from_zero(1.0 + even * d);
        c = away_from_zero(1.0 + even / c);
        result *= d * c;
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        d = 1.0 / away_from_zero(1.0 + odd * d);
        c = away_from_zero(1.0 + odd / c);
        result *= d * c;
        if (d * c - 1.0).abs() < 1e-15 {
            break;
        }
    }
    result
}

/// Where a condition that is false at `low` and true at `high` turns true, to the last bit.
pub(super) fn bisect(mut low: f64, mut high: f64, turned: impl Fn(f64) -> bool) -> f64 {
    loop {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high {
            return high;
        }
        if turned(middle) { high = middle } else { low = middle }
    }
}

/// The value furthest towards `end` at which a condition holds that holds at `inside`; between there and the
/// end it turns once, if at all.
pub fn last_alike(inside: f64, end: f64, alike: impl Fn(f64) -> bool) -> f64 {
    if alike(end) {
        end
    } else if end < inside {
        bisect(end, inside, alike)
    } else {
        -bisect(-end, -inside, |value| alike(-value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(value: f64, expected: f64) {
        let error = (value - expected).abs() / expected.abs().max(1e-300);
        assert!(error < 2e-12, "{value} is not {expected}");
    }

    /// The values on the right are those of `scipy.stats` 1.17.
    #[test]
    fn distributions_are_those_of_scipy() {
        close(normal_cdf(-8.0), 6.22096057427174e-16);
        close(normal_cdf(-1.96), 0.024997895148220435);
        close(normal_cdf(0.3), 0.6179114221889526);
        close(normal_cdf(2.5), 0.9937903346742238);
        close(normal_quantile(1e-10), -6.361340902404056);
        close(normal_quantile(0.025), -1.9599639845400545);
        close(normal_quantile(0.6), 0.2533471031357997);
        close(normal_quantile(0.975), 1.959963984540054);
        close(t_cdf(-2.5, 4.0), 0.03338327240599407);
        close(t_cdf(1.3, 17.683), 0.8948540322950391);
        close(t_cdf(0.2, 999.0), 0.5792393574886863);
        close(t_cdf(-40.0, 1.5), 0.0014898121954656225);
        close(t_quantile(0.975, 1.0), 12.706204736174694);
        close(t_quantile(0.975, 9.0), 2.262157162798205);
        close(t_quantile(0.2, 4.0), -0.9409645772351811);
        close(t_quantile(0.975, 999.0), 1.9623414611334493);
        close(beta_cdf(0.2, 0.5, 100.5), 0.9999999999775273);
        close(beta_cdf(0.9, 86.5, 14.5), 0.9044181096751657);
        close(beta_cdf(0.5, 0.5, 0.5), 0.5000000000000001);
        close(beta_cdf(1e-05, 3.0, 7.0), 8.39962200755992e-14);
        close(beta_cdf(0.31, 300.0, 700.0), 0.7564186827315443);
    }

    #[test]
    fn the_last_value_that_is_alike_is_found_on_either_side() {
        let alike = |value: f64| (-3.5..=2.25).contains(&value);
        assert_eq!(last_alike(0.0, 10.0, alike), 2.25);
        assert_eq!(last_alike(0.0, -10.0, alike), -3.5);
        assert_eq!((last_alike(0.0, 2.0, alike), last_alike(0.0, -3.0, alike)), (2.0, -3.0), "all are");
        // What lies beyond the other side is not looked at.
        let alike = |value: f64| (9.0..=11.0).contains(&value);
        assert_eq!((last_alike(10.0, 12.0, alike), last_alike(10.0, -12.0, alike)), (11.0, 9.0));
    }

    #[test]
    fn distributions_end_at_0_and_1() {
        assert_eq!((t_cdf(f64::NEG_INFINITY, 3.0), t_cdf(f64::INFINITY, 3.0)), (0.0, 1.0));
        assert_eq!((beta_cdf(0.0, 0.5, 0.5), beta_cdf(1.0, 0.5, 0.5)), (0.0, 1.0));
    }
}
