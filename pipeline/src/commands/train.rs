//! `pipeline train`: have agents learn, and keep what they have learned.

use jobs::identity::Canonical as _;
use std::sync::Mutex;
use std::time::Duration;

use serde::Serialize;
use serde_json::json;

use super::checksums::write_checksums;
use super::context::{Context, jobs, paper_names, require_all, require_kind};
use super::table::table;
use super::{Failure, print_json, print_text};
use crate::cli;
use crate::job::TRAINING;
use crate::plan::{PlannedTraining, Selection};
use crate::run::Display;
use crate::training::{Conductor, Ended, KeepError, conduct_all, keep};
use jobs::{Key, Status};
use platform::console::note;
use platform::interrupt;
use records::sums::Scope;
use text::{counted, thousands};
use trainings::{Artefacts, Cost, TrainingHeader};

pub(crate) fn train(arguments: &cli::Train) -> Result<(), Failure> {
    let context = Context::load(&arguments.places, &arguments.names)?;
    let names = paper_names(&arguments.names);
    let selection = Selection { names, with_extra: arguments.extra, ..Selection::default() };
    require_kind(&context.project.papers, &selection.names, &TRAINING)?;
    let _lock = if arguments.dry_run { None } else { Some(context.lock(false)?) };
    let plan = context.plan_trainings(&selection)?;
    require_all(&plan.unplanned)?;
    let plan = plan.trainings;
    if arguments.dry_run {
        let left: Vec<&PlannedTraining> =
            plan.iter().filter(|planned| arguments.fresh || !planned.is_done()).collect();
        return show_left(arguments, &plan, &left);
    }
    let checkpoint_every = Duration::from_secs_f64(60.0 * arguments.checkpoint_minutes);
    let report = train_all(
        &context,
        &plan,
        arguments.fresh,
        &How { checkpoint_every, ..How::of(&arguments.playing) },
    )?;
    if arguments.playing.json {
        print_json(&report)?;
    } else {
        print_text(&text(&report))?;
    }
    outcome(&report)
}

/// How trainings are conducted.
pub(super) struct How {
    pub(super) jobs: usize,
    pub(super) display: Display,
    pub(super) checkpoint_every: Duration,
}

impl How {
    /// With a checkpoint every five minutes.
    pub(super) fn of(playing: &cli::Playing) -> Self {
        Self {
            jobs: jobs(playing),
            display: Display::fitting(playing.quiet || playing.json),
            checkpoint_every: Duration::from_secs(300),
        }
    }
}

/// What became of trainings.
#[derive(Debug, Serialize)]
pub(super) struct TrainReport {
    trainings: Vec<Done>,
    interrupted: bool,
}

/// What became of one.
#[derive(Debug, Serialize)]
struct Done {
    training: String,
    outcome: Outcome,
    /// The games that it has learned from by now.
    games: u64,
    /// The file that it gave.
    #[serde(skip_serializing_if = "Option::is_none")]
    sha256: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    packed_bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cost: Option<Cost>,
    /// Whether the manifest says which file it gives.
    is_stated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<String>,
    /// Whether the failure is that it gave another file than the manifest says.
    #[serde(skip)]
    is_other_file: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Outcome {
    /// It was done before.
    Known,
    Trained,
    /// It was trained again, and gave the same.
    Same,
    /// It was trained again, and gave another file.
    Different,
    Stopped,
    Failed,
}

/// Trains what is not done, and all where it is afresh.
pub(super) fn train_all(
    context: &Context,
    plan: &[PlannedTraining],
    is_fresh: bool,
    how: &How,
) -> Result<TrainReport, Failure> {
    sweep(&context.artefacts);
    let blocked = plan.iter().find_map(|planned| match &planned.status {
        Status::Blocked { by } if !is_fresh => Some(by),
        _ => None,
    });
    if let Some(by) = blocked {
        return Err(Failure::check(by.clone()));
    }
    let left: Vec<&PlannedTraining> = plan.iter().filter(|planned| is_fresh || !planned.is_done()).collect();
    let conducted: Vec<_> = left.iter().map(|planned| planned.conducted(&context.layout)).collect();
    let playing = interrupt::Playing::begin().map_err(Failure::io)?;
    let (checkpoint_every, stop) = (how.checkpoint_every, playing.stop());
    let conductor = Conductor { launcher: &context.launcher, checkpoint_every, stop };
    let (done, origin) = (Mutex::new(Vec::new()), context.origin());
    conduct_all(&conducted, &conductor, (how.jobs, how.display), |place, ended| {
        let told = match ended {
            Ok(Ended::Whole(finished)) => {
                kept(left[place], keep(left[place], *finished, &context.artefacts, &origin))
            }
            Ok(Ended::Stopped(standing)) => {
                Done { outcome: Outcome::Stopped, games: standing.total().games, ..Done::new(left[place]) }
            }
            Err(error) => {
                Done { outcome: Outcome::Failed, failure: Some(error.to_string()), ..Done::new(left[place]) }
            }
        };
        done.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(told);
    });
    if !left.is_empty() {
        write_checksums(&context.layout, Scope::Played)?;
    }
    let mut done = done.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    let known = plan.iter().filter(|planned| !is_fresh && planned.is_done());
    done.extend(known.map(Done::new));
    done.sort_by(|one, other| one.training.cmp(&other.training));
    let interrupted = done.iter().any(|done| done.outcome == Outcome::Stopped);
    Ok(TrainReport { trainings: done, interrupted })
}

/// Removes unfinished files that killed trainings left among the artefacts.
pub(super) fn sweep(artefacts: &Artefacts) {
    let swept = artefacts.sweep() as u64;
    if swept > 0 {
        let files = counted(swept, "temporary file");
        note(format_args!("{}: removed {files} that killed commands left", artefacts.folder().display()));
    }
}

fn kept(planned: &PlannedTraining, kept: Result<TrainingHeader, KeepError>) -> Done {
    let header = match kept {
        Ok(header) => header,
        Err(error) => {
            let is_other_file = matches!(error, KeepError::Other { .. });
            let failure = Some(error.to_string());
            return Done { outcome: Outcome::Failed, failure, is_other_file, ..Done::new(planned) };
        }
    };
    let outcome = match &planned.sha256 {
        Some(sha256) if planned.status.is_complete() => {
            if *sha256 == header.artefact.sha256 {
                Outcome::Same
            } else {
                Outcome::Different
            }
        }
        _ => Outcome::Trained,
    };
    Done {
        outcome,
        sha256: Some(header.artefact.sha256),
        packed_bytes: Some(header.artefact.packed_bytes),
        cost: Some(header.cost),
        ..Done::new(planned)
    }
}

impl Done {
    /// One that was done before, or of which nothing is known yet.
    fn new(planned: &PlannedTraining) -> Self {
        let sha256 = planned.sha256.clone().filter(|_| planned.is_done());
        Self {
            training: planned.key.to_string(),
            outcome: Outcome::Known,
            games: planned.training.games,
            sha256,
            packed_bytes: None,
            cost: planned.cost.filter(|_| planned.is_done()),
            is_stated: planned.training.sha256.is_some(),
            failure: None,
            is_other_file: false,
        }
    }

    fn row(&self) -> Vec<String> {
        let outcome = match self.outcome {
            Outcome::Known => "done before",
            Outcome::Trained => "trained",
            Outcome::Same => "trained again: the same file",
            Outcome::Different => "trained again: ANOTHER FILE",
            Outcome::Stopped => "stopped, and goes on from its checkpoint",
            Outcome::Failed => "failed",
        };
        vec![
            self.training.clone(),
            thousands(self.games as f64),
            self.cost.map(|cost| words(&cost)).unwrap_or_default(),
            self.sha256.as_deref().map(|hash| hash[..16].to_owned()).unwrap_or_default(),
            outcome.to_owned(),
        ]
    }
}

/// What a training cost, in a few words.
pub(super) fn words(cost: &Cost) -> String {
    let moves = match cost.moves {
        moves if moves >= 1_000_000_000 => format!("{:.2} G", moves as f64 / 1e9),
        moves if moves >= 1_000_000 => format!("{:.1} M", moves as f64 / 1e6),
        moves => thousands(moves as f64),
    };
    let time = match cost.cpu_hours() * 3600.0 {
        seconds if seconds < 120.0 => format!("{seconds:.1} CPU s"),
        seconds if seconds < 7200.0 => format!("{:.1} CPU min", seconds / 60.0),
        seconds => format!("{:.1} CPU h", seconds / 3600.0),
    };
    format!("{moves} moves, {time}")
}

/// What became of trainings, for people.
pub(super) fn text(report: &TrainReport) -> String {
    if report.trainings.is_empty() {
        return "No manifest has a training in this set.\n".to_owned();
    }
    let rows: Vec<Vec<String>> = report.trainings.iter().map(Done::row).collect();
    let mut text = table(&["Training", "Games", "Cost", "Artefact", "Outcome"], &rows);
    let is_new = |done: &&Done| !done.is_stated && done.outcome == Outcome::Trained;
    for done in report.trainings.iter().filter(is_new) {
        if let Some(sha256) = &done.sha256 {
            text.push_str(&format!(
                "\n{}: write sha256 = \"{sha256}\" into its [[training]], and whoever trains it again is told whether it gives the same.\n",
                done.training
            ));
        }
    }
    if report.interrupted {
        text.push_str("\nStopped before the end. Run the same command again to continue.\n");
    }
    text
}

/// What would be trained, and what that took before.
fn show_left(
    arguments: &cli::Train,
    plan: &[PlannedTraining],
    left: &[&PlannedTraining],
) -> Result<(), Failure> {
    if arguments.playing.json {
        let told = |planned: &&PlannedTraining| json!({"training": planned.key.to_string(), "identity": planned.identity.hash(), "games": planned.training.games, "cost": planned.cost});
        return print_json(&json!({"to_train": left.iter().map(told).collect::<Vec<_>>()}));
    }
    let done = plan.len() - left.len();
    let mut text = format!("{} to train, {done} done.\n", counted(left.len() as u64, "training"));
    text.extend(left.iter().map(|planned| {
        format!("  {}\n", would_take(&planned.key, planned.training.games, planned.cost.as_ref()))
    }));
    print_text(&text)
}

/// A training that is not done, and what it would take.
pub(super) fn would_take(key: &Key, games: u64, cost: Option<&Cost>) -> String {
    let games = counted(games, "game");
    let before = match cost {
        Some(cost) => format!("{} when it was last trained", words(cost)),
        None => "never trained here, so that nobody knows how long it takes".to_owned(),
    };
    format!("{key}: {games}; {before}")
}

/// Fails where a training failed, gave another file, or was stopped.
pub(super) fn outcome(report: &TrainReport) -> Result<(), Failure> {
    let failed: Vec<&Done> = report.trainings.iter().filter(|done| done.failure.is_some()).collect();
    let failures: Vec<&str> = failed.iter().filter_map(|done| done.failure.as_deref()).collect();
    match failed.iter().all(|done| done.is_other_file) {
        _ if failed.is_empty() => {}
        true => return Err(Failure::check(failures.join("\n"))),
        false => return Err(Failure::agent(failures.join("\n"))),
    }
    if let Some(other) = report.trainings.iter().find(|done| done.outcome == Outcome::Different) {
        return Err(Failure::check(format!(
            "{}: trained again it gave another file: something that determines it is not in its identity",
            other.training
        )));
    }
    match report.interrupted {
        true => Err(Failure::check("stopped before the end")),
        false => Ok(()),
    }
}
