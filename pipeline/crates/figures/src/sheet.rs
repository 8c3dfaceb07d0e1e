//! The sheet a figure is drawn on: places text, lines and marks in pixels, and opens plots with axes of their
//! own.

use std::cell::RefCell;
use std::ops::Range;

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
    scene: RefCell<Scene>,
    pub(super) width: f64,
}

/// Draws a figure: its title, then what `draw` puts below; that returns where it ends.
pub(super) fn render(
    figure: &Figure,
    width: f64,
    draw: impl FnOnce(&Sheet, f64) -> f64,
) -> Result<Drawing, FigureError> {
    let sheet = Sheet { scene: RefCell::default(), width };
    let top = sheet.lines(&figure.title, Type::TITLE.below(), MARGIN) + 6.0;
    let bottom = draw(&sheet, top);
    Ok(Drawing::new(figure, sheet.scene.into_inner(), (width, (bottom + MARGIN).ceil())))
}

fn all_units(points: &[(f64, f64)]) -> Vec<(i32, i32)> {
    points.iter().map(|(x, y)| (units(*x), units(*y))).collect()
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
        self.scene.borrow_mut().text((units(x), units(y)), text, kind);
    }

    /// Draws a line.
    pub(super) fn line(&self, points: &[(f64, f64)], pen: Pen) {
        self.scene.borrow_mut().path(&all_units(points), false, None, Some(pen));
    }

    /// Draws a filled shape.
    fn patch(&self, points: &[(f64, f64)], fill: Color, outline: Option<Pen>) {
        self.scene.borrow_mut().path(&all_units(points), true, Some(fill), outline);
    }

    /// Draws a mark.
    pub(super) fn mark(&self, (x, y): (f64, f64), shape: Shape, radius: f64, color: Color, hollow: bool) {
        self.scene.borrow_mut().mark((units(x), units(y)), shape, radius, color, hollow);
    }

    /// Draws a filled box.
    pub(super) fn bar(&self, frame: Frame, color: Color, hatch: Hatch) {
        let Frame { left, top, right, bottom } = frame;
        let corners = [(units(left), units(top)), (units(right), units(bottom))];
        self.scene.borrow_mut().bar(corners, color, hatch);
    }

    /// Draws a filled box that lets through what is below.
    pub(super) fn band(&self, Frame { left, top, right, bottom }: Frame, color: Color) {
        self.patch(&[(left, top), (right, top), (right, bottom), (left, bottom)], color, None);
    }

    /// Draws dots.
    pub(super) fn dots(&self, points: &[(f64, f64)], color: Color) {
        self.scene.borrow_mut().dots(&all_units(points), DOT, color);
    }

    /// Draws many small marks, all alike.
    pub(super) fn specks(&self, points: &[(f64, f64)], specks: Specks) {
        self.scene.borrow_mut().specks(&all_units(points), specks);
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
    pub(super) fn plot(&self, frame: Frame, x: Range<f64>, y: Range<f64>) -> Plot<'_> {
        Plot { sheet: self, frame, x, y }
    }
}

/// An area with two axes.
pub(super) struct Plot<'a> {
    sheet: &'a Sheet,
    frame: Frame,
    x: Range<f64>,
    y: Range<f64>,
}

impl Plot<'_> {
    fn positions(&self, points: impl IntoIterator<Item = (f64, f64)>) -> Vec<(f64, f64)> {
        points.into_iter().map(|(x, y)| position(self, x, y)).collect()
    }

    /// Draws a line through points of the plot.
    pub(super) fn line(&self, points: impl IntoIterator<Item = (f64, f64)>, pen: Pen) {
        self.sheet.line(&self.positions(points), pen);
    }

    /// Draws a filled shape.
    pub(super) fn patch(
        &self,
        points: impl IntoIterator<Item = (f64, f64)>,
        fill: Color,
        outline: Option<Pen>,
    ) {
        self.sheet.patch(&self.positions(points), fill, outline);
    }

    /// Draws dots.
    pub(super) fn dots(&self, points: impl IntoIterator<Item = (f64, f64)>, color: Color) {
        self.sheet.dots(&self.positions(points), color);
    }

    /// Draws a bar between two corners.
    pub(super) fn bar(&self, one: (f64, f64), other: (f64, f64), color: Color, hatch: Hatch) {
        let ((left, top), (right, bottom)) = (position(self, one.0, one.1), position(self, other.0, other.1));
        self.sheet.bar(Frame::new(left, top, right, bottom), color, hatch);
    }
}

/// Where a point of a plot lies on its sheet.
pub(super) fn position(plot: &Plot<'_>, x: f64, y: f64) -> (f64, f64) {
    let Frame { left, top, right, bottom } = plot.frame;
    (along(x, &plot.x, left, right), along(y, &plot.y, bottom, top))
}

/// Where a value of an axis lies between two pixels, in whole drawing units.
fn along(value: f64, axis: &Range<f64>, from: f64, to: f64) -> f64 {
    let (from, to) = (units(from), units(to));
    let part = match (value - axis.start) / (axis.end - axis.start) {
        part if part.is_finite() => part,
        // An axis without extent has all in its middle.
        _ if axis.start == axis.end => 0.5,
        endless => f64::from(endless > 0.0),
    };
    let length = f64::from(to - from);
    let steps = if length > 0.0 { (length * part + 1e-3).floor() } else { (length * part - 1e-3).ceil() };
    (f64::from(from) + steps) / UNITS
}
