//! Trainings that are conducted once more, to see whether they give the same file.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde::Serialize;

use super::Failure;
use super::context::{Context, processors};
use crate::run::Display;
use crate::training::{Conducted, Conductor, Ended, PlannedTraining, TrainingState, conduct_all};
use surroundings::confined::ConfinedPath;
use surroundings::interrupt;
use surroundings::scratch::Scratch;

/// The most time of a processor that a training may have taken to be conducted once more: enough for a small network.
const LONGEST: Duration = Duration::from_secs(300);
/// How often a checkpoint is written, which nobody will go on from.
const CHECKPOINT_EVERY: Duration = Duration::from_secs(3600);

/// A training that was conducted once more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Retrained {
    /// Its paper and name.
    pub(super) training: String,
    /// The SHA-256 of the file that it gave before.
    pub(super) sha256: String,
    /// That of the file that it gives now, or why it gives none.
    pub(super) now: Result<String, String>,
}

impl Retrained {
    /// What is wrong, if anything is.
    pub(super) fn problem(&self) -> Option<String> {
        let Self { training, sha256, now } = self;
        match now {
            Ok(now) if now == sha256 => None,
            Ok(now) => {
                Some(format!("{training}: trained again it gives {now}, and what is stored gave {sha256}"))
            }
            Err(reason) => Some(reason.clone()),
        }
    }
}

/// Conducts all stored trainings once more that did not take long, and names the others.
pub(super) fn retrain(context: &Context) -> Result<(Vec<Retrained>, Vec<String>), Failure> {
    let plan = context.plan_trainings(&[], true)?;
    let stored = plan.iter().filter_map(|planned| match &planned.state {
        TrainingState::Done { sha256 } | TrainingState::WithoutArtefact { sha256 } => Some((planned, sha256)),
        TrainingState::Missing | TrainingState::Stale { .. } => None,
    });
    let (short, long): (Vec<_>, Vec<_>) = stored.partition(|(planned, _)| is_short(planned));
    let long = long.into_iter().map(|(planned, _)| planned.key.to_string()).collect();
    let scratch = Scratch::new("retile-train-").map_err(Failure::io)?;
    let conducted: Vec<Conducted> = (0_u32..)
        .zip(&short)
        .map(|(place, (planned, _))| Conducted {
            folder: ConfinedPath::root(scratch.path()).join(place.to_string()),
            ..planned.conducted(&context.layout)
        })
        .collect();
    let playing = interrupt::Playing::begin().map_err(Failure::io)?;
    let (launcher, stop) = (&context.launcher, playing.stop());
    let conductor = Conductor { launcher, checkpoint_every: CHECKPOINT_EVERY, stop };
    let done = Mutex::new(Vec::new());
    conduct_all(&conducted, &conductor, (processors(), Display::fitting(false)), |place, ended| {
        let (planned, sha256) = short[place];
        let training = planned.key.to_string();
        let now = match ended {
            Ok(Ended::Whole(finished)) => Ok(finished.written.sha256.clone()),
            Ok(Ended::Stopped(_)) => Err(format!("{training}: stopped before the end")),
            Err(error) => Err(error.to_string()),
        };
        let retrained = Retrained { training, sha256: sha256.clone(), now };
        done.lock().unwrap_or_else(PoisonError::into_inner).push(retrained);
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by(|one, other| one.training.cmp(&other.training));
    Ok((done, long))
}

fn is_short(planned: &PlannedTraining) -> bool {
    planned.cost.is_some_and(|cost| Duration::from_nanos(cost.cpu_ns) <= LONGEST)
}
