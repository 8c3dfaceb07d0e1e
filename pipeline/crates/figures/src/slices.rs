//! Slices of a study: for each parameter its value against the mean score of all trials, early ones light and
//! late ones dark, with the default and the winners. What a parameter does by itself shows as a slope, where
//! the search went as a crowd of dark dots.

use super::axis::{self, Scale};
use super::layout::Frame;
use super::legend::{Key, Swatch};
use super::numbers::extent;
use super::scene::Specks;
use super::sheet::{MARGIN, Plot, Sheet, position, render};
use super::style::{Color, Dash, Pen, Shape, Type, WIDTH};
use super::trials::{DEFAULT, Parameter, Shown, Tried, WINNER, drawn_of, numbers, reach, thinned};
use super::{Draw, Drawing, Figure, FigureError};

/// Small plots side by side.
const COLUMNS: usize = 3;
/// Between them.
const GAP: f64 = 24.0;
/// Dots in all of the plots together, at most, and in one of them.
const DOTS: usize = 4500;
const DOTS_EACH: usize = 1500;
/// Colours from the first batches to the last: each darker than the one before, in grey too.
const AGES: [Color; 4] = [
    Color::rgb(0xb4, 0xc9, 0xda),
    Color::rgb(0x74, 0xa8, 0xcf),
    Color::rgb(0x2b, 0x7f, 0xb8),
    Color::rgb(0x0a, 0x33, 0x55),
];

/// The colour where all trials are of one batch.
const ONLY: usize = 2;

/// What each parameter does to the score.
#[derive(Clone, Debug)]
pub struct Slices {
    /// The parameters, a plot for each.
    pub parameters: Vec<Parameter>,
    /// All trials that did not fault.
    pub trials: Vec<Tried>,
    /// The default.
    pub default: Option<Shown>,
    /// The best of the study, at the scores that they have on held-out games.
    pub winners: Vec<Shown>,
    /// What is measured: "average score".
    pub axis: String,
    /// What batches are called: "iterations".
    pub batches: String,
}

impl Draw for Slices {
    fn draw(&self, figure: &Figure) -> Result<Drawing, FigureError> {
        figure.check(numbers(&self.parameters, &self.trials, self.default.iter().chain(&self.winners)))?;
        render(figure, WIDTH, |sheet, top| self.paint(sheet, top))
    }
}

impl Slices {
    fn paint(&self, sheet: &Sheet, top: f64) -> f64 {
        let drawn = self.by_age(&self.drawn());
        let count = drawn_of(drawn.len(), self.trials.len());
        let text = format!("A dot is a trial, at the mean score that it had in the study. Drawn: {count}.");
        let top = sheet.remarks(&text, top);
        let mut top = sheet.legend(&self.keys(), top) + 4.0;
        let scores = self.scores();
        let left = MARGIN + axis::room(&scores, true);
        let columns = self.parameters.len().clamp(1, COLUMNS);
        let width = (sheet.width - MARGIN - left + GAP) / columns as f64;
        let height = if columns < COLUMNS { 200.0 } else { 140.0 };
        let places: Vec<usize> = (0..self.parameters.len()).collect();
        for row in places.chunks(columns) {
            let mut bottom = top;
            for (column, &parameter) in row.iter().enumerate() {
                let x = left + width * column as f64;
                let frame = Frame::new(x, top + 20.0, x + width - GAP, top + 20.0 + height);
                let plot = self.open(sheet, frame, parameter, &scores, column == 0);
                self.paint_panel(sheet, &plot, frame, parameter, &drawn);
                bottom = bottom.max(frame.bottom + 7.0 + Type::TINY.line());
            }
            top = bottom + 8.0;
        }
        top - 8.0
    }

    /// The trials that are drawn.
    fn drawn(&self) -> Vec<&Tried> {
        let most = (DOTS / self.parameters.len().max(1)).min(DOTS_EACH);
        thinned(self.trials.len(), most).into_iter().map(|place| &self.trials[place]).collect()
    }

    fn scores(&self) -> Scale {
        let held_out = self.default.iter().chain(&self.winners).filter_map(|shown| shown.score.as_ref());
        let all = self.trials.iter().map(|trial| trial.score).chain(held_out.flat_map(reach));
        let (low, high) = extent(all).unwrap_or((0.0, 1.0));
        Scale::around(low, high, 5)
    }

    /// Which quarter of the batches each of some trials belongs to, counted by batches and not by trials. All
    /// belong to the third where there are too few batches to tell early from late.
    fn by_age<'t>(&self, drawn: &[&'t Tried]) -> Vec<(usize, &'t Tried)> {
        let (first, last) =
            extent(self.trials.iter().map(|trial| f64::from(trial.batch))).unwrap_or((0.0, 0.0));
        let age = |trial: &Tried| {
            let part = (f64::from(trial.batch) - first) / (last - first + 1.0);
            ((part * AGES.len() as f64) as usize).min(AGES.len() - 1)
        };
        drawn.iter().map(|trial| (if last > first { age(trial) } else { ONLY }, *trial)).collect()
    }

    fn keys(&self) -> Vec<Key> {
        let mut keys = Vec::new();
        let quarters = ["first", "second", "third", "last"];
        if self.trials.iter().any(|trial| trial.batch != self.trials[0].batch) {
            for (age, quarter) in quarters.into_iter().enumerate() {
                let of = if age == 0 { format!(" quarter of the {}", self.batches) } else { String::new() };
                keys.push(Key::new(Swatch::Specks(specks(age, 1.6)), format!("{quarter}{of}")));
            }
        } else {
            keys.push(Key::new(Swatch::Specks(specks(ONLY, 1.6)), "trial"));
        }
        if self.winners.iter().any(|winner| winner.score.is_some()) {
            keys.push(Key::new(Swatch::Mark(WINNER.0, WINNER.1, false), "best of the study, held-out mean"));
        }
        if self.default.is_some() {
            let held_out = self.default.iter().any(|default| default.score.is_some());
            keys.push(match held_out {
                true => Key::new(Swatch::Mark(DEFAULT.0, DEFAULT.1, true), "default, held-out mean"),
                false => Key::new(Swatch::Stroke(default_pen()), "default"),
            });
        }
        keys
    }

    fn open(&self, sheet: &Sheet, frame: Frame, parameter: usize, scores: &Scale, first: bool) -> Plot {
        let scale = self.parameters[parameter].scale().tiny();
        let plot = sheet.plot(frame, scale.low..scale.high, scores.low..scores.high);
        if first {
            axis::vertical(sheet, &plot, frame, scores, &self.axis);
        } else {
            axis::rules(sheet, &plot, frame, scores);
        }
        axis::horizontal(sheet, &plot, frame, &scale, "");
        plot
    }

    fn paint_panel(
        &self,
        sheet: &Sheet,
        plot: &Plot,
        frame: Frame,
        parameter: usize,
        drawn: &[(usize, &Tried)],
    ) {
        let axis = &self.parameters[parameter];
        let name = Type::SMALL_INK.strong().above();
        sheet.text((frame.left, frame.top - 4.0), &axis.title(), name);
        for age in 0..AGES.len() {
            let of_age = drawn.iter().enumerate().filter(|(_, (of, _))| *of == age);
            let points: Vec<_> = of_age
                .map(|(place, (_, trial))| {
                    position(plot, axis.spread(trial.values[parameter], place), trial.score)
                })
                .collect();
            // Where there are few, each must show by itself.
            let radius = if drawn.len() < 400 { 1.8 } else { 1.3 };
            sheet.specks(&points, specks(age, radius));
        }
        for winner in &self.winners {
            if let (Some(value), Some(score)) = (winner.values[parameter], winner.score) {
                let at = position(plot, axis.place(value), score.point);
                sheet.mark(at, WINNER.0, 4.2, WINNER.1, false);
            }
        }
        self.paint_default(sheet, plot, frame, parameter);
    }

    /// The default as a line, so that it shows among the dots, and as a mark where its score is known.
    fn paint_default(&self, sheet: &Sheet, plot: &Plot, frame: Frame, parameter: usize) {
        let Some(default) = &self.default else { return };
        let axis = &self.parameters[parameter];
        let Some(value) = default.values[parameter].filter(|value| axis.holds(*value)) else { return };
        let (x, _) = position(plot, axis.place(value), 0.0);
        sheet.line(&[(x, frame.top), (x, frame.bottom)], default_pen());
        if let Some(score) = default.score {
            sheet.mark(position(plot, axis.place(value), score.point), DEFAULT.0, 4.2, DEFAULT.1, true);
        }
    }
}

fn default_pen() -> Pen {
    Pen::new(DEFAULT.1, 1.0).dashed(Dash::Long)
}

fn specks(age: usize, radius: f64) -> Specks {
    Specks { shape: Shape::Circle, radius, color: AGES[age] }
}
