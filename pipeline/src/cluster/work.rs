//! What one element of an array does: it plays a shard, from where earlier attempts have left it.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use super::attempt::{Attempt, Cause};
use super::standing::finished_part;
use super::submission::{SentPiece, SentShard, Submission};
use super::workplace::Workplace;
use crate::journal::{Journal, JournalError, Leftovers, spools};
use crate::plan::{PlanError, Planned, Selection};
use crate::progress::Progress;
use crate::run::{self, JobResult, Options, RunError};
use engine::Odds;
use platform::hash::file_sha256;
use records::provenance::Provenance;
use records::store::StoreError;
use workers::plugin::{self, OpenError};
use workers::worker::Launcher;

/// A share of faults that is never too large.
const ANY_SHARE: Odds = Odds::new(1, 1).unwrap();

/// Why a shard cannot be played, or not on.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum WorkError {
    #[error("{}: not the program that was sent, whose SHA-256 is {expected}; it has {found}", file.display())]
    OtherProgram { file: PathBuf, expected: String, found: String },
    #[error("{}: not the plugin that was sent, whose SHA-256 is {expected}; it has {found}", file.display())]
    OtherPlugin { file: PathBuf, expected: String, found: String },
    #[error("the program's own file cannot be read: {0}")]
    Program(std::io::Error),
    #[error(transparent)]
    Plugin(#[from] OpenError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error(transparent)]
    Plan(#[from] PlanError),
    #[error(transparent)]
    Run(#[from] RunError),
}

/// What a shard is played with.
pub struct Tools<'a> {
    /// How many games are played at once.
    pub jobs: usize,
    /// How to start workers.
    pub launcher: &'a Launcher,
    /// Set from outside to stop after the games in flight.
    pub stop: &'a AtomicBool,
    /// Where its progress is told.
    pub progress: &'a Progress,
}

/// What came of an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Worked {
    /// Why it ended; none where it was stopped from outside.
    pub cause: Option<Cause>,
    /// What there is to say.
    pub words: String,
    /// How many games were played.
    pub played: u64,
}

/// Where what is played of a submission comes from, by no plugin yet.
#[must_use]
pub fn origin(submission: &Submission) -> Provenance {
    Provenance {
        commit: submission.commit.clone(),
        dirty: submission.dirty,
        program_sha256: Some(submission.program_sha256.clone()),
        ..Provenance::now(None)
    }
}

/// The places of the plugins that a shard needs.
fn plugins_of(submission: &Submission, shard: &SentShard) -> BTreeSet<usize> {
    shard.pieces.iter().map(|piece| submission.experiments[piece.experiment].plugin).collect()
}

/// Fails where the program or one of these plugins is not the one that was sent.
///
/// # Errors
/// So, or where one cannot be read.
pub fn check(
    workplace: &Workplace,
    submission: &Submission,
    plugins: BTreeSet<usize>,
) -> Result<(), WorkError> {
    let file = std::env::current_exe().map_err(WorkError::Program)?;
    let (expected, found) =
        (submission.program_sha256.clone(), file_sha256(&file).map_err(WorkError::Program)?);
    if found != expected {
        return Err(WorkError::OtherProgram { file, expected, found });
    }
    for sent in plugins.into_iter().map(|place| &submission.plugins[place]) {
        let file = workplace.root().path().join(&sent.file);
        let (expected, found) = (sent.sha256.clone(), plugin::sha256(&file)?);
        if found != expected {
            return Err(WorkError::OtherPlugin { file, expected, found });
        }
    }
    Ok(())
}

/// Plays what is missing of a shard.
///
/// # Errors
/// Where what was sent has changed, or the disk or the system fails; all finished games are kept.
pub fn work(
    workplace: &Workplace,
    submission: &Submission,
    number: usize,
    attempt: &Attempt,
    tools: &Tools<'_>,
) -> Result<Worked, WorkError> {
    let shard = &submission.shards[number];
    check(workplace, submission, plugins_of(submission, shard))?;
    let earlier: Vec<Attempt> = workplace
        .attempts(number)
        .into_iter()
        .filter(|earlier| earlier.folder() != attempt.folder())
        .collect();
    let layout = attempt.layout();
    let mut experiments = Vec::new();
    for piece in &shard.pieces {
        let sent = &submission.experiments[piece.experiment];
        let is_there =
            |attempt: &Attempt| finished_part(attempt, sent, piece.part).is_ok_and(|part| part.is_some());
        if !earlier.iter().any(is_there) {
            experiments.push(take_up(workplace, submission, piece, attempt, &earlier)?);
        }
    }
    let leftovers = Leftovers::below(&layout.all_records());
    for planned in &mut experiments {
        planned.look_up(&layout, &Selection::default(), &leftovers)?;
    }
    let Tools { jobs, launcher, stop, .. } = *tools;
    let options =
        Options { is_memory_retried: true, ..Options::new(jobs, launcher, origin(submission), stop) };
    let report = run::run(&experiments, &layout, &options, tools.progress)?;
    Ok(worked(&report.jobs, report.interrupted))
}

/// One part of an experiment, with the games of earlier attempts in this one's journal.
fn take_up(
    workplace: &Workplace,
    submission: &Submission,
    piece: &SentPiece,
    attempt: &Attempt,
    earlier: &[Attempt],
) -> Result<Planned, WorkError> {
    let sent = &submission.experiments[piece.experiment];
    let mut planned = sent.planned(Some(piece.part), &submission.plugins[sent.plugin], workplace);
    // How many of all games ended by a fault is known when they are put together.
    planned.experiment.fault_share = ANY_SHARE;
    let journal_in =
        |attempt: &Attempt| attempt.layout().journal(&sent.key, Some(sent.shard(piece.part)), false);
    let (own, title) = (journal_in(attempt), planned.title(None));
    let (rules, seed) = (&planned.experiment.rules, planned.experiment.seed);
    let mut journal: Option<Journal> = None;
    for path in earlier.iter().map(journal_in) {
        let of_run = std::iter::once((path.clone(), false));
        for (path, is_spool) in of_run.chain(spools(&path).into_iter().map(|spool| (spool, true))) {
            let Some(left) = Journal::look(&path, &title)? else { continue };
            if left.games().next().is_none() {
                continue;
            }
            let journal = match &mut journal {
                Some(journal) => journal,
                none => none.insert(Journal::open(&own, &title)?.0),
            };
            journal.inherit(&left, |played| {
                let is_doubtful = is_spool && played.record.ending.is_fault();
                !is_doubtful && played.record.replay_alone(rules, seed).is_ok()
            })?;
        }
    }
    Ok(planned)
}

/// What came of the experiments of a shard.
fn worked(done: &[JobResult], is_interrupted: bool) -> Worked {
    let played = done.iter().map(|done| done.played).sum();
    let failure = done.iter().find_map(|done| done.failure.clone());
    let is_out_of_memory = done.iter().any(|done| done.is_out_of_memory);
    let faults: Vec<String> = done
        .iter()
        .flat_map(|done| done.faults.iter().map(move |fault| format!("{}: {fault}", done.job)))
        .collect();
    let alarms: Vec<String> = done
        .iter()
        .flat_map(|done| done.alarms.iter().map(move |alarm| format!("{}: {alarm}", done.job)))
        .collect();
    let cause = match failure {
        Some(_) if is_out_of_memory => Some(Cause::Memory),
        Some(_) => Some(Cause::Agent),
        None if is_interrupted => None,
        None => Some(Cause::Done),
    };
    let words: Vec<String> = failure.into_iter().chain(faults).chain(alarms).collect();
    Worked { cause, words: words.join("; "), played }
}
