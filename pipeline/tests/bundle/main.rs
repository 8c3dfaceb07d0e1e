//! Bundles, with the real program: the same bytes wherever they are made, and nothing wrong that goes unnoticed.

#[path = "../common/mod.rs"]
mod common;

mod damage;
mod forge;
mod hostile;
mod interrupting;
mod learned;
mod making;
mod malice;
mod reproducing;
mod standards;
mod strangers;
