//! Ranks with intervals: the places that each method may have among the others.

use super::Paint;
use super::axis::Axis;
use super::legend::Swatch;
use super::rows::{GAMES, RowHead};
use super::sheet::Sheet;
use super::style::{BLUE, MUTED, Mark, Pen, Shape};

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

const FIRST: Mark = Mark::new(Shape::Circle, BLUE);
const BEHIND: Mark = Mark::new(Shape::Square, MUTED);

impl Paint for Ranks {
    fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    fn paint(&self, sheet: &Sheet, top: f64) -> f64 {
        let keys = [
            Swatch::Interval(FIRST).named("rank by mean score, 95 % interval: it may be the first"),
            Swatch::Interval(BEHIND).named("it is behind another for certain"),
        ];
        let top = sheet.legend(&keys, top) + 16.0;
        let heads: Vec<_> = self.rows.iter().map(|row| RowHead::of_games(&row.label, None, row.n)).collect();
        let count = self.rows.len();
        let ticks = (1..=count).map(|rank| (rank as f64, rank.to_string())).collect();
        let axis = Axis::new(0.5, count as f64 + 0.5, ticks);
        let (plot, bottom) = sheet.rows(top, 26.0, (&[GAMES], &heads), (&axis, "rank"));
        for (index, RankRow { rank, .. }) in self.rows.iter().enumerate() {
            let at = |place: usize| plot.at(place as f64, index as f64 + 0.5);
            let mark = if rank.best == 1 { FIRST } else { BEHIND };
            if rank.best < rank.worst {
                sheet.whisker(at(rank.best), at(rank.worst), Pen::new(mark.color, 1.8));
            }
            sheet.mark(at(rank.rank), mark, 4.5);
        }
        bottom
    }
}
