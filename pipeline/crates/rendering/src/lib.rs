//! All that people look at, from manifests and records alone: [`tables`], the [`illustrations`] of the results, the [`report`], and
//! [`everything`] of it at once, the same bytes each time.

pub mod catalogue;
pub mod comparison;
pub mod everything;
pub mod illustrations;
pub mod report;
pub mod settings;
pub mod studies;
mod table;
pub mod tables;
pub mod trainings;
