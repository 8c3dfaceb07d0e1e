//! Games as records that anyone can replay and check: all that a reader of results needs, with no worker and
//! no plugin.
//!
//! A [`record`] is a game's seed and directions with their outcome; its [`identity`] says what determines
//! it, its [`provenance`] where it comes from. The [`store`] keeps the records of an experiment, named by its
//! [`jobs::Key`], in one file, in the [`layout`] of a results folder; its [`digest`] says whether two sets of
//! games are the same. The [`index`] says which file belongs to which experiment, and [`sums`] has the hash
//! of every file in the [`tree`]. [`replay`] plays games by their directions, and [`merge`] makes one file of
//! parts.

mod course;
pub mod digest;
pub mod holder;
pub mod identity;
pub mod index;
mod kind;
pub mod layout;
pub mod merge;
pub mod record;
pub mod replay;
pub mod store;
pub mod sums;
pub mod tree;

pub use digest::RecordDigest;
pub use identity::Identity;
pub use index::{Index, IndexEntry, IndexError};
pub use jobs::provenance;
pub use kind::{EXPERIMENT, Experiments, first_difference, replay_file};
pub use layout::{FolderLock, Layout, LockError};
pub use merge::MergeError;
pub use provenance::Provenance;
pub use record::{
    Course, Divergence, DivergenceKind, GameRecord, GameTiming, MOST_POINTS, Outcome, PlacedTiles, Seeds,
};
pub use store::{
    COLUMNS, Cells, Extent, Header, JobFooter, JobHeader, JobTable, RecordsReader, RecordsSummary,
    RecordsWriter, SealedTable, Shard, StoreError, TimingFile,
};
pub use sums::{Scope, Sums, SumsError};
pub use tree::Tree;
