//! The result of a run of the program, and assertions about it.

use std::process::{Child, Command, Output};

use serde_json::Value;

/// The exit code and the output of a run of the program.
#[derive(Debug)]
pub(crate) struct CommandOutput {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl From<Output> for CommandOutput {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).expect("standard output is UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("standard error is UTF-8"),
        }
    }
}

impl From<&mut Command> for CommandOutput {
    fn from(command: &mut Command) -> Self {
        command.output().unwrap().into()
    }
}

impl From<Child> for CommandOutput {
    fn from(child: Child) -> Self {
        child.wait_with_output().unwrap().into()
    }
}

impl CommandOutput {
    /// Standard output as JSON.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// Standard output, then standard error.
    pub(crate) fn output(&self) -> String {
        format!("{}{}", self.stdout, self.stderr)
    }

    #[track_caller]
    pub(crate) fn assert_code(&self, code: i32) -> &Self {
        assert_eq!(self.code, Some(code), "{self:?}");
        self
    }

    /// Asserts an exit code, and that standard error has all of these words.
    #[track_caller]
    pub(crate) fn assert_fails(&self, code: i32, words: &[&str]) -> &Self {
        self.assert_code(code).assert_warns(words)
    }

    /// Asserts that standard error has all of these words.
    #[track_caller]
    pub(crate) fn assert_warns(&self, words: &[&str]) -> &Self {
        assert_has(&self.stderr, words);
        self
    }

    /// Asserts that standard output has all of these words.
    #[track_caller]
    pub(crate) fn assert_prints(&self, words: &[&str]) -> &Self {
        assert_has(&self.stdout, words);
        self
    }

    /// Asserts that a check failed, and that standard output has all of these words.
    #[track_caller]
    pub(crate) fn assert_finds(&self, words: &[&str]) -> &Self {
        self.assert_code(1).assert_prints(words)
    }

    /// Asserts that neither stream has any of these words.
    #[track_caller]
    pub(crate) fn assert_omits(&self, words: &[&str]) -> &Self {
        assert_lacks(&self.output(), words);
        self
    }
}

/// Asserts that a text has all of these words.
#[track_caller]
pub(crate) fn assert_has(text: &str, words: &[&str]) {
    let missing: Vec<_> = words.iter().filter(|word| !text.contains(**word)).collect();
    assert!(missing.is_empty(), "no {missing:?} in {text}");
}

/// The elements of a JSON array.
#[track_caller]
pub(crate) fn list(json: &Value) -> &[Value] {
    json.as_array().unwrap_or_else(|| panic!("not a list: {json}"))
}

/// The text under this key in each element of a JSON array.
#[track_caller]
pub(crate) fn texts<'a>(json: &'a Value, key: &str) -> Vec<&'a str> {
    let text = |element: &'a Value| element[key].as_str().unwrap_or_else(|| panic!("no {key}: {element}"));
    list(json).iter().map(text).collect()
}

/// Asserts that a text has none of these words.
#[track_caller]
pub(crate) fn assert_lacks(text: &str, words: &[&str]) {
    let present: Vec<_> = words.iter().filter(|word| text.contains(**word)).collect();
    assert!(present.is_empty(), "{present:?} in {text}");
}
