//! All that people look at, from manifests and records alone: [`tables`], the [`illustrations`] of the
//! results and the [`report`]. [`render`] writes all of them, the same bytes each time.

pub mod catalogue;
pub mod comparison;
pub mod illustrations;
pub mod render;
pub mod report;
pub mod settings;
pub mod studies;
mod table;
pub mod tables;
pub mod trainings;
