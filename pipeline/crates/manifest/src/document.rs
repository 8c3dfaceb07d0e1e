//! A manifest as TOML: its entries, each with its place in the text, so that every one is read and refused by itself. An author thinks in
//! experiments, keys and lines, and serde knows none of them.

use std::path::Path;

use serde::de::DeserializeOwned;
use toml::Spanned;
use toml::de::{DeTable, DeValue, ValueDeserializer};

use super::field_checks::too_many;
use super::limits::{MOST_ENTRIES, MOST_INTERPRETATIONS, MOST_STUDIES, MOST_TRAININGS};
use super::lines::LineBreaks;
use super::problems::Problems;
use super::{ManifestError, Subject, words};

/// The lists of a manifest that are read entry by entry.
pub(super) struct Document<'i> {
    /// What stands outside of all lists.
    pub(super) paper: Entry<'i>,
    pub(super) notes: Vec<Entry<'i>>,
    pub(super) experiments: Vec<Entry<'i>>,
    pub(super) studies: Vec<Entry<'i>>,
    pub(super) trainings: Vec<Entry<'i>>,
    pub(super) claims: Vec<Entry<'i>>,
    pub(super) exhibits: Vec<Entry<'i>>,
    pub(super) figures: Vec<Entry<'i>>,
    pub(super) interpretations: Vec<Entry<'i>>,
    pub(super) findings: Vec<Entry<'i>>,
}

impl<'i> Document<'i> {
    /// # Errors
    /// Where the text is not TOML, or a list is too long to be looked at.
    pub(super) fn parse(file: &Path, text: &'i str, line_breaks: &LineBreaks) -> Result<Self, ManifestError> {
        let parsed = DeTable::parse(text).map_err(|source| syntax_error(file, text, line_breaks, source))?;
        let span = parsed.span();
        let mut table = parsed.into_inner();
        let mut list = |key: &'static str, subject| {
            entries(&mut table, key, subject).map_err(|TooLong { entries, most, offset }| {
                ManifestError::Invalid {
                    file: file.to_owned(),
                    line: Some(line_breaks.line_at(offset)),
                    subject: Subject::Paper,
                    problem: format!("`{key}` {}", too_many(entries, most)),
                }
            })
        };
        let (notes, experiments) = (list("note", Subject::Note)?, list("experiment", Subject::Experiment)?);
        let (studies, trainings) = (list("study", Subject::Study)?, list("training", Subject::Training)?);
        let (claims, exhibits) = (list("claim", Subject::Claim)?, list("exhibit", Subject::Exhibit)?);
        let figures = list("figure", Subject::Figure)?;
        let interpretations = list("interpretation", Subject::Interpretation)?;
        let findings = list("finding", Subject::Finding)?;
        let paper = Entry { subject: Subject::Paper, value: Spanned::new(span, DeValue::Table(table)) };
        Ok(Self {
            paper,
            notes,
            experiments,
            studies,
            trainings,
            claims,
            exhibits,
            figures,
            interpretations,
            findings,
        })
    }
}

/// A list with more entries than there may be.
struct TooLong {
    entries: usize,
    most: usize,
    /// Where the first of them begins.
    offset: usize,
}

/// Takes a list out of the document. What is not a list stays, and is refused with the paper's own keys.
fn entries<'i>(
    table: &mut DeTable<'i>,
    key: &'static str,
    subject: fn(String) -> Subject,
) -> Result<Vec<Entry<'i>>, TooLong> {
    if !table.get(key).is_some_and(|value| value.get_ref().is_array()) {
        return Ok(Vec::new());
    }
    let Some(DeValue::Array(values)) = table.remove(key).map(Spanned::into_inner) else {
        return Ok(Vec::new());
    };
    let most = match key {
        "interpretation" => MOST_INTERPRETATIONS,
        "study" => MOST_STUDIES,
        "training" => MOST_TRAININGS,
        _ => MOST_ENTRIES,
    };
    if values.len() > most {
        let offset = values.iter().next().map_or(0, |value| value.span().start);
        return Err(TooLong { entries: values.len(), most, offset });
    }
    let named = |(number, value): (usize, Spanned<DeValue<'i>>)| {
        let id = id_of(&value).map_or_else(|| format!("#{number}"), str::to_owned);
        Entry { subject: subject(id), value }
    };
    Ok((1..).zip(values).map(named).collect())
}

/// The text is no TOML: the reader cannot go on, so this is all that is said.
fn syntax_error(file: &Path, text: &str, line_breaks: &LineBreaks, source: toml::de::Error) -> ManifestError {
    let offset = source.span().map_or(0, |span| span.start).min(text.len());
    let before = text.get(..offset).unwrap_or_default();
    ManifestError::Syntax {
        file: file.to_owned(),
        line: line_breaks.line_at(offset),
        column: before.chars().rev().take_while(|&letter| letter != '\n').count() + 1,
        source: Box::new(source),
    }
}

/// What an entry is called; an exhibit by its place in the paper.
fn id_of<'a>(value: &'a Spanned<DeValue<'_>>) -> Option<&'a str> {
    let table = value.get_ref().as_table()?;
    table.get("id").or_else(|| table.get("place"))?.get_ref().as_str()
}

/// One entry of a list, or what stands outside of all lists.
pub(super) struct Entry<'i> {
    pub(super) subject: Subject,
    value: Spanned<DeValue<'i>>,
}

impl<'i> Entry<'i> {
    /// The id that is written; none where there is none.
    pub(super) fn id(&self) -> Option<&str> {
        id_of(&self.value)
    }

    /// Where a key stands, such as `citation.title`; where it does not, where the entry begins.
    pub(super) fn offset_of(&self, key: &str) -> usize {
        let mut offset = self.value.span().start;
        let mut table = self.value.get_ref().as_table();
        for name in key.split('.') {
            let Some((key, value)) = table.and_then(|table| table.get_key_value(name)) else { break };
            offset = key.span().start;
            table = value.get_ref().as_table();
        }
        offset
    }

    /// The whole number at a key, such as `winners.best`; none where there is none.
    pub(super) fn number_at(&self, key: &str) -> Option<u64> {
        let (table, name) = key.rsplit_once('.').unwrap_or(("", key));
        let mut found = self.value.get_ref().as_table();
        for name in table.split('.').filter(|name| !name.is_empty()) {
            found = found.and_then(|table| table.get(name)?.get_ref().as_table());
        }
        let number = found?.get(name)?.get_ref().as_integer()?;
        u64::from_str_radix(number.as_str(), number.radix()).ok()
    }

    /// The names in a table of the entry; none where there is no such table.
    pub(super) fn keys_of(&self, table: &str) -> impl Iterator<Item = &str> {
        let found = self.value.get_ref().as_table().and_then(|entry| entry.get(table)?.get_ref().as_table());
        found.into_iter().flat_map(|table| table.keys()).map(|key| key.get_ref().as_ref())
    }

    /// The entry as its type; if it has none, its first problem is added.
    pub(super) fn read<T: DeserializeOwned>(&self, problems: &mut Problems<'_>) -> Option<T> {
        self.read_with(problems, T::deserialize)
    }

    /// The keys of the entry.
    pub(super) fn keys(&self) -> impl Iterator<Item = &str> {
        let table = self.value.get_ref().as_table();
        table.into_iter().flat_map(|table| table.keys()).map(|key| key.get_ref().as_ref())
    }

    /// The entry as what `read` makes of it; if it makes nothing, the first problem is added.
    pub(super) fn read_with<T>(
        &self,
        problems: &mut Problems<'_>,
        read: impl FnOnce(ValueDeserializer<'i>) -> Result<T, toml::de::Error>,
    ) -> Option<T> {
        read(ValueDeserializer::from(self.value.clone()))
            .map_err(|error| {
                let offset = error.span().map_or_else(|| self.value.span().start, |span| span.start);
                let key = self.value.get_ref().as_table().and_then(|table| key_at(table, offset));
                let problem = words::problem(key.as_deref(), error.message());
                problems.add(&self.subject, offset, problem);
            })
            .ok()
    }
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
