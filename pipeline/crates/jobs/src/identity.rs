//! Identities: the canonical JSON of all that determines a job's result, its hash, and how two of them
//! differ.

use std::collections::BTreeSet;

use platform::hash::sha256;
use platform::plain;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// An identity of any kind of job.
pub trait Canonical: Serialize + Sized {
    /// The canonical JSON (RFC 8785) that is hashed.
    ///
    /// # Panics
    /// Never: every part is plain JSON.
    fn canonical(&self) -> String {
        serde_json_canonicalizer::to_string(self).expect("an identity is plain JSON")
    }

    /// SHA-256 of the canonical JSON, in hexadecimal.
    fn hash(&self) -> String {
        sha256(self.canonical())
    }

    /// The identity as files hold it, whatever its kind.
    fn stored(&self) -> StoredIdentity {
        let Ok(Value::Object(fields)) = serde_json::to_value(self) else {
            unreachable!("an identity is an object")
        };
        StoredIdentity(fields)
    }

    /// The parts in which two identities differ, parameter by parameter.
    fn differences(&self, other: &impl Canonical) -> Vec<Difference> {
        Difference::between(&self.stored().parts(), &other.stored().parts())
    }
}

/// An identity as a file holds it. It is compared and hashed; nothing is made from it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct StoredIdentity(Map<String, Value>);

impl Canonical for StoredIdentity {}

impl StoredIdentity {
    /// One field.
    pub fn part(&self, name: &str) -> Option<&Value> {
        self.0.get(name)
    }

    /// The fields by name. Rules, parameters, files and other objects are spread out; a budget is one part.
    fn parts(&self) -> Map<String, Value> {
        let mut parts = Map::new();
        for (field, value) in &self.0 {
            match (field.as_str(), value) {
                ("space", Value::Array(dimensions)) => parts.extend(dimensions.iter().map(|dimension| {
                    let name = dimension["name"].as_str().unwrap_or_default();
                    (format!("space.{name}"), dimension["range"].clone())
                })),
                (name, Value::Object(fields)) if name != "budget" => {
                    parts
                        .extend(fields.iter().map(|(part, value)| (format!("{name}.{part}"), value.clone())));
                }
                _ => drop(parts.insert(field.clone(), value.clone())),
            }
        }
        parts
    }
}

/// One part in which two identities differ.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// The part: a field of the identity, or one of its parameters, rules or files, such as `params.<name>`.
    pub component: String,
    /// Its value in the one.
    pub one: String,
    /// Its value in the other.
    pub other: String,
}

impl Difference {
    /// The differences between two sets of named parts.
    pub fn between(one: &Map<String, Value>, other: &Map<String, Value>) -> Vec<Self> {
        let names: BTreeSet<&String> = one.keys().chain(other.keys()).collect();
        let text = |value: Option<&Value>| value.map_or_else(|| "absent".to_owned(), ToString::to_string);
        let differing = names.into_iter().filter(|&name| one.get(name) != other.get(name));
        let difference = |name: &String| Self {
            // A parameter from somebody else may have any name.
            component: plain::line(name),
            one: text(one.get(name)),
            other: text(other.get(name)),
        };
        differing.map(difference).collect()
    }

    /// Adds that two agents decide otherwise on the second set of frozen positions, if both are known and the
    /// first set does not show it already.
    pub fn add_second_signatures(differences: &mut Vec<Self>, one: Option<&str>, other: Option<&str>) {
        let is_shown = differences.iter().any(|difference| difference.component == "signature");
        if let Some((one, other)) = one.zip(other).filter(|(one, other)| one != other && !is_shown) {
            let component = "second_signature".to_owned();
            differences.push(Self { component, one: one.to_owned(), other: other.to_owned() });
        }
    }
}

/// The names of the parts that differ, separated by commas.
pub fn components(differences: &[Difference]) -> String {
    differences.iter().map(|difference| difference.component.as_str()).collect::<Vec<_>>().join(", ")
}
