//! The work of one element of an array: a shard, continued from earlier attempts.

use std::fs;
use std::sync::mpsc;

use super::super::Failure;
use super::super::context::launcher;
use super::kinds::{self, ShardOutcome, ShardTask};
use crate::cli;
use ::cluster::{
    Attempt, AttemptEnd, AttemptStart, Cause, HEARTBEAT_EVERY, Round, Submission, WorkFolder, copies, slurm,
};
use platform::clock::now;
use platform::console::note;
use platform::{ConfinedPath, Playing};

/// The Slurm job of this process, from its environment.
struct SlurmJob {
    number: Option<String>,
    restarts: u32,
    cores: Option<u16>,
    /// The node.
    host: String,
}

impl SlurmJob {
    fn here() -> Self {
        let variable = |name: &str| std::env::var(name).ok();
        let host = fs::read_to_string("/proc/sys/kernel/hostname");
        Self {
            number: variable("SLURM_JOB_ID"),
            restarts: variable("SLURM_RESTART_COUNT").and_then(|text| text.parse().ok()).unwrap_or(0),
            cores: variable("SLURM_CPUS_PER_TASK").and_then(|text| text.parse().ok()),
            host: host.map_or_else(|_| "unknown".to_owned(), |name| name.trim().to_owned()),
        }
    }

    /// The name of its attempt, which no other process has.
    fn attempt_name(&self) -> String {
        let number = self.number.as_deref().unwrap_or("local");
        let plain = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '-' };
        let host: String = self.host.chars().map(plain).collect();
        format!("{number}-{}-{host}-{}", self.restarts, std::process::id())
    }
}

pub(super) fn work(arguments: &cli::WorkArgs) -> Result<(), Failure> {
    let folder = WorkFolder::new(ConfinedPath::file(&arguments.folder));
    let gone = || {
        let text = "there is no such submission: it was collected or cancelled meanwhile";
        Failure::usage(format!("{}: {text}", folder.root().display()))
    };
    let submission = Submission::read(&folder)?.ok_or_else(gone)?;
    let round = Round::read(&folder, arguments.round, &submission.id)?.ok_or_else(gone)?;
    let shard = round.shards.get(arguments.place).copied().filter(|&shard| shard < submission.shards.len());
    let number = shard.ok_or_else(|| {
        Failure::usage(format!("round {} has no shard at {}", arguments.round, arguments.place))
    })?;
    let job = SlurmJob::here();
    let cores = job.cores.unwrap_or(round.request.cores);
    let start = AttemptStart { date: now(), job: job.number.clone(), host: job.host.clone(), cores };
    note(format_args!("{}: shard {number} on {}, {cores} at once", start.date, job.host));
    let earlier = folder.attempts(number);
    let attempt = Attempt::begin(&folder.shard(number), &job.attempt_name(), &start).map_err(Failure::io)?;
    let playing = Playing::begin().map_err(Failure::io)?;
    let launcher = launcher(round.request.agent_mib)?;
    let outcome = with_heartbeat(&attempt, || {
        let shard = &submission.shards[number];
        let plugins = shard.pieces.iter().map(|piece| &submission.plugins[submission.jobs[piece.job].plugin]);
        copies::check(&folder, &submission, plugins)?;
        let task = ShardTask {
            shard,
            attempt: &attempt,
            earlier: &earlier,
            cores,
            launcher: &launcher,
            stop: playing.stop(),
        };
        kinds::one(&folder, &submission, shard.pieces[0].job)?.work(&task)
    });
    conclude(&attempt, outcome, playing.is_out_of_time(), &job)
}

/// Runs something with heartbeats.
fn with_heartbeat<T>(attempt: &Attempt, act: impl FnOnce() -> T) -> T {
    std::thread::scope(|threads| {
        let (done, over) = mpsc::channel::<()>();
        threads.spawn(move || {
            while over.recv_timeout(HEARTBEAT_EVERY) == Err(mpsc::RecvTimeoutError::Timeout) {
                let _ = attempt.heartbeat();
            }
        });
        let outcome = act();
        drop(done);
        outcome
    })
}

/// Writes how the attempt ended. If it made progress until the time limit, its job goes back into the queue.
fn conclude(
    attempt: &Attempt,
    outcome: Result<ShardOutcome, Failure>,
    is_out_of_time: bool,
    job: &SlurmJob,
) -> Result<(), Failure> {
    let end = |cause: Cause, reason: &str, rows: u64| {
        let colon = if reason.is_empty() { "" } else { ": " };
        note(format_args!("{}: {}{colon}{reason}", now(), cause.words()));
        let end = AttemptEnd { date: now(), cause, reason: reason.to_owned(), rows };
        attempt.write_end(&end).map_err(Failure::from)
    };
    let ShardOutcome { cause, reason, rows } = match outcome {
        Ok(outcome) => outcome,
        Err(failure) => {
            end(Cause::Files, failure.message(), 0)?;
            return Err(failure);
        }
    };
    match (cause, &job.number) {
        (Some(cause), _) => {
            end(cause, &reason, rows)?;
            let is_well = matches!(cause, Cause::Complete | Cause::Paused);
            if is_well { Ok(()) } else { Err(Failure::agent(reason)) }
        }
        // The rows in progress are finished, and all are stored.
        (None, Some(number)) if is_out_of_time && rows > 0 => {
            end(Cause::Requeued, "", rows)?;
            slurm::requeue(number).or_else(|error| end(Cause::Time, &error.to_string(), rows))
        }
        (None, _) if is_out_of_time => {
            let reason = "nothing was finished before the time limit";
            end(Cause::Time, reason, rows)?;
            Err(Failure::check(reason))
        }
        (None, _) => {
            end(Cause::Cancelled, "", rows)?;
            Err(Failure::check("stopped before the end"))
        }
    }
}
