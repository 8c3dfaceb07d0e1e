//! Tables as they are printed: every cell is text, with the number that it sorts by beside it.

use serde::Serialize;

/// A table. The first cell of a row names the row.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PageTable {
    /// Its id, unique among the tables of its paper.
    pub id: String,
    /// What it shows.
    pub title: String,
    /// Its columns.
    pub columns: Vec<Column>,
    /// Its rows, each with a cell for every column.
    pub rows: Vec<Row>,
    /// What one must know to read it.
    pub caption: String,
}

/// The head of a column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Column {
    /// Its name.
    pub text: String,
    /// Whether it holds numbers, which stand to the right and sort from the largest at first.
    pub numeric: bool,
    /// Whether it waits behind a button until a reader asks for more.
    pub more: bool,
}

/// The cells of a row.
pub type Row = Vec<Cell>;

/// One cell.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Cell {
    /// What it says.
    pub text: String,
    /// The number that it sorts by; without one it sorts by its text, and in a column of numbers last.
    pub sort: Option<f64>,
    /// The key of the experiment that it names, to which it then links.
    pub experiment: Option<String>,
    /// What stands below it in small print, such as an interval.
    pub detail: Option<String>,
    /// The command that plays the row again, for a reader to copy.
    pub command: Option<String>,
}

impl Column {
    /// A column of words.
    pub fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), numeric: false, more: false }
    }

    /// The same column behind the button for more.
    #[must_use]
    pub fn behind(self) -> Self {
        Self { more: true, ..self }
    }

    /// A column of numbers.
    pub fn number(text: impl Into<String>) -> Self {
        Self { text: text.into(), numeric: true, more: false }
    }
}
