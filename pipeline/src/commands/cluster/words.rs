//! How a submission stands, in words.

use super::super::plan::duration;
use crate::cluster::attempt::Cause;
use crate::cluster::standing::{ShardStanding, Standing, State};
use crate::cluster::study::StudyStanding;
use crate::cluster::submission::Submission;
use crate::cluster::workplace::Workplace;
use text::{counted, thousands};

/// Up to how many shards that failed are told one by one.
const FEW: usize = 20;

/// How a submission stands, and what to do about it.
pub(super) fn text(workplace: &Workplace, submission: &Submission, standing: &Standing) -> String {
    let mut text = summary(standing);
    if !submission.shards.is_empty() {
        text.push_str(&pace(submission, standing));
    }
    let stranded: Vec<&ShardStanding> = standing.stranded().collect();
    for shard in stranded.iter().take(FEW) {
        text.push_str(&line(shard));
    }
    if stranded.len() > FEW {
        text.push_str(&format!("  … and {} more; --json has all\n", stranded.len() - FEW));
    }
    if !standing.is_answered {
        text.push_str("Slurm does not answer: what is not done is judged by signs of life, and what has not begun counts as waiting.\n");
    }
    let has_stranded =
        !stranded.is_empty() || standing.studies.iter().any(|study| study.state == State::Failed);
    text + &remedy(workplace, standing, has_stranded)
}

/// How many shards stand how, and how each study does.
pub(super) fn summary(standing: &Standing) -> String {
    let shards = if standing.shards.is_empty() { String::new() } else { of_shards(standing) };
    standing.studies.iter().fold(shards, |text, study| text + &of_study(study))
}

/// How a study stands.
fn of_study(standing: &StudyStanding) -> String {
    let StudyStanding { study, state, trials, links } = standing;
    let trials = counted(*trials, "trial");
    let links = counted(*links as u64, "array");
    match state {
        State::Done => format!("Study {study}: done, with {trials}.\n"),
        State::Running => {
            format!("Study {study}: {trials} played; {links} in the queue, of which one is running.\n")
        }
        State::Waiting => format!("Study {study}: {trials} played; {links} in the queue.\n"),
        State::Failed | State::Unsent => {
            format!("Study {study}: {trials} played; its arrays have ended, and the study is not whole.\n")
        }
    }
}

/// How many shards stand how.
fn of_shards(standing: &Standing) -> String {
    let states = [
        (State::Done, "done"),
        (State::Running, "running"),
        (State::Waiting, "waiting"),
        (State::Failed, "failed"),
        (State::Unsent, "not submitted"),
    ];
    let parts: Vec<String> = states
        .into_iter()
        .map(|(state, word)| (standing.count(state), word))
        .filter(|(count, word)| *count > 0 || *word == "done")
        .map(|(count, word)| format!("{count} {word}"))
        .collect();
    format!(
        "{}: {}. {} of {} played.\n",
        counted(standing.shards.len() as u64, "shard"),
        parts.join(", "),
        thousands(standing.played as f64),
        counted(standing.games, "game"),
    )
}

/// How fast it goes, how long it may take, and what it has cost.
fn pace(submission: &Submission, standing: &Standing) -> String {
    let mut parts = Vec::new();
    if let Some(rate) = standing.games_per_second {
        parts.push(format!("{rate:.2} games a second"));
    }
    if let Some(seconds) = standing.seconds_left {
        parts.push(format!("about {} left", duration(seconds)));
    }
    let expected: u64 = submission.shards.iter().map(|shard| shard.seconds).sum();
    let expected = expected as f64 * f64::from(submission.request.cores) / 3600.0;
    parts.push(format!("{} of about {} core hours used", hours(standing.core_hours), hours(expected)));
    let mut text = parts.join(", ");
    if let Some(first) = text.get(..1).map(str::to_uppercase) {
        text.replace_range(..1, &first);
    }
    text + ".\n"
}

/// Hours, with as many digits as they are worth.
pub(super) fn hours(hours: f64) -> String {
    if hours < 10.0 { format!("{hours:.2}") } else { format!("{hours:.0}") }
}

fn line(shard: &ShardStanding) -> String {
    let ShardStanding { shard: number, played, games, cause, words, attempts, .. } = shard;
    let why = match (shard.state, cause) {
        (State::Unsent, _) => "it was not submitted".to_owned(),
        (_, cause) => {
            let cause = cause.unwrap_or(Cause::Unknown).words();
            if words.is_empty() { cause.to_owned() } else { format!("{cause}: {words}") }
        }
    };
    let tried = match attempts {
        0 | 1 => String::new(),
        attempts => format!(" after {attempts} attempts"),
    };
    format!(
        "  shard {number}{tried}: {why}; {} of {} kept\n",
        thousands(*played as f64),
        counted(*games, "game")
    )
}

/// What to do next.
fn remedy(workplace: &Workplace, standing: &Standing, has_stranded: bool) -> String {
    match () {
        () if standing.is_done() => "`pipeline cluster collect` puts the records together.\n".to_owned(),
        () if has_stranded => format!(
            "`pipeline cluster retry` submits exactly what is missing; what the jobs printed is in {}.\n",
            workplace.logs().display()
        ),
        () => String::new(),
    }
}
