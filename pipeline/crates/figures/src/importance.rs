//! Importance of parameters: which part of the variation each accounts for by itself, with its interval, the
//! greatest first.

use stats::Estimate;

use super::Paint;
use super::axis::Axis;
use super::legend::{Swatch, interval};
use super::numbers::{percent, ticks};
use super::rows::RowHead;
use super::sheet::Sheet;
use super::style::{INK, Pen, Type, look};
use super::trials::{bounded, reach};

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

impl Paint for Importance {
    fn paint(&self, sheet: &Sheet, top: f64) -> Option<f64> {
        self.rows.first()?;
        let top = if self.remarks.is_empty() { top } else { sheet.remarks(&self.remarks, top) };
        let series = self.series.iter().enumerate();
        let mut keys: Vec<_> = series
            .map(|(place, name)| Swatch::Bar(look(place).mark.color, look(place).hatch).named(name))
            .collect();
        keys.push(interval());
        let top = sheet.legend(&keys, top) + 16.0;
        let rows = self.sorted();
        let line = Type::SMALL_INK.line();
        let height = line * self.series.len() as f64 + 11.0;
        let head = |row: &&ImportanceRow| RowHead {
            label: row.label.clone(),
            texts: vec![
                row.indices.iter().map(|index| index.as_ref().map(text).unwrap_or_default()).collect(),
            ],
            ..RowHead::default()
        };
        let heads: Vec<RowHead> = rows.iter().map(head).collect();
        let columns = [("share [interval]", Type::SMALL_INK)];
        let name = "share of the variance, first-order index";
        let (plot, bottom) = sheet.rows(top, height, (&columns, &heads), (&self.axis(), name));
        for (index, row) in rows.iter().enumerate() {
            for (place, estimate) in row.indices.iter().enumerate() {
                let Some(estimate) = estimate else { continue };
                let from_middle = place as f64 - (self.series.len() - 1) as f64 / 2.0;
                let y = index as f64 + 0.5 + from_middle * line / height;
                let half = 0.44 * line / height;
                // An index of nothing may be below zero by chance, but no bar is.
                let share = |share: f64| share.clamp(0.0, 1.0);
                let look = look(place);
                plot.bar((0.0, y - half), (share(estimate.point), y + half), look.mark.color, look.hatch);
                if let Some((low, high)) = bounded(estimate) {
                    plot.interval((share(low), share(high)), y, Pen::new(INK, 1.5));
                }
            }
        }
        Some(bottom)
    }
}

impl Importance {
    /// The greatest index of the first series first, ties by name.
    fn sorted(&self) -> Vec<&ImportanceRow> {
        let mut rows: Vec<_> = self.rows.iter().collect();
        let first = |row: &ImportanceRow| {
            row.indices.iter().flatten().next().map_or(f64::NEG_INFINITY, |index| index.point)
        };
        rows.sort_by(|a, b| first(b).total_cmp(&first(a)).then_with(|| a.label.cmp(&b.label)));
        rows
    }

    /// Up to the longest bar or interval.
    fn axis(&self) -> Axis {
        let numbers = self.rows.iter().flat_map(|row| row.indices.iter().flatten()).flat_map(reach);
        let high = (numbers.fold(0.05, f64::max) * 1.04).min(1.0);
        let ticks = ticks(0.0, high, 5).into_iter().filter(|tick| *tick <= high);
        Axis::new(0.0, high, ticks.map(|tick| (tick, percent(tick))).collect())
    }
}

fn text(estimate: &Estimate) -> String {
    match bounded(estimate) {
        Some((low, high)) => format!("{} [{}, {}]", percent(estimate.point), percent(low), percent(high)),
        None => percent(estimate.point),
    }
}
