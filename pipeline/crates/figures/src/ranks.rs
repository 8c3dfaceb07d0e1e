//! Ranks with intervals: the places that each method may have among the others.

use super::axis::{self, Scale};
use super::legend::{Key, Swatch};
use super::rows::{Head, Rows};
use super::sheet::{Sheet, position, render};
use super::style::{BLUE, MUTED, Pen, Shape, WIDTH};
use super::{Draw, Drawing, Figure, FigureError};

/// One method.
#[derive(Clone, Debug)]
pub struct RankRow {
    /// What it is called.
    pub label: String,
    /// Its games.
    pub n: u64,
    /// Its place by the mean score, from 1, and the best and the worst that it may have.
    pub rank: stats::Rank,
}

/// The ranks of methods.
#[derive(Clone, Debug)]
pub struct Ranks {
    /// The methods, the best first.
    pub rows: Vec<RankRow>,
}

impl Draw for Ranks {
    fn draw(&self, figure: &Figure) -> Result<Drawing, FigureError> {
        figure.check(self.rows.iter().map(|row| (row.label.as_str(), Vec::new())))?;
        render(figure, WIDTH, |sheet, top| self.paint(sheet, top))
    }
}

impl Ranks {
    fn paint(&self, sheet: &Sheet, top: f64) -> f64 {
        let keys = [
            Key::new(
                Swatch::Interval(Shape::Circle, BLUE),
                "rank by mean score, 95 % interval: it may be the first",
            ),
            Key::new(Swatch::Interval(Shape::Square, MUTED), "it is behind another for certain"),
        ];
        let top = sheet.legend(&keys, top) + 16.0;
        let heads: Vec<Head<'_>> =
            self.rows.iter().map(|row| Head { label: &row.label, variant: None, n: row.n }).collect();
        let rows = Rows::new(sheet, &heads, top, 26.0);
        let count = self.rows.len();
        let ticks = (1..=count).map(|rank| (rank as f64, rank.to_string())).collect();
        let scale = Scale::new(0.5, count as f64 + 0.5, ticks);
        let plot = sheet.plot(rows.frame, scale.low..scale.high, count as f64..0.0);
        let bottom = axis::horizontal(sheet, &plot, rows.frame, &scale, "rank");
        rows.draw(sheet, &heads);
        for (index, RankRow { rank, .. }) in self.rows.iter().enumerate() {
            let at = |place: usize| position(&plot, place as f64, index as f64 + 0.5);
            let (color, shape) = if rank.best == 1 { (BLUE, Shape::Circle) } else { (MUTED, Shape::Square) };
            if rank.best < rank.worst {
                sheet.whisker(at(rank.best), at(rank.worst), Pen::new(color, 1.8));
            }
            sheet.mark(at(rank.rank), shape, 4.5, color, false);
        }
        bottom
    }
}
