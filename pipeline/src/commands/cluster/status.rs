//! `pipeline cluster status`: the shards that are complete, running, waiting and failed, and why; and waiting
//! for them.

use std::path::Path;
use std::time::{Duration, Instant};

use super::super::plan::duration;
use super::super::table;
use super::super::{Failure, print_json, print_text};
use super::{OpenSubmission, collect};
use crate::cli;
use ::cluster::{Cause, ClusterStatus, ShardState, ShardStatus, Submission, SubmissionJob};
use platform::console::note;
use serde_json::json;
use text::{capitalised, counted, thousands};

/// Up to how many failed shards are listed.
const FEW: usize = 20;
/// The first and the longest poll interval.
const POLL_INTERVALS: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(30)];
/// How often the files of shards that have just ended are read again: a network file system shows them late.
const LAST_POLLS: u32 = 5;
/// The poll interval then.
const LAST_POLL_INTERVAL: Duration = Duration::from_secs(4);
/// How often a waiting command prints the progress.
const PROGRESS_EVERY: Duration = Duration::from_secs(30);

pub(super) fn status(arguments: &cli::ClusterStatusArgs) -> Result<(), Failure> {
    loop {
        let submitted = OpenSubmission::open(&arguments.out)?;
        let (status, folder) = (submitted.status()?, submitted.folder.root());
        if arguments.json {
            print_json(&json!({ "id": submitted.submission.id, "folder": folder, "status": status }))?;
        } else {
            print_text(&text(&submitted, &status))?;
        }
        match arguments.watch.filter(|_| status.is_active()) {
            Some(seconds) => std::thread::sleep(Duration::from_secs(seconds)),
            None => return Ok(()),
        }
    }
}

/// Waits until no shard is running or waiting, prints the status, and collects what is complete.
pub(super) fn wait_and_collect(submitted: &OpenSubmission, artefacts: &Path) -> Result<(), Failure> {
    let ([mut interval, longest], mut printed) = (POLL_INTERVALS, Instant::now());
    let mut last_polls = LAST_POLLS;
    let status = loop {
        std::thread::sleep(interval);
        let status = submitted.status()?;
        if status.is_complete() {
            break status;
        }
        if !status.is_active() {
            if last_polls == 0 {
                break status;
            }
            (last_polls, interval) = (last_polls - 1, LAST_POLL_INTERVAL);
            continue;
        }
        if printed.elapsed() >= PROGRESS_EVERY {
            note(summary(&submitted.submission, &status).trim_end());
            printed = Instant::now();
        }
        (last_polls, interval) = (LAST_POLLS, (interval * 3 / 2).min(longest));
    };
    print_text(&text(submitted, &status))?;
    let _lock = submitted.layout.lock()?;
    collect::collect_all(submitted, artefacts, false, false)
}

/// The status in words, and the next command.
fn text(submitted: &OpenSubmission, status: &ClusterStatus) -> String {
    let OpenSubmission { submission, folder, .. } = submitted;
    let mut text = summary(submission, status) + &pace(submission, status);
    let failed = status.failed();
    if !failed.is_empty() {
        let rows = failed.iter().take(FEW).map(|shard| row(submission, shard));
        text += &table(&["Shard", "Jobs", "Attempts", "Done", "Why"], rows);
    }
    if failed.len() > FEW {
        text += &format!("… and {} more; --json has all\n", failed.len() - FEW);
    }
    if !status.is_answered {
        text += "Slurm does not answer: shards that are not complete are judged by their heartbeats, and those that have not started \
                 count as waiting.\n";
    }
    if status.is_complete() {
        text += "`pipeline cluster collect` puts the results together.\n";
    } else if !failed.is_empty() {
        let logs = folder.logs().display();
        text += &format!(
            "`pipeline cluster retry` submits the missing shards; the output of the jobs is in {logs}.\n"
        );
    }
    text
}

/// How many shards are in which state, and how many rows of each kind are done.
pub(super) fn summary(submission: &Submission, status: &ClusterStatus) -> String {
    let count = |state| status.shards.iter().filter(|shard| shard.state == state).count();
    let states = ShardState::WORDS.map(|(state, word)| (count(state), word));
    let states = states.into_iter().filter(|(count, word)| *count > 0 || *word == "complete");
    let states: Vec<String> = states.map(|(count, word)| format!("{count} {word}")).collect();
    let shards = status.shards.iter().map(|shard| (first_job(submission, shard), shard.done, shard.rows));
    let kinds = by_kind(shards);
    let of = |kind: &str| if kinds.len() == 1 { String::new() } else { format!(" ({kind})") };
    let kinds = kinds.iter().map(|(job, done, rows, _)| {
        format!("{} of {}{}", thousands(*done as f64), counted(*rows, &job.row), of(&job.kind))
    });
    let kinds: Vec<String> = kinds.collect();
    let shards = counted(status.shards.len() as u64, "shard");
    format!("{shards}: {}. {} done.\n", states.join(", "), kinds.join(", "))
}

/// Finished and wanted rows of jobs by kind, each with the first job and how many there are.
pub(super) fn by_kind<'a>(
    jobs: impl Iterator<Item = (&'a SubmissionJob, u64, u64)>,
) -> Vec<(&'a SubmissionJob, u64, u64, u64)> {
    let mut kinds: Vec<(&SubmissionJob, u64, u64, u64)> = Vec::new();
    for (job, done, rows) in jobs {
        match kinds.iter_mut().find(|known| known.0.kind == job.kind) {
            Some(known) => (known.1, known.2, known.3) = (known.1 + done, known.2 + rows, known.3 + 1),
            None => kinds.push((job, done, rows, 1)),
        }
    }
    kinds
}

fn first_job<'a>(submission: &'a Submission, shard: &ShardStatus) -> &'a SubmissionJob {
    &submission.jobs[submission.shards[shard.shard].pieces[0].job]
}

/// The time that is left, and the core hours.
fn pace(submission: &Submission, status: &ClusterStatus) -> String {
    let left = status.seconds_left.map(|seconds| format!("about {} left, ", duration(seconds)));
    let expected: u64 = submission.shards.iter().map(|shard| shard.seconds).sum();
    let expected = match expected as f64 * f64::from(submission.request.cores) / 3600.0 {
        0.0 => String::new(),
        expected => format!("of about {} ", hours(expected)),
    };
    let used = hours(status.core_hours);
    capitalised(&format!("{}{used} {expected}core hours used.\n", left.unwrap_or_default()))
}

/// Hours, with as many digits as make sense.
pub(super) fn hours(hours: f64) -> String {
    if hours < 10.0 { format!("{hours:.2}") } else { format!("{hours:.0}") }
}

/// A failed shard as a row of a table.
fn row(submission: &Submission, shard: &ShardStatus) -> Vec<String> {
    let jobs = match &shard.jobs[..] {
        [job] => job.to_string(),
        jobs => format!("{} and {} more", jobs[0], jobs.len() - 1),
    };
    let cause = shard.cause.unwrap_or(Cause::Unknown).words();
    let why = match shard.state {
        ShardState::Unsent => "it was not submitted".to_owned(),
        _ if shard.reason.is_empty() => cause.to_owned(),
        _ => format!("{cause}: {}", shard.reason),
    };
    let rows = counted(shard.rows, &first_job(submission, shard).row);
    let done = format!("{} of {rows}", thousands(shard.done as f64));
    vec![shard.shard.to_string(), jobs, shard.attempts.to_string(), done, why]
}
