//! `pipeline cluster retry`: submit again exactly what is missing.

use super::super::{Failure, print_text};
use super::{confirm, offer, submit, submitted, wait, words};
use crate::cli;
use crate::cluster::attempt::Cause;
use crate::cluster::sending::Round;
use crate::cluster::slurm;
use crate::cluster::standing::{ShardStanding, Standing, State};
use crate::cluster::study::{self, StudyStanding};
use crate::cluster::submission::Request;
use records::layout::Layout;
use text::counted;

pub(super) fn retry(arguments: &cli::Retry) -> Result<(), Failure> {
    let layout = Layout::new(&arguments.out);
    // First, so that a folder that is not there is not made.
    submitted(&layout)?;
    let lock = layout.lock()?;
    let (workplace, submission) = submitted(&layout)?;
    let standing = Standing::look(&workplace, &submission)?;
    let stranded: Vec<&ShardStanding> = standing.stranded().collect();
    let is_over = |study: &StudyStanding| study.state == State::Failed;
    let chains: Vec<usize> =
        (0..standing.studies.len()).filter(|&place| is_over(&standing.studies[place])).collect();
    if stranded.is_empty() && chains.is_empty() {
        let text = match standing.is_done() {
            true => "Nothing is missing; `pipeline cluster collect` puts the records together.\n".to_owned(),
            false => format!("{}All that is missing is under way.\n", words::summary(&standing)),
        };
        print_text(&text)?;
        drop(lock);
        return if arguments.wait { wait::to_the_end(&workplace, &submission, &layout) } else { Ok(()) };
    }
    let rounds = Round::all(&workplace, &submission.id)?;
    let last = rounds.last().map_or(&submission.request, |round| &round.request);
    let mut round = Round {
        round: rounds.last().map_or(1, |round| round.round + 1),
        shards: stranded.iter().map(|shard| shard.shard).collect(),
        request: request(last, &stranded, arguments),
        array_size: slurm::array_size(),
    };
    let what = [(stranded.len(), "shard"), (chains.len(), "study")];
    let what: Vec<String> = what
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, noun)| counted(count as u64, noun))
        .collect();
    let question = format!(
        "{}Submit {} again, with {} and {}?",
        words::summary(&standing),
        what.join(" and "),
        offer::limit_words(&round.request),
        offer::memory_words(&round.request),
    );
    if !confirm(&question, arguments.yes)? {
        return print_text("Nothing is submitted.\n");
    }
    let mut jobs = Vec::new();
    if !round.shards.is_empty() {
        round.write(&workplace, &submission.id)?;
        jobs = round.submit(&workplace, &submission.id).map_err(submit::later)?;
    }
    for place in chains {
        let chain = study::submit_chain(&workplace, &round.request, &submission, place);
        jobs.extend(chain.map_err(submit::later)?);
    }
    print_text(&format!("Submitted {} again, as {}.\n", what.join(" and "), offer::jobs(&jobs)))?;
    if !arguments.wait {
        return Ok(());
    }
    drop(lock);
    wait::to_the_end(&workplace, &submission, &layout)
}

/// What is asked for this time: more of what ran out.
fn request(last: &Request, stranded: &[&ShardStanding], arguments: &cli::Retry) -> Request {
    let ran_out_of = |cause: Cause| stranded.iter().any(|shard| shard.cause == Some(cause));
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
