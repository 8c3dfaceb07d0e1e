//! A training that is over: its file goes among the artefacts, its learning curve among the results.

use std::io;

use jobs::StoreError;
use records::provenance::Provenance;
use trainings::{ArtefactError, ArtefactOf, Artefacts, Cost, Curve, GamesOfARow, TrainingHeader, store};
use workers::worker::protocol::Learned;

use super::{Finished, Standing};
use crate::plan::PlannedTraining;

/// Why what a training gave is not kept. Its last checkpoint stays.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum KeepError {
    #[error(
        "{name}: the training gave a file with the SHA-256 {found}, and the manifest's `sha256` is {wanted}: the plugin is not the one that \
         gave that file, or the manifest was changed; it is not kept"
    )]
    Other { name: String, found: String, wanted: String },
    #[error(transparent)]
    Artefact(#[from] ArtefactError),
    #[error(transparent)]
    Curve(#[from] StoreError),
    #[error("{name}: the last checkpoint cannot be removed: {source}")]
    Leftovers { name: String, source: io::Error },
}

/// Keeps what a training gave.
///
/// # Errors
/// Where it is not what the manifest says, or cannot be written.
pub fn keep(
    planned: &PlannedTraining,
    finished: Finished,
    artefacts: &Artefacts,
    origin: &Provenance,
) -> Result<TrainingHeader, KeepError> {
    let (name, found) = (planned.key.to_string(), finished.written.sha256.clone());
    if let Some(wanted) = planned.training.sha256.clone().filter(|wanted| *wanted != found) {
        return Err(KeepError::Other { name, found, wanted });
    }
    let packed = artefacts.pack(&finished.file)?;
    let total = finished.standing.total();
    let header = TrainingHeader {
        training: name.clone(),
        identity: planned.identity.clone(),
        manifest: serde_json::to_value(&planned.training).unwrap_or_default(),
        artefact: ArtefactOf {
            role: planned.role.clone(),
            sha256: found,
            raw_bytes: finished.written.bytes,
            packed_bytes: packed.packed_bytes,
        },
        cost: Cost { games: total.games, moves: total.moves, cpu_ns: total.cpu_ns },
        provenance: vec![Provenance { plugin_sha256: planned.plugin.sha256.clone(), ..origin.clone() }],
    };
    store::write(&planned.path, &header, &curve(&finished.standing))?;
    finished.clear().map_err(|source| KeepError::Leftovers { name, source })?;
    Ok(header)
}

/// The learning curve of a training.
#[must_use]
pub fn curve(standing: &Standing) -> Curve {
    let mut curve = Curve::default();
    for &Learned { games, moves, score_sum, reached, .. } in standing.rows() {
        curve.add(GamesOfARow { games, moves, score_sum, reached });
    }
    curve
}
