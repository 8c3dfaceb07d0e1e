//! What a figure has drawn so far, as SVG: shapes in their order, and above them all text, as outlines. The
//! unit is a tenth of a pixel. Figures are stored in git, so neighbouring lines of one style become one path.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use plotters_backend::BackendCoord;
use plotters_backend::text_anchor::{HPos, VPos};

use super::font::{ASCENT, CAPITAL, DESCENT, GRID, Weight};
use super::layout::Frame;
use super::path::PathData;
use super::style::{Color, Dash, Hatch, Mark, PAPER, Pen, Shape, Type};

/// Drawing units per pixel.
pub(super) const UNITS: f64 = 10.0;

/// A line of text that was set, with its box in pixels.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct TextBox {
    pub(super) text: String,
    pub(super) frame: Frame,
}

/// Small marks, all alike, as one path: those of thousands of games or trials.
#[derive(Clone, Copy)]
pub(super) struct Specks {
    pub(super) shape: Shape,
    pub(super) radius: f64,
    pub(super) color: Color,
}

impl Specks {
    /// The smallest dots.
    pub(super) const fn dots(color: Color) -> Self {
        Self { shape: Shape::Circle, radius: 1.1, color }
    }
}

/// What has been drawn so far.
#[derive(Default)]
pub(super) struct Scene {
    shapes: Vec<SvgShape>,
    /// The glyphs by style, in the order in which the styles come first.
    texts: Vec<(String, String)>,
    glyphs: BTreeSet<(Weight, u16)>,
    pub(super) boxes: Vec<TextBox>,
    /// Whether something was to be drawn at a number that has no place on its axis.
    pub(super) is_refused: bool,
}

enum SvgShape {
    /// A whole element.
    Element(String),
    /// Lines with the attributes of their pen.
    Lines { data: PathData, attributes: String, joins: bool },
}

/// Pixels as drawing units.
pub(super) fn units(pixels: f64) -> i32 {
    (pixels * UNITS).round() as i32
}

/// The attribute of a shape's inside. A drawing begins with none, so that lines need not say so.
fn fill_attribute(color: Option<Color>) -> String {
    let Some(color) = color else { return String::new() };
    let mut text = format!(" fill=\"{}\"", color.hex());
    if color.alpha < 1.0 {
        let _ = write!(text, " fill-opacity=\"{}\"", color.alpha);
    }
    text
}

fn pen_attributes(pen: Option<Pen>) -> String {
    let Some(pen) = pen else { return String::new() };
    let mut text = format!(" stroke=\"{}\" stroke-width=\"{}\"", pen.color.hex(), units(pen.width));
    if pen.color.alpha < 1.0 {
        let _ = write!(text, " stroke-opacity=\"{}\"", pen.color.alpha);
    }
    if pen.dash != Dash::Solid {
        let _ = write!(text, " stroke-dasharray=\"{}\"", pen.dash.pattern());
    }
    text
}

impl Scene {
    /// A line or a closed shape through points. Lines that follow each other are joined if they look alike
    /// and nothing shows through them, since only then crossings look the same.
    pub(super) fn path(
        &mut self,
        points: &[BackendCoord],
        closed: bool,
        fill: Option<Color>,
        pen: Option<Pen>,
    ) {
        if points.is_empty() {
            return;
        }
        let attributes = fill_attribute(fill) + &pen_attributes(pen);
        // Shapes of opposite directions would cut holes into each other.
        let joins = fill.is_none() && pen.is_some_and(|pen| pen.color.alpha >= 1.0);
        if let Some(SvgShape::Lines { data, attributes: last, joins: true }) = self.shapes.last_mut()
            && joins
            && *last == attributes
        {
            data.trace(points, closed);
            return;
        }
        let mut data = PathData::default();
        data.trace(points, closed);
        self.shapes.push(SvgShape::Lines { data, attributes, joins });
    }

    /// Many small marks as one path. Those at one place are drawn once: the figure looks the same. A dot is
    /// the round cap of a line too short to see.
    pub(super) fn specks(&mut self, points: &[BackendCoord], Specks { shape, radius, color }: Specks) {
        let distinct: BTreeSet<BackendCoord> = points.iter().copied().collect();
        if distinct.is_empty() {
            return;
        }
        let is_dot = shape == Shape::Circle;
        let mut data = PathData::default();
        for at in distinct {
            let corners = if is_dot { vec![at, (at.0 + 1, at.1)] } else { corners(shape, at, radius) };
            let is_closed = !is_dot && !shape.is_open();
            let line = if is_closed { corners.len() } else { 2 };
            corners.chunks(line).for_each(|line| data.trace(line, is_closed));
        }
        let cap = if is_dot { " stroke-linecap=\"round\"" } else { "" };
        let pen = pen_attributes(Some(Pen::new(color, if is_dot { 2.0 * radius } else { 0.8 })));
        self.shapes.push(SvgShape::Element(format!("<path d=\"{}\"{cap}{pen}/>", data.as_str())));
    }

    /// A mark.
    pub(super) fn mark(&mut self, at: BackendCoord, Mark { shape, color, hollow }: Mark, radius: f64) {
        let (fill, pen) = if hollow { (PAPER, Pen::new(color, 1.5)) } else { (color, Pen::new(PAPER, 0.8)) };
        let corners = corners(shape, at, radius);
        if shape == Shape::Circle {
            let attributes = fill_attribute(Some(fill)) + &pen_attributes(Some(pen));
            let ((x, y), radius) = (at, units(radius));
            let circle = format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"{attributes}/>");
            self.shapes.push(SvgShape::Element(circle));
        } else if shape.is_open() {
            for pen in [Pen::new(PAPER, 4.0), Pen::new(color, 2.0)] {
                corners.chunks(2).for_each(|line| self.path(line, false, None, Some(pen)));
            }
        } else {
            self.path(&corners, true, Some(fill), Some(pen));
        }
    }

    /// A bar between two corners.
    pub(super) fn bar(&mut self, [(x1, y1), (x2, y2)]: [BackendCoord; 2], color: Color, hatch: Hatch) {
        let (left, top, right, bottom) = (x1.min(x2), y1.min(y2), x1.max(x2), y1.max(y2));
        let corners = [(left, top), (right, top), (right, bottom), (left, bottom)];
        self.path(&corners, true, Some(color), None);
        for line in hatching(hatch, (left, top, right, bottom)) {
            self.path(&line, false, None, Some(Pen::new(PAPER, 1.3)));
        }
    }

    /// Sets a line of text.
    pub(super) fn text(&mut self, (x, y): BackendCoord, text: &str, kind: Type) {
        let (size, weight) = (kind.size * UNITS, kind.weight);
        let width = weight.width(text, size);
        let along = match kind.horizontal {
            HPos::Left => 0.0,
            HPos::Center => -width / 2.0,
            HPos::Right => -width,
        };
        let across = match kind.vertical {
            VPos::Top => ASCENT * size,
            VPos::Center => CAPITAL * size / 2.0,
            VPos::Bottom => -DESCENT * size,
        };
        let (x, y) = (f64::from(x), f64::from(y));
        let (x, y) = if kind.turned { (x + across, y - along) } else { (x + along, y + across) };
        self.set(text, (x, y), size, &kind);
        let (above, below) = (ASCENT * size, DESCENT * size);
        let [left, top, right, bottom] = match kind.turned {
            true => [x - above, y - width, x + below, y],
            false => [x, y - above, x + width, y + below],
        }
        .map(|end| end / UNITS);
        let frame = Frame::new(left, top, right, bottom);
        self.boxes.push(TextBox { text: text.to_owned(), frame });
    }

    /// Sets the glyphs of a line of text from a point of its baseline.
    fn set(&mut self, text: &str, (x, y): (f64, f64), size: f64, kind: &Type) {
        let (weight, scale) = (kind.weight, (size / GRID * 1e4).round() / 1e4);
        // Within the group of its style everything is turned and scaled, and places are meant so.
        let (x, y) = if kind.turned { (-y / scale, x / scale) } else { (x / scale, y / scale) };
        let turn = if kind.turned { "rotate(-90) " } else { "" };
        let style = format!(" fill=\"{}\" transform=\"{turn}scale({scale})\"", kind.color.hex());
        let mut glyphs = String::new();
        let mut start = 0;
        for part in text.split_inclusive(' ') {
            let before = weight.on_grid(weight.shape(&text[..start]).width);
            start += part.len();
            let (x, y) = ((x + f64::from(before)).round() as i32, y.round() as i32);
            for (glyph, offset) in weight.shape(part.trim_end_matches(' ')).glyphs {
                if weight.visible(glyph) {
                    self.glyphs.insert((weight, glyph));
                    let (id, x) = (glyph_id(weight, glyph), x + weight.on_grid(offset));
                    let _ = write!(glyphs, "<use href=\"#{id}\" x=\"{x}\" y=\"{y}\"/>");
                }
            }
        }
        match self.texts.iter_mut().find(|(known, _)| *known == style) {
            Some((_, set)) => set.push_str(&glyphs),
            None => self.texts.push((style, glyphs)),
        }
    }

    /// The outlines of all glyphs.
    pub(super) fn definitions(&self) -> String {
        let outline = |(weight, glyph): &(Weight, u16)| {
            format!("<path id=\"{}\" d=\"{}\"/>\n", glyph_id(*weight, *glyph), weight.outline(*glyph))
        };
        self.glyphs.iter().map(outline).collect()
    }

    /// The elements.
    pub(super) fn elements(&self) -> String {
        let mut text = String::new();
        for piece in &self.shapes {
            let _ = match piece {
                SvgShape::Element(element) => writeln!(text, "{element}"),
                SvgShape::Lines { data, attributes, .. } => {
                    writeln!(text, "<path d=\"{}\"{attributes}/>", data.as_str())
                }
            };
        }
        for (style, glyphs) in &self.texts {
            let _ = writeln!(text, "<g{style}>{glyphs}</g>");
        }
        text
    }
}

fn glyph_id(weight: Weight, glyph: u16) -> String {
    format!("{}{glyph}", if weight == Weight::Regular { 'r' } else { 's' })
}

/// Corners of a mark, as parts of its radius; those of an open shape are the ends of two lines.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::style::{BLACK, BLUE};

    #[test]
    fn equal_lines_in_a_row_become_one_path() {
        let mut scene = Scene::default();
        for (y, color) in [(0, BLACK), (5, BLACK), (6, PAPER)] {
            scene.path(&[(0, y), (9, y)], false, None, Some(Pen::new(color, 0.1)));
        }
        let stroke = "stroke-width=\"1\"/>";
        assert_eq!(
            scene.elements(),
            format!(
                "<path d=\"M0 0h9m-9 5h9\" stroke=\"#000\" {stroke}\n<path d=\"M0 6h9\" stroke=\"#fff\" {stroke}\n"
            )
        );
    }

    #[test]
    fn lines_that_show_what_is_below_or_have_something_between_them_stay_apart() {
        let mut scene = Scene::default();
        for color in [BLUE.mix(0.5), BLUE.mix(0.5), BLUE] {
            scene.path(&[(0, 0), (9, 0)], false, None, Some(Pen::new(color, 1.0)));
        }
        scene.mark((0, 0), Mark::new(Shape::Circle, BLUE), 1.0);
        scene.path(&[(0, 0), (9, 0)], false, None, Some(Pen::new(BLUE, 1.0)));
        assert_eq!(scene.elements().lines().count(), 5);
    }

    #[test]
    fn texts_stand_above_all_shapes() {
        let mut scene = Scene::default();
        scene.text((0, 0), "a", Type::LABEL);
        scene.mark((0, 0), Mark::new(Shape::Circle, BLUE), 1.0);
        assert!(scene.elements().starts_with("<circle"));
    }
}
