//! Conclusions: what a reader takes home, in plain words, and the verdicts that carry it. A rendering holds them against the games, and
//! fails where a verdict no longer is what its conclusion needs.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::error::{Place, known};
use super::{Claim, ManifestError, Ruling, limits};
use surroundings::plain::line;

/// A text, and the verdicts that it needs. A finding is one, and so is a paper's account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Conclusion {
    /// What is concluded: for a finding a sentence or two, for an account a paragraph.
    #[schemars(length(max = limits::LONGEST_TEXT))]
    pub text: String,
    /// The verdicts that carry it, each with the ids of the claims that must come to it.
    pub needs: BTreeMap<Ruling, Vec<String>>,
}

impl Conclusion {
    /// Every claim that it rests on, with what must come of it.
    pub fn needed(&self) -> impl Iterator<Item = (&str, Ruling)> {
        self.needs
            .iter()
            .flat_map(|(&ruling, claims)| claims.iter().map(move |claim| (claim.as_str(), ruling)))
    }
}

/// The keys of a conclusion, as they are called where it stands.
pub(super) struct Keys {
    pub(super) text: &'static str,
    pub(super) needs: &'static str,
}

pub(super) const FINDING: Keys = Keys { text: "text", needs: "needs" };
pub(super) const ACCOUNT: Keys = Keys { text: "account.text", needs: "account.needs" };

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

    /// Checks that a conclusion says something, and rests on claims that can come to what it needs.
    pub(super) fn check(
        &self,
        place: &Place<'_>,
        keys: &Keys,
        conclusion: &Conclusion,
    ) -> Result<(), ManifestError> {
        place.filled(keys.text, &conclusion.text)?;
        place.few(keys.needs, conclusion.needed().count())?;
        if conclusion.needed().next().is_none() {
            return Err(
                place.wrong(keys.needs, "names no claim: name at least one whose verdict carries the text")
            );
        }
        let mut before = BTreeSet::new();
        for (id, ruling) in conclusion.needed() {
            self.check_need(id, ruling).map_err(|problem| place.wrong(keys.needs, problem))?;
            if !before.insert(id) {
                return Err(place.wrong(keys.needs, format!("names claim `{id}` twice: remove one")));
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
        let possible = Ruling::of_kind(&claim.kind);
        if possible.contains(&ruling) {
            return Ok(());
        }
        let possible = known(possible.iter().map(|ruling| ruling.name()));
        Err(format!("wants claim `{id}` to be {ruling}, which it cannot be; write one of {possible}"))
    }
}
