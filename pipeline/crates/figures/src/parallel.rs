//! Parallel coordinates: an upright axis for each parameter and one for the score, a line for each trial; the
//! best tenth is dark.

use super::layout::Frame;
use super::legend::{Key, Swatch};
use super::numbers::{extent, thousands};
use super::sheet::{MARGIN, Sheet, render};
use super::style::{AXIS, BLUE, Dash, INK, PAPER, Pen, RULE, Type, WIDTH};
use super::trials::{DEFAULT, Parameter, Shown, Tried, WINNER, drawn_of, numbers, thinned};
use super::{Draw, Drawing, Figure, FigureError};

/// Lines drawn, at most, of the best tenth and of the others.
const BEST: usize = 40;
const OTHERS: usize = 64;

/// The trials of a study across all of its parameters.
#[derive(Clone, Debug)]
pub struct Parallel {
    /// The parameters, from left to right; the score stands at the end.
    pub parameters: Vec<Parameter>,
    /// All trials that did not fault.
    pub trials: Vec<Tried>,
    /// The default.
    pub default: Option<Shown>,
    /// The best of the study.
    pub winner: Option<Shown>,
    /// What is measured: "average score".
    pub axis: String,
}

impl Draw for Parallel {
    fn draw(&self, figure: &Figure) -> Result<Drawing, FigureError> {
        figure.check(numbers(&self.parameters, &self.trials, self.default.iter().chain(&self.winner)))?;
        render(figure, WIDTH, |sheet, top| self.paint(sheet, top))
    }
}

/// Where the axes stand.
struct Axes {
    top: f64,
    bottom: f64,
    places: Vec<f64>,
    scores: (f64, f64),
}

impl Parallel {
    fn paint(&self, sheet: &Sheet, top: f64) -> f64 {
        let (best, others) = self.split();
        let top = sheet.remarks(&self.remarks(&best, &others), top);
        let top = sheet.legend(&self.keys(), top) + 6.0;
        let axes = self.axes(sheet, top);
        for (trials, most, pen) in [(&others, OTHERS, others_pen()), (&best, BEST, best_pen())] {
            for (number, trial) in chosen(trials, most).into_iter().enumerate() {
                sheet.line(&self.line(&axes, trial, number), pen);
            }
        }
        let shown = [(&self.default, default_pen()), (&self.winner, winner_pen())];
        for (shown, pen) in shown.into_iter().filter_map(|(shown, pen)| Some((shown.as_ref()?, pen))) {
            for stretch in self.stretches(&axes, shown) {
                sheet.line(&stretch, pen);
            }
        }
        self.paint_axes(sheet, &axes)
    }

    /// The best tenth of the trials, and the others, each in the order of the study. Equal scores: the
    /// earlier is better.
    fn split(&self) -> (Vec<&Tried>, Vec<&Tried>) {
        let mut order: Vec<usize> = (0..self.trials.len()).collect();
        order.sort_by(|a, b| self.trials[*b].score.total_cmp(&self.trials[*a].score).then(a.cmp(b)));
        let (best, others) = order.split_at_mut(self.trials.len().div_ceil(10));
        best.sort_unstable();
        others.sort_unstable();
        let of = |places: &[usize]| places.iter().map(|place| &self.trials[*place]).collect();
        (of(best), of(others))
    }

    fn remarks(&self, best: &[&Tried], others: &[&Tried]) -> String {
        let (some_best, some_others) = (chosen(best, BEST).len(), chosen(others, OTHERS).len());
        format!(
            "A line is a trial. Best tenth: {} drawn; others: {} drawn.",
            drawn_of(some_best, best.len()),
            drawn_of(some_others, others.len())
        )
    }

    fn keys(&self) -> Vec<Key> {
        let mut keys = vec![
            Key::new(Swatch::Stroke(best_pen()), "best tenth, by its score in the study"),
            Key::new(Swatch::Stroke(others_pen()), "others"),
        ];
        let held_out = |shown: &Shown| if shown.score.is_some() { " (score on held-out games)" } else { "" };
        for (shown, pen) in [(&self.winner, winner_pen()), (&self.default, default_pen())] {
            keys.extend(
                shown.as_ref().map(|shown| {
                    Key::new(Swatch::Stroke(pen), format!("{}{}", shown.label, held_out(shown)))
                }),
            );
        }
        keys
    }

    fn names(&self) -> Vec<String> {
        self.parameters.iter().map(Parameter::title).chain([self.axis.clone()]).collect()
    }

    fn axes(&self, sheet: &Sheet, top: f64) -> Axes {
        let names = self.names();
        let half = |name: &String| Type::SMALL_INK.strong().width(name) / 2.0;
        let ends = self.parameters.iter().map(Parameter::end_labels).flat_map(|(low, high)| [low, high]);
        let first = ends.take(2).map(|label| Type::TINY.width(&label) / 2.0).fold(12.0, f64::max);
        let left = MARGIN + names.first().map_or(0.0, half).clamp(first, 60.0);
        let right = sheet.width - MARGIN - names.last().map_or(0.0, half).clamp(24.0, 60.0);
        let step = (right - left) / self.parameters.len().max(1) as f64;
        let places: Vec<_> = (0..names.len()).map(|place| left + step * place as f64).collect();
        let rows = name_rows(&names, &places, sheet.width).iter().map(|(row, _)| row + 1).max().unwrap_or(1);
        let held_out = self.default.iter().chain(&self.winner).filter_map(|shown| shown.score);
        let scores = self.trials.iter().map(|trial| trial.score).chain(held_out.map(|score| score.point));
        let scores = extent(scores).unwrap_or((0.0, 1.0));
        let top = top + NAME_ROW * rows as f64 + 20.0;
        Axes { top, bottom: top + 250.0, places, scores }
    }

    /// Where a score lies on its axis.
    fn score(&self, axes: &Axes, score: f64) -> f64 {
        height(axes, score, axes.scores)
    }

    fn line(&self, axes: &Axes, trial: &Tried, number: usize) -> Vec<(f64, f64)> {
        let values = self.parameters.iter().zip(&trial.values);
        let heights =
            values.map(|(parameter, value)| height(axes, parameter.spread(*value, number), ends(parameter)));
        axes.places.iter().copied().zip(heights.chain([self.score(axes, trial.score)])).collect()
    }

    /// The line of a named point, in several stretches where a value has no place on its axis.
    fn stretches(&self, axes: &Axes, shown: &Shown) -> Vec<Vec<(f64, f64)>> {
        let values = self.parameters.iter().zip(&shown.values).map(|(parameter, value)| {
            let value = value.filter(|value| parameter.holds(*value))?;
            Some(height(axes, parameter.place(value), ends(parameter)))
        });
        let score = shown.score.map(|score| self.score(axes, score.point));
        let heights: Vec<_> = axes.places.iter().copied().zip(values.chain([score])).collect();
        let known = heights.split(|(_, height)| height.is_none());
        known.map(|stretch| stretch.iter().filter_map(|(x, y)| Some((*x, (*y)?))).collect()).collect()
    }

    fn paint_axes(&self, sheet: &Sheet, axes: &Axes) -> f64 {
        let names = self.names();
        let (low, high) = axes.scores;
        let scores = (thousands(low), thousands(high));
        let labels = self.parameters.iter().map(Parameter::end_labels).chain([scores]);
        for (place, (x, (low, high))) in axes.places.iter().zip(labels).enumerate() {
            sheet.line(&[(*x, axes.top), (*x, axes.bottom)], Pen::new(AXIS, 1.2));
            if let Some(parameter) = self.parameters.get(place).filter(|parameter| parameter.chosen()) {
                paint_choices(sheet, axes, *x, parameter);
            } else {
                sheet.text((*x, axes.top - 5.0), &high, Type::TINY.middle().above());
                sheet.text((*x, axes.bottom + 5.0), &low, Type::TINY.middle().below());
            }
        }
        for ((row, x), name) in name_rows(&names, &axes.places, sheet.width).into_iter().zip(&names) {
            let y = axes.top - 22.0 - NAME_ROW * row as f64;
            sheet.text((x, y), name, Type::SMALL_INK.strong().middle().above());
        }
        axes.bottom + 5.0 + Type::TINY.line()
    }
}

/// The places at the ends of an upright axis: choices take a stretch of it each.
fn ends(parameter: &Parameter) -> (f64, f64) {
    if !parameter.chosen() {
        return parameter.ends();
    }
    let scale = parameter.scale();
    (scale.low, scale.high)
}

/// The names of choices, each on the axis where its lines cross it.
fn paint_choices(sheet: &Sheet, axes: &Axes, x: f64, parameter: &Parameter) {
    for (place, name) in parameter.ticks() {
        let (y, half) = (height(axes, place, ends(parameter)), Type::TINY.width(&name) / 2.0);
        let around = Frame::new(x - half - 3.0, y - 8.0, x + half + 3.0, y + 8.0);
        sheet.band(around, PAPER);
        sheet.text((x, y), &name, Type::TINY.colored(INK).middle());
    }
}

/// Height of a row of names.
const NAME_ROW: f64 = 16.0;

/// For each name the lowest row above the axes in which it does not touch the one before, and its middle.
fn name_rows(names: &[String], places: &[f64], width: f64) -> Vec<(usize, f64)> {
    let mut ends: Vec<f64> = Vec::new();
    let mut rows = Vec::new();
    for (name, place) in names.iter().zip(places) {
        let half = Type::SMALL_INK.strong().width(name) / 2.0;
        let middle = place.clamp(MARGIN + half, (width - MARGIN - half).max(MARGIN + half));
        let row = ends.iter().position(|end| *end + 8.0 <= middle - half).unwrap_or(ends.len());
        match ends.get_mut(row) {
            Some(end) => *end = middle + half,
            None => ends.push(middle + half),
        }
        rows.push((row, middle));
    }
    rows
}

/// Where a place of an axis lies on the sheet; an axis without extent has all in its middle.
fn height(axes: &Axes, at: f64, (low, high): (f64, f64)) -> f64 {
    let part = if high > low { (at - low) / (high - low) } else { 0.5 };
    axes.bottom - (axes.bottom - axes.top) * part
}

fn chosen<'a>(trials: &[&'a Tried], most: usize) -> Vec<&'a Tried> {
    thinned(trials.len(), most).into_iter().map(|place| trials[place]).collect()
}

/// No line lets through what is below: thousands of crossings would be as many colours, and a large picture.
fn others_pen() -> Pen {
    Pen::new(RULE, 0.8)
}

fn best_pen() -> Pen {
    Pen::new(BLUE, 1.0)
}

fn default_pen() -> Pen {
    Pen::new(DEFAULT.1, 2.0).dashed(Dash::Long)
}

fn winner_pen() -> Pen {
    Pen::new(WINNER.1, 3.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_would_touch_stand_in_different_rows() {
        let names = ["final_monotonicity".to_owned(), "final_smoothness".to_owned(), "a".to_owned()];
        let rows: Vec<_> =
            name_rows(&names, &[100.0, 150.0, 300.0], 720.0).iter().map(|(row, _)| *row).collect();
        assert_eq!(rows, [0, 1, 0]);
    }
}
