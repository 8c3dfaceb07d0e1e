//! How a study got on: the best so far and the mean of each batch, and beside them what the best are worth on
//! games that the study never saw. The best of many noisy values is also the luckiest: the gap between the
//! two is its optimism.

use stats::Estimate;

use super::axis::{self, Scale};
use super::layout::{Frame, steps, wrap};
use super::legend::{Key, Swatch};
use super::numbers::{extent, thousands};
use super::sheet::{MARGIN, Plot, Sheet, position, render};
use super::style::{BLUE, Dash, GRID, INK, INTERVAL, MUTED, ORANGE, Pen, SHADE, Shape, Type, WIDTH};
use super::trials::{DEFAULT, WINNER, bounded, reach};
use super::{Draw, Drawing, Figure, FigureError};

/// Small plots side by side.
const COLUMNS: usize = 2;
/// Between them.
const GAP: f64 = 26.0;
/// Batches drawn, at most, in one plot.
const STEPS: usize = 500;
/// Between the winners in the strip of held-out games.
const APART: f64 = 13.0;
/// The part of that strip that belongs to the bracket of the optimism.
const BRACKET: f64 = 24.0;

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
    /// What is measured: "average score".
    pub axis: String,
}

impl Draw for Convergence {
    fn draw(&self, figure: &Figure) -> Result<Drawing, FigureError> {
        let rows = self.panels.iter().filter(|panel| !panel.steps.is_empty());
        figure.check(rows.map(|panel| (panel.label.as_str(), panel.numbers())))?;
        render(figure, WIDTH, |sheet, top| self.paint(sheet, top))
    }
}

/// The two axes that all of the plots share.
struct Axes {
    across: Scale,
    scores: Scale,
}

impl Convergence {
    fn shown(&self) -> Vec<&ConvergencePanel> {
        self.panels.iter().filter(|panel| !panel.steps.is_empty()).collect()
    }

    fn paint(&self, sheet: &Sheet, top: f64) -> f64 {
        let mut top = sheet.legend(&self.keys(), top) + 4.0;
        let axes = self.axes();
        let panels = self.shown();
        let columns = panels.len().min(COLUMNS);
        let left = MARGIN + axis::room(&axes.scores, true);
        let width = (sheet.width - MARGIN - left + GAP) / columns as f64;
        let height = if columns == 1 { 290.0 } else { 220.0 };
        for row in panels.chunks(columns) {
            let head = row.iter().map(|panel| panel.heading_height(width - GAP)).fold(0.0, f64::max);
            let mut bottom = top;
            for (column, panel) in row.iter().enumerate() {
                let x = left + width * column as f64;
                let frame = Frame::new(x, top + head, x + width - GAP, top + head + height);
                panel.paint_heading(sheet, frame);
                bottom = self.paint_panel(sheet, frame, panel, &axes, column == 0).max(bottom);
            }
            top = bottom + 14.0;
        }
        top - 14.0
    }

    fn axes(&self) -> Axes {
        let panels = self.shown();
        let last = panels.iter().flat_map(|panel| &panel.steps).map(|step| step.at).fold(1.0, f64::max);
        let (low, high) = extent(panels.iter().flat_map(|panel| panel.numbers())).unwrap_or((0.0, 1.0));
        // A study of one batch has it in the middle.
        let across = Scale::numbers(0.0, if last == 1.0 { 2.0 } else { last }, 5).whole();
        Axes { across, scores: Scale::around(low, high, 6) }
    }

    fn keys(&self) -> Vec<Key> {
        let panels = self.shown();
        let mut keys = vec![
            Key::new(Swatch::Stroke(best_pen()), "best so far, as the study saw it"),
            Key::new(Swatch::Band(BLUE.mix(0.2)), format!("its {INTERVAL}")),
        ];
        if panels.iter().flat_map(|panel| &panel.steps).any(|step| step.mean.is_some()) {
            keys.push(Key::new(Swatch::Stroke(mean_pen()), format!("mean of each {}", self.across)));
        }
        if panels.iter().any(|panel| !panel.winners.is_empty()) {
            keys.push(Key::new(
                Swatch::Mark(WINNER.0, WINNER.1, false),
                "best of the study on held-out games",
            ));
        }
        if panels.iter().any(|panel| panel.default.is_some()) {
            keys.push(Key::new(Swatch::Mark(DEFAULT.0, DEFAULT.1, true), "default on held-out games"));
        }
        keys
    }

    fn paint_panel(
        &self,
        sheet: &Sheet,
        frame: Frame,
        panel: &ConvergencePanel,
        axes: &Axes,
        first: bool,
    ) -> f64 {
        let strip = Frame { left: frame.right - panel.strip_width(), ..frame };
        let frame = Frame { right: strip.left - if panel.held_out() { 6.0 } else { 0.0 }, ..frame };
        if panel.held_out() {
            sheet.band(strip, SHADE);
        }
        let plot = sheet.plot(frame, axes.across.low..axes.across.high, axes.scores.low..axes.scores.high);
        if first {
            axis::vertical(sheet, &plot, frame, &axes.scores, &self.axis);
        } else {
            axis::rules(sheet, &plot, frame, &axes.scores);
        }
        let bottom = axis::horizontal(sheet, &plot, frame, &axes.across, &self.across);
        panel.paint_lines(&plot, (axes.scores.low, axes.scores.high));
        panel.paint_single(sheet, &plot);
        if panel.held_out() {
            panel.paint_strip(sheet, &plot, strip, &axes.scores);
        }
        bottom
    }
}

fn best_pen() -> Pen {
    Pen::new(BLUE, 2.0)
}

fn mean_pen() -> Pen {
    Pen::new(ORANGE, 1.2)
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

    fn held_out(&self) -> bool {
        !self.winners.is_empty() || self.default.is_some()
    }

    /// The value of the best at the end of the study.
    fn best(&self) -> Option<Estimate> {
        self.steps.last().map(|step| step.best)
    }

    /// Its name, and what came of it.
    fn heading(&self, width: f64) -> [(Type, Vec<String>); 2] {
        const NAME: Type = Type::SMALL_INK.strong().above();
        [
            (NAME, wrap(&self.label, &NAME, width)),
            (Type::TINY.above(), wrap(&self.outcome(), &Type::TINY, width)),
        ]
    }

    fn outcome(&self) -> String {
        let Some(best) = self.best() else { return String::new() };
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

    fn heading_height(&self, width: f64) -> f64 {
        self.heading(width).iter().map(|(kind, lines)| kind.line() * lines.len() as f64).sum::<f64>() + 8.0
    }

    /// Sets the heading so that it ends above the plot.
    fn paint_heading(&self, sheet: &Sheet, frame: Frame) {
        let mut y = frame.top - 5.0;
        for (kind, lines) in self.heading(frame.right - frame.left).into_iter().rev() {
            for line in lines.iter().rev() {
                sheet.text((frame.left, y), line, kind);
                y -= kind.line();
            }
        }
    }

    /// The steps that are drawn: each, or the last of so many.
    fn drawn(&self) -> Vec<&ConvergenceStep> {
        let every = self.steps.len().div_ceil(STEPS).max(1);
        let kept =
            |place: usize| (place + 1).is_multiple_of(every) || place == 0 || place + 1 == self.steps.len();
        self.steps.iter().enumerate().filter(|(place, _)| kept(*place)).map(|(_, step)| step).collect()
    }

    fn paint_lines(&self, plot: &Plot, (low, high): (f64, f64)) {
        let drawn = self.drawn();
        let means: Vec<_> = drawn.iter().filter_map(|step| Some((step.at, step.mean?))).collect();
        let best: Vec<_> = drawn.iter().map(|step| (step.at, step.best.point)).collect();
        let band = |end: fn((f64, f64)) -> f64| {
            let ends = drawn.iter().filter_map(|step| Some((step.at, end(bounded(&step.best)?))));
            steps(ends.map(|(at, end)| (at, end.clamp(low, high))))
        };
        let fill = BLUE.mix(0.2);
        let outline: Vec<_> =
            band(|(low, _)| low).into_iter().chain(band(|(_, high)| high).into_iter().rev()).collect();
        plot.patch(outline, fill, None);
        plot.line(means, mean_pen());
        plot.line(steps(best), best_pen());
    }

    /// The only batch, of which there is no line.
    fn paint_single(&self, sheet: &Sheet, plot: &Plot) {
        let [step] = self.steps.as_slice() else { return };
        let at = |score: f64| position(plot, step.at, score);
        if let Some((low, high)) = bounded(&step.best) {
            sheet.whisker(at(low), at(high), Pen::new(BLUE, 1.4));
        }
        sheet.mark(at(step.best.point), Shape::Circle, 4.0, BLUE, false);
        if let Some(mean) = step.mean {
            sheet.mark(at(mean), Shape::Circle, 4.0, ORANGE, false);
        }
    }

    fn strip_width(&self) -> f64 {
        if !self.held_out() {
            return 0.0;
        }
        let winners = APART * self.winners.len() as f64;
        let default = if self.default.is_some() { Type::TINY.width("default") + 8.0 } else { 0.0 };
        (BRACKET + 6.0 + winners + default).max(Type::LABEL.width("held out") + 4.0)
    }

    /// The held-out values, each in a column of its own, and the bracket of the optimism.
    fn paint_strip(&self, sheet: &Sheet, plot: &Plot, strip: Frame, scores: &Scale) {
        axis::rules(sheet, plot, strip, scores);
        sheet.line(&[(strip.left, strip.bottom), (strip.right, strip.bottom)], Pen::new(GRID, 1.0));
        let height = |score: f64| position(plot, 0.0, score).1;
        let column = |place: usize| strip.left + BRACKET + 6.0 + APART * (place as f64 + 0.5);
        if let Some((best, winner)) = self.best().zip(self.winners.first()) {
            let from =
                (position(plot, self.steps[self.steps.len() - 1].at, best.point).0, height(best.point));
            self.paint_optimism(sheet, strip, from, (column(0), height(winner.point)));
        }
        let below = strip.bottom + 7.0;
        let mark = |x: f64, value: &Estimate, (shape, color): (Shape, _), hollow: bool| {
            if let Some((low, high)) = bounded(value) {
                sheet.whisker((x, height(low)), (x, height(high)), Pen::new(color, 1.4));
            }
            sheet.mark((x, height(value.point)), shape, 4.0, color, hollow);
        };
        for (place, winner) in self.winners.iter().enumerate() {
            mark(column(place), winner, WINNER, false);
            sheet.text((column(place), below), &(place + 1).to_string(), Type::TINY.middle().below());
        }
        if let Some(default) = &self.default {
            let x = strip.right - 4.0 - Type::TINY.width("default") / 2.0;
            mark(x, default, DEFAULT, true);
            sheet.text((x, below), "default", Type::TINY.middle().below());
        }
        let middle = (strip.left + strip.right) / 2.0;
        sheet.text((middle, below + Type::SMALL.line() + 4.0), "held out", Type::LABEL.middle().below());
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
