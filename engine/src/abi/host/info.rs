//! Descriptors: what a plugin says of its agents.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use thiserror::Error;

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
    /// The roles of the files that it needs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// How it is trained; absent where it is not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub training: Option<TrainingInfo>,
}

/// What a plugin says of how one of its agents is trained.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrainingInfo {
    /// The role of the file that the training makes.
    pub role: String,
    /// The version of what it learns.
    pub version: String,
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
        if (size as usize) < raw::DESCRIPTOR_1_0 {
            return Err(DescriptorError::Short { size });
        }
        // SAFETY: as above, with as many bytes as it says.
        let raw = unsafe { read_prefix(descriptor, size) };
        // SAFETY: the texts of a descriptor live as long as it does.
        let text = |what: &'static str, text: raw::Str, limit: usize| unsafe { read_text(what, text, limit) };
        let id = text("its id", raw.id, LONGEST_TEXT)?;
        let files = text("its list of files", raw.files, LONGEST_TEXT)?;
        // SAFETY: as above.
        let params_schema = unsafe { read_schema("its parameter schema", raw.params_schema) }?;
        let info = Self {
            index,
            id,
            name: text("its name", raw.name, LONGEST_TEXT)?,
            version: text("its version", raw.version, LONGEST_TEXT)?,
            paper: text("its citation", raw.paper, LONGEST_TEXT)?,
            licence: text("its licence", raw.licence, LONGEST_TEXT)?,
            capabilities: Capabilities::from_bits(raw.capabilities),
            params_schema,
            files: files.split_terminator(' ').map(ToOwned::to_owned).collect(),
            training: None,
        };
        info.check()?;
        Ok(info)
    }

    /// Adds how the agent is trained.
    ///
    /// # Safety
    /// `descriptor` must be null or point to a training's descriptor that lives until the process ends.
    pub(super) unsafe fn with_training(
        self,
        descriptor: *const raw::TrainingDescriptor,
    ) -> Result<Self, DescriptorError> {
        if descriptor.is_null() {
            return Ok(self);
        }
        // SAFETY: the caller says what it points to; it begins with its size.
        let size = unsafe { (&raw const (*descriptor).struct_size).read() };
        if (size as usize) < size_of::<raw::TrainingDescriptor>() {
            return Err(DescriptorError::ShortTraining { size });
        }
        // SAFETY: as above, with as many bytes as it says.
        let raw = unsafe { read_prefix(descriptor, size) };
        let training = TrainingInfo {
            // SAFETY: the texts of a descriptor live as long as it does.
            role: unsafe { read_text("its training's role", raw.role, LONGEST_TEXT) }?,
            // SAFETY: as above.
            version: unsafe { read_text("its training's version", raw.version, LONGEST_TEXT) }?,
            // SAFETY: as above.
            params_schema: unsafe { read_schema("its training's parameter schema", raw.params_schema) }?,
        };
        let info = Self { training: Some(training), ..self };
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
        check_names(&self.params_schema)?;
        for (place, role) in self.files.iter().enumerate() {
            if self.files[..place].contains(role) {
                return Err(DescriptorError::RepeatedRole { role: role.clone() });
            }
            if !is_identifier(role) {
                return Err(DescriptorError::Role { role: role.clone() });
            }
        }
        self.training.as_ref().map_or(Ok(()), |training| training.check(&self.files))
    }

    /// The default of every parameter, by name.
    pub fn default_params(&self) -> Map<String, Value> {
        defaults(&self.params_schema)
    }
}

impl TrainingInfo {
    fn check(&self, files: &[String]) -> Result<(), DescriptorError> {
        check_text("its training's version", &self.version, LONGEST_NAME)?;
        check_names(&self.params_schema)?;
        if !files.contains(&self.role) {
            return Err(DescriptorError::TrainedRole { role: self.role.clone() });
        }
        Ok(())
    }

    /// The default of every parameter, by name.
    pub fn default_params(&self) -> Map<String, Value> {
        defaults(&self.params_schema)
    }
}

/// The default of every property of a schema that has one.
fn defaults(schema: &Value) -> Map<String, Value> {
    let properties = schema.get("properties").and_then(Value::as_object);
    let with_default =
        |(name, property): (&String, &Value)| Some((name.clone(), property.get("default")?.clone()));
    properties.into_iter().flatten().filter_map(with_default).collect()
}

fn check_names(schema: &Value) -> Result<(), DescriptorError> {
    let properties = schema.get("properties").and_then(Value::as_object);
    let mut names = properties.into_iter().flat_map(Map::keys);
    names.try_for_each(|name| check_text("the name of a parameter", name, LONGEST_NAME))
}

/// # Safety
/// The text must be readable for as long as the process lives, or null.
unsafe fn read_text(what: &'static str, text: raw::Str, limit: usize) -> Result<String, DescriptorError> {
    // SAFETY: the caller says so.
    let bytes = unsafe { text.bytes(limit) };
    let bytes = bytes.ok_or(DescriptorError::NoText { what, limit })?;
    String::from_utf8(bytes.to_vec()).map_err(|_| DescriptorError::NotUtf8 { what })
}

/// # Safety
/// As for [`read_text`].
unsafe fn read_schema(what: &'static str, text: raw::Str) -> Result<Value, DescriptorError> {
    // SAFETY: the caller says so.
    let schema = unsafe { read_text(what, text, LONGEST_SCHEMA) }?;
    let schema: Value = serde_json::from_str(&schema)
        .map_err(|error| DescriptorError::SchemaNotJson { what, error: error.to_string() })?;
    if schema.is_object() { Ok(schema) } else { Err(DescriptorError::SchemaNoObject { what }) }
}

/// What is wrong with an agent's description, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs)]
pub enum DescriptorError {
    #[error("the descriptor is null: return one for every index below agent_count")]
    Null,
    #[error("its struct_size is {size}: set it to sizeof(agent2048_descriptor)")]
    Short { size: u32 },
    #[error("its training's struct_size is {size}: set it to sizeof(agent2048_training_descriptor)")]
    ShortTraining { size: u32 },
    #[error("{what} is null or longer than {limit} bytes: check data and len")]
    NoText { what: &'static str, limit: usize },
    #[error("{what} is not UTF-8: texts of a descriptor must be")]
    NotUtf8 { what: &'static str },
    #[error("{what} is not JSON ({error}): write an object of properties")]
    SchemaNotJson { what: &'static str, error: String },
    #[error("{what} is not a JSON object: write {{\"type\":\"object\",\"properties\":{{}}}}")]
    SchemaNoObject { what: &'static str },
    #[error("its id \"{}\" is not made of {ID_FORM}", shown(id))]
    Id { id: String },
    #[error("it names the file \"{}\" twice: once is enough", shown(role))]
    RepeatedRole { role: String },
    #[error("the role of a file, \"{}\", is not made of {ID_FORM}: part roles by single blanks", shown(role))]
    Role { role: String },
    #[error(
        "its training makes the file \"{}\", which the agent does not need: name one of `files`",
        shown(role)
    )]
    TrainedRole { role: String },
    #[error("{what} holds U+{:04X}, which does not show as itself: write one line of plain text", u32::from(*letter))]
    Hidden { what: &'static str, letter: char },
    #[error("{what} has more than {most} characters: shorten it")]
    Long { what: &'static str, most: usize },
}

/// What ids and roles are made of.
const ID_FORM: &str = "1 to 64 lower-case letters, digits, - and _";

/// A text of a plugin's, such that it can be printed.
fn shown(text: &str) -> String {
    text.escape_debug().take(LONGEST_NAME).collect()
}

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
            files: Vec::new(),
            training: None,
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

    #[test]
    fn roles_are_ids_and_a_training_makes_one_that_is_needed() {
        let needing = |files: &[&str]| AgentInfo {
            files: files.iter().map(|&role| role.to_owned()).collect(),
            ..info()
        };
        assert_eq!(needing(&["weights", "opening-book"]).check(), Ok(()));
        for wrong in ["Weights", "", "../a"] {
            assert!(matches!(needing(&[wrong]).check(), Err(DescriptorError::Role { .. })), "{wrong:?}");
        }
        assert!(matches!(needing(&["a", "a"]).check(), Err(DescriptorError::RepeatedRole { .. })));
        let trained = |role: &str| {
            let training = TrainingInfo {
                role: role.to_owned(),
                version: "1".to_owned(),
                params_schema: serde_json::json!({"properties": {"alpha": {"default": 0.5}}}),
            };
            AgentInfo { training: Some(training), ..needing(&["weights"]) }
        };
        assert_eq!(trained("weights").check(), Ok(()));
        assert_eq!(trained("weights").training.unwrap().default_params()["alpha"], 0.5);
        let problem = trained("book").check().unwrap_err().to_string();
        assert!(problem.contains("\"book\"") && problem.contains("`files`"), "{problem}");
    }
}
