//! Trainings on a cluster: one shard each. Near the time limit a training writes a checkpoint and goes back
//! into the queue; the next attempt continues from there.

use ::cluster::copies::copy_confined;
use ::cluster::{Attempt, PartProgress};
use platform::ConfinedPath;
use records::Layout;
use trainings::{Artefacts, Trainings, store};

use super::super::super::Failure;
use super::{ClusterJob, CollectedJob, JobContext, ShardOutcome, ShardTask};
use crate::plan::PlannedTraining;

/// A training that was sent.
pub(super) struct ClusterTraining<'a> {
    sent: JobContext<'a>,
    planned: PlannedTraining,
}

impl<'a> ClusterTraining<'a> {
    pub(super) fn read(sent: JobContext<'a>) -> Result<Self, Failure> {
        let planned = PlannedTraining { plugin: sent.plugin(), ..sent.planned()? };
        Ok(Self { sent, planned })
    }

    /// The folder of an attempt's checkpoints.
    fn checkpoints(&self, attempt: &Attempt) -> ConfinedPath {
        attempt.layout().training_under_way(&self.sent.job.identity)
    }

    /// How many games the latest checkpoint of an attempt has.
    fn games(&self, attempt: &Attempt) -> u64 {
        let files = self.checkpoints(attempt).list_if_there().unwrap_or_default();
        let games =
            files.iter().filter_map(|file| file.path.name()?.strip_prefix("checkpoint-")?.parse().ok());
        games.max().unwrap_or(0)
    }

    /// Copies the checkpoints of earlier attempts into this one's folder, and removes those of attempts that
    /// are over.
    fn resume(&self, task: &ShardTask<'_>) -> Result<(), Failure> {
        let own = self.checkpoints(task.attempt);
        for attempt in task.earlier {
            let folder = self.checkpoints(attempt);
            for file in folder.list_if_there().map_err(Failure::io)? {
                let name = file.path.name().filter(|name| !name.ends_with(".tmp"));
                if let Some(name) = name {
                    copy_confined(&file.path, &own.join(name))?;
                }
            }
            if attempt.end().is_some() {
                let _ = folder.remove_all();
            }
        }
        Ok(())
    }

    /// The first attempt that has run to its end.
    fn complete<'b>(&self, attempts: &'b [Attempt]) -> Option<&'b Attempt> {
        let is_complete = |attempt: &&Attempt| {
            store::read(&attempt.layout().training(&self.sent.job.key)).is_ok_and(|stored| stored.is_some())
        };
        attempts.iter().find(is_complete)
    }
}

impl ClusterJob for ClusterTraining<'_> {
    fn progress(&self, _: u64, attempts: &[Attempt]) -> PartProgress {
        if self.complete(attempts).is_some() {
            return PartProgress { done: self.sent.job.rows, is_complete: true };
        }
        let games = attempts.iter().map(|attempt| self.games(attempt));
        PartProgress { done: games.max().unwrap_or(0), is_complete: false }
    }

    fn work(&self, task: &ShardTask<'_>) -> Result<ShardOutcome, Failure> {
        self.resume(task)?;
        let layout = task.attempt.layout();
        let planned = PlannedTraining { path: layout.training(&self.planned.key), ..self.planned.clone() };
        task.run::<Trainings>(&[&planned], &layout, &self.sent.options(task))
    }

    fn collect(&self, layout: &Layout, artefacts: &Artefacts) -> Result<CollectedJob, Failure> {
        let attempts = self.sent.attempts(1);
        // A damaged curve is reported by its file.
        let attempt = self.complete(&attempts).or(attempts.last());
        let Some(attempt) = attempt else {
            return Err(Failure::check("the training is not complete; `pipeline cluster status` says more"));
        };
        let (file, weights) = (attempt.layout().training(&self.sent.job.key), ShardTask::artefacts(attempt));
        let folder = Some(weights.folder().clone());
        let (found, to, collected) = self.sent.check_file(&Trainings, &file, layout, folder)?;
        if let Some(sha256) = &found.artefact {
            copy_confined(&weights.path(sha256), &artefacts.path(sha256))?;
        }
        copy_confined(&file, &to)?;
        Ok(collected)
    }
}
