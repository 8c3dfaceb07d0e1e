//! Largest tiles: the share of games that end with each. Up to four agents stand side by side as bars; more
//! get a row each.

use metrics::{Games, Variant};
use stats::{Estimate, Rate, rate};

use super::{Content, FigureContext, PlayedExperiment, of_experiments};
use crate::Paint;
use crate::axis::Axis;
use crate::layout::Frame;
use crate::legend::Swatch;
use crate::numbers::{counted, extent, rank};
use crate::rows::{GAMES, RowHead};
use crate::sheet::Sheet;
use crate::style::{BLUE, Hatch, INK, INTERVAL, Pen, SKY, Type, look};

/// Agents that fit side by side.
const SIDE_BY_SIDE: usize = 4;

of_experiments! {
    /// The largest tile at the end of the games.
    MaxTilesKeys, "max-tiles", content
}

fn content(shown: &[PlayedExperiment<'_>], _: &dyn FigureContext) -> Option<(String, Tiles)> {
    let row = |played: &PlayedExperiment<'_>| TileRow {
        label: played.method.to_owned(),
        variant: played.variant,
        n: played.games.outcomes.len() as u64,
        shares: shares(played.games),
    };
    let experiments = counted(shown.len() as u64, "experiment");
    let description = format!("The largest tile at the end of the games of {experiments}.");
    Some((description, Tiles { rows: shown.iter().map(row).collect() }))
}

/// For each largest tile its share of the games.
fn shares(games: &Games) -> Vec<(u32, Estimate)> {
    let mut tiles: Vec<u32> =
        games.outcomes.iter().map(|outcome| outcome.max_tile).filter(|&tile| tile > 0).collect();
    tiles.sort_unstable();
    let n = games.outcomes.len() as u64;
    tiles
        .chunk_by(|one, other| one == other)
        .filter_map(|equal| Some((equal[0], rate(Rate::new(equal.len() as u64, n).ok()?))))
        .collect()
}

/// Largest tiles of one agent's games.
#[derive(Clone, Debug)]
pub struct TileRow {
    /// The agent's or the experiment's name.
    pub label: String,
    /// Which reading of the paper it is.
    pub variant: Option<Variant>,
    /// Games.
    pub n: u64,
    /// For each largest tile, its share of the games; tiles that are left out count as unseen.
    pub shares: Vec<(u32, Estimate)>,
}

/// Largest tiles of up to 15 agents.
#[derive(Clone, Debug)]
pub struct Tiles {
    /// The agents.
    pub rows: Vec<TileRow>,
}

impl Paint for Tiles {
    fn paint(&self, sheet: &Sheet, top: f64) -> Option<f64> {
        self.ranks().next()?;
        let are_few = self.rows.len() <= SIDE_BY_SIDE;
        Some(if are_few { self.paint_groups(sheet, top) } else { self.paint_rows(sheet, top) })
    }
}

impl Tiles {
    fn ranks(&self) -> impl Iterator<Item = f64> {
        self.rows.iter().flat_map(|row| row.shares.iter().map(|(tile, _)| rank(*tile)))
    }

    fn axis(&self) -> Axis {
        let (low, high) = extent(self.ranks()).unwrap_or((1.0, 1.0));
        Axis::tiles(low as u32..=high as u32)
    }

    fn greatest(&self) -> f64 {
        let shares = self.rows.iter().flat_map(|row| &row.shares);
        shares.map(|(_, share)| share.high).fold(0.05, f64::max).min(1.0)
    }

    fn paint_groups(&self, sheet: &Sheet, top: f64) -> f64 {
        let mut keys: Vec<_> = Vec::new();
        for (index, row) in self.rows.iter().enumerate() {
            let variant = row.variant.map(|variant| format!(", {}", variant.words())).unwrap_or_default();
            let name = format!("{}{variant} ({})", row.label, counted(row.n, "game"));
            keys.push(Swatch::Bar(look(index).mark.color, look(index).hatch).named(name));
        }
        keys.push(Swatch::Whisker(INK).named(INTERVAL));
        let top = sheet.legend(&keys, top) + 8.0;
        let shares = Axis::shares(5).between(0.0, (self.greatest() * 1.04).clamp(0.2, 1.0));
        let axes = [(&self.axis(), "largest tile"), (&shares, "share of games")];
        let (plot, bottom) = sheet.chart(top, sheet.end(), 300.0, axes);
        let width = 0.8 / self.rows.len() as f64;
        for (index, row) in self.rows.iter().enumerate() {
            let look = look(index);
            for (tile, share) in &row.shares {
                let left = rank(*tile) - 0.4 + width * index as f64;
                let (from, to) = (left + width * 0.06, left + width * 0.94);
                plot.bar((from, 0.0), (to, share.point), look.mark.color, look.hatch);
                plot.whisker(left + width / 2.0, (share.low, share.high), Pen::new(INK, 1.2));
            }
        }
        bottom
    }

    /// Bars on a common base in each row, the share written above each.
    fn paint_rows(&self, sheet: &Sheet, top: f64) -> f64 {
        const HEIGHT: f64 = 50.0;
        let keys = [
            Swatch::Bar(SKY, Hatch::None).named("share of games"),
            Swatch::Bar(BLUE, Hatch::None).named("the most frequent tile"),
            Swatch::Whisker(INK).named(INTERVAL),
        ];
        let top = sheet.legend(&keys, top) + 16.0;
        let head = |row: &TileRow| RowHead::of_games(&row.label, row.variant.map(Variant::words), row.n);
        let heads: Vec<_> = self.rows.iter().map(head).collect();
        let axis = self.axis().plain();
        let (plot, bottom) = sheet.rows(top, HEIGHT, (&[GAMES], &heads), (&axis, "largest tile"));
        plot.above(&axis);
        // The height of a share of one.
        let scale = (HEIGHT - 19.0) / self.greatest();
        for (index, row) in self.rows.iter().enumerate() {
            let most = row.shares.iter().map(|(_, share)| share.point).fold(0.0, f64::max);
            for (tile, share) in row.shares.iter().filter(|(_, share)| share.point > 0.0) {
                let (left, base) = plot.at(rank(*tile) - 0.5, (index + 1) as f64);
                let (right, _) = plot.at(rank(*tile) + 0.5, 0.0);
                let (inset, middle) = ((right - left) * 0.18, (left + right) / 2.0);
                let color = if share.point >= most { BLUE } else { SKY };
                let bar = Frame::new(left + inset, base - share.point * scale, right - inset, base);
                sheet.bar(bar, color, Hatch::None);
                let (low, high) = (base - share.low * scale, base - share.high * scale);
                sheet.whisker((middle, low), (middle, high), Pen::new(INK, 1.0));
                let text = format!("{:.1} %", share.point * 100.0);
                sheet.text((middle, high - 1.5), &text, Type::TINY.middle().above());
            }
        }
        bottom
    }
}
