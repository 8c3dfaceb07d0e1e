//! Legends: samples of what is drawn, each with its name, in a line that wraps or in a column.

use super::layout::Frame;
use super::scene::Specks;
use super::sheet::Sheet;
use super::style::{Color, Dash, Hatch, INK, Look, Pen, Shape, Type};

/// Width of a sample that is a line; marks take less.
const SAMPLE: f64 = 32.0;
/// Height of a line.
const LINE: f64 = 19.0;

/// What stands beside a name in a legend.
#[derive(Clone, Copy)]
pub(super) enum Swatch {
    /// A line with a mark.
    Line(Look),
    /// A bar.
    Bar(Color, Hatch),
    /// A mark: shape, colour, hollow.
    Mark(Shape, Color, bool),
    /// A mark with its interval along x.
    Interval(Shape, Color),
    /// A short upright line.
    Tick,
    /// A filled stretch.
    Band(Color),
    /// An interval along y.
    Whisker(Color),
    /// An interval along x.
    Reach(Color),
    /// The part of an interval along x on the side where it has no end.
    Open(Color),
    /// Small marks.
    Specks(Specks),
    /// A line without a mark.
    Stroke(Pen),
    /// A violin with points, and how its outline is broken.
    Cloud(Color, Dash),
}

/// An entry of a legend.
pub(super) struct Key {
    pub(super) swatch: Swatch,
    pub(super) name: String,
}

impl Key {
    pub(super) fn new(swatch: Swatch, name: impl Into<String>) -> Self {
        Self { swatch, name: name.into() }
    }

    fn width(&self) -> f64 {
        match self.swatch {
            Swatch::Mark(..) | Swatch::Tick | Swatch::Whisker(_) => 12.0,
            Swatch::Bar(..) | Swatch::Band(_) | Swatch::Cloud(..) | Swatch::Specks(_) => 24.0,
            _ => SAMPLE,
        }
    }

    fn draw(&self, sheet: &Sheet, x: f64, y: f64) {
        let middle = x + self.width() / 2.0;
        let ends = [(x, y), (x + self.width(), y)];
        let filled = Frame::new(x, y - 6.0, x + self.width(), y + 6.0);
        match self.swatch {
            Swatch::Line(look) => {
                sheet.line(&ends, Pen::new(look.color, 2.0).dashed(look.dash));
                sheet.mark((middle, y), look.shape, 4.0, look.color, look.hollow);
            }
            Swatch::Bar(color, hatch) => {
                sheet.bar(filled, color, hatch);
            }
            Swatch::Mark(shape, color, hollow) => sheet.mark((middle, y), shape, 4.5, color, hollow),
            Swatch::Interval(shape, color) => {
                sheet.whisker(ends[0], ends[1], Pen::new(color, 1.5));
                sheet.mark((middle, y), shape, 4.0, color, false);
            }
            Swatch::Tick => sheet.line(&[(middle, y - 7.0), (middle, y + 7.0)], Pen::new(INK, 2.0)),
            Swatch::Band(color) => sheet.band(filled, color),
            Swatch::Whisker(color) => {
                sheet.whisker((middle, y - 6.0), (middle, y + 6.0), Pen::new(color, 1.2));
            }
            Swatch::Reach(color) => sheet.whisker(ends[0], ends[1], Pen::new(color, 1.5)),
            Swatch::Open(color) => {
                sheet.line(&ends, Pen::new(color, 1.5));
                sheet.mark(ends[1], Shape::Right, 3.5, color, false);
            }
            Swatch::Specks(specks) => sheet.specks(&scattered(x, y), specks),
            Swatch::Stroke(pen) => sheet.line(&ends, pen),
            Swatch::Cloud(color, dash) => {
                sheet.band(filled, color.mix(0.22));
                let Frame { left, top, right, bottom } = filled;
                let corners = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)];
                sheet.line(&corners, Pen::new(color, 1.0).dashed(dash));
                sheet.dots(&scattered(x, y), color.mix(0.55));
            }
        }
    }
}

/// Some points within a sample, in no order that shows.
fn scattered(x: f64, y: f64) -> [(f64, f64); 5] {
    [(3.0, -2.0), (8.0, 2.5), (12.0, -3.0), (16.0, 1.0), (20.0, -1.5)].map(|(dx, dy)| (x + dx, y + dy))
}

/// Draws entries side by side from `left`, in as many lines as `right` demands; returns where the legend
/// ends.
pub(super) fn line(sheet: &Sheet, keys: &[Key], left: f64, right: f64, top: f64) -> f64 {
    let (mut x, mut y) = (left, top + LINE / 2.0);
    for key in keys {
        let width = key.width() + 6.0 + Type::SMALL_INK.width(&key.name);
        if x > left && x + width > right {
            (x, y) = (left, y + LINE);
        }
        key.draw(sheet, x, y);
        sheet.text((x + key.width() + 6.0, y), &key.name, Type::SMALL_INK);
        x += width + 18.0;
    }
    y + LINE / 2.0 + 4.0
}

/// Draws entries one below the other, each with a number at the right.
pub(super) fn column(sheet: &Sheet, keys: &[(Key, String)], left: f64, right: f64, top: f64) -> f64 {
    let mut y = top + LINE / 2.0;
    for (key, number) in keys {
        key.draw(sheet, left, y);
        sheet.text((left + SAMPLE + 6.0, y), &key.name, Type::SMALL_INK);
        sheet.text((right, y), number, Type::SMALL.end());
        y += LINE;
    }
    y - LINE / 2.0
}

/// The width that a column of entries needs.
pub(super) fn column_width(keys: &[(Key, String)]) -> f64 {
    let wide = |text: &str| Type::SMALL_INK.width(text);
    let names = keys.iter().map(|(key, _)| wide(&key.name)).fold(0.0, f64::max);
    let numbers = keys.iter().map(|(_, number)| wide(number)).fold(0.0, f64::max);
    SAMPLE + 6.0 + names + 12.0 + numbers
}
