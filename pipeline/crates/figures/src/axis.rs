//! Axes: a light grid, labels beside it and the name of what is measured; and plots with axes, alone or in
//! rows.

use std::ops::Range;

use super::layout::{Frame, fit_lines};
use super::numbers::{percent, short, steps, ticks};
use super::sheet::{MARGIN, Plot, Sheet};
use super::style::{AXIS, GRID, Pen, Type};

/// Places on an axis, each with its label.
pub(super) struct Axis {
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) ticks: Vec<(f64, String)>,
    /// The place whose label stays when there is no room for all.
    kept: usize,
    grid: bool,
    kind: Type,
}

impl Axis {
    pub(super) fn new(low: f64, high: f64, ticks: Vec<(f64, String)>) -> Self {
        Self { low, high, ticks, kept: 0, grid: true, kind: Type::SMALL }
    }

    /// Round numbers around `low..high`; the axis ends at the data rather than at a round number above.
    pub(super) fn numbers(low: f64, high: f64, count: usize) -> Self {
        let all = ticks(low, high, count);
        let first = all[0].min(low);
        let ticks = all.into_iter().filter(|tick| *tick <= high).map(|tick| (tick, short(tick)));
        Self::new(first, high, ticks.collect())
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

    pub(super) fn range(&self) -> Range<f64> {
        self.low..self.high
    }

    /// The widest label.
    fn width(&self) -> f64 {
        self.kind.widest(self.ticks.iter().map(|(_, label)| label))
    }

    /// The room that the labels and the name of a vertical axis take.
    pub(super) fn room(&self) -> f64 {
        self.width() + 29.0
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

impl Plot<'_> {
    /// Draws the grid and the labels of the horizontal axis below the plot; returns where they end.
    pub(super) fn horizontal(&self, axis: &Axis, name: &str) -> f64 {
        let Self { sheet, frame, .. } = self;
        let place = |at: f64| self.at(at, 0.0).0;
        for (at, _) in axis.ticks.iter().filter(|_| axis.grid) {
            sheet.line(&[(place(*at), frame.top), (place(*at), frame.bottom)], Pen::new(GRID, 1.0));
        }
        for (x, label) in axis.labels(place, sheet.width - 4.0) {
            sheet.text((x, frame.bottom + 7.0), label, axis.kind.middle().below());
        }
        self.base();
        let labels = frame.bottom + 7.0 + axis.kind.line();
        if name.is_empty() {
            return labels;
        }
        sheet.text((frame.middle().0, labels + 4.0), name, Type::LABEL.middle().below());
        labels + 4.0 + Type::LABEL.line()
    }

    /// Draws the line of the horizontal axis.
    pub(super) fn base(&self) {
        let Frame { left, right, bottom, .. } = self.frame;
        self.sheet.line(&[(left, bottom), (right, bottom)], Pen::new(AXIS, 1.0));
    }

    /// Repeats the labels of the horizontal axis above the plot.
    pub(super) fn above(&self, axis: &Axis) {
        for (x, label) in axis.labels(|at| self.at(at, 0.0).0, self.sheet.width - 4.0) {
            self.sheet.text((x, self.frame.top - 3.0), label, axis.kind.middle().above());
        }
    }

    /// Draws the grid of the vertical axis across a frame beside the plot or the plot itself.
    pub(super) fn rules(&self, axis: &Axis, frame: Frame) {
        for (at, _) in &axis.ticks {
            let (_, y) = self.at(0.0, *at);
            self.sheet.line(&[(frame.left, y), (frame.right, y)], Pen::new(GRID, 1.0));
        }
    }

    /// Draws the grid of the vertical axis; its labels and its name stand at the left of the first plot only.
    pub(super) fn vertical(&self, axis: &Axis, name: &str, is_first: bool) {
        let Self { sheet, frame, .. } = self;
        self.rules(axis, *frame);
        if !is_first {
            return;
        }
        for (at, label) in &axis.ticks {
            sheet.text((frame.left - 7.0, self.at(0.0, *at).1), label, Type::SMALL.end());
        }
        let x = frame.left - 7.0 - axis.width() - 14.0;
        sheet.text((x, frame.middle().1), name, Type::LABEL.middle().upwards());
    }
}

impl Sheet {
    /// A plot of this height with both of its axes, from the left edge up to `right`; and where they end.
    pub(super) fn chart(
        &self,
        top: f64,
        right: f64,
        height: f64,
        [(x, x_name), (y, y_name)]: [(&Axis, &str); 2],
    ) -> (Plot<'_>, f64) {
        let plot = self.plot(Frame::new(MARGIN + y.room(), top, right, top + height), x.range(), y.range());
        plot.vertical(y, y_name, true);
        let bottom = plot.horizontal(x, x_name);
        (plot, bottom)
    }

    /// Small plots that share their vertical axis, in rows, each below its heading: `paint` draws the one of
    /// an index into its frame, which may be the first of its row, and returns where it ends.
    pub(super) fn grid(
        &self,
        top: f64,
        Grid { columns, gap, height, left }: Grid,
        headings: &[Vec<(Type, String)>],
        mut paint: impl FnMut(usize, Frame, bool) -> f64,
    ) -> f64 {
        let columns = headings.len().clamp(1, columns);
        let width = (self.end() - left + gap.0) / columns as f64;
        let wrapped = |heading: &Vec<(Type, String)>| -> Vec<(Type, String)> {
            let lines = |(kind, text): &(Type, String)| {
                let lines = fit_lines(text, kind, width - gap.0).into_iter();
                lines.map(|line| (kind.above(), line)).collect::<Vec<_>>()
            };
            heading.iter().flat_map(lines).collect()
        };
        let headings: Vec<_> = headings.iter().map(wrapped).collect();
        let mut bottom = top - gap.1;
        for (row, headings) in headings.chunks(columns).enumerate() {
            let heights = headings.iter().map(|lines| lines.iter().map(|(kind, _)| kind.line()).sum());
            let top = bottom + gap.1 + heights.fold(0.0, f64::max) + 8.0;
            for (column, lines) in headings.iter().enumerate() {
                let x = left + width * column as f64;
                let frame = Frame::new(x, top, x + width - gap.0, top + height);
                let mut y = top - 5.0;
                for (kind, line) in lines.iter().rev() {
                    self.text((x, y), line, *kind);
                    y -= kind.line();
                }
                bottom = paint(row * columns + column, frame, column == 0).max(bottom);
            }
        }
        bottom
    }
}

/// How small plots stand: the most in a row, the gaps between them, their height, and where a row begins.
#[derive(Clone, Copy)]
pub(super) struct Grid {
    pub(super) columns: usize,
    pub(super) gap: (f64, f64),
    pub(super) height: f64,
    pub(super) left: f64,
}
