//! Playouts side by side, one in each lane, and the step that moves all of them on.
//!
//! Every stage of a step is a loop over all lanes without branches, which the compiler turns into vector
//! code. The stages are kept short on purpose: the processor then has several of their turns in flight at
//! once. (One long loop for a whole step has fewer instructions, yet is slower.)

#![allow(
    clippy::needless_range_loop,
    reason = "stages walk through several arrays in step, by the number of the lane"
)]

use super::bits::{self, Watch};
use super::paired::PairedRows;
use crate::board::movable;
use crate::seed::Rng;

/// A word for each lane.
pub(super) type Lane<const N: usize> = [u64; N];

/// A board without legal moves, for lanes without a playout: steps leave it as it is.
const STUCK: u64 = 0x1212_2121_1212_2121;

/// What the playouts of all lanes have in common.
#[derive(Clone, Copy)]
pub(super) struct Course {
    /// The slides of the rules' way of merging.
    pub(super) rows: &'static PairedRows,
    /// See [`bits::four_bound`].
    pub(super) four_bound: u64,
    /// Looks for the tiles at which a playout must leave its lane.
    pub(super) watch: Watch,
}

/// The state of `N` playouts.
pub(super) struct Lanes<const N: usize> {
    /// The boards that await a move; within a step, the afterstates.
    pub(super) boards: Lane<N>,
    /// What is [`movable`] on the boards, by direction.
    pub(super) movable: [Lane<N>; 4],
    /// Not zero where the last step ended a playout.
    pub(super) over: Lane<N>,
    /// How many steps have been made, by all lanes together.
    pub(super) steps: u32,
    generators: [Lane<N>; 4],
    /// The mask of whether a lane has a playout.
    in_use: Lane<N>,
}

/// The random words of a step.
pub(super) struct StepWords<const N: usize> {
    pub(super) directions: Lane<N>,
    pub(super) spawns: Lane<N>,
}

impl<const N: usize> Lanes<N> {
    /// Lanes without playouts.
    pub(super) const fn idle() -> Self {
        Self {
            boards: [STUCK; N],
            movable: [[0; N]; 4],
            over: [0; N],
            steps: 0,
            generators: [[0; N]; 4],
            in_use: [0; N],
        }
    }

    /// Lets a lane go on from a board and its generator.
    pub(super) fn put(&mut self, lane: usize, board: u64, rng: &Rng) {
        self.boards[lane] = board;
        self.in_use[lane] = !0;
        for (part, word) in self.generators.iter_mut().zip(rng.state()) {
            part[lane] = word;
        }
        for (part, tiles) in self.movable.iter_mut().zip(movable(board)) {
            part[lane] = tiles;
        }
    }

    /// Ends the use of a lane and returns its board and generator.
    pub(super) fn take(&mut self, lane: usize) -> (u64, Rng) {
        self.in_use[lane] = 0;
        (self.boards[lane], Rng::from_state(self.generators.map(|part| part[lane])))
    }

    /// The lanes that have a playout.
    pub(super) fn in_use(&self) -> impl Iterator<Item = usize> + use<N> {
        let in_use = self.in_use;
        (0..N).filter(move |&lane| in_use[lane] != 0)
    }

    /// The first stage of a step: draws for all lanes.
    #[inline(always)]
    pub(super) fn draw(&mut self) -> StepWords<N> {
        let mut words = StepWords { directions: [0; N], spawns: [0; N] };
        let [a, b, c, d] = &mut self.generators;
        for i in 0..N {
            let mut rng = Rng::from_state([a[i], b[i], c[i], d[i]]);
            words.directions[i] = rng.plus_word();
            words.spawns[i] = rng.next_u64();
            [a[i], b[i], c[i], d[i]] = rng.state();
        }
        words
    }

    /// The last stages of a step, from afterstates to boards. Returns whether a playout ended.
    ///
    /// A board with a tile that the watch looks for stays as it is, without a spawn.
    #[inline(always)]
    pub(super) fn settle(&mut self, course: &Course, words: &Lane<N>) -> bool {
        for i in 0..N {
            let afterstate = self.boards[i];
            let tile = bits::spawned(afterstate, words[i], course.four_bound);
            self.over[i] = course.watch.seen(afterstate);
            self.boards[i] = afterstate | tile & bits::is_zero(self.over[i]);
        }
        let [up, right, down, left] = &mut self.movable;
        let mut any = 0;
        for i in 0..N {
            [up[i], right[i], down[i], left[i]] = movable(self.boards[i]);
            let stuck = bits::is_zero(up[i] | right[i] | down[i] | left[i]);
            self.over[i] = (self.over[i] | stuck) & self.in_use[i];
            any |= self.over[i];
        }
        self.steps = self.steps.wrapping_add(1);
        any != 0
    }
}
