//! Agents in processes of their own: whatever one of them does costs its own game and no other.
//!
//! A [`plugin`] is a shared library, or a program at the other end of the [`bridge`]; only a [`worker`] process ever opens one, and the
//! [`catalogue`] lists what there is and [`files`] are what they are lent. What a process's end means for a game is its [`fault`], and [`descendants`] sees to it that nothing it has
//! started stays behind. All that is sent or written down
//! travels in a [`frame`] that shows whether it is whole: over a pipe, or through a spool whose [`title`] says whose games it holds.

pub mod bridge;
pub mod catalogue;
pub mod descendants;
pub mod fault;
pub mod files;
pub mod frame;
mod pipe;
pub mod plugin;
mod stderr_tail;
pub mod title;
pub mod worker;
