//! Playouts: games played to their end by a cheap policy, as fast as one core can.
//!
//! # Lanes
//!
//! Agents that search by simulation spend nearly all their time here. A move is a chain of operations that
//! wait for each other, and the branches of a random game cannot be foreseen, so one playout at a time leaves
//! most of a core idle. Hence many run side by side, each in a lane, by code without branches that the
//! compiler makes vectors of. Ask for many at once ([`Playouts::random_many`]): sixteen or more fill the
//! lanes. A single one takes the same code with one lane.
//!
//! Lanes count no rewards: those of a whole playout follow from its first and last board
//! ([`crate::slide::potential`]). And they know no 65536: a playout that meets a 32768 is played again
//! from its start, the plain way.
//!
//! # Chance
//!
//! A playout is a function of the rules, the start board and a seed of 64 bits, whichever way and beside
//! whatever others it is played. This is frozen with [`crate::seed`], since agents' decisions depend on it:
//!
//! - [`Rng::from_seed`] starts the generator. Every move takes one step of it. With the state `a b c d`
//!   before the step, modulo 2^64, the move's *direction word* is `a + d`, which is the output that
//!   xoshiro256+ has in this state, and its *spawn word* is the output of the step, `rotl(a + d, 23) + a`.
//! - A random playout takes, of the `n` legal directions in the order up, right, down, left, the one with
//!   number `((direction word >> 32) * n) >> 32`, counted from 0.
//! - A greedy playout takes the legal direction whose afterstate has the largest value, of equals the last in
//!   that order. The direction word goes unused.
//! - [`crate::spawn`] reads the spawn word as it reads every draw. So the tiles are those of a
//!   [`crate::Game`] on the same start board whose tile seed is the playout's seed.

mod batch;
mod bits;
mod evaluation;
mod lanes;
mod paired;
mod policy;

#[cfg(test)]
mod tests;

pub use evaluation::Evaluation;

use batch::{Job, LaneBatch};
use bits::Watch;
use lanes::{Course, Lanes};
use paired::PairedRows;
use policy::{Greedy, Policy, Random};

use crate::board::{Board, MAX_PACKED_RANK, movable};
use crate::direction::Direction;
use crate::game::Ending;
use crate::model::Model;
use crate::rules::Rules;
use crate::seed::Rng;
use crate::slide::potential;

/// The outcome of a playout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Playout {
    /// The last board: the afterstate of the last slide where that ended the game, with a 32768 in place of a
    /// 65536.
    pub board: Board,
    /// The sum of the rewards from the start board on.
    pub reward: u32,
    /// The number of moves from the start board on.
    pub moves: u32,
    /// How it ended; never by a fault.
    pub ending: Ending,
}

/// Plays games to their end under some rules. The start that the rules name does not matter here.
///
/// ```
/// use engine::playout::Playouts;
/// use engine::{Board, Rules};
///
/// let playouts = Playouts::new(&Rules::default());
/// let board: Board = "2 4 8 16 / . . 32 . / . . . . / . . . .".parse()?;
/// let mut outcomes = [None; 100];
/// playouts.random_many((0..100).map(|seed| (board, seed)), |job, playout| outcomes[job] = Some(playout));
/// assert_eq!(outcomes[7], Some(playouts.random(board, 7)));
/// # Ok::<(), engine::TextError>(())
/// ```
#[derive(Clone)]
pub struct Playouts {
    course: Course,
    model: Model,
}

impl Playouts {
    /// For games under these rules.
    pub fn new(rules: &Rules) -> Self {
        let model = Model::new(rules);
        Self {
            course: Course {
                rows: PairedRows::of(rules.merging),
                four_bound: bits::four_bound(rules.four),
                watch: Watch::new(model.stop_rank.unwrap_or(MAX_PACKED_RANK)),
            },
            model,
        }
    }

    /// Plays random legal moves.
    pub fn random(&self, start: Board, seed: u64) -> Playout {
        self.one(Random, Job { start, seed })
    }

    /// Plays random legal moves from many boards, each with its seed. `sink` gets every outcome with the
    /// number of its job, counted from 0, in the order in which the playouts happen to end.
    pub fn random_many(
        &self,
        jobs: impl IntoIterator<Item = (Board, u64)>,
        sink: impl FnMut(usize, Playout),
    ) {
        self.many(Random, jobs, sink);
    }

    /// Plays the moves whose afterstates have the largest value. The value sees 65536 as 32768.
    pub fn greedy(&self, evaluation: &Evaluation, start: Board, seed: u64) -> Playout {
        self.one(Greedy(evaluation.of(self.model.merging)), Job { start, seed })
    }

    /// Plays greedily from many boards, as [`Playouts::random_many`] does randomly.
    pub fn greedy_many(
        &self,
        evaluation: &Evaluation,
        jobs: impl IntoIterator<Item = (Board, u64)>,
        sink: impl FnMut(usize, Playout),
    ) {
        self.many(Greedy(evaluation.of(self.model.merging)), jobs, sink);
    }

    fn one(&self, policy: impl Policy, job: Job) -> Playout {
        if self.needs_care(job.start) {
            return self.play_plainly(policy, job.start, job.seed);
        }
        self.alone(policy, job, job.start.packed(), &Rng::from_seed(job.seed), 0)
    }

    fn many(
        &self,
        policy: impl Policy,
        jobs: impl IntoIterator<Item = (Board, u64)>,
        sink: impl FnMut(usize, Playout),
    ) {
        let jobs = jobs.into_iter().map(|(start, seed)| Job { start, seed });
        LaneBatch::new(self, policy, jobs.enumerate(), sink).run();
    }

    /// Plays the plain way, for the rare playouts with a tile that the lanes cannot hold.
    fn play_plainly(&self, policy: impl Policy, start: Board, seed: u64) -> Playout {
        let mut rng = Rng::from_seed(seed);
        let mut playout = Playout { board: start, reward: 0, moves: 0, ending: Ending::NoMoves };
        loop {
            let slides = Direction::ALL.map(|direction| self.model.slide(playout.board, direction));
            let Some(slide) = policy.choose(slides, rng.plus_word()) else { return playout };
            playout.reward += slide.reward;
            playout.moves += 1;
            if let Some(ending) = self.model.ending(&slide) {
                let board = Board::from_packed(slide.afterstate.packed());
                return Playout { board, ending, ..playout };
            }
            playout.board = self.model.spawn(slide.afterstate, &mut rng);
        }
    }

    /// Plays on from a board that the job has come to after this many moves, in a lane of its own.
    fn alone(&self, policy: impl Policy, job: Job, board: u64, rng: &Rng, moves: u32) -> Playout {
        let mut lane = Lanes::<1>::idle();
        lane.put(0, board, rng);
        policy.advance_one(&mut lane, &self.course);
        self.outcome(policy, job, lane.boards[0], moves + lane.steps)
    }

    /// Whether lanes cannot take a start: one without a legal move, or with a tile that the watch would take
    /// for just made.
    #[inline]
    fn needs_care(&self, start: Board) -> bool {
        self.course.watch.seen(start.packed()) != 0 || movable(start.packed()) == [0; 4]
    }

    /// The outcome of a playout that came to its end in a lane.
    #[inline]
    fn outcome(&self, policy: impl Policy, job: Job, board: u64, moves: u32) -> Playout {
        let (ending, spawns) = match (self.course.watch.seen(board), self.model.stop_rank) {
            (0, _) => (Ending::NoMoves, moves),
            (_, Some(_)) => (Ending::StoppedAtTile, moves - 1),
            // A 32768 has come up, and a later slide might make 65536.
            (_, None) => return self.play_plainly(policy, job.start, job.seed),
        };
        let board = Board::from_packed(board);
        Playout { board, reward: reward(job.start, board, spawns), moves, ending }
    }
}

/// What a playout scored, from its first and last board and the number of spawns.
///
/// Merges keep the sum of the tiles, so it tells how many of the spawns were 4s; and the potential has risen
/// by the rewards and by 4 for each of those. It is inlined, so that a caller that needs no reward pays for
/// none.
#[inline]
fn reward(start: Board, end: Board, spawns: u32) -> u32 {
    let fours = (end.tile_sum() - start.tile_sum()) / 2 - spawns;
    potential(*end) - potential(*start) - 4 * fours
}
