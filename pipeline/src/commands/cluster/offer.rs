//! What is about to be submitted, in words: the scripts, and what they may take.

use super::super::plan::duration;
use super::words::hours;
use crate::cluster::script::{shell, text_of};
use crate::cluster::sending::Round;
use crate::cluster::study;
use crate::cluster::submission::{Request, SentStudy, Submission};
use crate::cluster::workplace::Workplace;
use text::counted;

/// The script, what it is about to do, and what that may take.
pub(super) fn offer(workplace: &Workplace, submission: &Submission, round: &Round, seconds: f64) -> String {
    if submission.shards.is_empty() {
        return String::new();
    }
    let (shards, request) = (submission.shards.len() as u64, &submission.request);
    let longest = submission.shards.iter().map(|shard| shard.seconds).max().unwrap_or(0);
    let arrays: Vec<String> = round
        .arrays()
        .into_iter()
        .map(|array| {
            let options =
                round.options(&submission.id, array, (array.first > 0).then_some("<the one before>"));
            let script = workplace.round(round.round).join("array.sh");
            format!("sbatch {} {} {}\n", options.join(" "), shell(text_of(script.path())), array.first)
        })
        .collect();
    format!(
        "{}\n{}\n{} of {} in {} of about {} at most, with {} and {} each; about {} core hours in all.\n",
        round.script(workplace, &submission.id),
        arrays.concat(),
        counted(submission.games(), "game"),
        counted(submission.experiments.len() as u64, "experiment"),
        counted(shards, "shard"),
        duration(longest.max(1) as f64),
        limit_words(request),
        memory_words(request),
        hours(seconds / 3600.0),
    )
}

/// The scripts of studies, and what each is about to do.
pub(super) fn offer_of_studies(workplace: &Workplace, submission: &Submission) -> String {
    let of = |(place, sent): (usize, &SentStudy)| {
        let request = &submission.request;
        format!(
            "{}\nStudy {}: a chain of {}, one for each batch, in {} with {} and {} each.\n",
            study::script_of(workplace, request, submission, place),
            sent.key,
            counted(study::links(sent), "array"),
            counted(sent.parts, "part"),
            limit_words(request),
            memory_words(request),
        )
    };
    submission.studies.iter().enumerate().map(of).collect()
}

/// The numbers of jobs in words.
pub(super) fn jobs(jobs: &[String]) -> String {
    match jobs {
        [] => "no job".to_owned(),
        [one] => format!("job {one}"),
        [first @ .., last] => format!("jobs {} and {last}", first.join(", ")),
    }
}

/// The time limit in words.
pub(super) fn limit_words(request: &Request) -> String {
    let minutes = request.limit_seconds.div_ceil(60).max(1);
    format!("a time limit of {}", duration((minutes * 60) as f64))
}

/// The memory in words.
pub(super) fn memory_words(request: &Request) -> String {
    match Submission::memory_mib(request) {
        Some(memory) => format!("{memory} MiB of memory"),
        None => "as much memory as the site gives".to_owned(),
    }
}
