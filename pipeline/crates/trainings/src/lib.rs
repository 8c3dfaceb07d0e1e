//! Trainings as they are stored: what determines one, how its games went, and the file that came of them.
//!
//! A training's [`identity`] is all that determines what is learned. Its [`curve`] says how its games went, row by row; the [`store`] keeps it
//! as Parquet below `results/trainings`, with the hash of the file that the training gave. That file itself is one of the [`artefacts`],
//! which agents are lent by their hash. [`StoredTrainings`] are those of many papers, and say which file an experiment's agent needs;
//! [`mod@check`] looks at all that is stored. Nothing here starts a worker: whoever has the files can check them.

pub mod artefacts;
mod blocked;
pub mod check;
pub mod curve;
mod error;
pub mod identity;
pub mod store;
mod stored;
#[cfg(test)]
mod testing;

pub use artefacts::{ArtefactError, Artefacts};
pub use blocked::blocked;
pub use curve::{Curve, CurveRow, GamesOfARow};
pub use error::TrainingError;
pub use identity::TrainingIdentity;
pub use store::{ArtefactOf, Cost, StoredTraining, TrainingHeader};
pub use stored::{ReadTraining, StoredTrainings};
