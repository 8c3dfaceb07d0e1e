//! Score against CPU time a move: what an agent's strength costs, and which agents no other beats in both.

use stats::{Estimate, Sample, mean};

use super::{Content, FigureContext, PlayedExperiment, describe, of_experiments};
use crate::Paint;
use crate::axis::Axis;
use crate::labels::LabelledPoint;
use crate::layout::steps;
use crate::legend::Swatch;
use crate::numbers::{extent, seconds, thousands};
use crate::sheet::Sheet;
use crate::style::{BLUE, Dash, INTERVAL, MUTED, Mark, Pen, Shape, Type};

of_experiments! {
    /// The mean score against the CPU time of a move.
    ParetoKeys, "pareto", content
}

fn content(shown: &[PlayedExperiment<'_>], context: &dyn FigureContext) -> Option<(String, TimeCosts)> {
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
    let chart = TimeCosts { points };
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
pub struct TimeCosts {
    /// The agents.
    pub points: Vec<CostPoint>,
}

const ON_FRONT: Mark = Mark::new(Shape::Circle, BLUE);
const DOMINATED: Mark = Mark::hollow(Shape::Circle, MUTED);

impl Paint for TimeCosts {
    fn paint(&self, sheet: &Sheet, top: f64) -> Option<f64> {
        self.points.first()?;
        let keys = [
            Swatch::Mark(ON_FRONT).named("Pareto front"),
            Swatch::Mark(DOMINATED).named("dominated by another"),
            Swatch::Whisker(MUTED).named(INTERVAL),
        ];
        let top = sheet.legend(&keys, top) + 10.0;
        let (least, most) =
            extent(self.points.iter().map(|point| point.seconds_per_move)).unwrap_or((1.0, 1.0));
        let times = Axis::logarithmic(least * 0.85, most * 1.15, seconds);
        let low = self.points.iter().map(|point| point.score.low).fold(f64::INFINITY, f64::min);
        let high = self.points.iter().map(|point| point.score.high).fold(1.0, f64::max);
        let (scores, scaled) = if self.is_logarithmic() {
            (Axis::logarithmic(low * 0.93, high * 1.05, thousands), "logarithmic, ")
        } else {
            (Axis::numbers(0.0, high * 1.06, 6), "")
        };
        let name = format!("mean score ({scaled}{})", self.games());
        let axes = [(&times, "CPU time per move (logarithmic)"), (&scores, name.as_str())];
        let (plot, bottom) = sheet.chart(top, sheet.end(), 420.0, axes);
        let mut points: Vec<_> = self.points.iter().collect();
        points.sort_by(|a, b| b.score.point.total_cmp(&a.score.point).then(a.label.cmp(&b.label)));
        let points: Vec<LabelledPoint> = points.into_iter().map(|point| self.labelled(point)).collect();
        let mut front: Vec<_> =
            points.iter().filter(|point| !point.mark.hollow).map(|point| point.at).collect();
        front.sort_by(|a, b| a.0.total_cmp(&b.0));
        let front = steps(front.into_iter().map(|(x, y)| plot.at(x, y)));
        sheet.line(&front, Pen::new(BLUE, 1.3).dashed(Dash::Long));
        plot.points(&points, &[front], Vec::new());
        Some(bottom)
    }
}

impl TimeCosts {
    /// Whether the agents differ so much that a linear axis would press the weaker ones together.
    fn is_logarithmic(&self) -> bool {
        let (low, high) = extent(self.points.iter().map(|point| point.score.point)).unwrap_or((0.0, 0.0));
        low > 0.0 && high > low * 8.0 && self.points.iter().all(|point| point.score.low > 0.0)
    }

    fn games(&self) -> String {
        let (low, high) = extent(self.points.iter().map(|point| point.score.n as f64)).unwrap_or((0.0, 0.0));
        if low == high {
            format!("{} games", thousands(low))
        } else {
            format!("{} to {} games", thousands(low), thousands(high))
        }
    }

    /// Whether another agent scores at least as much at the same or a lower price, and does better in one.
    fn is_dominated(&self, one: &CostPoint) -> bool {
        self.points.iter().any(|other| {
            let (cost, score) = (other.seconds_per_move, other.score.point);
            let is_equal = cost == one.seconds_per_move && score == one.score.point;
            cost <= one.seconds_per_move && score >= one.score.point && !is_equal
        })
    }

    fn labelled(&self, point: &CostPoint) -> LabelledPoint {
        let height = |score: f64| if self.is_logarithmic() { libm::log10(score) } else { score };
        let Estimate { point: score, low, high, .. } = point.score;
        let (mark, kind) = if self.is_dominated(point) {
            (DOMINATED, Type::SMALL_INK)
        } else {
            (ON_FRONT, Type::SMALL_INK.strong())
        };
        LabelledPoint {
            at: (libm::log10(point.seconds_per_move), height(score)),
            intervals: [None, Some((height(low), height(high)))],
            mark,
            label: point.label.clone(),
            kind,
        }
    }
}
