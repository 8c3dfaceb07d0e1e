//! Distributions of scores as curves: for each score the share of games that end with at most that score, or
//! with more. Few curves share a plot; of many, each has a small plot of its own, before all others in grey.

use stats::{Rate, rate};

use super::{Content, FigureContext, PlayedExperiment, of_experiments};
use crate::axis::{self, Scale};
use crate::layout::{Frame, fit};
use crate::legend::{self, Key, Swatch};
use crate::numbers::{counted, thousands};
use crate::sheet::{MARGIN, Plot, Sheet, position, render};
use crate::style::{AXIS, BLUE, Dash, INTERVAL, Pen, RULE, Type, WIDTH, look};
use crate::{Draw, Drawing, Figure, FigureError};

/// Steps of a curve, at most.
const STEPS: usize = 160;
/// The most curves that can be told apart in one plot.
const TOGETHER: usize = 6;

of_experiments! {
    /// The share of games up to each score.
    EcdfKeys, "ecdf", |shown: &[PlayedExperiment<'_>], _: &dyn FigureContext| {
        Some(Counted::UpTo.content(shown, "The share of games up to each score"))
    }
}

of_experiments! {
    /// The share of games with more than each score: performance profiles.
    ProfilesKeys, "profiles", |shown: &[PlayedExperiment<'_>], _: &dyn FigureContext| {
        Some(Counted::Above.content(shown, "The share of games with more than each score"))
    }
}

impl Counted {
    fn content(self, shown: &[PlayedExperiment<'_>], what: &str) -> (String, Ecdf) {
        let description = format!("{what}, for {}.", counted(shown.len() as u64, "experiment"));
        let series =
            |played: &PlayedExperiment<'_>| EcdfSeries { label: played.label(), scores: played.scores() };
        let series = shown.iter().map(series).collect();
        (description, Ecdf { series, axis: "score".to_owned(), counted: self })
    }
}

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
pub enum Counted {
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
    pub axis: String,
    /// Which games are counted.
    pub counted: Counted,
}

impl Draw for Ecdf {
    fn draw(&self, figure: &Figure) -> Result<Drawing, FigureError> {
        figure.check(
            self.series.iter().filter(|one| !one.scores.is_empty()).map(|one| (one.label.as_str(), vec![])),
        )?;
        let apart = self.series.len() > TOGETHER || self.counted == Counted::Above;
        render(
            figure,
            WIDTH,
            |sheet, top| if apart { self.paint_apart(sheet, top) } else { self.paint(sheet, top) },
        )
    }
}

impl Ecdf {
    fn paint(&self, sheet: &Sheet, top: f64) -> f64 {
        let keys = self.keys();
        let (shares, end) = (Scale::shares(5), sheet.width - MARGIN);
        let split = end - legend::column_width(&keys);
        let left = MARGIN + axis::room(&shares, true);
        let frame = Frame::new(left, top + 16.0, split - 24.0, top + 396.0);
        let logarithmic = self.logarithmic();
        let scale = self.scale(logarithmic);
        let plot = sheet.plot(frame, scale.low..scale.high, 0.0..1.0);
        axis::vertical(sheet, &plot, frame, &shares, "share of games at or below");
        let bottom = axis::horizontal(sheet, &plot, frame, &scale, &self.name(logarithmic));
        let place = if logarithmic { |score: f64| libm::log10(score.max(1.0)) } else { |score: f64| score };
        for (index, series) in self.series.iter().enumerate() {
            self.paint_curve(sheet, &plot, index, &series.sorted(), place);
        }
        sheet.text((end, frame.top - 3.0), "games", Type::SMALL.end().above());
        bottom.max(legend::column(sheet, &keys, split, end, frame.top))
    }

    /// Whether the agents differ so much that a linear axis would press the weaker ones together.
    fn logarithmic(&self) -> bool {
        let medians = || self.series.iter().map(EcdfSeries::median);
        medians().max() > medians().min().map(|least| least.max(1) * 5)
    }

    fn name(&self, logarithmic: bool) -> String {
        if logarithmic { format!("{} (logarithmic)", self.axis) } else { self.axis.clone() }
    }

    fn scale(&self, logarithmic: bool) -> Scale {
        let greatest =
            self.series.iter().flat_map(|one| &one.scores).max().copied().unwrap_or(1).max(1) as f64;
        if !logarithmic {
            return Scale::numbers(0.0, greatest, 5);
        }
        // The lowest hundredth of the weakest agent's games may lie below the axis.
        let lows =
            self.series.iter().map(|one| one.sorted().get(one.scores.len() / 100).copied().unwrap_or(1));
        let scale = Scale::logarithmic(lows.min().unwrap_or(1).max(1) as f64, greatest, thousands);
        let low = scale.low;
        scale.between(low, libm::log10(greatest))
    }

    /// The curves from right to left.
    fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.series.len()).collect();
        order.sort_by_key(|index| (std::cmp::Reverse(self.series[*index].median()), *index));
        order
    }

    /// Entries in the order of the curves from right to left.
    fn keys(&self) -> Vec<(Key, String)> {
        let key = |index: usize| {
            let series = &self.series[index];
            (Key::new(Swatch::Line(look(index)), &*series.label), thousands(series.scores.len() as f64))
        };
        self.order().into_iter().map(key).collect()
    }

    fn paint_curve(&self, sheet: &Sheet, plot: &Plot, index: usize, sorted: &[u64], place: fn(f64) -> f64) {
        let look = look(index);
        let pen = Pen::new(look.color, 1.7).dashed(look.dash);
        let points = steps(sorted).into_iter().map(|(score, share)| (place(score), share));
        plot.line(points, pen);
        // Each curve has its marks at heights of its own, so that marks of neighbours stand apart.
        let offset = (index as f64 + 0.5) / self.series.len() as f64 * 0.28;
        for share in [0.04 + offset, 0.36 + offset, 0.68 + offset] {
            let rank = ((share * sorted.len() as f64) as usize).min(sorted.len().saturating_sub(1));
            if let Some(score) = sorted.get(rank) {
                let height = (rank as f64 + 0.5) / sorted.len() as f64;
                sheet.mark(position(plot, place(*score as f64), height), look.shape, 4.0, look.color, false);
            }
        }
    }

    fn paint_apart(&self, sheet: &Sheet, top: f64) -> f64 {
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

    /// Grid and labels: shares at the left of a row, scores below a column, and the names of both where they
    /// are first.
    fn axes(
        &self,
        sheet: &Sheet,
        plot: &Plot,
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

    fn paint_one(&self, plot: &Plot, index: usize, place: fn(f64) -> f64) {
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
