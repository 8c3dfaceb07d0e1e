//! Tile-reach curves: the share of games that make each tile, with published rates as hollow marks. A few agents share one
//! plot; more get a small plot each, with all of the others in grey behind.

use plotters::prelude::{Color, RGBColor};

use stats::Estimate;

use super::axis::{self, Scale};
use super::elements::{Element, Patch, Trace};
use super::layout::{Frame, fit};
use super::legend::{self, Key, Sample};
use super::numbers::{counted, rank, thousands};
use super::sheet::{MARGIN, Plot, Sheet, Sure, position, render};
use super::style::{AXIS, BLUE, GRID, INK, INTERVAL, Look, Pen, Shape, Type, WIDTH, dash, look};
use super::{Draw, Drawing, Figure, FigureError};

/// Agents that share one plot.
const TOGETHER: usize = 5;
/// Small plots side by side.
const COLUMNS: usize = 3;

/// The tiles that one agent reaches.
#[derive(Clone, Debug)]
pub struct ReachSeries {
    /// The agent's or the experiment's name.
    pub label: String,
    /// Which reading of the paper it is.
    pub variant: Option<String>,
    /// For each tile the share of games that make it.
    pub rates: Vec<(u32, Estimate)>,
    /// The rates that the paper gives.
    pub published: Vec<(u32, f64)>,
}

/// Tile-reach curves of up to 15 agents.
#[derive(Clone, Debug)]
pub struct Reach {
    /// The agents.
    pub series: Vec<ReachSeries>,
}

impl Draw for Reach {
    fn draw(&self, figure: &Figure) -> Result<Drawing, FigureError> {
        figure.check(self.series.iter().map(|series| (series.label.as_str(), series.numbers())))?;
        figure.check_tiles(self.tiles())?;
        render(figure, WIDTH, |sheet, top| {
            if self.series.len() <= TOGETHER {
                self.paint_together(sheet, top)
            } else {
                self.paint_apart(sheet, top)
            }
        })
    }
}

/// The look of a series among few: each with a dash of its own.
fn together(index: usize) -> Look {
    Look { dash: dash(index), ..look(index) }
}

impl Reach {
    fn tiles(&self) -> impl Iterator<Item = u32> {
        self.series.iter().flat_map(|one| {
            one.rates.iter().map(|(tile, _)| *tile).chain(one.published.iter().map(|(tile, _)| *tile))
        })
    }

    /// From the smallest tile given to one beyond the largest that any game or paper has reached.
    fn scale(&self) -> Scale {
        let reached = self.series.iter().flat_map(|one| {
            let seen = one.rates.iter().filter(|(_, rate)| rate.point > 0.0).map(|(tile, _)| *tile);
            seen.chain(one.published.iter().map(|(tile, _)| *tile))
        });
        let low = self.tiles().map(rank).min().unwrap_or(8);
        let last = self.tiles().map(rank).max().unwrap_or(low);
        let high = reached.map(rank).max().map_or(low, |rank| rank + 1);
        Scale::tiles(low..=high.clamp(low, last))
    }

    /// The series without the tiles that the axis leaves out.
    fn within(&self, scale: &Scale) -> Vec<ReachSeries> {
        let mut all = self.series.clone();
        for series in &mut all {
            series.rates.retain(|(tile, _)| f64::from(rank(*tile)) < scale.high);
        }
        all
    }

    fn marks(&self, color: RGBColor) -> Vec<Key> {
        let published = self.series.iter().any(|series| !series.published.is_empty());
        published
            .then(|| Key::new(Sample::Mark(Shape::Circle, color, true), "published"))
            .into_iter()
            .collect()
    }

    fn paint_together(&self, sheet: &Sheet<'_>, top: f64) -> f64 {
        let mut keys: Vec<_> = self.series.iter().enumerate().map(|(index, one)| one.key(index)).collect();
        keys.push(Key::new(Sample::Whisker(INK), INTERVAL));
        keys.extend(self.marks(INK));
        let top = legend::line(sheet, &keys, MARGIN, sheet.width - MARGIN, top) + 8.0;
        let (scale, shares) = (self.scale(), Scale::shares(5));
        let frame = Frame::new(MARGIN + axis::room(&shares, true), top, sheet.width - MARGIN, top + 320.0);
        let plot = sheet.plot(frame, scale.low..scale.high, 0.0..1.0);
        axis::vertical(sheet, &plot, frame, &shares, "share of games that reach it");
        let bottom = axis::horizontal(sheet, &plot, frame, &scale, "tile");
        for (index, series) in self.within(&scale).iter().enumerate() {
            let shift = (index as f64 - (self.series.len() - 1) as f64 / 2.0) * 0.11;
            series.paint(sheet, &plot, together(index), shift, true);
        }
        bottom
    }

    fn paint_apart(&self, sheet: &Sheet<'_>, top: f64) -> f64 {
        let mut keys = vec![
            Key::new(Sample::Line(look(0)), "share of games that reach the tile"),
            Key::new(Sample::Band(BLUE.mix(0.22)), INTERVAL),
            Key::new(Sample::Thin(AXIS), "the other agents"),
        ];
        keys.extend(self.marks(BLUE));
        let top = legend::line(sheet, &keys, MARGIN, sheet.width - MARGIN, top) + 4.0;
        let shares = Scale::shares(2);
        let left = MARGIN + axis::room(&shares, false);
        let width = (sheet.width - MARGIN - left + 14.0) / COLUMNS as f64;
        let mut bottom = top;
        for index in 0..self.series.len() {
            let (row, column) = (index / COLUMNS, index % COLUMNS);
            let x = left + width * column as f64;
            let head = if self.series.iter().any(|one| one.variant.is_some()) { 36.0 } else { 22.0 };
            let y = top + head + (114.0 + head) * row as f64;
            let frame = Frame::new(x, y, x + width - 14.0, y + 88.0);
            bottom = self.paint_panel(sheet, frame, index, (column == 0).then_some(&shares)).max(bottom);
        }
        bottom
    }

    fn paint_panel(&self, sheet: &Sheet<'_>, frame: Frame, index: usize, shares: Option<&Scale>) -> f64 {
        let scale = self.scale().tiny();
        let plot = sheet.plot(frame, scale.low..scale.high, 0.0..1.0);
        for share in [0.0, 0.5, 1.0] {
            let (_, y) = position(&plot, 0.0, share);
            sheet.line(&[(frame.left, y), (frame.right, y)], Pen::new(GRID, 1.0));
        }
        if let Some(shares) = shares {
            axis::vertical(sheet, &plot, frame, shares, "");
        }
        let bottom = axis::horizontal(sheet, &plot, frame, &scale, "");
        let series = self.within(&scale);
        for (other, series) in series.iter().enumerate() {
            if other != index {
                plot.draw(&Trace { pen: Pen::new(AXIS.mix(0.45), 0.8) }.at(series.line(0.0))).sure();
            }
        }
        let series = &series[index];
        series.paint_band(&plot);
        series.paint(sheet, &plot, look(0), 0.0, false);
        series.paint_name(sheet, frame);
        bottom
    }
}

impl ReachSeries {
    fn numbers(&self) -> Vec<f64> {
        let rates = self.rates.iter().flat_map(|(_, rate)| [rate.point, rate.low, rate.high]);
        rates.chain(self.published.iter().map(|(_, rate)| *rate)).collect()
    }

    fn n(&self) -> u64 {
        self.rates.iter().map(|(_, rate)| rate.n).max().unwrap_or(0)
    }

    fn name(&self) -> String {
        match &self.variant {
            Some(variant) => format!("{}, {variant}", self.label),
            None => self.label.clone(),
        }
    }

    fn key(&self, index: usize) -> Key {
        Key::new(Sample::Line(together(index)), format!("{} ({})", self.name(), counted(self.n(), "game")))
    }

    fn line(&self, shift: f64) -> Vec<(f64, f64)> {
        self.rates.iter().map(|(tile, rate)| (f64::from(rank(*tile)) + shift, rate.point)).collect()
    }

    /// The curve with its marks, whiskers and published rates, moved aside by a part of a step.
    fn paint(&self, sheet: &Sheet<'_>, plot: &Plot<'_>, look: Look, shift: f64, whiskers: bool) {
        let pen = Pen::new(look.color, 1.5).dashed(look.dash);
        plot.draw(&Trace { pen }.at(self.line(shift))).sure();
        for (tile, rate) in &self.published {
            // Larger and behind, so that it shows as a ring where the two agree.
            let at = position(plot, f64::from(rank(*tile)) + shift, *rate);
            sheet.mark(at, look.shape, 6.0, look.color, true);
        }
        for (tile, rate) in &self.rates {
            let x = f64::from(rank(*tile)) + shift;
            if whiskers {
                sheet.whisker(
                    position(plot, x, rate.low),
                    position(plot, x, rate.high),
                    Pen::new(look.color, 1.2),
                );
            }
            sheet.mark(position(plot, x, rate.point), look.shape, 3.6, look.color, false);
        }
    }

    fn paint_band(&self, plot: &Plot<'_>) {
        let edge = |bound: fn(&Estimate) -> f64| {
            self.rates.iter().map(move |(tile, rate)| (f64::from(rank(*tile)), bound(rate)))
        };
        let points: Vec<_> = edge(|rate| rate.low).chain(edge(|rate| rate.high).rev()).collect();
        plot.draw(&Patch { fill: BLUE.mix(0.22).to_backend_color(), outline: None }.at(points)).sure();
    }

    /// The name above a small plot; with a variant, that and the games stand in a line of their own.
    fn paint_name(&self, sheet: &Sheet<'_>, frame: Frame) {
        const NAME: Type = Type::SMALL_INK.strong().above();
        let games = format!("n = {}", thousands(self.n() as f64));
        let base = frame.top - 4.0;
        let Some(variant) = &self.variant else {
            let room = frame.right - frame.left - Type::TINY.width(&games) - 8.0;
            sheet.text((frame.left, base), &fit(&self.label, &NAME, room), NAME);
            return sheet.text((frame.right, base), &games, Type::TINY.end().above());
        };
        let room = frame.right - frame.left;
        sheet.text((frame.left, base - 14.0), &fit(&self.label, &NAME, room), NAME);
        let room = room - Type::TINY.width(&games) - 8.0;
        sheet.text((frame.left, base), &fit(variant, &Type::TINY, room), Type::TINY.above());
        sheet.text((frame.right, base), &games, Type::TINY.end().above());
    }
}
