//! Axes: a light grid, labels beside it and the name of what is measured.

use super::layout::Frame;
use super::numbers::{decimal, percent, short, steps, thousands, ticks};
use super::sheet::{Plot, Sheet, position};
use super::style::{AXIS, GRID, Pen, Type};

/// Places on an axis, each with its label.
pub(super) struct Scale {
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) ticks: Vec<(f64, String)>,
    /// The place whose label stays when there is no room for all.
    kept: usize,
    grid: bool,
    kind: Type,
}

impl Scale {
    pub(super) fn new(low: f64, high: f64, ticks: Vec<(f64, String)>) -> Self {
        Self { low, high, ticks, kept: 0, grid: true, kind: Type::SMALL }
    }

    /// Round numbers around `low..high`; the axis ends at the data rather than at a round number above.
    pub(super) fn numbers(low: f64, high: f64, count: usize) -> Self {
        let all = ticks(low, high, count);
        let first = all[0].min(low);
        Self::new(
            first,
            high,
            all.into_iter().filter(|tick| *tick <= high).map(|tick| (tick, label(tick))).collect(),
        )
    }

    /// Shares from 0 to 100 %.
    pub(super) fn shares(count: usize) -> Self {
        Self::new(0.0, 1.0, ticks(0.0, 1.0, count).into_iter().map(|share| (share, percent(share))).collect())
    }

    /// A logarithmic axis whose places are decimal logarithms, with ends and labels at 1, 2 or 5 times a
    /// power of ten.
    pub(super) fn logarithmic(low: f64, high: f64, label: impl Fn(f64) -> String) -> Self {
        let all = steps(low, high);
        let (first, last) = (all[0], all[all.len() - 1]);
        let few = all.len() <= 8;
        let ticks =
            all.into_iter().filter(|step| few || step.1).map(|(step, _)| (libm::log10(step), label(step)));
        Self::new(libm::log10(first.0), libm::log10(last.0), ticks.collect())
    }

    /// Tiles by rank, with half a step of room at either end.
    pub(super) fn tiles(ranks: std::ops::RangeInclusive<u32>) -> Self {
        let (low, high) = (f64::from(*ranks.start()) - 0.5, f64::from(*ranks.end()) + 0.5);
        let ticks: Vec<_> = ranks.map(|rank| (f64::from(rank), (1_u64 << rank).to_string())).collect();
        let kept = ticks.iter().position(|(_, tile)| tile == "2048").unwrap_or(0);
        Self { kept, ..Self::new(low, high, ticks) }
    }

    /// From one place to another, with the labels between.
    pub(super) fn between(mut self, low: f64, high: f64) -> Self {
        (self.low, self.high) = (low, high);
        self.ticks.retain(|(at, _)| *at >= low && *at <= high);
        self
    }

    /// Round numbers between the least and the greatest of the data, with a little room beyond both.
    pub(super) fn around(low: f64, high: f64, count: usize) -> Self {
        let room = ((high - low) * 0.05).max(1.0);
        let low = if low > 0.0 { (low - room).max(0.0) } else { low - room };
        Self::numbers(low, high + room, count).between(low, high + room)
    }

    /// Round numbers as [`Scale::numbers`] has them, with as many decimals as they need.
    pub(super) fn short(low: f64, high: f64, count: usize) -> Self {
        let mut scale = Self::numbers(low, high, count);
        scale.ticks.iter_mut().for_each(|(at, label)| *label = short(*at));
        scale
    }

    /// With whole numbers only.
    pub(super) fn whole(mut self) -> Self {
        self.ticks.retain(|(at, _)| at.fract() == 0.0);
        self
    }

    /// Without lines across the plot.
    pub(super) fn plain(self) -> Self {
        Self { grid: false, ..self }
    }

    /// With smaller labels.
    pub(super) fn tiny(self) -> Self {
        Self { kind: Type::TINY, ..self }
    }

    /// The widest label.
    pub(super) fn width(&self) -> f64 {
        self.ticks.iter().map(|(_, label)| self.kind.width(label)).fold(0.0, f64::max)
    }

    /// Labels that do not touch: all of them, or every second, third …, with the middles of their places.
    fn labels(&self, place: impl Fn(f64) -> f64, end: f64) -> Vec<(f64, &str)> {
        let all: Vec<_> = self
            .ticks
            .iter()
            .map(|(at, label)| {
                let half = self.kind.width(label) / 2.0;
                (place(*at).min(end - half), half, label.as_str())
            })
            .collect();
        for every in 1..=all.len() {
            let some: Vec<_> = all
                .iter()
                .enumerate()
                .filter(|(i, _)| i % every == self.kept % every)
                .map(|(_, x)| x)
                .collect();
            if some.windows(2).all(|pair| pair[0].0 + pair[0].1 + 4.0 <= pair[1].0 - pair[1].1) {
                return some.into_iter().map(|(x, _, label)| (*x, *label)).collect();
            }
        }
        Vec::new()
    }
}

fn label(number: f64) -> String {
    if number == number.trunc() { thousands(number) } else { decimal(number, 1) }
}

/// Draws the grid and the labels of the horizontal axis below a plot; returns where they end.
pub(super) fn horizontal(sheet: &Sheet, plot: &Plot, frame: Frame, scale: &Scale, name: &str) -> f64 {
    let place = |at: f64| position(plot, at, 0.0).0;
    for (at, _) in scale.ticks.iter().filter(|_| scale.grid) {
        sheet.line(&[(place(*at), frame.top), (place(*at), frame.bottom)], Pen::new(GRID, 1.0));
    }
    for (x, label) in scale.labels(place, sheet.width - 4.0) {
        sheet.text((x, frame.bottom + 7.0), label, scale.kind.middle().below());
    }
    sheet.line(&[(frame.left, frame.bottom), (frame.right, frame.bottom)], Pen::new(AXIS, 1.0));
    let labels = frame.bottom + 7.0 + scale.kind.line();
    if name.is_empty() {
        return labels;
    }
    sheet.text(((frame.left + frame.right) / 2.0, labels + 4.0), name, Type::LABEL.middle().below());
    labels + 4.0 + Type::LABEL.line()
}

/// Repeats the labels of the horizontal axis above a plot.
pub(super) fn above(sheet: &Sheet, plot: &Plot, frame: Frame, scale: &Scale) {
    for (x, label) in scale.labels(|at| position(plot, at, 0.0).0, sheet.width - 4.0) {
        sheet.text((x, frame.top - 3.0), label, scale.kind.middle().above());
    }
}

/// Draws the grid of the vertical axis across a frame that shares it with a plot, without labels.
pub(super) fn rules(sheet: &Sheet, plot: &Plot, frame: Frame, scale: &Scale) {
    for (at, _) in &scale.ticks {
        let (_, y) = position(plot, 0.0, *at);
        sheet.line(&[(frame.left, y), (frame.right, y)], Pen::new(GRID, 1.0));
    }
}

/// Draws the grid and the labels of the vertical axis at the left of a plot.
pub(super) fn vertical(sheet: &Sheet, plot: &Plot, frame: Frame, scale: &Scale, name: &str) {
    for (at, label) in &scale.ticks {
        let (_, y) = position(plot, 0.0, *at);
        sheet.line(&[(frame.left, y), (frame.right, y)], Pen::new(GRID, 1.0));
        sheet.text((frame.left - 7.0, y), label, Type::SMALL.end());
    }
    if !name.is_empty() {
        let x = frame.left - 7.0 - scale.width() - 14.0;
        sheet.text((x, (frame.top + frame.bottom) / 2.0), name, Type::LABEL.middle().upwards());
    }
}

/// The room that the labels and the name of a vertical axis take.
pub(super) fn room(scale: &Scale, named: bool) -> f64 {
    scale.width() + 7.0 + if named { 22.0 } else { 0.0 }
}
