//! How a study got on: the best so far and the mean of each batch, and beside them what the best are worth on
//! games that the study never saw. The best of many noisy values is also the luckiest: the gap between the
//! two is its optimism.

use stats::Estimate;

use super::Paint;
use super::axis::{Axis, Grid};
use super::layout::{Frame, steps};
use super::legend::{LegendKey, Swatch};
use super::numbers::{extent, thousands};
use super::sheet::{MARGIN, Plot, Sheet};
use super::style::{
    BLUE, DEFAULT, Dash, GRID, Hatch, INK, INTERVAL, MUTED, Mark, ORANGE, Pen, SHADE, Shape, Type, WINNER,
};
use super::trials::{SCORE, bounded, reach};

/// Batches drawn, at most, in one plot.
const STEPS: usize = 500;
/// Between the winners in the strip of held-out games.
const APART: f64 = 13.0;
/// The part of that strip that belongs to the bracket of the optimism.
const BRACKET: f64 = 24.0;

const BEST_PEN: Pen = Pen::new(BLUE, 2.0);
const MEAN_PEN: Pen = Pen::new(ORANGE, 1.2);

/// A study after one of its batches.
#[derive(Clone, Copy, Debug)]
pub struct ConvergenceStep {
    /// The batch, or whatever else is counted along x.
    pub at: f64,
    /// The in-study value of the best so far.
    pub best: Estimate,
    /// The mean of the batch.
    pub mean: Option<f64>,
}

/// One study.
#[derive(Clone, Debug)]
pub struct ConvergencePanel {
    /// What it is called among the others.
    pub label: String,
    /// By rising batch.
    pub steps: Vec<ConvergenceStep>,
    /// Held-out values of its winners, the best of the study first.
    pub winners: Vec<Estimate>,
    /// The held-out value of the default parameters.
    pub default: Option<Estimate>,
}

/// How some studies got on.
#[derive(Clone, Debug)]
pub struct Convergence {
    /// The studies.
    pub panels: Vec<ConvergencePanel>,
    /// What is counted: "iteration".
    pub across: String,
}

impl Paint for Convergence {
    fn paint(&self, sheet: &Sheet, top: f64) -> Option<f64> {
        self.shown().first()?;
        let top = sheet.legend(&self.keys(), top) + 4.0;
        let panels = self.shown();
        let last = panels.iter().flat_map(|panel| &panel.steps).map(|step| step.at).fold(1.0, f64::max);
        let (low, high) = extent(panels.iter().flat_map(|panel| panel.numbers())).unwrap_or((0.0, 1.0));
        // A study of one batch has it in the middle.
        let across = Axis::numbers(0.0, if last == 1.0 { 2.0 } else { last }, 5).whole();
        let scores = Axis::around(low, high, 6);
        let height = if panels.len() == 1 { 290.0 } else { 220.0 };
        let grid = Grid { columns: 2, gap: (26.0, 14.0), height, left: MARGIN + scores.room() };
        let headings: Vec<_> = panels.iter().map(|panel| panel.heading()).collect();
        let bottom = sheet.grid(top, grid, &headings, |index, frame, is_first| {
            let panel = panels[index];
            let strip = Frame { left: frame.right - panel.strip_width(), ..frame };
            let frame = Frame { right: strip.left - if panel.is_held_out() { 6.0 } else { 0.0 }, ..frame };
            if panel.is_held_out() {
                sheet.bar(strip, SHADE, Hatch::None);
            }
            let plot = sheet.plot(frame, across.range(), scores.range());
            plot.vertical(&scores, SCORE, is_first);
            let bottom = plot.horizontal(&across, &self.across);
            panel.paint_lines(&plot, &scores);
            panel.paint_single(&plot);
            if panel.is_held_out() {
                panel.paint_strip(&plot, strip, &scores);
            }
            bottom
        });
        Some(bottom)
    }
}

impl Convergence {
    fn shown(&self) -> Vec<&ConvergencePanel> {
        self.panels.iter().filter(|panel| !panel.steps.is_empty()).collect()
    }

    fn keys(&self) -> Vec<LegendKey> {
        let panels = self.shown();
        let mut keys = vec![
            Swatch::Stroke(BEST_PEN).named("best so far, as the study saw it"),
            Swatch::Bar(BLUE.mix(0.2), Hatch::None).named(format!("its {INTERVAL}")),
        ];
        if panels.iter().flat_map(|panel| &panel.steps).any(|step| step.mean.is_some()) {
            keys.push(Swatch::Stroke(MEAN_PEN).named(format!("mean of each {}", self.across)));
        }
        if panels.iter().any(|panel| !panel.winners.is_empty()) {
            keys.push(Swatch::Mark(WINNER).named("best of the study on held-out games"));
        }
        if panels.iter().any(|panel| panel.default.is_some()) {
            keys.push(Swatch::Mark(DEFAULT).named("default on held-out games"));
        }
        keys
    }
}

impl ConvergencePanel {
    /// All that the axis of scores has to hold. Of the intervals it is only the last one: those of the first
    /// batches may reach far.
    fn numbers(&self) -> Vec<f64> {
        let steps =
            self.steps.iter().flat_map(|step| [Some(step.best.point), step.mean].into_iter().flatten());
        let steps = steps.chain(self.steps.last().into_iter().flat_map(|step| reach(&step.best)));
        let held_out = self.winners.iter().chain(&self.default).flat_map(reach);
        steps.chain(held_out).collect()
    }

    fn is_held_out(&self) -> bool {
        !self.winners.is_empty() || self.default.is_some()
    }

    /// Its name, and its outcome.
    fn heading(&self) -> Vec<(Type, String)> {
        vec![(Type::SMALL_INK.strong(), self.label.clone()), (Type::TINY, self.outcome())]
    }

    fn outcome(&self) -> String {
        let Some(best) = self.steps.last().map(|step| step.best) else { return String::new() };
        let found = thousands(best.point);
        match self.winners.first() {
            Some(winner) => format!(
                "{found} in the study, {} on held-out games: optimism {}",
                thousands(winner.point),
                thousands(best.point - winner.point)
            ),
            None => format!("{found} in the study, not yet played on held-out games"),
        }
    }

    /// The steps that are drawn: every one, or every second, third …
    fn drawn(&self) -> Vec<&ConvergenceStep> {
        let every = self.steps.len().div_ceil(STEPS).max(1);
        let kept =
            |place: usize| (place + 1).is_multiple_of(every) || place == 0 || place + 1 == self.steps.len();
        self.steps.iter().enumerate().filter(|(place, _)| kept(*place)).map(|(_, step)| step).collect()
    }

    fn paint_lines(&self, plot: &Plot<'_>, scores: &Axis) {
        let drawn = self.drawn();
        let band = |end: fn((f64, f64)) -> f64| {
            let ends = drawn.iter().filter_map(|step| Some((step.at, end(bounded(&step.best)?))));
            steps(ends.map(|(at, end)| (at, end.clamp(scores.low, scores.high))))
        };
        let outline = band(|(low, _)| low).into_iter().chain(band(|(_, high)| high).into_iter().rev());
        plot.patch(outline, BLUE.mix(0.2), None);
        plot.line(drawn.iter().filter_map(|step| Some((step.at, step.mean?))), MEAN_PEN);
        plot.line(steps(drawn.iter().map(|step| (step.at, step.best.point))), BEST_PEN);
    }

    /// The only batch, of which there is no line.
    fn paint_single(&self, plot: &Plot<'_>) {
        let [step] = self.steps.as_slice() else { return };
        if let Some(interval) = bounded(&step.best) {
            plot.whisker(step.at, interval, Pen::new(BLUE, 1.4));
        }
        plot.mark((step.at, step.best.point), Mark::new(Shape::Circle, BLUE), 4.0);
        if let Some(mean) = step.mean {
            plot.mark((step.at, mean), Mark::new(Shape::Circle, ORANGE), 4.0);
        }
    }

    fn strip_width(&self) -> f64 {
        if !self.is_held_out() {
            return 0.0;
        }
        let winners = APART * self.winners.len() as f64;
        let default = if self.default.is_some() { Type::TINY.width("default") + 8.0 } else { 0.0 };
        (BRACKET + 6.0 + winners + default).max(Type::LABEL.width("held out") + 4.0)
    }

    /// The held-out values, each in a column of its own, and the bracket of the optimism.
    fn paint_strip(&self, plot: &Plot<'_>, strip: Frame, scores: &Axis) {
        let sheet = plot.sheet;
        plot.rules(scores, strip);
        sheet.line(&[(strip.left, strip.bottom), (strip.right, strip.bottom)], Pen::new(GRID, 1.0));
        let height = |score: f64| plot.at(0.0, score).1;
        let column = |place: usize| strip.left + BRACKET + 6.0 + APART * (place as f64 + 0.5);
        if let Some((last, winner)) = self.steps.last().zip(self.winners.first()) {
            let seen = plot.at(last.at, last.best.point);
            self.paint_optimism(sheet, strip, seen, (column(0), height(winner.point)));
        }
        let below = strip.bottom + 7.0;
        let point = |x: f64, value: &Estimate, mark: Mark, name: &str| {
            if let Some((low, high)) = bounded(value) {
                sheet.whisker((x, height(low)), (x, height(high)), Pen::new(mark.color, 1.4));
            }
            sheet.mark((x, height(value.point)), mark, 4.0);
            sheet.text((x, below), name, Type::TINY.middle().below());
        };
        for (place, winner) in self.winners.iter().enumerate() {
            point(column(place), winner, WINNER, &(place + 1).to_string());
        }
        if let Some(default) = &self.default {
            point(strip.right - 4.0 - Type::TINY.width("default") / 2.0, default, DEFAULT, "default");
        }
        let name = (strip.middle().0, below + Type::SMALL.line() + 4.0);
        sheet.text(name, "held out", Type::LABEL.middle().below());
    }

    /// A bracket from what the study saw to what its best is worth.
    fn paint_optimism(&self, sheet: &Sheet, strip: Frame, seen: (f64, f64), worth: (f64, f64)) {
        let x = strip.left + BRACKET - 3.0;
        let thin = Pen::new(MUTED, 0.9).dashed(Dash::Dots);
        sheet.line(&[seen, (x, seen.1)], thin);
        sheet.line(&[(x, worth.1), worth], thin);
        let gap = (seen.1 - worth.1).abs();
        if gap >= 4.0 {
            sheet.whisker((x, seen.1), (x, worth.1), Pen::new(INK, 1.3));
        }
        if gap >= Type::TINY.width("optimism") + 4.0 {
            let middle = (seen.1 + worth.1) / 2.0;
            sheet.text((x - 9.0, middle), "optimism", Type::TINY.colored(INK).middle().upwards());
        }
    }
}
