//! The sheet a figure is drawn on: places text, lines and marks in pixels, and opens plots with axes of their own.

use std::convert::Infallible;
use std::ops::Range;

use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::{
    Cartesian2d, Color, DrawingArea, DrawingAreaErrorKind, IntoDrawingArea, RGBAColor, RGBColor, Rectangle,
    Text,
};

use super::canvas::{Canvas, Scene, UNITS, units};
use super::drawing::Drawing;
use super::elements::{Bar, Dots, Element, Mark, Specks, Trace};
use super::layout::{Frame, wrap};
use super::style::{Hatch, Pen, Shape, Type};
use super::{Figure, FigureError};

/// An area with two axes.
pub(super) type Plot<'a> = DrawingArea<Canvas<'a>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

/// Empty space around a figure.
pub(super) const MARGIN: f64 = 12.0;

/// The whole of a figure, in pixels from its upper left corner.
pub(super) struct Sheet<'a> {
    root: DrawingArea<Canvas<'a>, Shift>,
    pub(super) width: f64,
}

/// Drawing on a canvas that only writes to memory cannot fail, but plotters' signatures say that it may.
pub(super) trait Sure {
    /// Takes the result for granted.
    fn sure(self);
}

impl Sure for Result<(), DrawingAreaErrorKind<Infallible>> {
    fn sure(self) {
        self.expect("drawing into memory does not fail");
    }
}

/// Draws a figure: its title, then what `draw` puts below; that returns where it ends.
pub(super) fn render(
    figure: &Figure,
    width: f64,
    draw: impl FnOnce(&Sheet<'_>, f64) -> f64,
) -> Result<Drawing, FigureError> {
    let mut scene = Scene { width, ..Scene::default() };
    let root = Canvas(&mut scene).into_drawing_area();
    let sheet = Sheet { root, width };
    let top = sheet.title(&figure.title);
    let bottom = draw(&sheet, top);
    drop(sheet);
    Ok(Drawing::new(figure, scene, bottom + MARGIN))
}

impl<'a> Sheet<'a> {
    fn title(&self, title: &str) -> f64 {
        let mut y = MARGIN;
        for line in wrap(title, &Type::TITLE, self.width - 2.0 * MARGIN) {
            self.text((MARGIN, y), &line, Type::TITLE.below());
            y += Type::TITLE.line();
        }
        y + 6.0
    }

    /// Sets remarks below the title or a legend, in as many lines as they need; returns where they end.
    pub(super) fn remarks(&self, text: &str, top: f64) -> f64 {
        let mut y = top;
        for line in wrap(text, &Type::SMALL, self.width - 2.0 * MARGIN) {
            self.text((MARGIN, y), &line, Type::SMALL.below());
            y += Type::SMALL.line();
        }
        y + 4.0
    }

    /// Sets a line of text.
    pub(super) fn text(&self, (x, y): (f64, f64), text: &str, kind: Type) {
        self.root.draw(&Text::new(text, (units(x), units(y)), kind.style())).sure();
    }

    /// Draws a line.
    pub(super) fn line(&self, points: &[(f64, f64)], pen: Pen) {
        let points = points.iter().map(|(x, y)| (units(*x), units(*y))).collect();
        self.root.draw(&Trace { pen }.at(points)).sure();
    }

    /// Draws a mark.
    pub(super) fn mark(&self, (x, y): (f64, f64), shape: Shape, radius: f64, color: RGBColor, hollow: bool) {
        self.root.draw(&Mark { shape, radius, color, hollow }.at(vec![(units(x), units(y))])).sure();
    }

    /// Draws a filled box.
    pub(super) fn bar(&self, frame: Frame, color: RGBColor, hatch: Hatch) {
        let corners = vec![(units(frame.left), units(frame.top)), (units(frame.right), units(frame.bottom))];
        self.root.draw(&Bar { color, hatch }.at(corners)).sure();
    }

    /// Draws a filled box that lets through what is below.
    pub(super) fn band(&self, frame: Frame, color: RGBAColor) {
        let (left, top) = (units(frame.left), units(frame.top));
        let (right, bottom) = (units(frame.right), units(frame.bottom));
        self.root.draw(&Rectangle::new([(left, top), (right, bottom)], color.filled())).sure();
    }

    /// Draws dots.
    pub(super) fn dots(&self, points: &[(f64, f64)], color: RGBAColor) {
        let points = points.iter().map(|(x, y)| (units(*x), units(*y))).collect();
        self.root.draw(&Dots { radius: 1.1, color: color.to_backend_color() }.at(points)).sure();
    }

    /// Draws many small marks, all alike.
    pub(super) fn specks(&self, points: &[(f64, f64)], specks: Specks) {
        let points = points.iter().map(|(x, y)| (units(*x), units(*y))).collect();
        self.root.draw(&specks.at(points)).sure();
    }

    /// An interval as a line with a cap at each end, along x or along y.
    pub(super) fn whisker(&self, from: (f64, f64), to: (f64, f64), pen: Pen) {
        self.line(&[from, to], pen);
        self.cap(from, to, pen);
        self.cap(to, from, pen);
    }

    /// The cap at the end of a line, along x or along y, that comes from there.
    pub(super) fn cap(&self, (x, y): (f64, f64), from: (f64, f64), pen: Pen) {
        const CAP: f64 = 3.0;
        let (dx, dy) = if from.1 == y { (0.0, CAP) } else { (CAP, 0.0) };
        self.line(&[(x - dx, y - dy), (x + dx, y + dy)], pen);
    }

    /// Opens a plot over a frame.
    pub(super) fn plot(&self, frame: Frame, x: Range<f64>, y: Range<f64>) -> Plot<'a> {
        let (left, top) = (units(frame.left), units(frame.top));
        let (right, bottom) = (units(frame.right), units(frame.bottom));
        let area = self.root.clone().shrink((left, top), (right - left, bottom - top));
        area.apply_coord_spec(Cartesian2d::new(x, y, (left..right, bottom..top)))
    }
}

/// Where a point of a plot lies on its sheet.
pub(super) fn position(plot: &Plot<'_>, x: f64, y: f64) -> (f64, f64) {
    let (x, y) = plot.map_coordinate(&(x, y));
    (f64::from(x) / UNITS, f64::from(y) / UNITS)
}
