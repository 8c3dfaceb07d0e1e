//! A cluster: what a plan lacks is cut into shards, a scheduler's array plays them, and what is whole of them becomes records here.
//!
//! Files are the truth, and the scheduler is a hint: what is done is known from records and journals, never from the state of a job. Every
//! attempt at a shard works in a folder of its own, so that no two processes ever write to one file, on whatever file system, and no lock is
//! needed; it takes up the games of the attempts before it. To play a shard twice is harmless, since both come to the same games, and
//! to lose one is noticed.

pub mod attempt;
pub mod collect;
pub mod cost;
pub mod cut;
pub mod pilot;
pub mod script;
pub mod sending;
pub mod slurm;
pub mod standing;
pub mod study;
pub mod submission;
pub mod work;
pub mod workplace;
