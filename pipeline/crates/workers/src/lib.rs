//! Agents in processes of their own: a crash costs one game and no other.
//!
//! A [`plugin`] is a shared library, or a program at the other end of the [`bridge`]. Only a [`worker`]
//! process opens one. The [`catalogue`] lists the agents, and [`files`] holds what they load. A [`fault`] is
//! what the end of a process means for its game; [`process_tree`] ends everything that an agent started.
//! Messages and stored games travel in a [`frame`] that shows whether it is whole: over a pipe, or through a
//! spool with a [`title`].

pub mod bridge;
pub mod catalogue;
pub mod fault;
pub mod files;
pub mod frame;
mod pipe;
pub mod plugin;
pub mod process_tree;
mod stderr_tail;
pub mod title;
pub mod worker;

pub use bridge::Program;
pub use catalogue::{BrokenPlugin, Catalogue, CatalogueError, PluginEntry};
pub use files::{AgentFile, Files};
pub use frame::HEAD;
pub use plugin::OpenError;
pub use title::Title;
pub use worker::protocol::{Assignment, CheckSetup, Learned, Played, Question, TrainingSetup, WrittenFile};
pub use worker::{
    CheckEvent, Fault, GameEvent, Launcher, Limits, Spool, Worker, WorkerError, WorkerStartError,
};
