//! The bit tricks against loops, and the lanes against the plain way. Whole playouts against the naive rules
//! are in `engine/tests/playouts.rs`.

use super::bits::{self, SlidPairs, Watch, Way};
use super::lanes::{Course, Lanes};
use super::paired::PairedRows;
use super::policy::{Greedy, Policy, Random, WIDTH};
use super::{Evaluation, Playout, Playouts};
use crate::board::{Afterstate, Board};
use crate::direction::Direction;
use crate::game::Ending;
use crate::rules::{Merging, Odds, Rules, StopTile};
use crate::seed::Rng;
use crate::slide::Slides;
use crate::spawn;

const BOTH: [Merging; 2] = [Merging::Once, Merging::Cascading];

/// Boards of all kinds: sparse and full, low and high, and some with a pair that may merge to 65536. None is
/// empty.
fn boards(count: u64) -> impl Iterator<Item = Board> {
    let mut rng = Rng::from_seed(2048);
    (0..count).map(move |number| {
        let ranks = if number % 3 == 0 { rng.next_u64() } else { 0x7777_7777_7777_7777 };
        let mut packed = rng.next_u64() & ranks;
        for cell in 0..16 {
            if u64::from(rng.below(16)) < number % 16 {
                packed &= !(15 << (4 * cell));
            }
        }
        Board::from_packed(packed | if number % 25 == 0 { 0xff } else { 1 })
    })
}

const fn mask(yes: bool) -> u64 {
    if yes { !0 } else { 0 }
}

#[test]
fn paired_rows_are_the_slides_to_either_end() {
    for merging in BOTH {
        let slides = Slides::of(merging);
        let slide = |board, direction| {
            slides.slide(board, direction).map_or(board.packed(), |slide| slide.afterstate.packed())
        };
        for board in boards(20_000) {
            let pairs: SlidPairs = PairedRows::of(merging).slide(board.packed());
            assert_eq!(pairs.towards_low(), slide(board, Direction::Left), "{board}, {merging:?}");
            assert_eq!(pairs.towards_high(), slide(board, Direction::Right), "{board}, {merging:?}");
        }
    }
}

#[test]
fn a_picked_direction_is_the_nth_legal_one() {
    let mut rng = Rng::from_seed(1);
    for board in boards(50_000) {
        let legal: Vec<Direction> = board.legal_moves().iter().collect();
        let word = rng.next_u64();
        if let Some(&direction) = legal.get((((word >> 32) * legal.len() as u64) >> 32) as usize) {
            let is_towards_high = matches!(direction, Direction::Right | Direction::Down);
            let way =
                Way { is_vertical: mask(direction.is_vertical()), is_towards_high: mask(is_towards_high) };
            assert_eq!(
                bits::pick(crate::board::movable(board.packed()), word),
                way,
                "{board}, {direction:?}"
            );
        }
    }
}

#[test]
fn lanes_spawn_what_games_spawn() {
    for (odds, seed) in [("1/10", 1), ("0/1", 2), ("1/1", 3), ("3/7", 4)] {
        let four: Odds = odds.parse().unwrap();
        let mut rng = Rng::from_seed(seed);
        for board in boards(20_000).filter(|board| board.empty_count() > 0) {
            let afterstate = Afterstate::from_packed(board.packed());
            let word = rng.clone().next_u64();
            let tile = bits::spawned(afterstate.packed(), word, bits::four_bound(four));
            let spawned = spawn::spawn(afterstate, four, &mut rng);
            assert_eq!(Board::from_packed(board.packed() | tile), spawned);
        }
    }
}

#[test]
fn the_bound_of_fours_is_exact() {
    for (numerator, denominator) in [(1, 10), (0, 1), (1, 1), (3, 7), (1, 3), (1, u32::MAX), (999, 1000)] {
        let bound = bits::four_bound(Odds::new(numerator, denominator).unwrap());
        for half in bound.saturating_sub(2)..(bound + 2).min(1 << 32) {
            let is_four = (half * u64::from(denominator)) >> 32 < u64::from(numerator);
            assert_eq!(half < bound, is_four, "{numerator}/{denominator}, {half}");
        }
    }
}

#[test]
fn a_watch_sees_its_rank_and_higher_ones_only() {
    for board in boards(5_000) {
        for rank in 1..=15 {
            assert_eq!(
                Watch::new(rank).seen(board.packed()) != 0,
                board.max_rank() >= rank,
                "{board}, {rank}"
            );
        }
    }
}

/// An evaluation with many ties.
fn evaluation() -> Evaluation {
    Evaluation::new(|ranks| ranks.iter().filter(|&&rank| rank == 0).count() as i32 - i32::from(ranks[0] & 3))
}

/// Values from both ends of the range, so that sums come close to overflowing.
fn extreme() -> Evaluation {
    Evaluation::new(|ranks| {
        let sign = if ranks.iter().sum::<u8>() % 2 == 0 { 1 } else { -1 };
        sign * ((1 << 28) - 1 - i32::from(ranks[1]))
    })
}

fn many(playouts: &Playouts, jobs: &[(Board, u64)], greedy: Option<&Evaluation>) -> Vec<Playout> {
    let mut outcomes = vec![None; jobs.len()];
    let sink = |job: usize, playout| assert!(outcomes[job].replace(playout).is_none(), "one outcome a job");
    match greedy {
        None => playouts.random_many(jobs.iter().copied(), sink),
        Some(evaluation) => playouts.greedy_many(evaluation, jobs.iter().copied(), sink),
    }
    outcomes.into_iter().map(|outcome| outcome.expect("an outcome for every job")).collect()
}

#[test]
fn one_many_and_the_plain_way_come_to_the_same_end() {
    let jobs: Vec<(Board, u64)> = boards(if cfg!(debug_assertions) { 300 } else { 1500 }).zip(7..).collect();
    let evaluations = [evaluation(), extreme()];
    let mut endings = Vec::new();
    for merging in BOTH {
        for (stop, odds) in [(None, "1/10"), (Some(8), "1/2"), (Some(14), "0/1"), (Some(15), "1/1")] {
            let stop_at = stop.and_then(StopTile::from_rank);
            let rules = Rules { four: odds.parse().unwrap(), merging, stop_at, ..Rules::default() };
            let playouts = Playouts::new(&rules);
            for (&(start, seed), outcome) in jobs.iter().zip(many(&playouts, &jobs, None)) {
                assert_eq!(outcome, playouts.random(start, seed));
                assert_eq!(outcome, playouts.play_plainly(Random, start, seed), "{start}, {rules:?}");
                endings.push(outcome.ending);
            }
            for evaluation in &evaluations {
                let greedy = Greedy(evaluation.of(merging));
                for (&(start, seed), outcome) in jobs.iter().zip(many(&playouts, &jobs, Some(evaluation))) {
                    assert_eq!(outcome, playouts.greedy(evaluation, start, seed));
                    assert_eq!(outcome, playouts.play_plainly(greedy, start, seed), "{start}, {rules:?}");
                }
            }
        }
    }
    for ending in [Ending::NoMoves, Ending::StoppedAtTile, Ending::TileCap] {
        assert!(endings.iter().filter(|&&seen| seen == ending).count() > 20, "{ending} was hardly tried");
    }
}

#[test]
fn batches_of_every_size_are_complete() {
    let playouts = Playouts::new(&Rules::default());
    let evaluation = evaluation();
    let jobs: Vec<(Board, u64)> = (0..40).map(|seed| (Board::from_packed(0x11), seed)).collect();
    let random: Vec<Playout> = jobs.iter().map(|&(start, seed)| playouts.random(start, seed)).collect();
    let greedy: Vec<Playout> =
        jobs.iter().map(|&(start, seed)| playouts.greedy(&evaluation, start, seed)).collect();
    for size in 0..jobs.len() {
        assert_eq!(many(&playouts, &jobs[..size], None), random[..size]);
        assert_eq!(many(&playouts, &jobs[..size], Some(&evaluation)), greedy[..size]);
    }
}

/// Advances the same lanes by baseline code and by the code for this processor, until all playouts have
/// ended.
fn assert_dispatch_changes_nothing(policy: impl Policy, course: &Course) {
    let mut both = [Lanes::<WIDTH>::idle(), Lanes::<WIDTH>::idle()];
    for lanes in &mut both {
        (0..WIDTH).for_each(|lane| lanes.put(lane, 0x2001, &Rng::from_seed(lane as u64)));
    }
    let [baseline, dispatched] = &mut both;
    while baseline.in_use().count() > 0 {
        policy.advance(baseline, course);
        policy.advance_many(dispatched, course);
        assert_eq!(
            (baseline.boards, baseline.movable, baseline.over, baseline.steps),
            (dispatched.boards, dispatched.movable, dispatched.over, dispatched.steps)
        );
        for lane in (0..WIDTH).filter(|&lane| baseline.over[lane] != 0).collect::<Vec<_>>() {
            assert_eq!(baseline.take(lane), dispatched.take(lane));
        }
    }
    assert_eq!(dispatched.in_use().count(), 0);
}

#[test]
fn processor_features_change_nothing() {
    for merging in BOTH {
        let playouts = Playouts::new(&Rules { merging, ..Rules::default() });
        assert_dispatch_changes_nothing(Random, &playouts.course);
        assert_dispatch_changes_nothing(Greedy(evaluation().of(merging)), &playouts.course);
        assert_dispatch_changes_nothing(Greedy(extreme().of(merging)), &playouts.course);
    }
}

#[test]
#[should_panic(expected = "between -2^28 and 2^28")]
fn values_beyond_the_range_are_refused() {
    let _ = Evaluation::new(|ranks| if ranks == [15; 4] { 1 << 28 } else { 0 });
}

#[test]
fn the_two_words_of_a_move_are_even_and_independent() {
    let mut counts = [[0_u32; 15]; 4];
    let mut rng = Rng::from_seed(1);
    const DRAWS: u32 = 1_500_000;
    for _ in 0..DRAWS {
        let direction = rng.plus_word() >> 62;
        counts[direction as usize][rng.below(15) as usize] += 1;
    }
    let due = f64::from(DRAWS) / 60.0;
    let chi_square: f64 = counts.iter().flatten().map(|&seen| (f64::from(seen) - due).powi(2) / due).sum();
    // 59 degrees of freedom; 109 is about the 0.9999 quantile.
    assert!(chi_square < 109.0, "chi-square {chi_square}, counts {counts:?}");
}
