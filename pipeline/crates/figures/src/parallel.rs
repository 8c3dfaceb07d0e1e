//! Parallel coordinates: an upright axis for each parameter and one for the score, a line for each trial; the
//! best tenth is dark.

use std::sync::Arc;

use super::Paint;
use super::layout::Frame;
use super::legend::Swatch;
use super::numbers::{extent, short};
use super::sheet::{MARGIN, Plot, Sheet};
use super::style::{AXIS, BLUE, DEFAULT, Dash, Hatch, INK, PAPER, Pen, RULE, Type, WINNER};
use super::trials::{
    NamedPoint, ParameterAxis, SCORE, StudyParameter, StudyTrials, TrialPoint, drawn_of, thinned,
};

/// Lines drawn, at most, of the best tenth and of the others.
const BEST: usize = 40;
const OTHERS: usize = 64;

/// No line lets through what is below: thousands of crossings would be as many colours, and a large picture.
const OTHERS_PEN: Pen = Pen::new(RULE, 0.8);
const BEST_PEN: Pen = Pen::new(BLUE, 1.0);
const DEFAULT_PEN: Pen = Pen::new(DEFAULT.color, 2.0).dashed(Dash::Long);
const WINNER_PEN: Pen = Pen::new(WINNER.color, 3.0);

/// The trials of a study across all of its parameters, from left to right; the score stands at the end.
#[derive(Clone, Debug)]
pub struct Parallel(pub Arc<StudyTrials>);

impl Paint for Parallel {
    fn paint(&self, sheet: &Sheet, top: f64) -> Option<f64> {
        self.0.trials.first()?;
        let (best, others) = self.split();
        let drawn = |trials: &[&TrialPoint], most| drawn_of(thinned(trials.len(), most).len(), trials.len());
        let (some_best, some_others) = (drawn(&best, BEST), drawn(&others, OTHERS));
        let remarks =
            format!("A line is a trial. Best tenth: {some_best} drawn; others: {some_others} drawn.");
        let top = sheet.remarks(&remarks, top);
        let mut keys = vec![
            Swatch::Stroke(BEST_PEN).named("best tenth, by its score in the study"),
            Swatch::Stroke(OTHERS_PEN).named("others"),
        ];
        let winner = self.winner();
        let named = [(winner.as_ref(), WINNER_PEN), (self.0.default.as_ref(), DEFAULT_PEN)];
        let named = named.into_iter().filter_map(|(point, pen)| Some((point?, pen)));
        keys.extend(named.clone().map(|(point, pen)| {
            let held_out = if point.score.is_some() { " (score on held-out games)" } else { "" };
            Swatch::Stroke(pen).named(format!("{}{held_out}", point.label))
        }));
        let top = sheet.legend(&keys, top) + 6.0;
        let axes = self.axes();
        let plot = open(sheet, &axes, top);
        for (trials, most, pen) in [(&others, OTHERS, OTHERS_PEN), (&best, BEST, BEST_PEN)] {
            for (number, place) in thinned(trials.len(), most).into_iter().enumerate() {
                let values = trials[place].values.iter().copied().chain([trials[place].score]);
                let points = axes.iter().zip(values).enumerate();
                let height = |axis: &StudyParameter, value| part(axis, axis.spread(value, number));
                plot.line(points.map(|(x, (axis, value))| (x as f64, height(axis, value))), pen);
            }
        }
        // The winner last, and in several stretches where a value has no place on its axis.
        for (point, pen) in named.collect::<Vec<_>>().into_iter().rev() {
            let values = point.values.iter().copied().chain([point.score.map(|score| score.point)]);
            let place = |(x, (axis, value)): (usize, (&StudyParameter, Option<f64>))| {
                let value = value.filter(|value| axis.holds(*value))?;
                Some((x as f64, part(axis, axis.place(value))))
            };
            let points: Vec<Option<(f64, f64)>> = axes.iter().zip(values).enumerate().map(place).collect();
            for stretch in points.split(Option::is_none) {
                plot.line(stretch.iter().flatten().copied(), pen);
            }
        }
        Some(paint_axes(&plot, &axes))
    }
}

impl Parallel {
    /// The best tenth of the trials, and the others, each in the order of the study. Equal scores: the
    /// earlier is better.
    fn split(&self) -> (Vec<&TrialPoint>, Vec<&TrialPoint>) {
        let trials = &self.0.trials;
        let mut order: Vec<usize> = (0..trials.len()).collect();
        order.sort_by(|a, b| trials[*b].score.total_cmp(&trials[*a].score).then(a.cmp(b)));
        let (best, others) = order.split_at_mut(trials.len().div_ceil(10));
        best.sort_unstable();
        others.sort_unstable();
        let of = |places: &[usize]| places.iter().map(|place| &trials[*place]).collect();
        (of(best), of(others))
    }

    /// The best of the winners on held-out games, or the first.
    fn winner(&self) -> Option<NamedPoint> {
        let score = |point: &NamedPoint| point.score.map_or(f64::NEG_INFINITY, |score| score.point);
        let better = |one, other| if score(other) > score(one) { other } else { one };
        let winner = self.0.winners.iter().reduce(better)?.clone();
        let label = if winner.score.is_some() { "best winner" } else { "best of the study" };
        Some(NamedPoint { label: label.to_owned(), ..winner })
    }

    /// The parameters, and the score as one more.
    fn axes(&self) -> Vec<StudyParameter> {
        let held_out = self.0.named().filter_map(|point| point.score).map(|score| score.point);
        let scores = extent(self.0.trials.iter().map(|trial| trial.score).chain(held_out));
        let (low, high) = scores.unwrap_or((0.0, 1.0));
        let score = ParameterAxis::Linear(low.floor(), high.ceil());
        let score = StudyParameter { name: SCORE.to_owned(), axis: score };
        self.0.parameters.iter().cloned().chain([score]).collect()
    }
}

/// Opens the plot below the names: an axis takes one unit of its width, and all of its height.
fn open<'s>(sheet: &'s Sheet, axes: &[StudyParameter], top: f64) -> Plot<'s> {
    let names: Vec<String> = axes.iter().map(StudyParameter::title).collect();
    let half = |name: Option<&String>| name.map_or(0.0, |name| NAME.width(name) / 2.0);
    let labels = match &axes[0].axis {
        ParameterAxis::Linear(from, to) | ParameterAxis::Logarithmic(from, to) => {
            vec![short(*from), short(*to)]
        }
        ParameterAxis::Choices(names) => names.clone(),
    };
    let first = (Type::TINY.widest(labels) / 2.0).max(12.0);
    let left = MARGIN + half(names.first()).max(first).min(60.0);
    let right = sheet.end() - half(names.last()).clamp(24.0, 60.0);
    let last = names.len() as f64 - 1.0;
    let places: Vec<f64> =
        (0..names.len()).map(|x| left + (right - left) * x as f64 / last.max(1.0)).collect();
    let rows = name_rows(&names, &places, sheet.width);
    let count = rows.iter().map(|(row, _)| row + 1).max().unwrap_or(1);
    let top = top + NAME_ROW * count as f64 + 20.0;
    for ((row, x), name) in rows.into_iter().zip(&names) {
        sheet.text((x, top - 22.0 - NAME_ROW * row as f64), name, NAME.middle().above());
    }
    sheet.plot(Frame::new(left, top, right, top + 250.0), 0.0..last.max(1.0), 0.0..1.0)
}

/// Draws the axes with the values at their ends; choices have their names where lines cross them.
fn paint_axes(plot: &Plot<'_>, axes: &[StudyParameter]) -> f64 {
    let sheet = plot.sheet;
    for (x, axis) in axes.iter().enumerate() {
        let [low, high] = [0.0, 1.0].map(|end| plot.at(x as f64, end));
        sheet.line(&[high, low], Pen::new(AXIS, 1.2));
        match &axis.axis {
            ParameterAxis::Linear(from, to) | ParameterAxis::Logarithmic(from, to) => {
                sheet.text((high.0, high.1 - 5.0), &short(*to), Type::TINY.middle().above());
                sheet.text((low.0, low.1 + 5.0), &short(*from), Type::TINY.middle().below());
            }
            ParameterAxis::Choices(names) => {
                for (place, name) in names.iter().enumerate() {
                    let (x, y) = plot.at(x as f64, part(axis, place as f64));
                    let half = Type::TINY.width(name) / 2.0 + 3.0;
                    sheet.bar(Frame::new(x - half, y - 8.0, x + half, y + 8.0), PAPER, Hatch::None);
                    sheet.text((x, y), name, Type::TINY.colored(INK).middle());
                }
            }
        }
    }
    plot.frame.bottom + 5.0 + Type::TINY.line()
}

/// Where a place of an axis lies between its ends; choices take a stretch of it each, and an axis without
/// extent has all in its middle.
fn part(axis: &StudyParameter, at: f64) -> f64 {
    let room = if axis.is_choice() { 0.5 } else { 0.0 };
    let (low, high) = (axis.ends().0 - room, axis.ends().1 + room);
    if high > low { (at - low) / (high - low) } else { 0.5 }
}

/// How the names of axes are set.
const NAME: Type = Type::SMALL_INK.strong();

/// Height of a row of names.
const NAME_ROW: f64 = 16.0;

/// For each name the lowest row above the axes in which it does not touch the one before, and its middle.
fn name_rows(names: &[String], places: &[f64], width: f64) -> Vec<(usize, f64)> {
    let mut ends: Vec<f64> = Vec::new();
    let mut rows = Vec::new();
    for (name, place) in names.iter().zip(places) {
        let half = NAME.width(name) / 2.0;
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
