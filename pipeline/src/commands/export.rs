//! What came of a command as a file: CSV, Markdown or JSON, by the file's extension.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::{Failure, json_text};
use rendering::tables::Table;
use surroundings::atomic;
use surroundings::confined::ConfinedPath;
use surroundings::plain;

/// Where to write, and in which form.
#[derive(Debug)]
pub(super) struct Export {
    file: PathBuf,
    form: Form,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Csv,
    Markdown,
    Json,
}

/// What is written: a sentence or more, and tables, of which CSV has the first.
pub(super) struct Sheet {
    pub(super) title: String,
    pub(super) words: String,
    pub(super) tables: Vec<Table>,
}

impl Export {
    /// The export that is asked for, if one is: its form is checked before any game is played.
    pub(super) fn of(file: Option<&Path>) -> Result<Option<Self>, Failure> {
        let Some(file) = file else { return Ok(None) };
        let extension = file.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        let form = match extension.as_str() {
            "csv" => Form::Csv,
            "md" | "markdown" => Form::Markdown,
            "json" => Form::Json,
            _ => {
                let remedy = "end it in .csv, .md or .json";
                return Err(Failure::usage(format!(
                    "--export {}: the extension says in which form: {remedy}",
                    file.display()
                )));
            }
        };
        Ok(Some(Self { file: file.to_owned(), form }))
    }

    /// Writes the file.
    pub(super) fn write(&self, sheet: &Sheet, json: &impl Serialize) -> Result<(), Failure> {
        let text = match self.form {
            Form::Json => plain::json(&json_text(json)?).into_owned(),
            Form::Csv => sheet.tables.first().map(Table::csv).unwrap_or_default(),
            Form::Markdown => sheet.markdown(),
        };
        atomic::write(&ConfinedPath::file(&self.file), text.as_bytes())?;
        Ok(())
    }
}

impl Sheet {
    fn markdown(&self) -> String {
        let mut text = format!("# {}\n\n{}\n", self.title, self.words.trim_end());
        for table in &self.tables {
            text.push_str(&format!("\n## {}\n\n", table.title));
            if !table.caption.is_empty() {
                text.push_str(&format!("{}\n\n", table.caption));
            }
            text.push_str(table.markdown().trim_end());
            text.push('\n');
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rendering::tables::Cell;

    #[test]
    fn the_extension_says_the_form() {
        let form = |name: &str| Export::of(Some(Path::new(name))).unwrap().unwrap().form;
        assert_eq!([form("a.csv"), form("b.MD"), form("c.json")], [Form::Csv, Form::Markdown, Form::Json]);
        let told = Export::of(Some(Path::new("a.xlsx"))).unwrap_err();
        assert!(told.message().contains("end it in .csv, .md or .json"), "{told:?}");
        assert!(Export::of(None).unwrap().is_none());
    }

    #[test]
    fn markdown_has_all_tables_and_csv_the_first() {
        let table = |id: &str| Table {
            id: id.to_owned(),
            title: id.to_owned(),
            caption: String::new(),
            header: vec!["n".to_owned()],
            rows: vec![vec![Cell::Count(7)]],
        };
        let sheet =
            Sheet { title: "T".to_owned(), words: "W.".to_owned(), tables: vec![table("one"), table("two")] };
        let folder = tempfile::tempdir().unwrap();
        let written = |name: &str| {
            let file = folder.path().join(name);
            Export::of(Some(&file)).unwrap().unwrap().write(&sheet, &[1]).unwrap();
            std::fs::read_to_string(file).unwrap()
        };
        assert_eq!(written("a.csv"), "n\n7\n");
        let markdown = written("a.md");
        assert!(
            markdown.starts_with("# T\n\nW.\n\n## one\n\n|") && markdown.contains("\n## two\n\n"),
            "{markdown}"
        );
        assert_eq!(written("a.json"), "[\n  1\n]\n");
    }
}
