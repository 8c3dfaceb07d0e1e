//! The end of a training: its weights go to the artefacts, its learning curve to the results.

use std::fmt::Display;

use serde_json::{Value, json};

use super::TrainingProgress;
use super::runner::{CompleteTraining, TrainingEnd};
use crate::plan::PlannedTraining;
use crate::run::JobResult;
use jobs::Status;
use records::provenance::Provenance;
use text::thousands;
use trainings::{ArtefactOf, Artefacts, Cost, Curve, GamesOfARow, TrainingHeader, store};
use workers::worker::protocol::Learned;

/// What running did to a training, with its weights and its learning curve stored if it is complete.
pub(super) fn result(
    planned: &PlannedTraining,
    end: Result<TrainingEnd, String>,
    artefacts: &Artefacts,
    origin: &Provenance,
    played: u64,
) -> JobResult {
    let games = planned.training.games;
    let result = JobResult { job: planned.key.to_string(), played, ..JobResult::default() };
    match end {
        Ok(TrainingEnd::Stopped(progress)) => {
            let games = progress.total().games;
            let games_text = thousands(games as f64);
            let state = Some(format!("resumes from its checkpoint after {games_text} games"));
            with_fields(JobResult { state, ..result }, planned, "stopped", games)
        }
        Err(failure) => with_fields(JobResult { failure: Some(failure), ..result }, planned, "failed", games),
        Ok(TrainingEnd::Complete(training)) => {
            let found = &training.written.sha256;
            if let Some(stated) = planned.training.sha256.as_ref().filter(|stated| *stated != found) {
                let alarm = format!(
                    "the training gave a file with the SHA-256 {found}, and the manifest's `sha256` is {stated}: the \
                     plugin is not the one that gave that file, or the manifest was changed; it is not kept"
                );
                let state = Some("its weights are not those of the manifest".to_owned());
                let result = JobResult { alarms: vec![alarm], state, is_waiting: true, ..result };
                return with_fields(result, planned, "failed", games);
            }
            match keep(planned, *training, artefacts, origin) {
                Ok(header) => complete(result, planned, &header),
                Err(failure) => {
                    with_fields(JobResult { failure: Some(failure), ..result }, planned, "failed", games)
                }
            }
        }
    }
}

/// A training that was complete before, or whose stored file is damaged.
pub(super) fn not_run(planned: &PlannedTraining) -> JobResult {
    let mut result = JobResult { job: planned.key.to_string(), ..JobResult::default() };
    match &planned.status {
        Status::Blocked { by } => {
            result.alarms.push(by.clone());
            result.state = Some("its stored file is damaged".to_owned());
            result.is_waiting = true;
        }
        _ => result.file = Some(planned.path.path().to_owned()),
    }
    let mut result = with_fields(result, planned, "known", planned.training.games);
    result.fields.insert("sha256".to_owned(), json!(planned.sha256));
    result.fields.insert("cost".to_owned(), json!(planned.cost));
    result
}

/// A training that is stored now.
fn complete(result: JobResult, planned: &PlannedTraining, header: &TrainingHeader) -> JobResult {
    let sha256 = &header.artefact.sha256;
    let before = planned.sha256.as_ref().filter(|_| planned.status.is_complete());
    let same_as_stored = before.map(|before| before == sha256);
    let (outcome, alarm) = match same_as_stored {
        Some(true) => ("same", None),
        Some(false) => (
            "different",
            Some("trained again it gave another file: something that determines it is not in its identity"),
        ),
        None => ("trained", None),
    };
    let is_new = outcome == "trained" && planned.training.sha256.is_none();
    let note = format!(
        "{}: write sha256 = \"{sha256}\" into its [[training]], so that whoever trains it again sees whether it gives the same.",
        planned.key
    );
    let result = JobResult {
        file: Some(planned.path.path().to_owned()),
        same_as_stored,
        alarms: alarm.into_iter().map(str::to_owned).collect(),
        summary: format!("weights {}, {}, ", &sha256[..16], cost_text(&header.cost)),
        notes: is_new.then_some(note).into_iter().collect(),
        ..result
    };
    let mut result = with_fields(result, planned, outcome, planned.training.games);
    result.fields.insert("sha256".to_owned(), json!(sha256));
    result.fields.insert("packed_bytes".to_owned(), json!(header.artefact.packed_bytes));
    result.fields.insert("cost".to_owned(), json!(header.cost));
    result
}

/// Adds what scripts learn about a training alone.
fn with_fields(mut result: JobResult, planned: &PlannedTraining, outcome: &str, games: u64) -> JobResult {
    let mut insert = |name: &str, value: Value| drop(result.fields.insert(name.to_owned(), value));
    insert("outcome", json!(outcome));
    insert("games", json!(games));
    insert("is_stated", json!(planned.training.sha256.is_some()));
    result
}

/// Stores the weights and the learning curve. If that fails, the last checkpoint stays.
fn keep(
    planned: &PlannedTraining,
    training: CompleteTraining,
    artefacts: &Artefacts,
    origin: &Provenance,
) -> Result<TrainingHeader, String> {
    fn error<E: Display>(error: E) -> String {
        error.to_string()
    }
    let packed = artefacts.pack(&training.file).map_err(error)?;
    let total = training.progress.total();
    let header = TrainingHeader {
        training: planned.key.to_string(),
        identity: planned.identity.clone(),
        manifest: serde_json::to_value(&planned.training).unwrap_or_default(),
        artefact: ArtefactOf {
            role: planned.role.clone(),
            sha256: training.written.sha256.clone(),
            raw_bytes: training.written.bytes,
            packed_bytes: packed.packed_bytes,
        },
        cost: Cost { games: total.games, moves: total.moves, cpu_ns: total.cpu_ns },
        provenance: vec![origin.by_plugin(&planned.plugin.sha256)],
    };
    store::write(&planned.path, &header, &curve(&training.progress)).map_err(error)?;
    let leftovers = |error| format!("{}: the last checkpoint cannot be removed: {error}", planned.key);
    training.clear().map_err(leftovers)?;
    Ok(header)
}

/// The learning curve of a training.
pub(crate) fn curve(progress: &TrainingProgress) -> Curve {
    let mut curve = Curve::default();
    for &Learned { games, moves, score_sum, reached, .. } in progress.rows() {
        curve.add(GamesOfARow { games, moves, score_sum, reached });
    }
    curve
}

/// The cost of a training in a few words.
pub(crate) fn cost_text(cost: &Cost) -> String {
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
