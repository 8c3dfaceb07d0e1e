//! Studies on a cluster: a chain of arrays, one for each batch, each of which starts when the one before it
//! is over.
//!
//! A chain rather than a driver: many sites let no job submit another, and a driver would hold a core while
//! it waits and would die with its node. Slurm knows a chain from the start, and cancels it as one. The
//! journals alone determine the trials of an array: if an element is lost, the next array plays its trials
//! first, and if the chain ends before the study does, another is submitted.

use std::collections::BTreeSet;
use std::sync::OnceLock;
use std::time::Duration;

use ::cluster::copies::copy_confined;
use ::cluster::{Attempt, Division, PartProgress, slurm};
use platform::ConfinedPath;
use records::Layout;
use studies::Studies;
use trainings::Artefacts;

use super::super::super::Failure;
use super::{ClusterJob, CollectedJob, JobContext, OutgoingJob, ShardOutcome, ShardTask};
use crate::plan::PlannedStudy;
use crate::run::Options;
use crate::study::journal::{TrialJournal, journals};

/// The most arrays that are submitted at once: `retry` submits the rest.
const LONGEST_CHAIN: u64 = 100;
/// The assumed time of a batch if no trial was timed.
const BATCH_TIME: Duration = Duration::from_secs(3600);

/// The missing trials of a study, in parts that each take at least as long as `shortest`, and have a trial
/// per batch.
pub(super) fn outgoing(
    planned: &PlannedStudy,
    cores: u16,
    shortest: Duration,
) -> Result<OutgoingJob, Failure> {
    let batches = planned.study.method.facts().most_batches;
    let trials = planned.trials().unwrap_or_else(|| planned.study.method.facts().most_trials);
    let of_batch = trials.div_ceil(batches.max(1)).max(1);
    let each =
        planned.time_per_trial.map_or(BATCH_TIME.as_secs_f64() / of_batch as f64, |time| time.as_secs_f64());
    let parts = each * of_batch as f64 / f64::from(cores) / shortest.as_secs_f64().max(f64::EPSILON);
    let parts = (parts.ceil() as u64).clamp(1, of_batch.min(slurm::array_size()));
    let mut outgoing = OutgoingJob::new(planned, trials, Division::Parts(parts))?;
    outgoing.sent.links = batches.clamp(1, LONGEST_CHAIN);
    Ok(outgoing)
}

/// A study that was sent.
pub(super) struct ClusterStudy<'a> {
    sent: JobContext<'a>,
    planned: PlannedStudy,
    /// The results folder that all parts share.
    layout: Layout,
    /// The trials in the journals of all parts.
    trials: OnceLock<BTreeSet<u64>>,
}

impl<'a> ClusterStudy<'a> {
    pub(super) fn read(sent: JobContext<'a>) -> Result<Self, Failure> {
        let layout = Layout::below(&sent.folder.shared());
        let mut planned: PlannedStudy = sent.planned()?;
        (planned.plugin, planned.path) = (sent.plugin(), layout.study(&sent.job.key));
        Ok(Self { sent, planned, layout, trials: OnceLock::new() })
    }
}

impl ClusterJob for ClusterStudy<'_> {
    fn progress(&self, part: u64, _: &[Attempt]) -> PartProgress {
        let job = self.sent.job;
        if self.planned.path.exists() {
            return PartProgress { done: job.rows_of(part), is_complete: true };
        }
        let trials = self.trials.get_or_init(|| {
            let of = |path: ConfinedPath| match TrialJournal::entries_in(&path) {
                Ok(Some((_, trials))) => trials,
                _ => Vec::new(),
            };
            journals(&self.layout, &job.key, false).into_iter().flat_map(of).collect()
        });
        let done = trials.iter().filter(|&trial| trial % job.parts == part - 1).count() as u64;
        PartProgress { done, is_complete: false }
    }

    fn work(&self, task: &ShardTask<'_>) -> Result<ShardOutcome, Failure> {
        let part = task.shard.pieces[0].part;
        let options = Options {
            shard: Some(self.sent.shard(part)),
            attempt: task.attempt.folder().name(),
            is_memory_retried: false,
            ..self.sent.options(task)
        };
        task.run::<Studies>(&[&self.planned], &self.layout, &options)
    }

    fn collect(&self, layout: &Layout, _: &Artefacts) -> Result<CollectedJob, Failure> {
        let (key, from) = (&self.sent.job.key, &self.planned.path);
        let (_, to, collected) = self.sent.check_file(&Studies, from, layout, None)?;
        copy_confined(from, &to)?;
        copy_confined(&self.layout.timing(key, None), &layout.timing(key, None))?;
        Ok(collected)
    }
}
