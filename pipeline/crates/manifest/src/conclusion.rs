//! Conclusions: what a reader takes home, in plain words, and the verdicts that carry it. A rendering holds
//! them against the games, and fails where a verdict no longer is what its conclusion needs.

use std::collections::{BTreeMap, BTreeSet};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::error::known;
use super::field_checks::{Checked, few, wrong};
use super::forms::Text;
use super::{Claim, Ruling, limits};
use platform::plain::line;

/// A text, and the verdicts that it needs. A finding is one, and so is a paper's account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Conclusion {
    /// What is concluded: for a finding a sentence or two, for an account a paragraph.
    #[schemars(with = "Text")]
    pub text: String,
    /// The verdicts that carry it, each with the ids of the claims that must come to it.
    #[schemars(schema_with = "needs_schema")]
    pub needs: BTreeMap<Ruling, Vec<String>>,
}

/// The verdicts that there are, each with a list of claims.
fn needs_schema(_: &mut SchemaGenerator) -> Schema {
    let claims = json!({"type": "array", "items": {"type": "string"}, "maxItems": limits::MOST_ENTRIES});
    let verdicts: Map<String, Value> =
        Ruling::ALL.into_iter().map(|ruling| (ruling.name().to_owned(), claims.clone())).collect();
    json_schema!({
        "type": "object",
        "properties": verdicts,
        "additionalProperties": false,
        "minProperties": 1,
    })
}

impl Conclusion {
    /// Every claim that it rests on, with what must come of it.
    pub fn needed(&self) -> impl Iterator<Item = (&str, Ruling)> {
        self.needs
            .iter()
            .flat_map(|(&ruling, claims)| claims.iter().map(move |claim| (claim.as_str(), ruling)))
    }
}

/// The claims that a conclusion can rest on.
pub(super) struct KnownClaims<'a> {
    /// Those that are right.
    claims: BTreeMap<&'a str, &'a Claim>,
    /// The ids of all, in the manifest's order.
    names: &'a [String],
}

impl<'a> KnownClaims<'a> {
    pub(super) fn new(claims: &'a [Claim], names: &'a [String]) -> Self {
        Self { claims: claims.iter().map(|claim| (claim.id.as_str(), claim)).collect(), names }
    }

    /// Checks that a conclusion rests on claims that can come to what it needs, which stands at the key
    /// `needs`.
    pub(super) fn check(&self, needs: &str, conclusion: &Conclusion) -> Checked {
        few(needs, conclusion.needed().count())?;
        if conclusion.needed().next().is_none() {
            let problem = "names no claim: name at least one whose verdict carries the text";
            return Err(wrong(needs, problem));
        }
        let mut before = BTreeSet::new();
        for (id, ruling) in conclusion.needed() {
            self.check_need(id, ruling).map_err(|problem| wrong(needs, problem))?;
            if !before.insert(id) {
                return Err(wrong(needs, format!("names claim `{id}` twice: remove one")));
            }
        }
        Ok(())
    }

    fn check_need(&self, id: &str, ruling: Ruling) -> Result<(), String> {
        let Some(claim) = self.claims.get(id) else {
            if self.names.iter().any(|name| name == id) {
                // It is there, and wrong itself.
                return Ok(());
            }
            let known = known(self.names.iter().map(String::as_str));
            return Err(format!("names claim `{}`, which does not exist; known: {known}", line(id)));
        };
        let possible = claim.kind.rulings();
        if possible.contains(&ruling) {
            return Ok(());
        }
        let possible = known(possible.iter().map(|ruling| ruling.name()));
        Err(format!("wants claim `{id}` to be {ruling}, which it cannot be; write one of {possible}"))
    }
}
