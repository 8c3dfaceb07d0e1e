//! What a game of an experiment takes, from games that were timed before.

use records::record::GameTiming;

/// How much longer than it computes an agent takes by the clock, if it waits for something: a busy machine makes less of a difference.
const WAITS: u64 = 4;

/// What a game takes, in seconds of a processor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    /// On average.
    pub mean: f64,
    /// At most, for 19 of 20 games.
    pub high: f64,
}

impl Cost {
    /// The cost that these games had; none where there are none. Where a game's own time is not known, or is far from what the clock says,
    /// since the agent waits for something, the clock's stands for it.
    #[must_use]
    pub fn of(timings: &[GameTiming]) -> Option<Self> {
        let mut seconds: Vec<f64> = timings
            .iter()
            .map(|timing| {
                let computed =
                    timing.known_cpu_ns().filter(|cpu| cpu.saturating_mul(WAITS) >= timing.wall_ns);
                computed.unwrap_or(timing.wall_ns) as f64 * 1e-9
            })
            .collect();
        seconds.sort_unstable_by(f64::total_cmp);
        let last = seconds.len().checked_sub(1)?;
        let high = seconds[(seconds.len() * 19).div_ceil(20).min(last)];
        Some(Self { mean: seconds.iter().sum::<f64>() / seconds.len() as f64, high })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nineteen_of_twenty_games_take_no_longer_than_the_high_cost() {
        let timing = |seconds: u64| GameTiming { game: seconds, cpu_ns: seconds * 1_000_000_000, wall_ns: 1 };
        let of = |seconds: std::ops::RangeInclusive<u64>| Cost::of(&seconds.map(timing).collect::<Vec<_>>());
        assert_eq!(of(1..=100), Some(Cost { mean: 50.5, high: 96.0 }));
        assert_eq!(of(1..=20), Some(Cost { mean: 10.5, high: 20.0 }));
        assert_eq!(of(7..=7), Some(Cost { mean: 7.0, high: 7.0 }));
        assert_eq!(Cost::of(&[]), None);
        for cpu_ns in [0, 400_000_000] {
            let waited = GameTiming { game: 0, cpu_ns, wall_ns: 2_000_000_000 };
            assert_eq!(Cost::of(&[waited]), Some(Cost { mean: 2.0, high: 2.0 }));
        }
    }
}
