//! The end of a training: its weights go to the artefacts, its learning curve to the results.

use serde_json::json;

use super::TrainingProgress;
use super::runner::{CompleteTraining, TrainingEnd};
use crate::job::fields;
use crate::plan::PlannedTraining;
use crate::run::JobResult;
use jobs::Status;
use records::Provenance;
use text::thousands;
use trainings::{ArtefactOf, Artefacts, Cost, Curve, GamesOfARow, TrainingHeader, store};
use workers::Learned;

/// What running did to a training, with its weights and its learning curve stored if it is complete.
pub(super) fn result(
    planned: &PlannedTraining,
    end: Result<TrainingEnd, String>,
    artefacts: &Artefacts,
    origin: &Provenance,
    played: u64,
) -> JobResult {
    let mut result = JobResult { job: planned.key.to_string(), played, ..JobResult::default() };
    let mut games = planned.training.games;
    let kept = end.and_then(|end| match end {
        TrainingEnd::Stopped(progress) => {
            games = progress.total().games;
            Ok(None)
        }
        TrainingEnd::Complete(training) => keep(planned, *training, artefacts, origin).map(Some),
    });
    let outcome = match kept {
        Ok(None) => {
            let after = thousands(games as f64);
            result.state = Some(format!("resumes from its checkpoint after {after} games"));
            "stopped"
        }
        Ok(Some(Ok(header))) => complete(&mut result, planned, &header),
        Ok(Some(Err(alarm))) => {
            result.alarms.push(alarm);
            result.state = Some("its weights are not those of the manifest".to_owned());
            result.is_waiting = true;
            "failed"
        }
        Err(failure) => {
            result.failure = Some(failure);
            "failed"
        }
    };
    add_fields(&mut result, planned, outcome, games);
    result
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
    add_fields(&mut result, planned, "known", planned.training.games);
    result.fields.extend(fields([("sha256", json!(planned.sha256)), ("cost", json!(planned.cost))]));
    result
}

/// Reports a training that is stored now, and returns its outcome in a word.
fn complete(result: &mut JobResult, planned: &PlannedTraining, header: &TrainingHeader) -> &'static str {
    let sha256 = &header.artefact.sha256;
    result.file = Some(planned.path.path().to_owned());
    result.summary = format!("weights {}, {}, ", &sha256[..16], cost_text(&header.cost));
    result.fields.extend(fields([
        ("sha256", json!(sha256)),
        ("packed_bytes", json!(header.artefact.packed_bytes)),
        ("cost", json!(header.cost)),
    ]));
    let before = planned.sha256.as_ref().filter(|_| planned.status.is_complete());
    result.same_as_stored = before.map(|before| before == sha256);
    match result.same_as_stored {
        Some(true) => "same",
        Some(false) => {
            let alarm =
                "trained again it gave another file: something that determines it is not in its identity";
            result.alarms.push(alarm.to_owned());
            "different"
        }
        None => {
            let key = &planned.key;
            let note = || {
                format!(
                    "{key}: write sha256 = \"{sha256}\" into its [[training]]: later trainings are then checked against it."
                )
            };
            result.notes.extend(planned.training.sha256.is_none().then(note));
            "trained"
        }
    }
}

/// Adds what scripts learn about a training alone.
fn add_fields(result: &mut JobResult, planned: &PlannedTraining, outcome: &str, games: u64) {
    let is_stated = planned.training.sha256.is_some();
    let all = [("outcome", json!(outcome)), ("games", json!(games)), ("is_stated", json!(is_stated))];
    result.fields.extend(fields(all));
}

/// Stores the weights and the learning curve, unless the manifest states another hash: then returns an alarm.
/// If storing fails, the last checkpoint stays.
fn keep(
    planned: &PlannedTraining,
    training: CompleteTraining,
    artefacts: &Artefacts,
    origin: &Provenance,
) -> Result<Result<TrainingHeader, String>, String> {
    let found = &training.written.sha256;
    if let Some(stated) = planned.training.sha256.as_ref().filter(|stated| *stated != found) {
        return Ok(Err(format!(
            "the training gave a file with the SHA-256 {found}, and the manifest's `sha256` is {stated}: the \
             plugin is not the one that gave that file, or the manifest was changed; it is not kept"
        )));
    }
    let packed = artefacts.pack(&training.file).map_err(|error| error.to_string())?;
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
    let written = store::write(&planned.path, &header, &curve(&training.progress));
    written.map_err(|error| error.to_string())?;
    let leftovers = |error| format!("{}: the last checkpoint cannot be removed: {error}", planned.key);
    training.clear().map_err(leftovers)?;
    Ok(Ok(header))
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
