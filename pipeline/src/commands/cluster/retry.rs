//! `pipeline cluster retry`: submit the missing shards again.

use super::super::{Failure, print_text};
use super::{Submitted, confirm, status, submit};
use crate::cli;
use ::cluster::attempt::Cause;
use ::cluster::status::ShardStatus;
use ::cluster::{Request, Round, slurm};
use text::counted;

pub(super) fn retry(arguments: &cli::Retry) -> Result<(), Failure> {
    let (lock, submitted) = Submitted::locked(&arguments.out)?;
    let Submitted { folder, submission, .. } = &submitted;
    let status = submitted.status()?;
    let summary = status::summary(submission, &status);
    let failed = status.failed();
    if failed.is_empty() {
        print_text(&match status.is_complete() {
            true => "Nothing is missing; `pipeline cluster collect` puts the results together.\n".to_owned(),
            false => format!("{summary}All missing shards are running or waiting.\n"),
        })?;
    } else {
        let rounds = Round::all(folder, &submission.id)?;
        let last = rounds.last().map_or(&submission.request, |round| &round.request);
        let number = rounds.last().map_or(1, |round| round.round + 1);
        let shards = failed.iter().map(|shard| shard.shard).collect();
        let request = request(last, &failed, arguments);
        let mut round = Round::new(submission, number, shards, request, slurm::array_size());
        let what = counted(failed.len() as u64, "shard");
        let question = format!("{summary}Submit {what} again, with {}?", submit::resources(&round.request));
        if !confirm(&question, arguments.yes)? {
            return print_text("Nothing is submitted.\n");
        }
        submit::send(folder, submission, &mut round, &format!("Submitted {what} again,"))?;
    }
    drop(lock);
    if arguments.wait { status::wait_and_collect(&submitted, &arguments.artefacts) } else { Ok(()) }
}

/// The resources for this time: more of what ran out.
fn request(last: &Request, failed: &[&ShardStatus], arguments: &cli::Retry) -> Request {
    let ran_out_of = |cause: Cause| failed.iter().any(|shard| shard.cause == Some(cause));
    let mut request = last.clone();
    if ran_out_of(Cause::Time) {
        request.limit_seconds = request.limit_seconds.saturating_mul(2);
        request.warning_seconds = request.warning_seconds.saturating_mul(2);
    }
    if ran_out_of(Cause::Memory) {
        request.agent_mib = request.agent_mib.saturating_mul(2);
    }
    if let Some(time) = arguments.time {
        request.limit_seconds = time.as_secs();
        request.warning_seconds = request.warning_seconds.min(time.as_secs() / 2).max(1);
    }
    request.agent_mib = arguments.memory.unwrap_or(request.agent_mib);
    request
}
