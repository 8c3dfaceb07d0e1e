//! Curves apart: a small plot for each, with the others in grey behind it, so that fourteen of them can be read.

use stats::{Rate, rate};

use super::ecdf::{Counted, Ecdf, steps};
use crate::axis::{self, Scale};
use crate::layout::{Frame, fit};
use crate::legend::{Key, Swatch};
use crate::numbers::thousands;
use crate::sheet::{MARGIN, Plot, Sheet};
use crate::style::{AXIS, BLUE, Dash, INTERVAL, Pen, RULE, Type};

/// Plots side by side.
const COLUMNS: usize = 3;
/// Between them.
const GAP: (f64, f64) = (18.0, 34.0);
/// How high a plot is.
const HEIGHT: f64 = 104.0;
/// Places at which the curves behind are taken.
const BEHIND: usize = 16;
/// Places at which an interval is taken.
const BAND: usize = 32;

impl Ecdf {
    pub(super) fn paint_apart(&self, sheet: &Sheet, top: f64) -> f64 {
        let top = sheet.legend(&self.keys_apart(), top) + 24.0;
        let shares = Scale::shares(3).tiny();
        let left = MARGIN + axis::room(&shares, true);
        let logarithmic = self.logarithmic();
        let scale = self.scale(logarithmic).plain().tiny();
        let place = if logarithmic { |score: f64| libm::log10(score.max(1.0)) } else { |score: f64| score };
        let columns = COLUMNS.min(self.series.len());
        let width = (sheet.width - MARGIN - left - GAP.0 * (columns - 1) as f64) / columns as f64;
        let order = self.order();
        let behind: Vec<Vec<(f64, f64)>> = order.iter().map(|&index| self.few(index, place)).collect();
        let mut bottom = top;
        for (panel, &index) in order.iter().enumerate() {
            let (column, row) = (panel % columns, panel / columns);
            let corner = (left + column as f64 * (width + GAP.0), top + row as f64 * (HEIGHT + GAP.1));
            let frame = Frame::new(corner.0, corner.1, corner.0 + width, corner.1 + HEIGHT);
            let plot = sheet.plot(frame, scale.low..scale.high, 0.0..1.0);
            let is_last = panel + columns >= order.len();
            self.axes(sheet, &plot, frame, (&shares, &scale), (column == 0, is_last));
            for curve in
                behind.iter().enumerate().filter(|(other, _)| *other != panel).map(|(_, curve)| curve)
            {
                plot.line(curve.clone(), Pen::new(RULE, 1.1));
            }
            self.paint_one(&plot, index, place);
            self.head(sheet, frame, index);
            bottom = frame.bottom;
        }
        bottom + 22.0 + Type::LABEL.line()
    }

    fn keys_apart(&self) -> Vec<Key> {
        let mut keys = vec![Key::new(Swatch::Stroke(Pen::new(BLUE, 1.8)), "the method of the plot")];
        if self.counted == Counted::Above {
            keys.push(Key::new(Swatch::Band(BLUE.mix(0.25)), INTERVAL));
        }
        if self.series.len() > 1 {
            keys.push(Key::new(Swatch::Stroke(Pen::new(RULE, 2.0)), "the others"));
        }
        keys
    }

    /// Grid and labels: shares at the left of a row, scores below a column, and the names of both where they are first.
    fn axes(
        &self,
        sheet: &Sheet,
        plot: &Plot<'_>,
        frame: Frame,
        (shares, scale): (&Scale, &Scale),
        (is_first, is_last): (bool, bool),
    ) {
        if is_first {
            let name = match self.counted {
                Counted::UpTo => "games at or below",
                Counted::Above => "games above",
            };
            axis::vertical(sheet, plot, frame, shares, name);
        } else {
            axis::rules(sheet, plot, frame, shares);
        }
        if is_last {
            axis::horizontal(sheet, plot, frame, scale, &self.name(self.logarithmic()));
        } else {
            sheet.line(&[(frame.left, frame.bottom), (frame.right, frame.bottom)], Pen::new(AXIS, 1.0));
        }
    }

    /// The name above the plot, and the number of games in the corner that the curve leaves free.
    fn head(&self, sheet: &Sheet, frame: Frame, index: usize) {
        let label = fit(&self.series[index].label, &Type::SMALL_INK, frame.right - frame.left);
        sheet.text((frame.left, frame.top - 5.0), &label, Type::SMALL_INK.above());
        let games = format!("n = {}", thousands(self.series[index].scores.len() as f64));
        let (x, kind) = match self.counted {
            Counted::UpTo => (frame.right - 3.0, Type::TINY.end()),
            Counted::Above => (frame.left + 3.0, Type::TINY),
        };
        sheet.text((x, frame.bottom - 4.0), &games, kind.above());
    }

    fn paint_one(&self, plot: &Plot<'_>, index: usize, place: fn(f64) -> f64) {
        let sorted = self.series[index].sorted();
        if self.counted == Counted::Above {
            let band = self.band(&sorted, place);
            plot.patch(band, BLUE.mix(0.25), None);
        }
        let curve = steps(&sorted).into_iter().map(|(score, share)| (place(score), self.share(share)));
        plot.line(curve, Pen::new(BLUE, 1.8).dashed(Dash::Solid));
    }

    fn share(&self, up_to: f64) -> f64 {
        match self.counted {
            Counted::UpTo => up_to,
            Counted::Above => 1.0 - up_to,
        }
    }

    /// A curve by some of its quantiles.
    fn few(&self, index: usize, place: fn(f64) -> f64) -> Vec<(f64, f64)> {
        let sorted = self.series[index].sorted();
        let last = sorted.len().saturating_sub(1);
        let at = |step: usize| {
            let score = sorted.get(step * last / BEHIND).copied().unwrap_or(0);
            (place(score as f64), self.share(step as f64 / BEHIND as f64))
        };
        (0..=BEHIND).map(at).collect()
    }

    /// The outline of the intervals of the shares above some of the scores.
    fn band(&self, sorted: &[u64], place: fn(f64) -> f64) -> Vec<(f64, f64)> {
        let n = sorted.len() as u64;
        let last = sorted.len().saturating_sub(1);
        let at = |step: usize| {
            let score = sorted.get(step * last / BAND).copied().unwrap_or(0);
            let above = n - sorted.partition_point(|other| *other <= score) as u64;
            let interval = Rate::new(above, n).ok().map(rate)?;
            Some((place(score as f64), interval.low, interval.high))
        };
        let ends: Vec<_> = (0..=BAND).filter_map(at).collect();
        let upper = ends.iter().map(|(score, _, high)| (*score, *high));
        let lower = ends.iter().rev().map(|(score, low, _)| (*score, *low));
        upper.chain(lower).collect()
    }
}
