//! Studies as they are stored: the trials of a search for better parameters, and what follows from them.
//!
//! A study's [`identity`] is all that determines it. What came of each proposal is a [`row`]; the [`store`] keeps the rows as Parquet
//! below `results/studies`. Rows hold all that a method looks at, so that [`follow`] can follow each proposal again from them alone;
//! [`mod@check`] looks at all that is in a file. [`StoredStudies`] are those of many papers, read once. [`outcome`] says how the search
//! went and who won, and [`winners`] gives the winners' parameters to the experiments that play them again.
//! Nothing here starts a worker: whoever has the files can check them.

pub mod check;
mod columns;
mod error;
pub mod follow;
pub mod identity;
pub mod outcome;
pub mod row;
mod scores;
pub mod store;
mod stored;
#[cfg(test)]
mod testing;
pub mod winners;

pub use error::StudyError;
pub use identity::StudyIdentity;
pub use row::{Came, Effort, GameFigures, TrialRow};
pub use scores::Scores;
pub use stored::{ReadStudy, StoredStudies};
