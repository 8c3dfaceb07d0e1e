//! Figures: each kind has its input in a plain struct and draws itself with plotters onto one surface, which
//! becomes an SVG and a PNG. The same input gives the same bytes on every machine: the font is embedded, text
//! is set as outlines, and nothing depends on a clock, a system font or the order of a hash map.

mod axis;
mod claims;
mod comparison;
mod convergence;
mod drawing;
mod font;
mod importance;
mod kinds;
mod labels;
mod layout;
mod learning;
mod legend;
mod numbers;
mod palette;
mod parallel;
mod pareto;
mod path;
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
pub use comparison::{Pairs, RankRow, Ranks};
pub use convergence::{Convergence, ConvergencePanel, ConvergenceStep};
pub use drawing::Drawing;
pub use importance::{Importance, ImportanceRow};
pub use kinds::*;
pub use learning::{Learning, LearningCurve, LearningPoint, LearningStep};
pub use parallel::Parallel;
pub use pareto::{Pareto, ParetoMethod};
pub use slices::Slices;
pub use trials::{NamedPoint, ParameterAxis, StudyParameter, StudyTrials, TrialPoint};

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
    pub sources: Vec<FigureSource>,
}

/// An experiment behind a figure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FigureSource {
    /// Paper and experiment.
    pub experiment: String,
    /// SHA-256 of all that determines the experiment's records.
    pub identity: String,
    /// SHA-256 of the records' rows.
    pub digest: String,
}

/// A kind of figure.
pub trait Chart: Send + Sync {
    /// Draws the figure.
    fn draw(&self, figure: &Figure) -> Result<Drawing, FigureError>;
}

/// What a kind of figure does on its sheet.
trait Paint: Send + Sync {
    /// Width in pixels.
    const WIDTH: f64 = 720.0;

    /// Draws the chart from `top` on; returns where it ends, or none if there is nothing to show.
    fn paint(&self, sheet: &sheet::Sheet, top: f64) -> Option<f64>;
}

impl<P: Paint> Chart for P {
    fn draw(&self, figure: &Figure) -> Result<Drawing, FigureError> {
        sheet::render(figure, P::WIDTH, |sheet, top| self.paint(sheet, top))
    }
}

/// Why a figure could not be drawn, with its id.
#[derive(Debug, thiserror::Error)]
pub enum FigureError {
    /// There is nothing to show.
    #[error("figure `{0}`: nothing to draw")]
    Empty(String),
    /// A number has no place on its axis: it is not finite, or no tile.
    #[error("figure `{0}`: a number has no place on its axis: it is not finite, or not a tile")]
    NoPlace(String),
    /// The drawing could not be turned into an image.
    #[error("figure `{0}`: {1}")]
    Image(String, String),
}
