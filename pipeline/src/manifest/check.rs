//! From a manifest as written to checked types: papers, notes and experiments.

use std::collections::BTreeSet;
use std::path::Path;

use engine::Rules;
use engine::abi::host::is_identifier;
use engine::agent::Budget;
use serde_json::{Map, Value};

use super::error::Place;
use super::raw::{RawExperiment, RawNote, RawPaper, RawSeed};
use super::{
    Citation, DEFAULT_FAULT_SHARE, DEFAULT_MOVE_LIMIT_MS, DEFAULT_SEED, Experiment, ManifestError, Note,
    NoteId, Paper, Subject, check_claim, exhibit,
};

/// The id of the paper whose manifest this file is.
pub(super) fn paper_id(file: &Path) -> Result<String, ManifestError> {
    file.file_stem()
        .and_then(|stem| stem.to_str())
        .filter(|stem| is_identifier(stem))
        .map(str::to_owned)
        .ok_or_else(|| ManifestError::FileName { file: file.to_owned() })
}

pub(super) fn paper(file: &Path, id: String, raw: RawPaper) -> Result<Paper, ManifestError> {
    let place = Place { file, subject: Subject::Paper };
    check_citation(&place, &raw.citation)?;
    filled_if_given(&place, "summary", raw.summary.as_deref())?;
    let rules = raw.rules.over(&Rules::default());
    check_rules(&place, &rules)?;
    let notes = raw.note.into_iter().map(|raw| note(file, raw)).collect::<Result<Vec<_>, _>>()?;
    check_unique(file, Subject::Note, notes.iter().map(|note| note.id.as_str()))?;
    let mut experiments = Vec::with_capacity(raw.experiment.len());
    for raw in raw.experiment {
        experiments.push(experiment(file, raw, &rules, &notes)?);
    }
    check_unique(file, Subject::Experiment, experiments.iter().map(|experiment| experiment.id.as_str()))?;
    let mut claims = Vec::with_capacity(raw.claim.len());
    for raw in raw.claim {
        claims.push(check_claim::claim(file, raw, &experiments, &notes)?);
    }
    check_unique(file, Subject::Claim, claims.iter().map(|claim| claim.id.as_str()))?;
    check_claim::check_readings(file, &claims)?;
    let exhibits =
        raw.exhibit.into_iter().map(|raw| exhibit::exhibit(file, raw)).collect::<Result<Vec<_>, _>>()?;
    let mut figures = Vec::with_capacity(raw.figure.len());
    for raw in raw.figure {
        figures.push(exhibit::figure(file, raw, &experiments, &claims)?);
    }
    check_unique(file, Subject::Figure, figures.iter().map(|figure| figure.id.as_str()))?;
    Ok(Paper {
        id,
        file: file.to_owned(),
        citation: raw.citation,
        summary: raw.summary,
        rules,
        experiments,
        claims,
        notes,
        exhibits,
        figures,
        comparison: raw.comparison,
    })
}

fn check_citation(place: &Place<'_>, citation: &Citation) -> Result<(), ManifestError> {
    place.filled("citation.title", &citation.title)?;
    if citation.authors.is_empty() {
        return Err(place.wrong("citation.authors", "is empty: name at least one"));
    }
    citation.authors.iter().try_for_each(|author| place.filled("citation.authors", author))?;
    filled_if_given(place, "citation.venue", citation.venue.as_deref())?;
    filled_if_given(place, "citation.url", citation.url.as_deref())?;
    filled_if_given(place, "citation.doi", citation.doi.as_deref())
}

pub(super) fn filled_if_given(
    place: &Place<'_>,
    key: &'static str,
    text: Option<&str>,
) -> Result<(), ManifestError> {
    text.map_or(Ok(()), |text| place.filled(key, text))
}

fn check_rules(place: &Place<'_>, rules: &Rules) -> Result<(), ManifestError> {
    rules.validate().map_err(|source| ManifestError::Rules {
        file: place.file.to_owned(),
        subject: place.subject.clone(),
        source,
    })
}

fn note(file: &Path, raw: RawNote) -> Result<Note, ManifestError> {
    let place = Place { file, subject: Subject::Note(raw.id.clone()) };
    let id = NoteId::new(&raw.id).ok_or_else(|| {
        place.wrong("id", "has the wrong form: write capital letters, a hyphen and a number, such as `D-1`")
    })?;
    place.filled("text", &raw.text)?;
    Ok(Note { id, text: raw.text })
}

fn experiment(
    file: &Path,
    raw: RawExperiment,
    paper_rules: &Rules,
    notes: &[Note],
) -> Result<Experiment, ManifestError> {
    let place = Place { file, subject: Subject::Experiment(raw.id.clone()) };
    check_id(&place, "id", &raw.id)?;
    check_id(&place, "agent", &raw.agent)?;
    check_plain(&place, "params", &raw.params)?;
    if raw.budget != Budget::None && raw.budget.amount() == 0 {
        return Err(place.wrong("budget", format!("is {}: give at least 1, or leave it out", raw.budget)));
    }
    let at_least_one = |key, count, unit| {
        if count == 0 { Err(place.wrong(key, format!("is 0: {unit} at least 1"))) } else { Ok(count) }
    };
    let rules = raw.rules.over(paper_rules);
    check_rules(&place, &rules)?;
    filled_if_given(&place, "note", raw.note.as_deref())?;
    filled_if_given(&place, "method", raw.method.as_deref())?;
    Ok(Experiment {
        games: at_least_one("games", raw.games, "ask for")?,
        move_limit_ms: at_least_one(
            "move_limit_ms",
            raw.move_limit_ms.unwrap_or(DEFAULT_MOVE_LIMIT_MS),
            "allow",
        )?,
        interpretations: note_ids(&place, "interpretations", &raw.interpretations, notes)?,
        id: raw.id,
        agent: raw.agent,
        params: raw.params,
        budget: raw.budget,
        seed: raw.seed.map_or(DEFAULT_SEED, |RawSeed(seed)| seed),
        rules,
        set: raw.set,
        note: raw.note,
        fault_share: raw.fault_share.unwrap_or(DEFAULT_FAULT_SHARE),
        variant: raw.variant,
        method: raw.method,
        role: raw.role,
        acknowledged_faults: raw.acknowledged_faults,
        compared: raw.compared,
    })
}

pub(super) fn check_id(place: &Place<'_>, key: &'static str, id: &str) -> Result<(), ManifestError> {
    if is_identifier(id) {
        return Ok(());
    }
    Err(place.wrong(key, format!("is `{id}`: write 1 to 64 lower-case letters, digits, - and _")))
}

/// The notes that a list names, each of which must exist and be named once.
pub(super) fn note_ids(
    place: &Place<'_>,
    key: &'static str,
    named: &[String],
    notes: &[Note],
) -> Result<Vec<NoteId>, ManifestError> {
    let mut ids: Vec<NoteId> = Vec::with_capacity(named.len());
    for name in named {
        let note = notes.iter().find(|note| note.id.as_str() == name);
        let note = note.ok_or_else(|| {
            let known = known(notes.iter().map(|note| note.id.as_str()));
            place.wrong(key, format!("names note `{name}`, which does not exist; known: {known}"))
        })?;
        if ids.contains(&note.id) {
            return Err(place.wrong(key, format!("names note `{name}` twice: remove one")));
        }
        ids.push(note.id.clone());
    }
    Ok(ids)
}

/// The names that there are, for a message about one that is not among them.
pub(super) fn known<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<_> = names.collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

fn check_unique<'a>(
    file: &Path,
    subject: fn(String) -> Subject,
    ids: impl Iterator<Item = &'a str>,
) -> Result<(), ManifestError> {
    let mut seen = BTreeSet::new();
    for id in ids {
        if !seen.insert(id) {
            let place = Place { file, subject: subject(id.to_owned()) };
            return Err(place.wrong("id", "is given twice: rename one"));
        }
    }
    Ok(())
}

/// The key under which the TOML reader hands dates to serde.
const DATE: &str = "$__toml_private_datetime";

/// Checks that a table holds nothing that JSON cannot say: serde makes tables of dates, and null of nan and inf.
pub(super) fn check_plain(
    place: &Place<'_>,
    key: &'static str,
    table: &Map<String, Value>,
) -> Result<(), ManifestError> {
    table.iter().try_for_each(|(name, value)| check_plain_value(place, key, name, value))
}

fn check_plain_value(
    place: &Place<'_>,
    key: &'static str,
    name: &str,
    value: &Value,
) -> Result<(), ManifestError> {
    match value {
        Value::Null => Err(place.wrong(key, format!("has nan or inf as `{name}`: write a finite number"))),
        Value::Object(table) if table.contains_key(DATE) => {
            Err(place.wrong(key, format!("has a date as `{name}`: write it as text")))
        }
        Value::Object(table) => {
            table.iter().try_for_each(|(name, value)| check_plain_value(place, key, name, value))
        }
        Value::Array(values) => {
            values.iter().try_for_each(|value| check_plain_value(place, key, name, value))
        }
        _ => Ok(()),
    }
}
