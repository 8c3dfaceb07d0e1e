//! How a playout chooses its moves, on one board or in all lanes at once, with the same outcome.

#![allow(
    clippy::needless_range_loop,
    reason = "stages walk through several arrays in step, by the number of the lane"
)]

use multiversion::multiversion;

use super::bits::{self, SlidPairs, Way};
use super::evaluation::SlideValues;
use super::lanes::{Course, Lane, Lanes};
use crate::board::{transpose, transpose_if};
use crate::seed::scale;
use crate::slide::Slide;

/// How many playouts run side by side: enough vectors to keep a core busy, few enough to stay in its
/// first-level cache.
pub(super) const WIDTH: usize = 16;

/// A way to choose moves.
pub(super) trait Policy: Copy {
    /// The chosen one of the slides by direction; none if none is legal.
    fn choose(self, slides: [Option<Slide>; 4], word: u64) -> Option<Slide>;

    /// Turns the boards of all lanes into the afterstates of the chosen slides.
    fn slide<const N: usize>(self, lanes: &mut Lanes<N>, course: &Course, words: &Lane<N>);

    /// Makes steps, at least one, until a playout ends.
    #[inline(always)]
    fn advance<const N: usize>(self, lanes: &mut Lanes<N>, course: &Course) {
        loop {
            let words = lanes.draw();
            self.slide(lanes, course, &words.directions);
            if lanes.settle(course, &words.spawns) {
                return;
            }
        }
    }

    /// [`Policy::advance`] for a lane alone.
    fn advance_one(self, lane: &mut Lanes<1>, course: &Course) {
        self.advance(lane, course);
    }

    /// [`Policy::advance`] in the best code for the processor at hand.
    fn advance_many(self, lanes: &mut Lanes<WIDTH>, course: &Course);
}

/// Every legal direction is equally likely.
#[derive(Clone, Copy)]
pub(super) struct Random;

impl Policy for Random {
    fn choose(self, slides: [Option<Slide>; 4], word: u64) -> Option<Slide> {
        let mut legal = slides.into_iter().flatten();
        let number = scale((word >> 32) as u32, legal.clone().count() as u32);
        legal.nth(number as usize)
    }

    #[inline(always)]
    fn slide<const N: usize>(self, lanes: &mut Lanes<N>, course: &Course, words: &Lane<N>) {
        let (mut vertical, mut towards_high) = ([0; N], [0; N]);
        let [up, right, down, left] = &lanes.movable;
        for i in 0..N {
            let way = bits::pick([up[i], right[i], down[i], left[i]], words[i]);
            Way { is_vertical: vertical[i], is_towards_high: towards_high[i] } = way;
        }
        let boards = &mut lanes.boards;
        for i in 0..N {
            boards[i] = transpose_if(vertical[i], boards[i]);
        }
        let slid = slide_rows(boards, course);
        for i in 0..N {
            let board = bits::select(towards_high[i], slid.towards_high(i), slid.towards_low(i));
            boards[i] = transpose_if(vertical[i], board);
        }
    }

    fn advance_many(self, lanes: &mut Lanes<WIDTH>, course: &Course) {
        random_many(lanes, course);
    }
}

#[multiversion(targets("x86_64+avx2+bmi1+bmi2"))]
fn random_many(lanes: &mut Lanes<WIDTH>, course: &Course) {
    Random.advance(lanes, course);
}

/// The legal direction whose afterstate has the largest value; of equals the last.
#[derive(Clone, Copy)]
pub(super) struct Greedy<'a>(pub(super) SlideValues<'a>);

impl Policy for Greedy<'_> {
    fn choose(self, slides: [Option<Slide>; 4], _: u64) -> Option<Slide> {
        slides.into_iter().flatten().max_by_key(|slide| self.0.value(*slide.afterstate))
    }

    #[inline(always)]
    fn slide<const N: usize>(self, lanes: &mut Lanes<N>, course: &Course, _: &Lane<N>) {
        let columns = transpose_all(&lanes.boards);
        // A slide up or down is one of the transposed board to the left or right.
        let [up, down] = self.slide_both_ways(&columns, course);
        let [left, right] = self.slide_both_ways(&lanes.boards, course);
        let mut best = Best { boards: lanes.boards, values: [LOWEST; N] };
        best.improve(&up.transposed, &up.values, &lanes.movable[0]);
        best.improve(&right.boards, &right.values, &lanes.movable[1]);
        best.improve(&down.transposed, &down.values, &lanes.movable[2]);
        best.improve(&left.boards, &left.values, &lanes.movable[3]);
        lanes.boards = best.boards;
    }

    fn advance_many(self, lanes: &mut Lanes<WIDTH>, course: &Course) {
        greedy_many(self, lanes, course);
    }
}

#[multiversion(targets("x86_64+avx2+bmi1+bmi2"))]
fn greedy_many(greedy: Greedy<'_>, lanes: &mut Lanes<WIDTH>, course: &Course) {
    greedy.advance(lanes, course);
}

/// Slid boards, both ways in one.
struct SlidLanes<const N: usize> {
    even: Lane<N>,
    odd: Lane<N>,
}

impl<const N: usize> SlidLanes<N> {
    #[inline(always)]
    fn towards_low(&self, lane: usize) -> u64 {
        SlidPairs { even: self.even[lane], odd: self.odd[lane] }.towards_low()
    }

    #[inline(always)]
    fn towards_high(&self, lane: usize) -> u64 {
        SlidPairs { even: self.even[lane], odd: self.odd[lane] }.towards_high()
    }
}

/// Slides the rows of all boards both ways: the loads, which no vector code can do, in a loop of their own.
#[inline(always)]
fn slide_rows<const N: usize>(boards: &Lane<N>, course: &Course) -> SlidLanes<N> {
    let (mut even, mut odd) = ([0; N], [0; N]);
    for i in 0..N {
        SlidPairs { even: even[i], odd: odd[i] } = course.rows.slide(boards[i]);
    }
    SlidLanes { even, odd }
}

/// Mirrors all boards at their main diagonal. (`array::map` is not inlined here, and then has no vector
/// code.)
#[inline(always)]
fn transpose_all<const N: usize>(boards: &Lane<N>) -> Lane<N> {
    let mut transposed = [0; N];
    for i in 0..N {
        transposed[i] = transpose(boards[i]);
    }
    transposed
}

/// Boards with their rows slid one way.
struct Valued<const N: usize> {
    boards: Lane<N>,
    transposed: Lane<N>,
    values: [i64; N],
}

impl Greedy<'_> {
    /// Slides the rows of all boards to the low end, and to the high end.
    #[inline(always)]
    fn slide_both_ways<const N: usize>(self, boards: &Lane<N>, course: &Course) -> [Valued<N>; 2] {
        let (mut even, mut odd, mut low, mut high) = ([0; N], [0; N], [0; N], [0; N]);
        // Not by way of `slide_rows`: both tables are read at the same rows, so one loop finds each of them
        // once.
        for i in 0..N {
            SlidPairs { even: even[i], odd: odd[i] } = course.rows.slide(boards[i]);
            [low[i], high[i]] = self.0.slid_rows(boards[i]);
        }
        let slid = SlidLanes { even, odd };
        let towards_low = std::array::from_fn(|i| slid.towards_low(i));
        let towards_high = std::array::from_fn(|i| slid.towards_high(i));
        [self.add_columns(towards_low, low), self.add_columns(towards_high, high)]
    }

    /// Completes the values of the boards' rows by those of their columns.
    #[inline(always)]
    fn add_columns<const N: usize>(self, boards: Lane<N>, mut values: [i64; N]) -> Valued<N> {
        let transposed = transpose_all(&boards);
        for i in 0..N {
            values[i] += self.0.rows(transposed[i]);
        }
        Valued { boards, transposed, values }
    }
}

/// Below every value of a board.
const LOWEST: i64 = -1 << 40;

/// The best afterstates so far.
struct Best<const N: usize> {
    boards: Lane<N>,
    values: [i64; N],
}

impl<const N: usize> Best<N> {
    /// Takes the afterstates that are legal and not worse.
    #[inline(always)]
    fn improve(&mut self, afterstates: &Lane<N>, values: &[i64; N], movable: &Lane<N>) {
        for i in 0..N {
            let is_worse = ((values[i] - self.values[i]) >> 63) as u64;
            let take = !(is_worse | bits::is_zero(movable[i]));
            self.values[i] ^= (self.values[i] ^ values[i]) & take as i64;
            self.boards[i] = bits::select(take, afterstates[i], self.boards[i]);
        }
    }
}
