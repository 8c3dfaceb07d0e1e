//! Trainings: games from which an agent learns, conducted in workers as all games are, with checkpoints from which they go on.
//!
//! Nothing here decides what is learned: that is a function of the training's setup and the number of games. When to save, when to
//! stop and how long to wait only costs time.

mod conduct;
mod finish;
mod progress;
mod standing;
mod workplace;

use platform::confined::ConfinedPath;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::run::Display;
pub use conduct::{Conducted, Conductor, Ended, Finished, signature};
pub use finish::{KeepError, curve, keep};
use progress::Progress;
pub use standing::Standing;
use workers::worker::WorkerError;

/// Why a training did not come to its end. What its last checkpoint has stays.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum TrainError {
    #[error("{name}: {source}")]
    Worker { name: String, source: WorkerError },
    #[error("{name}: {}: {source}", folder.display())]
    Io { name: String, folder: ConfinedPath, source: io::Error },
}

impl TrainError {
    fn io(training: &Conducted) -> impl Fn(io::Error) -> Self {
        |source| Self::Io { name: training.name.clone(), folder: training.folder.clone(), source }
    }
}

/// Conducts trainings, so many at once; each is handed on as it ends.
///
/// # Panics
/// Where `take` does.
pub fn conduct_all(
    trainings: &[Conducted],
    conductor: &Conductor<'_>,
    (jobs, display): (usize, Display),
    take: impl Fn(usize, Result<Ended, TrainError>) + Sync,
) {
    let progress = Progress::new(display);
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some((place, training)) = {
            let place = next.fetch_add(1, Ordering::Relaxed);
            trainings.get(place).map(|training| (place, training))
        } {
            let line = progress.line(&training.name, training.games);
            take(place, conductor.conduct(training, &line));
        }
    };
    thread::scope(|scope| {
        (0..jobs.min(trainings.len())).for_each(|_| drop(scope.spawn(work)));
    });
}
