//! Interpretations: whole ways to read a paper. Each decides every open question at once, so that no number can choose a reading of its
//! own; a claim says under which of them it is how the paper's statement is tested.

use std::collections::BTreeMap;
use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::check::{Names, check_id, note_ids};
use super::error::{Place, known};
use super::{Claim, ManifestError, NoteId, Subject, limits};
use surroundings::plain::line;

/// One coherent set of choices where a paper leaves some open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Interpretation {
    /// What claims call it.
    pub id: String,
    /// What tables call it.
    pub name: String,
    /// The choices that it makes.
    pub text: String,
    /// The notes whose decisions it takes up.
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

/// An interpretation as it is written.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Interpretation")]
pub(super) struct RawInterpretation {
    /// What claims call it: lower-case letters, digits, - and _.
    id: String,
    /// A short label for tables, such as "As released".
    #[schemars(length(max = limits::LONGEST_NAME))]
    name: String,
    /// The choices that it makes, in a sentence or two.
    #[schemars(length(max = limits::LONGEST_TEXT))]
    text: String,
    /// The ids of the notes whose decisions it takes up.
    #[serde(default)]
    #[schemars(length(max = limits::MOST_ENTRIES))]
    conditional_on: Vec<String>,
}

pub(super) fn interpretation(
    file: &Path,
    raw: RawInterpretation,
    names: &Names,
) -> Result<Interpretation, ManifestError> {
    let place = Place { file, subject: Subject::Interpretation(raw.id.clone()) };
    check_id(&place, "id", &raw.id)?;
    place.named("name", &raw.name)?;
    place.filled("text", &raw.text)?;
    let conditional_on = note_ids(&place, "conditional_on", &raw.conditional_on, names)?;
    Ok(Interpretation { id: raw.id, name: raw.name, text: raw.text, conditional_on })
}

/// The interpretations that a claim names, each of which must exist and be named once.
pub(super) fn check_under(place: &Place<'_>, under: &[String], names: &Names) -> Result<(), ManifestError> {
    let wrong = |problem: String| Err(place.wrong("under", problem));
    place.few("under", under.len())?;
    if under.is_empty() {
        return wrong(
            "is empty: name at least one interpretation, or leave it out for all of them".to_owned(),
        );
    }
    for (before, name) in under.iter().enumerate() {
        if !names.interpretations.contains(name) {
            let known = known(names.interpretations.iter().map(String::as_str));
            let name = line(name);
            return wrong(format!("names interpretation `{name}`, which does not exist; known: {known}"));
        }
        if under[..before].contains(name) {
            return wrong(format!("names interpretation `{name}` twice: remove one"));
        }
    }
    Ok(())
}

/// The claims of a paper, by id and by the statement that they test.
pub(super) struct Statements<'a> {
    claims: BTreeMap<&'a str, &'a Claim>,
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

    /// Checks a claim that is another reading: the first one exists, says the same, and is a first one itself.
    pub(super) fn check_reading(
        &self,
        place: &Place<'_>,
        claim: &Claim,
        names: &Names,
    ) -> Result<(), ManifestError> {
        let Some(first) = &claim.reading_of else { return Ok(()) };
        let wrong = |problem: &str| {
            let first = line(first);
            Err(place.wrong("reading_of", format!("names claim `{first}`, {problem}")))
        };
        let Some(other) = self.claims.get(first.as_str()) else {
            if names.claims.contains(first) {
                // It is there, and wrong itself.
                return Ok(());
            }
            let alike = self.claims.values().filter(|other| other.has_kind_of(claim) && other.id != claim.id);
            let known = known(alike.map(|other| other.id.as_str()));
            return wrong(&format!("which does not exist; known: {known}"));
        };
        if !other.has_kind_of(claim) {
            return wrong("which is of another kind: readings test one statement in one way");
        }
        if other.published() != claim.published() {
            return wrong("which is about another published number");
        }
        if other.reading_of.is_some() || other.id == claim.id {
            return wrong("which is not a first reading: name the one that is");
        }
        if other.audit != claim.audit {
            return wrong("and only one of the two is an audit: let both be, or neither");
        }
        Ok(())
    }

    /// Checks that no interpretation tests a claim's statement twice: by this claim, and by one that comes before it.
    pub(super) fn check_overlap(
        &self,
        place: &Place<'_>,
        claim: &Claim,
        interpretations: &[String],
    ) -> Result<(), ManifestError> {
        let readings = self.readings.get(claim.statement()).map(Vec::as_slice).unwrap_or_default();
        for other in readings.iter().take_while(|other| other.id != claim.id) {
            let id = &other.id;
            if interpretations.is_empty() {
                let problem = format!(
                    "tests the statement that claim `{id}` tests, and the paper has no interpretations to tell them apart: \
                     add `[[interpretation]]`, and `under` to both"
                );
                return Err(place.wrong("reading_of", problem));
            }
            let shared = interpretations.iter().find(|name| claim.is_under(name) && other.is_under(name));
            if let Some(shared) = shared {
                let includes =
                    if claim.under.is_some() { "names" } else { "is missing, which means all, also" };
                let problem = format!(
                    "{includes} `{shared}`, where claim `{id}` tests the same statement: let one of them apply"
                );
                return Err(place.wrong("under", problem));
            }
        }
        Ok(())
    }
}
