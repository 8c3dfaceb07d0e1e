//! Re-runs trainings, and checks whether they give the same file and the same learning curve.

use std::time::Duration;

use serde::Serialize;

use super::Failure;
use super::context::{Context, processors};
use crate::plan::{PlannedTraining, Selection};
use crate::progress::{Display, Progress};
use crate::training::{TrainingEnd, TrainingJob, TrainingRunner, curve, run_all};
use platform::confined::ConfinedPath;
use platform::errors::chain;
use platform::interrupt;
use platform::scratch::Scratch;
use trainings::{Curve, store};

/// The most CPU time of a training that is re-run: enough for a small network.
const LONGEST: Duration = Duration::from_secs(300);
/// The time between two checkpoints, from which nobody resumes.
const CHECKPOINT_INTERVAL: Duration = Duration::from_secs(3600);

/// A training that was re-run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Retrained {
    /// Its paper and name.
    pub(super) training: String,
    /// The SHA-256 of the file that it gave before.
    pub(super) sha256: String,
    /// That of the file that it gives now, or why it gives none.
    pub(super) now: Result<String, String>,
    /// The first row in which its learning curve differs from the stored one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) differs: Option<String>,
}

impl Retrained {
    /// What is wrong, if anything is.
    pub(super) fn problem(&self) -> Option<String> {
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
    fn read(planned: &'a PlannedTraining) -> Result<Self, Failure> {
        let stored = store::read(&planned.path).map_err(|error| Failure::check(chain(&error)))?;
        let gone = || Failure::check(format!("{}: the file is missing", planned.path.display()));
        let stored = stored.ok_or_else(gone)?;
        Ok(Self { planned, sha256: stored.header.artefact.sha256, curve: stored.curve })
    }
}

/// Re-runs all stored trainings that did not take long, and names the others.
pub(super) fn retrain(context: &Context) -> Result<(Vec<Retrained>, Vec<String>), Failure> {
    let selection = Selection { with_extra: true, ..Selection::default() };
    let plan = context.plan_trainings(&selection)?.trainings;
    let is_stored = |planned: &&PlannedTraining| planned.status.is_complete();
    let (short, long): (Vec<_>, Vec<_>) =
        plan.iter().filter(is_stored).partition(|planned| is_short(planned));
    let long = long.into_iter().map(|planned| planned.key.to_string()).collect();
    let short: Vec<Stored> = short.into_iter().map(Stored::read).collect::<Result<_, _>>()?;
    let scratch = Scratch::new("retile-train-").map_err(Failure::io)?;
    let trainings: Vec<TrainingJob> = (0_u32..)
        .zip(&short)
        .map(|(place, Stored { planned, curve, .. })| {
            let job = planned.to_run(&context.layout);
            // The manifest may have changed this since; it is not part of the identity.
            let curve_every = curve.rows().first().map_or(job.curve_every, |row| row.games_in_row.max(1));
            let folder = ConfinedPath::root(scratch.path()).join(place.to_string());
            TrainingJob { folder, curve_every, ..job }
        })
        .collect();
    let playing = interrupt::Playing::begin().map_err(Failure::io)?;
    let (launcher, stop) = (&context.launcher, playing.stop());
    let runner = TrainingRunner { launcher, checkpoint_interval: CHECKPOINT_INTERVAL, stop };
    let progress = Progress::new(Display::fitting(false));
    let mut done = run_all(&trainings, &runner, processors(), &progress, |place, _, end| {
        let Stored { planned, sha256, curve: stored } = &short[place];
        let training = planned.key.to_string();
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
    Ok((done, long))
}

fn is_short(planned: &PlannedTraining) -> bool {
    planned.cost.is_some_and(|cost| Duration::from_nanos(cost.cpu_ns) <= LONGEST)
}
