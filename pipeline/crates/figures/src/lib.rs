//! Figures: each kind has its input in a plain struct and draws itself with plotters onto one surface, which becomes an SVG
//! and a PNG. The same input gives the same bytes on every machine: the font is embedded, text is set as outlines,
//! nothing depends on a clock, a system font or the order of a hash map.

mod axis;
mod canvas;
mod claims;
mod convergence;
mod drawing;
mod elements;
mod ends;
mod font;
mod importance;
mod kinds;
mod layout;
mod learning;
mod legend;
mod markup;
mod numbers;
mod overlay;
mod pairs;
mod palette;
mod parallel;
mod pareto;
mod path;
mod placer;
mod ranks;
mod rows;
mod sheet;
mod short;
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
pub use overlay::{Overlay, OverlaySide};
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
    ///
    /// # Errors
    /// When there is nothing to draw, or a number is not finite.
    fn draw(&self, figure: &Figure) -> Result<Drawing, FigureError>;
}

/// Why a figure could not be drawn.
#[derive(Debug)]
pub enum FigureError {
    /// There is nothing to show.
    Empty {
        /// The figure's id.
        figure: String,
    },
    /// A number that has no place on an axis.
    NotFinite {
        /// The figure's id.
        figure: String,
        /// The row or series it belongs to.
        row: String,
    },
    /// A tile that is not a power of two.
    NotATile {
        /// The figure's id.
        figure: String,
        /// The number given as a tile.
        tile: u32,
    },
    /// The drawing could not be turned into an image.
    Image {
        /// The figure's id.
        figure: String,
        /// What the renderer or the encoder said.
        reason: String,
    },
}

impl std::fmt::Display for FigureError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Empty { figure } => write!(formatter, "figure `{figure}`: nothing to draw"),
            Self::NotFinite { figure, row } => {
                write!(formatter, "figure `{figure}`: `{row}` has a number that is not finite")
            }
            Self::NotATile { figure, tile } => {
                write!(formatter, "figure `{figure}`: {tile} is not a tile, must be a power of two from 2")
            }
            Self::Image { figure, reason } => write!(formatter, "figure `{figure}`: {reason}"),
        }
    }
}

impl std::error::Error for FigureError {}

impl Figure {
    /// Refuses a figure without rows, and rows with a number that is not finite.
    fn check<'a>(&self, rows: impl IntoIterator<Item = (&'a str, Vec<f64>)>) -> Result<(), FigureError> {
        let mut empty = true;
        for (row, numbers) in rows {
            empty = false;
            if !numbers.iter().all(|number| number.is_finite()) {
                return Err(FigureError::NotFinite { figure: self.id.clone(), row: row.to_owned() });
            }
        }
        if empty { Err(FigureError::Empty { figure: self.id.clone() }) } else { Ok(()) }
    }

    /// Refuses numbers that are no tiles.
    fn check_tiles(&self, tiles: impl IntoIterator<Item = u32>) -> Result<(), FigureError> {
        match tiles.into_iter().find(|tile| *tile < 2 || !tile.is_power_of_two()) {
            Some(tile) => Err(FigureError::NotATile { figure: self.id.clone(), tile }),
            None => Ok(()),
        }
    }
}
