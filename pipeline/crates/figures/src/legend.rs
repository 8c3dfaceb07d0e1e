//! Legends: samples of what is drawn, each with its name, in a line that wraps.

use super::layout::Frame;
use super::scene::Specks;
use super::sheet::Sheet;
use super::style::{Color, Dash, Hatch, INK, INTERVAL, Look, Mark, Pen, Shape, Type};

/// Height of a line.
const LINE: f64 = 19.0;

/// What stands beside a name in a legend.
#[derive(Clone, Copy)]
pub(super) enum Swatch {
    /// A line with a mark.
    Line(Look),
    /// A bar, or a filled stretch.
    Bar(Color, Hatch),
    /// A mark.
    Mark(Mark),
    /// A mark with its interval along x.
    Interval(Mark),
    /// A short upright line.
    Tick,
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
pub(super) struct LegendKey {
    swatch: Swatch,
    name: String,
}

/// The entry for intervals along x.
pub(super) fn interval() -> LegendKey {
    Swatch::Reach(INK).named(INTERVAL)
}

impl Swatch {
    pub(super) fn named(self, name: impl Into<String>) -> LegendKey {
        LegendKey { swatch: self, name: name.into() }
    }

    fn width(self) -> f64 {
        match self {
            Self::Mark(..) | Self::Tick | Self::Whisker(_) => 12.0,
            Self::Bar(..) | Self::Cloud(..) | Self::Specks(_) => 24.0,
            _ => 32.0,
        }
    }

    fn draw(self, sheet: &Sheet, x: f64, y: f64) {
        let (middle, end) = (x + self.width() / 2.0, x + self.width());
        let ends = [(x, y), (end, y)];
        let filled = Frame::new(x, y - 6.0, end, y + 6.0);
        // Some points within the sample, in no order that shows.
        let scattered = [(3.0, -2.0), (8.0, 2.5), (12.0, -3.0), (16.0, 1.0), (20.0, -1.5)];
        let scattered = scattered.map(|(dx, dy)| (x + dx, y + dy));
        match self {
            Self::Line(look) => {
                sheet.line(&ends, look.pen(2.0));
                sheet.mark((middle, y), look.mark, 4.0);
            }
            Self::Bar(color, hatch) => sheet.bar(filled, color, hatch),
            Self::Mark(mark) => sheet.mark((middle, y), mark, 4.5),
            Self::Interval(mark) => {
                sheet.whisker(ends[0], ends[1], Pen::new(mark.color, 1.5));
                sheet.mark((middle, y), mark, 4.0);
            }
            Self::Tick => sheet.line(&[(middle, y - 7.0), (middle, y + 7.0)], Pen::new(INK, 2.0)),
            Self::Whisker(color) => {
                sheet.whisker((middle, y - 6.0), (middle, y + 6.0), Pen::new(color, 1.2));
            }
            Self::Reach(color) => sheet.whisker(ends[0], ends[1], Pen::new(color, 1.5)),
            Self::Open(color) => {
                sheet.line(&ends, Pen::new(color, 1.5));
                sheet.mark(ends[1], Mark::new(Shape::Right, color), 3.5);
            }
            Self::Specks(specks) => sheet.specks(&scattered, specks),
            Self::Stroke(pen) => sheet.line(&ends, pen),
            Self::Cloud(color, dash) => {
                sheet.bar(filled, color.mix(0.22), Hatch::None);
                let Frame { left, top, right, bottom } = filled;
                let corners = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)];
                sheet.line(&corners, Pen::new(color, 1.0).dashed(dash));
                sheet.specks(&scattered, Specks::dots(color.mix(0.55)));
            }
        }
    }
}

/// Draws entries side by side from `left`, in as many lines as the sheet demands; returns where the legend
/// ends.
pub(super) fn line(sheet: &Sheet, keys: &[LegendKey], left: f64, top: f64) -> f64 {
    let (mut x, mut y) = (left, top + LINE / 2.0);
    for LegendKey { swatch, name } in keys {
        let width = swatch.width() + 6.0 + Type::SMALL_INK.width(name);
        if x > left && x + width > sheet.end() {
            (x, y) = (left, y + LINE);
        }
        swatch.draw(sheet, x, y);
        sheet.text((x + swatch.width() + 6.0, y), name, Type::SMALL_INK);
        x += width + 18.0;
    }
    y + LINE / 2.0 + 4.0
}
