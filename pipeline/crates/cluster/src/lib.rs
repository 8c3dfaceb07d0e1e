//! Jobs on a cluster: the work that a plan lacks is cut into shards, Slurm runs them as arrays, and what they
//! finish is collected.
//!
//! Files are the truth, and the scheduler is a hint: records, journals and checkpoints say what is done,
//! never the state of a Slurm job. Every attempt at a shard works in a folder of its own and takes up the
//! rows of earlier attempts, so no two processes write to one file, and no lock is needed on any file system.
//! A shard that runs twice does no harm, since both attempts give the same rows; a shard that is lost is
//! noticed.
//!
//! This crate knows of a job its key, its kind's words, how many rows it has, and into how many parts it is
//! cut. The program plans jobs, runs them, and says how much of a part is done.

pub mod attempt;
pub mod copies;
pub mod cut;
mod error;
mod folder;
pub mod round;
pub mod script;
pub mod slurm;
pub mod status;
pub mod submission;

pub use attempt::Attempt;
pub use error::ClusterError;
pub use folder::WorkFolder;
pub use round::Round;
pub use status::ClusterStatus;
pub use submission::{Piece, Request, SentJob, SentShard, Submission};
