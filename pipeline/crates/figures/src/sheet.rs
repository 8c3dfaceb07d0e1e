//! The sheet a figure is drawn on: it places text, lines and marks in pixels, and opens plots with axes of
//! their own. Plotters maps every point and hands it to a [`Canvas`], which keeps what is drawn in a
//! [`Scene`]. Its unit is a tenth of a pixel, since plotters rounds every coordinate to a whole number.

use std::cell::RefCell;
use std::convert::Infallible;
use std::ops::Range;
use std::rc::Rc;

use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::element::{Drawable, PointCollection};
use plotters::prelude::{Cartesian2d, DrawingArea, DrawingBackend, IntoDrawingArea};
use plotters_backend::{BackendColor, BackendCoord, DrawingErrorKind};

use super::drawing::Drawing;
use super::layout::{Frame, wrap};
use super::legend::{self, LegendKey};
use super::scene::{Scene, Specks, UNITS, units};
use super::style::{Color, Hatch, Mark, PAPER, Pen, Type};
use super::{Figure, FigureError};

/// Empty space around a figure.
pub(super) const MARGIN: f64 = 12.0;

/// Height of the surface before a figure says how much of it is used.
const TALLEST: f64 = 8000.0;

type DrawResult = Result<(), DrawingErrorKind<Infallible>>;

/// The surface of one figure, of this width.
#[derive(Clone)]
struct Canvas {
    scene: Rc<RefCell<Scene>>,
    width: f64,
}

impl DrawingBackend for Canvas {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        (units(self.width) as u32, units(TALLEST) as u32)
    }

    fn ensure_prepared(&mut self) -> DrawResult {
        Ok(())
    }

    fn present(&mut self) -> DrawResult {
        Ok(())
    }

    /// Every element of a figure is a [`Placed`], which draws no pixels.
    fn draw_pixel(&mut self, _: BackendCoord, _: BackendColor) -> DrawResult {
        Ok(())
    }
}

/// Something that is painted at points, which plotters places.
struct Placed<C, F> {
    points: Vec<C>,
    paint: F,
}

impl<'a, C: 'a, F> PointCollection<'a, C> for &'a Placed<C, F> {
    type Point = &'a C;
    type IntoIter = &'a [C];

    fn point_iter(self) -> &'a [C] {
        &self.points
    }
}

impl<C, F: Fn(&[BackendCoord], &mut Scene)> Drawable<Canvas> for Placed<C, F> {
    fn draw<I: Iterator<Item = BackendCoord>>(
        &self,
        points: I,
        canvas: &mut Canvas,
        _: (u32, u32),
    ) -> DrawResult {
        (self.paint)(&points.collect::<Vec<_>>(), &mut canvas.scene.borrow_mut());
        Ok(())
    }
}

/// The whole of a figure, in pixels from its upper left corner.
pub(super) struct Sheet {
    canvas: Canvas,
    root: DrawingArea<Canvas, Shift>,
    pub(super) width: f64,
}

/// Draws a figure: its title, then what `draw` puts below; that returns where it ends, if it puts anything.
pub(super) fn render(
    figure: &Figure,
    width: f64,
    draw: impl FnOnce(&Sheet, f64) -> Option<f64>,
) -> Result<Drawing, FigureError> {
    let canvas = Canvas { scene: Rc::default(), width };
    let sheet = Sheet { root: canvas.clone().into_drawing_area(), canvas, width };
    let top = sheet.lines(&figure.title, Type::TITLE.below(), MARGIN) + 6.0;
    let bottom = draw(&sheet, top).ok_or_else(|| FigureError::Empty(figure.id.clone()))?;
    let scene = sheet.canvas.scene.take();
    if scene.is_refused {
        return Err(FigureError::NoPlace(figure.id.clone()));
    }
    Ok(Drawing::new(figure, scene, (width, (bottom + MARGIN).ceil())))
}

impl Sheet {
    /// The right edge of what is drawn.
    pub(super) fn end(&self) -> f64 {
        self.width - MARGIN
    }

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
    pub(super) fn legend(&self, keys: &[LegendKey], top: f64) -> f64 {
        legend::line(self, keys, MARGIN, top)
    }

    /// Sets a line of text; an empty one leaves nothing.
    pub(super) fn text(&self, at: (f64, f64), text: &str, kind: Type) {
        if !text.is_empty() {
            self.place(&[at], |points, scene| scene.text(points[0], text, kind));
        }
    }

    /// Sets lines of text around the height of a point.
    pub(super) fn block(&self, (x, y): (f64, f64), lines: &[impl AsRef<str>], kind: Type) {
        for (index, line) in lines.iter().enumerate() {
            let shift = (index as f64 - (lines.len() - 1) as f64 / 2.0) * kind.line();
            self.text((x, y + shift), line.as_ref(), kind);
        }
    }

    /// Notes points that have no place.
    fn check(&self, points: &[(f64, f64)]) {
        if !points.iter().all(|(x, y)| x.is_finite() && y.is_finite()) {
            self.canvas.scene.borrow_mut().is_refused = true;
        }
    }

    fn place(&self, points: &[(f64, f64)], paint: impl Fn(&[BackendCoord], &mut Scene)) {
        self.check(points);
        let points = points.iter().map(|(x, y)| (units(*x), units(*y))).collect();
        self.root.draw(&Placed { points, paint }).expect("drawing into memory does not fail");
    }

    /// Draws a line.
    pub(super) fn line(&self, points: &[(f64, f64)], pen: Pen) {
        self.place(points, |points, scene| scene.path(points, false, None, Some(pen)));
    }

    /// Draws a mark.
    pub(super) fn mark(&self, at: (f64, f64), mark: Mark, radius: f64) {
        self.place(&[at], |points, scene| scene.mark(points[0], mark, radius));
    }

    /// Draws a filled box.
    pub(super) fn bar(&self, Frame { left, top, right, bottom }: Frame, color: Color, hatch: Hatch) {
        let corners = [(left, top), (right, bottom)];
        self.place(&corners, |points, scene| scene.bar([points[0], points[1]], color, hatch));
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
    pub(super) fn plot(&self, frame: Frame, x: Range<f64>, y: Range<f64>) -> Plot<'_> {
        let (left, top) = (units(frame.left), units(frame.top));
        let (right, bottom) = (units(frame.right), units(frame.bottom));
        let area = self.root.clone().shrink((left, top), (right - left, bottom - top));
        let area = area.apply_coord_spec(Cartesian2d::new(x, y, (left..right, bottom..top)));
        Plot { sheet: self, area, frame }
    }
}

/// A frame of a sheet with two axes.
pub(super) struct Plot<'s> {
    pub(super) sheet: &'s Sheet,
    area: DrawingArea<Canvas, Cartesian2d<RangedCoordf64, RangedCoordf64>>,
    pub(super) frame: Frame,
}

impl Plot<'_> {
    /// Where a point of the plot lies on its sheet.
    pub(super) fn at(&self, x: f64, y: f64) -> (f64, f64) {
        self.sheet.check(&[(x, y)]);
        let (x, y) = self.area.map_coordinate(&(x, y));
        (f64::from(x) / UNITS, f64::from(y) / UNITS)
    }

    fn place(
        &self,
        points: impl IntoIterator<Item = (f64, f64)>,
        paint: impl Fn(&[BackendCoord], &mut Scene),
    ) {
        let points: Vec<(f64, f64)> = points.into_iter().collect();
        self.sheet.check(&points);
        self.area.draw(&Placed { points, paint }).expect("drawing into memory does not fail");
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

    /// Draws many small marks, all alike.
    pub(super) fn specks(&self, points: impl IntoIterator<Item = (f64, f64)>, specks: Specks) {
        self.place(points, |points, scene| scene.specks(points, specks));
    }

    /// Draws a bar between two corners.
    pub(super) fn bar(&self, one: (f64, f64), other: (f64, f64), color: Color, hatch: Hatch) {
        self.place([one, other], |points, scene| scene.bar([points[0], points[1]], color, hatch));
    }

    /// Draws a mark.
    pub(super) fn mark(&self, (x, y): (f64, f64), mark: Mark, radius: f64) {
        self.sheet.mark(self.at(x, y), mark, radius);
    }

    /// An interval along y, with a cap at each end.
    pub(super) fn whisker(&self, x: f64, (low, high): (f64, f64), pen: Pen) {
        self.sheet.whisker(self.at(x, low), self.at(x, high), pen);
    }

    /// An interval along x that shows before a bar or a violin.
    pub(super) fn interval(&self, (low, high): (f64, f64), y: f64, pen: Pen) {
        let (low, high) = (self.at(low, y), self.at(high, y));
        self.sheet.line(&[low, high], Pen::new(PAPER, 4.0));
        self.sheet.whisker(low, high, pen);
    }

    /// A published number of a row, below its middle, so that it does not hide the interval.
    pub(super) fn published(&self, published: Option<f64>, y: f64, below: f64) {
        if let Some(published) = published {
            let (x, y) = self.at(published, y);
            self.sheet.mark((x, y + below), super::style::PUBLISHED, 4.5);
        }
    }
}
