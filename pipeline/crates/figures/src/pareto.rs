//! Score against the cost of a move: what a study of both tried, the fronts that it found, and what the
//! points on them are worth on held-out games; below it, how the volume that the fronts dominate grew with
//! the games that were spent.

use std::sync::Arc;

use stats::Estimate;

use super::Paint;
use super::axis::Axis;
use super::labels::{END_LEAD, LabelledPoint};
use super::layout::{Frame, steps};
use super::legend::{LegendKey, Swatch};
use super::numbers::{extent, short};
use super::scene::Specks;
use super::sheet::Sheet;
use super::style::{
    AXIS, Color, DEFAULT, Dash, INTERVAL, Look, MUTED, Mark, ORANGE, PURPLE, Pen, SKY, Shape, Type, WINNER,
    look,
};
use super::trials::{NamedPoint, SCORE, StudyTrials, bounded, drawn_of, reach, thinned};

/// Trials drawn, at most.
const DOTS: usize = 1500;

/// How trials of an origin are drawn: shapes tell them apart where colours do not.
const ORIGINS: [(Shape, Color); 5] = [
    (Shape::Circle, AXIS),
    (Shape::Cross, SKY),
    (Shape::Triangle, ORANGE),
    (Shape::Plus, PURPLE),
    (Shape::Diamond, AXIS),
];

/// A way to search, with its studies.
#[derive(Clone, Debug)]
pub struct ParetoMethod {
    /// What it is called.
    pub label: String,
    /// Cost and score of the trials that no other trial of the method beats in both.
    pub front: Vec<(f64, f64)>,
    /// For each of its studies the games that were spent and the hypervolume by then.
    pub runs: Vec<Vec<(f64, f64)>>,
}

/// Score against cost.
#[derive(Clone, Debug)]
pub struct Pareto {
    /// How trials came about: "sample", "crossover".
    pub origins: Vec<String>,
    /// What was tried; trials and points without a cost are left out.
    pub study: Arc<StudyTrials>,
    /// The methods.
    pub methods: Vec<ParetoMethod>,
    /// What a move costs: "playouts per move".
    pub cost: String,
    /// From where the hypervolume is measured, in words.
    pub reference: String,
}

impl Paint for Pareto {
    fn paint(&self, sheet: &Sheet, top: f64) -> Option<f64> {
        self.study.trials.first()?;
        let bottom = self.paint_costs(sheet, top);
        let has_runs = self.methods.iter().any(|method| !method.runs.is_empty());
        Some(if has_runs { self.paint_volumes(sheet, bottom + 18.0) } else { bottom })
    }
}

/// The line of a method: none has the colour of winners.
fn method_pen(index: usize, width: f64) -> Pen {
    const PLACES: [usize; 5] = [0, 1, 3, 4, 6];
    let dash = [Dash::Solid, Dash::Long, Dash::Dots][index % 3];
    Look { dash, ..look(PLACES[index % PLACES.len()]) }.pen(width)
}

fn origin_specks(index: usize) -> Specks {
    let (shape, color) = ORIGINS[index % ORIGINS.len()];
    let radius = if shape == Shape::Circle { 1.5 } else { 2.2 };
    Specks { shape, radius, color: color.mix(0.85) }
}

impl Pareto {
    /// Origin, cost and score of each trial.
    fn trials(&self) -> Vec<(usize, f64, f64)> {
        self.study.trials.iter().filter_map(|trial| Some((trial.origin, trial.cost?, trial.score))).collect()
    }

    /// The winners and the default, as far as they were played on held-out games. Those of several studies
    /// are too many to be named.
    fn points(&self) -> impl Iterator<Item = (&str, Mark, Estimate, Estimate)> {
        let is_one = self.methods.iter().map(|method| method.runs.len()).sum::<usize>() <= 1;
        let known = |point: &NamedPoint| point.cost.zip(point.score);
        let winners = self.study.winners.iter().filter_map(move |point| {
            let (cost, score) = known(point)?;
            Some((if is_one { &*point.label } else { "" }, WINNER, cost, score))
        });
        let default = self.study.default.as_ref().and_then(|point| {
            let (cost, score) = known(point)?;
            Some((&*point.label, DEFAULT, cost, score))
        });
        winners.chain(default)
    }

    fn paint_costs(&self, sheet: &Sheet, top: f64) -> f64 {
        let trials = self.trials();
        let drawn = thinned(trials.len(), DOTS);
        let top = if drawn.len() == trials.len() {
            top
        } else {
            sheet.remarks(&format!("Drawn: {}.", drawn_of(drawn.len(), trials.len())), top)
        };
        let top = sheet.legend(&self.keys(), top) + 10.0;
        let (costs, scores) = (self.costs(), self.scores());
        let name = format!("{} (logarithmic)", self.cost);
        let (plot, bottom) = sheet.chart(top, sheet.end(), 320.0, [(&costs, &name), (&scores, SCORE)]);
        for origin in 0..self.origins.len() {
            let drawn = drawn.iter().map(|index| trials[*index]).filter(|(of, ..)| *of == origin);
            plot.specks(drawn.map(|(_, cost, score)| (libm::log10(cost), score)), origin_specks(origin));
        }
        let corners = |method: &ParetoMethod| {
            let mut front = method.front.clone();
            front.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
            steps(front.into_iter().map(|(cost, score)| plot.at(libm::log10(cost), score)))
        };
        let fronts: Vec<Vec<(f64, f64)>> = self.methods.iter().map(corners).collect();
        for (index, front) in fronts.iter().enumerate() {
            sheet.line(front, method_pen(index, 1.8));
        }
        // Labels may cover trials at a low price.
        let covered = thinned(trials.len(), DOTS / 4).into_iter().map(|index| {
            let (_, cost, score) = trials[index];
            (Frame::around(plot.at(libm::log10(cost), score), 2.0), 0.5)
        });
        let points: Vec<LabelledPoint> = self.points().map(labelled).collect();
        plot.points(&points, &fronts, covered.collect());
        bottom
    }

    fn keys(&self) -> Vec<LegendKey> {
        let trials = self.trials();
        let is_present = |origin: usize| trials.iter().any(|(of, ..)| *of == origin);
        let origins = self.origins.iter().enumerate().filter(|(origin, _)| is_present(*origin));
        let mut keys: Vec<_> =
            origins.map(|(origin, name)| Swatch::Specks(origin_specks(origin)).named(name)).collect();
        let fronts = self.methods.iter().enumerate().filter(|(_, method)| !method.front.is_empty());
        keys.extend(fronts.map(|(index, method)| {
            Swatch::Stroke(method_pen(index, 1.8)).named(format!("front, {}", method.label))
        }));
        for (mark, name) in [(WINNER, "winner on held-out games"), (DEFAULT, "default on held-out games")] {
            if self.points().any(|(_, of, ..)| of.shape == mark.shape) {
                keys.push(Swatch::Mark(mark).named(name));
            }
        }
        if self.points().any(|(.., score)| bounded(&score).is_some()) {
            keys.push(Swatch::Whisker(MUTED).named(INTERVAL));
        }
        keys
    }

    fn costs(&self) -> Axis {
        let held_out = self.points().flat_map(|(.., cost, _)| reach(&cost)).filter(|cost| *cost > 0.0);
        let trials = self.trials();
        let (low, high) =
            extent(trials.iter().map(|(_, cost, _)| *cost).chain(held_out)).unwrap_or((1.0, 10.0));
        let room = (libm::log10(high) - libm::log10(low)).max(0.1) * 0.04;
        Axis::logarithmic(low, high, short).between(libm::log10(low) - room, libm::log10(high) + room)
    }

    fn scores(&self) -> Axis {
        let held_out = self.points().flat_map(|(.., score)| reach(&score));
        let trials = self.trials();
        let (low, high) =
            extent(trials.iter().map(|(.., score)| *score).chain(held_out)).unwrap_or((0.0, 1.0));
        Axis::around(low, high, 6)
    }

    /// The hypervolume over the games spent, each method named at the end of its lines.
    fn paint_volumes(&self, sheet: &Sheet, top: f64) -> f64 {
        let all = || self.methods.iter().flat_map(|method| &method.runs).flatten();
        let (_, games) = extent(all().map(|(games, _)| *games)).unwrap_or((0.0, 1.0));
        let (least, most) = extent(all().map(|(_, volume)| *volume)).unwrap_or((0.0, 1.0));
        let games = Axis::numbers(0.0, games.max(1.0), 5);
        let room = (most - least).max(1e-6) * 0.06;
        let low = (least - room).max(0.0);
        let volumes = Axis::numbers(low, most + room, 4).between(low, most + room);
        let from = if self.reference.is_empty() { "" } else { ", measured from " };
        let text = format!("Hypervolume over the games spent{from}{}", self.reference);
        let top = sheet.remarks(&text, top) + 4.0;
        let names = Type::SMALL_INK.widest(self.methods.iter().map(ParetoMethod::end_label));
        let axes = [(&games, "games spent"), (&volumes, "hypervolume")];
        let (plot, bottom) = sheet.chart(top, sheet.end() - names - END_LEAD, 190.0, axes);
        for (index, method) in self.methods.iter().enumerate() {
            for run in &method.runs {
                plot.line(run.clone(), method_pen(index, 1.5));
            }
        }
        let end = |(index, method): (usize, &ParetoMethod)| {
            Some((method.end()?, method.end_label(), method_pen(index, 1.2)))
        };
        plot.ends(&self.methods.iter().enumerate().filter_map(end).collect::<Vec<_>>());
        bottom
    }
}

impl ParetoMethod {
    /// Where its lines end, on average.
    fn end(&self) -> Option<(f64, f64)> {
        let last: Vec<_> = self.runs.iter().filter_map(|run| run.last()).collect();
        let (_, games) = extent(last.iter().map(|(games, _)| *games))?;
        Some((games, last.iter().map(|(_, volume)| *volume).sum::<f64>() / last.len() as f64))
    }

    fn end_label(&self) -> String {
        match self.runs.len() {
            0 | 1 => self.label.clone(),
            runs => format!("{} ({runs} seeds)", self.label),
        }
    }
}

fn labelled((label, mark, cost, score): (&str, Mark, Estimate, Estimate)) -> LabelledPoint {
    let costs = bounded(&cost).filter(|(low, _)| *low > 0.0);
    LabelledPoint {
        at: (libm::log10(cost.point), score.point),
        intervals: [costs.map(|(low, high)| (libm::log10(low), libm::log10(high))), bounded(&score)],
        mark,
        label: label.to_owned(),
        kind: Type::SMALL_INK.strong(),
    }
}
