//! The backend that plotters draws on: it writes SVG with text as outlines and keeps a list of the text that was set.
//! Its unit is a tenth of a pixel, since plotters rounds every coordinate to a whole number.

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::fmt::Write as _;

use plotters::prelude::{DrawingBackend, FontStyle, FontTransform};
use plotters_backend::text_anchor::{HPos, VPos};
use plotters_backend::{BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingErrorKind};

use super::font::{ASCENT, CAPITAL, DESCENT, Weight};
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
    pub(super) body: String,
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
    format!("#{red:02x}{green:02x}{blue:02x}")
}

fn weight(style: FontStyle) -> Weight {
    match style {
        FontStyle::Bold => Weight::Semibold,
        _ => Weight::Regular,
    }
}

/// Path data through the points, relative after the first: shorter than absolute numbers.
fn path_data(points: &[BackendCoord], closed: bool) -> String {
    let mut data = String::new();
    let Some(&(mut x, mut y)) = points.first() else { return data };
    let _ = write!(data, "M{x} {y}l");
    for &(next_x, next_y) in &points[1..] {
        let (dx, dy) = (next_x - x, next_y - y);
        if (dx, dy) != (0, 0) {
            let gap = if data.ends_with('l') || dx < 0 { "" } else { " " };
            let space = if dy < 0 { "" } else { " " };
            let _ = write!(data, "{gap}{dx}{space}{dy}");
        }
        (x, y) = (next_x, next_y);
    }
    if data.ends_with('l') {
        data.push_str("0 0");
    }
    if closed {
        data.push('z');
    }
    data
}

impl Canvas<'_> {
    fn fill_attributes(&mut self, color: Option<BackendColor>) {
        match color {
            None => self.0.body.push_str(" fill=\"none\""),
            Some(color) => {
                let _ = write!(self.0.body, " fill=\"{}\"", hex(color));
                if color.alpha < 1.0 {
                    let _ = write!(self.0.body, " fill-opacity=\"{}\"", color.alpha);
                }
            }
        }
    }

    fn pen_attributes(&mut self, pen: Option<&Pen>) {
        let Some(pen) = pen else { return };
        let color = pen.color;
        let width = units(pen.width);
        let _ = write!(self.0.body, " stroke=\"{}\" stroke-width=\"{width}\"", hex(color));
        if color.alpha < 1.0 {
            let _ = write!(self.0.body, " stroke-opacity=\"{}\"", color.alpha);
        }
        if pen.dash != Dash::Solid {
            let _ = write!(self.0.body, " stroke-dasharray=\"{}\"", pen.dash.pattern());
        }
    }

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
        let _ = write!(self.0.body, "<path d=\"{}\"", path_data(points, closed));
        self.fill_attributes(fill);
        self.pen_attributes(pen);
        self.0.body.push_str("/>\n");
    }

    /// A circle.
    pub(super) fn circle(
        &mut self,
        (x, y): BackendCoord,
        radius: i32,
        fill: Option<BackendColor>,
        pen: Option<&Pen>,
    ) {
        let _ = write!(self.0.body, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"");
        self.fill_attributes(fill);
        self.pen_attributes(pen);
        self.0.body.push_str("/>\n");
    }

    /// Many equal dots as one path: each is a round cap of a line too short to see.
    pub(super) fn dots(&mut self, points: &[BackendCoord], radius: f64, color: BackendColor) {
        if points.is_empty() {
            return;
        }
        self.0.body.push_str("<path d=\"");
        for (x, y) in points {
            let _ = write!(self.0.body, "M{x} {y}h1");
        }
        self.0.body.push_str("\" stroke-linecap=\"round\" fill=\"none\"");
        self.pen_attributes(Some(&Pen { color, width: 2.0 * radius, dash: Dash::Solid }));
        self.0.body.push_str("/>\n");
    }

    fn set_text(
        &mut self,
        text: &str,
        (x, y): (f64, f64),
        (size, weight): (f64, Weight),
        color: String,
        turned: bool,
    ) {
        let run = weight.shape(text);
        let turn = if turned { " rotate(-90)" } else { "" };
        let _ = write!(
            self.0.body,
            "<g fill=\"{color}\" transform=\"translate({} {}){turn} scale({})\">",
            x.round(),
            y.round(),
            (size / weight.em() * 1e6).round() / 1e6
        );
        let prefix = glyph_prefix(weight);
        for (glyph, offset) in run.glyphs {
            if !weight.visible(glyph) {
                continue;
            }
            self.0.glyphs.insert((weight, glyph));
            let _ = write!(self.0.body, "<use xlink:href=\"#{prefix}{glyph}\" x=\"{offset}\"/>");
        }
        self.0.body.push_str("</g>\n");
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

/// Ids name the glyph alone, so that figures in one page share them without harm.
pub(super) fn glyph_prefix(weight: Weight) -> &'static str {
    match weight {
        Weight::Regular => "gr",
        Weight::Semibold => "gs",
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
