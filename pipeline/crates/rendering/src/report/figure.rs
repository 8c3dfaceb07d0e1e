//! Figures, put into the page as drawings that it holds itself.

use serde::Serialize;

/// A figure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PageFigure {
    /// Its id, unique among the figures of its paper.
    pub id: String,
    /// What it shows.
    pub title: String,
    /// What a reader who cannot see it should know.
    pub alt: String,
    /// Its width in pixels, so that the page does not jump when it appears.
    pub width: u32,
    /// Its height in pixels.
    pub height: u32,
    /// The drawing, an SVG document that needs nothing but the definitions that the page holds.
    pub svg: String,
    /// Its files, as paths relative to the page.
    pub files: Vec<String>,
}
