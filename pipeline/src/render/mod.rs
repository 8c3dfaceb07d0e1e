//! Rendering: tables and figures from verdicts and records.

pub mod figures;
pub mod gallery;
pub mod tables;
