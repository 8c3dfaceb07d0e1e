//! The report page: its text, its replays against the engine, and its life in a browser.

#[path = "../common/mod.rs"]
mod common;

mod browser;
mod chromium;
mod games;
mod html;
mod replay;
mod sample;
