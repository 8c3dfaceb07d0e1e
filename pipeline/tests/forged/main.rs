//! Forged files with right seals: whoever writes a file can seal it too. A wrong game is noticed, nothing takes memory or time without a
//! bound, no path leads outside, and no text in a file commands a terminal or a browser.

#[path = "../common/mod.rs"]
mod common;

mod footers;
mod forge;
mod learned;
mod records;
mod shards;
mod words;
