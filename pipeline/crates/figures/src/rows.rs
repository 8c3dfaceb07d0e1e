//! Charts whose rows are agents, algorithms or parameters: names at the left, texts in columns at the right,
//! a plot between.

use super::axis::Axis;
use super::layout::{Frame, fit_lines};
use super::numbers::thousands;
use super::sheet::{MARGIN, Plot, Sheet};
use super::style::{GRID, Hatch, PAPER, Pen, Type};

/// What stands beside a row. One without texts is the heading of those below.
#[derive(Default)]
pub(super) struct RowHead {
    pub(super) label: String,
    pub(super) variant: Option<&'static str>,
    /// The texts of the columns, each in one line or in several.
    pub(super) texts: Vec<Vec<String>>,
}

/// The column of the number of games.
pub(super) const GAMES: (&str, Type) = ("games", Type::SMALL);

/// The largest part of a sheet that names may take.
const NAMES: f64 = 0.4;

/// Between two columns.
const BETWEEN: f64 = 14.0;

impl Sheet {
    /// Sets the names and texts of rows of this height, and opens the plot between them: a row takes one unit
    /// of its vertical axis. Returns it with the end of the horizontal axis below.
    pub(super) fn rows(
        &self,
        top: f64,
        height: f64,
        (columns, heads): (&[(&str, Type)], &[RowHead]),
        (axis, name): (&Axis, &str),
    ) -> (Plot<'_>, f64) {
        let labels = heads.iter().filter(|head| !head.texts.is_empty());
        let left = MARGIN + labels.map(RowHead::width).fold(0.0, f64::max).min(self.width * NAMES) + 12.0;
        let mut ends = Vec::new();
        let mut right = self.end() + BETWEEN;
        for (column, (heading, kind)) in columns.iter().enumerate().rev() {
            let texts = heads.iter().flat_map(|head| head.texts.get(column)).flatten();
            ends.insert(0, right - BETWEEN);
            right -= BETWEEN + kind.widest(texts).max(Type::SMALL.width(heading));
        }
        let frame = Frame::new(left, top, right - 8.0, top + height * heads.len() as f64);
        let plot = self.plot(frame, axis.range(), heads.len() as f64..0.0);
        let bottom = plot.horizontal(axis, name);
        for ((heading, _), end) in columns.iter().zip(&ends) {
            self.text((*end, top - 3.0), heading, Type::SMALL.end().above());
        }
        for (row, head) in heads.iter().enumerate() {
            let (edge, y) = (top + height * (row + 1) as f64, top + height * (row as f64 + 0.5));
            if row + 1 < heads.len() {
                self.line(&[(MARGIN, edge), (self.end(), edge)], Pen::new(GRID, 0.7));
            }
            head.draw(self, (left - 12.0, y));
            for ((lines, end), (_, kind)) in head.texts.iter().zip(&ends).zip(columns) {
                self.block((*end, y), lines, kind.end());
            }
        }
        (plot, bottom)
    }
}

impl RowHead {
    /// A row with its number of games.
    pub(super) fn of_games(label: &str, variant: Option<&'static str>, games: u64) -> Self {
        Self { label: label.to_owned(), variant, texts: vec![vec![thousands(games as f64)]] }
    }

    fn width(&self) -> f64 {
        Type::LABEL.width(&self.label).max(self.variant.map_or(0.0, |variant| Type::TINY.width(variant)))
    }

    fn draw(&self, sheet: &Sheet, (end, y): (f64, f64)) {
        if self.texts.is_empty() {
            // It may run into the plot: it stands on paper, not on the grid.
            let right = MARGIN + Type::HEADING.width(&self.label) + 4.0;
            sheet.bar(Frame::new(MARGIN, y - 11.0, right, y + 11.0), PAPER, Hatch::None);
            return sheet.text((MARGIN, y), &self.label, Type::HEADING);
        }
        let lift = if self.variant.is_some() { 7.0 } else { 0.0 };
        sheet.block((end, y - lift), &fit_lines(&self.label, &Type::LABEL, end - MARGIN), Type::LABEL.end());
        if let Some(variant) = self.variant {
            sheet.text((end, y + 8.0), variant, Type::TINY.end());
        }
    }
}
