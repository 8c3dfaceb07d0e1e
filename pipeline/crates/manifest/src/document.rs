//! A manifest as TOML: its entries, each with its place in the text, so that every one is read and refused by itself. An author thinks in
//! experiments, keys and lines, and serde knows none of them.

use std::path::Path;

use serde::de::DeserializeOwned;
use toml::Spanned;
use toml::de::{DeTable, DeValue, ValueDeserializer};

use super::limits::{MOST_ENTRIES, MOST_INTERPRETATIONS, MOST_STUDIES, MOST_TRAININGS};
use super::lines::LineBreaks;
use super::place::too_many;
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
                ManifestError::Value {
                    file: file.to_owned(),
                    line: line_breaks.line_at(offset),
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

    /// Whether a key stands in the entry, such as `citation.title`.
    fn has(&self, key: &str) -> bool {
        let mut table = self.value.get_ref().as_table();
        key.split('.').all(|name| {
            let value = table.and_then(|table| table.get(name));
            table = value.and_then(|value| value.get_ref().as_table());
            value.is_some()
        })
    }

    /// The names in a table of the entry; none where there is no such table.
    pub(super) fn keys_of(&self, table: &str) -> impl Iterator<Item = &str> {
        let found = self.value.get_ref().as_table().and_then(|entry| entry.get(table)?.get_ref().as_table());
        found.into_iter().flat_map(|table| table.keys()).map(|key| key.get_ref().as_ref())
    }

    /// The entry as its type. Each key that is wrong is a problem by itself: it is taken out, and the rest is read again.
    pub(super) fn read<T: DeserializeOwned>(&self, problems: &mut Problems<'_>) -> Option<Read<T>> {
        let mut value = self.value.clone();
        let (mut said, mut has_unknown) = (Vec::<String>::new(), false);
        while said.len() <= MOST_OF_AN_ENTRY {
            let error = match T::deserialize(ValueDeserializer::from(value.clone())) {
                Ok(value) => return Some(Read { value, said: Said { keys: said, has_unknown } }),
                Err(error) => error,
            };
            let offset = error.span().map_or_else(|| self.value.span().start, |span| span.start);
            let DeValue::Table(table) = value.get_mut() else {
                problems.of_value(&self.subject, offset, words::problem(None, error.message()));
                return None;
            };
            let key = key_at(table, offset);
            let missing = missing_field(error.message());
            // A key that is misspelt is missing too, and one that was taken out.
            if !missing.is_some_and(|name| has_unknown || was_said(&said, key.as_deref(), name)) {
                let problem = words::problem(key.as_deref(), error.message());
                problems.of_value(&self.subject, offset, problem);
            }
            has_unknown |= error.message().starts_with("unknown field ");
            let stand_in = missing.and_then(|name| put_stand_in(table, key.as_deref(), name));
            said.push(stand_in.or_else(|| remove_at(table, offset))?);
        }
        None
    }
}

/// An entry as its type.
pub(super) struct Read<T> {
    /// What is in it, with something that says nothing in the place of what is missing or wrong.
    pub(super) value: T,
    pub(super) said: Said,
}

/// What was said of an entry while it was read.
#[derive(Default)]
pub(super) struct Said {
    /// The keys of which it was said that they are missing or wrong.
    keys: Vec<String>,
    /// Whether it has keys that nobody knows. One that is missing may be misspelt there.
    has_unknown: bool,
}

impl Said {
    pub(super) const fn is_nothing(&self) -> bool {
        self.keys.is_empty()
    }

    /// Whether something was said of a key, or of the table that it stands in, or of one within it.
    pub(super) fn is_about(&self, key: &str) -> bool {
        let holds = |outer: &str, inner: &str| {
            inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        self.keys.iter().any(|said| holds(said, key) || holds(key, said))
    }

    /// Whether there is nothing new in a problem with a key of an entry.
    pub(super) fn covers(&self, entry: &Entry<'_>, key: &str) -> bool {
        self.is_about(key) || self.has_unknown && !entry.has(key)
    }
}

fn missing_field(message: &str) -> Option<&str> {
    message.strip_prefix("missing field `").and_then(|rest| rest.strip_suffix('`'))
}

/// The way to a name in the table at a key, or in the entry itself.
fn way_to(table: Option<&str>, name: &str) -> String {
    table.map_or_else(|| name.to_owned(), |table| format!("{table}.{name}"))
}

fn was_said(said: &[String], table: Option<&str>, name: &str) -> bool {
    said.contains(&way_to(table, name))
}

/// What can stand for a key that is missing while the rest of its entry is checked. There is none for a `kind`: it says what the rest is.
const STAND_INS: &str = r#"
citation = { title = "x", authors = ["x"] }
title = "x"
authors = ["x"]
id = "x"
agent = "x"
games = 1
text = "x"
place = "x"
space = {}
method = { kind = "sobol", points = 100, batch = 1 }
winners = { best = 1, games = 1, seed = 1 }
best = 1
seed = 1
"#;

/// Puts something in the place of a missing key, of the entry itself or of one of its plain tables, and returns the way to it.
fn put_stand_in(entry: &mut DeTable<'_>, table: Option<&str>, name: &str) -> Option<String> {
    let stand_ins = DeTable::parse(STAND_INS).ok()?.into_inner();
    let (key, value) = stand_ins.into_iter().find(|(key, _)| key.get_ref() == name)?;
    let holder = match table {
        None => entry,
        Some(table) if PLAIN_TABLES.contains(&table) => match entry.get_mut(table)?.get_mut() {
            DeValue::Table(inner) => inner,
            _ => return None,
        },
        Some(_) => return None,
    };
    holder.insert(Spanned::new(NOWHERE, key.into_inner()), nowhere(value));
    Some(way_to(table, name))
}

/// Where stand-ins are said to be: a span that holds no offset, so that no problem of the manifest's text is taken for theirs.
const NOWHERE: std::ops::Range<usize> = 0..0;

fn nowhere<'i>(value: Spanned<DeValue<'i>>) -> Spanned<DeValue<'i>> {
    let value = match value.into_inner() {
        DeValue::Array(values) => DeValue::Array(values.into_iter().map(nowhere).collect()),
        DeValue::Table(table) => {
            let moved = table.into_iter();
            let moved = moved.map(|(key, value)| (Spanned::new(NOWHERE, key.into_inner()), nowhere(value)));
            DeValue::Table(moved.collect())
        }
        plain => plain,
    };
    Spanned::new(NOWHERE, value)
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
const PLAIN_TABLES: [&str; 6] = ["citation", "rules", "account", "space", "winners", "files"];

/// Takes the key at an offset, or with a value there, out of an entry, and returns the way to it.
fn remove_at(entry: &mut DeTable<'_>, offset: usize) -> Option<String> {
    let name = name_at(entry, offset)?;
    if PLAIN_TABLES.contains(&name.as_str())
        && let Some(DeValue::Table(inner)) = entry.get_mut(name.as_str()).map(Spanned::get_mut)
        && let Some(within) = name_at(inner, offset)
    {
        inner.remove(within.as_str());
        return Some(way_to(Some(&name), &within));
    }
    entry.remove(name.as_str()).map(|_| name)
}

/// The key of a table at an offset, or whose value is there.
fn name_at(table: &DeTable<'_>, offset: usize) -> Option<String> {
    let at = table.iter().find(|(key, value)| key.span().contains(&offset) || holds(value, offset));
    at.map(|(key, _)| key.get_ref().to_string())
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
