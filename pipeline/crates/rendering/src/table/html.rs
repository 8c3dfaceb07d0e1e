//! Tables for the report's templates: every cell as text, with the number that it sorts by.

use serde::{Serialize, Serializer};

use super::{Cell, Table};

#[derive(Serialize)]
struct HtmlTable<'a> {
    id: &'a str,
    title: &'a str,
    caption: &'a str,
    columns: Vec<Column<'a>>,
    rows: &'a [Vec<Cell>],
}

#[derive(Serialize)]
struct Column<'a> {
    text: &'a str,
    /// Numbers stand to the right, and sort from the largest at first.
    numeric: bool,
}

#[derive(Serialize)]
struct HtmlCell<'a> {
    text: String,
    sort: Option<f64>,
    experiment: Option<&'a str>,
    detail: Option<&'a str>,
    command: Option<&'a str>,
}

impl Serialize for Table {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let column = |(index, text)| Column { text, numeric: self.is_numeric(index) };
        HtmlTable {
            id: &self.id,
            title: &self.title,
            caption: &self.caption,
            columns: self.header.iter().map(String::as_str).enumerate().map(column).collect(),
            rows: &self.rows,
        }
        .serialize(serializer)
    }
}

impl Serialize for Cell {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (text, detail, command) = match self {
            Self::Detailed { text, detail, .. } => (text.clone(), Some(detail.as_str()), None),
            Self::Experiment { name, detail, command, .. } => {
                (name.clone(), Some(detail.as_str()), Some(command.as_str()))
            }
            other => (other.text(), None, None),
        };
        let (sort, experiment) = (self.number(), self.experiment());
        HtmlCell { text, sort, experiment, detail, command }.serialize(serializer)
    }
}
