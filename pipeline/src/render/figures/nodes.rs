//! Expanded nodes against empty cells: the published formula beside the plain search and the one that looks positions up.

use crate::stats::{Estimate, Method};

use super::axis::{self, Scale};
use super::elements::{Element, Trace};
use super::layout::Frame;
use super::legend::{self, Key, Sample};
use super::numbers::{extent, thousands};
use super::sheet::{MARGIN, Plot, Sheet, Sure, position, render};
use super::style::{BLUE, Dash, GREEN, INTERVAL, Look, MUTED, Pen, Shape, VERMILLION, WIDTH, look};
use super::{Draw, Drawing, Figure, FigureError};

/// Nodes expanded with a number of empty cells at the root.
#[derive(Clone, Debug)]
pub struct NodesAt {
    /// Empty cells.
    pub empty: u32,
    /// What the paper's formula gives.
    pub published: Option<f64>,
    /// Mean of the plain search.
    pub plain: Option<Estimate>,
    /// Mean of the search that looks positions up.
    pub memoised: Option<Estimate>,
}

/// Expanded nodes for each number of empty cells.
#[derive(Clone, Debug)]
pub struct Nodes {
    /// By rising number of empty cells.
    pub cells: Vec<NodesAt>,
}

type Pick = fn(&NodesAt) -> Option<Estimate>;

impl Draw for Nodes {
    fn draw(&self, figure: &Figure) -> Result<Drawing, FigureError> {
        figure.check(self.cells.iter().map(|cell| ("expanded nodes", cell.numbers())))?;
        render(figure, WIDTH, |sheet, top| self.paint(sheet, top))
    }
}

fn published(cell: &NodesAt) -> Option<Estimate> {
    cell.published.map(|nodes| Estimate { point: nodes, low: nodes, high: nodes, n: 0, method: Method::T })
}

const SERIES: [(&str, Pick, usize); 3] = [
    ("published formula", published, 0),
    ("plain search", |cell| cell.plain, 1),
    ("memoised search", |cell| cell.memoised, 2),
];

fn series_look(index: usize) -> Look {
    match index {
        0 => Look { color: VERMILLION, dash: Dash::Long, shape: Shape::Diamond, hollow: true, ..look(0) },
        1 => Look { color: BLUE, dash: Dash::Solid, shape: Shape::Circle, ..look(0) },
        _ => Look { color: GREEN, dash: Dash::Dots, shape: Shape::Triangle, ..look(0) },
    }
}

impl Nodes {
    fn paint(&self, sheet: &Sheet<'_>, top: f64) -> f64 {
        let top = legend::line(sheet, &self.keys(), MARGIN, sheet.width - MARGIN, top) + 10.0;
        let numbers = self.cells.iter().flat_map(NodesAt::numbers).filter(|nodes| *nodes > 0.0);
        let (least, most) = extent(numbers).unwrap_or((1.0, 10.0));
        // Room below, where the lowest whisker ends.
        let nodes = Scale::logarithmic(least / 3.0, most * 1.1, thousands);
        let frame =
            Frame::new(MARGIN + axis::room(&nodes, true), top + 4.0, sheet.width - MARGIN, top + 344.0);
        let (low, high) =
            (self.cells.iter().map(|cell| cell.empty).min(), self.cells.iter().map(|cell| cell.empty).max());
        let cells: Vec<_> = (low.unwrap_or(0)..=high.unwrap_or(0))
            .map(|empty| (f64::from(empty), empty.to_string()))
            .collect();
        let (first, last) = (f64::from(low.unwrap_or(0)) - 0.5, f64::from(high.unwrap_or(0)) + 0.5);
        let plot = sheet.plot(frame, first..last, nodes.low..nodes.high);
        axis::vertical(sheet, &plot, frame, &nodes, "expanded nodes a move (logarithmic)");
        let bottom =
            axis::horizontal(sheet, &plot, frame, &Scale::new(first, last, cells), "empty cells at the root");
        for (_, pick, index) in SERIES {
            self.paint_series(sheet, &plot, pick, series_look(index), (index as f64 - 1.0) * 0.14);
        }
        bottom
    }

    fn keys(&self) -> Vec<Key> {
        let mut keys = Vec::new();
        for (name, pick, index) in SERIES {
            let games: u64 = self.cells.iter().filter_map(pick).map(|nodes| nodes.n).sum();
            let name = if games > 0 {
                format!("{name} ({} games)", thousands(games as f64))
            } else {
                name.to_owned()
            };
            if self.cells.iter().any(|cell| pick(cell).is_some()) {
                keys.push(Key::new(Sample::Line(series_look(index)), name));
            }
        }
        keys.push(Key::new(Sample::Whisker(MUTED), INTERVAL));
        keys
    }

    fn paint_series(&self, sheet: &Sheet<'_>, plot: &Plot<'_>, pick: Pick, look: Look, shift: f64) {
        let place = |empty: u32, nodes: f64| (f64::from(empty) + shift, libm::log10(nodes.max(1e-9)));
        let known: Vec<_> = self.cells.iter().filter_map(|cell| Some((cell.empty, pick(cell)?))).collect();
        let points = known.iter().map(|(empty, nodes)| place(*empty, nodes.point)).collect();
        plot.draw(&Trace { pen: Pen::new(look.color, 1.5).dashed(look.dash) }.at(points)).sure();
        for (empty, nodes) in known {
            let at = |nodes: f64| {
                let (x, y) = place(empty, nodes);
                position(plot, x, y)
            };
            if nodes.low < nodes.high {
                sheet.whisker(at(nodes.low), at(nodes.high), Pen::new(look.color, 1.2));
            }
            sheet.mark(at(nodes.point), look.shape, 4.0, look.color, look.hollow);
        }
    }
}

impl NodesAt {
    fn numbers(&self) -> Vec<f64> {
        let measured = [self.plain, self.memoised].into_iter().flatten();
        measured.flat_map(|nodes| [nodes.point, nodes.low, nodes.high]).chain(self.published).collect()
    }
}
