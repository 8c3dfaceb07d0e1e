//! An agent's parameters against its JSON schema, so that a wrong one is named before any worker starts.
//!
//! This knows the keywords that schemars derives for a parameter type. Others are passed over: an agent refuses by
//! itself, when it is made, whatever is wrong beyond them.

use serde_json::{Map, Value};

/// The part of a value that the schema does not allow.
#[derive(Debug, PartialEq)]
pub(super) struct Wrong {
    /// The way to it: `weights[2]`.
    pub(super) path: String,
    /// What stands there.
    pub(super) value: Value,
    /// What must stand there.
    pub(super) must: String,
}

/// How deep schemas may nest; one that goes on refers to itself.
const DEEPEST: usize = 64;

/// Checks a value against a schema whose references are looked up in `root`.
pub(super) fn check(root: &Value, schema: &Value, value: &Value, path: &str) -> Result<(), Wrong> {
    Check { root, path: path.to_owned(), depth: 0 }.value(schema, value)
}

struct Check<'a> {
    root: &'a Value,
    path: String,
    depth: usize,
}

impl Check<'_> {
    fn value(&self, schema: &Value, value: &Value) -> Result<(), Wrong> {
        if self.depth > DEEPEST {
            return self.wrong(
                value,
                "of another schema: this one goes on without end, where it seems to refer to itself",
            );
        }
        let Value::Object(schema) = schema else {
            return if schema == &Value::Bool(false) {
                self.wrong(value, "left out: there is no such key")
            } else {
                Ok(())
            };
        };
        self.by_reference(schema, value)?;
        self.by_type(schema, value)?;
        self.by_choice(schema, value)?;
        self.by_bounds(schema, value)?;
        self.by_branches(schema, value)?;
        match value {
            Value::Array(items) => self.items(schema, items, value),
            Value::Object(fields) => self.fields(schema, fields, value),
            _ => Ok(()),
        }
    }

    fn wrong(&self, value: &Value, must: impl Into<String>) -> Result<(), Wrong> {
        Err(Wrong { path: self.path.clone(), value: value.clone(), must: must.into() })
    }

    fn deeper(&self, step: &str) -> Self {
        Self { root: self.root, path: format!("{}{step}", self.path), depth: self.depth + 1 }
    }

    fn by_reference(&self, schema: &Map<String, Value>, value: &Value) -> Result<(), Wrong> {
        let Some(reference) = schema.get("$ref").and_then(Value::as_str) else { return Ok(()) };
        let target = reference.strip_prefix('#').and_then(|pointer| self.root.pointer(pointer));
        target.map_or(Ok(()), |target| self.deeper("").value(target, value))
    }

    fn by_type(&self, schema: &Map<String, Value>, value: &Value) -> Result<(), Wrong> {
        let types: Vec<&str> = match schema.get("type") {
            Some(Value::String(name)) => vec![name],
            Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
            _ => return Ok(()),
        };
        if types.iter().any(|name| has_type(value, name)) {
            return Ok(());
        }
        // TOML has no null: a value that may be null is left out instead.
        let written = types.into_iter().filter(|&name| name != "null");
        self.wrong(value, written.map(type_name).collect::<Vec<_>>().join(" or "))
    }

    fn by_choice(&self, schema: &Map<String, Value>, value: &Value) -> Result<(), Wrong> {
        let allowed = match (schema.get("const"), schema.get("enum").and_then(Value::as_array)) {
            (Some(only), _) => std::slice::from_ref(only),
            (None, Some(allowed)) => allowed.as_slice(),
            (None, None) => return Ok(()),
        };
        if allowed.contains(value) {
            return Ok(());
        }
        self.wrong(value, allowed.iter().map(ToString::to_string).collect::<Vec<_>>().join(" or "))
    }

    fn by_bounds(&self, schema: &Map<String, Value>, value: &Value) -> Result<(), Wrong> {
        let Some(number) = value.as_f64() else { return Ok(()) };
        let bound = |keyword: &str| schema.get(keyword).and_then(Value::as_f64);
        let broken = [
            ("minimum", "at least", bound("minimum").is_some_and(|bound| number < bound)),
            ("maximum", "at most", bound("maximum").is_some_and(|bound| number > bound)),
            ("exclusiveMinimum", "above", bound("exclusiveMinimum").is_some_and(|bound| number <= bound)),
            ("exclusiveMaximum", "below", bound("exclusiveMaximum").is_some_and(|bound| number >= bound)),
        ];
        match broken.into_iter().find(|&(.., broken)| broken) {
            Some((keyword, words, _)) => self.wrong(value, format!("{words} {}", schema[keyword])),
            None => Ok(()),
        }
    }

    /// Branches that schemars derives exclude each other, so `oneOf` asks for no more than `anyOf`.
    fn by_branches(&self, schema: &Map<String, Value>, value: &Value) -> Result<(), Wrong> {
        let branches = |keyword: &str| schema.get(keyword).and_then(Value::as_array);
        for branch in branches("allOf").into_iter().flatten() {
            self.deeper("").value(branch, value)?;
        }
        branches("oneOf").map_or(Ok(()), |branches| self.one_of(branches, value))?;
        branches("anyOf").map_or(Ok(()), |branches| self.one_of(branches, value))
    }

    fn one_of(&self, branches: &[Value], value: &Value) -> Result<(), Wrong> {
        let mut wrongs = Vec::new();
        for branch in branches {
            match self.deeper("").value(branch, value) {
                Ok(()) => return Ok(()),
                Err(wrong) => wrongs.push(wrong),
            }
        }
        // A branch that accepts the whole and refuses a part is the one that was meant.
        if let Some(meant) = wrongs.iter().position(|wrong| wrong.path != self.path) {
            return Err(wrongs.swap_remove(meant));
        }
        let mut musts: Vec<_> =
            wrongs.into_iter().map(|wrong| wrong.must).filter(|must| !must.is_empty()).collect();
        musts.dedup();
        self.wrong(value, musts.join(" or "))
    }

    fn items(&self, schema: &Map<String, Value>, items: &[Value], value: &Value) -> Result<(), Wrong> {
        let bound = |keyword: &str| schema.get(keyword).and_then(Value::as_u64);
        if let Some(least) = bound("minItems").filter(|&least| (items.len() as u64) < least) {
            return self.wrong(value, format!("a list of at least {least}"));
        }
        if let Some(most) = bound("maxItems").filter(|&most| items.len() as u64 > most) {
            return self.wrong(value, format!("a list of at most {most}"));
        }
        let first = schema.get("prefixItems").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        for (index, item) in items.iter().enumerate() {
            if let Some(schema) = first.get(index).or_else(|| schema.get("items")) {
                self.deeper(&format!("[{index}]")).value(schema, item)?;
            }
        }
        Ok(())
    }

    fn fields(
        &self,
        schema: &Map<String, Value>,
        fields: &Map<String, Value>,
        value: &Value,
    ) -> Result<(), Wrong> {
        let mut required =
            schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
        if let Some(name) = required.find(|&name| !fields.contains_key(name)) {
            return self.wrong(value, format!("a table with `{name}`"));
        }
        let properties = schema.get("properties").and_then(Value::as_object);
        for (name, field) in fields {
            let property = properties.and_then(|properties| properties.get(name));
            if let Some(schema) = property.or_else(|| schema.get("additionalProperties")) {
                self.deeper(&format!(".{name}")).value(schema, field)?;
            }
        }
        Ok(())
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
