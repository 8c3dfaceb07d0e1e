//! Expanded nodes against a number that the manifest names, such as empty cells: the published ones beside
//! one or two searches.

use metrics::{Metric, Quantity};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stats::{Estimate, Statistic};

use super::{Content, FigureContext, FigureKeys, Group, KeyError, KeyValue};
use crate::axis::{self, Scale};
use crate::layout::Frame;
use crate::legend::{Key, Swatch};
use crate::numbers::{counted, extent, thousands};
use crate::sheet::{MARGIN, Plot, Sheet, position, render};
use crate::style::{BLUE, Dash, GREEN, INTERVAL, Look, MUTED, Pen, Shape, VERMILLION, WIDTH, look};
use crate::{Draw, Drawing, Figure, FigureError};

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
        let measured = |group: Option<&Group>, index: usize| {
            let played = context.experiment(group?.experiments.get(index)?)?;
            metric.estimate(played.games).ok()
        };
        let place = |(index, &x): (usize, &f64)| NodesAt {
            x: x as u32,
            published: self.published.get(index).copied(),
            measured: std::array::from_fn(|search| measured(self.groups.get(search), index)),
        };
        let mut places: Vec<NodesAt> = self.x.iter().enumerate().map(place).collect();
        places.sort_by_key(|at| at.x);
        let is_measured = places.iter().any(|at| at.measured.iter().any(Option::is_some));
        let shown: Vec<_> =
            self.groups.iter().flat_map(|group| context.experiments(&group.experiments)).collect();
        let name =
            |search: usize| self.groups.get(search).map(|group| group.name.clone()).unwrap_or_default();
        let chart = Nodes { axis: self.axis.clone(), searches: std::array::from_fn(name), places };
        let description = "Nodes expanded for a move, as published and as measured.".to_owned();
        is_measured.then(|| Content::of(&shown, description, chart))
    }
}

/// Nodes expanded at one place along x.
#[derive(Clone, Debug)]
pub struct NodesAt {
    /// The number there, such as that of empty cells.
    pub x: u32,
    /// What the paper has.
    pub published: Option<f64>,
    /// The means of the searches, in the order of their names.
    pub measured: [Option<Estimate>; MOST_SEARCHES],
}

/// Expanded nodes along some number.
#[derive(Clone, Debug)]
pub struct Nodes {
    /// What x counts.
    pub axis: String,
    /// The searches' names.
    pub searches: [String; MOST_SEARCHES],
    /// By rising x.
    pub places: Vec<NodesAt>,
}

/// What is drawn as one line: the published numbers first, then the searches.
const SERIES: [usize; 1 + MOST_SEARCHES] = [0, 1, 2];

impl Draw for Nodes {
    fn draw(&self, figure: &Figure) -> Result<Drawing, FigureError> {
        figure.check(self.places.iter().map(|at| ("expanded nodes", at.numbers())))?;
        render(figure, WIDTH, |sheet, top| self.paint(sheet, top))
    }
}

fn series_look(series: usize) -> Look {
    match series {
        0 => Look { color: VERMILLION, dash: Dash::Long, shape: Shape::Diamond, hollow: true, ..look(0) },
        1 => Look { color: BLUE, dash: Dash::Solid, shape: Shape::Circle, ..look(0) },
        _ => Look { color: GREEN, dash: Dash::Dots, shape: Shape::Triangle, ..look(0) },
    }
}

impl Nodes {
    fn paint(&self, sheet: &Sheet, top: f64) -> f64 {
        let top = sheet.legend(&self.keys(), top) + 10.0;
        let numbers = self.places.iter().flat_map(NodesAt::numbers).filter(|nodes| *nodes > 0.0);
        let (least, most) = extent(numbers).unwrap_or((1.0, 10.0));
        // Room below, where the lowest whisker ends.
        let nodes = Scale::logarithmic(least / 3.0, most * 1.1, thousands);
        let frame =
            Frame::new(MARGIN + axis::room(&nodes, true), top + 4.0, sheet.width - MARGIN, top + 344.0);
        let xs = || self.places.iter().map(|at| at.x);
        let (low, high) = (xs().min().unwrap_or(0), xs().max().unwrap_or(0));
        let ticks: Vec<_> = (low..=high).map(|x| (f64::from(x), x.to_string())).collect();
        let (first, last) = (f64::from(low) - 0.5, f64::from(high) + 0.5);
        let plot = sheet.plot(frame, first..last, nodes.low..nodes.high);
        axis::vertical(sheet, &plot, frame, &nodes, "expanded nodes per move (logarithmic)");
        let bottom = axis::horizontal(sheet, &plot, frame, &Scale::new(first, last, ticks), &self.axis);
        for series in SERIES {
            self.paint_series(sheet, &plot, series);
        }
        bottom
    }

    fn keys(&self) -> Vec<Key> {
        let mut keys = Vec::new();
        for series in SERIES {
            let games: u64 =
                self.places.iter().filter_map(|at| at.nodes(series)).map(|nodes| nodes.games).sum();
            let name = match series {
                0 => "published".to_owned(),
                _ => format!("{} ({})", self.searches[series - 1], counted(games, "game")),
            };
            if self.places.iter().any(|at| at.nodes(series).is_some()) {
                keys.push(Key::new(Swatch::Line(series_look(series)), name));
            }
        }
        keys.push(Key::new(Swatch::Whisker(MUTED), INTERVAL));
        keys
    }

    fn paint_series(&self, sheet: &Sheet, plot: &Plot, series: usize) {
        // Beside each other, so that marks and whiskers do not cover those of another.
        let (look, shift) = (series_look(series), (series as f64 - 1.0) * 0.14);
        let place = |x: u32, nodes: f64| (f64::from(x) + shift, libm::log10(nodes.max(1e-9)));
        let known: Vec<_> = self.places.iter().filter_map(|at| Some((at.x, at.nodes(series)?))).collect();
        let points = known.iter().map(|(x, nodes)| place(*x, nodes.point));
        plot.line(points, Pen::new(look.color, 1.5).dashed(look.dash));
        for (x, nodes) in known {
            let at = |nodes: f64| {
                let (x, y) = place(x, nodes);
                position(plot, x, y)
            };
            if let Some((low, high)) = nodes.interval {
                sheet.whisker(at(low), at(high), Pen::new(look.color, 1.2));
            }
            sheet.mark(at(nodes.point), look.shape, 4.0, look.color, look.hollow);
        }
    }
}

/// The nodes of one series at one place; what is published has no interval.
struct Shown {
    point: f64,
    interval: Option<(f64, f64)>,
    games: u64,
}

impl NodesAt {
    /// The nodes of a series: those published, or a search's.
    fn nodes(&self, series: usize) -> Option<Shown> {
        match series {
            0 => self.published.map(|point| Shown { point, interval: None, games: 0 }),
            _ => self.measured[series - 1].map(|measured| Shown {
                point: measured.point,
                interval: (measured.low < measured.high).then_some((measured.low, measured.high)),
                games: measured.n,
            }),
        }
    }

    fn numbers(&self) -> Vec<f64> {
        let measured = self.measured.into_iter().flatten();
        measured.flat_map(|nodes| [nodes.point, nodes.low, nodes.high]).chain(self.published).collect()
    }
}
