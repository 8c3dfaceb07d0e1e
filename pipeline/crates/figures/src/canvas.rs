//! The backend that plotters draws on: it writes SVG with text as outlines and keeps a list of the text that was set.
//! Its unit is a tenth of a pixel, since plotters rounds every coordinate to a whole number.

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::fmt::Write as _;

use plotters::prelude::{DrawingBackend, FontStyle, FontTransform};
use plotters_backend::text_anchor::{HPos, VPos};
use plotters_backend::{BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingErrorKind};

use super::font::{ASCENT, CAPITAL, DESCENT, GRID, Weight};
use super::markup::{Markup, Word, id_of};
use super::path::PathData;
use super::style::{Dash, Pen};

/// Drawing units per pixel.
pub(super) const UNITS: f64 = 10.0;

/// Height of the surface before a figure says how much of it is used.
const TALLEST: f64 = 8000.0;

pub(super) type Drawn = Result<(), DrawingErrorKind<Infallible>>;

/// A line of text that was set, with its box in pixels.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct TextBox {
    pub(super) text: String,
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) right: f64,
    pub(super) bottom: f64,
}

/// What has been drawn so far.
#[derive(Default)]
pub(super) struct Scene {
    pub(super) width: f64,
    pub(super) body: Markup,
    pub(super) glyphs: BTreeSet<(Weight, u16)>,
    pub(super) texts: Vec<TextBox>,
}

/// The surface of one figure.
pub(super) struct Canvas<'a>(pub(super) &'a mut Scene);

/// Pixels as drawing units.
pub(super) fn units(pixels: f64) -> i32 {
    (pixels * UNITS).round() as i32
}

fn hex(color: BackendColor) -> String {
    let (red, green, blue) = color.rgb;
    let is_short = [red, green, blue].into_iter().all(|part| part >> 4 == part & 0xf);
    if is_short {
        format!("#{:x}{:x}{:x}", red & 0xf, green & 0xf, blue & 0xf)
    } else {
        format!("#{red:02x}{green:02x}{blue:02x}")
    }
}

fn weight(style: FontStyle) -> Weight {
    match style {
        FontStyle::Bold => Weight::Semibold,
        _ => Weight::Regular,
    }
}

/// The attribute of a shape's inside. A drawing begins with none, so that lines need not say so.
fn fill_attribute(color: Option<BackendColor>) -> String {
    let Some(color) = color else { return String::new() };
    let mut text = format!(" fill=\"{}\"", hex(color));
    if color.alpha < 1.0 {
        let _ = write!(text, " fill-opacity=\"{}\"", color.alpha);
    }
    text
}

fn pen_attributes(pen: Option<&Pen>) -> String {
    let Some(pen) = pen else { return String::new() };
    let mut text = format!(" stroke=\"{}\" stroke-width=\"{}\"", hex(pen.color), units(pen.width));
    if pen.color.alpha < 1.0 {
        let _ = write!(text, " stroke-opacity=\"{}\"", pen.color.alpha);
    }
    if pen.dash != Dash::Solid {
        let _ = write!(text, " stroke-dasharray=\"{}\"", pen.dash.pattern());
    }
    text
}

impl Canvas<'_> {
    /// A line or a closed shape through the points.
    pub(super) fn path(
        &mut self,
        points: &[BackendCoord],
        closed: bool,
        fill: Option<BackendColor>,
        pen: Option<&Pen>,
    ) {
        if points.is_empty() {
            return;
        }
        let attributes = fill_attribute(fill) + &pen_attributes(pen);
        // Shapes of opposite directions would cut holes into each other.
        let joins = fill.is_none() && pen.is_some_and(|pen| pen.color.alpha >= 1.0);
        self.0.body.line(points, closed, attributes, joins);
    }

    /// A circle.
    pub(super) fn circle(
        &mut self,
        (x, y): BackendCoord,
        radius: i32,
        fill: Option<BackendColor>,
        pen: Option<&Pen>,
    ) {
        let attributes = fill_attribute(fill) + &pen_attributes(pen);
        self.0.body.element(format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"{attributes}/>"));
    }

    /// Many equal dots as one path: each is a round cap of a line too short to see.
    pub(super) fn dots(&mut self, points: &[BackendCoord], radius: f64, color: BackendColor) {
        if points.is_empty() {
            return;
        }
        let mut data = PathData::default();
        for (x, y) in points {
            data.trace(&[(*x, *y), (x + 1, *y)], false);
        }
        let pen = pen_attributes(Some(&Pen { color, width: 2.0 * radius, dash: Dash::Solid }));
        self.0.body.element(format!("<path d=\"{}\" stroke-linecap=\"round\"{pen}/>", data.as_str()));
    }

    /// Many equal outlines as one path: closed shapes, or pairs of lines.
    pub(super) fn stamps(
        &mut self,
        points: &[BackendCoord],
        corners: &[BackendCoord],
        closed: bool,
        color: BackendColor,
    ) {
        if points.is_empty() {
            return;
        }
        let lines: Vec<&[BackendCoord]> = if closed { vec![corners] } else { corners.chunks(2).collect() };
        let mut data = PathData::default();
        for (x, y) in points {
            for line in &lines {
                let moved: Vec<_> = line.iter().map(|(dx, dy)| (x + dx, y + dy)).collect();
                data.trace(&moved, closed);
            }
        }
        let pen = pen_attributes(Some(&Pen { color, width: 0.8, dash: Dash::Solid }));
        self.0.body.element(format!("<path d=\"{}\"{pen}/>", data.as_str()));
    }

    fn set_text(
        &mut self,
        text: &str,
        (x, y): (f64, f64),
        (size, weight): (f64, Weight),
        color: String,
        turned: bool,
    ) {
        let scale = (size / GRID * 1e4).round() / 1e4;
        // Within the group of its style everything is turned and scaled, and places are meant so.
        let (x, y) = if turned { (-y / scale, x / scale) } else { (x / scale, y / scale) };
        let turn = if turned { "rotate(-90) " } else { "" };
        let style = format!(" fill=\"{color}\" transform=\"{turn}scale({scale})\"");
        let mut start = 0;
        for part in text.split_inclusive(' ') {
            let word = part.trim_end_matches(' ');
            let before = weight.on_grid(weight.shape(&text[..start]).width);
            start += part.len();
            let glyphs = self.set_word(word, weight);
            if glyphs.is_empty() {
                continue;
            }
            let name = format!("{}-{}", weight_letter(weight), id_of(word));
            let place = ((x + f64::from(before)).round() as i32, y.round() as i32);
            self.0.body.word(&style, Word { name, glyphs, place });
        }
    }

    /// The glyphs of a word, each in its place.
    fn set_word(&mut self, word: &str, weight: Weight) -> String {
        let mut glyphs = String::new();
        for (glyph, offset) in weight.shape(word).glyphs {
            if !weight.visible(glyph) {
                continue;
            }
            self.0.glyphs.insert((weight, glyph));
            let offset = weight.on_grid(offset);
            let place = if offset == 0 { String::new() } else { format!(" x=\"{offset}\"") };
            let _ = write!(glyphs, "<use href=\"#{}\"{place}/>", glyph_id(weight, glyph));
        }
        glyphs
    }

    fn record(&mut self, text: &str, (x, y): (f64, f64), width: f64, size: f64, turned: bool) {
        let (above, below) = (ASCENT * size, DESCENT * size);
        let (left, top, right, bottom) =
            if turned { (x - above, y - width, x + below, y) } else { (x, y - above, x + width, y + below) };
        self.0.texts.push(TextBox {
            text: text.to_owned(),
            left: left / UNITS,
            top: top / UNITS,
            right: right / UNITS,
            bottom: bottom / UNITS,
        });
    }
}

/// The id of a glyph.
pub(super) fn glyph_id(weight: Weight, glyph: u16) -> String {
    format!("{}{glyph}", weight_letter(weight))
}

const fn weight_letter(weight: Weight) -> char {
    match weight {
        Weight::Regular => 'r',
        Weight::Semibold => 's',
    }
}

impl DrawingBackend for Canvas<'_> {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        (units(self.0.width) as u32, units(TALLEST) as u32)
    }

    fn ensure_prepared(&mut self) -> Drawn {
        Ok(())
    }

    fn present(&mut self) -> Drawn {
        Ok(())
    }

    fn draw_pixel(&mut self, point: BackendCoord, color: BackendColor) -> Drawn {
        self.dots(&[point], 0.5 / UNITS, color);
        Ok(())
    }

    fn draw_line<S: BackendStyle>(&mut self, from: BackendCoord, to: BackendCoord, style: &S) -> Drawn {
        self.draw_path([from, to], style)
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        (left, top): BackendCoord,
        (right, bottom): BackendCoord,
        style: &S,
        fill: bool,
    ) -> Drawn {
        let corners = [(left, top), (right, top), (right, bottom), (left, bottom)];
        let pen = Pen::of(style);
        self.path(&corners, true, fill.then(|| style.color()), (!fill).then_some(&pen));
        Ok(())
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Drawn {
        let points: Vec<_> = path.into_iter().collect();
        self.path(&points, false, None, Some(&Pen::of(style)));
        Ok(())
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        center: BackendCoord,
        radius: u32,
        style: &S,
        fill: bool,
    ) -> Drawn {
        let pen = Pen::of(style);
        self.circle(center, radius as i32, fill.then(|| style.color()), (!fill).then_some(&pen));
        Ok(())
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        vert: I,
        style: &S,
    ) -> Drawn {
        let points: Vec<_> = vert.into_iter().collect();
        self.path(&points, true, Some(style.color()), None);
        Ok(())
    }

    fn draw_text<T: BackendTextStyle>(&mut self, text: &str, style: &T, pos: BackendCoord) -> Drawn {
        let (size, weight) = (style.size(), weight(style.style()));
        let turned = matches!(style.transform(), FontTransform::Rotate270);
        let width = weight.width(text, size);
        let along = match style.anchor().h_pos {
            HPos::Left => 0.0,
            HPos::Center => -width / 2.0,
            HPos::Right => -width,
        };
        let across = match style.anchor().v_pos {
            VPos::Top => ASCENT * size,
            VPos::Center => CAPITAL * size / 2.0,
            VPos::Bottom => -DESCENT * size,
        };
        let (x, y) = (f64::from(pos.0), f64::from(pos.1));
        let start = if turned { (x + across, y - along) } else { (x + along, y + across) };
        self.set_text(text, start, (size, weight), hex(style.color()), turned);
        self.record(text, start, width, size, turned);
        Ok(())
    }

    fn estimate_text_size<T: BackendTextStyle>(
        &self,
        text: &str,
        style: &T,
    ) -> Result<(u32, u32), DrawingErrorKind<Infallible>> {
        let width = weight(style.style()).width(text, style.size());
        Ok((width.ceil() as u32, ((ASCENT + DESCENT) * style.size()).ceil() as u32))
    }
}
