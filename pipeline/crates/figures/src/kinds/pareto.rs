//! Score against CPU time a move: what an agent's strength costs, and which agents no other beats in both.

use stats::{Estimate, Sample, mean};

use super::{Content, FigureContext, PlayedExperiment, describe, of_experiments};
use crate::axis::{self, Scale};
use crate::layout::{Frame, pieces, steps};
use crate::legend::{Key, Swatch};
use crate::numbers::{extent, seconds, thousands};
use crate::placer::{LEAD, Placer, Wish, distance, nearest};
use crate::sheet::{MARGIN, Plot, Sheet, position, render};
use crate::style::{AXIS, BLUE, Dash, INTERVAL, MUTED, Pen, Shape, Type, WIDTH};
use crate::{Draw, Drawing, Figure, FigureError};

const NAME: Type = Type::SMALL_INK;

of_experiments! {
    /// The mean score against the CPU time of a move.
    ParetoKeys, "pareto", content
}

fn content(shown: &[PlayedExperiment<'_>], context: &dyn FigureContext) -> Option<(String, Cost)> {
    let point = |played: &PlayedExperiment<'_>| {
        Some(CostPoint {
            label: played.method.to_owned(),
            seconds_per_move: Sample::new(played.games.cpu_ns_per_move()).ok()?.mean() / 1e9,
            score: mean(&Sample::new(played.games.scores()).ok()?),
        })
    };
    let points: Vec<CostPoint> = shown.iter().filter_map(point).collect();
    let mut description =
        describe("Mean scores", points.iter().map(|point| (&*point.label, None, point.score)));
    let cost = |played: &PlayedExperiment<'_>| {
        context.training_cost(played.id).map(|cost| format!("{} ({cost})", played.method))
    };
    let costs: Vec<String> = shown.iter().filter_map(cost).collect();
    if !costs.is_empty() {
        description.push_str(&format!(" Trained beforehand: {}.", costs.join("; ")));
    }
    let chart = Cost { points, axis: "mean score".to_owned() };
    (!chart.points.is_empty()).then_some((description, chart))
}

/// One agent.
#[derive(Clone, Debug)]
pub struct CostPoint {
    /// The agent's or the experiment's name.
    pub label: String,
    /// CPU time a move, in seconds, above zero.
    pub seconds_per_move: f64,
    /// The average score.
    pub score: Estimate,
}

/// Score against CPU time a move of up to 15 agents or so.
#[derive(Clone, Debug)]
pub struct Cost {
    /// The agents.
    pub points: Vec<CostPoint>,
    /// What is measured: "average score".
    pub axis: String,
}

impl Draw for Cost {
    fn draw(&self, figure: &Figure) -> Result<Drawing, FigureError> {
        figure.check(self.points.iter().map(|point| (point.label.as_str(), point.numbers())))?;
        render(figure, WIDTH, |sheet, top| self.paint(sheet, top))
    }
}

impl Cost {
    fn paint(&self, sheet: &Sheet, top: f64) -> f64 {
        let keys = [
            Key::new(Swatch::Mark(Shape::Circle, BLUE, false), "Pareto front"),
            Key::new(Swatch::Mark(Shape::Circle, MUTED, true), "dominated by another"),
            Key::new(Swatch::Whisker(MUTED), INTERVAL),
        ];
        let top = sheet.legend(&keys, top) + 10.0;
        let (times, scores) = (self.times(), self.scores());
        let frame = Frame::new(MARGIN + axis::room(&scores, true), top, sheet.width - MARGIN, top + 420.0);
        let plot = sheet.plot(frame, times.low..times.high, scores.low..scores.high);
        let scaled = if self.logarithmic() { "logarithmic, " } else { "" };
        axis::vertical(sheet, &plot, frame, &scores, &format!("{} ({scaled}{})", self.axis, self.games()));
        let bottom = axis::horizontal(sheet, &plot, frame, &times, "CPU time per move (logarithmic)");
        sheet.line(&self.front(&plot), Pen::new(BLUE, 1.3).dashed(Dash::Long));
        self.paint_points(sheet, &plot, frame);
        bottom
    }

    fn times(&self) -> Scale {
        let (low, high) =
            extent(self.points.iter().map(|point| point.seconds_per_move)).unwrap_or((1.0, 1.0));
        Scale::logarithmic(low * 0.85, high * 1.15, seconds)
    }

    /// Whether the agents differ so much that a linear axis would press the weaker ones together.
    fn logarithmic(&self) -> bool {
        let (low, high) = extent(self.points.iter().map(|point| point.score.point)).unwrap_or((0.0, 0.0));
        low > 0.0 && high > low * 8.0 && self.points.iter().all(|point| point.score.low > 0.0)
    }

    fn scores(&self) -> Scale {
        let low = self.points.iter().map(|point| point.score.low).fold(f64::INFINITY, f64::min);
        let high = self.points.iter().map(|point| point.score.high).fold(1.0, f64::max);
        if self.logarithmic() {
            Scale::logarithmic(low * 0.93, high * 1.05, thousands)
        } else {
            Scale::numbers(0.0, high * 1.06, 6)
        }
    }

    fn place(&self, plot: &Plot, point: &CostPoint, score: f64) -> (f64, f64) {
        let height = if self.logarithmic() { libm::log10(score) } else { score };
        position(plot, libm::log10(point.seconds_per_move), height)
    }

    fn games(&self) -> String {
        let (low, high) = extent(self.points.iter().map(|point| point.score.n as f64)).unwrap_or((0.0, 0.0));
        if low == high {
            format!("{} games", thousands(low))
        } else {
            format!("{} to {} games", thousands(low), thousands(high))
        }
    }

    /// Whether no other agent scores more at the same or a lower price.
    fn on_front(&self, one: &CostPoint) -> bool {
        !self.points.iter().any(|other| {
            let (dearer, better) =
                (other.seconds_per_move > one.seconds_per_move, other.score.point > one.score.point);
            let equal =
                other.seconds_per_move == one.seconds_per_move && other.score.point == one.score.point;
            !dearer && !equal && (better || other.score.point == one.score.point)
        })
    }

    /// The corners of the front, from the cheapest agent to the best.
    fn front(&self, plot: &Plot) -> Vec<(f64, f64)> {
        let mut front: Vec<_> = self.points.iter().filter(|point| self.on_front(point)).collect();
        front.sort_by(|a, b| a.seconds_per_move.total_cmp(&b.seconds_per_move));
        steps(front.into_iter().map(|point| self.place(plot, point, point.score.point)))
    }

    /// What labels should not cover: marks and intervals.
    fn obstacles(&self, plot: &Plot) -> Vec<(Frame, f64)> {
        let mut taken = Vec::new();
        for point in &self.points {
            let (x, y) = self.place(plot, point, point.score.point);
            let (_, low) = self.place(plot, point, point.score.low);
            let (_, high) = self.place(plot, point, point.score.high);
            taken.push((Frame::around((x, y), 6.0), 20.0));
            taken.push((Frame::new(x - 3.5, high, x + 3.5, low), 5.0));
        }
        taken
    }

    fn paint_points(&self, sheet: &Sheet, plot: &Plot, frame: Frame) {
        let placer = Placer { within: frame, taken: self.obstacles(plot), lines: pieces(&self.front(plot)) };
        let mut points: Vec<_> = self.points.iter().collect();
        points.sort_by(|a, b| b.score.point.total_cmp(&a.score.point).then(a.label.cmp(&b.label)));
        let at = |point: &CostPoint| self.place(plot, point, point.score.point);
        let size = |point: &CostPoint| (NAME.strong().width(&point.label) + 2.0, NAME.line());
        let wishes: Vec<_> = points.iter().map(|point| Wish { at: at(point), size: size(point) }).collect();
        let labels = placer.place(&wishes);
        for (point, label) in points.iter().zip(&labels) {
            if distance(at(point), label) > LEAD {
                sheet.line(&[at(point), nearest(at(point), label)], Pen::new(AXIS, 0.7));
            }
        }
        for (point, label) in points.iter().zip(&labels) {
            let (color, name) = if self.on_front(point) { (BLUE, NAME.strong()) } else { (MUTED, NAME) };
            let (low, high) =
                (self.place(plot, point, point.score.low), self.place(plot, point, point.score.high));
            sheet.whisker(low, high, Pen::new(color, 1.2));
            sheet.mark(at(point), Shape::Circle, 4.5, color, !self.on_front(point));
            sheet.text((label.left + 1.0, (label.top + label.bottom) / 2.0), &point.label, name);
        }
    }
}

impl CostPoint {
    fn numbers(&self) -> Vec<f64> {
        vec![libm::log10(self.seconds_per_move), self.score.point, self.score.low, self.score.high]
    }
}
