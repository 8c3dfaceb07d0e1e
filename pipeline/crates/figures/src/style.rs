//! The look of every figure: the colours of Okabe and Ito, pens, marks and type. Whatever a colour tells, a
//! dash, a mark or a hatch tells too, so that a figure reads in grey.

use metrics::Variant;
use plotters_backend::text_anchor::{HPos, VPos};

use super::font::Weight;

/// How intervals are named in legends.
pub(super) const INTERVAL: &str = "95 % interval";

/// A colour, and how much of it covers what is below.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Color {
    rgb: [u8; 3],
    pub(super) alpha: f64,
}

impl Color {
    pub(super) const fn rgb(red: u8, green: u8, blue: u8) -> Self {
        Self { rgb: [red, green, blue], alpha: 1.0 }
    }

    /// The same colour, so much of it.
    pub(super) const fn mix(self, alpha: f64) -> Self {
        Self { alpha, ..self }
    }

    /// The colour as SVG has it: `#rgb` or `#rrggbb`.
    pub(super) fn hex(self) -> String {
        let [red, green, blue] = self.rgb;
        if self.rgb.iter().all(|part| part >> 4 == part & 0xf) {
            format!("#{:x}{:x}{:x}", red & 0xf, green & 0xf, blue & 0xf)
        } else {
            format!("#{red:02x}{green:02x}{blue:02x}")
        }
    }
}

pub(super) const INK: Color = Color::rgb(0x22, 0x26, 0x2b);
pub(super) const MUTED: Color = Color::rgb(0x5b, 0x63, 0x6b);
pub(super) const AXIS: Color = Color::rgb(0x8a, 0x92, 0x9a);
pub(super) const GRID: Color = Color::rgb(0xe4, 0xe7, 0xea);
/// For lines that are there to be compared with.
pub(super) const RULE: Color = Color::rgb(0xd0, 0xd5, 0xd9);
pub(super) const SHADE: Color = Color::rgb(0xf5, 0xf6, 0xf8);
pub(super) const PAPER: Color = Color::rgb(0xff, 0xff, 0xff);

pub(super) const BLUE: Color = Color::rgb(0x00, 0x72, 0xb2);
pub(super) const VERMILLION: Color = Color::rgb(0xd5, 0x5e, 0x00);
pub(super) const GREEN: Color = Color::rgb(0x00, 0x9e, 0x73);
pub(super) const ORANGE: Color = Color::rgb(0xe6, 0x9f, 0x00);
pub(super) const PURPLE: Color = Color::rgb(0xcc, 0x79, 0xa7);
pub(super) const SKY: Color = Color::rgb(0x56, 0xb4, 0xe9);
pub(super) const BLACK: Color = Color::rgb(0x00, 0x00, 0x00);

/// Yellow is left out: it does not show as a line on white.
const COLORS: [Color; 7] = [BLUE, VERMILLION, GREEN, ORANGE, PURPLE, SKY, BLACK];

/// How a line is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dash {
    Solid,
    Long,
    Dots,
}

impl Dash {
    /// Lengths of strokes and gaps in drawing units.
    pub(super) fn pattern(self) -> &'static str {
        match self {
            Self::Solid => "none",
            Self::Long => "60 30",
            Self::Dots => "15 25",
        }
    }
}

/// Colour, width in pixels and dash of a line.
#[derive(Clone, Copy)]
pub(super) struct Pen {
    pub(super) color: Color,
    pub(super) width: f64,
    pub(super) dash: Dash,
}

impl Pen {
    /// A solid line.
    pub(super) const fn new(color: Color, width: f64) -> Self {
        Self { color, width, dash: Dash::Solid }
    }

    /// The same line with another dash.
    pub(super) const fn dashed(self, dash: Dash) -> Self {
        Self { dash, ..self }
    }
}

/// Shape of a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Circle,
    Square,
    Triangle,
    Diamond,
    Wedge,
    Plus,
    Cross,
    Pentagon,
    Left,
    Right,
}

impl Shape {
    /// Whether it is two lines that cross.
    pub(super) const fn is_open(self) -> bool {
        matches!(self, Self::Plus | Self::Cross)
    }
}

const SHAPES: [Shape; 8] = {
    use Shape::*;
    [Circle, Square, Triangle, Diamond, Wedge, Plus, Cross, Pentagon]
};

/// Lines drawn over a filled bar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hatch {
    None,
    Rising,
    Falling,
    Upright,
}

/// A mark: hollow ones are filled with the paper's colour.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    pub(super) shape: Shape,
    pub(super) color: Color,
    pub(super) hollow: bool,
}

impl Mark {
    pub(super) const fn new(shape: Shape, color: Color) -> Self {
        Self { shape, color, hollow: false }
    }

    pub(super) const fn hollow(shape: Shape, color: Color) -> Self {
        Self { shape, color, hollow: true }
    }
}

/// How published numbers, winners of a study and defaults are marked, in every figure.
pub(super) const PUBLISHED: Mark = Mark::hollow(Shape::Diamond, VERMILLION);
pub(super) const WINNER: Mark = Mark::new(Shape::Diamond, GREEN);
pub(super) const DEFAULT: Mark = Mark::hollow(Shape::Square, INK);

/// The look of one series among several.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look {
    pub(super) dash: Dash,
    pub(super) hatch: Hatch,
    pub(super) mark: Mark,
}

impl Look {
    /// The line of the series.
    pub(super) fn pen(self, width: f64) -> Pen {
        Pen::new(self.mark.color, width).dashed(self.dash)
    }
}

/// Dashes in turn.
pub(super) fn dash(index: usize) -> Dash {
    [Dash::Solid, Dash::Long, Dash::Dots][index % 3]
}

/// The look of the series with this index. Seven colours and eight shapes: no two of the first 56 are equal;
/// series of one colour differ in their dash too.
pub(super) fn look(index: usize) -> Look {
    Look {
        dash: dash(index / COLORS.len()),
        hatch: [Hatch::None, Hatch::Rising, Hatch::Upright, Hatch::Falling][index % 4],
        mark: Mark::new(SHAPES[index % SHAPES.len()], COLORS[index % COLORS.len()]),
    }
}

/// The colour of a form of a paper's method and the dash of its outline, the same in every figure. None is
/// vermillion, which is what papers publish.
pub(super) const fn variant_look(variant: Option<Variant>) -> (Color, Dash) {
    match variant {
        None => (BLUE, Dash::Solid),
        Some(Variant::AsWritten) => (GREEN, Dash::Solid),
        Some(Variant::AsReleased) => (PURPLE, Dash::Long),
    }
}

/// A kind of text: size in pixels, weight and colour.
#[derive(Clone, Copy)]
pub(super) struct Type {
    pub(super) size: f64,
    pub(super) weight: Weight,
    pub(super) color: Color,
    pub(super) horizontal: HPos,
    pub(super) vertical: VPos,
    pub(super) turned: bool,
}

impl Type {
    const fn new(size: f64, weight: Weight, color: Color) -> Self {
        Self { size, weight, color, horizontal: HPos::Left, vertical: VPos::Center, turned: false }
    }

    pub(super) const TITLE: Self = Self::new(16.0, Weight::Semibold, INK);
    pub(super) const HEADING: Self = Self::new(13.5, Weight::Semibold, INK);
    pub(super) const LABEL: Self = Self::new(13.5, Weight::Regular, INK);
    pub(super) const SMALL: Self = Self::new(12.0, Weight::Regular, MUTED);
    pub(super) const SMALL_INK: Self = Self::new(12.0, Weight::Regular, INK);
    pub(super) const TINY: Self = Self::new(11.0, Weight::Regular, MUTED);

    /// Set so that it ends at its point.
    pub(super) const fn end(self) -> Self {
        Self { horizontal: HPos::Right, ..self }
    }

    /// Centred on its point.
    pub(super) const fn middle(self) -> Self {
        Self { horizontal: HPos::Center, ..self }
    }

    /// Hanging below its point.
    pub(super) const fn below(self) -> Self {
        Self { vertical: VPos::Top, ..self }
    }

    /// Standing above its point.
    pub(super) const fn above(self) -> Self {
        Self { vertical: VPos::Bottom, ..self }
    }

    /// Read from below, as the name of a vertical axis is.
    pub(super) const fn upwards(self) -> Self {
        Self { turned: true, ..self }
    }

    /// In another colour.
    pub(super) const fn colored(self, color: Color) -> Self {
        Self { color, ..self }
    }

    /// In the heavier weight.
    pub(super) const fn strong(self) -> Self {
        Self { weight: Weight::Semibold, ..self }
    }

    /// Width of a line of text in pixels.
    pub(super) fn width(&self, text: &str) -> f64 {
        self.weight.width(text, self.size)
    }

    /// Width of the widest of some texts.
    pub(super) fn widest(&self, texts: impl IntoIterator<Item = impl AsRef<str>>) -> f64 {
        texts.into_iter().map(|text| self.width(text.as_ref())).fold(0.0, f64::max)
    }

    /// Distance between two lines of text in pixels.
    pub(super) fn line(&self) -> f64 {
        self.size * 1.25
    }
}
