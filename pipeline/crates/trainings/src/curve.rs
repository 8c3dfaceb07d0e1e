//! The learning curve of a training: how its games went, so many of them to a row.

use std::fmt;

use platform::hash::sha256;
use polars::error::PolarsResult;
use polars::prelude::DataFrame;
use records::store::column;
use records::{Cells, MOST_POINTS};

/// The tiles that are counted in every row.
pub const COUNTED_TILES: [u32; 4] = [2048, 8192, 16384, 32768];

/// What some games came to, in the order in which they were learned from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GamesOfARow {
    /// How many games.
    pub games: u64,
    /// All their moves.
    pub moves: u64,
    /// The sum of their scores.
    pub score_sum: u64,
    /// How many of them reached each of [`COUNTED_TILES`].
    pub reached: [u64; 4],
}

/// A row of a learning curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CurveRow {
    /// How many games had been played when it ended.
    pub games: u64,
    /// How many moves.
    pub moves: u64,
    /// How many games it sums up: those since the row before it.
    pub games_in_row: u64,
    /// The sum of their scores.
    pub score_sum: u64,
    /// How many of them reached each of [`COUNTED_TILES`].
    pub reached: [u64; 4],
}

impl CurveRow {
    /// The mean score of its games.
    pub fn mean(&self) -> f64 {
        self.of_its_games(self.score_sum)
    }

    /// The share of its games that reached each of [`COUNTED_TILES`].
    pub fn rates(&self) -> [f64; 4] {
        self.reached.map(|count| self.of_its_games(count))
    }

    fn of_its_games(&self, sum: u64) -> f64 {
        sum as f64 / self.games_in_row.max(1) as f64
    }

    fn fields(&self) -> [u64; COLUMNS.len()] {
        let [a, b, c, d] = self.reached;
        [self.games, self.moves, self.games_in_row, self.score_sum, a, b, c, d]
    }

    const fn of([games, moves, games_in_row, score_sum, a, b, c, d]: [u64; COLUMNS.len()]) -> Self {
        Self { games, moves, games_in_row, score_sum, reached: [a, b, c, d] }
    }
}

/// The columns of a curve's file, in file order.
const COLUMNS: [&str; 8] = [
    "games",
    "moves",
    "games_in_row",
    "score_sum",
    "reached_2048",
    "reached_8192",
    "reached_16384",
    "reached_32768",
];

/// The first difference between two learning curves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CurveDifference {
    /// The row and column.
    pub place: String,
    /// The number in the one.
    pub one: u64,
    /// The number in the other.
    pub other: u64,
}

/// The difference between a stored curve and that of a re-run.
impl fmt::Display for CurveDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { place, one, other } = self;
        write!(f, "{place} is stored as {one}, but training again gives {other}")
    }
}

/// A learning curve.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Curve {
    rows: Vec<CurveRow>,
}

impl Curve {
    /// Adds a row of games that were played after all others.
    pub fn add(&mut self, row: GamesOfARow) {
        let (games, moves) = self.rows.last().map_or((0, 0), |last| (last.games, last.moves));
        let GamesOfARow { games: games_in_row, moves: more, score_sum, reached } = row;
        let (games, moves) = (games + games_in_row, moves + more);
        self.rows.push(CurveRow { games, moves, games_in_row, score_sum, reached });
    }

    /// Its rows, the first games first.
    pub fn rows(&self) -> &[CurveRow] {
        &self.rows
    }

    /// How many games it sums up.
    pub fn games(&self) -> u64 {
        self.rows.last().map_or(0, |last| last.games)
    }

    /// How many moves they had.
    pub fn moves(&self) -> u64 {
        self.rows.last().map_or(0, |last| last.moves)
    }

    /// The logical digest: SHA-256 over a line each, the columns in file order with tabs between them. The
    /// file's form is no part of it.
    pub fn digest(&self) -> String {
        let line = |row: &CurveRow| row.fields().map(|field| field.to_string()).join("\t") + "\n";
        sha256(self.rows.iter().map(line).collect::<String>())
    }

    /// The first difference to another curve; `None` if all rows are the same.
    pub fn difference(&self, other: &Self) -> Option<CurveDifference> {
        let difference = |place: String, one, other| CurveDifference { place, one, other };
        let rows = self.rows.iter().zip(&other.rows);
        let mut columns = rows.enumerate().flat_map(|(row, (one, other))| {
            let fields = one.fields().into_iter().zip(other.fields());
            COLUMNS.into_iter().zip(fields).map(move |(column, fields)| (row + 1, column, fields))
        });
        let first = columns.find(|(.., (one, other))| one != other);
        let first =
            first.map(|(row, column, (one, other))| difference(format!("row {row}: `{column}`"), one, other));
        let (one, other) = (self.rows.len() as u64, other.rows.len() as u64);
        let length = || (one != other).then(|| difference("the number of rows".to_owned(), one, other));
        first.or_else(length)
    }

    /// What cannot be in a curve, whatever was played, with the number of the row; `None` if nothing is
    /// wrong.
    pub fn problem(&self) -> Option<String> {
        let mut before = CurveRow::of([0; COLUMNS.len()]);
        let (first, rows) = (self.rows.first()?, self.rows.len());
        for (number, row) in (1..).zip(&self.rows) {
            let is_last = number == rows;
            if let Some(what) = wrong(row, &before, first.games_in_row, is_last) {
                return Some(format!("row {number}: {what}"));
            }
            before = *row;
        }
        None
    }

    pub(crate) fn frame(&self) -> PolarsResult<DataFrame> {
        let values = |place| self.rows.iter().map(|row| row.fields()[place]).collect::<Vec<u64>>();
        let columns = COLUMNS.into_iter().enumerate();
        DataFrame::new(self.rows.len(), columns.map(|(place, name)| column(name, values(place))).collect())
    }

    /// The curve in a frame, or what is wrong with it.
    pub(crate) fn of(frame: &DataFrame) -> Result<Self, String> {
        let cells = Cells::new(frame);
        let row = |at: usize| {
            let mut fields = [0; COLUMNS.len()];
            for (field, name) in fields.iter_mut().zip(COLUMNS) {
                let number = cells.u64(name, at);
                *field = number.ok_or_else(|| format!("row {} has no number `{name}`", at + 1))?;
            }
            Ok(CurveRow::of(fields))
        };
        Ok(Self { rows: (0..frame.height()).map(row).collect::<Result<_, String>>()? })
    }
}

/// What is wrong with a row after another, where rows have so many games.
fn wrong(row: &CurveRow, before: &CurveRow, usual: u64, is_last: bool) -> Option<&'static str> {
    if row.games_in_row == 0 {
        return Some("it has no games");
    }
    if before.games.checked_add(row.games_in_row) != Some(row.games) {
        return Some("its games do not follow from the row before it");
    }
    if row.games_in_row != usual && !(is_last && row.games_in_row < usual) {
        return Some("it does not have as many games as the first row");
    }
    if row.moves <= before.moves {
        return Some("its moves are not more than those before it");
    }
    let reached = row.reached;
    if reached[0] > row.games_in_row || !reached.is_sorted_by(|less, more| less >= more) {
        return Some("more games reach a tile than could");
    }
    if u128::from(row.score_sum) > u128::from(row.games_in_row) * u128::from(MOST_POINTS) {
        return Some("its games have more points than is possible");
    }
    // A merge gives at least 4 points, and always a power of two.
    (!row.score_sum.is_multiple_of(4)).then_some("its scores do not sum up to a multiple of 4")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::curve;

    #[test]
    fn rows_follow_one_another_and_say_how_their_games_went() {
        let curve = curve();
        let last = curve.rows()[2];
        assert_eq!((last.games, last.moves, last.games_in_row), (2500, 2_000_000, 500));
        assert_eq!((curve.games(), curve.moves()), (2500, 2_000_000));
        assert_eq!((last.mean(), last.rates()), (18_000.0, [0.8, 0.18, 0.016, 0.002]));
        assert_eq!(curve.problem(), None);
        assert_eq!(Curve::of(&curve.frame().unwrap()).unwrap(), curve);
        assert_eq!(Curve::default().problem(), None);
    }

    #[test]
    fn what_cannot_be_is_told_with_its_row() {
        let told = |place: usize, change: fn(&mut CurveRow)| {
            let mut changed = curve();
            change(&mut changed.rows[place]);
            assert_ne!(changed.digest(), curve().digest());
            changed.problem().unwrap_or_default()
        };
        let games = "row 2: its games do not follow from the row before it";
        assert_eq!(told(1, |row| row.games += 1), games);
        assert_eq!(told(1, |row| row.games = u64::MAX), games);
        assert_eq!(told(1, |row| row.moves = 400_000), "row 2: its moves are not more than those before it");
        assert_eq!(told(0, |row| row.games_in_row = 0), "row 1: it has no games");
        assert_eq!(
            told(1, |row| (row.games_in_row, row.games) = (999, 1999)),
            "row 2: it does not have as many games as the first row"
        );
        assert_eq!(
            told(2, |row| (row.games_in_row, row.games) = (1001, 3001)),
            "row 3: it does not have as many games as the first row"
        );
        assert_eq!(told(0, |row| row.reached[0] = 1001), "row 1: more games reach a tile than could");
        assert_eq!(told(2, |row| row.reached[2] = 91), "row 3: more games reach a tile than could");
        let most = "row 3: its games have more points than is possible";
        assert_eq!(told(2, |row| row.score_sum = u64::MAX - 3), most);
        assert_eq!(told(1, |row| row.score_sum += 2), "row 2: its scores do not sum up to a multiple of 4");
    }

    #[test]
    fn two_curves_differ_in_their_first_unequal_row() {
        let mut changed = curve();
        assert_eq!(curve().difference(&changed), None);
        changed.rows[1].score_sum *= 10;
        changed.rows[2].moves += 1;
        let (is, was) = (changed.rows[1].score_sum, curve().rows[1].score_sum);
        let told = format!("row 2: `score_sum` is stored as {is}, but training again gives {was}");
        assert_eq!(changed.difference(&curve()).unwrap().to_string(), told);
        let mut short = curve();
        short.rows.pop();
        let told = "the number of rows is stored as 2, but training again gives 3";
        assert_eq!(short.difference(&curve()).unwrap().to_string(), told);
    }

    #[test]
    fn a_frame_of_something_else_is_no_curve() {
        let mut frame = curve().frame().unwrap();
        frame.with_column(column("moves", vec!["1", "2", "3"])).unwrap();
        assert!(Curve::of(&frame).is_err());
        let dropped = curve().frame().unwrap().drop("reached_8192").unwrap();
        assert!(Curve::of(&dropped).unwrap_err().contains("reached_8192"));
    }
}
