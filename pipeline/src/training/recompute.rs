//! Re-runs trainings, and checks whether they give the same file and the same learning curve.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;
use serde_json::json;

use super::{TrainingEnd, TrainingJob, curve, run_all};
use crate::kinds::RunContext;
use crate::plan::PlannedTraining;
use crate::recompute::{Recomputation, Sampling};
use crate::run::{Options, RunError};
use jobs::Key;
use platform::{ConfinedPath, Scratch, interrupt};
use text::counted;
use trainings::{StoredTraining, store};

/// The most CPU time of a training that is re-run: enough for a small network.
const LONGEST: Duration = Duration::from_secs(300);
/// The time between two checkpoints, from which nobody resumes.
const CHECKPOINT_INTERVAL: Duration = Duration::from_secs(3600);

/// A training that was re-run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct RerunTraining {
    /// Its paper and name.
    training: Key,
    /// The SHA-256 of the file that it gave before.
    sha256: String,
    /// That of the file that it gives now, or why it gives none.
    now: Result<String, String>,
    /// The first row in which its learning curve differs from the stored one.
    #[serde(skip_serializing_if = "Option::is_none")]
    differs: Option<String>,
}

impl RerunTraining {
    /// What is wrong, if anything is.
    fn problem(&self) -> Option<String> {
        let Self { training, sha256, now, differs } = self;
        match now {
            Ok(now) if now == sha256 => {
                let row = differs.as_ref()?;
                Some(format!(
                    "{training}: its learning curve is wrong: {row}; re-run it with `pipeline train {training} --fresh`"
                ))
            }
            Ok(now) => {
                Some(format!("{training}: trained again it gives {now}, and what is stored gave {sha256}"))
            }
            Err(reason) => Some(reason.clone()),
        }
    }
}

/// Re-runs the trainings that did not take long, and names the others.
pub(crate) fn recompute_trainings(
    trainings: &[&PlannedTraining],
    context: &RunContext<'_>,
    _sampling: Sampling,
) -> Result<Recomputation, RunError> {
    let (short, long): (Vec<&PlannedTraining>, Vec<_>) =
        trainings.iter().copied().partition(|planned| is_short(planned));
    let rerun = rerun(&short, context)?;
    let not_rerun: Vec<String> = long.into_iter().map(|planned| planned.key.to_string()).collect();
    let shown = (!rerun.is_empty()).then(|| {
        let same = rerun.iter().filter(|rerun| rerun.problem().is_none()).count();
        let of = counted(rerun.len() as u64, "training");
        format!("Re-ran {of}: {same} with the same file and learning curve.")
    });
    let names = not_rerun.join(", ");
    let line = format!("Not re-run, since it takes long: {names}; `pipeline train --fresh` does.");
    Ok(Recomputation {
        differences: rerun.iter().filter_map(RerunTraining::problem).collect(),
        lines: (!names.is_empty()).then_some(line).into_iter().collect(),
        shown,
        ..Recomputation::of(&[], [("retrained", json!(rerun)), ("not_retrained", json!(not_rerun))])
    })
}

/// Re-runs trainings in a scratch folder.
fn rerun(trainings: &[&PlannedTraining], context: &RunContext<'_>) -> Result<Vec<RerunTraining>, RunError> {
    let scratch = Scratch::new("retile-train-").map_err(RunError::Scratch)?;
    let (mut jobs, mut stored) = (Vec::new(), BTreeMap::new());
    for (place, &planned) in trainings.iter().enumerate() {
        let Some(StoredTraining { header, curve, .. }) = store::read(&planned.path)? else { continue };
        // The manifest may have changed this since; it is not part of the identity.
        let curve_every =
            curve.rows().first().map_or(planned.training.curve_every, |row| row.games_in_row.max(1));
        let folder = ConfinedPath::root(scratch.path()).join(place.to_string());
        jobs.push(TrainingJob { planned, curve_every, folder });
        stored.insert(&planned.key, (header.artefact.sha256, curve));
    }
    let interrupted = interrupt::Playing::begin().map_err(RunError::Scratch)?;
    let Options { jobs: threads, launcher, origin, .. } = context.options;
    let options = Options {
        checkpoint_interval: CHECKPOINT_INTERVAL,
        ..Options::new(*threads, launcher, origin.clone(), interrupted.stop())
    };
    let mut done = run_all(&jobs, &options, context.progress, |job, _, end| {
        let training = job.planned.key.clone();
        let (sha256, stored) = &stored[&training];
        let mut differs = None;
        let now = match end {
            Ok(TrainingEnd::Complete(training)) => {
                differs = stored.difference(&curve(&training.progress)).map(|found| found.to_string());
                Ok(training.written.sha256.clone())
            }
            Ok(TrainingEnd::Stopped(_)) => Err(format!("{training}: stopped before the end")),
            Err(error) => Err(error),
        };
        RerunTraining { training, sha256: sha256.clone(), now, differs }
    });
    done.sort_by(|one, other| one.training.cmp(&other.training));
    Ok(done)
}

/// Whether a training is stored and did not take long.
fn is_short(planned: &PlannedTraining) -> bool {
    planned.cost.is_some_and(|cost| Duration::from_nanos(cost.cpu_ns) <= LONGEST)
}
