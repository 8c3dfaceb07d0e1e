//! Rates: the share of games that reach a tile.

use super::estimate::{Estimate, Method};
use super::mean::TAIL;
use super::special::normal_quantile;

/// How many of at least one game did something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    count: u64,
    n: u64,
}

/// A count that is no rate: of no games, or of fewer than it counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{count} of {n} games is no rate")]
pub struct RateError {
    /// The count.
    pub count: u64,
    /// The games.
    pub n: u64,
}

impl Rate {
    /// The rate of `count` games of `n`.
    pub const fn new(count: u64, n: u64) -> Result<Self, RateError> {
        if n == 0 || count > n { Err(RateError { count, n }) } else { Ok(Self { count, n }) }
    }

    /// The games that did it.
    pub const fn count(self) -> u64 {
        self.count
    }

    /// All games.
    pub const fn n(self) -> u64 {
        self.n
    }

    /// The share, from 0 to 1.
    pub fn share(self) -> f64 {
        self.count as f64 / self.n as f64
    }
}

/// The rate with Wilson's score interval (1927), which stays within 0 and 1 and has a width even where no
/// game or every game counts.
pub fn rate(rate: Rate) -> Estimate {
    let z = normal_quantile(1.0 - TAIL);
    let (n, share) = (rate.n as f64, rate.share());
    let shrink = 1.0 + z * z / n;
    let centre = (share + z * z / (2.0 * n)) / shrink;
    let half = z * (share * (1.0 - share) / n + z * z / (4.0 * n * n)).sqrt() / shrink;
    Estimate {
        point: share,
        low: if rate.count == 0 { 0.0 } else { centre - half },
        high: if rate.count == rate.n { 1.0 } else { centre + half },
        n: rate.n,
        method: Method::Wilson,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(count: u64, n: u64) -> Estimate {
        rate(Rate::new(count, n).unwrap())
    }

    /// Newcombe 1998 ("Two-sided confidence intervals for the single proportion", Stat. Med. 17), table I,
    /// method 3.
    #[test]
    fn intervals_are_the_published_ones() {
        for (count, n, low, high) in [
            (81, 263, 0.2553, 0.3662),
            (15, 148, 0.0624, 0.1605),
            (0, 20, 0.0000, 0.1611),
            (1, 29, 0.0061, 0.1718),
        ] {
            let estimate = of(count, n);
            assert!((estimate.low - low).abs() < 5e-5 && (estimate.high - high).abs() < 5e-5, "{estimate:?}");
        }
    }

    /// At the ends the interval is z²/(n + z²) wide.
    #[test]
    fn none_and_all_have_the_same_finite_width() {
        let z2 = 1.959_963_984_540_054_f64 * 1.959_963_984_540_054;
        let (none, all) = (of(0, 50), of(50, 50));
        assert_eq!((none.low, all.high), (0.0, 1.0));
        assert!((none.high - z2 / (50.0 + z2)).abs() < 1e-12);
        assert!((1.0 - all.low - none.high).abs() < 1e-12);
    }

    #[test]
    fn counts_beyond_the_games_and_no_games_are_refused() {
        assert_eq!(Rate::new(3, 2), Err(RateError { count: 3, n: 2 }));
        assert_eq!(RateError { count: 3, n: 2 }.to_string(), "3 of 2 games is no rate");
        assert_eq!(Rate::new(0, 0), Err(RateError { count: 0, n: 0 }));
    }
}
