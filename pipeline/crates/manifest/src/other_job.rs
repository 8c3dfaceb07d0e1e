//! Kinds of jobs that this crate does not know. A kind registers the schema of its entries, and reads their
//! keys itself.

use std::sync::{PoisonError, RwLock};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::Set;

/// An entry of a registered kind, checked by the kind's schema.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OtherJob {
    /// The kind.
    pub kind: &'static str,
    /// What it is called within its paper.
    pub id: String,
    /// Whether it belongs to every reproduction of its paper.
    pub set: Set,
    /// All other keys.
    pub keys: Map<String, Value>,
}

/// An entry as it is written. Its rules are those of its paper, except for what it says itself.
#[derive(Deserialize)]
pub(super) struct RawJob {
    pub(super) id: String,
    #[serde(default)]
    pub(super) set: Set,
    #[serde(flatten)]
    pub(super) keys: Map<String, Value>,
}

/// A registered kind, and the schema of an entry.
pub(super) type RegisteredKind = (&'static str, &'static Value);

static REGISTERED: RwLock<Vec<RegisteredKind>> = RwLock::new(Vec::new());

/// Adds a list of jobs to what manifests can have: `[[kind]]`. Every entry has an `id`, and may have a `set`;
/// the schema must allow both.
pub fn register_kind(kind: &'static str, schema: &'static Value) {
    REGISTERED.write().unwrap_or_else(PoisonError::into_inner).push((kind, schema));
}

pub(super) fn registered() -> Vec<RegisteredKind> {
    REGISTERED.read().unwrap_or_else(PoisonError::into_inner).clone()
}
