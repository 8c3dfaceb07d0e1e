//! Score against the cost of a move: what a study of both tried, the fronts that it found, and what the
//! points on them are worth on held-out games; below it, how the volume that the fronts dominate grew with
//! the games that were spent.

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
use super::trials::{SCORE, bounded, drawn_of, reach, thinned};

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

/// A trial.
#[derive(Clone, Copy, Debug)]
pub struct ParetoTrial {
    /// The place of its origin in the list of them.
    pub origin: usize,
    /// The cost of a move, above zero.
    pub cost: f64,
    /// The mean score.
    pub score: f64,
}

/// Parameters that were played on held-out games.
#[derive(Clone, Debug)]
pub struct ParetoPoint {
    /// What they are called; empty where a label would be too much.
    pub label: String,
    /// The cost of a move, above zero; its interval may be unknown and then has no end.
    pub cost: Estimate,
    /// The mean score.
    pub score: Estimate,
}

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
    /// All trials that did not fault.
    pub trials: Vec<ParetoTrial>,
    /// The methods.
    pub methods: Vec<ParetoMethod>,
    /// The default, on held-out games.
    pub default: Option<ParetoPoint>,
    /// Points of the fronts, on held-out games.
    pub winners: Vec<ParetoPoint>,
    /// What a move costs: "playouts per move".
    pub cost: String,
    /// From where the hypervolume is measured, in words.
    pub reference: String,
}

impl Paint for Pareto {
    fn is_empty(&self) -> bool {
        self.trials.is_empty() && self.points().next().is_none() && self.methods.is_empty()
    }

    fn paint(&self, sheet: &Sheet, top: f64) -> f64 {
        let bottom = self.paint_costs(sheet, top);
        if self.methods.iter().all(|method| method.runs.is_empty()) {
            return bottom;
        }
        self.paint_volumes(sheet, bottom + 18.0)
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
    fn points(&self) -> impl Iterator<Item = &ParetoPoint> {
        self.default.iter().chain(&self.winners)
    }

    fn paint_costs(&self, sheet: &Sheet, top: f64) -> f64 {
        let drawn = thinned(self.trials.len(), DOTS);
        let top = if drawn.len() == self.trials.len() {
            top
        } else {
            sheet.remarks(&format!("Drawn: {}.", drawn_of(drawn.len(), self.trials.len())), top)
        };
        let top = sheet.legend(&self.keys(), top) + 10.0;
        let (costs, scores) = (self.costs(), self.scores());
        let name = format!("{} (logarithmic)", self.cost);
        let (plot, bottom) = sheet.chart(top, sheet.end(), 320.0, [(&costs, &name), (&scores, SCORE)]);
        let place = |cost: f64, score: f64| (libm::log10(cost), score);
        for origin in 0..self.origins.len() {
            let trials = drawn.iter().map(|index| &self.trials[*index]);
            let trials = trials.filter(|trial| trial.origin == origin);
            plot.specks(trials.map(|trial| place(trial.cost, trial.score)), origin_specks(origin));
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
        let trials = thinned(self.trials.len(), DOTS / 4).into_iter().map(|index| &self.trials[index]);
        let covered = |trial: &ParetoTrial| {
            let (x, y) = place(trial.cost, trial.score);
            (Frame::around(plot.at(x, y), 2.0), 0.5)
        };
        let winners = self.winners.iter().map(|winner| winner.labelled(WINNER));
        let points = winners.chain(self.default.iter().map(|default| default.labelled(DEFAULT)));
        plot.points(&points.collect::<Vec<_>>(), &fronts, trials.map(covered).collect());
        bottom
    }

    fn keys(&self) -> Vec<LegendKey> {
        let is_present = |origin: usize| self.trials.iter().any(|trial| trial.origin == origin);
        let origins = self.origins.iter().enumerate().filter(|(origin, _)| is_present(*origin));
        let mut keys: Vec<_> =
            origins.map(|(origin, name)| Swatch::Specks(origin_specks(origin)).named(name)).collect();
        let fronts = self.methods.iter().enumerate().filter(|(_, method)| !method.front.is_empty());
        keys.extend(fronts.map(|(index, method)| {
            Swatch::Stroke(method_pen(index, 1.8)).named(format!("front, {}", method.label))
        }));
        if !self.winners.is_empty() {
            keys.push(Swatch::Mark(WINNER).named("winner on held-out games"));
        }
        if self.default.is_some() {
            keys.push(Swatch::Mark(DEFAULT).named("default on held-out games"));
        }
        if self.points().any(|point| bounded(&point.score).is_some()) {
            keys.push(Swatch::Whisker(MUTED).named(INTERVAL));
        }
        keys
    }

    fn costs(&self) -> Axis {
        let held_out = self.points().flat_map(|point| reach(&point.cost)).filter(|cost| *cost > 0.0);
        let (low, high) =
            extent(self.trials.iter().map(|trial| trial.cost).chain(held_out)).unwrap_or((1.0, 10.0));
        let room = (libm::log10(high) - libm::log10(low)).max(0.1) * 0.04;
        Axis::logarithmic(low, high, short).between(libm::log10(low) - room, libm::log10(high) + room)
    }

    fn scores(&self) -> Axis {
        let held_out = self.points().flat_map(|point| reach(&point.score));
        let (low, high) =
            extent(self.trials.iter().map(|trial| trial.score).chain(held_out)).unwrap_or((0.0, 1.0));
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

impl ParetoPoint {
    fn labelled(&self, mark: Mark) -> LabelledPoint {
        let cost = bounded(&self.cost).filter(|(low, _)| *low > 0.0);
        LabelledPoint {
            at: (libm::log10(self.cost.point), self.score.point),
            intervals: [cost.map(|(low, high)| (libm::log10(low), libm::log10(high))), bounded(&self.score)],
            mark,
            label: self.label.clone(),
            kind: Type::SMALL_INK.strong(),
        }
    }
}
