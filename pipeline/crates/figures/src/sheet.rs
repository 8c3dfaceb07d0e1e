//! The sheet a figure is drawn on: places text, lines and marks in pixels, and opens plots with axes of their
//! own.

use std::convert::Infallible;
use std::ops::Range;
use std::rc::Rc;

use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::{
    Cartesian2d, Color as _, DrawingArea, DrawingAreaErrorKind, IntoDrawingArea, Rectangle, Text,
};
use plotters_backend::BackendCoord;

use super::canvas::{Canvas, Placed};
use super::drawing::Drawing;
use super::layout::{Frame, wrap};
use super::legend::{self, Key};
use super::scene::{Scene, Specks, UNITS, units};
use super::style::{Color, Hatch, Pen, Shape, Type};
use super::{Figure, FigureError};

/// Empty space around a figure.
pub(super) const MARGIN: f64 = 12.0;

/// The radius of a dot.
const DOT: f64 = 1.1;

/// The whole of a figure, in pixels from its upper left corner.
pub(super) struct Sheet {
    root: DrawingArea<Canvas, Shift>,
    pub(super) width: f64,
}

/// Drawing into memory cannot fail, but the signatures of plotters say that it may.
fn sure(drawn: Result<(), DrawingAreaErrorKind<Infallible>>) {
    drawn.expect("drawing into memory does not fail");
}

/// Draws a figure: its title, then what `draw` puts below; that returns where it ends.
pub(super) fn render(
    figure: &Figure,
    width: f64,
    draw: impl FnOnce(&Sheet, f64) -> f64,
) -> Result<Drawing, FigureError> {
    let canvas = Canvas { scene: Rc::default(), width };
    let sheet = Sheet { root: canvas.clone().into_drawing_area(), width };
    let top = sheet.lines(&figure.title, Type::TITLE.below(), MARGIN) + 6.0;
    let bottom = draw(&sheet, top);
    Ok(Drawing::new(figure, canvas.scene.take(), (width, (bottom + MARGIN).ceil())))
}

impl Sheet {
    /// Sets text in as many lines as it needs; returns where they end.
    fn lines(&self, text: &str, kind: Type, top: f64) -> f64 {
        let mut y = top;
        for line in wrap(text, &kind, self.width - 2.0 * MARGIN) {
            self.text((MARGIN, y), &line, kind);
            y += kind.line();
        }
        y
    }

    /// Sets remarks below the title or a legend; returns where they end.
    pub(super) fn remarks(&self, text: &str, top: f64) -> f64 {
        self.lines(text, Type::SMALL.below(), top) + 4.0
    }

    /// Draws a legend across the sheet; returns where it ends.
    pub(super) fn legend(&self, keys: &[Key], top: f64) -> f64 {
        legend::line(self, keys, MARGIN, self.width - MARGIN, top)
    }

    /// Sets a line of text.
    pub(super) fn text(&self, (x, y): (f64, f64), text: &str, kind: Type) {
        sure(self.root.draw(&Text::new(text, (units(x), units(y)), kind.style())));
    }

    fn place(&self, points: &[(f64, f64)], paint: impl Fn(&[BackendCoord], &mut Scene)) {
        let points = points.iter().map(|(x, y)| (units(*x), units(*y))).collect();
        sure(self.root.draw(&Placed { points, paint }));
    }

    /// Draws a line.
    pub(super) fn line(&self, points: &[(f64, f64)], pen: Pen) {
        self.place(points, |points, scene| scene.path(points, false, None, Some(pen)));
    }

    /// Draws a mark.
    pub(super) fn mark(&self, at: (f64, f64), shape: Shape, radius: f64, color: Color, hollow: bool) {
        self.place(&[at], |points, scene| scene.mark(points[0], shape, radius, color, hollow));
    }

    /// Draws a filled box.
    pub(super) fn bar(&self, Frame { left, top, right, bottom }: Frame, color: Color, hatch: Hatch) {
        let corners = [(left, top), (right, bottom)];
        self.place(&corners, |points, scene| scene.bar([points[0], points[1]], color, hatch));
    }

    /// Draws a filled box that lets through what is below.
    pub(super) fn band(&self, Frame { left, top, right, bottom }: Frame, color: Color) {
        let corners = [(units(left), units(top)), (units(right), units(bottom))];
        sure(self.root.draw(&Rectangle::new(corners, color.filled())));
    }

    /// Draws dots.
    pub(super) fn dots(&self, points: &[(f64, f64)], color: Color) {
        self.place(points, |points, scene| scene.dots(points, DOT, color));
    }

    /// Draws many small marks, all alike.
    pub(super) fn specks(&self, points: &[(f64, f64)], specks: Specks) {
        self.place(points, |points, scene| scene.specks(points, specks));
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
    pub(super) fn plot(&self, frame: Frame, x: Range<f64>, y: Range<f64>) -> Plot {
        let (left, top) = (units(frame.left), units(frame.top));
        let (right, bottom) = (units(frame.right), units(frame.bottom));
        let area = self.root.clone().shrink((left, top), (right - left, bottom - top));
        Plot(area.apply_coord_spec(Cartesian2d::new(x, y, (left..right, bottom..top))))
    }
}

/// An area with two axes.
pub(super) struct Plot(DrawingArea<Canvas, Cartesian2d<RangedCoordf64, RangedCoordf64>>);

impl Plot {
    fn place(
        &self,
        points: impl IntoIterator<Item = (f64, f64)>,
        paint: impl Fn(&[BackendCoord], &mut Scene),
    ) {
        sure(self.0.draw(&Placed { points: points.into_iter().collect(), paint }));
    }

    /// Draws a line through points of the plot.
    pub(super) fn line(&self, points: impl IntoIterator<Item = (f64, f64)>, pen: Pen) {
        self.place(points, |points, scene| scene.path(points, false, None, Some(pen)));
    }

    /// Draws a filled shape.
    pub(super) fn patch(
        &self,
        points: impl IntoIterator<Item = (f64, f64)>,
        fill: Color,
        outline: Option<Pen>,
    ) {
        self.place(points, |points, scene| scene.path(points, true, Some(fill), outline));
    }

    /// Draws dots.
    pub(super) fn dots(&self, points: impl IntoIterator<Item = (f64, f64)>, color: Color) {
        self.place(points, |points, scene| scene.dots(points, DOT, color));
    }

    /// Draws a bar between two corners.
    pub(super) fn bar(&self, one: (f64, f64), other: (f64, f64), color: Color, hatch: Hatch) {
        self.place([one, other], |points, scene| scene.bar([points[0], points[1]], color, hatch));
    }
}

/// Where a point of a plot lies on its sheet.
pub(super) fn position(plot: &Plot, x: f64, y: f64) -> (f64, f64) {
    let (x, y) = plot.0.map_coordinate(&(x, y));
    (f64::from(x) / UNITS, f64::from(y) / UNITS)
}
