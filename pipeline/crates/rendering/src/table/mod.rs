//! A table: numbers with their intervals, in one model for every output format, one file per format.
//!
//! A [`Table`] knows what its cells are, not how they look: each writer decides that.

mod csv;
mod html;
mod latex;
mod markdown;
mod terminal;

use manifest::Paper;
use stats::Estimate;
use text::Scale;
use verdict::Ruling;

pub(crate) use csv::{line as csv_line, literal as csv_literal};

/// A table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// The name of its files.
    pub id: String,
    /// Its title.
    pub title: String,
    /// What a reader has to know.
    pub caption: String,
    /// The columns' headings.
    pub header: Vec<String>,
    /// The rows, each as long as the header. The first cell names the row.
    pub rows: Vec<Vec<Cell>>,
}

/// The content of a cell.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// Nothing.
    Empty,
    /// Words.
    Text(String),
    /// A count.
    Count(u64),
    /// A number of ours.
    Estimate(Estimate, Scale),
    /// The same with its number of games, if no other column has it.
    Counted(Estimate, Scale),
    /// A number as it is written, and its value for sorting.
    Published(String, f64),
    /// The same with small print below it.
    Detailed {
        /// The number as it is written.
        text: String,
        /// The small print, such as an interval.
        detail: String,
        /// Its value for sorting.
        value: f64,
    },
    /// A time per move, in nanoseconds.
    Time(Estimate),
    /// The verdict on a claim.
    Ruling(Ruling),
    /// An experiment, which the report links to.
    Experiment {
        /// The method's name.
        name: String,
        /// `paper/experiment`.
        key: String,
        /// The small print: its agent and settings.
        detail: String,
        /// The command that plays it.
        command: String,
    },
}

/// A column: its heading, and the cell of a row.
pub type Column<'c, R> = (&'c str, &'c dyn Fn(&R) -> Cell);

impl Table {
    /// A table of words for the terminal.
    pub fn of_texts(header: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> Self {
        let row = |row: Vec<String>| row.into_iter().map(Cell::Text).collect();
        let header = header.iter().map(|&heading| heading.to_owned()).collect();
        Self { header, rows: rows.into_iter().map(row).collect(), ..Self::default() }
    }

    /// A table of these rows: each column has its heading, and the cell of a row.
    pub fn of<R>(rows: impl IntoIterator<Item = R>, columns: &[Column<'_, R>]) -> Self {
        let row = |row: R| columns.iter().map(|(_, cell)| cell(&row)).collect();
        let header = columns.iter().map(|(heading, _)| (*heading).to_owned()).collect();
        Self { header, rows: rows.into_iter().map(row).collect(), ..Self::default() }
    }

    /// Adds columns at the right: their headings, and the cells of every row.
    pub(crate) fn append<C: IntoIterator<Item = Cell>>(
        &mut self,
        header: impl IntoIterator<Item = String>,
        rows: impl IntoIterator<Item = C>,
    ) {
        self.header.extend(header);
        self.rows.iter_mut().zip(rows).for_each(|(row, cells)| row.extend(cells));
    }

    /// The table with its name, title and caption; none if it has no rows.
    pub fn named(
        mut self,
        id: impl Into<String>,
        title: impl Into<String>,
        caption: impl Into<String>,
    ) -> Option<Self> {
        (self.id, self.title, self.caption) = (id.into(), title.into(), caption.into());
        (!self.rows.is_empty()).then_some(self)
    }

    /// The same for a table of a paper.
    pub(crate) fn of_paper(
        self,
        paper: &Paper,
        name: &str,
        title: &str,
        caption: impl Into<String>,
    ) -> Option<Self> {
        let title = format!("{}: {title}", paper.citation.title);
        self.named(format!("{}-{name}", paper.id), title, caption)
    }

    /// The rows under their header in aligned columns, for a terminal.
    pub fn terminal(&self) -> String {
        terminal::write(self)
    }

    /// The rows under their header, as Markdown.
    pub fn markdown(&self) -> String {
        markdown::grid(self)
    }

    /// The rows under their header, as CSV.
    pub fn csv(&self) -> String {
        csv::write(self)
    }

    /// The files of the table: their extensions and texts.
    pub(crate) fn files(&self) -> [(&'static str, String); 3] {
        [("md", markdown::write(self)), ("csv", csv::write(self)), ("tex", latex::write(self))]
    }

    /// The place of a column.
    pub fn column(&self, heading: &str) -> Option<usize> {
        self.header.iter().position(|other| other == heading)
    }

    /// Removes a column without content; returns whether it stays.
    pub(crate) fn keep_if_filled(&mut self, heading: &str) -> bool {
        let Some(column) = self.column(heading) else { return false };
        let is_filled = self.rows.iter().any(|row| row[column] != Cell::Empty);
        if !is_filled {
            self.header.remove(column);
            self.rows.iter_mut().for_each(|row| drop(row.remove(column)));
        }
        is_filled
    }

    /// Whether a column has numbers.
    fn is_numeric(&self, column: usize) -> bool {
        self.rows.iter().any(|row| row[column].number().is_some())
    }
}

impl Cell {
    /// Words.
    pub(crate) fn words(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// A number of ours; nothing if there is none.
    pub(crate) fn estimate(estimate: Option<Estimate>, scale: Scale) -> Self {
        estimate.map_or(Self::Empty, |estimate| Self::Estimate(estimate, scale))
    }

    /// The cell for people: a number with its interval.
    pub fn text(&self) -> String {
        match self {
            Self::Empty => String::new(),
            Self::Text(text) | Self::Published(text, _) | Self::Experiment { name: text, .. } => text.clone(),
            Self::Count(count) => text::thousands(*count as f64),
            Self::Estimate(estimate, scale) => with_interval(estimate, |value| scale.text(value)),
            Self::Counted(estimate, scale) => {
                format!("{} ({})", with_interval(estimate, |value| scale.text(value)), games(estimate.n))
            }
            Self::Detailed { text, detail, .. } => format!("{text} ({detail})"),
            Self::Time(estimate) => with_interval(estimate, text::nanoseconds),
            Self::Ruling(ruling) => ruling.to_string(),
        }
    }

    /// The number that the cell sorts by, if it has one.
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Count(count) => Some(*count as f64),
            Self::Estimate(estimate, _) | Self::Counted(estimate, _) | Self::Time(estimate) => {
                Some(estimate.point)
            }
            Self::Published(_, value) | Self::Detailed { value, .. } => Some(*value),
            Self::Empty | Self::Text(_) | Self::Ruling(_) | Self::Experiment { .. } => None,
        }
    }

    /// The key of the experiment that the cell links to.
    pub fn experiment(&self) -> Option<&str> {
        if let Self::Experiment { key, .. } = self { Some(key) } else { None }
    }
}

/// The number of games behind a value.
pub(crate) fn games(n: u64) -> String {
    format!("n = {}", text::thousands(n as f64))
}

fn with_interval(estimate: &Estimate, text: impl Fn(f64) -> String) -> String {
    format!("{} [{}, {}]", text(estimate.point), text(estimate.low), text(estimate.high))
}
