//! Expanded nodes against a number that the manifest names, such as empty cells: the published ones beside
//! one or two searches.

use metrics::{Metric, Quantity};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stats::{Estimate, Statistic};

use super::{Content, FigureContext, FigureKeys, Group, KeyError, KeyValue};
use crate::Paint;
use crate::axis::Axis;
use crate::legend::{LegendKey, Swatch};
use crate::numbers::{counted, extent, thousands};
use crate::sheet::Sheet;
use crate::style::{BLUE, Dash, GREEN, INTERVAL, Look, MUTED, Mark, PUBLISHED, Pen, Shape, look};

/// The most groups: beside what is published, more could not be told apart.
const MOST_SEARCHES: usize = 2;

/// The nodes expanded for a move, against a number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct NodesKeys {
    /// The name of the number on the axis.
    #[schemars(length(max = text::LONGEST_NAME))]
    pub axis: String,
    /// The number, one for each experiment of a group.
    pub x: Vec<f64>,
    /// What the paper gives there.
    pub published: Vec<f64>,
    /// Groups of experiments.
    pub groups: Vec<Group>,
}

impl FigureKeys for NodesKeys {
    const NAME: &'static str = "nodes";

    fn values(&self) -> Vec<(&'static str, KeyValue<'_>)> {
        vec![
            ("axis", KeyValue::Name(&self.axis)),
            ("x", KeyValue::Numbers(&self.x)),
            ("published", KeyValue::Numbers(&self.published)),
            ("groups", KeyValue::Groups(&self.groups)),
        ]
    }

    fn check(&self) -> Result<(), KeyError> {
        let count = self.groups.len();
        if count > MOST_SEARCHES {
            let problem = format!("has {count} groups: this kind of figure shows at most {MOST_SEARCHES}");
            return Err(KeyError { key: "groups", problem });
        }
        let lengths = self.groups.iter().map(|group| group.experiments.len()).chain([self.published.len()]);
        if lengths.into_iter().all(|length| length == self.x.len()) {
            return Ok(());
        }
        let problem = "must have as many numbers as `published` has, and as each group has experiments";
        Err(KeyError { key: "x", problem: problem.to_owned() })
    }

    fn content(&self, context: &dyn FigureContext) -> Option<Content> {
        let metric = Metric::summary(Quantity::NODES, Statistic::Mean);
        let measured = |group: &Group| {
            let nodes = |(&x, id): (&f64, &String)| {
                let nodes = metric.estimate(context.experiment(id)?.games).ok()?;
                Some((x, nodes))
            };
            (group.name.clone(), self.x.iter().zip(&group.experiments).filter_map(nodes).collect())
        };
        let searches: Vec<(String, Vec<(f64, Estimate)>)> = self.groups.iter().map(measured).collect();
        let is_measured = searches.iter().any(|(_, nodes)| !nodes.is_empty());
        let shown: Vec<_> =
            self.groups.iter().flat_map(|group| context.experiments(&group.experiments)).collect();
        let published = self.x.iter().copied().zip(self.published.iter().copied()).collect();
        let chart = NodeCounts { axis: self.axis.clone(), published, searches };
        let description = "Nodes expanded for a move, as published and as measured.".to_owned();
        is_measured.then(|| Content::of(&shown, description, chart))
    }
}

/// Expanded nodes along some number.
#[derive(Clone, Debug)]
pub struct NodeCounts {
    /// What is counted along x, such as empty cells.
    pub axis: String,
    /// What the paper has at each number.
    pub published: Vec<(f64, f64)>,
    /// The searches with their names, and their means likewise.
    pub searches: Vec<(String, Vec<(f64, Estimate)>)>,
}

/// A line: where it has points, and their intervals.
type Series = (LegendKey, Look, Vec<(f64, f64, Option<(f64, f64)>)>);

impl Paint for NodeCounts {
    fn paint(&self, sheet: &Sheet, top: f64) -> Option<f64> {
        if self.published.is_empty() && self.searches.iter().all(|(_, nodes)| nodes.is_empty()) {
            return None;
        }
        let (mut keys, mut lines) = (Vec::new(), Vec::new());
        for (key, look, mut points) in self.series().into_iter().filter(|(.., points)| !points.is_empty()) {
            points.sort_by(|one, other| one.0.total_cmp(&other.0));
            keys.push(key);
            lines.push((look, points));
        }
        keys.push(Swatch::Whisker(MUTED).named(INTERVAL));
        let top = sheet.legend(&keys, top) + 14.0;
        let points = || lines.iter().flat_map(|(_, points)| points);
        let numbers = points().flat_map(|(_, nodes, interval)| {
            let (low, high) = interval.unwrap_or((*nodes, *nodes));
            [*nodes, low, high]
        });
        let (least, most) = extent(numbers.filter(|nodes| *nodes > 0.0)).unwrap_or((1.0, 10.0));
        // Room below, where the lowest whisker ends.
        let nodes = Axis::logarithmic(least / 3.0, most * 1.1, thousands);
        let (low, high) = extent(points().map(|(x, ..)| *x)).unwrap_or((0.0, 0.0));
        let ticks = (low as u32..=high as u32).map(|x| (f64::from(x), x.to_string())).collect();
        let across = Axis::new(low - 0.5, high + 0.5, ticks);
        let axes = [(&across, self.axis.as_str()), (&nodes, "expanded nodes per move (logarithmic)")];
        let (plot, bottom) = sheet.chart(top, sheet.end(), 340.0, axes);
        let place = |nodes: f64| libm::log10(nodes.max(1e-9));
        for (index, (look, points)) in lines.iter().enumerate() {
            // Beside each other, so that marks and whiskers do not cover those of another.
            let shift = (index as f64 - 1.0) * 0.14;
            plot.line(points.iter().map(|(x, nodes, _)| (x + shift, place(*nodes))), look.pen(1.5));
            for (x, nodes, interval) in points {
                if let Some((low, high)) = interval {
                    let pen = Pen::new(look.mark.color, 1.2);
                    plot.whisker(x + shift, (place(*low), place(*high)), pen);
                }
                plot.mark((x + shift, place(*nodes)), look.mark, 4.0);
            }
        }
        Some(bottom)
    }
}

impl NodeCounts {
    /// The published numbers, then the searches.
    fn series(&self) -> Vec<Series> {
        let look = |dash, mark| Look { dash, mark, ..look(0) };
        let published = look(Dash::Long, PUBLISHED);
        let points = self.published.iter().map(|(x, nodes)| (*x, *nodes, None)).collect();
        let mut series = vec![(Swatch::Line(published).named("published"), published, points)];
        let looks = [(Dash::Solid, Shape::Circle, BLUE), (Dash::Dots, Shape::Triangle, GREEN)];
        for ((name, nodes), (dash, shape, color)) in self.searches.iter().zip(looks) {
            let look = look(dash, Mark::new(shape, color));
            let games = nodes.iter().map(|(_, nodes)| nodes.n).sum();
            let key = Swatch::Line(look).named(format!("{name} ({})", counted(games, "game")));
            let interval = |nodes: &Estimate| (nodes.low < nodes.high).then_some((nodes.low, nodes.high));
            series.push((
                key,
                look,
                nodes.iter().map(|(x, nodes)| (*x, nodes.point, interval(nodes))).collect(),
            ));
        }
        series
    }
}
