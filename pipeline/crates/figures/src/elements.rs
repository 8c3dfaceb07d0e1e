//! Elements that plotters does not have: dashed lines, marks of several shapes, hatched bars and many dots at once.

use std::collections::BTreeSet;

use plotters::element::{Drawable, PointCollection};
use plotters::prelude::{Color, RGBColor};
use plotters_backend::{BackendColor, BackendCoord};

use super::canvas::{Canvas, Drawn, units};
use super::style::{Hatch, PAPER, Pen, Shape};

/// Something that is drawn at points.
pub(super) trait Element: Sized {
    /// Draws it at these pixels.
    fn paint(&self, points: &[BackendCoord], canvas: &mut Canvas<'_>);

    /// Puts it at these points of a plot.
    fn at<C>(self, points: Vec<C>) -> Placed<C, Self> {
        Placed { points, element: self }
    }
}

/// An element at points that plotters has yet to turn into pixels.
pub(super) struct Placed<C, E> {
    points: Vec<C>,
    element: E,
}

impl<'a, C: 'a, E> PointCollection<'a, C> for &'a Placed<C, E> {
    type Point = &'a C;
    type IntoIter = &'a [C];

    fn point_iter(self) -> &'a [C] {
        &self.points
    }
}

impl<C, E: Element> Drawable<Canvas<'_>> for Placed<C, E> {
    fn draw<I: Iterator<Item = BackendCoord>>(
        &self,
        points: I,
        canvas: &mut Canvas<'_>,
        _: (u32, u32),
    ) -> Drawn {
        self.element.paint(&points.collect::<Vec<_>>(), canvas);
        Ok(())
    }
}

/// A line through points.
pub(super) struct Trace {
    pub(super) pen: Pen,
}

/// A filled shape.
pub(super) struct Patch {
    pub(super) fill: BackendColor,
    pub(super) outline: Option<Pen>,
}

/// Dots, all alike.
pub(super) struct Dots {
    pub(super) radius: f64,
    pub(super) color: BackendColor,
}

/// Small marks, all alike, as one path: those of thousands of trials.
#[derive(Clone, Copy)]
pub(super) struct Specks {
    pub(super) shape: Shape,
    pub(super) radius: f64,
    pub(super) color: BackendColor,
}

/// A mark at one point; hollow marks are filled with the paper's colour.
pub(super) struct Mark {
    pub(super) shape: Shape,
    pub(super) radius: f64,
    pub(super) color: RGBColor,
    pub(super) hollow: bool,
}

/// A bar between two corners.
pub(super) struct Bar {
    pub(super) color: RGBColor,
    pub(super) hatch: Hatch,
}

impl Element for Trace {
    fn paint(&self, points: &[BackendCoord], canvas: &mut Canvas<'_>) {
        canvas.path(points, false, None, Some(&self.pen));
    }
}

impl Element for Patch {
    fn paint(&self, points: &[BackendCoord], canvas: &mut Canvas<'_>) {
        canvas.path(points, true, Some(self.fill), self.outline.as_ref());
    }
}

impl Element for Dots {
    fn paint(&self, points: &[BackendCoord], canvas: &mut Canvas<'_>) {
        canvas.dots(points, self.radius, self.color);
    }
}

impl Element for Specks {
    fn paint(&self, points: &[BackendCoord], canvas: &mut Canvas<'_>) {
        // What lies on one place is drawn once: the picture is the same, and the file smaller.
        let distinct: BTreeSet<BackendCoord> = points.iter().copied().collect();
        let distinct: Vec<_> = distinct.into_iter().collect();
        match self.shape {
            Shape::Circle => canvas.dots(&distinct, self.radius, self.color),
            shape => {
                let closed = !matches!(shape, Shape::Plus | Shape::Cross);
                canvas.stamps(&distinct, &corners(shape, (0, 0), self.radius), closed, self.color);
            }
        }
    }
}

impl Element for Mark {
    fn paint(&self, points: &[BackendCoord], canvas: &mut Canvas<'_>) {
        let [at] = *points else { return };
        let color = self.color.to_backend_color();
        let paper = PAPER.to_backend_color();
        let (fill, pen) =
            if self.hollow { (paper, Pen::new(self.color, 1.5)) } else { (color, Pen::new(PAPER, 0.8)) };
        match self.shape {
            Shape::Circle => canvas.circle(at, units(self.radius), Some(fill), Some(&pen)),
            Shape::Plus | Shape::Cross => {
                let corners = corners(self.shape, at, self.radius);
                for (width, color) in [(4.0, paper), (2.0, color)] {
                    let pen = Pen { width, ..Pen::new(self.color, 1.0) };
                    let pen = Pen { color, ..pen };
                    canvas.path(&corners[..2], false, None, Some(&pen));
                    canvas.path(&corners[2..], false, None, Some(&pen));
                }
            }
            shape => canvas.path(&corners(shape, at, self.radius), true, Some(fill), Some(&pen)),
        }
    }
}

/// Corners of a mark, as parts of its radius; those of a plus and a cross are the ends of two lines.
fn corners(shape: Shape, (x, y): BackendCoord, radius: f64) -> Vec<BackendCoord> {
    let offsets: &[(f64, f64)] = match shape {
        Shape::Circle => &[],
        Shape::Square => &[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)],
        Shape::Triangle => &[(0.0, -1.2), (1.1, 0.8), (-1.1, 0.8)],
        Shape::Diamond => &[(0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)],
        Shape::Wedge => &[(0.0, 1.2), (1.1, -0.8), (-1.1, -0.8)],
        Shape::Plus => &[(-1.2, 0.0), (1.2, 0.0), (0.0, -1.2), (0.0, 1.2)],
        Shape::Cross => &[(-1.0, -1.0), (1.0, 1.0), (-1.0, 1.0), (1.0, -1.0)],
        Shape::Pentagon => &[(0.0, -1.15), (1.09, -0.36), (0.68, 0.93), (-0.68, 0.93), (-1.09, -0.36)],
        Shape::Left => &[(-1.2, 0.0), (0.8, -1.1), (0.8, 1.1)],
        Shape::Right => &[(1.2, 0.0), (-0.8, -1.1), (-0.8, 1.1)],
    };
    offsets.iter().map(|(dx, dy)| (x + units(dx * radius), y + units(dy * radius))).collect()
}

impl Element for Bar {
    fn paint(&self, points: &[BackendCoord], canvas: &mut Canvas<'_>) {
        let [(x1, y1), (x2, y2)] = *points else { return };
        let (left, top, right, bottom) = (x1.min(x2), y1.min(y2), x1.max(x2), y1.max(y2));
        let corners = [(left, top), (right, top), (right, bottom), (left, bottom)];
        let pen = Pen::new(PAPER, 1.3);
        canvas.path(&corners, true, Some(self.color.to_backend_color()), None);
        for line in hatching(self.hatch, (left, top, right, bottom)) {
            canvas.path(&line, false, None, Some(&pen));
        }
    }
}

/// The lines of a hatch inside a box, cut at its edges.
fn hatching(hatch: Hatch, (left, top, right, bottom): (i32, i32, i32, i32)) -> Vec<[BackendCoord; 2]> {
    let step = units(5.0);
    let (width, height) = (right - left, bottom - top);
    match hatch {
        Hatch::None => Vec::new(),
        Hatch::Upright => (1..)
            .map(|i| left + i * step)
            .take_while(|x| *x < right)
            .map(|x| [(x, top), (x, bottom)])
            .collect(),
        Hatch::Rising | Hatch::Falling => (1..)
            .map(|i| i * step)
            .take_while(|sum| *sum < width + height)
            .map(|sum| {
                // The points of the box whose distances from two of its edges add up to `sum`.
                let (a, b) = ((sum - height).max(0), sum.min(width));
                if hatch == Hatch::Rising {
                    [(left + a, top + sum - a), (left + b, top + sum - b)]
                } else {
                    [(right - a, top + sum - a), (right - b, top + sum - b)]
                }
            })
            .collect(),
    }
}
