//! A manifest as TOML: its entries, each with its place in the text, so that every one is read and refused by
//! itself. An author thinks in experiments, keys and lines, and serde knows none of them.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize as _;
use serde::de::DeserializeOwned;
use serde_json::Value;
use toml::Spanned;
use toml::de::{DeTable, DeValue, ValueDeserializer};

use super::field_checks::{CheckError, Checked, too_many};
use super::forms::check_shown;
use super::lines::LineBreaks;
use super::other_job::registered;
use super::schema::SCHEMA;
use super::{ManifestError, Subject, schema_check};
use platform::plain::{line, paragraph};

/// The lists of a manifest, each by its key, which is also what one of its entries is called.
const LISTS: [&str; 9] =
    ["note", "experiment", "study", "training", "claim", "exhibit", "figure", "interpretation", "finding"];

/// A manifest whose lists are read entry by entry.
pub(super) struct Document<'i> {
    /// What stands outside of all lists.
    pub(super) paper: RawEntry<'i>,
    lists: BTreeMap<&'static str, Vec<RawEntry<'i>>>,
}

impl<'i> Document<'i> {
    pub(super) fn parse(file: &Path, text: &'i str, line_breaks: &LineBreaks) -> Result<Self, ManifestError> {
        let parsed = DeTable::parse(text).map_err(|source| syntax_error(file, text, line_breaks, source))?;
        let span = parsed.span();
        let mut table = parsed.into_inner();
        let mut lists = BTreeMap::new();
        let built_in = LISTS.map(|key| (key, &SCHEMA["properties"][key]["items"]));
        for (key, schema) in built_in.into_iter().chain(registered()) {
            let entries = entries(&mut table, key, schema);
            let most = SCHEMA["properties"][key]["maxItems"].as_u64().unwrap_or(u64::MAX) as usize;
            if let Some(first) = entries.first().filter(|_| entries.len() > most) {
                return Err(ManifestError::Invalid {
                    file: file.to_owned(),
                    line: Some(line_breaks.line_at(first.value.span().start)),
                    subject: Subject::Paper,
                    problem: format!("`{key}` {}", too_many(entries.len(), most)),
                });
            }
            lists.insert(key, entries);
        }
        let schema = &*SCHEMA;
        let value = Spanned::new(span, DeValue::Table(table));
        Ok(Self { paper: RawEntry { subject: Subject::Paper, value, schema }, lists })
    }

    /// The entries of a list.
    pub(super) fn list(&self, key: &str) -> &[RawEntry<'i>] {
        self.lists.get(key).map_or(&[], Vec::as_slice)
    }

    /// The entries that are jobs, which share their ids.
    pub(super) fn jobs(&self) -> impl Iterator<Item = &RawEntry<'i>> {
        kinds_of_jobs().flat_map(|kind| self.list(kind))
    }
}

/// The lists whose entries are jobs.
pub(super) fn kinds_of_jobs() -> impl Iterator<Item = &'static str> {
    ["experiment", "study", "training"].into_iter().chain(registered().into_iter().map(|(kind, _)| kind))
}

/// Takes a list out of the document. What is not a list stays, and is refused with the paper's own keys.
fn entries<'i>(table: &mut DeTable<'i>, key: &'static str, schema: &'static Value) -> Vec<RawEntry<'i>> {
    if !table.get(key).is_some_and(|value| value.get_ref().is_array()) {
        return Vec::new();
    }
    let Some(DeValue::Array(values)) = table.remove(key).map(Spanned::into_inner) else { return Vec::new() };
    let named = |(number, value): (usize, Spanned<DeValue<'i>>)| {
        let id = id_of(&value).map_or_else(|| format!("#{number}"), str::to_owned);
        RawEntry { subject: Subject::Entry(key, id), value, schema }
    };
    (1..).zip(values).map(named).collect()
}

/// The text is no TOML: the reader cannot go on, so this is all that is said.
fn syntax_error(file: &Path, text: &str, line_breaks: &LineBreaks, error: toml::de::Error) -> ManifestError {
    let offset = error.span().map_or(0, |span| span.start).min(text.len());
    let before = text.get(..offset).unwrap_or_default();
    ManifestError::Syntax {
        file: file.to_owned(),
        line: line_breaks.line_at(offset),
        column: before.chars().rev().take_while(|&letter| letter != '\n').count() + 1,
        error: Box::new(error),
    }
}

/// What an entry is called; an exhibit by its place in the paper.
fn id_of<'a>(value: &'a Spanned<DeValue<'_>>) -> Option<&'a str> {
    let table = value.get_ref().as_table()?;
    table.get("id").or_else(|| table.get("place"))?.get_ref().as_str()
}

/// One entry of a list, or what stands outside of all lists.
pub(super) struct RawEntry<'i> {
    pub(super) subject: Subject,
    value: Spanned<DeValue<'i>>,
    schema: &'static Value,
}

impl<'i> RawEntry<'i> {
    /// The id that is written; `None` if there is none.
    pub(super) fn id(&self) -> Option<&str> {
        id_of(&self.value)
    }

    /// The table at a key, such as `winners`; `None` if there is none.
    pub(super) fn table(&self, key: &str) -> Option<&DeTable<'i>> {
        self.value.get_ref().as_table()?.get(key)?.get_ref().as_table()
    }

    /// Where a key stands, such as `citation.title`; where it does not, where the entry begins.
    pub(super) fn offset_of(&self, key: &str) -> usize {
        let mut offset = self.value.span().start;
        let mut table = self.value.get_ref().as_table();
        for name in key.split(['.', '[']) {
            let Some((key, value)) = table.and_then(|table| table.get_key_value(name)) else { break };
            offset = key.span().start;
            table = value.get_ref().as_table();
        }
        offset
    }

    /// The entry as its type, with the paper's rules where it has none of its own.
    pub(super) fn read<T: DeserializeOwned>(&self, rules: Option<&DeTable<'i>>) -> Checked<T> {
        let refuse = |error: toml::de::Error| {
            let offset = error.span().map_or_else(|| self.value.span().start, |span| span.start);
            let key = self.value.get_ref().as_table().and_then(|table| key_at(table, offset));
            let message = paragraph(error.message()).replace(['\n', '\t'], " ");
            let problem = key.as_deref().map_or(message.clone(), |key| format!("`{}`: {message}", line(key)));
            CheckError { key: key.unwrap_or_default(), problem }
        };
        let json = Value::deserialize(ValueDeserializer::from(self.value.clone())).map_err(refuse)?;
        check_plain(&json)
            .map_err(|(key, problem)| CheckError { problem: format!("`{}` {problem}", line(&key)), key })?;
        schema_check::check(&SCHEMA, self.schema, &json)
            .map_err(|violation| CheckError { key: violation.key(), problem: violation.to_string() })?;
        let mut value = self.value.clone();
        inherit_rules(&mut value, rules);
        T::deserialize(ValueDeserializer::from(value)).map_err(refuse)
    }
}

/// Adds the rules that an entry does not say otherwise. One that stops at no tile takes back that others do.
fn inherit_rules<'i>(entry: &mut Spanned<DeValue<'i>>, rules: Option<&DeTable<'i>>) {
    const STOP: &str = "stop_at";
    let span = entry.span();
    let DeValue::Table(table) = entry.get_mut() else { return };
    if let Some(rules) = rules {
        let own = table.entry(Spanned::new(span.clone(), "rules".into()));
        let own = own.or_insert_with(|| Spanned::new(span, DeValue::Table(DeTable::new())));
        let DeValue::Table(own) = own.get_mut() else { return };
        for (name, rule) in rules {
            own.entry(name.clone()).or_insert_with(|| rule.clone());
        }
    }
    if let Some(DeValue::Table(own)) = table.get_mut("rules").map(Spanned::get_mut)
        && own.get(STOP).is_some_and(|stop| stop.get_ref().is_str())
    {
        own.remove(STOP);
    }
}

/// The key under which the TOML reader hands dates to serde.
const DATE: &str = "$__toml_private_datetime";

/// Checks that a value holds nothing that JSON cannot say or a reader would not see: serde makes tables of
/// dates, and null of nan and inf.
fn check_plain(value: &Value) -> Result<(), (String, String)> {
    let here = |problem: String| (String::new(), problem);
    match value {
        Value::Null => Err(here("is nan or inf: write a finite number".to_owned())),
        Value::Object(table) if table.contains_key(DATE) => {
            Err(here("is a date: write it as text".to_owned()))
        }
        Value::Object(table) => table.iter().try_for_each(|(name, value)| {
            check_shown(name).map_err(here).and_then(|()| check_plain(value)).map_err(|(rest, problem)| {
                (if rest.is_empty() { name.clone() } else { format!("{name}.{rest}") }, problem)
            })
        }),
        Value::String(text) => check_shown(text).map_err(here),
        Value::Array(values) => values.iter().try_for_each(check_plain),
        Value::Bool(_) | Value::Number(_) => Ok(()),
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
