//! Rollouts ahead of their time: what lets a sequential search fill the engine's lanes.
//!
//! UCT is sequential: where it goes next depends on the value of the rollout before. But every rollout is a
//! function of its place in the search ([`crate::stream_key`]), so it can be played before the search asks
//! for it. Whenever a lane becomes free, the search guesses which rollout it will want next, and starts it;
//! whenever one ends, the search itself goes on, as far as the values that it wants are there. A wrong guess
//! costs the time of a rollout and nothing else: what the search does is what it would do one rollout after
//! the other. `tests/plain` does that, and the decisions are the same.

use std::cell::RefCell;

use engine::Board;

use crate::rollout::Play;

/// A search that can have its rollouts played ahead.
pub trait Ahead {
    /// The start and seed of a rollout that the search wants or will probably want, and that has not been
    /// started; none if it can think of no more until others end. The rollout that the search itself waits
    /// for comes first.
    fn next_rollout(&mut self) -> Option<(Board, u64)>;

    /// Takes the value of the rollout that `next_rollout` gave as the one with this number since the last
    /// `begin_batch`, and goes on as far as possible.
    fn take_value(&mut self, number: usize, value: u32);

    /// Rollouts are numbered from 0 again.
    fn begin_batch(&mut self);

    /// Whether the search has had all its rollouts.
    fn is_over(&self) -> bool;
}

/// Runs a search to its end.
pub fn run(search: &mut impl Ahead, rollouts: &impl Play) {
    while !search.is_over() {
        search.begin_batch();
        let search = RefCell::new(&mut *search);
        let jobs = std::iter::from_fn(|| search.borrow_mut().next_rollout());
        rollouts.values(jobs, |number, value| search.borrow_mut().take_value(number, value));
    }
}
