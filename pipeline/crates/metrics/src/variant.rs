//! The forms of a method.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The two forms of a method whose text and whose published program differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Variant {
    /// What the paper's text says.
    AsWritten,
    /// What the program does that the paper's authors released.
    AsReleased,
}

impl Variant {
    /// The form's name: `as written`, `as released`.
    pub const fn words(self) -> &'static str {
        match self {
            Self::AsWritten => "as written",
            Self::AsReleased => "as released",
        }
    }
}
