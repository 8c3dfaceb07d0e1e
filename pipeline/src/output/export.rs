//! The result of a command: as text, as JSON, and as a file in CSV, Markdown or JSON, by the file's
//! extension.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::style::Style;
use super::{json_text, print_json, print_text};
use crate::failure::Failure;
use platform::{ConfinedPath, atomic, plain};
use rendering::tables::Table;

/// Where to write, and in which form.
#[derive(Debug)]
pub(crate) struct Export {
    file: PathBuf,
    form: ExportForm,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ExportForm {
    Csv,
    Markdown,
    Json,
}

/// A result that can be exported.
pub(crate) trait Exportable {
    /// A title for a file.
    fn title(&self) -> String;
    /// The result in sentences.
    fn summary(&self) -> String;
    /// The tables; CSV has only the first.
    fn tables(&self) -> Vec<Table>;
    /// The result for a terminal.
    fn text(&self, style: Style) -> String;
}

/// Writes a result to the file of an export, if there is one, and prints it as JSON or as text.
pub(crate) fn publish(
    result: &impl Exportable,
    json: &impl Serialize,
    export: Option<&Export>,
    is_json: bool,
) -> Result<(), Failure> {
    if let Some(export) = export {
        export.write(result, json)?;
    }
    if is_json { print_json(json) } else { print_text(&result.text(Style::of_stdout())) }
}

impl Export {
    /// The export that a command line asks for, if any. Checks the extension before any game is played.
    pub(crate) fn of(file: Option<&Path>) -> Result<Option<Self>, Failure> {
        let Some(file) = file else { return Ok(None) };
        let extension = file.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        let form = match extension.as_str() {
            "csv" => ExportForm::Csv,
            "md" | "markdown" => ExportForm::Markdown,
            "json" => ExportForm::Json,
            _ => {
                let file = file.display();
                let text = format!("--export {file}: unknown extension: end it in .csv, .md or .json");
                return Err(Failure::usage(text));
            }
        };
        Ok(Some(Self { file: file.to_owned(), form }))
    }

    fn write(&self, result: &impl Exportable, json: &impl Serialize) -> Result<(), Failure> {
        let text = match self.form {
            ExportForm::Json => plain::json(&json_text(json)?).into_owned(),
            ExportForm::Csv => result.tables().first().map(Table::csv).unwrap_or_default(),
            ExportForm::Markdown => markdown(result),
        };
        atomic::write(&ConfinedPath::file(&self.file), text.as_bytes())?;
        Ok(())
    }
}

fn markdown(result: &impl Exportable) -> String {
    let mut text = format!("# {}\n\n{}\n", result.title(), result.summary().trim_end());
    for table in result.tables() {
        text.push_str(&format!("\n## {}\n\n", table.title));
        if !table.caption.is_empty() {
            text.push_str(&format!("{}\n\n", table.caption));
        }
        text.push_str(table.markdown().trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use rendering::tables::Cell;

    #[test]
    fn the_extension_determines_the_form() {
        let form = |name: &str| Export::of(Some(Path::new(name))).unwrap().unwrap().form;
        assert_eq!(
            [form("a.csv"), form("b.MD"), form("c.json")],
            [ExportForm::Csv, ExportForm::Markdown, ExportForm::Json]
        );
        let failure = Export::of(Some(Path::new("a.xlsx"))).unwrap_err();
        assert!(failure.message().contains("end it in .csv, .md or .json"), "{failure:?}");
        assert!(Export::of(None).unwrap().is_none());
    }

    fn table(id: &str) -> Table {
        let (id, caption) = (id.to_owned(), String::new());
        Table {
            title: id.clone(),
            id,
            caption,
            header: vec!["n".to_owned()],
            rows: vec![vec![Cell::Count(7)]],
        }
    }

    #[test]
    fn markdown_has_all_tables_and_csv_the_first() {
        struct Result;
        impl Exportable for Result {
            fn title(&self) -> String {
                "T".to_owned()
            }
            fn summary(&self) -> String {
                "W.".to_owned()
            }
            fn tables(&self) -> Vec<Table> {
                ["one", "two"].map(table).into()
            }
            fn text(&self, _: Style) -> String {
                String::new()
            }
        }
        let folder = tempfile::tempdir().unwrap();
        let written = |name: &str| {
            let file = folder.path().join(name);
            Export::of(Some(&file)).unwrap().unwrap().write(&Result, &[1]).unwrap();
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
