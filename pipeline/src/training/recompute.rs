//! Re-runs trainings, and checks whether they give the same file and the same learning curve.

use std::time::Duration;

use serde::Serialize;
use serde_json::json;

use super::{TrainingEnd, TrainingJob, TrainingRunner, curve, run_all};
use crate::kinds::RunContext;
use crate::plan::PlannedTraining;
use crate::progress::Progress;
use crate::recompute::Recomputation;
use crate::run::{Options, RunError};
use jobs::{Key, StoreError};
use platform::confined::ConfinedPath;
use platform::interrupt;
use platform::scratch::Scratch;
use records::layout::Layout;
use text::counted;
use trainings::{Curve, store};

/// The most CPU time of a training that is re-run: enough for a small network.
const LONGEST: Duration = Duration::from_secs(300);
/// The time between two checkpoints, from which nobody resumes.
const CHECKPOINT_INTERVAL: Duration = Duration::from_secs(3600);

/// A training that was re-run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct Retrained {
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

impl Retrained {
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

/// A stored training, to be compared with its re-run.
struct Stored<'a> {
    planned: &'a PlannedTraining,
    sha256: String,
    curve: Curve,
}

impl<'a> Stored<'a> {
    fn read(planned: &'a PlannedTraining) -> Result<Option<Self>, StoreError> {
        let stored = store::read(&planned.path)?;
        Ok(stored.map(|stored| Self { planned, sha256: stored.header.artefact.sha256, curve: stored.curve }))
    }
}

/// Re-runs the trainings that did not take long, and names the others.
pub(crate) fn recompute_trainings(
    trainings: &[&PlannedTraining],
    context: &RunContext<'_>,
) -> Result<Recomputation, RunError> {
    let (short, long): (Vec<&PlannedTraining>, Vec<_>) =
        trainings.iter().copied().partition(|planned| is_short(planned));
    let interrupted = interrupt::Playing::begin().map_err(RunError::Scratch)?;
    let Options { jobs, launcher, origin, .. } = context.options;
    let options = Options::new(*jobs, launcher, origin.clone(), interrupted.stop());
    let retrained = rerun(&short, context.layout, &options, context.progress)?;
    let not_retrained: Vec<String> = long.into_iter().map(|planned| planned.key.to_string()).collect();
    let mut lines = Vec::new();
    if !retrained.is_empty() {
        let same = retrained.iter().filter(|retrained| retrained.problem().is_none()).count();
        let of = counted(retrained.len() as u64, "training");
        lines.push(format!("Re-ran {of}: {same} with the same file and learning curve."));
    }
    if !not_retrained.is_empty() {
        let names = not_retrained.join(", ");
        lines.push(format!("Not re-run, since it takes long: {names}; `pipeline train --fresh` does."));
    }
    Ok(Recomputation {
        differences: retrained.iter().filter_map(Retrained::problem).collect(),
        lines,
        ..Recomputation::with_fields([
            ("retrained", json!(retrained)),
            ("not_retrained", json!(not_retrained)),
        ])
    })
}

/// Re-runs trainings in a scratch folder.
fn rerun(
    trainings: &[&PlannedTraining],
    layout: &Layout,
    options: &Options<'_>,
    progress: &Progress,
) -> Result<Vec<Retrained>, RunError> {
    let read = trainings.iter().filter_map(|planned| Stored::read(planned).transpose());
    let stored: Vec<Stored<'_>> = read.collect::<Result<_, _>>()?;
    let scratch = Scratch::new("retile-train-").map_err(RunError::Scratch)?;
    let jobs: Vec<TrainingJob> = (0_u32..)
        .zip(&stored)
        .map(|(place, Stored { planned, curve, .. })| {
            let job = planned.to_run(layout);
            // The manifest may have changed this since; it is not part of the identity.
            let curve_every = curve.rows().first().map_or(job.curve_every, |row| row.games_in_row.max(1));
            let folder = ConfinedPath::root(scratch.path()).join(place.to_string());
            TrainingJob { folder, curve_every, ..job }
        })
        .collect();
    let Options { launcher, stop, .. } = *options;
    let runner = TrainingRunner { launcher, checkpoint_interval: CHECKPOINT_INTERVAL, stop };
    let mut done = run_all(&jobs, &runner, options.jobs, progress, |place, _, end| {
        let Stored { planned, sha256, curve: stored } = &stored[place];
        let training = planned.key.clone();
        let mut differs = None;
        let now = match end {
            Ok(TrainingEnd::Complete(training)) => {
                differs = stored.difference(&curve(&training.progress)).map(|found| found.to_string());
                Ok(training.written.sha256.clone())
            }
            Ok(TrainingEnd::Stopped(_)) => Err(format!("{training}: stopped before the end")),
            Err(error) => Err(error),
        };
        Retrained { training, sha256: sha256.clone(), now, differs }
    });
    done.sort_by(|one, other| one.training.cmp(&other.training));
    Ok(done)
}

/// Whether a training is stored and did not take long.
fn is_short(planned: &PlannedTraining) -> bool {
    planned.cost.is_some_and(|cost| Duration::from_nanos(cost.cpu_ns) <= LONGEST)
}
