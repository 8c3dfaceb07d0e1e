//! Slices of a study: for each parameter its value against the mean score of all trials, early ones light and
//! late ones dark, with the default and the winners. What a parameter does by itself shows as a slope, where
//! the search went as a crowd of dark dots.

use std::sync::Arc;

use super::Paint;
use super::axis::{Axis, Grid};
use super::legend::{LegendKey, Swatch};
use super::numbers::extent;
use super::scene::Specks;
use super::sheet::{MARGIN, Plot, Sheet};
use super::style::{Color, DEFAULT, Dash, Pen, Shape, Type, WINNER};
use super::trials::{SCORE, StudyParameter, StudyTrials, TrialPoint, drawn_of, reach, thinned};

/// Small plots side by side.
const COLUMNS: usize = 3;
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

const DEFAULT_PEN: Pen = Pen::new(DEFAULT.color, 1.0).dashed(Dash::Long);

/// The colour where all trials are of one batch.
const ONLY: usize = 2;

/// What each parameter does to the score, a plot for each.
#[derive(Clone, Debug)]
pub struct Slices(pub Arc<StudyTrials>);

impl Paint for Slices {
    fn paint(&self, sheet: &Sheet, top: f64) -> Option<f64> {
        self.0.trials.first()?;
        let drawn = self.by_age(&self.drawn());
        let count = drawn_of(drawn.len(), self.0.trials.len());
        let text = format!("A dot is a trial, at the mean score that it had in the study. Drawn: {count}.");
        let top = sheet.remarks(&text, top);
        let top = sheet.legend(&self.keys(), top) + 4.0;
        let scores = self.scores();
        let height = if self.0.parameters.len() < COLUMNS { 200.0 } else { 140.0 };
        let grid = Grid { columns: COLUMNS, gap: (24.0, 8.0), height, left: MARGIN + scores.room() };
        let heading = |axis: &StudyParameter| vec![(Type::SMALL_INK.strong(), axis.title())];
        let headings: Vec<_> = self.0.parameters.iter().map(heading).collect();
        let bottom = sheet.grid(top, grid, &headings, |parameter, frame, is_first| {
            let axis = self.0.parameters[parameter].scale().tiny();
            let plot = sheet.plot(frame, axis.range(), scores.range());
            plot.vertical(&scores, SCORE, is_first);
            let bottom = plot.horizontal(&axis, "");
            self.paint_panel(&plot, parameter, &drawn);
            bottom
        });
        Some(bottom)
    }
}

impl Slices {
    /// The trials that are drawn.
    fn drawn(&self) -> Vec<&TrialPoint> {
        let most = (DOTS / self.0.parameters.len().max(1)).min(DOTS_EACH);
        thinned(self.0.trials.len(), most).into_iter().map(|place| &self.0.trials[place]).collect()
    }

    fn scores(&self) -> Axis {
        let held_out = self.0.named().filter_map(|shown| shown.score.as_ref());
        let all = self.0.trials.iter().map(|trial| trial.score).chain(held_out.flat_map(reach));
        let (low, high) = extent(all).unwrap_or((0.0, 1.0));
        Axis::around(low, high, 5)
    }

    /// Which quarter of the batches each of some trials belongs to, counted by batches and not by trials. All
    /// belong to the third where there are too few batches to tell early from late.
    fn by_age<'t>(&self, drawn: &[&'t TrialPoint]) -> Vec<(usize, &'t TrialPoint)> {
        let (first, last) =
            extent(self.0.trials.iter().map(|trial| f64::from(trial.batch))).unwrap_or((0.0, 0.0));
        let age = |trial: &TrialPoint| {
            let part = (f64::from(trial.batch) - first) / (last - first + 1.0);
            ((part * AGES.len() as f64) as usize).min(AGES.len() - 1)
        };
        drawn.iter().map(|trial| (if last > first { age(trial) } else { ONLY }, *trial)).collect()
    }

    fn keys(&self) -> Vec<LegendKey> {
        let mut keys = Vec::new();
        let quarters = ["first", "second", "third", "last"];
        if self.0.trials.iter().any(|trial| trial.batch != self.0.trials[0].batch) {
            for (age, quarter) in quarters.into_iter().enumerate() {
                let of = if age == 0 { format!(" quarter of the {}", self.0.batches) } else { String::new() };
                keys.push(Swatch::Specks(specks(age, 1.6)).named(format!("{quarter}{of}")));
            }
        } else {
            keys.push(Swatch::Specks(specks(ONLY, 1.6)).named("trial"));
        }
        if self.0.winners.iter().any(|winner| winner.score.is_some()) {
            keys.push(Swatch::Mark(WINNER).named("best of the study, held-out mean"));
        }
        keys.extend(self.0.default.as_ref().map(|default| match default.score {
            Some(_) => Swatch::Mark(DEFAULT).named("default, held-out mean"),
            None => Swatch::Stroke(DEFAULT_PEN).named("default"),
        }));
        keys
    }

    fn paint_panel(&self, plot: &Plot<'_>, parameter: usize, drawn: &[(usize, &TrialPoint)]) {
        let axis = &self.0.parameters[parameter];
        // Where there are few, each must show by itself.
        let radius = if drawn.len() < 400 { 1.8 } else { 1.3 };
        for age in 0..AGES.len() {
            let of_age = drawn.iter().enumerate().filter(|(_, (of, _))| *of == age);
            let place = |(place, (_, trial)): (usize, &(usize, &TrialPoint))| {
                (axis.spread(trial.values[parameter], place), trial.score)
            };
            plot.specks(of_age.map(place), specks(age, radius));
        }
        for winner in &self.0.winners {
            if let (Some(value), Some(score)) = (winner.values[parameter], winner.score) {
                plot.mark((axis.place(value), score.point), WINNER, 4.2);
            }
        }
        // The default is a line, so that it shows among the dots, and a mark where its score is known.
        let Some(default) = &self.0.default else { return };
        let Some(value) = default.values[parameter].filter(|value| axis.holds(*value)) else { return };
        let (x, _) = plot.at(axis.place(value), 0.0);
        plot.sheet.line(&[(x, plot.frame.top), (x, plot.frame.bottom)], DEFAULT_PEN);
        if let Some(score) = default.score {
            plot.mark((axis.place(value), score.point), DEFAULT, 4.2);
        }
    }
}

fn specks(age: usize, radius: f64) -> Specks {
    Specks { shape: Shape::Circle, radius, color: AGES[age] }
}
