//! Distributions of scores as curves: for each score the share of games that end with at most that score, or with more. Few curves share a
//! plot; of many, each has a small plot of its own, before all others in grey.

use super::{Content, FigureContext, PlayedExperiment, of_experiments};
use crate::axis::{self, Scale};
use crate::layout::Frame;
use crate::legend::{self, Key, Swatch};
use crate::numbers::{counted, thousands};
use crate::sheet::{MARGIN, Plot, Sheet, position, render};
use crate::style::{Pen, Type, WIDTH, look};
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
    pub(super) fn logarithmic(&self) -> bool {
        let medians = || self.series.iter().map(EcdfSeries::median);
        medians().max() > medians().min().map(|least| least.max(1) * 5)
    }

    pub(super) fn name(&self, logarithmic: bool) -> String {
        if logarithmic { format!("{} (logarithmic)", self.axis) } else { self.axis.clone() }
    }

    pub(super) fn scale(&self, logarithmic: bool) -> Scale {
        let greatest =
            self.series.iter().flat_map(|one| &one.scores).max().copied().unwrap_or(1).max(1) as f64;
        if !logarithmic {
            return Scale::numbers(0.0, greatest, 5);
        }
        // The lowest hundredth of the weakest agent's games may lie below the axis.
        let lows =
            self.series.iter().map(|one| one.sorted().get(one.scores.len() / 100).copied().unwrap_or(1));
        let scale = Scale::logarithmic(lows.min().unwrap_or(1).max(1) as f64, greatest, thousands);
        scale.until(libm::log10(greatest))
    }

    /// The curves from right to left.
    pub(super) fn order(&self) -> Vec<usize> {
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

    fn paint_curve(
        &self,
        sheet: &Sheet,
        plot: &Plot<'_>,
        index: usize,
        sorted: &[u64],
        place: fn(f64) -> f64,
    ) {
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
}

impl EcdfSeries {
    pub(super) fn sorted(&self) -> Vec<u64> {
        let mut scores = self.scores.clone();
        scores.sort_unstable();
        scores
    }

    fn median(&self) -> u64 {
        self.sorted().get(self.scores.len() / 2).copied().unwrap_or(0)
    }
}

/// The corners of the curve, thinned out where a step would be narrower than a line.
pub(crate) fn steps(sorted: &[u64]) -> Vec<(f64, f64)> {
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
