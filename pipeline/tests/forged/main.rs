//! ForgedFile files with valid seals: anybody who writes a file can seal it too. Wrong games are noticed, memory
//! and time are bounded, no path leads outside, and no text in a file controls a terminal or a browser.

#[path = "../common/mod.rs"]
mod common;

mod footers;
mod forge;
mod learned;
mod records;
mod shards;
mod words;
