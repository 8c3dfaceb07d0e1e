//! The status of a submission: its files say what is done, and Slurm says what happens to the rest.

use std::collections::BTreeMap;
use std::time::Duration;

use jobs::Key;
use platform::threads;
use serde::Serialize;

use crate::slurm::{self, QueuePlace, Queued};
use crate::{Attempt, Cause, ClusterError, JobPart, Queue, Round, Submission, WorkFolder};

/// The status of a submission.
#[derive(Clone, Debug, Serialize)]
pub struct ClusterStatus {
    /// Every shard.
    pub shards: Vec<ShardStatus>,
    /// The finished rows of all shards.
    pub done: u64,
    /// All rows.
    pub rows: u64,
    /// How many seconds may be left; absent if that is not known.
    pub seconds_left: Option<f64>,
    /// The core hours used, as far as the attempts have written.
    pub core_hours: f64,
    /// Whether Slurm has answered.
    pub is_answered: bool,
}

/// The status of a shard.
#[derive(Clone, Debug, Serialize)]
pub struct ShardStatus {
    /// Its number.
    pub shard: usize,
    /// The jobs that it has parts of.
    pub jobs: Vec<Key>,
    /// Its state.
    pub state: ShardState,
    /// Why it failed, if it did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<Cause>,
    /// Details of that.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// Its finished rows.
    pub done: u64,
    /// All of its rows.
    pub rows: u64,
    /// How many attempts there were.
    pub attempts: usize,
}

/// The state of a shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ShardState {
    /// All of its rows are there.
    Complete,
    /// It is running.
    Running,
    /// It waits for its turn.
    Waiting,
    /// It ended too early.
    Failed,
    /// It was not submitted.
    Unsent,
}

impl ShardState {
    /// All states, with a word for each.
    pub const WORDS: [(Self, &str); 5] = [
        (Self::Complete, "complete"),
        (Self::Running, "running"),
        (Self::Waiting, "waiting"),
        (Self::Failed, "failed"),
        (Self::Unsent, "not submitted"),
    ];
}

/// How much of a part is done.
#[derive(Clone, Copy, Debug)]
pub struct PartProgress {
    /// Its finished rows.
    pub done: u64,
    /// Whether it can be collected.
    pub is_complete: bool,
}

/// What the files show of a shard.
struct ShardFiles {
    done: u64,
    is_complete: bool,
    attempts: Vec<Attempt>,
}

impl ClusterStatus {
    /// Reads the status. `progress` says how much of a part some attempts have done.
    pub fn read(
        folder: &WorkFolder,
        submission: &Submission,
        progress: impl Fn(JobPart, &[Attempt]) -> PartProgress + Sync,
    ) -> Result<Self, ClusterError> {
        let numbers: Vec<usize> = (0..submission.shards.len()).collect();
        let files = threads::map(&numbers, |&number| {
            let attempts = folder.attempts(number);
            let pieces = submission.shards[number].pieces.iter();
            let parts: Vec<PartProgress> = pieces.map(|&piece| progress(piece, &attempts)).collect();
            let is_complete = parts.iter().all(|part| part.is_complete);
            ShardFiles { done: parts.iter().map(|part| part.done).sum(), is_complete, attempts }
        });
        let rounds = Round::all(folder, &submission.id)?;
        let queue = slurm::queue();
        let causes = match files.iter().all(|files| files.is_complete) {
            true => BTreeMap::new(),
            false => slurm::causes(&Round::names(&rounds, &submission.id)),
        };
        let shards = numbers.into_iter().map(|number| {
            let (sent, files) = (&submission.shards[number], &files[number]);
            let places = Round::places(&rounds, &submission.id, number);
            ShardStatus {
                shard: number,
                jobs: sent.pieces.iter().map(|piece| submission.jobs[piece.job].key.clone()).collect(),
                rows: submission.rows_of(sent),
                ..ShardStatus::judge(files, &places, queue.as_ref(), &causes)
            }
        });
        let mut shards: Vec<ShardStatus> = shards.collect();
        join_chains(submission, &mut shards);
        Ok(Self {
            done: shards.iter().map(|shard| shard.done).sum(),
            rows: shards.iter().map(|shard| shard.rows).sum(),
            seconds_left: seconds_left(submission, &shards, &files),
            core_hours: core_hours(&files),
            is_answered: queue.is_some(),
            shards,
        })
    }

    /// Whether every shard is complete.
    pub fn is_complete(&self) -> bool {
        self.shards.iter().all(|shard| shard.state == ShardState::Complete)
    }

    /// Whether a shard is running or will run.
    pub fn is_active(&self) -> bool {
        self.shards.iter().any(|shard| matches!(shard.state, ShardState::Running | ShardState::Waiting))
    }

    /// The shards that do not run unless they are submitted again.
    pub fn failed(&self) -> Vec<&ShardStatus> {
        let is_failed = |state| matches!(state, ShardState::Failed | ShardState::Unsent);
        self.shards.iter().filter(|shard| is_failed(shard.state)).collect()
    }
}

/// Parts of one job whose arrays follow each other continue together: as long as one is queued, no other has
/// failed.
fn join_chains(submission: &Submission, shards: &mut [ShardStatus]) {
    let is_queued = |shard: &&ShardStatus| matches!(shard.state, ShardState::Running | ShardState::Waiting);
    let chain = |shard: &ShardStatus| submission.chain_of(shard.shard);
    let queued: Vec<usize> = shards.iter().filter(is_queued).filter_map(chain).collect();
    for shard in shards.iter_mut().filter(|shard| shard.state == ShardState::Failed) {
        if chain(shard).is_some_and(|job| queued.contains(&job)) {
            (shard.state, shard.cause) = (ShardState::Waiting, None);
            shard.reason.clear();
        }
    }
}

impl ShardStatus {
    /// Judges a shard by its files first, then by the queue, and if Slurm does not answer by the last
    /// heartbeat.
    fn judge(
        files: &ShardFiles,
        places: &[QueuePlace],
        queue: Option<&Queue>,
        causes: &BTreeMap<QueuePlace, Cause>,
    ) -> Self {
        let last = files.attempts.last();
        let end = last.and_then(Attempt::end);
        let mut status = Self {
            shard: 0,
            jobs: Vec::new(),
            state: ShardState::Complete,
            cause: None,
            reason: String::new(),
            done: files.done,
            rows: 0,
            attempts: files.attempts.len(),
        };
        if files.is_complete {
            return status;
        }
        let queued = queue.and_then(|queue| places.iter().filter_map(|place| queue.get(place)).min());
        status.state = match (queued, queue) {
            (Some(Queued::Running), _) => ShardState::Running,
            (Some(Queued::Waiting), _) => ShardState::Waiting,
            (None, _) if places.is_empty() => ShardState::Unsent,
            (None, Some(_)) => ShardState::Failed,
            (None, None) => match (last, &end) {
                (Some(last), None) if last.seems_alive() => ShardState::Running,
                (None, _) => ShardState::Waiting,
                (_, Some(end)) if matches!(end.cause, Cause::Requeued | Cause::Paused) => ShardState::Waiting,
                _ => ShardState::Failed,
            },
        };
        if status.state == ShardState::Failed {
            let of_slurm = places.iter().rev().find_map(|place| causes.get(place)).copied();
            let written = end.as_ref().map(|end| end.cause).filter(|&cause| cause != Cause::Requeued);
            // If Slurm keeps no accounts, an element that is cancelled before it starts leaves no trace.
            let vanished = (status.attempts == 0).then_some(Cause::Cancelled);
            // An attempt that was complete and has left no complete part has left a damaged one.
            let written = written.map(|cause| if cause == Cause::Complete { Cause::Files } else { cause });
            status.cause = Some(written.or(of_slurm).or(vanished).unwrap_or(Cause::Unknown));
            status.reason = end.map(|end| end.reason).unwrap_or_default();
        }
        status
    }
}

/// How long the rest may take: its expected time, corrected by the time of complete shards, with as many at
/// once as now.
fn seconds_left(submission: &Submission, shards: &[ShardStatus], files: &[ShardFiles]) -> Option<f64> {
    let expected = |shard: &ShardStatus| submission.shards[shard.shard].seconds as f64;
    let (complete, open): (Vec<_>, Vec<_>) =
        shards.iter().partition(|shard| shard.state == ShardState::Complete);
    let hoped: f64 = complete.iter().map(|shard| expected(shard)).sum();
    let elapsed = complete.iter().flat_map(|shard| &files[shard.shard].attempts).map(Attempt::elapsed);
    let took = elapsed.sum::<Duration>().as_secs_f64();
    let slower = if hoped > 0.0 && took > 0.0 { took / hoped } else { 1.0 };
    let running = open.iter().filter(|shard| shard.state == ShardState::Running).count();
    let share = |shard: &ShardStatus| 1.0 - shard.done as f64 / shard.rows.max(1) as f64;
    let left: f64 = open.iter().map(|shard| expected(shard) * share(shard)).sum();
    (running > 0 && left > 0.0).then(|| left * slower / running as f64)
}

/// The core hours that the attempts used.
fn core_hours(files: &[ShardFiles]) -> f64 {
    let attempts = files.iter().flat_map(|files| &files.attempts);
    let seconds = attempts.map(|attempt| {
        attempt.elapsed().as_secs_f64() * f64::from(attempt.start().map_or(1, |start| start.cores))
    });
    // The sum of nothing is -0.
    seconds.fold(0.0, |sum, seconds| sum + seconds) / 3600.0
}

#[cfg(test)]
mod tests {
    use platform::ConfinedPath;
    use platform::clock::now;

    use super::*;
    use crate::{AttemptEnd, AttemptStart};

    fn shard(attempts: Vec<Attempt>, is_complete: bool) -> ShardFiles {
        ShardFiles { done: 3, is_complete, attempts }
    }

    #[test]
    fn files_come_first_then_the_queue_then_the_heartbeat() {
        use ShardState::{Complete, Failed, Running, Unsent, Waiting};
        let folder = tempfile::tempdir().unwrap();
        let start = AttemptStart { date: now(), job: None, host: "node".to_owned(), cores: 1 };
        let attempt = |name: &str| Attempt::begin(&ConfinedPath::root(folder.path()), name, &start).unwrap();
        let places = [("retile-x-1-0".to_owned(), 4), ("retile-x-1-1".to_owned(), 4)];
        let queue =
            |queued: &[Queued]| -> Queue { places.iter().cloned().zip(queued.iter().copied()).collect() };
        let causes = BTreeMap::from([(places[0].clone(), Cause::Time)]);
        let of = |files: &ShardFiles, places: &[QueuePlace], queue: Option<&Queue>| {
            let status = ShardStatus::judge(files, places, queue, &causes);
            (status.state, status.cause)
        };
        let (running, empty) = (queue(&[Queued::Running, Queued::Waiting]), queue(&[]));
        let open = shard(vec![attempt("a")], false);
        assert_eq!(of(&shard(vec![attempt("b")], true), &places, Some(&running)), (Complete, None));
        assert_eq!(of(&open, &places, Some(&running)), (Running, None), "one of its links runs");
        assert_eq!(of(&open, &places, Some(&queue(&[Queued::Waiting]))), (Waiting, None));
        assert_eq!(of(&open, &places, Some(&empty)), (Failed, Some(Cause::Time)), "the queue knows best");
        assert_eq!(of(&open, &places, None), (Running, None), "it was alive just now");
        assert_eq!(of(&shard(Vec::new(), false), &places, None), (Waiting, None));
        assert_eq!(of(&open, &[], Some(&empty)), (Unsent, None));
        let never = ShardStatus::judge(&shard(Vec::new(), false), &places, Some(&empty), &BTreeMap::new());
        assert_eq!((never.state, never.cause), (Failed, Some(Cause::Cancelled)), "it has left no trace");
        let ended = |name: &str, cause: Cause| {
            let attempt = attempt(name);
            attempt.write_end(&AttemptEnd { date: now(), cause, reason: "w".to_owned(), rows: 3 }).unwrap();
            shard(vec![attempt], false)
        };
        let memory = ended("c", Cause::Memory);
        assert_eq!(of(&memory, &places, Some(&empty)), (Failed, Some(Cause::Memory)));
        assert_eq!(of(&memory, &places, None), (Failed, Some(Cause::Memory)));
        let requeued = ended("d", Cause::Requeued);
        assert_eq!(of(&requeued, &places, None), (Waiting, None));
        assert_eq!(of(&requeued, &places, Some(&empty)), (Failed, Some(Cause::Time)));
    }
}
