//! Interpretations: whole ways to read a paper. Each decides every open question at once, so that no number
//! can choose a reading of its own; a claim says under which of them it is how the paper's statement is
//! tested.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::check::PaperNames;
use super::error::known;
use super::field_checks::{Checked, wrong};
use super::forms::{Id, Name, Text};
use super::{Claim, NoteId, limits};
use platform::plain::line;

/// One coherent set of choices where a paper leaves some open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Interpretation {
    /// What claims call it: lower-case letters, digits, - and _.
    #[schemars(with = "Id")]
    pub id: String,
    /// A short label for tables, such as "As released".
    #[schemars(with = "Name")]
    pub name: String,
    /// The choices that it makes, in a sentence or two.
    #[schemars(with = "Text")]
    pub text: String,
    /// The ids of the notes whose decisions it takes up.
    #[serde(default)]
    #[schemars(length(max = limits::MOST_ENTRIES))]
    pub conditional_on: Vec<NoteId>,
}

impl Interpretation {
    /// The reading of a paper whose manifest names none: it covers every claim.
    pub(super) fn only() -> Self {
        Self {
            id: "as-read".to_owned(),
            name: "As read".to_owned(),
            text: "The manifest reads the paper in one way.".to_owned(),
            conditional_on: Vec::new(),
        }
    }
}

/// The claims of a paper, by id and by the statement that they test.
pub(super) struct Statements<'a> {
    claims: BTreeMap<&'a str, &'a Claim>,
    /// The readings of each statement, in the manifest's order.
    readings: BTreeMap<&'a str, Vec<&'a Claim>>,
}

impl<'a> Statements<'a> {
    pub(super) fn of(claims: &'a [Claim]) -> Self {
        let mut readings: BTreeMap<&str, Vec<&Claim>> = BTreeMap::new();
        for claim in claims {
            readings.entry(claim.statement()).or_default().push(claim);
        }
        Self { claims: claims.iter().map(|claim| (claim.id.as_str(), claim)).collect(), readings }
    }

    /// Checks a claim that is another reading: the first one exists, says the same, and is a first one
    /// itself.
    pub(super) fn check_reading(&self, claim: &Claim, names: &PaperNames) -> Checked {
        let Some(first) = &claim.reading_of else { return Ok(()) };
        let refuse = |problem: &str| {
            let first = line(first);
            Err(wrong("reading_of", format!("names claim `{first}`, {problem}")))
        };
        let Some(other) = self.claims.get(first.as_str()) else {
            if names.claims.contains(first) {
                // It is there, and wrong itself.
                return Ok(());
            }
            let others = self.claims.values();
            let alike = others.filter(|other| other.has_kind_of(claim) && other.id != claim.id);
            let known = known(alike.map(|other| other.id.as_str()));
            return refuse(&format!("which does not exist; known: {known}"));
        };
        if !other.has_kind_of(claim) {
            return refuse("which is of another kind: readings test one statement in one way");
        }
        if other.published() != claim.published() {
            return refuse("which is about another published number");
        }
        if other.reading_of.is_some() || other.id == claim.id {
            return refuse("which is not a first reading: name the one that is");
        }
        if other.audit != claim.audit {
            return refuse("and only one of the two is an audit: let both be, or neither");
        }
        Ok(())
    }

    /// Checks that no interpretation tests a claim's statement twice: by this claim, and by one that comes
    /// before it.
    pub(super) fn check_overlap(&self, claim: &Claim, interpretations: &[String]) -> Checked {
        let Some((shared, other)) = self.overlap(claim, interpretations) else { return Ok(()) };
        let id = &other.id;
        let Some(shared) = shared else {
            let problem = format!(
                "tests the statement that claim `{id}` tests, and the paper has no interpretations to tell them apart: add \
                 `[[interpretation]]`, and `under` to both"
            );
            return Err(wrong("reading_of", problem));
        };
        let includes = if claim.under.is_some() { "names" } else { "is missing, which means all, also" };
        let problem = format!(
            "{includes} `{shared}`, where claim `{id}` tests the same statement: let one of them apply"
        );
        Err(wrong("under", problem))
    }

    /// An interpretation under which an earlier claim tests the same statement, and that claim; no
    /// interpretation where there are none.
    fn overlap<'k>(
        &'k self,
        claim: &'k Claim,
        interpretations: &'k [String],
    ) -> Option<(Option<&'k String>, &'k Claim)> {
        let readings = self.readings.get(claim.statement())?;
        let earlier = || readings.iter().copied().take_while(|other| other.id != claim.id);
        let Some(under) = &claim.under else {
            let first = earlier().next()?;
            let of_first = first.under.as_ref().and_then(|under| under.first());
            return Some((of_first.or(interpretations.first()), first));
        };
        let names = |other: &Claim, id| other.under.as_ref().is_some_and(|under| under.contains(id));
        let named = |id| Some((Some(id), earlier().find(|other| names(other, id))?));
        let for_all = || Some((under.first(), earlier().find(|other| other.under.is_none())?));
        under.iter().find_map(named).or_else(for_all)
    }
}
