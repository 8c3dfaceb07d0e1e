//! Bundles, with the real program: always the same bytes, and every damage is noticed.

#[path = "../common/mod.rs"]
mod common;

mod damage;
mod forge;
mod hostile;
mod learned;
mod making;
mod malice;
mod reproducing;
mod strangers;
