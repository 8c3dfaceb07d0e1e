//! Studies on a cluster: a chain of arrays, one for each batch, each of which begins when the one before it is over.
//!
//! A chain rather than a driver: many sites let no job submit another, a driver would hold a core while it waits and would die with its node,
//! and a chain is known to the scheduler from the start and cancelled as one. What an array plays follows from the journals alone: where an
//! element is lost, the next array plays its trials first, and where the chain ends before the study does, another is submitted.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use serde::Serialize;

use super::script::{Element, script};
use super::sending::SendError;
use super::slurm::{self, Place, Queued};
use super::standing::State;
use super::submission::{Request, SentStudy, Submission};
use super::workplace::{Workplace, WorkplaceError};
use crate::plan::PlannedStudy;
use crate::study::journal::{TrialJournal, journals};
use jobs::Key;
use platform::atomic;
use platform::confined::ConfinedPath;
use records::layout::Layout;

/// The most links that are submitted at once: the rest follows with `retry`.
const LONGEST_CHAIN: u64 = 100;
/// What a batch is assumed to take where no trial was timed.
const BATCH_TIME: Duration = Duration::from_secs(3600);

/// How a study stands.
#[derive(Clone, Debug, Serialize)]
pub struct StudyStanding {
    /// The study, as `paper/study`.
    pub study: Key,
    /// How it stands.
    pub state: State,
    /// The trials that are played.
    pub trials: u64,
    /// How many arrays of its chain are in the queue.
    pub links: usize,
}

/// Into how many parts the batches of a study are cut: each takes at least as long as this on so many cores, and has a trial.
#[must_use]
pub fn parts(planned: &PlannedStudy, cores: u16, shortest: Duration, array_size: u64) -> u64 {
    let trials = planned.trials().unwrap_or_else(|| planned.study.method.most_trials());
    let of_batch = trials.div_ceil(planned.study.method.most_batches().max(1)).max(1);
    let each =
        planned.time_per_trial.map_or(BATCH_TIME.as_secs_f64() / of_batch as f64, |time| time.as_secs_f64());
    let parts = each * of_batch as f64 / f64::from(cores) / shortest.as_secs_f64().max(f64::EPSILON);
    (parts.ceil() as u64).clamp(1, of_batch.min(array_size))
}

/// The results folder that the parts of studies share.
#[must_use]
pub fn layout(workplace: &Workplace) -> Layout {
    Layout::below(&workplace.studies())
}

/// How the names of the jobs of a study's chains begin.
fn prefix(submission: &Submission, place: usize) -> String {
    format!("retile-{}-s{place}-", submission.id)
}

/// The script of a study's arrays.
#[must_use]
pub fn script_of(workplace: &Workplace, request: &Request, submission: &Submission, place: usize) -> String {
    let SentStudy { key, parts, .. } = &submission.studies[place];
    let element = Element::Study { study: &key.to_string(), parts: *parts };
    script(workplace, request, &format!("{}1", prefix(submission, place)), element)
}

/// How many arrays a chain has.
#[must_use]
pub fn links(study: &SentStudy) -> u64 {
    study.batches.clamp(1, LONGEST_CHAIN)
}

/// Submits the chain of a study, and gives the numbers of its jobs.
///
/// # Errors
/// Where the first array is refused. Where a later one is, the chain is shorter: `retry` submits another.
pub fn submit_chain(
    workplace: &Workplace,
    request: &Request,
    submission: &Submission,
    place: usize,
) -> Result<Vec<String>, SendError> {
    let study = &submission.studies[place];
    let path = workplace.root().join(format!("study-{place}.sh"));
    let made = workplace.logs().make_folder();
    made.map_err(|source| WorkplaceError::Io { path: workplace.logs(), source })?;
    atomic::write(&path, script_of(workplace, request, submission, place).as_bytes())?;
    let mut jobs: Vec<String> = Vec::new();
    for link in 1..=links(study) {
        let cap = request.at_most.map_or_else(String::new, |most| format!("%{most}"));
        let mut options = vec![
            format!("--array=0-{}{cap}", study.parts - 1),
            format!("--job-name={}{link}", prefix(submission, place)),
        ];
        options.extend(jobs.last().map(|before| format!("--dependency=afterany:{before}")));
        match slurm::submit(&options, path.path(), &[]) {
            Ok(job) => jobs.push(job),
            Err(source) if jobs.is_empty() => {
                return Err(SendError::Slurm { sent: 0, all: study.parts as usize, source });
            }
            Err(_) => break,
        }
    }
    Ok(jobs)
}

/// The names of all jobs of studies that the queue has.
#[must_use]
pub fn names(submission: &Submission, queue: &BTreeMap<Place, Queued>) -> Vec<String> {
    let prefixes: Vec<String> =
        (0..submission.studies.len()).map(|place| prefix(submission, place)).collect();
    let is_ours = |name: &&String| prefixes.iter().any(|prefix| name.starts_with(prefix.as_str()));
    let names: BTreeSet<String> = queue.keys().map(|(name, _)| name).filter(is_ours).cloned().collect();
    names.into_iter().collect()
}

/// How the studies of a submission stand.
#[must_use]
pub fn standings(
    workplace: &Workplace,
    submission: &Submission,
    queue: Option<&BTreeMap<Place, Queued>>,
) -> Vec<StudyStanding> {
    let layout = layout(workplace);
    let standing = |(place, study): (usize, &SentStudy)| {
        let prefix = prefix(submission, place);
        let jobs = queue.into_iter().flatten().filter(|((name, _), _)| name.starts_with(&prefix));
        let jobs: Vec<(&str, Queued)> = jobs.map(|((name, _), queued)| (name.as_str(), *queued)).collect();
        let links: BTreeSet<&str> = jobs.iter().map(|(name, _)| *name).collect();
        let is_done = layout.study(&study.key).exists();
        let state = match () {
            () if is_done => State::Done,
            () if jobs.iter().any(|(_, queued)| *queued == Queued::Running) => State::Running,
            () if !jobs.is_empty() || queue.is_none() => State::Waiting,
            () => State::Failed,
        };
        let links = links.len();
        StudyStanding { study: study.key.clone(), state, trials: trials(&layout, &study.key), links }
    };
    submission.studies.iter().enumerate().map(standing).collect()
}

/// How many trials of a study are in its file or in journals.
fn trials(layout: &Layout, key: &Key) -> u64 {
    if let Ok(Some(stored)) = studies::store::summary(&layout.study(key)) {
        return stored.rows;
    }
    let of = |path: ConfinedPath| TrialJournal::numbers_in(&path).unwrap_or_default();
    journals(layout, key, false).into_iter().flat_map(of).collect::<BTreeSet<u64>>().len() as u64
}
