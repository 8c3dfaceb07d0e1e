//! Importance of parameters: which part of the variation each accounts for by itself, with its interval, the
//! greatest first.

use stats::Estimate;

use super::axis::{self, Scale};
use super::layout::Frame;
use super::legend::{Key, Swatch};
use super::numbers::percent;
use super::sheet::{MARGIN, Plot, Sheet, position, render};
use super::style::{Color, Hatch, INK, INTERVAL, Look, PAPER, Pen, Type, WIDTH, look};
use super::trials::bounded;
use super::{Draw, Drawing, Figure, FigureError};

/// Height of a bar, and the room between two parameters.
const BAR: f64 = 17.0;
const GAP: f64 = 9.0;

/// One parameter.
#[derive(Clone, Debug)]
pub struct ImportanceRow {
    /// What the agent calls it.
    pub label: String,
    /// The first-order index, from 0 to 1, for each of the things that are explained.
    pub indices: Vec<Option<Estimate>>,
}

/// What the variation is due to.
#[derive(Clone, Debug)]
pub struct Importance {
    /// What is explained, in the order of the indices: "score", "cost", or the names of studies.
    pub series: Vec<String>,
    /// The parameters, in any order.
    pub rows: Vec<ImportanceRow>,
    /// Where the indices come from, in a sentence.
    pub remarks: String,
}

impl Draw for Importance {
    fn draw(&self, figure: &Figure) -> Result<Drawing, FigureError> {
        figure.check(self.rows.iter().map(|row| (row.label.as_str(), row.numbers())))?;
        render(figure, WIDTH, |sheet, top| self.paint(sheet, top))
    }
}

impl Importance {
    fn paint(&self, sheet: &Sheet, top: f64) -> f64 {
        let top = if self.remarks.is_empty() { top } else { sheet.remarks(&self.remarks, top) };
        let top = sheet.legend(&self.keys(), top) + 10.0;
        let rows = self.sorted();
        let end = sheet.width - MARGIN;
        let texts = rows.iter().flat_map(|row| row.indices.iter().flatten()).map(text);
        let column = texts.map(|text| Type::SMALL_INK.width(&text)).fold(0.0, f64::max);
        let names = rows.iter().map(|row| Type::LABEL.width(&row.label)).fold(0.0, f64::max);
        let height = BAR * self.series.len() as f64 + GAP;
        let frame =
            Frame::new(MARGIN + names + 12.0, top, end - column - 16.0, top + height * rows.len() as f64);
        let scale = self.scale();
        let plot = sheet.plot(frame, scale.low..scale.high, 1.0..0.0);
        let bottom =
            axis::horizontal(sheet, &plot, frame, &scale, "share of the variance, first-order index");
        for (index, row) in rows.iter().enumerate() {
            let y = frame.top + height * index as f64 + GAP / 2.0;
            let middle = y + (height - GAP) / 2.0;
            sheet.text((frame.left - 12.0, middle), &row.label, Type::LABEL.end());
            for (place, estimate) in row.indices.iter().enumerate() {
                let middle = y + BAR * (place as f64 + 0.5);
                let Some(estimate) = estimate else { continue };
                paint_bar(sheet, &plot, estimate, middle, look(place));
                sheet.text((end, middle), &text(estimate), Type::SMALL_INK.end());
            }
        }
        bottom
    }

    fn keys(&self) -> Vec<Key> {
        let named = |(place, name): (usize, &String)| {
            let Look { color, hatch, .. } = look(place);
            Key::new(Swatch::Bar(color, hatch), name)
        };
        let mut keys: Vec<_> = self.series.iter().enumerate().map(named).collect();
        keys.push(Key::new(Swatch::Reach(INK), INTERVAL));
        keys
    }

    /// The greatest index of the first series first, ties by name.
    fn sorted(&self) -> Vec<&ImportanceRow> {
        let mut rows: Vec<_> = self.rows.iter().collect();
        let first = |row: &ImportanceRow| {
            row.indices.iter().flatten().next().map_or(f64::NEG_INFINITY, |index| index.point)
        };
        rows.sort_by(|a, b| first(b).total_cmp(&first(a)).then_with(|| a.label.cmp(&b.label)));
        rows
    }

    /// Up to the longest bar or interval; an index of nothing may be below zero by chance, but no bar is.
    fn scale(&self) -> Scale {
        let greatest = self.rows.iter().flat_map(ImportanceRow::numbers).fold(0.05, f64::max);
        let high = (greatest * 1.04).min(1.0);
        let ticks = super::numbers::ticks(0.0, high, 5).into_iter().filter(|tick| *tick <= high);
        Scale::new(0.0, high, ticks.map(|tick| (tick, percent(tick))).collect())
    }
}

fn text(estimate: &Estimate) -> String {
    match bounded(estimate) {
        Some((low, high)) => format!("{} [{}, {}]", percent(estimate.point), percent(low), percent(high)),
        None => percent(estimate.point),
    }
}

fn paint_bar(sheet: &Sheet, plot: &Plot, estimate: &Estimate, y: f64, look: Look) {
    let x = |share: f64| position(plot, share.clamp(0.0, 1.0), 0.0).0;
    let (color, hatch): (Color, Hatch) = (look.color, look.hatch);
    sheet.bar(Frame::new(x(0.0), y - BAR / 2.0 + 1.5, x(estimate.point), y + BAR / 2.0 - 1.5), color, hatch);
    if let Some((low, high)) = bounded(estimate) {
        sheet.line(&[(x(low), y), (x(high), y)], Pen::new(PAPER, 4.0));
        sheet.whisker((x(low), y), (x(high), y), Pen::new(INK, 1.5));
    }
}

impl ImportanceRow {
    fn numbers(&self) -> Vec<f64> {
        self.indices.iter().flatten().flat_map(super::trials::reach).collect()
    }
}
