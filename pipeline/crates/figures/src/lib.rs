//! Figures: each kind has its input in a plain struct and draws itself with plotters onto one surface, which
//! becomes an SVG and a PNG. The same input gives the same bytes on every machine: the font is embedded, text
//! is set as outlines, and nothing depends on a clock, a system font or the order of a hash map.

mod axis;
mod canvas;
mod claims;
mod convergence;
mod drawing;
mod ends;
mod font;
mod importance;
mod kinds;
mod layout;
mod learning;
mod legend;
mod numbers;
mod pairs;
mod palette;
mod parallel;
mod pareto;
mod path;
mod placer;
mod ranks;
mod rows;
mod scene;
mod sheet;
mod slices;
#[cfg(test)]
mod study_tests;
mod style;
#[cfg(test)]
mod tests;
mod trials;

pub use claims::{ClaimRow, Claims};
pub use convergence::{Convergence, ConvergencePanel, ConvergenceStep};
pub use drawing::Drawing;
pub use importance::{Importance, ImportanceRow};
pub use kinds::*;
pub use learning::{Learning, LearningCurve, LearningPoint, LearningStep};
pub use pairs::Pairs;
pub use parallel::Parallel;
pub use pareto::{Pareto, ParetoMethod, ParetoPoint, ParetoTrial};
pub use ranks::{RankRow, Ranks};
pub use slices::Slices;
pub use trials::{Parameter, ParameterAxis, Shown, Tried};

/// What a figure is called, says and rests on.
#[derive(Clone, Debug, Default)]
pub struct Figure {
    /// Names the figure's files and its parts: letters, digits and hyphens.
    pub id: String,
    /// One line, set above the figure.
    pub title: String,
    /// What is to be seen, for readers who cannot see it.
    pub description: String,
    /// The experiments whose records the figure shows; written into its files.
    pub sources: Vec<Source>,
}

/// An experiment behind a figure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Paper and experiment.
    pub experiment: String,
    /// SHA-256 of all that determines the experiment's records.
    pub identity: String,
    /// SHA-256 of the records' rows.
    pub digest: String,
}

/// A kind of figure.
pub trait Draw: Send + Sync {
    /// Draws the figure.
    fn draw(&self, figure: &Figure) -> Result<Drawing, FigureError>;
}

/// Why a figure could not be drawn, with its id.
#[derive(Debug, thiserror::Error)]
pub enum FigureError {
    /// There is nothing to show.
    #[error("figure `{0}`: nothing to draw")]
    Empty(String),
    /// A row or series has a number that has no place on an axis.
    #[error("figure `{0}`: `{1}` has a number that is not finite")]
    NotFinite(String, String),
    /// A number that was given as a tile is not a power of two.
    #[error("figure `{0}`: {1} is not a tile, must be a power of two from 2")]
    NotATile(String, u32),
    /// The drawing could not be turned into an image.
    #[error("figure `{0}`: {1}")]
    Image(String, String),
}

impl Figure {
    /// Refuses a figure without rows, and rows with a number that is not finite.
    fn check<'a>(&self, rows: impl IntoIterator<Item = (&'a str, Vec<f64>)>) -> Result<(), FigureError> {
        let mut empty = true;
        for (row, numbers) in rows {
            empty = false;
            if !numbers.iter().all(|number| number.is_finite()) {
                return Err(FigureError::NotFinite(self.id.clone(), row.to_owned()));
            }
        }
        if empty { Err(FigureError::Empty(self.id.clone())) } else { Ok(()) }
    }

    /// Refuses numbers that are no tiles.
    fn check_tiles(&self, tiles: impl IntoIterator<Item = u32>) -> Result<(), FigureError> {
        match tiles.into_iter().find(|tile| *tile < 2 || !tile.is_power_of_two()) {
            Some(tile) => Err(FigureError::NotATile(self.id.clone(), tile)),
            None => Ok(()),
        }
    }
}
