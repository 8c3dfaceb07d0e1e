//! Where in a manifest a TOML error stands: an author thinks in experiments and keys, and serde knows neither.

use std::path::Path;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{ManifestError, Subject};

/// The error of the TOML reader, with its place in the manifest.
pub(super) fn toml_error(file: &Path, text: &str, source: toml::de::Error) -> ManifestError {
    let offset = source.span().map_or(0, |span| span.start).min(text.len());
    let before = text.get(..offset).unwrap_or_default();
    let (document, _) = DeTable::parse_recoverable(text);
    let (subject, table) = subject_at(document.get_ref(), offset);
    ManifestError::Toml {
        file: file.to_owned(),
        line: before.matches('\n').count() + 1,
        column: before.chars().rev().take_while(|&letter| letter != '\n').count() + 1,
        key: table.and_then(|table| key_at(table, offset)),
        subject,
        source: Box::new(source),
    }
}

/// The part of the manifest that an offset lies in, and its table.
///
/// The span of a table under a header is that of the header, so a part reaches to the next header.
fn subject_at<'a, 'i>(document: &'a DeTable<'i>, offset: usize) -> (Subject, Option<&'a DeTable<'i>>) {
    let mut nearest = (0, Subject::Paper, Some(document));
    for (key, value) in document {
        let named: fn(String) -> Subject = match key.get_ref().as_ref() {
            "experiment" => Subject::Experiment,
            "claim" => Subject::Claim,
            "note" => Subject::Note,
            "figure" => Subject::Figure,
            _ => |_| Subject::Paper,
        };
        match value.get_ref() {
            DeValue::Array(entries) => {
                for (number, entry) in (1..).zip(entries.iter()) {
                    let table = entry.get_ref().as_table();
                    let start = entry.span().start;
                    if nearest.0 <= start && start <= offset {
                        nearest = (start, named(id_of(table, number)), table);
                    }
                }
            }
            DeValue::Table(_) if nearest.0 <= value.span().start && value.span().start <= offset => {
                nearest = (value.span().start, Subject::Paper, Some(document));
            }
            _ => {}
        }
    }
    (nearest.1, nearest.2)
}

/// The entry's id, or its number where it has none.
fn id_of(table: Option<&DeTable<'_>>, number: usize) -> String {
    let id = table.and_then(|table| table.get("id")).and_then(|id| id.get_ref().as_str());
    id.map_or_else(|| format!("#{number}"), str::to_owned)
}

/// The way through a table's keys to the value at an offset: `rules.four`.
fn key_at(table: &DeTable<'_>, offset: usize) -> Option<String> {
    let holds = |value: &Spanned<DeValue<'_>>| value.span().contains(&offset);
    for (key, value) in table {
        let deeper = value.get_ref().as_table().and_then(|table| key_at(table, offset));
        match deeper {
            Some(rest) => return Some(format!("{}.{rest}", key.get_ref())),
            None if holds(value) => return Some(key.get_ref().to_string()),
            None => {}
        }
    }
    None
}
