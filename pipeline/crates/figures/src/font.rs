//! The embedded font: measures text for the layout and turns it into outlines, so that a figure looks the
//! same in every viewer and needs no font of the system. The two files are subsets of Source Sans 3 under the
//! SIL Open Font License.

use std::sync::LazyLock;

use plotters_backend::BackendCoord;
use ttf_parser::gpos::{PairAdjustment, PositioningSubtable};
use ttf_parser::{Face, GlyphId, OutlineBuilder};

use super::path::PathData;

/// Units per em of the outlines in a figure: a tenth of a pixel would show in none of its sizes, and short
/// numbers keep files small.
pub(super) const GRID: f64 = 200.0;

/// Height of a capital letter and of the space above and below the baseline, as parts of the size.
pub(super) const CAPITAL: f64 = 0.66;
pub(super) const ASCENT: f64 = 0.74;
pub(super) const DESCENT: f64 = 0.22;

/// The two weights that figures use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Weight {
    Regular,
    Semibold,
}

static REGULAR: LazyLock<Face<'static>> =
    LazyLock::new(|| parse(include_bytes!("fonts/RetileSans-Regular.ttf")));
static SEMIBOLD: LazyLock<Face<'static>> =
    LazyLock::new(|| parse(include_bytes!("fonts/RetileSans-Semibold.ttf")));

fn parse(bytes: &'static [u8]) -> Face<'static> {
    Face::parse(bytes, 0).expect("the embedded font is a font")
}

/// A line of text as glyphs with their distance from its start, in font units.
pub(super) struct GlyphRun {
    pub(super) glyphs: Vec<(u16, i32)>,
    pub(super) width: i32,
}

impl Weight {
    fn face(self) -> &'static Face<'static> {
        match self {
            Self::Regular => &REGULAR,
            Self::Semibold => &SEMIBOLD,
        }
    }

    /// Font units per em.
    fn em(self) -> f64 {
        f64::from(self.face().units_per_em())
    }

    /// A length of the font on the grid of [`GRID`] units per em.
    pub(super) fn on_grid(self, length: i32) -> i32 {
        (f64::from(length) * GRID / self.em()).round() as i32
    }

    /// Sets a line of text with kerning.
    pub(super) fn shape(self, text: &str) -> GlyphRun {
        let face = self.face();
        let (mut glyphs, mut width, mut last) = (Vec::new(), 0, None);
        for character in text.chars() {
            let glyph = face.glyph_index(character).unwrap_or(GlyphId(0));
            width += last.map_or(0, |last| kerning(face, last, glyph));
            glyphs.push((glyph.0, width));
            width += i32::from(face.glyph_hor_advance(glyph).unwrap_or(0));
            last = Some(glyph);
        }
        GlyphRun { glyphs, width }
    }

    /// Width of a line of text at a size, in the unit of the size.
    pub(super) fn width(self, text: &str, size: f64) -> f64 {
        f64::from(self.shape(text).width) * size / self.em()
    }

    /// Whether a glyph leaves a trace; a space does not.
    pub(super) fn visible(self, glyph: u16) -> bool {
        self.face().glyph_bounding_box(GlyphId(glyph)).is_some()
    }

    /// A glyph's outline as SVG path data on the grid, y downwards; empty for a space.
    pub(super) fn outline(self, glyph: u16) -> String {
        let mut outline = Outline { data: PathData::default(), scale: (GRID / self.em()) as f32 };
        self.face().outline_glyph(GlyphId(glyph), &mut outline);
        outline.data.as_str().to_owned()
    }
}

fn kerning(face: &Face<'_>, left: GlyphId, right: GlyphId) -> i32 {
    let Some(table) = face.tables().gpos else { return 0 };
    for lookup in table.lookups {
        for subtable in lookup.subtables.into_iter::<PositioningSubtable<'_>>() {
            if let PositioningSubtable::Pair(pairs) = subtable
                && let Some(advance) = pair(&pairs, left, right)
            {
                return advance;
            }
        }
    }
    0
}

fn pair(pairs: &PairAdjustment<'_>, left: GlyphId, right: GlyphId) -> Option<i32> {
    let (first, _) = match pairs {
        PairAdjustment::Format1 { coverage, sets } => sets.get(coverage.get(left)?)?.get(right)?,
        PairAdjustment::Format2 { coverage, classes, matrix } => {
            coverage.get(left)?;
            matrix.get((classes.0.get(left), classes.1.get(right)))?
        }
    };
    Some(i32::from(first.x_advance))
}

/// Writes down the outline of a glyph.
struct Outline {
    data: PathData,
    scale: f32,
}

impl Outline {
    /// A point of the font, which counts upwards, in whole units of the grid, which counts downwards.
    fn point(&self, x: f32, y: f32) -> BackendCoord {
        ((x * self.scale).round() as i32, -(y * self.scale).round() as i32)
    }
}

impl OutlineBuilder for Outline {
    fn move_to(&mut self, x: f32, y: f32) {
        self.data.move_to(self.point(x, y));
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.data.line_to(self.point(x, y));
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.data.quad_to(self.point(x1, y1), self.point(x, y));
    }

    fn curve_to(&mut self, _: f32, _: f32, _: f32, _: f32, _: f32, _: f32) {
        unreachable!("the outlines of a TrueType font are quadratic");
    }

    fn close(&mut self) {
        self.data.close();
    }
}
