//! Charts whose rows are agents: names at the left, the number of games at the right, a plot between.

use super::layout::{Frame, fit};
use super::numbers::thousands;
use super::sheet::{MARGIN, Sheet};
use super::style::{GRID, Pen, Type};

/// What stands beside a row.
pub(super) struct Head<'a> {
    pub(super) label: &'a str,
    pub(super) variant: Option<&'a str>,
    pub(super) n: u64,
}

/// Where the rows of a chart stand.
pub(super) struct Rows {
    pub(super) frame: Frame,
    pub(super) height: f64,
}

/// The largest part of a sheet that names may take.
const NAMES: f64 = 0.4;

impl Rows {
    /// Measures the names and leaves the rest to the plot.
    pub(super) fn new(sheet: &Sheet, heads: &[Head<'_>], top: f64, height: f64) -> Self {
        let widest = heads.iter().map(Head::width).fold(0.0, f64::max).min(sheet.width * NAMES);
        let games = heads.iter().map(|head| Type::SMALL.width(&thousands(head.n as f64))).fold(0.0, f64::max);
        let right = sheet.width - MARGIN - games.max(Type::SMALL.width("games")) - 8.0;
        let frame = Frame::new(MARGIN + widest + 12.0, top, right, top + height * heads.len() as f64);
        Self { frame, height }
    }

    /// The middle of a row.
    pub(super) fn middle(&self, row: usize) -> f64 {
        self.frame.top + self.height * (row as f64 + 0.5)
    }

    /// Sets the names and the numbers of games, with a light line between rows.
    pub(super) fn draw(&self, sheet: &Sheet, heads: &[Head<'_>]) {
        let end = sheet.width - MARGIN;
        sheet.text((end, self.frame.top - 3.0), "games", Type::SMALL.end().above());
        for (row, head) in heads.iter().enumerate() {
            let y = self.middle(row);
            let edge = y + self.height / 2.0;
            if row + 1 < heads.len() {
                sheet.line(&[(MARGIN, edge), (end, edge)], Pen::new(GRID, 0.7));
            }
            head.draw(sheet, (self.frame.left - 12.0, y));
            sheet.text((end, y), &thousands(head.n as f64), Type::SMALL.end());
        }
    }
}

impl Head<'_> {
    fn width(&self) -> f64 {
        Type::LABEL.width(self.label).max(self.variant.map_or(0.0, |variant| Type::TINY.width(variant)))
    }

    fn draw(&self, sheet: &Sheet, (end, y): (f64, f64)) {
        let room = end - MARGIN;
        let lift = if self.variant.is_some() { 7.0 } else { 0.0 };
        sheet.text((end, y - lift), &fit(self.label, &Type::LABEL, room), Type::LABEL.end());
        if let Some(variant) = self.variant {
            sheet.text((end, y + 8.0), &fit(variant, &Type::TINY, room), Type::TINY.end());
        }
    }
}
