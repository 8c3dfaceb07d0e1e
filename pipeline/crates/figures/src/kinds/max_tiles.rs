//! Largest tiles: the share of games that end with each. Up to four agents stand side by side as bars; more
//! get a row each.

use metrics::Games;
use stats::{Estimate, Rate, rate};

use super::{Content, FigureContext, PlayedExperiment, of_experiments};
use crate::axis::{self, Scale};
use crate::layout::Frame;
use crate::legend::{Key, Swatch};
use crate::numbers::{counted, rank};
use crate::rows::{Head, Rows};
use crate::sheet::{MARGIN, Sheet, position, render};
use crate::style::{BLUE, Hatch, INK, INTERVAL, Pen, SKY, Type, WIDTH, look};
use crate::{Draw, Drawing, Figure, FigureError};

/// Agents that fit side by side.
const SIDE_BY_SIDE: usize = 4;

of_experiments! {
    /// The largest tile at the end of the games.
    MaxTilesKeys, "max-tiles", content
}

fn content(shown: &[PlayedExperiment<'_>], _: &dyn FigureContext) -> Option<(String, Tiles)> {
    let row = |played: &PlayedExperiment<'_>| TileRow {
        label: played.method.to_owned(),
        variant: played.variant.map(|variant| variant.words().to_owned()),
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
    pub variant: Option<String>,
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

impl Draw for Tiles {
    fn draw(&self, figure: &Figure) -> Result<Drawing, FigureError> {
        figure.check(self.rows.iter().map(|row| (row.label.as_str(), row.numbers())))?;
        figure.check_tiles(self.tiles())?;
        if self.tiles().next().is_none() {
            return Err(FigureError::Empty(figure.id.clone()));
        }
        render(figure, WIDTH, |sheet, top| {
            if self.rows.len() <= SIDE_BY_SIDE {
                self.paint_groups(sheet, top)
            } else {
                self.paint_rows(sheet, top)
            }
        })
    }
}

impl Tiles {
    fn tiles(&self) -> impl Iterator<Item = u32> {
        self.rows.iter().flat_map(|row| row.shares.iter().map(|(tile, _)| *tile))
    }

    fn scale(&self) -> Scale {
        let ranks: Vec<u32> = self.tiles().map(rank).collect();
        let low = ranks.iter().min().copied().unwrap_or(1);
        Scale::tiles(low..=ranks.iter().max().copied().unwrap_or(low))
    }

    fn greatest(&self) -> f64 {
        let shares = self.rows.iter().flat_map(|row| &row.shares);
        shares.map(|(_, share)| share.high).fold(0.05, f64::max).min(1.0)
    }

    fn paint_groups(&self, sheet: &Sheet, top: f64) -> f64 {
        let mut keys: Vec<_> = self.rows.iter().enumerate().map(|(index, row)| row.key(index)).collect();
        keys.push(Key::new(Swatch::Whisker(INK), INTERVAL));
        let top = sheet.legend(&keys, top) + 8.0;
        let scale = self.scale();
        let shares = Scale::shares(5).between(0.0, (self.greatest() * 1.04).clamp(0.2, 1.0));
        let frame = Frame::new(MARGIN + axis::room(&shares, true), top, sheet.width - MARGIN, top + 300.0);
        let plot = sheet.plot(frame, scale.low..scale.high, 0.0..shares.high);
        axis::vertical(sheet, &plot, frame, &shares, "share of games");
        let width = 0.8 / self.rows.len() as f64;
        for (index, row) in self.rows.iter().enumerate() {
            let look = look(index);
            for (tile, share) in &row.shares {
                let left = f64::from(rank(*tile)) - 0.4 + width * index as f64;
                let (from, to) = (left + width * 0.06, left + width * 0.94);
                plot.bar((from, 0.0), (to, share.point), look.color, look.hatch);
                let middle = left + width / 2.0;
                let (low, high) = (position(&plot, middle, share.low), position(&plot, middle, share.high));
                sheet.whisker(low, high, Pen::new(INK, 1.2));
            }
        }
        axis::horizontal(sheet, &plot, frame, &scale, "largest tile")
    }

    fn paint_rows(&self, sheet: &Sheet, top: f64) -> f64 {
        let keys = [
            Key::new(Swatch::Bar(SKY, Hatch::None), "share of games"),
            Key::new(Swatch::Bar(BLUE, Hatch::None), "the most frequent tile"),
            Key::new(Swatch::Whisker(INK), INTERVAL),
        ];
        let top = sheet.legend(&keys, top) + 16.0;
        let heads: Vec<_> = self.rows.iter().map(TileRow::head).collect();
        let rows = Rows::new(sheet, &heads, top, 50.0);
        let scale = self.scale().plain();
        let plot = sheet.plot(rows.frame, scale.low..scale.high, 0.0..1.0);
        let bottom = axis::horizontal(sheet, &plot, rows.frame, &scale, "largest tile");
        axis::above(sheet, &plot, rows.frame, &scale);
        rows.draw(sheet, &heads);
        let full = self.greatest();
        for (index, row) in self.rows.iter().enumerate() {
            let base = rows.middle(index) + rows.height / 2.0;
            let columns = row.shares.iter().map(|(tile, share)| {
                let (left, _) = position(&plot, f64::from(rank(*tile)) - 0.5, 0.0);
                let (right, _) = position(&plot, f64::from(rank(*tile)) + 0.5, 0.0);
                (left, right, *share)
            });
            row.paint(sheet, columns, base, (rows.height - 19.0) / full);
        }
        bottom
    }
}

impl TileRow {
    fn head(&self) -> Head<'_> {
        Head { label: &self.label, variant: self.variant.as_deref(), n: self.n }
    }

    fn key(&self, index: usize) -> Key {
        let look = look(index);
        let variant = self.variant.as_ref().map(|variant| format!(", {variant}")).unwrap_or_default();
        let name = format!("{}{variant} ({})", self.label, counted(self.n, "game"));
        Key::new(Swatch::Bar(look.color, look.hatch), name)
    }

    fn numbers(&self) -> Vec<f64> {
        self.shares.iter().flat_map(|(_, share)| [share.point, share.low, share.high]).collect()
    }

    /// Bars on a common base, the share written above each; `scale` is the height of a share of one.
    fn paint(
        &self,
        sheet: &Sheet,
        columns: impl Iterator<Item = (f64, f64, Estimate)>,
        base: f64,
        scale: f64,
    ) {
        let most = self.shares.iter().map(|(_, share)| share.point).fold(0.0, f64::max);
        for (left, right, share) in columns.filter(|(_, _, share)| share.point > 0.0) {
            let inset = (right - left) * 0.18;
            let color = if share.point >= most { BLUE } else { SKY };
            let bar = Frame::new(left + inset, base - share.point * scale, right - inset, base);
            sheet.bar(bar, color, Hatch::None);
            let middle = (left + right) / 2.0;
            let (low, high) = (base - share.low * scale, base - share.high * scale);
            sheet.whisker((middle, low), (middle, high), Pen::new(INK, 1.0));
            sheet.text(
                (middle, high - 1.5),
                &format!("{:.1} %", share.point * 100.0),
                Type::TINY.middle().above(),
            );
        }
    }
}
