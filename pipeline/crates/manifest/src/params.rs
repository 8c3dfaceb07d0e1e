//! An agent's parameters against its JSON schema, so that a wrong one is named before any worker starts.
//!
//! This knows the keywords that schemars derives for a parameter type. Others are passed over: an agent refuses by
//! itself, when it is made, whatever is wrong beyond them.

use std::fmt;

use serde_json::{Map, Value};

use super::error::known;
use platform::plain::line;

/// A part of a value that the schema does not allow.
#[derive(Debug, PartialEq)]
pub(super) struct Wrong {
    /// The way to it: `weights[2]`.
    path: String,
    problem: Problem,
}

/// What is wrong with a part of a value.
#[derive(Debug, PartialEq)]
enum Problem {
    /// Something else must stand there.
    Other { value: Value, must: String },
    /// A table lacks a key.
    Lacks { name: String },
    /// A table has no such key.
    Unknown { known: Vec<String> },
    /// Nobody can tell what must stand there.
    Endless,
}

impl Wrong {
    /// The name that the way to it begins with: that of the parameter, where the value is a table of parameters.
    pub(super) fn name(&self) -> &str {
        match &self.problem {
            Problem::Lacks { name } if self.path.is_empty() => name,
            _ => self.path.split(['.', '[']).next().unwrap_or_default(),
        }
    }

    /// What must stand at a path, if this is about what stands there and not about a part of it.
    fn must_at(&self, path: &str) -> Option<String> {
        match &self.problem {
            Problem::Other { must, .. } if self.path == path => Some(must.clone()),
            Problem::Lacks { name } if self.path == path => Some(format!("a table with `{name}`")),
            _ => None,
        }
    }
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = line(&self.path);
        match &self.problem {
            Problem::Other { value, must } => {
                write!(f, "`{path}` is {}, must be {}", line(&value.to_string()), line(must))
            }
            Problem::Lacks { name } => write!(f, "`{}` is missing: add it", line(&way(&self.path, name))),
            Problem::Endless => write!(f, "`{path}` cannot be checked: its schema seems to refer to itself"),
            Problem::Unknown { known: names } => {
                write!(f, "`{path}` is unknown; known: {}", known(names.iter().map(String::as_str)))
            }
        }
    }
}

/// The way to a key of the table at a path.
fn way(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

/// How deep schemas may nest; one that goes on refers to itself.
const DEEPEST: usize = 64;

/// All that is wrong with a value by a schema whose references are looked up in `root`.
pub(super) fn check(root: &Value, schema: &Value, value: &Value, path: &str) -> Vec<Wrong> {
    Check { root, path: path.to_owned(), depth: 0 }.value(schema, value)
}

struct Check<'a> {
    root: &'a Value,
    path: String,
    depth: usize,
}

impl Check<'_> {
    fn value(&self, schema: &Value, value: &Value) -> Vec<Wrong> {
        if self.depth > DEEPEST {
            return vec![Wrong { path: self.path.clone(), problem: Problem::Endless }];
        }
        let Value::Object(schema) = schema else { return Vec::new() };
        // What is wrong as a whole hides what is wrong with its parts.
        let checks = [Self::by_reference, Self::by_type, Self::by_choice, Self::by_bounds, Self::by_branches];
        let found = checks.iter().map(|check| check(self, schema, value)).find(|found| !found.is_empty());
        match (found, value) {
            (Some(found), _) => found,
            (None, Value::Array(items)) => self.items(schema, items, value),
            (None, Value::Object(fields)) => self.fields(schema, fields),
            (None, _) => Vec::new(),
        }
    }

    fn must_be(&self, value: &Value, must: impl Into<String>) -> Vec<Wrong> {
        let problem = Problem::Other { value: value.clone(), must: must.into() };
        vec![Wrong { path: self.path.clone(), problem }]
    }

    fn deeper(&self, path: String) -> Self {
        Self { root: self.root, path, depth: self.depth + 1 }
    }

    /// The same value, by another schema.
    fn by(&self, schema: &Value, value: &Value) -> Vec<Wrong> {
        self.deeper(self.path.clone()).value(schema, value)
    }

    fn by_reference(&self, schema: &Map<String, Value>, value: &Value) -> Vec<Wrong> {
        let Some(reference) = schema.get("$ref").and_then(Value::as_str) else { return Vec::new() };
        let target = reference.strip_prefix('#').and_then(|pointer| self.root.pointer(pointer));
        target.map_or_else(Vec::new, |target| self.by(target, value))
    }

    fn by_type(&self, schema: &Map<String, Value>, value: &Value) -> Vec<Wrong> {
        let types: Vec<&str> = match schema.get("type") {
            Some(Value::String(name)) => vec![name],
            Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
            _ => return Vec::new(),
        };
        if types.iter().any(|name| has_type(value, name)) {
            return Vec::new();
        }
        // TOML has no null: a value that may be null is left out instead.
        let written = types.into_iter().filter(|&name| name != "null");
        self.must_be(value, written.map(type_name).collect::<Vec<_>>().join(" or "))
    }

    fn by_choice(&self, schema: &Map<String, Value>, value: &Value) -> Vec<Wrong> {
        let allowed = match (schema.get("const"), schema.get("enum").and_then(Value::as_array)) {
            (Some(only), _) => std::slice::from_ref(only),
            (None, Some(allowed)) => allowed.as_slice(),
            (None, None) => return Vec::new(),
        };
        if allowed.contains(value) {
            return Vec::new();
        }
        self.must_be(value, allowed.iter().map(ToString::to_string).collect::<Vec<_>>().join(" or "))
    }

    fn by_bounds(&self, schema: &Map<String, Value>, value: &Value) -> Vec<Wrong> {
        let Some(number) = value.as_f64() else { return Vec::new() };
        let bound = |keyword: &str| schema.get(keyword).and_then(Value::as_f64);
        let broken = [
            ("minimum", "at least", bound("minimum").is_some_and(|bound| number < bound)),
            ("maximum", "at most", bound("maximum").is_some_and(|bound| number > bound)),
            ("exclusiveMinimum", "above", bound("exclusiveMinimum").is_some_and(|bound| number <= bound)),
            ("exclusiveMaximum", "below", bound("exclusiveMaximum").is_some_and(|bound| number >= bound)),
        ];
        match broken.into_iter().find(|&(.., broken)| broken) {
            Some((keyword, words, _)) => self.must_be(value, format!("{words} {}", schema[keyword])),
            None => Vec::new(),
        }
    }

    /// Branches that schemars derives exclude each other, so `oneOf` asks for no more than `anyOf`.
    fn by_branches(&self, schema: &Map<String, Value>, value: &Value) -> Vec<Wrong> {
        let branches = |keyword: &str| schema.get(keyword).and_then(Value::as_array);
        let mut found: Vec<Wrong> =
            branches("allOf").into_iter().flatten().flat_map(|branch| self.by(branch, value)).collect();
        for branches in ["oneOf", "anyOf"].into_iter().filter_map(branches) {
            found.extend(self.one_of(branches, value));
        }
        found
    }

    fn one_of(&self, branches: &[Value], value: &Value) -> Vec<Wrong> {
        let mut tried: Vec<Vec<Wrong>> = branches.iter().map(|branch| self.by(branch, value)).collect();
        if tried.iter().any(Vec::is_empty) {
            return Vec::new();
        }
        // A branch that accepts the whole and refuses a part is the one that was meant.
        let is_meant = |found: &Vec<Wrong>| found.iter().all(|wrong| wrong.must_at(&self.path).is_none());
        if let Some(meant) = tried.iter().position(is_meant) {
            return tried.swap_remove(meant);
        }
        let musts = tried.iter().flatten().filter_map(|wrong| wrong.must_at(&self.path));
        let mut musts: Vec<String> = musts.filter(|must| !must.is_empty()).collect();
        musts.dedup();
        self.must_be(value, musts.join(" or "))
    }

    fn items(&self, schema: &Map<String, Value>, items: &[Value], value: &Value) -> Vec<Wrong> {
        let bound = |keyword: &str| schema.get(keyword).and_then(Value::as_u64);
        if let Some(least) = bound("minItems").filter(|&least| (items.len() as u64) < least) {
            return self.must_be(value, format!("a list of at least {least}"));
        }
        if let Some(most) = bound("maxItems").filter(|&most| items.len() as u64 > most) {
            return self.must_be(value, format!("a list of at most {most}"));
        }
        let first = schema.get("prefixItems").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        let of_item = |(index, item): (usize, &Value)| {
            let schema = first.get(index).or_else(|| schema.get("items"));
            let path = format!("{}[{index}]", self.path);
            schema.map_or_else(Vec::new, |schema| self.deeper(path).value(schema, item))
        };
        items.iter().enumerate().flat_map(of_item).collect()
    }

    fn fields(&self, schema: &Map<String, Value>, fields: &Map<String, Value>) -> Vec<Wrong> {
        let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
        let lacking = required.filter_map(Value::as_str).filter(|&name| !fields.contains_key(name));
        let lacks =
            |name: &str| Wrong { path: self.path.clone(), problem: Problem::Lacks { name: name.to_owned() } };
        let mut found: Vec<Wrong> = lacking.map(lacks).collect();
        let no_properties = Map::new();
        let properties = schema.get("properties").and_then(Value::as_object).unwrap_or(&no_properties);
        for (name, field) in fields {
            let path = way(&self.path, name);
            match properties.get(name).or_else(|| schema.get("additionalProperties")) {
                Some(Value::Bool(false)) => {
                    let known = properties.keys().cloned().collect();
                    found.push(Wrong { path, problem: Problem::Unknown { known } });
                }
                Some(schema) => found.extend(self.deeper(path).value(schema, field)),
                None => {}
            }
        }
        found
    }
}

/// Whether a value is of a type of JSON schema. A float is no integer even where it is whole: serde sees it so too.
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
