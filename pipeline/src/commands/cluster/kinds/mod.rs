//! How the kinds of jobs are sent to a cluster, run there, and collected.

mod experiment;
mod study;
mod training;

use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use ::cluster::{
    Attempt, Cause, Division, JobPart, PartProgress, RowTime, SHORTEST, Submission, SubmissionJob,
    SubmissionShard, WorkFolder,
};
use jobs::{Canonical as _, Key, Provenance, Shard, StoredContext, StoredJob, StoredKind, Words};
use platform::ConfinedPath;
use records::{IndexEntry, Layout};
use serde::Serialize;
use serde::de::DeserializeOwned;
use trainings::Artefacts;
use workers::{Launcher, PluginEntry};

use super::super::Failure;
use crate::cli;
use crate::job::{Job, Outline};
use crate::kinds::{RunContext, TypedKind};
use crate::plan::PlannedTraining;
use crate::progress::{Display, Progress};
use crate::run::{JobResult, Options, RunReport};

pub(super) use experiment::timings;

/// A job that is about to be sent.
pub(super) struct OutgoingJob {
    pub(super) sent: SubmissionJob,
    pub(super) plugin: PluginEntry,
    pub(super) cut: Division,
    /// The time of a row; absent if none was timed.
    pub(super) time: Option<RowTime>,
}

impl OutgoingJob {
    fn new(job: &(impl Job + Serialize), rows: u64, cut: Division) -> Result<Self, Failure> {
        let Outline { words, key, plugin, .. } = job.outline();
        let no_agent = || Failure::usage(format!("{key}: a job without an agent is not for a cluster"));
        let plugin = plugin.ok_or_else(no_agent)?.clone();
        let sent = SubmissionJob {
            kind: words.kind.to_owned(),
            row: words.row.to_owned(),
            key: key.clone(),
            identity: job.identity().hash(),
            plugin: 0,
            first: 0,
            rows,
            parts: 1,
            links: 1,
            planned: serde_json::to_value(job).map_err(Failure::io)?,
        };
        let time = job.amount().time_per_row.map(|time| RowTime::each(time.as_secs_f64()));
        Ok(Self { sent, plugin, cut, time })
    }

    /// How many rows are missing.
    pub(super) const fn missing(&self) -> u64 {
        self.sent.rows - self.sent.first
    }
}

/// The rows that a job lacks, as its kind sends them.
pub(super) fn outgoing(
    job: &dyn Job,
    layout: &Layout,
    arguments: &cli::SubmitArgs,
) -> Result<OutgoingJob, Failure> {
    let any = job as &dyn Any;
    if let Some(planned) = any.downcast_ref() {
        experiment::outgoing(planned, arguments.jobs.fresh, layout)
    } else if let Some(planned) = any.downcast_ref() {
        study::outgoing(planned, arguments.cores, arguments.shard_time.unwrap_or(SHORTEST))
    } else if let Some(planned) = any.downcast_ref::<PlannedTraining>() {
        // A training cannot be cut.
        OutgoingJob::new(planned, planned.training.games, Division::Parts(1))
    } else {
        let Outline { words, key, .. } = job.outline();
        Err(Failure::usage(format!("{key}: a {} cannot run on a cluster", words.kind)))
    }
}

/// A job that was sent, as its kind runs and collects it.
pub(super) trait ClusterJob: Send + Sync {
    /// How much of a part these attempts have done.
    fn progress(&self, part: u64, attempts: &[Attempt]) -> PartProgress;

    /// Runs the rest of a shard that this job has the first part of.
    fn work(&self, task: &ShardTask<'_>) -> Result<ShardOutcome, Failure>;

    /// Puts the complete parts of the job together, as one machine would have stored them.
    fn collect(&self, layout: &Layout, artefacts: &Artefacts) -> Result<CollectedJob, Failure>;
}

/// A shard that an attempt works on.
pub(super) struct ShardTask<'a> {
    pub(super) shard: &'a SubmissionShard,
    pub(super) attempt: &'a Attempt,
    /// The attempts before it.
    pub(super) earlier: &'a [Attempt],
    pub(super) cores: u16,
    pub(super) launcher: &'a Launcher,
    /// Set from outside to stop after the rows in progress.
    pub(super) stop: &'a AtomicBool,
}

/// How the work on a shard ended.
pub(super) struct ShardOutcome {
    /// Why; absent if it was stopped from outside.
    pub(super) cause: Option<Cause>,
    pub(super) reason: String,
    /// How many rows this attempt finished.
    pub(super) rows: u64,
}

impl ShardTask<'_> {
    /// The weights that an attempt makes.
    fn artefacts(attempt: &Attempt) -> Artefacts {
        Artefacts::below(&attempt.folder().join("artefacts"))
    }

    /// Runs jobs of a kind.
    fn run<K: TypedKind>(
        &self,
        jobs: &[&K::Planned],
        layout: &Layout,
        options: &Options<'_>,
    ) -> Result<ShardOutcome, Failure> {
        let (artefacts, progress) = (&Self::artefacts(self.attempt), &Progress::new(Display::Lines));
        Ok(ShardOutcome::of(&K::RUN(jobs, &RunContext { layout, artefacts, options, progress })?))
    }
}

impl ShardOutcome {
    /// The outcome of a run.
    fn of(report: &RunReport) -> Self {
        let jobs = &report.jobs;
        let is_refused = |job: &JobResult| {
            job.failure.is_some() || job.stopped_by_faults || job.file.is_none() && !job.alarms.is_empty()
        };
        let cause = match () {
            () if jobs.iter().any(|job| job.is_out_of_memory) => Some(Cause::Memory),
            () if jobs.iter().any(is_refused) => Some(Cause::Agent),
            () if report.interrupted => None,
            () if jobs.iter().any(|job| job.is_waiting) => Some(Cause::Paused),
            () => Some(Cause::Complete),
        };
        let notes = jobs.iter().flat_map(|job| {
            let faults = job.faults.iter().map(ToString::to_string);
            let notes = faults.chain(job.alarms.iter().cloned()).map(|note| format!("{}: {note}", job.job));
            job.failure.iter().cloned().chain(notes)
        });
        let reason = notes.collect::<Vec<_>>().join("; ");
        Self { cause, reason, rows: jobs.iter().map(|job| job.played).sum() }
    }
}

/// A job that was collected.
#[derive(Default, Serialize)]
pub(super) struct CollectedJob {
    /// All of its rows.
    pub(super) rows: u64,
    /// Those that came from the cluster.
    pub(super) played: u64,
    /// How many of these ended by a fault.
    pub(super) faults: u64,
    /// The logical digest of its rows.
    pub(super) digest: String,
    /// Whether rows that ran again are as they were stored; absent if there was nothing to compare.
    pub(super) same_as_stored: Option<bool>,
    /// Records that differ under one identity.
    pub(super) alarm: Option<String>,
    /// The entry of an experiment in the index, under all of its names.
    #[serde(skip)]
    pub(super) indexed: Option<(Vec<Key>, IndexEntry)>,
}

/// A job of a submission, and where it is.
#[derive(Clone, Copy)]
struct JobContext<'a> {
    folder: &'a WorkFolder,
    submission: &'a Submission,
    place: usize,
    job: &'a SubmissionJob,
}

/// All jobs of a submission, as their kinds run and collect them.
pub(super) fn all<'a>(
    folder: &'a WorkFolder,
    submission: &'a Submission,
) -> Result<Vec<Box<dyn ClusterJob + 'a>>, Failure> {
    (0..submission.jobs.len()).map(|place| one(folder, submission, place)).collect()
}

/// One job of a submission.
pub(super) fn one<'a>(
    folder: &'a WorkFolder,
    submission: &'a Submission,
    place: usize,
) -> Result<Box<dyn ClusterJob + 'a>, Failure> {
    let sent = JobContext { folder, submission, place, job: &submission.jobs[place] };
    Ok(match sent.job.kind.as_str() {
        "experiment" => Box::new(experiment::ClusterExperiment::read(sent)?),
        "study" => Box::new(study::ClusterStudy::read(sent)?),
        "training" => Box::new(training::ClusterTraining::read(sent)?),
        _ => return Err(sent.wrong("its kind is unknown")),
    })
}

/// The origin of all rows of a submission, whatever the plugin.
fn origin(submission: &Submission) -> Provenance {
    Provenance {
        commit: submission.commit.clone(),
        dirty: submission.dirty,
        program_sha256: Some(submission.program_sha256.clone()),
        ..Provenance::now(None)
    }
}

impl JobContext<'_> {
    /// The planned job, whose identity must be the one that was sent.
    fn planned<J: Job + DeserializeOwned>(&self) -> Result<J, Failure> {
        let planned = J::deserialize(&self.job.planned).map_err(|error| self.wrong(&error.to_string()))?;
        match planned.identity().hash() == self.job.identity && *planned.outline().key == self.job.key {
            true => Ok(planned),
            false => Err(self.wrong("it has another identity or name than was sent")),
        }
    }

    fn wrong(&self, what: &str) -> Failure {
        let path = self.folder.submission();
        Failure::check(format!("{}: `jobs[{}]`: {what}", path.display(), self.place))
    }

    /// The copy of its plugin.
    fn plugin(&self) -> Arc<PluginEntry> {
        let sent = &self.submission.plugins[self.job.plugin];
        let file = self.folder.root().path().join(&sent.file);
        Arc::new(PluginEntry {
            file,
            sha256: sent.sha256.clone(),
            files: sent.files.clone(),
            agents: Vec::new(),
        })
    }

    /// The attempts at a part.
    fn attempts(&self, part: u64) -> Vec<Attempt> {
        let shard = self.submission.shard_of(JobPart { job: self.place, part });
        shard.map(|shard| self.folder.attempts(shard)).unwrap_or_default()
    }

    /// Checks that the program and the plugin that were sent made a file.
    fn check_origins(&self, file: &ConfinedPath, origins: &[Provenance]) -> Result<(), Failure> {
        let plugin = &self.submission.plugins[self.job.plugin].sha256;
        for origin in origins {
            let program = origin.program_sha256.as_deref().unwrap_or_default();
            let players = [
                ("plugin", origin.plugin_sha256.as_str(), plugin),
                ("program", program, &self.submission.program_sha256),
            ];
            if let Some((what, found, sent)) = players.into_iter().find(|(_, found, sent)| found != sent) {
                return Err(Failure::check(format!(
                    "{}: another {what} has played it than was sent: its SHA-256 is {found}, not {sent}",
                    file.display()
                )));
            }
        }
        if origins.is_empty() { Err(self.other_identity(file)) } else { Ok(()) }
    }

    /// Checks a complete file of this job, and returns it with its place in the results folder.
    fn check_file(
        &self,
        kind: &dyn StoredKind,
        from: &ConfinedPath,
        layout: &Layout,
        artefacts: Option<ConfinedPath>,
    ) -> Result<(StoredJob, ConfinedPath, CollectedJob), Failure> {
        let Words { kind: word, .. } = kind.words();
        let Some(found) = kind.read(from)? else {
            let text = format!("the {word} is not complete; `pipeline cluster status` says more");
            return Err(Failure::check(text));
        };
        if found.key != self.job.key.to_string() {
            return Err(Failure::check(format!("{}: it holds another {word}", from.display())));
        }
        if found.identity.hash() != self.job.identity {
            return Err(self.other_identity(from));
        }
        self.check_origins(from, &found.provenance)?;
        kind.check(from, &StoredContext { artefacts, ..StoredContext::default() })?;
        let to = kind.words().path(layout.root(), &self.job.key);
        let stored = kind.read(&to)?.filter(|stored| stored.identity == found.identity);
        let is_other = |one: &StoredJob| (&one.digest, &one.artefact) != (&found.digest, &found.artefact);
        if stored.as_ref().is_some_and(is_other) {
            return Err(Failure::check(format!(
                "another result of the same {word} is stored already; move {} away if it is wrong",
                to.display()
            )));
        }
        let collected = CollectedJob {
            rows: found.rows,
            played: found.rows,
            digest: found.digest.clone(),
            same_as_stored: stored.map(|_| true),
            ..CollectedJob::default()
        };
        Ok((found, to, collected))
    }

    fn other_identity(&self, file: &ConfinedPath) -> Failure {
        let (file, row) = (file.display(), &self.job.row);
        Failure::check(format!("{file}: it holds {row}s of another identity than the submission's"))
    }

    /// The options of a run on a node.
    fn options<'a>(&self, task: &ShardTask<'a>) -> Options<'a> {
        Options::new(task.cores.into(), task.launcher, origin(self.submission), task.stop)
    }

    /// One part of its rows.
    const fn shard(&self, part: u64) -> Shard {
        Shard { part, of: self.job.parts, games: self.job.rows }
    }
}
