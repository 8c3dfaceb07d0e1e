//! Distributions of scores as curves: for each score the share of games that end with at most that score, or
//! with more. Few curves share a plot; of many, each has a small plot of its own, before all others in grey.

use stats::{Rate, rate};

use super::{Content, FigureContext, PlayedExperiment, of_experiments};
use crate::Paint;
use crate::axis::{Axis, Grid};
use crate::legend::{LegendKey, Swatch};
use crate::numbers::{counted, thousands};
use crate::sheet::{MARGIN, Plot, Sheet};
use crate::style::{BLUE, Hatch, INTERVAL, Pen, RULE, Type, look};

/// Steps of a curve, at most.
const STEPS: usize = 160;
/// The most curves that can be told apart in one plot.
const TOGETHER: usize = 6;

of_experiments! {
    /// The share of games up to each score.
    EcdfKeys, "ecdf", |shown: &[PlayedExperiment<'_>], _: &dyn FigureContext| {
        Some(Tail::UpTo.content(shown, "The share of games up to each score"))
    }
}

of_experiments! {
    /// The share of games with more than each score: performance profiles.
    ProfilesKeys, "profiles", |shown: &[PlayedExperiment<'_>], _: &dyn FigureContext| {
        Some(Tail::Above.content(shown, "The share of games with more than each score"))
    }
}

impl Tail {
    fn content(self, shown: &[PlayedExperiment<'_>], what: &str) -> (String, Ecdf) {
        let description = format!("{what}, for {}.", counted(shown.len() as u64, "experiment"));
        let series =
            |played: &PlayedExperiment<'_>| EcdfSeries { label: played.label(), scores: played.scores() };
        let series = shown.iter().map(series).collect();
        (description, Ecdf { series, axis: "score", tail: self })
    }
}

/// Places at which the curves behind are taken.
const BEHIND: usize = 16;
/// Places at which an interval is taken.
const BAND: usize = 32;

/// One curve.
#[derive(Clone, Debug)]
pub struct EcdfSeries {
    /// The agent's or the experiment's name.
    pub label: String,
    /// Scores, in any order.
    pub scores: Vec<u64>,
}

/// Which games a curve counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tail {
    /// Those that end with at most a score: the empirical distribution.
    UpTo,
    /// Those that end with more: a performance profile, with the interval of every share.
    Above,
}

/// Distributions of up to 15 agents.
#[derive(Clone, Debug)]
pub struct Ecdf {
    /// The curves.
    pub series: Vec<EcdfSeries>,
    /// What is measured: "score".
    pub axis: &'static str,
    /// Which games are counted.
    pub tail: Tail,
}

impl Paint for Ecdf {
    fn paint(&self, sheet: &Sheet, top: f64) -> Option<f64> {
        self.series.iter().find(|one| !one.scores.is_empty())?;
        let is_apart = self.series.len() > TOGETHER || self.tail == Tail::Above;
        Some(if is_apart { self.paint_apart(sheet, top) } else { self.paint_together(sheet, top) })
    }
}

impl Ecdf {
    fn paint_together(&self, sheet: &Sheet, top: f64) -> f64 {
        let key = |index: usize| {
            let EcdfSeries { label, scores } = &self.series[index];
            Swatch::Line(look(index)).named(format!("{label} ({})", counted(scores.len() as u64, "game")))
        };
        let keys: Vec<LegendKey> = self.order().into_iter().map(key).collect();
        let top = sheet.legend(&keys, top) + 10.0;
        let name = self.name();
        let axes = [(&self.scale(), name.as_str()), (&Axis::shares(5), "share of games at or below")];
        let (plot, bottom) = sheet.chart(top, sheet.end(), 380.0, axes);
        let place = self.place();
        for (index, series) in self.series.iter().enumerate() {
            self.paint_curve(&plot, index, &series.sorted(), place);
        }
        bottom
    }

    /// Whether the agents differ so much that a linear axis would press the weaker ones together.
    fn is_logarithmic(&self) -> bool {
        let medians = || self.series.iter().map(EcdfSeries::median);
        medians().max() > medians().min().map(|least| least.max(1) * 5)
    }

    fn name(&self) -> String {
        format!("{}{}", self.axis, if self.is_logarithmic() { " (logarithmic)" } else { "" })
    }

    fn scale(&self) -> Axis {
        let greatest =
            self.series.iter().flat_map(|one| &one.scores).max().copied().unwrap_or(1).max(1) as f64;
        if !self.is_logarithmic() {
            return Axis::numbers(0.0, greatest, 5);
        }
        // The lowest hundredth of the weakest agent's games may lie below the axis.
        let lows =
            self.series.iter().map(|one| one.sorted().get(one.scores.len() / 100).copied().unwrap_or(1));
        let axis = Axis::logarithmic(lows.min().unwrap_or(1).max(1) as f64, greatest, thousands);
        let low = axis.low;
        axis.between(low, libm::log10(greatest))
    }

    /// Where a score lies on the axis.
    fn place(&self) -> fn(f64) -> f64 {
        if self.is_logarithmic() { |score| libm::log10(score.max(1.0)) } else { |score| score }
    }

    /// The curves from right to left.
    fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.series.len()).collect();
        order.sort_by_key(|index| (std::cmp::Reverse(self.series[*index].median()), *index));
        order
    }

    fn paint_curve(&self, plot: &Plot<'_>, index: usize, sorted: &[u64], place: fn(f64) -> f64) {
        let look = look(index);
        plot.line(steps(sorted).into_iter().map(|(score, share)| (place(score), share)), look.pen(1.7));
        // Each curve has its marks at heights of its own, so that marks of neighbours stand apart.
        let offset = (index as f64 + 0.5) / self.series.len() as f64 * 0.28;
        for share in [0.04 + offset, 0.36 + offset, 0.68 + offset] {
            let rank = ((share * sorted.len() as f64) as usize).min(sorted.len().saturating_sub(1));
            if let Some(score) = sorted.get(rank) {
                let height = (rank as f64 + 0.5) / sorted.len() as f64;
                plot.mark((place(*score as f64), height), look.mark, 4.0);
            }
        }
    }

    /// A small plot for each curve; the axis of scores stands below each column.
    fn paint_apart(&self, sheet: &Sheet, top: f64) -> f64 {
        let mut keys = vec![Swatch::Stroke(Pen::new(BLUE, 1.8)).named("the method of the plot")];
        if self.tail == Tail::Above {
            keys.push(Swatch::Bar(BLUE.mix(0.25), Hatch::None).named(INTERVAL));
        }
        if self.series.len() > 1 {
            keys.push(Swatch::Stroke(Pen::new(RULE, 2.0)).named("the others"));
        }
        let top = sheet.legend(&keys, top);
        let (shares, scale) = (Axis::shares(3).tiny(), self.scale().plain().tiny());
        let (name, place, order) = (self.name(), self.place(), self.order());
        let behind: Vec<Vec<(f64, f64)>> = order.iter().map(|&index| self.few(index, place)).collect();
        let heading = |index: &usize| vec![(Type::SMALL_INK, self.series[*index].label.clone())];
        let headings: Vec<_> = order.iter().map(heading).collect();
        let grid = Grid { columns: 3, gap: (18.0, 12.0), height: 104.0, left: MARGIN + shares.room() };
        let columns = order.len().min(grid.columns);
        let (what, corner) = match self.tail {
            Tail::UpTo => ("games at or below", (1.0, Type::TINY.end())),
            Tail::Above => ("games above", (0.0, Type::TINY)),
        };
        let bottom = sheet.grid(top, grid, &headings, |panel, frame, is_first| {
            let plot = sheet.plot(frame, scale.range(), 0.0..1.0);
            plot.vertical(&shares, what, is_first);
            if panel + columns >= order.len() {
                plot.horizontal(&scale, &name);
            } else {
                plot.base();
            }
            let others = behind.iter().enumerate().filter(|(other, _)| *other != panel);
            others.for_each(|(_, curve)| plot.line(curve.clone(), Pen::new(RULE, 1.1)));
            let sorted = self.series[order[panel]].sorted();
            if self.tail == Tail::Above {
                plot.patch(band(&sorted, place), BLUE.mix(0.25), None);
            }
            let curve = steps(&sorted).into_iter().map(|(score, share)| (place(score), self.share(share)));
            plot.line(curve, Pen::new(BLUE, 1.8));
            // The number of games stands in the corner that the curve leaves free.
            let games = format!("n = {}", thousands(sorted.len() as f64));
            let x = frame.left + 3.0 + (frame.right - frame.left - 6.0) * corner.0;
            sheet.text((x, frame.bottom - 4.0), &games, corner.1.above());
            frame.bottom
        });
        bottom + 22.0 + Type::LABEL.line()
    }

    fn share(&self, up_to: f64) -> f64 {
        match self.tail {
            Tail::UpTo => up_to,
            Tail::Above => 1.0 - up_to,
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
}

/// The outline of the intervals of the shares above some of the scores.
fn band(sorted: &[u64], place: fn(f64) -> f64) -> Vec<(f64, f64)> {
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

impl EcdfSeries {
    fn sorted(&self) -> Vec<u64> {
        let mut scores = self.scores.clone();
        scores.sort_unstable();
        scores
    }

    fn median(&self) -> u64 {
        self.sorted().get(self.scores.len() / 2).copied().unwrap_or(0)
    }
}

/// The corners of the curve, thinned out where a step would be narrower than a line.
fn steps(sorted: &[u64]) -> Vec<(f64, f64)> {
    let n = sorted.len();
    let every = n.div_ceil(STEPS).max(1);
    let mut points = vec![(0.0, 0.0)];
    for index in (0..n).filter(|index| (index + 1) % every == 0 || index + 1 == n) {
        let score = sorted[index] as f64;
        let below = points.last().map_or(0.0, |(_, share)| *share);
        points.push((score, below));
        points.push((score, (index + 1) as f64 / n as f64));
    }
    points
}
