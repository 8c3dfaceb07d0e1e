//! The plugin boundary. `include/agent2048.h` is the contract; [`raw`] is that header in Rust.
//!
//! [`export`] is the plugin's side, which `export_agents!` puts around safe agents; [`host`] is the host's
//! side, which makes a foreign table of functions safe to use. All unsafe code of this crate is in this
//! folder.
#![allow(unsafe_code)]

pub mod export;
pub mod host;
mod memory;
mod params;
pub mod raw;
mod rules;
