//! The figures that a manifest asks for beside those that every paper gets. Each kind has its keys in the crate
//! `figures`; here they are read, and checked against the paper.

use std::borrow::Cow;

use figures::{FigureKind, KeyValue};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use super::check::{Names, check_id};
use super::document::Entry;
use super::error::known;
use super::field_checks::{CheckError, Checked, few, named, wrong};
use super::limits::{self, LARGEST_NUMBER};
use super::problems::Problems;
use platform::plain::line;

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

/// What every figure has, whatever its kind.
#[derive(Deserialize, JsonSchema)]
struct Head {
    /// What its files are called, after the paper: lower-case letters, digits, - and _.
    id: String,
    /// Its title.
    #[schemars(length(max = limits::LONGEST_NAME))]
    title: String,
    /// What it shows.
    kind: KindName,
}

/// The name of a kind.
struct KindName(String);

impl<'de> Deserialize<'de> for KindName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        let is_known = FigureKind::NAMES.contains(&name.as_str());
        if is_known { Ok(Self(name)) } else { Err(D::Error::unknown_variant(&name, FigureKind::NAMES)) }
    }
}

impl JsonSchema for KindName {
    fn schema_name() -> Cow<'static, str> {
        "FigureKind".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string", "enum": FigureKind::NAMES})
    }
}

/// A figure as it is written: the keys of all kinds, for the schema.
pub(super) struct RawFigure;

impl<'de> Deserialize<'de> for RawFigure {
    fn deserialize<D: Deserializer<'de>>(_: D) -> Result<Self, D::Error> {
        Err(D::Error::custom("figures are read entry by entry"))
    }
}

impl JsonSchema for RawFigure {
    fn schema_name() -> Cow<'static, str> {
        "Figure".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut properties = parts(&Head::json_schema(generator), "properties");
        for (key, kinds, mut property) in keys(generator) {
            let description = property["description"].as_str().unwrap_or_default();
            let (first, rest) = description.split_at(description.len().min(1));
            property["description"] = format!("{}: {}{rest}", kinds.join(", "), first.to_lowercase()).into();
            properties.push((key, property));
        }
        json_schema!({
            "description": "A figure as it is written. Which keys it needs depends on its kind.",
            "type": "object",
            "properties": Value::Object(properties.into_iter().collect()),
            "required": ["id", "title", "kind"],
            "additionalProperties": false,
        })
    }
}

/// The entries of a table of a schema.
fn parts(schema: &Schema, table: &str) -> Vec<(String, Value)> {
    let table = schema.get(table).and_then(Value::as_object).cloned();
    table.into_iter().flatten().collect()
}

/// The keys that a kind needs, in the order of its struct.
fn required(schema: &Schema) -> Vec<String> {
    let keys = schema.get("required").and_then(Value::as_array).into_iter().flatten();
    keys.filter_map(Value::as_str).map(str::to_owned).collect()
}

/// The keys of all kinds in the order in which they first come: the kinds that take each, and its schema.
fn keys(generator: &mut SchemaGenerator) -> Vec<(String, Vec<&'static str>, Value)> {
    let mut keys: Vec<(String, Vec<&'static str>, Value)> = Vec::new();
    for (kind, schema) in FigureKind::schemas(generator) {
        let mut properties = parts(&schema, "properties");
        // The order of the schema's properties is that of the alphabet.
        properties.sort_by_key(|(key, _)| required(&schema).iter().position(|other| other == key));
        for (key, property) in properties {
            match keys.iter_mut().find(|(known, ..)| *known == key) {
                Some((_, kinds, _)) => kinds.push(kind),
                None => keys.push((key, vec![kind], property)),
            }
        }
    }
    keys
}

/// The figures that are right.
pub(super) fn figures(entries: &[Entry<'_>], names: &Names, problems: &mut Problems<'_>) -> Vec<FigureSpec> {
    entries.iter().filter_map(|entry| figure(entry, names, problems)).collect()
}

fn figure(entry: &Entry<'_>, names: &Names, problems: &mut Problems<'_>) -> Option<FigureSpec> {
    let Head { id, title, kind: KindName(kind) } = entry.read(problems)?;
    let checked =
        check_id("id", &id).and_then(|()| named("title", &title)).and_then(|()| check_keys(entry, &kind));
    problems.take(entry, checked)?;
    let kind = entry.read_with(problems, |keys| FigureKind::read(&kind, keys))?;
    let checked = kind
        .values()
        .into_iter()
        .try_for_each(|(key, value)| check_value(key, value, names))
        .and_then(|()| kind.check().map_err(|error| wrong(error.key, error.problem)));
    problems.take(entry, checked)?;
    Some(FigureSpec { id, title, kind })
}

/// Checks that an entry has no key that no kind takes, and all that its own kind needs.
fn check_keys(entry: &Entry<'_>, kind: &str) -> Checked {
    let mut generator = SchemaGenerator::default();
    let of_kinds = keys(&mut generator);
    let all = ["id", "title", "kind"].into_iter().chain(of_kinds.iter().map(|(key, ..)| key.as_str()));
    if let Some(unknown) = entry.keys().find(|key| !all.clone().any(|known| known == *key)) {
        let known: Vec<String> = all.map(|key| format!("`{key}`")).collect();
        let problem = format!("unknown key `{}`; known: {}", line(unknown), known.join(", "));
        return Err(CheckError { key: unknown.to_owned(), problem });
    }
    let own = FigureKind::schemas(&mut generator).into_iter().find(|(name, _)| *name == kind);
    let mut needed = own.into_iter().flat_map(|(_, schema)| required(&schema));
    match needed.find(|key| !entry.keys().any(|given| given == key)) {
        Some(missing) => Err(wrong(&missing, "is missing: a figure of this kind needs it")),
        None => Ok(()),
    }
}

fn check_value(key: &'static str, value: KeyValue<'_>, names: &Names) -> Checked {
    match value {
        KeyValue::Name(name) => named(key, name),
        KeyValue::Numbers(numbers) => check_numbers(key, numbers),
        KeyValue::Experiments(ids) => all_known(key, ids, &names.experiments),
        KeyValue::Claims(ids) => all_known(key, ids, &names.claims),
        KeyValue::Groups(groups) => {
            not_empty(key, groups.len())?;
            groups.iter().try_for_each(|group| {
                named(key, &group.name)?;
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
    let is_number = |value: &&f64| value.is_finite() && value.abs() <= LARGEST_NUMBER;
    match numbers.iter().find(|value| !is_number(value)) {
        Some(number) => Err(wrong(key, format!("has {number}: write finite numbers up to {LARGEST_NUMBER}"))),
        None => Ok(()),
    }
}
