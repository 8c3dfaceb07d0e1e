//! The parameters of an agent or a training: their schema, their defaults, and reading them strictly.

use serde_json::{Map, Value, json};

use crate::agent::{Params, Refusal};

/// The JSON schema of parameters: every property with its default, and no others allowed.
pub(super) fn schema<P: Params>() -> Value {
    let mut schema = schemars::schema_for!(P).to_value();
    let defaults = defaults::<P>();
    let Some(object) = schema.as_object_mut() else { return json!({"type": "object"}) };
    object.remove("required");
    object.insert("type".into(), json!("object"));
    object.insert("additionalProperties".into(), json!(false));
    let properties = object.entry("properties").or_insert_with(|| json!({}));
    for (name, property) in properties.as_object_mut().into_iter().flatten() {
        if let (Some(property), Some(default)) = (property.as_object_mut(), defaults.get(name)) {
            property.insert("default".into(), default.clone());
        }
    }
    schema
}

fn defaults<P: Params>() -> Map<String, Value> {
    match serde_json::to_value(P::default()) {
        Ok(Value::Object(defaults)) => defaults,
        _ => Map::new(),
    }
}

/// Reads parameters: what is left out has its default, and what is unknown is refused by name.
pub(super) fn parse<P: Params>(json: &[u8]) -> Result<P, Refusal> {
    let given: Map<String, Value> = serde_json::from_slice(json)
        .map_err(|error| Refusal::Params(format!("the parameters are not a JSON object: {error}")))?;
    let mut params = defaults::<P>();
    if let Some(unknown) = given.keys().find(|&name| !params.contains_key(name)) {
        let known: Vec<_> = params.keys().map(String::as_str).collect();
        let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
        return Err(Refusal::Params(format!("unknown parameter `{unknown}`; known: {known}")));
    }
    for (name, value) in given {
        // Each alone over the defaults, so that the message can name the one that is wrong.
        let mut alone = defaults::<P>();
        alone.insert(name.clone(), value.clone());
        read::<P>(alone)
            .map_err(|error| Refusal::Params(format!("parameter `{name}` is {value}: {error}")))?;
        params.insert(name, value);
    }
    read::<P>(params).map_err(|error| Refusal::Params(error.to_string()))
}

fn read<P: Params>(params: Map<String, Value>) -> Result<P, serde_json::Error> {
    // An agent without parameters may write its type as `()`, which JSON knows as null.
    let value = if params.is_empty() && serde_json::from_value::<P>(Value::Null).is_ok() {
        Value::Null
    } else {
        Value::Object(params)
    };
    serde_json::from_value(value)
}
