//! How methods stand to each other: the places that each may have among the others, and how often a game of
//! one scores more than a game of the other, for all pairs.

use stats::Estimate;

use super::Paint;
use super::axis::Axis;
use super::layout::{Frame, fit};
use super::legend::Swatch;
use super::rows::{GAMES, RowHead};
use super::sheet::{MARGIN, Sheet};
use super::style::{BLUE, GRID, Hatch, MUTED, Mark, ORANGE, Pen, Shape, Type};

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
    fn paint(&self, sheet: &Sheet, top: f64) -> Option<f64> {
        self.rows.first()?;
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
        Some(bottom)
    }
}

/// How high a row is.
const ROW: f64 = 26.0;
/// How much of the width names may take.
const NAMES: f64 = 0.36;

/// The probabilities of all pairs.
#[derive(Clone, Debug)]
pub struct Pairs {
    /// The methods, the best first.
    pub labels: Vec<String>,
    /// By row and column; none if a method meets itself or the chance is unknown.
    pub chances: Vec<Vec<Option<Estimate>>>,
}

impl Paint for Pairs {
    fn paint(&self, sheet: &Sheet, top: f64) -> Option<f64> {
        self.labels.first()?;
        let remarks = "In hundredths: how often a game of the row's method scores more than one of the column's, ties half. Grey numbers: the 95 % interval holds an even chance.";
        let top = sheet.remarks(remarks, top);
        let keys = [
            Swatch::Bar(BLUE.mix(0.6), Hatch::None).named("the row is ahead"),
            Swatch::Bar(ORANGE.mix(0.6), Hatch::None).named("the column is ahead"),
        ];
        let top = sheet.legend(&keys, top) + 20.0;
        // The methods with their numbers, by which columns are called.
        let numbered = self.labels.iter().enumerate();
        let names: Vec<_> = numbered.map(|(place, label)| format!("{}  {label}", place + 1)).collect();
        let left = MARGIN + Type::LABEL.widest(&names).min(sheet.width * NAMES) + 10.0;
        let cell = ((sheet.end() - left) / self.labels.len() as f64).min(60.0);
        for (row, name) in names.iter().enumerate() {
            let (x, y) = (left + (row as f64 + 0.5) * cell, top + row as f64 * ROW);
            sheet.text((x, top - 4.0), &(row + 1).to_string(), Type::SMALL.middle().above());
            sheet.text((MARGIN, y + ROW / 2.0), &fit(name, &Type::LABEL, left - MARGIN - 6.0), Type::LABEL);
            for (column, chance) in self.chances[row].iter().enumerate() {
                let x = left + column as f64 * cell;
                paint_cell(sheet, Frame::new(x, y, x + cell, y + ROW), chance.as_ref());
            }
        }
        Some(top + self.labels.len() as f64 * ROW)
    }
}

fn paint_cell(sheet: &Sheet, frame: Frame, chance: Option<&Estimate>) {
    let middle = frame.middle();
    let inside = Frame::new(frame.left + 0.6, frame.top + 0.6, frame.right - 0.6, frame.bottom - 0.6);
    let Some(chance) = chance else {
        sheet.line(&[(inside.left, inside.top), (inside.right, inside.bottom)], Pen::new(GRID, 1.0));
        return;
    };
    let color = if chance.point >= 0.5 { BLUE } else { ORANGE };
    sheet.bar(inside, color.mix(((chance.point - 0.5).abs() * 1.2 * 20.0).round() / 20.0), Hatch::None);
    let kind = if chance.contains(0.5) { Type::TINY } else { Type::SMALL_INK };
    sheet.text(middle, &written(chance.point), kind.middle());
}

/// A probability in hundredths; one that is not certain is not written as if it were.
fn written(chance: f64) -> String {
    let hundredths = (chance * 100.0).round();
    match hundredths {
        100.0 if chance < 1.0 => ">99".to_owned(),
        0.0 if chance > 0.0 => "<1".to_owned(),
        whole => format!("{whole}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_certain_is_not_written_so() {
        assert_eq!([0.0, 0.004, 0.496, 0.5, 0.997, 1.0].map(written), ["0", "<1", "50", "50", ">99", "100"]);
    }
}
