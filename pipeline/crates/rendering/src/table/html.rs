//! Tables for the report's templates: every cell as text, with the number that it sorts by.

use minijinja::{Value, context};
use serde::{Serialize, Serializer};

use super::{Cell, Table};

impl Serialize for Table {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { id, title, caption, header, rows } = self;
        // Numbers stand to the right, and sort from the largest at first.
        let column = |(index, text): (usize, &String)| context! { text, numeric => self.is_numeric(index) };
        let columns: Vec<Value> = header.iter().enumerate().map(column).collect();
        context! { id, title, caption, columns, rows }.serialize(serializer)
    }
}

impl Serialize for Cell {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (text, detail, command) = match self {
            Self::Detailed { text, detail, .. } => (text.clone(), Some(detail), None),
            Self::Experiment { name, detail, command, .. } => (name.clone(), Some(detail), Some(command)),
            other => (other.text(), None, None),
        };
        let (sort, experiment) = (self.number(), self.experiment());
        context! { text, sort, experiment, detail, command }.serialize(serializer)
    }
}
