//! Descriptors: what a plugin says of its agents.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::abi::memory::read_prefix;
use crate::abi::raw;
use crate::agent::Capabilities;

/// The most bytes that a text of a descriptor may have.
const LONGEST_TEXT: usize = 64 * 1024;
/// The most bytes that a schema may have.
const LONGEST_SCHEMA: usize = 1024 * 1024;
/// The most characters of a name, a version or a licence, and of a parameter's name.
const LONGEST_NAME: usize = 200;
/// The most characters of a citation.
const LONGEST_CITATION: usize = 1000;

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
    pub(super) unsafe fn read(
        index: u32,
        descriptor: *const raw::Descriptor,
    ) -> Result<Self, DescriptorError> {
        if descriptor.is_null() {
            return Err(DescriptorError::Null);
        }
        // SAFETY: the caller says what it points to; it begins with its size.
        let size = unsafe { (&raw const (*descriptor).struct_size).read() };
        if (size as usize) < size_of::<raw::Descriptor>() {
            return Err(DescriptorError::Short { size });
        }
        // SAFETY: as above, with as many bytes as it says.
        let raw = unsafe { read_prefix(descriptor, size) };
        let text = |what: &'static str, text: raw::Str, limit: usize| {
            // SAFETY: the texts of a descriptor live as long as it does.
            let bytes = unsafe { text.bytes(limit) };
            let bytes = bytes.ok_or(DescriptorError::NoText { what, limit })?;
            String::from_utf8(bytes.to_vec()).map_err(|_| DescriptorError::NotUtf8 { what })
        };
        let id = text("its id", raw.id, LONGEST_TEXT)?;
        let schema = text("its parameter schema", raw.params_schema, LONGEST_SCHEMA)?;
        let params_schema: Value = serde_json::from_str(&schema)
            .map_err(|error| DescriptorError::SchemaNotJson { error: error.to_string() })?;
        if !params_schema.is_object() {
            return Err(DescriptorError::SchemaNoObject);
        }
        let info = Self {
            index,
            id,
            name: text("its name", raw.name, LONGEST_TEXT)?,
            version: text("its version", raw.version, LONGEST_TEXT)?,
            paper: text("its citation", raw.paper, LONGEST_TEXT)?,
            licence: text("its licence", raw.licence, LONGEST_TEXT)?,
            capabilities: Capabilities::from_bits(raw.capabilities),
            params_schema,
        };
        info.check()?;
        Ok(info)
    }

    /// Checks that an agent is called something that can be printed: its texts go into tables, onto terminals and into records.
    ///
    /// # Errors
    /// What is wrong, and with which text.
    pub fn check(&self) -> Result<(), DescriptorError> {
        if !is_identifier(&self.id) {
            return Err(DescriptorError::Id { id: self.id.clone() });
        }
        check_text("its name", &self.name, LONGEST_NAME)?;
        check_text("its version", &self.version, LONGEST_NAME)?;
        check_text("its citation", &self.paper, LONGEST_CITATION)?;
        check_text("its licence", &self.licence, LONGEST_NAME)?;
        let properties = self.params_schema.get("properties").and_then(Value::as_object);
        let mut names = properties.into_iter().flat_map(Map::keys);
        names.try_for_each(|name| check_text("the name of a parameter", name, LONGEST_NAME))
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

/// What is wrong with an agent's description, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum DescriptorError {
    Null,
    Short { size: u32 },
    NoText { what: &'static str, limit: usize },
    NotUtf8 { what: &'static str },
    SchemaNotJson { error: String },
    SchemaNoObject,
    Id { id: String },
    Hidden { what: &'static str, letter: char },
    Long { what: &'static str, most: usize },
}

impl fmt::Display for DescriptorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("the descriptor is null: return one for every index below agent_count"),
            Self::Short { size } => {
                write!(f, "its struct_size is {size}: set it to sizeof(agent2048_descriptor)")
            }
            Self::NoText { what, limit } => {
                write!(f, "{what} is null or longer than {limit} bytes: check data and len")
            }
            Self::NotUtf8 { what } => write!(f, "{what} is not UTF-8: texts of a descriptor must be"),
            Self::SchemaNotJson { error } => {
                write!(f, "its parameter schema is not JSON ({error}): write an object of properties")
            }
            Self::SchemaNoObject => f.write_str(
                "its parameter schema is not a JSON object: write {\"type\":\"object\",\"properties\":{}}",
            ),
            Self::Id { id } => {
                let shown: String = id.escape_debug().take(LONGEST_NAME).collect();
                write!(f, "its id \"{shown}\" is not made of 1 to 64 lower-case letters, digits, - and _")
            }
            Self::Hidden { what, letter } => {
                let code = u32::from(*letter);
                let remedy = "write one line of plain text";
                write!(f, "{what} holds U+{code:04X}, which does not show as itself: {remedy}")
            }
            Self::Long { what, most } => write!(f, "{what} has more than {most} characters: shorten it"),
        }
    }
}

impl std::error::Error for DescriptorError {}

fn check_text(what: &'static str, text: &str, most: usize) -> Result<(), DescriptorError> {
    if let Some(letter) = text.chars().find(|&letter| !is_plain(letter)) {
        return Err(DescriptorError::Hidden { what, letter });
    }
    if text.chars().nth(most).is_some() {
        return Err(DescriptorError::Long { what, most });
    }
    Ok(())
}

/// Whether a character shows as itself, and moves, hides or turns round nothing else: no control character, line break, mark without
/// width, or override of the direction of writing.
#[must_use]
pub fn is_plain(letter: char) -> bool {
    let shapes_others = matches!(
        letter,
        '\u{61c}'
            | '\u{180e}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}'
    );
    !letter.is_control() && !shapes_others
}

/// Whether a text can be an id, of an agent as of anything that a manifest names: ids become parts of paths.
#[must_use]
pub fn is_identifier(id: &str) -> bool {
    let allowed =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-' || byte == b'_';
    (1..=64).contains(&id.len()) && id.bytes().all(allowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn info() -> AgentInfo {
        AgentInfo {
            index: 0,
            id: "corner-2".to_owned(),
            name: "Corner (Müller, 2ᵉ)".to_owned(),
            version: "1.0".to_owned(),
            paper: String::new(),
            licence: "MIT".to_owned(),
            capabilities: Capabilities::from_bits(0),
            params_schema: serde_json::json!({"type": "object", "properties": {"depth": {"default": 1}}}),
        }
    }

    #[test]
    fn an_agent_is_called_something_that_can_be_printed() {
        assert_eq!(info().check(), Ok(()));
        for wrong in [
            "a\u{1b}[2J",
            "a\nb",
            "a\u{9b}31m",
            "\u{202e}a",
            "a\u{2066}",
            "a\u{200b}",
            "a\u{7f}",
            "a\u{2028}",
        ] {
            let text = || wrong.to_owned();
            let params_schema = serde_json::json!({"properties": {wrong: {}}});
            for (agent, what) in [
                (AgentInfo { id: text(), ..info() }, "its id"),
                (AgentInfo { name: text(), ..info() }, "its name"),
                (AgentInfo { version: text(), ..info() }, "its version"),
                (AgentInfo { paper: text(), ..info() }, "its citation"),
                (AgentInfo { licence: text(), ..info() }, "its licence"),
                (AgentInfo { params_schema, ..info() }, "the name of a parameter"),
            ] {
                let problem = agent.check().unwrap_err().to_string();
                assert!(problem.starts_with(what), "{problem}");
                assert!(problem.chars().all(is_plain), "{problem:?}");
            }
        }
    }

    #[test]
    fn texts_have_a_longest_length_and_problems_do_not_repeat_them() {
        let long = "x".repeat(10_000);
        let just =
            AgentInfo { name: "é".repeat(LONGEST_NAME), paper: "é".repeat(LONGEST_CITATION), ..info() };
        assert_eq!(just.check(), Ok(()));
        for agent in [
            AgentInfo { id: long.clone(), ..info() },
            AgentInfo { name: "é".repeat(LONGEST_NAME + 1), ..info() },
            AgentInfo { version: long.clone(), ..info() },
            AgentInfo { paper: "é".repeat(LONGEST_CITATION + 1), ..info() },
            AgentInfo { licence: long.clone(), ..info() },
        ] {
            assert!(agent.check().unwrap_err().to_string().len() < 400);
        }
    }
}
