//! Trainings as they are stored: what determines one, how its games went, and the file that it gave.
//!
//! A training's [`identity`] is all that determines what is learned. Its [`curve`] says how its games went,
//! row by row; the [`store`] keeps it as Parquet below `results/trainings`, with the hash of the file that
//! the training gave. That file is one of the [`artefacts`], which agents load by their hash.
//! [`StoredTrainings`] are those of many papers, and say which file an experiment's agent needs;
//! [`Trainings`] checks what is stored. Nothing here starts a worker: whoever has the files can check them.

pub mod artefacts;
mod blocked;
pub mod curve;
#[cfg(test)]
mod fixtures;
pub mod identity;
mod kind;
pub mod store;
mod stored;

pub use artefacts::{ArtefactError, Artefacts, LARGEST_COMMITTED};
pub use blocked::blocked;
pub use curve::{COUNTED_TILES, Curve, CurveRow, GamesOfARow};
pub use identity::TrainingIdentity;
pub use kind::{TRAINING, Trainings};
pub use store::{ArtefactOf, Cost, StoredTraining, TrainingHeader};
pub use stored::{ReadTraining, StoredTrainings};
