//! Cutting jobs into shards that take about equally long: a long experiment into parts, and short ones
//! together.

use std::time::Duration;

use records::GameTiming;

use crate::{JobPart, SubmissionShard};

/// The shortest that a shard should take, so that starting it costs little.
pub const SHORTEST: Duration = Duration::from_secs(10 * 60);
/// The longest that a shard should take, so that it fits into a busy queue, and little is lost with it.
const LONGEST: Duration = Duration::from_secs(60 * 60);
/// How many shards there should be at least, if none becomes too short by it.
const ENOUGH: u32 = 100;
/// How many shards there should be for each that may run at once, so that none is waited for at the end.
const FOR_EACH: u32 = 4;
/// The factor on the time that 19 of 20 rows stay below.
const RESERVE: f64 = 1.5;
/// The time of a start, at a busy file system.
const START: Duration = Duration::from_secs(60);
/// How much longer than it computes an agent takes by the clock, if it waits for something: a busy machine
/// makes less of a difference.
const WAIT_FACTOR: u64 = 4;

/// The time of a row, such as a game, in seconds of a processor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RowTime {
    /// On average.
    pub mean: f64,
    /// At most, for 19 of 20 rows.
    pub high: f64,
}

impl RowTime {
    /// The same time for every row.
    pub const fn each(seconds: f64) -> Self {
        Self { mean: seconds, high: seconds }
    }

    /// The time of these games; `None` if there are none. If a game's CPU time is not known, or is far below
    /// its wall time because the agent waits for something, its wall time counts.
    pub fn of(timings: &[GameTiming]) -> Option<Self> {
        let seconds = |timing: &GameTiming| {
            let computed =
                timing.known_cpu_ns().filter(|cpu| cpu.saturating_mul(WAIT_FACTOR) >= timing.wall_ns);
            computed.unwrap_or(timing.wall_ns) as f64 * 1e-9
        };
        let mut seconds: Vec<f64> = timings.iter().map(seconds).collect();
        seconds.sort_unstable_by(f64::total_cmp);
        let last = seconds.len().checked_sub(1)?;
        let high = seconds[(seconds.len() * 19).div_ceil(20).min(last)];
        Some(Self { mean: seconds.iter().sum::<f64>() / seconds.len() as f64, high })
    }
}

/// How a job is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Division {
    /// By rows, into as many parts as make good shards. Short jobs share a shard.
    ByRows,
    /// Into this many parts, each a shard of its own, whatever time they take.
    Parts(u64),
}

/// The missing rows of a job.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MissingRows {
    /// How many.
    pub rows: u64,
    /// The time of each.
    pub time: RowTime,
    /// How they are cut.
    pub cut: Division,
}

impl MissingRows {
    /// The time of all, in seconds of a processor.
    pub fn seconds(&self) -> f64 {
        self.rows as f64 * self.time.mean
    }
}

/// The shards of a submission.
#[derive(Clone, Debug, PartialEq)]
pub struct Cuts {
    /// The number of parts of each job.
    pub parts: Vec<u64>,
    /// The shards.
    pub shards: Vec<SubmissionShard>,
    /// How long each shard of rows may take at most.
    pub limit: Duration,
}

/// How long a shard should take, given the whole work in seconds, and how many shards may run at once.
pub fn shard_time(seconds: f64, cores: u16, at_most: Option<u32>) -> Duration {
    let shards = ENOUGH.max(at_most.unwrap_or(0).saturating_mul(FOR_EACH));
    let each = seconds / f64::from(cores) / f64::from(shards);
    Duration::from_secs_f64(each.clamp(SHORTEST.as_secs_f64(), LONGEST.as_secs_f64()))
}

/// Cuts missing rows into shards of about this length.
pub fn cut(missing: &[MissingRows], cores: u16, length: Duration) -> Cuts {
    let room = length.as_secs_f64().max(f64::EPSILON) * f64::from(cores);
    let mut parts = Vec::new();
    let (mut loads, mut fixed): (Vec<Load>, Vec<Load>) = Default::default();
    // A shard of short jobs that has room left.
    let mut open = Load::default();
    for (job, missing) in missing.iter().enumerate() {
        let seconds = missing.seconds();
        let of = match missing.cut {
            Division::Parts(parts) => parts,
            // A load that is too long by its last bit is not too long.
            Division::ByRows => ((seconds / room * (1.0 - 1e-9)).ceil() as u64).clamp(1, missing.rows.max(1)),
        };
        parts.push(of);
        let part = |part| Load::of(JobPart { job, part }, missing.rows.div_ceil(of), missing.time);
        match missing.cut {
            Division::Parts(_) => fixed.extend((1..=of).map(part)),
            Division::ByRows if of > 1 => loads.extend((1..=of).map(part)),
            Division::ByRows if open.mean + seconds <= room => open.add(part(1)),
            Division::ByRows => loads.push(std::mem::replace(&mut open, part(1))),
        }
    }
    loads.push(open);
    loads.retain(|load| !load.pieces.is_empty());
    let highest = loads.iter().map(|load| load.at_most(cores)).fold(0.0, f64::max);
    let shards = loads.into_iter().chain(fixed).map(|load| load.shard(cores)).collect();
    Cuts { parts, shards, limit: START + Duration::from_secs_f64(highest * RESERVE) }
}

/// The work of a shard, in seconds of a processor.
#[derive(Clone, Debug, Default)]
struct Load {
    pieces: Vec<JobPart>,
    /// On average.
    mean: f64,
    /// If every row takes as long as 19 of 20 do at most.
    high: f64,
    /// The longest row: on average, and at most.
    longest: (f64, f64),
}

impl Load {
    fn of(piece: JobPart, rows: u64, time: RowTime) -> Self {
        let rows = rows as f64;
        let (mean, high) = (rows * time.mean, rows * time.high);
        Self { pieces: vec![piece], mean, high, longest: (time.mean, time.high) }
    }

    fn add(&mut self, other: Self) {
        self.pieces.extend(other.pieces);
        self.mean += other.mean;
        self.high += other.high;
        self.longest = (self.longest.0.max(other.longest.0), self.longest.1.max(other.longest.1));
    }

    /// How long it may take by the clock. One core plays a game: the last one may start when all others are
    /// over.
    fn at_most(&self, cores: u16) -> f64 {
        let cores = f64::from(cores);
        self.high / cores + self.longest.1 * (1.0 - 1.0 / cores)
    }

    fn shard(self, cores: u16) -> SubmissionShard {
        let seconds = (self.mean / f64::from(cores)).max(self.longest.0).ceil() as u64;
        SubmissionShard { pieces: self.pieces, seconds }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn missing(rows: u64, mean: f64) -> MissingRows {
        MissingRows { rows, time: RowTime { mean, high: 2.0 * mean }, cut: Division::ByRows }
    }

    #[test]
    fn a_long_experiment_is_cut_and_short_ones_are_put_together() {
        let all = [missing(10, 1.0), missing(1000, 6.0), missing(20, 1.0), missing(590, 1.0)];
        let cuts = cut(&all, 2, Duration::from_secs(300));
        assert_eq!(cuts.parts, [1, 10, 1, 1]);
        let pieces: Vec<Vec<(usize, u64)>> = cuts
            .shards
            .iter()
            .map(|shard| shard.pieces.iter().map(|piece| (piece.job, piece.part)).collect())
            .collect();
        let of_long: Vec<Vec<(usize, u64)>> = (1..=10).map(|part| vec![(1, part)]).collect();
        // The first two short ones have room beside each other, and the last has none beside them.
        assert_eq!(pieces, [of_long, vec![vec![(0, 1), (2, 1)], vec![(3, 1)]]].concat());
        assert_eq!(cuts.shards[0].seconds, 300);
        assert_eq!(cuts.shards[10].seconds, 15);
        assert_eq!(
            cuts.limit,
            START + Duration::from_secs(909),
            "100 games of 12 s on 2 cores, half of one, and half as much again"
        );
    }

    #[test]
    fn a_sum_that_is_off_by_its_last_bit_makes_no_further_part() {
        let time = RowTime { mean: 60.000_000_000_000_01, high: 60.0 };
        let each = MissingRows { rows: 2000, time, cut: Division::ByRows };
        assert_eq!(cut(&[each], 1, Duration::from_secs(120)).parts, [1000]);
    }

    #[test]
    fn a_game_takes_its_time_however_many_cores_there_are() {
        let cuts = cut(&[missing(6, 190.0)], 16, Duration::from_secs(600));
        assert_eq!((cuts.shards.len(), cuts.shards[0].seconds), (1, 190));
        assert!(cuts.limit > Duration::from_secs(2 * 190), "{:?}", cuts.limit);
    }

    #[test]
    fn a_game_is_never_cut() {
        let cuts = cut(&[missing(3, 10_000.0)], 1, Duration::from_secs(60));
        assert_eq!((cuts.parts, cuts.shards.len()), (vec![3], 3));
    }

    #[test]
    fn shards_are_many_and_none_is_too_short_or_too_long() {
        assert_eq!(shard_time(1.0, 1, None), SHORTEST);
        assert_eq!(shard_time(1e9, 1, None), LONGEST);
        assert_eq!(shard_time(200_000.0, 2, None), Duration::from_secs(1000));
        assert_eq!(shard_time(400_000.0, 1, Some(100)), Duration::from_secs(1000));
    }

    #[test]
    fn parts_of_a_fixed_number_are_shards_of_their_own_and_set_no_time_limit() {
        let study = MissingRows { cut: Division::Parts(3), ..missing(30, 1e6) };
        let training = MissingRows { cut: Division::Parts(1), ..missing(1_000_000, 1.0) };
        let cuts = cut(&[study, missing(10, 1.0), training], 2, Duration::from_secs(300));
        assert_eq!(cuts.parts, [3, 1, 1]);
        let jobs: Vec<usize> = cuts.shards.iter().map(|shard| shard.pieces[0].job).collect();
        assert_eq!(jobs, [1, 0, 0, 0, 2]);
        assert!(cuts.limit < Duration::from_secs(100), "{:?}", cuts.limit);
    }

    #[test]
    fn nineteen_of_twenty_games_take_no_longer_than_the_high_time() {
        let timing = |seconds: u64| GameTiming { game: seconds, cpu_ns: seconds * 1_000_000_000, wall_ns: 1 };
        let of =
            |seconds: std::ops::RangeInclusive<u64>| RowTime::of(&seconds.map(timing).collect::<Vec<_>>());
        assert_eq!(of(1..=100), Some(RowTime { mean: 50.5, high: 96.0 }));
        assert_eq!(of(1..=20), Some(RowTime { mean: 10.5, high: 20.0 }));
        assert_eq!(of(7..=7), Some(RowTime { mean: 7.0, high: 7.0 }));
        assert_eq!(RowTime::of(&[]), None);
        for cpu_ns in [0, 400_000_000] {
            let waited = GameTiming { game: 0, cpu_ns, wall_ns: 2_000_000_000 };
            assert_eq!(RowTime::of(&[waited]), Some(RowTime { mean: 2.0, high: 2.0 }));
        }
    }
}
