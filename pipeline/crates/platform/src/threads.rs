//! Work on many files at once, on plain threads.
//!
//! Polars has threads of its own, and a rayon thread that waits for them takes up the next piece of work in
//! the meantime, on top of the one that waits: with many files the stack runs over. A plain thread that waits
//! does nothing else. So whatever reads records for many experiments at once does it here; rayon is for work
//! that calls no polars.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// The result of each item, in the order of the items.
pub fn map<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    map_on(thread::available_parallelism().map_or(1, usize::from), items, work)
}

/// The same, on at most this many threads.
pub fn map_on<T: Sync, R: Send>(most: usize, items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let threads = most.min(items.len());
    let next = AtomicUsize::new(0);
    let take = || {
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index) else { return done };
            done.push((index, work(item)));
        }
    };
    let mut done: Vec<(usize, R)> = thread::scope(|scope| {
        let running: Vec<_> = (0..threads).map(|_| scope.spawn(take)).collect();
        let joined = running.into_iter().map(|thread| match thread.join() {
            Ok(done) => done,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        joined.flatten().collect()
    });
    done.sort_unstable_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_is_worked_on_once_and_the_order_is_kept() {
        let items: Vec<u64> = (0..1000).collect();
        assert_eq!(map(&items, |item| item * item), items.iter().map(|item| item * item).collect::<Vec<_>>());
        assert!(map(&[], |item: &u64| *item).is_empty());
    }
}
