//! Cutting the games that are missing into shards that take about equally long: a long experiment into parts, and short ones together.

use std::time::Duration;

use super::cost::Cost;
use super::submission::{SentPiece, SentShard};

/// The shortest that a shard should take, so that starting it costs little.
pub const SHORTEST: Duration = Duration::from_secs(10 * 60);
/// The longest that a shard should take, so that it finds its place in a busy queue, and little is lost with it.
pub const LONGEST: Duration = Duration::from_secs(60 * 60);
/// How many shards there should be at least, if none becomes too short by it.
const ENOUGH: u32 = 100;
/// How many shards there should be for each that may be played at once, so that none is waited for at the end.
const FOR_EACH: u32 = 4;
/// What is added to what nineteen of twenty games take.
const RESERVE: f64 = 1.5;
/// What starting takes, at a busy file system.
const START: Duration = Duration::from_secs(60);

/// The missing games of an experiment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Missing {
    /// How many.
    pub games: u64,
    /// What each takes.
    pub cost: Cost,
}

impl Missing {
    /// What all take, in seconds of a processor.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        self.games as f64 * self.cost.mean
    }
}

/// The shards of a submission.
#[derive(Clone, Debug, PartialEq)]
pub struct Cuts {
    /// Into how many parts the games of each experiment are cut.
    pub parts: Vec<u64>,
    /// The shards.
    pub shards: Vec<SentShard>,
    /// How long each of them may take at most.
    pub limit: Duration,
}

/// How long a shard should take, where this much work is to be done and so many may be played at once.
#[must_use]
pub fn shard_time(seconds: f64, cores: u16, at_most: Option<u32>) -> Duration {
    let shards = ENOUGH.max(at_most.unwrap_or(0).saturating_mul(FOR_EACH));
    let each = seconds / f64::from(cores) / f64::from(shards);
    Duration::from_secs_f64(each.clamp(SHORTEST.as_secs_f64(), LONGEST.as_secs_f64()))
}

/// Cuts missing games into shards of about this length.
#[must_use]
pub fn cut(missing: &[Missing], cores: u16, length: Duration) -> Cuts {
    let room = length.as_secs_f64().max(f64::EPSILON) * f64::from(cores);
    let mut parts = Vec::new();
    let mut loads: Vec<Load> = Vec::new();
    // A shard of short experiments that has room left.
    let mut open = Load::default();
    for (experiment, missing) in missing.iter().enumerate() {
        let whole = missing.seconds();
        // What is too long by the last bit is not too long.
        let of = ((whole / room * (1.0 - 1e-9)).ceil() as u64).clamp(1, missing.games.max(1));
        parts.push(of);
        let part = |part| Load::of(SentPiece { experiment, part }, missing.games.div_ceil(of), missing.cost);
        if of > 1 {
            loads.extend((1..=of).map(part));
        } else if open.mean + whole <= room {
            open.add(part(1));
        } else {
            loads.push(std::mem::replace(&mut open, part(1)));
        }
    }
    loads.push(open);
    loads.retain(|load| !load.pieces.is_empty());
    let highest = loads.iter().map(|load| load.at_most(cores)).fold(0.0, f64::max);
    let shards = loads.into_iter().map(|load| load.shard(cores)).collect();
    Cuts { parts, shards, limit: START + Duration::from_secs_f64(highest * RESERVE) }
}

/// What a shard has to do, in seconds of a processor.
#[derive(Clone, Debug, Default)]
struct Load {
    pieces: Vec<SentPiece>,
    /// On average.
    mean: f64,
    /// If every game is as long as nineteen of twenty are at most.
    high: f64,
    /// The longest game, on average and so.
    longest: (f64, f64),
}

impl Load {
    fn of(piece: SentPiece, games: u64, cost: Cost) -> Self {
        let games = games as f64;
        let (mean, high) = (games * cost.mean, games * cost.high);
        Self { pieces: vec![piece], mean, high, longest: (cost.mean, cost.high) }
    }

    fn add(&mut self, other: Self) {
        self.pieces.extend(other.pieces);
        self.mean += other.mean;
        self.high += other.high;
        self.longest = (self.longest.0.max(other.longest.0), self.longest.1.max(other.longest.1));
    }

    /// How long it may take by the clock. A game is played by one core: the last one may begin when all others are over.
    fn at_most(&self, cores: u16) -> f64 {
        let cores = f64::from(cores);
        self.high / cores + self.longest.1 * (1.0 - 1.0 / cores)
    }

    fn shard(self, cores: u16) -> SentShard {
        let seconds = (self.mean / f64::from(cores)).max(self.longest.0).ceil() as u64;
        SentShard { pieces: self.pieces, seconds }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn missing(games: u64, mean: f64) -> Missing {
        Missing { games, cost: Cost { mean, high: 2.0 * mean } }
    }

    #[test]
    fn a_long_experiment_is_cut_and_short_ones_are_put_together() {
        let all = [missing(10, 1.0), missing(1000, 6.0), missing(20, 1.0), missing(590, 1.0)];
        let cuts = cut(&all, 2, Duration::from_secs(300));
        assert_eq!(cuts.parts, [1, 10, 1, 1]);
        let pieces: Vec<Vec<(usize, u64)>> = cuts
            .shards
            .iter()
            .map(|shard| shard.pieces.iter().map(|piece| (piece.experiment, piece.part)).collect())
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
        let each = Missing { games: 2000, cost: Cost { mean: 60.000_000_000_000_01, high: 60.0 } };
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
}
