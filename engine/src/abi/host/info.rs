//! Descriptors: what a plugin says of its agents.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::error::PluginError;
use crate::abi::memory::read_sized;
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
    /// `descriptor` must be null or point to a descriptor, and `training` be null or point to a training's.
    /// Both must live until the process ends.
    pub(super) unsafe fn read(
        index: u32,
        descriptor: *const raw::Descriptor,
        training: *const raw::TrainingDescriptor,
    ) -> Result<Self, PluginError> {
        // SAFETY: the caller says what it points to; it begins with its size.
        let raw = unsafe { read_sized(descriptor) };
        let raw = raw.ok_or("the descriptor is null: return one for every index below agent_count")?;
        check_size(raw.struct_size, raw::DESCRIPTOR_1_0, "", "agent2048_descriptor")?;
        // SAFETY: the texts of a descriptor live as long as it does.
        let text = |what: &'static str, text: raw::Str| unsafe { read_text(what, text, LONGEST_TEXT) };
        // SAFETY: as above.
        let schema = |what: &'static str, text: raw::Str| unsafe { read_schema(what, text) };
        // SAFETY: as for the descriptor.
        let training = match unsafe { read_sized(training) } {
            None => None,
            Some(raw) => {
                let (size, name) = (size_of::<raw::TrainingDescriptor>(), "agent2048_training_descriptor");
                check_size(raw.struct_size, size, "training's ", name)?;
                Some(TrainingInfo {
                    role: text("its training's role", raw.role)?,
                    version: text("its training's version", raw.version)?,
                    params_schema: schema("its training's parameter schema", raw.params_schema)?,
                })
            }
        };
        let files = text("its list of files", raw.files)?;
        let info = Self {
            index,
            id: text("its id", raw.id)?,
            name: text("its name", raw.name)?,
            version: text("its version", raw.version)?,
            paper: text("its citation", raw.paper)?,
            licence: text("its licence", raw.licence)?,
            capabilities: Capabilities::from_bits(raw.capabilities),
            params_schema: schema("its parameter schema", raw.params_schema)?,
            files: files.split_terminator(' ').map(ToOwned::to_owned).collect(),
            training,
        };
        info.check()?;
        Ok(info)
    }

    /// Checks that an agent is called something that can be printed: its texts go into tables, onto terminals
    /// and into records.
    pub fn check(&self) -> Result<(), PluginError> {
        if !is_identifier(&self.id) {
            return Err(format!("its id \"{}\" is not made of {ID_FORM}", shown(&self.id)).into());
        }
        check_text("its name", &self.name, LONGEST_NAME)?;
        check_text("its version", &self.version, LONGEST_NAME)?;
        check_text("its citation", &self.paper, LONGEST_CITATION)?;
        check_text("its licence", &self.licence, LONGEST_NAME)?;
        check_names(&self.params_schema)?;
        for (place, role) in self.files.iter().enumerate() {
            let shown = shown(role);
            if self.files[..place].contains(role) {
                return Err(format!("it names the file \"{shown}\" twice: once is enough").into());
            }
            if !is_identifier(role) {
                let wrong = format!("the role of a file, \"{shown}\", is not made of {ID_FORM}");
                return Err(format!("{wrong}: part roles by single blanks").into());
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
    fn check(&self, files: &[String]) -> Result<(), PluginError> {
        check_text("its training's version", &self.version, LONGEST_NAME)?;
        check_names(&self.params_schema)?;
        if !files.contains(&self.role) {
            let role = shown(&self.role);
            let wrong = format!("its training makes the file \"{role}\", which the agent does not need");
            return Err(format!("{wrong}: name one of `files`").into());
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

fn check_names(schema: &Value) -> Result<(), PluginError> {
    let properties = schema.get("properties").and_then(Value::as_object);
    let mut names = properties.into_iter().flat_map(Map::keys);
    names.try_for_each(|name| check_text("the name of a parameter", name, LONGEST_NAME))
}

/// # Safety
/// The text must be readable for as long as the process lives, or null.
unsafe fn read_text(what: &'static str, text: raw::Str, limit: usize) -> Result<String, PluginError> {
    // SAFETY: the caller says so.
    let bytes = unsafe { text.bytes(limit) };
    let missing = || format!("{what} is null or longer than {limit} bytes: check data and len");
    let text = String::from_utf8(bytes.ok_or_else(missing)?.to_vec());
    Ok(text.map_err(|_| format!("{what} is not UTF-8: texts of a descriptor must be"))?)
}

/// # Safety
/// As for [`read_text`].
unsafe fn read_schema(what: &'static str, text: raw::Str) -> Result<Value, PluginError> {
    // SAFETY: the caller says so.
    let schema = unsafe { read_text(what, text, LONGEST_SCHEMA) }?;
    let schema: Value = serde_json::from_str(&schema)
        .map_err(|error| format!("{what} is not JSON ({error}): write an object of properties"))?;
    let hint = r#"write {"type":"object","properties":{}}"#;
    let problem = || format!("{what} is not a JSON object: {hint}").into();
    schema.is_object().then_some(schema).ok_or_else(problem)
}

fn check_size(size: u32, least: usize, of: &str, name: &str) -> Result<(), PluginError> {
    if (size as usize) < least {
        return Err(format!("its {of}struct_size is {size}: set it to sizeof({name})").into());
    }
    Ok(())
}

/// What ids and roles are made of.
const ID_FORM: &str = "1 to 64 lower-case letters, digits, - and _";

/// A text of a plugin's, such that it can be printed.
fn shown(text: &str) -> String {
    text.escape_debug().take(LONGEST_NAME).collect()
}

fn check_text(what: &'static str, text: &str, most: usize) -> Result<(), PluginError> {
    if let Some(letter) = text.chars().find(|&letter| !is_plain(letter)) {
        let code = u32::from(letter);
        let hidden = format!("{what} holds U+{code:04X}, which does not show as itself");
        return Err(format!("{hidden}: write one line of plain text").into());
    }
    if text.chars().nth(most).is_some() {
        return Err(format!("{what} has more than {most} characters: shorten it").into());
    }
    Ok(())
}

/// Whether a character shows as itself, and moves, hides or turns round nothing else: no control character,
/// line break, mark without width, or override of the direction of writing.
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

    fn problem(agent: &AgentInfo) -> String {
        agent.check().unwrap_err().to_string()
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
                let problem = problem(&agent);
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
            assert!(problem(&agent).len() < 400);
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
            assert!(problem(&needing(&[wrong])).contains("the role of a file"), "{wrong:?}");
        }
        assert!(problem(&needing(&["a", "a"])).contains("twice"));
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
