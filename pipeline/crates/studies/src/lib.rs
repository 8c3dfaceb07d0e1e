//! Studies as they are stored: the trials of a search for better parameters, and what follows from them.
//!
//! A study's [`identity`] is all that determines it. The outcome of each proposal is a [`row`]; the [`store`]
//! keeps the rows as Parquet below `results/studies`. Rows hold all that a method looks at, so that
//! [`verify`] can check each proposal from them alone; [`Studies`] checks whole files. [`StoredStudies`] are
//! those of many papers, read once. [`outcome`] says how the search went and who won, and [`winners`] gives
//! the winners' parameters to the experiments that play them again. Nothing here starts a worker: whoever has
//! the files can check them.

mod columns;
#[cfg(test)]
mod fixtures;
pub mod identity;
mod kind;
pub mod outcome;
pub mod row;
mod scores;
pub mod store;
mod stored;
pub mod verify;
pub mod winners;

pub use identity::{Player, StudyIdentity};
pub use kind::{STUDY, Studies, check};
pub use outcome::{Contender, Step};
pub use row::{Effort, GameFigures, TrialOutcome, TrialRow};
pub use scores::Scores;
pub use store::{StoredStudy, StudyHeader};
pub use stored::{ReadStudy, StoredStudies};
