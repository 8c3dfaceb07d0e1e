//! Score against the cost of a move: what a study of both tried, the fronts that it found, and what the
//! points on them are worth on held-out games; below it, how the volume that the fronts dominate grew with
//! the games that were spent.

use stats::Estimate;

use super::axis::{self, Scale};
use super::ends;
use super::layout::{Frame, pieces, steps};
use super::legend::{Key, Swatch};
use super::numbers::{extent, short};
use super::placer::{LEAD, Placer, Wish, distance, nearest};
use super::scene::Specks;
use super::sheet::{MARGIN, Plot, Sheet, position, render};
use super::style::{
    AXIS, Color, Dash, INTERVAL, Look, MUTED, ORANGE, PURPLE, Pen, SKY, Shape, Type, WIDTH, look,
};
use super::trials::{DEFAULT, WINNER, bounded, drawn_of, reach, thinned};
use super::{Draw, Drawing, Figure, FigureError};

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
    /// What is measured: "average score".
    pub axis: String,
    /// From where the hypervolume is measured, in words.
    pub reference: String,
}

impl Draw for Pareto {
    fn draw(&self, figure: &Figure) -> Result<Drawing, FigureError> {
        let trials = self.trials.iter().map(|one| ("trials", vec![libm::log10(one.cost), one.score]));
        let points = self.points().map(|point| (point.label.as_str(), point.numbers()));
        let methods = self.methods.iter().map(|method| (method.label.as_str(), method.numbers()));
        figure.check(trials.chain(points).chain(methods))?;
        render(figure, WIDTH, |sheet, top| {
            let bottom = self.paint_costs(sheet, top);
            if self.methods.iter().any(|method| !method.runs.is_empty()) {
                self.paint_volumes(sheet, bottom + 18.0)
            } else {
                bottom
            }
        })
    }
}

/// The look of a method: none is that of winners.
fn method_look(index: usize) -> Look {
    const PLACES: [usize; 5] = [0, 1, 3, 4, 6];
    let dash = [Dash::Solid, Dash::Long, Dash::Dots][index % 3];
    Look { dash, ..look(PLACES[index % PLACES.len()]) }
}

fn method_pen(index: usize, width: f64) -> Pen {
    let look = method_look(index);
    Pen::new(look.color, width).dashed(look.dash)
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
        let frame = Frame::new(MARGIN + axis::room(&scores, true), top, sheet.width - MARGIN, top + 320.0);
        let plot = sheet.plot(frame, costs.low..costs.high, scores.low..scores.high);
        axis::vertical(sheet, &plot, frame, &scores, &self.axis);
        let bottom = axis::horizontal(sheet, &plot, frame, &costs, &format!("{} (logarithmic)", self.cost));
        for origin in 0..self.origins.len() {
            let trials =
                drawn.iter().map(|place| &self.trials[*place]).filter(|trial| trial.origin == origin);
            let places: Vec<_> = trials.map(|trial| place(&plot, trial.cost, trial.score)).collect();
            sheet.specks(&places, origin_specks(origin));
        }
        for (index, method) in self.methods.iter().enumerate() {
            sheet.line(&method.corners(&plot), method_pen(index, 1.8));
        }
        self.paint_points(sheet, &plot, frame);
        bottom
    }

    fn keys(&self) -> Vec<Key> {
        let present = |origin: usize| self.trials.iter().any(|trial| trial.origin == origin);
        let origins = self.origins.iter().enumerate().filter(|(origin, _)| present(*origin));
        let mut keys: Vec<_> =
            origins.map(|(origin, name)| Key::new(Swatch::Specks(origin_specks(origin)), name)).collect();
        let fronts = self.methods.iter().enumerate().filter(|(_, method)| !method.front.is_empty());
        keys.extend(fronts.map(|(index, method)| {
            Key::new(Swatch::Stroke(method_pen(index, 1.8)), format!("front, {}", method.label))
        }));
        if !self.winners.is_empty() {
            keys.push(Key::new(Swatch::Mark(WINNER.0, WINNER.1, false), "winner on held-out games"));
        }
        if self.default.is_some() {
            keys.push(Key::new(Swatch::Mark(DEFAULT.0, DEFAULT.1, true), "default on held-out games"));
        }
        if self.points().any(|point| bounded(&point.score).is_some()) {
            keys.push(Key::new(Swatch::Whisker(MUTED), INTERVAL));
        }
        keys
    }

    fn costs(&self) -> Scale {
        let held_out = self.points().flat_map(|point| reach(&point.cost)).filter(|cost| *cost > 0.0);
        let (low, high) =
            extent(self.trials.iter().map(|trial| trial.cost).chain(held_out)).unwrap_or((1.0, 10.0));
        let all = Scale::logarithmic(low, high, short);
        let room = (libm::log10(high) - libm::log10(low)).max(0.1) * 0.04;
        all.between(libm::log10(low) - room, libm::log10(high) + room)
    }

    fn scores(&self) -> Scale {
        let held_out = self.points().flat_map(|point| reach(&point.score));
        let (low, high) =
            extent(self.trials.iter().map(|trial| trial.score).chain(held_out)).unwrap_or((0.0, 1.0));
        Scale::around(low, high, 6)
    }

    fn paint_points(&self, sheet: &Sheet, plot: &Plot, frame: Frame) {
        let labelled: Vec<_> = self.points().filter(|point| !point.label.is_empty()).collect();
        let size =
            |point: &ParetoPoint| (Type::SMALL_INK.strong().width(&point.label) + 2.0, Type::SMALL.line());
        let wishes: Vec<_> =
            labelled.iter().map(|point| Wish { at: point.at(plot), size: size(point) }).collect();
        let lines = self.methods.iter().flat_map(|method| pieces(&method.corners(plot))).collect();
        let placer = Placer { within: frame, taken: self.obstacles(plot), lines };
        let labels = placer.place(&wishes);
        for (point, label) in labelled.iter().zip(&labels) {
            let at = point.at(plot);
            if distance(at, label) > LEAD {
                sheet.line(&[at, nearest(at, label)], Pen::new(MUTED, 0.8));
            }
        }
        for winner in &self.winners {
            winner.paint(sheet, plot, WINNER, false);
        }
        if let Some(default) = &self.default {
            default.paint(sheet, plot, DEFAULT, true);
        }
        for (point, label) in labelled.iter().zip(&labels) {
            sheet.band(*label, super::style::PAPER.mix(0.75));
            let at = (label.left + 1.0, (label.top + label.bottom) / 2.0);
            sheet.text(at, &point.label, Type::SMALL_INK.strong());
        }
    }

    /// What labels should not cover: marks, intervals, and trials at a lower price.
    fn obstacles(&self, plot: &Plot) -> Vec<(Frame, f64)> {
        let mut taken = Vec::new();
        for point in self.points() {
            let (x, _) = point.at(plot);
            taken.push((Frame::around(point.at(plot), 6.0), 20.0));
            if let Some((low, high)) = bounded(&point.score) {
                let (low, high) =
                    (place(plot, point.cost.point, low).1, place(plot, point.cost.point, high).1);
                taken.push((Frame::new(x - 3.5, high, x + 3.5, low), 5.0));
            }
        }
        let trials = thinned(self.trials.len(), DOTS / 4).into_iter().map(|place| &self.trials[place]);
        taken.extend(trials.map(|trial| (Frame::around(place(plot, trial.cost, trial.score), 2.0), 0.5)));
        taken
    }

    /// The hypervolume over the games spent, each method named at the end of its lines.
    fn paint_volumes(&self, sheet: &Sheet, top: f64) -> f64 {
        let all = || self.methods.iter().flat_map(|method| &method.runs).flatten();
        let (_, games) = extent(all().map(|(games, _)| *games)).unwrap_or((0.0, 1.0));
        let (least, most) = extent(all().map(|(_, volume)| *volume)).unwrap_or((0.0, 1.0));
        let scale = Scale::numbers(0.0, games.max(1.0), 5);
        let room = (most - least).max(1e-6) * 0.06;
        let low = (least - room).max(0.0);
        let volumes = Scale::short(low, most + room, 4).between(low, most + room);
        let text = format!("Hypervolume over the games spent{}", self.measured_from());
        let top = sheet.remarks(&text, top) + 4.0;
        let widest =
            self.methods.iter().map(|method| Type::SMALL_INK.width(&method.end_label())).fold(0.0, f64::max);
        let left = MARGIN + axis::room(&volumes, true);
        let frame = Frame::new(left, top, sheet.width - MARGIN - widest - ends::LEAD, top + 190.0);
        let plot = sheet.plot(frame, scale.low..scale.high, volumes.low..volumes.high);
        axis::vertical(sheet, &plot, frame, &volumes, "hypervolume");
        let bottom = axis::horizontal(sheet, &plot, frame, &scale, "games spent");
        for (index, method) in self.methods.iter().enumerate() {
            for run in &method.runs {
                plot.line(run.clone(), method_pen(index, 1.5));
            }
        }
        self.label_volumes(sheet, &plot, frame);
        bottom
    }

    fn measured_from(&self) -> String {
        if self.reference.is_empty() { String::new() } else { format!(", measured from {}", self.reference) }
    }

    fn label_volumes(&self, sheet: &Sheet, plot: &Plot, frame: Frame) {
        let ended =
            self.methods.iter().enumerate().filter_map(|(index, method)| Some((index, method.end()?)));
        let ended: Vec<_> = ended.collect();
        let labels: Vec<_> = ended
            .iter()
            .map(|(index, (games, volume))| ends::End {
                at: position(plot, *games, *volume),
                text: self.methods[*index].end_label(),
                pen: method_pen(*index, 1.2),
            })
            .collect();
        ends::label(sheet, frame, &labels);
    }
}

/// Where a cost and a score lie on the sheet.
fn place(plot: &Plot, cost: f64, score: f64) -> (f64, f64) {
    position(plot, libm::log10(cost), score)
}

impl ParetoMethod {
    fn numbers(&self) -> Vec<f64> {
        let front = self.front.iter().flat_map(|(cost, score)| [libm::log10(*cost), *score]);
        front.chain(self.runs.iter().flatten().flat_map(|(games, volume)| [*games, *volume])).collect()
    }

    /// The corners of the front, from the cheapest to the best.
    fn corners(&self, plot: &Plot) -> Vec<(f64, f64)> {
        let mut front = self.front.clone();
        front.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        steps(front.into_iter().map(|(cost, score)| place(plot, cost, score)))
    }

    /// Where its lines end, on average.
    fn end(&self) -> Option<(f64, f64)> {
        let last: Vec<_> = self.runs.iter().filter_map(|run| run.last()).collect();
        let (games, _) = extent(last.iter().map(|(games, _)| *games)).map(|(_, most)| (most, ()))?;
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
    fn numbers(&self) -> Vec<f64> {
        vec![libm::log10(self.cost.point), self.score.point]
    }

    fn at(&self, plot: &Plot) -> (f64, f64) {
        place(plot, self.cost.point, self.score.point)
    }

    fn paint(&self, sheet: &Sheet, plot: &Plot, (shape, color): (Shape, Color), hollow: bool) {
        let pen = Pen::new(color, 1.4);
        if let Some((low, high)) = bounded(&self.score) {
            sheet.whisker(place(plot, self.cost.point, low), place(plot, self.cost.point, high), pen);
        }
        if let Some((low, high)) = bounded(&self.cost).filter(|(low, _)| *low > 0.0) {
            sheet.whisker(place(plot, low, self.score.point), place(plot, high, self.score.point), pen);
        }
        sheet.mark(self.at(plot), shape, 4.4, color, hollow);
    }
}
