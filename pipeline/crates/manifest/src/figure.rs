//! The figures that a manifest asks for beside those that every paper gets. Each kind has its keys in the
//! crate `figures`; here they are read, and checked against the paper.

use std::borrow::Cow;

use figures::{FigureKind, KeyValue};
use platform::plain::line;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::check::PaperNames;
use super::error::known;
use super::field_checks::{Checked, few, wrong};
use super::forms::{Id, Name, check_name};
use super::limits::LARGEST_NUMBER;

/// A figure that a manifest asks for.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FigureSpec {
    /// What its files are called, after the paper.
    pub id: String,
    /// Its title.
    pub title: String,
    /// What it shows.
    pub kind: FigureKind,
}

/// A figure as it is written. Which keys it has depends on its kind.
#[derive(Deserialize)]
pub(super) struct RawFigure {
    id: String,
    title: String,
    kind: String,
    #[serde(flatten)]
    keys: Map<String, Value>,
}

/// The keys that every figure has.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "it stands for the schema of these keys")]
struct FigureHead {
    /// What its files are called, after the paper: lower-case letters, digits, - and _.
    #[schemars(with = "Id")]
    id: String,
    /// Its title.
    #[schemars(with = "Name")]
    title: String,
}

impl JsonSchema for RawFigure {
    fn schema_name() -> Cow<'static, str> {
        "Figure".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let kinds: Vec<Schema> = FigureKind::schemas(generator)
            .into_iter()
            .map(|(kind, mut schema)| {
                let head = FigureHead::json_schema(generator);
                for (table, own) in
                    [("properties", json!({"kind": {"const": kind}})), ("required", json!(["kind"]))]
                {
                    let parts = [Some(&own), head.get(table), schema.get(table)].into_iter().flatten();
                    let all = parts.cloned().reduce(merged).unwrap_or_default();
                    schema.insert(table.to_owned(), all);
                }
                schema.insert("additionalProperties".to_owned(), false.into());
                schema
            })
            .collect();
        json_schema!({"description": "A figure. Which keys it needs depends on its kind.", "oneOf": kinds})
    }
}

/// Two tables, or two lists, as one.
fn merged(one: Value, other: Value) -> Value {
    match (one, other) {
        (Value::Object(one), Value::Object(other)) => one.into_iter().chain(other).collect(),
        (Value::Array(one), Value::Array(other)) => one.into_iter().chain(other).collect(),
        (one, _) => one,
    }
}

pub(super) fn figure(raw: RawFigure, names: &PaperNames) -> Checked<FigureSpec> {
    let kind = FigureKind::read(&raw.kind, Value::Object(raw.keys))
        .map_err(|error| wrong("kind", format!("is `{}`, which is refused: {error}", raw.kind)))?;
    kind.values().into_iter().try_for_each(|(key, value)| check_value(key, value, names))?;
    kind.check().map_err(|error| wrong(error.key, error.problem))?;
    Ok(FigureSpec { id: raw.id, title: raw.title, kind })
}

fn check_value(key: &'static str, value: KeyValue<'_>, names: &PaperNames) -> Checked {
    match value {
        KeyValue::Name(name) => check_name(name).map_err(|problem| wrong(key, problem)),
        KeyValue::Numbers(numbers) => check_numbers(key, numbers),
        KeyValue::Experiments(ids) => all_known(key, ids, &names.experiments),
        KeyValue::Claims(ids) => all_known(key, ids, &names.claims),
        KeyValue::Groups(groups) => {
            not_empty(key, groups.len())?;
            groups.iter().try_for_each(|group| {
                check_name(&group.name).map_err(|problem| wrong(key, problem))?;
                all_known(key, &group.experiments, &names.experiments)
            })
        }
    }
}

fn not_empty(key: &str, entries: usize) -> Checked {
    if entries == 0 { Err(wrong(key, "is empty: name at least one")) } else { few(key, entries) }
}

fn all_known(key: &str, ids: &[String], there: &[String]) -> Checked {
    not_empty(key, ids.len())?;
    let Some(id) = ids.iter().find(|id| !there.contains(id)) else { return Ok(()) };
    let (id, known) = (line(id), known(there.iter().map(String::as_str)));
    Err(wrong(key, format!("has `{id}`, which this paper does not have; known: {known}")))
}

fn check_numbers(key: &str, numbers: &[f64]) -> Checked {
    let is_number = |value: &&f64| value.abs() <= LARGEST_NUMBER;
    match numbers.iter().find(|value| !is_number(value)) {
        Some(number) => Err(wrong(key, format!("has {number}: write finite numbers up to {LARGEST_NUMBER}"))),
        None => Ok(()),
    }
}
