//! The title of a journal or a spool: its first frame, which identifies the games that follow.

use serde::{Deserialize, Serialize};

use records::Provenance;

/// The format version; files with another one are not read.
const FORM: &str = "retile-journal-1";

/// Identifies the games that follow. Appears again if a later run continues with another plugin file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Title {
    form: String,
    identity: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    second_signature: Option<String>,
    /// Where the games that follow come from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<Provenance>,
}

impl Title {
    /// The title of games of an identity.
    pub fn new(identity: String, second_signature: Option<String>, origin: Option<Provenance>) -> Self {
        Self { form: FORM.to_owned(), identity, second_signature, origin }
    }

    /// The start of every title's text, and of no game's.
    pub const BEGIN: &[u8] = br#"{"form":"#;

    /// The identity of the games.
    pub fn identity(&self) -> &str {
        &self.identity
    }

    /// Whether games under both titles may be in one file, wherever they come from.
    pub fn is_of(&self, other: &Self) -> bool {
        let is_same = |(one, other)| one == other;
        let signatures = self.second_signature.as_ref().zip(other.second_signature.as_ref());
        self.form == other.form && self.identity == other.identity && signatures.is_none_or(is_same)
    }

    /// Whether the games of both come from the same place, at any time.
    pub fn has_origin_of(&self, other: &Self) -> bool {
        match (&self.origin, &other.origin) {
            (Some(one), Some(other)) => one.is_same_place(other),
            (one, other) => one.is_none() && other.is_none(),
        }
    }

    /// The SHA-256 of the plugin file that played the games.
    pub fn plugin(&self) -> Option<&str> {
        self.origin.as_ref().map(|origin| origin.plugin_sha256.as_str())
    }
}
