//! Many playouts through a few lanes: a lane whose playout has ended takes the next job.

use super::lanes::Lanes;
use super::policy::{Policy, WIDTH};
use super::{Playout, Playouts};
use crate::board::Board;
use crate::seed::Rng;

/// With so few playouts left, they are quicker one by one than side by side.
const FEW: usize = 3;

/// A playout to be made.
#[derive(Clone, Copy, Default)]
pub(super) struct Job {
    pub(super) start: Board,
    pub(super) seed: u64,
}

/// The playout in a lane.
#[derive(Clone, Copy, Default)]
struct Running {
    job: Job,
    number: usize,
    /// The count of the lanes' steps when it began.
    began: u32,
}

/// The state of a run through many jobs.
pub(super) struct LaneBatch<'a, P, J, S> {
    playouts: &'a Playouts,
    policy: P,
    jobs: J,
    sink: S,
    lanes: Lanes<WIDTH>,
    running: [Running; WIDTH],
}

impl<'a, P, J, S> LaneBatch<'a, P, J, S>
where
    P: Policy,
    J: Iterator<Item = (usize, Job)>,
    S: FnMut(usize, Playout),
{
    pub(super) fn new(playouts: &'a Playouts, policy: P, jobs: J, sink: S) -> Self {
        Self { playouts, policy, jobs, sink, lanes: Lanes::idle(), running: [Running::default(); WIDTH] }
    }

    /// Plays all jobs.
    pub(super) fn run(mut self) {
        let mut live = (0..WIDTH).filter(|&lane| self.refill(lane)).count();
        while live > FEW {
            self.policy.advance_many(&mut self.lanes, &self.playouts.course);
            for lane in 0..WIDTH {
                if self.lanes.over[lane] != 0 {
                    self.finish(lane);
                    live -= usize::from(!self.refill(lane));
                }
            }
        }
        for lane in self.lanes.in_use() {
            self.finish_alone(lane);
        }
    }

    /// Starts the next job in a lane. Returns whether there was one.
    fn refill(&mut self, lane: usize) -> bool {
        for (number, job) in self.jobs.by_ref() {
            if self.playouts.needs_care(job.start) {
                (self.sink)(number, self.playouts.play_plainly(self.policy, job.start, job.seed));
            } else {
                self.lanes.put(lane, job.start.packed(), &Rng::from_seed(job.seed));
                self.running[lane] = Running { job, number, began: self.lanes.steps };
                return true;
            }
        }
        false
    }

    /// Hands on the outcome of a lane whose playout has ended.
    fn finish(&mut self, lane: usize) {
        let (board, _) = self.lanes.take(lane);
        let Running { job, number, .. } = self.running[lane];
        let playout = self.playouts.outcome(self.policy, job, board, self.moves(lane));
        (self.sink)(number, playout);
    }

    /// Plays a lane to its end, apart from the others.
    fn finish_alone(&mut self, lane: usize) {
        let (board, rng) = self.lanes.take(lane);
        let Running { job, number, .. } = self.running[lane];
        let playout = self.playouts.alone(self.policy, job, board, &rng, self.moves(lane));
        (self.sink)(number, playout);
    }

    /// How many moves the playout in a lane has made. The count of steps may have wrapped around meanwhile.
    fn moves(&self, lane: usize) -> u32 {
        self.lanes.steps.wrapping_sub(self.running[lane].began)
    }
}
