//! The look of every figure: the colours of Okabe and Ito, pens, marks and type. Whatever a colour tells, a dash, a mark or
//! a hatch tells too, so that a figure reads in grey.

use plotters::prelude::{Color, FontDesc, FontFamily, FontStyle, FontTransform, RGBColor, TextStyle};
use plotters_backend::text_anchor::{HPos, Pos, VPos};
use plotters_backend::{BackendColor, BackendStyle};

use super::canvas::UNITS;
use super::font::{FAMILY, Weight};
use metrics::Variant;

/// How intervals are named in legends.
pub(super) const INTERVAL: &str = "95 % interval";

/// Width of a figure in pixels, unless its text columns need more.
pub(super) const WIDTH: f64 = 720.0;

pub(super) const INK: RGBColor = RGBColor(0x22, 0x26, 0x2b);
pub(super) const MUTED: RGBColor = RGBColor(0x5b, 0x63, 0x6b);
pub(super) const AXIS: RGBColor = RGBColor(0x8a, 0x92, 0x9a);
pub(super) const GRID: RGBColor = RGBColor(0xe4, 0xe7, 0xea);
/// For lines that are there to be compared with.
pub(super) const RULE: RGBColor = RGBColor(0xd0, 0xd5, 0xd9);
pub(super) const SHADE: RGBColor = RGBColor(0xf5, 0xf6, 0xf8);
pub(super) const PAPER: RGBColor = RGBColor(0xff, 0xff, 0xff);

pub(super) const BLUE: RGBColor = RGBColor(0x00, 0x72, 0xb2);
pub(super) const VERMILLION: RGBColor = RGBColor(0xd5, 0x5e, 0x00);
pub(super) const GREEN: RGBColor = RGBColor(0x00, 0x9e, 0x73);
pub(super) const ORANGE: RGBColor = RGBColor(0xe6, 0x9f, 0x00);
pub(super) const PURPLE: RGBColor = RGBColor(0xcc, 0x79, 0xa7);
pub(super) const SKY: RGBColor = RGBColor(0x56, 0xb4, 0xe9);
pub(super) const BLACK: RGBColor = RGBColor(0x00, 0x00, 0x00);

/// Yellow is left out: it does not show as a line on white.
const COLORS: [RGBColor; 7] = [BLUE, VERMILLION, GREEN, ORANGE, PURPLE, SKY, BLACK];

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
    pub(super) color: BackendColor,
    pub(super) width: f64,
    pub(super) dash: Dash,
}

impl Pen {
    /// A solid line.
    pub(super) fn new(color: impl Color, width: f64) -> Self {
        Self { color: color.to_backend_color(), width, dash: Dash::Solid }
    }

    /// The same line with another dash.
    pub(super) fn dashed(self, dash: Dash) -> Self {
        Self { dash, ..self }
    }

    /// The pen that a style of plotters stands for; its widths are drawing units.
    pub(super) fn of(style: &impl BackendStyle) -> Self {
        Self { color: style.color(), width: f64::from(style.stroke_width()) / UNITS, dash: Dash::Solid }
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

const SHAPES: [Shape; 8] = [
    Shape::Circle,
    Shape::Square,
    Shape::Triangle,
    Shape::Diamond,
    Shape::Wedge,
    Shape::Plus,
    Shape::Cross,
    Shape::Pentagon,
];

/// Lines drawn over a filled bar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hatch {
    None,
    Rising,
    Falling,
    Upright,
}

/// The look of one series among several.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look {
    pub(super) color: RGBColor,
    pub(super) dash: Dash,
    pub(super) shape: Shape,
    pub(super) hatch: Hatch,
    pub(super) hollow: bool,
}

/// Dashes in turn.
pub(super) fn dash(index: usize) -> Dash {
    [Dash::Solid, Dash::Long, Dash::Dots][index % 3]
}

/// The look of the series with this index. Seven colours and eight shapes: no two of the first 56 are equal; series of
/// one colour differ in their dash too.
pub(super) fn look(index: usize) -> Look {
    Look {
        color: COLORS[index % COLORS.len()],
        dash: dash(index / COLORS.len()),
        shape: SHAPES[index % SHAPES.len()],
        hatch: [Hatch::None, Hatch::Rising, Hatch::Upright, Hatch::Falling][index % 4],
        hollow: false,
    }
}

/// The colour of a form of a paper's method and the dash of its outline, the same in every figure. None is vermillion, which is what
/// papers publish.
pub(super) const fn variant_look(variant: Option<Variant>) -> (RGBColor, Dash) {
    match variant {
        None => (BLUE, Dash::Solid),
        Some(Variant::AsWritten) => (GREEN, Dash::Solid),
        Some(Variant::AsReleased) => (PURPLE, Dash::Long),
    }
}

/// A kind of text: size in pixels, weight and colour.
#[derive(Clone, Copy)]
pub(super) struct Type {
    size: f64,
    weight: Weight,
    color: RGBColor,
    horizontal: HPos,
    vertical: VPos,
    turned: bool,
}

impl Type {
    const fn new(size: f64, weight: Weight, color: RGBColor) -> Self {
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
    pub(super) const fn colored(self, color: RGBColor) -> Self {
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

    /// Distance between two lines of text in pixels.
    pub(super) fn line(&self) -> f64 {
        self.size * 1.25
    }

    /// The style as plotters knows it, in drawing units.
    pub(super) fn style(&self) -> TextStyle<'_> {
        let weight = if self.weight == Weight::Semibold { FontStyle::Bold } else { FontStyle::Normal };
        let font = FontDesc::new(FontFamily::Name(FAMILY), self.size * UNITS, weight);
        let font = if self.turned { font.transform(FontTransform::Rotate270) } else { font };
        TextStyle::from(font).color(&self.color).pos(Pos::new(self.horizontal, self.vertical))
    }
}
