//! A manifest as TOML: its entries, each with its place in the text, so that every one is read and refused by itself. An author thinks in
//! experiments, keys and lines, and serde knows none of them.

use std::path::Path;

use serde::de::DeserializeOwned;
use toml::Spanned;
use toml::de::{DeTable, DeValue, ValueDeserializer};

use super::error::Place;
use super::limits::MOST_ENTRIES;
use super::problems::{Problems, line_at};
use super::{ManifestError, Subject, words};

/// The lists of a manifest that are read entry by entry.
pub(super) struct Document<'i> {
    /// What stands outside of all lists.
    pub(super) paper: Entry<'i>,
    pub(super) notes: Vec<Entry<'i>>,
    pub(super) experiments: Vec<Entry<'i>>,
    pub(super) claims: Vec<Entry<'i>>,
    pub(super) exhibits: Vec<Entry<'i>>,
    pub(super) figures: Vec<Entry<'i>>,
    pub(super) interpretations: Vec<Entry<'i>>,
    pub(super) findings: Vec<Entry<'i>>,
}

impl<'i> Document<'i> {
    /// # Errors
    /// Where the text is not TOML, or a list is too long to be looked at.
    pub(super) fn parse(file: &Path, text: &'i str) -> Result<Self, ManifestError> {
        let parsed = DeTable::parse(text).map_err(|source| syntax_error(file, text, source))?;
        let span = parsed.span();
        let mut table = parsed.into_inner();
        let mut list = |key: &'static str, subject| entries(file, text, &mut table, key, subject);
        let (notes, experiments) = (list("note", Subject::Note)?, list("experiment", Subject::Experiment)?);
        let (claims, exhibits) = (list("claim", Subject::Claim)?, list("exhibit", Subject::Exhibit)?);
        let figures = list("figure", Subject::Figure)?;
        let interpretations = list("interpretation", Subject::Interpretation)?;
        let findings = list("finding", Subject::Finding)?;
        let paper = Entry { subject: Subject::Paper, value: Spanned::new(span, DeValue::Table(table)) };
        Ok(Self { paper, notes, experiments, claims, exhibits, figures, interpretations, findings })
    }
}

/// Takes a list out of the document. What is not a list stays, and is refused with the paper's own keys.
fn entries<'i>(
    file: &Path,
    text: &str,
    table: &mut DeTable<'i>,
    key: &'static str,
    subject: fn(String) -> Subject,
) -> Result<Vec<Entry<'i>>, ManifestError> {
    if !table.get(key).is_some_and(|value| value.get_ref().is_array()) {
        return Ok(Vec::new());
    }
    let Some(DeValue::Array(values)) = table.remove(key).map(Spanned::into_inner) else {
        return Ok(Vec::new());
    };
    if values.len() > MOST_ENTRIES {
        let first = values.iter().next().map_or(0, |value| value.span().start);
        let mut error = Place { file, subject: Subject::Paper }.few(key, values.len());
        if let Err(ManifestError::Invalid { line, .. }) = &mut error {
            *line = Some(line_at(text, first));
        }
        error?;
    }
    let named = |(number, value): (usize, Spanned<DeValue<'i>>)| {
        let id = id_of(&value).map_or_else(|| format!("#{number}"), str::to_owned);
        Entry { subject: subject(id), value }
    };
    Ok((1..).zip(values).map(named).collect())
}

/// The text is no TOML: the reader cannot go on, so this is all that is said.
fn syntax_error(file: &Path, text: &str, source: toml::de::Error) -> ManifestError {
    let offset = source.span().map_or(0, |span| span.start).min(text.len());
    let before = text.get(..offset).unwrap_or_default();
    ManifestError::Syntax {
        file: file.to_owned(),
        line: line_at(text, offset),
        column: before.chars().rev().take_while(|&letter| letter != '\n').count() + 1,
        source: Box::new(source),
    }
}

/// What an entry is called; an exhibit by its place in the paper.
fn id_of<'a>(value: &'a Spanned<DeValue<'_>>) -> Option<&'a str> {
    let table = value.get_ref().as_table()?;
    table.get("id").or_else(|| table.get("place"))?.get_ref().as_str()
}

/// The most keys of an entry that are told to be wrong: the entry is read again after each.
const MOST_OF_AN_ENTRY: usize = 20;

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

    /// The entry as its type. Each key that is wrong is a problem by itself: it is taken out, and the rest is read again.
    pub(super) fn read<T: DeserializeOwned>(&self, problems: &mut Problems<'_>) -> Option<T> {
        let mut value = self.value.clone();
        let (mut cut, mut has_unknown) = (Vec::<String>::new(), false);
        loop {
            let error = match T::deserialize(ValueDeserializer::from(value.clone())) {
                Ok(read) => return cut.is_empty().then_some(read),
                Err(error) => error,
            };
            let missing =
                error.message().strip_prefix("missing field `").and_then(|rest| rest.strip_suffix('`'));
            // A key that is misspelt is missing too, and one that was taken out.
            if missing.is_some_and(|name| has_unknown || cut.iter().any(|key| key == name)) {
                return None;
            }
            has_unknown |= error.message().starts_with("unknown field ");
            let offset = error.span().map_or_else(|| self.value.span().start, |span| span.start);
            let table = value.get_ref().as_table();
            let key = table.and_then(|table| key_at(table, offset));
            problems.of_value(&self.subject, offset, || words::problem(key.as_deref(), error.message()));
            let DeValue::Table(table) = value.get_mut() else { return None };
            match (missing, remove_at(table, offset, true)) {
                (None, Some(key)) if cut.len() < MOST_OF_AN_ENTRY => cut.push(key),
                _ => return None,
            }
        }
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

/// The tables whose keys are known one by one. In others, one key more or less may be another kind of value.
const PLAIN_TABLES: [&str; 3] = ["citation", "rules", "account"];

/// Takes the key at an offset, or with a value there, out of a table.
fn remove_at(table: &mut DeTable<'_>, offset: usize, is_outermost: bool) -> Option<String> {
    let holding = table.iter().find(|(key, value)| key.span().contains(&offset) || holds(value, offset));
    let name = holding.map(|(key, _)| key.get_ref().to_string())?;
    if is_outermost && PLAIN_TABLES.contains(&name.as_str()) {
        let inner = table.get_mut(name.as_str()).map(Spanned::get_mut);
        if let Some(DeValue::Table(inner)) = inner
            && let Some(key) = remove_at(inner, offset, false)
        {
            return Some(key);
        }
    }
    table.remove(name.as_str()).map(|_| name)
}

/// Whether an offset lies in a value. The span of a table under a header is that of the header, so its keys are looked at too.
fn holds(value: &Spanned<DeValue<'_>>, offset: usize) -> bool {
    value.span().contains(&offset)
        || match value.get_ref() {
            DeValue::Table(table) => {
                table.iter().any(|(key, value)| key.span().contains(&offset) || holds(value, offset))
            }
            DeValue::Array(values) => values.iter().any(|value| holds(value, offset)),
            _ => false,
        }
}
