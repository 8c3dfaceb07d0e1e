//! Values against a JSON schema: the entries of a manifest, and the parameters of agents before any worker
//! starts.
//!
//! This knows the keywords that schemars derives. Others are passed over: whoever reads the value refuses by
//! itself whatever is wrong beyond them.

use std::fmt;

use serde_json::{Map, Value};

use super::error::known;
use super::forms;
use platform::plain::line;

/// A part of a value that the schema does not allow.
#[derive(Debug, PartialEq)]
pub(super) struct Violation {
    /// The way to it: `weights[2]`.
    path: String,
    problem: Problem,
}

/// What is wrong with a part of a value.
#[derive(Debug, PartialEq)]
enum Problem {
    /// Something else must stand there.
    Other { value: Value, must: String },
    /// A text has another form; what is wrong with it, and the remedy.
    Form(String),
    /// A table lacks a key.
    Lacks { name: String },
    /// A table has no such key.
    Unknown { known: Vec<String> },
    /// The schema refers to itself without end.
    Endless,
}

impl Violation {
    fn new(problem: Problem) -> Self {
        Self { path: String::new(), problem }
    }

    /// The way to the value, or to the key that is missing.
    pub(super) fn key(&self) -> String {
        match &self.problem {
            Problem::Lacks { name } => way(&self.path, name),
            _ => self.path.clone(),
        }
    }

    /// The same violation as it is seen from around the value.
    pub(super) fn within(mut self, name: &str) -> Self {
        self.path = way(name, &self.path);
        self
    }

    /// What must stand in the place of the whole value, if this is about the whole.
    fn must(&self) -> Option<String> {
        match &self.problem {
            Problem::Other { must, .. } if self.path.is_empty() => Some(must.clone()),
            Problem::Lacks { name } if self.path.is_empty() => Some(format!("a table with `{name}`")),
            _ => None,
        }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = line(&self.key());
        let key = if key.is_empty() { "it".to_owned() } else { format!("`{key}`") };
        match &self.problem {
            Problem::Other { value, must } => {
                write!(f, "{key} is {}, must be {}", line(&value.to_string()), line(must))
            }
            Problem::Form(problem) => write!(f, "{key} {problem}"),
            Problem::Lacks { .. } => write!(f, "{key} is missing: add it"),
            Problem::Endless => write!(f, "{key} cannot be checked: its schema seems to refer to itself"),
            Problem::Unknown { known: names } => {
                write!(f, "{key} is unknown; known: {}", known(names.iter().map(String::as_str)))
            }
        }
    }
}

/// The way to a part of the value at a path.
fn way(path: &str, part: &str) -> String {
    let dot = if path.is_empty() || part.is_empty() || part.starts_with('[') { "" } else { "." };
    format!("{path}{dot}{part}")
}

/// How deep schemas may nest; one that goes on refers to itself.
const DEEPEST: usize = 64;

type Result = std::result::Result<(), Violation>;

/// Checks a value by a schema whose references are looked up in `root`.
pub(super) fn check(root: &Value, schema: &Value, value: &Value) -> Result {
    Checker { root, depth: 0 }.value(schema, value)
}

fn must_be(value: &Value, must: impl Into<String>) -> Result {
    Err(Violation::new(Problem::Other { value: value.clone(), must: must.into() }))
}

struct Checker<'a> {
    root: &'a Value,
    depth: usize,
}

impl Checker<'_> {
    fn value(&self, schema: &Value, value: &Value) -> Result {
        if self.depth > DEEPEST {
            return Err(Violation::new(Problem::Endless));
        }
        let Value::Object(schema) = schema else { return Ok(()) };
        // What is wrong as a whole hides what is wrong with its parts.
        if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
            let target = reference.strip_prefix('#').and_then(|pointer| self.root.pointer(pointer));
            target.map_or(Ok(()), |target| self.deeper(target, value))?;
        }
        by_type(schema, value)?;
        by_choice(schema, value)?;
        by_bounds(schema, value)?;
        self.by_branches(schema, value)?;
        match value {
            Value::Array(items) => self.items(schema, items, value),
            Value::Object(fields) => self.fields(schema, fields, value),
            Value::String(text) => {
                forms::check(schema, text).map_err(|wrong| Violation::new(Problem::Form(wrong)))
            }
            _ => Ok(()),
        }
    }

    fn deeper(&self, schema: &Value, value: &Value) -> Result {
        Self { root: self.root, depth: self.depth + 1 }.value(schema, value)
    }

    /// Branches that schemars derives exclude each other, so `oneOf` asks for no more than `anyOf`.
    fn by_branches(&self, schema: &Map<String, Value>, value: &Value) -> Result {
        let branches = |keyword: &str| schema.get(keyword).and_then(Value::as_array);
        branches("allOf").into_iter().flatten().try_for_each(|branch| self.deeper(branch, value))?;
        let choices = ["oneOf", "anyOf"].into_iter().filter_map(branches);
        choices.map(Vec::as_slice).try_for_each(|choices| self.one_of(choices, value))
    }

    fn one_of(&self, branches: &[Value], value: &Value) -> Result {
        if let (Some(tag), Value::Object(fields)) = (tag(branches), value) {
            return self.tagged(tag, branches, fields, value);
        }
        let (mut meant, mut musts) = (None, Vec::new());
        for branch in branches {
            let Err(violation) = self.deeper(branch, value) else { return Ok(()) };
            match violation.must() {
                Some(must) => musts.push(must),
                None => meant = Some(likelier(meant, violation)),
            }
        }
        if let Some(meant) = meant {
            return Err(meant);
        }
        musts.retain(|must| !must.is_empty());
        musts.dedup();
        must_be(value, musts.join(" or "))
    }

    /// The branch that a table names by its tag.
    fn tagged(&self, tag: &str, branches: &[Value], fields: &Map<String, Value>, value: &Value) -> Result {
        let Some(given) = fields.get(tag) else {
            return Err(Violation::new(Problem::Lacks { name: tag.to_owned() }));
        };
        let names = || branches.iter().map(|branch| &branch["properties"][tag]["const"]);
        match names().position(|name| name == given) {
            Some(meant) => self.deeper(&branches[meant], value),
            None => must_be(given, alternatives(names())).map_err(|violation| violation.within(tag)),
        }
    }

    fn items(&self, schema: &Map<String, Value>, items: &[Value], value: &Value) -> Result {
        by_count(schema, ["minItems", "maxItems"], items.len(), value, "a list of")?;
        let first = schema.get("prefixItems").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        items.iter().enumerate().try_for_each(|(index, item)| {
            let Some(schema) = first.get(index).or_else(|| schema.get("items")) else { return Ok(()) };
            self.deeper(schema, item).map_err(|violation| violation.within(&format!("[{index}]")))
        })
    }

    fn fields(&self, schema: &Map<String, Value>, fields: &Map<String, Value>, value: &Value) -> Result {
        by_count(schema, ["minProperties", "maxProperties"], fields.len(), value, "a table of")?;
        let properties = schema.get("properties").and_then(Value::as_object);
        for (name, field) in fields {
            let property = properties.and_then(|properties| properties.get(name));
            let checked = match property.or_else(|| schema.get("additionalProperties")) {
                Some(Value::Bool(false)) => {
                    let known = properties.into_iter().flat_map(Map::keys).cloned().collect();
                    Err(Violation::new(Problem::Unknown { known }))
                }
                Some(schema) => self.deeper(schema, field),
                None => Ok(()),
            };
            checked.map_err(|violation| violation.within(name))?;
        }
        let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
        let mut lacking = required.filter_map(Value::as_str).filter(|&name| !fields.contains_key(name));
        if let Some(name) = lacking.next() {
            return Err(Violation::new(Problem::Lacks { name: name.to_owned() }));
        }
        let dependent = schema.get("dependentSchemas").and_then(Value::as_object).into_iter().flatten();
        let mut given = dependent.filter(|(name, _)| fields.contains_key(*name));
        given.try_for_each(|(_, schema)| self.deeper(schema, value))
    }
}

/// The violation of the branch that was meant: one that accepts the whole and refuses a part. Branches that
/// lack the key are not; if all do, all that there are is known.
fn likelier(before: Option<Violation>, now: Violation) -> Violation {
    let Some(mut before) = before else { return now };
    match (&mut before.problem, &now.problem) {
        (Problem::Unknown { known }, Problem::Unknown { known: more }) => known.extend(more.iter().cloned()),
        (Problem::Unknown { .. }, _) => return now,
        _ => {}
    }
    before
}

fn by_type(schema: &Map<String, Value>, value: &Value) -> Result {
    let types = match schema.get("type") {
        Some(Value::Array(names)) => names.as_slice(),
        Some(name) => std::slice::from_ref(name),
        None => return Ok(()),
    };
    let names = || types.iter().filter_map(Value::as_str);
    if names().any(|name| has_type(value, name)) {
        return Ok(());
    }
    // TOML has no null: a value that may be null is left out instead.
    let written = names().filter(|&name| name != "null");
    must_be(value, written.map(type_name).collect::<Vec<_>>().join(" or "))
}

fn by_choice(schema: &Map<String, Value>, value: &Value) -> Result {
    let allowed = match (schema.get("const"), schema.get("enum").and_then(Value::as_array)) {
        (Some(only), _) => std::slice::from_ref(only),
        (None, Some(allowed)) => allowed.as_slice(),
        (None, None) => return Ok(()),
    };
    if allowed.contains(value) { Ok(()) } else { must_be(value, alternatives(allowed.iter())) }
}

fn alternatives<'a>(values: impl Iterator<Item = &'a Value>) -> String {
    values.map(ToString::to_string).collect::<Vec<_>>().join(" or ")
}

fn by_bounds(schema: &Map<String, Value>, value: &Value) -> Result {
    let Some(number) = value.as_f64() else { return Ok(()) };
    let bound = |keyword: &str| schema.get(keyword).and_then(Value::as_f64);
    let broken = [
        ("minimum", "at least", bound("minimum").is_some_and(|bound| number < bound)),
        ("maximum", "at most", bound("maximum").is_some_and(|bound| number > bound)),
        ("exclusiveMinimum", "above", bound("exclusiveMinimum").is_some_and(|bound| number <= bound)),
        ("exclusiveMaximum", "below", bound("exclusiveMaximum").is_some_and(|bound| number >= bound)),
    ];
    match broken.into_iter().find(|&(.., broken)| broken) {
        Some((keyword, words, _)) => must_be(value, format!("{words} {}", schema[keyword])),
        None => Ok(()),
    }
}

fn by_count(
    schema: &Map<String, Value>,
    [least, most]: [&str; 2],
    count: usize,
    value: &Value,
    noun: &str,
) -> Result {
    let bound = |keyword: &str| schema.get(keyword).and_then(Value::as_u64);
    if let Some(least) = bound(least).filter(|&least| (count as u64) < least) {
        return must_be(value, format!("{noun} at least {least}"));
    }
    match bound(most).filter(|&most| count as u64 > most) {
        Some(most) => must_be(value, format!("{noun} at most {most}")),
        None => Ok(()),
    }
}

/// The key by whose value branches are told apart, if each has its own constant there.
fn tag(branches: &[Value]) -> Option<&str> {
    let mut properties = branches.first()?.get("properties")?.as_object()?.keys();
    let is_constant = |name: &&String| {
        branches.iter().all(|branch| branch.pointer(&format!("/properties/{name}/const")).is_some())
    };
    properties.find(is_constant).map(String::as_str)
}

/// Whether a value is of a type of JSON schema. A float is no integer even where it is whole: serde sees it
/// so too.
fn has_type(value: &Value, name: &str) -> bool {
    match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => true,
    }
}

fn type_name(name: &str) -> &str {
    match name {
        "boolean" => "true or false",
        "integer" => "a whole number",
        "number" => "a number",
        "string" => "text",
        "array" => "a list",
        "object" => "a table",
        other => other,
    }
}
