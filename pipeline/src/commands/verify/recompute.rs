//! `pipeline verify --recompute`: stored rows, produced again with their agents.

use super::VerifyOutcome;
use crate::commands::Failure;
use crate::job::{AsJob, Job};
use crate::kinds::{Kind, RunContext};
use crate::recompute::Sampling;

impl VerifyOutcome {
    /// Recomputes stored jobs of a kind. A stale one is a problem: nothing is known of it.
    pub(in crate::commands) fn recompute<J: AsJob>(
        &mut self,
        kind: &dyn Kind,
        jobs: &[J],
        context: &RunContext<'_>,
        sample: Sampling,
    ) -> Result<(), Failure> {
        let stored = jobs.iter().map(AsJob::as_job).filter(|job| job.path().exists());
        let current: Vec<&dyn Job> = stored.filter(|job| self.can_repeat(*job)).collect();
        let recomputation = kind.recompute(&current, context, sample)?;
        self.recomputations.push((kind.words(), recomputation));
        Ok(())
    }

    /// Whether a stored job can be expected to give the same rows again; otherwise adds why not.
    fn can_repeat(&mut self, job: &dyn Job) -> bool {
        let is_stale = job.status().is_stale();
        if !job.repeats() {
            self.not_repeatable.push(job.key().to_string());
        } else if is_stale {
            self.add_not_current(job);
        }
        job.repeats() && !is_stale
    }
}
