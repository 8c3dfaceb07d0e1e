//! Descriptors: what a plugin says of its agents.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::abi::memory::read_prefix;
use crate::abi::raw;
use crate::agent::Capabilities;

/// The most bytes that a text of a descriptor may have.
const LONGEST_TEXT: usize = 64 * 1024;
/// The most bytes that a schema may have.
const LONGEST_SCHEMA: usize = 1024 * 1024;

/// What a plugin says of one of its agents.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AgentInfo {
    /// Its place in the plugin.
    pub index: u32,
    /// What manifests call it.
    pub id: String,
    /// Its name for people.
    pub name: String,
    /// The version of its behaviour.
    pub version: String,
    /// The citation of its method; empty where there is none.
    pub paper: String,
    /// Its licence as an SPDX expression.
    pub licence: String,
    /// What it can do.
    pub capabilities: Capabilities,
    /// The JSON schema of its parameters.
    pub params_schema: Value,
}

impl AgentInfo {
    /// # Safety
    /// `descriptor` must be null or point to a descriptor that lives until the process ends.
    pub(super) unsafe fn read(index: u32, descriptor: *const raw::Descriptor) -> Result<Self, String> {
        if descriptor.is_null() {
            return Err("the descriptor is null: return one for every index below agent_count".to_owned());
        }
        // SAFETY: the caller says what it points to; it begins with its size.
        let size = unsafe { (&raw const (*descriptor).struct_size).read() };
        if (size as usize) < size_of::<raw::Descriptor>() {
            return Err(format!("its struct_size is {size}: set it to sizeof(agent2048_descriptor)"));
        }
        // SAFETY: as above, with as many bytes as it says.
        let raw = unsafe { read_prefix(descriptor, size) };
        let text = |what: &str, text: raw::Str, limit: usize| {
            // SAFETY: the texts of a descriptor live as long as it does.
            let bytes = unsafe { text.bytes(limit) };
            let bytes = bytes
                .ok_or_else(|| format!("{what} is null or longer than {limit} bytes: check data and len"))?;
            String::from_utf8(bytes.to_vec())
                .map_err(|_| format!("{what} is not UTF-8: texts of a descriptor must be"))
        };
        let id = text("its id", raw.id, LONGEST_TEXT)?;
        if !is_identifier(&id) {
            return Err(bad_id(&id));
        }
        let schema = text("its parameter schema", raw.params_schema, LONGEST_SCHEMA)?;
        let params_schema: Value = serde_json::from_str(&schema).map_err(|error| {
            format!("its parameter schema is no JSON ({error}): write an object of properties")
        })?;
        if !params_schema.is_object() {
            return Err(
                "its parameter schema is no JSON object: write {\"type\":\"object\",\"properties\":{}}"
                    .to_owned(),
            );
        }
        Ok(Self {
            index,
            id,
            name: text("its name", raw.name, LONGEST_TEXT)?,
            version: text("its version", raw.version, LONGEST_TEXT)?,
            paper: text("its citation", raw.paper, LONGEST_TEXT)?,
            licence: text("its licence", raw.licence, LONGEST_TEXT)?,
            capabilities: Capabilities::from_bits(raw.capabilities),
            params_schema,
        })
    }

    /// The default of every parameter, by name.
    #[must_use]
    pub fn default_params(&self) -> Map<String, Value> {
        let properties = self.params_schema.get("properties").and_then(Value::as_object);
        let with_default =
            |(name, property): (&String, &Value)| Some((name.clone(), property.get("default")?.clone()));
        properties.into_iter().flatten().filter_map(with_default).collect()
    }
}

/// What is wrong with an id that cannot be one.
pub(super) fn bad_id(id: &str) -> String {
    format!("its id {id:?} is not made of 1 to 64 lower-case letters, digits, - and _")
}

/// Whether a text can be an id, of an agent as of anything that a manifest names: ids become parts of paths.
#[must_use]
pub fn is_identifier(id: &str) -> bool {
    let allowed =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-' || byte == b'_';
    (1..=64).contains(&id.len()) && id.bytes().all(allowed)
}
