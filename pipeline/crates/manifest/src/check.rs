//! From a manifest as written to checked types: papers, notes and experiments.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use engine::Rules;
use engine::abi::host::is_identifier;
use engine::agent::Budget;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::conclusion::{self, KnownClaims};
use super::document::{Document, Entry};
use super::error::{Place, known};
use super::interpretation::{self, Statements};
use super::limits::{LONGEST_MOVE_MS, LONGEST_MOVE_NS, LONGEST_NAME, LONGEST_TEXT, MOST_BUDGET, MOST_GAMES};
use super::problems::Problems;
use super::raw::{RawExperiment, RawNote, RawPaper, RawSeed};
use super::{
    Citation, Claim, Conclusion, DEFAULT_FAULT_SHARE, DEFAULT_MOVE_LIMIT_MS, DEFAULT_SEED, Experiment,
    Interpretation, ManifestError, Note, NoteId, Paper, Subject, check_claim, exhibit,
};
use surroundings::plain::line;

/// The id of the paper whose manifest this file is.
pub(super) fn paper_id(file: &Path) -> Result<String, ManifestError> {
    file.file_stem()
        .and_then(|stem| stem.to_str())
        .filter(|stem| is_identifier(stem))
        .map(str::to_owned)
        .ok_or_else(|| ManifestError::FileName { file: file.to_owned() })
}

/// The paper in a manifest's text.
///
/// # Errors
/// All that is wrong with it, as far as one thing can be known without another; a text that is not TOML is all by itself.
pub(super) fn paper(file: &Path, id: String, text: &str) -> Result<Paper, ManifestError> {
    let document = Document::parse(file, text)?;
    let mut problems = Problems::new(file, text);
    let names = Names::of(&document);
    let head = head(file, &document.paper, &mut problems);
    let known = Known { file, rules: head.as_ref().map(|(_, rules)| rules), names: &names };
    let notes = each(&document.notes, &mut problems, |raw| note(file, raw));
    let experiments = each(&document.experiments, &mut problems, |raw| experiment(&known, raw));
    let claims = each(&document.claims, &mut problems, |raw| check_claim::claim(file, raw, &names));
    let exhibits = each(&document.exhibits, &mut problems, |raw| exhibit::exhibit(file, raw));
    let figures = each(&document.figures, &mut problems, |raw| exhibit::figure(file, raw, &names));
    let interpretations = each(&document.interpretations, &mut problems, |raw| {
        interpretation::interpretation(file, raw, &names)
    });
    let lists = [&document.notes, &document.experiments, &document.claims, &document.figures];
    for list in lists.into_iter().chain([&document.interpretations]) {
        check_unique(file, list, &mut problems);
    }
    check_statements(file, &document.claims, &claims, &names, &mut problems);
    let known = KnownClaims::new(&claims, &names.claims);
    let findings = findings(file, &document.findings, &known, &mut problems);
    if let Some(account) = head.as_ref().and_then(|(raw, _)| raw.account.as_ref()) {
        let place = Place { file, subject: Subject::Paper };
        problems.keep(&document.paper, known.check(&place, &conclusion::ACCOUNT, account));
    }
    problems.finish()?;
    let (raw, rules) = head.expect("no problem was found");
    Ok(Paper {
        id,
        file: file.to_owned(),
        citation: raw.citation,
        summary: raw.summary,
        rules,
        experiments,
        claims,
        notes,
        interpretations: if interpretations.is_empty() {
            vec![Interpretation::only()]
        } else {
            interpretations
        },
        findings,
        account: raw.account,
        exhibits,
        figures,
        comparison: raw.comparison,
    })
}

/// The ids that entries can refer to, also those of entries that are wrong themselves.
pub(super) struct Names {
    pub(super) notes: Vec<String>,
    pub(super) experiments: Vec<String>,
    pub(super) claims: Vec<String>,
    pub(super) interpretations: Vec<String>,
}

impl Names {
    fn of(document: &Document<'_>) -> Self {
        let ids = |entries: &[Entry<'_>]| entries.iter().filter_map(Entry::id).map(str::to_owned).collect();
        Self {
            notes: ids(&document.notes),
            experiments: ids(&document.experiments),
            claims: ids(&document.claims),
            interpretations: ids(&document.interpretations),
        }
    }
}

/// What an experiment is checked against.
struct Known<'a> {
    file: &'a Path,
    /// The paper's rules; none where they are wrong themselves.
    rules: Option<&'a Rules>,
    names: &'a Names,
}

/// The entries of a list that are right.
fn each<R: DeserializeOwned, T>(
    entries: &[Entry<'_>],
    problems: &mut Problems<'_>,
    check: impl Fn(R) -> Result<T, ManifestError>,
) -> Vec<T> {
    let mut right = Vec::with_capacity(entries.len());
    for entry in entries {
        let checked = entry.read(problems).map(&check);
        right.extend(checked.and_then(|checked| problems.keep(entry, checked)));
    }
    right
}

/// What stands outside of all lists, and the paper's rules.
fn head(file: &Path, entry: &Entry<'_>, problems: &mut Problems<'_>) -> Option<(RawPaper, Rules)> {
    let mut raw: RawPaper = entry.read(problems)?;
    let place = Place { file, subject: Subject::Paper };
    let rules = std::mem::take(&mut raw.rules).over(&Rules::default());
    let checks = [
        check_citation(&place, &raw.citation),
        filled_if_given(&place, "summary", raw.summary.as_deref()),
        check_rules(&place, &rules),
    ];
    let kept = checks.map(|checked| problems.keep(entry, checked));
    kept[2].map(|()| (raw, rules))
}

fn check_citation(place: &Place<'_>, citation: &Citation) -> Result<(), ManifestError> {
    place.few("citation.authors", citation.authors.len())?;
    place.named("citation.title", &citation.title)?;
    if citation.authors.is_empty() {
        return Err(place.wrong("citation.authors", "is empty: name at least one"));
    }
    citation.authors.iter().try_for_each(|author| place.named("citation.authors", author))?;
    named_if_given(place, "citation.venue", citation.venue.as_deref())?;
    named_if_given(place, "citation.url", citation.url.as_deref())?;
    named_if_given(place, "citation.doi", citation.doi.as_deref())
}

fn filled_if_given(place: &Place<'_>, key: &'static str, text: Option<&str>) -> Result<(), ManifestError> {
    text.map_or(Ok(()), |text| place.filled(key, text))
}

pub(super) fn named_if_given(
    place: &Place<'_>,
    key: &'static str,
    text: Option<&str>,
) -> Result<(), ManifestError> {
    text.map_or(Ok(()), |text| place.named(key, text))
}

fn check_rules(place: &Place<'_>, rules: &Rules) -> Result<(), ManifestError> {
    rules.validate().map_err(|source| ManifestError::Rules {
        file: place.file.to_owned(),
        line: None,
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

fn experiment(known: &Known<'_>, raw: RawExperiment) -> Result<Experiment, ManifestError> {
    let place = Place { file: known.file, subject: Subject::Experiment(raw.id.clone()) };
    check_id(&place, "id", &raw.id)?;
    check_id(&place, "agent", &raw.agent)?;
    check_plain(&place, "params", &raw.params)?;
    check_budget(&place, raw.budget)?;
    let within = |key, count, most, ask| {
        if count == 0 {
            return Err(place.wrong(key, format!("is 0: {ask} at least 1")));
        }
        place.at_most(key, count, most, ask).map(|()| count)
    };
    let rules = raw.rules.over(known.rules.unwrap_or(&Rules::default()));
    if known.rules.is_some() {
        check_rules(&place, &rules)?;
    }
    filled_if_given(&place, "note", raw.note.as_deref())?;
    named_if_given(&place, "method", raw.method.as_deref())?;
    place.at_most("acknowledged_faults", raw.acknowledged_faults, MOST_GAMES, "acknowledge")?;
    Ok(Experiment {
        games: within("games", raw.games, MOST_GAMES, "ask for")?,
        move_limit_ms: within(
            "move_limit_ms",
            raw.move_limit_ms.unwrap_or(DEFAULT_MOVE_LIMIT_MS),
            LONGEST_MOVE_MS,
            "allow",
        )?,
        conditional_on: note_ids(&place, "conditional_on", &raw.conditional_on, known.names)?,
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

fn check_budget(place: &Place<'_>, budget: Budget) -> Result<(), ManifestError> {
    let most = match budget {
        Budget::None => return Ok(()),
        Budget::TimeNs(_) => LONGEST_MOVE_NS,
        Budget::Plies(_) | Budget::Nodes(_) | Budget::Playouts(_) => MOST_BUDGET,
    };
    match budget.amount() {
        0 => Err(place.wrong("budget", format!("is {budget}: give at least 1, or leave it out"))),
        amount if amount > most => Err(place.wrong("budget", format!("is {budget}: give at most {most}"))),
        _ => Ok(()),
    }
}

pub(super) fn check_id(place: &Place<'_>, key: &'static str, id: &str) -> Result<(), ManifestError> {
    if is_identifier(id) {
        return Ok(());
    }
    let id = line(id);
    Err(place.wrong(key, format!("is `{id}`: write 1 to 64 lower-case letters, digits, - and _")))
}

/// The notes that a list names, each of which must exist and be named once.
pub(super) fn note_ids(
    place: &Place<'_>,
    key: &'static str,
    named: &[String],
    names: &Names,
) -> Result<Vec<NoteId>, ManifestError> {
    place.few(key, named.len())?;
    let mut ids: Vec<NoteId> = Vec::with_capacity(named.len());
    for name in named {
        if !names.notes.contains(name) {
            let known = known(names.notes.iter().map(String::as_str));
            let name = line(name);
            return Err(
                place.wrong(key, format!("names note `{name}`, which does not exist; known: {known}"))
            );
        }
        // A note whose id has another form is refused itself.
        let Some(id) = NoteId::new(name) else { continue };
        if ids.contains(&id) {
            return Err(place.wrong(key, format!("names note `{name}` twice: remove one")));
        }
        ids.push(id);
    }
    Ok(ids)
}

fn check_unique(file: &Path, entries: &[Entry<'_>], problems: &mut Problems<'_>) {
    let mut seen = BTreeSet::new();
    for entry in entries {
        if entry.id().is_some_and(|id| !seen.insert(id)) {
            let place = Place { file, subject: entry.subject.clone() };
            problems.keep::<()>(entry, Err(place.wrong("id", "is given twice: rename one")));
        }
    }
}

/// Checks claims against each other: readings of one statement, and that each interpretation has at most one of them.
fn check_statements(
    file: &Path,
    entries: &[Entry<'_>],
    claims: &[Claim],
    names: &Names,
    problems: &mut Problems<'_>,
) {
    let known = Statements::of(claims);
    let entries: BTreeMap<_, _> = entries.iter().filter_map(|entry| Some((entry.id()?, entry))).collect();
    for claim in claims {
        let place = Place { file, subject: Subject::Claim(claim.id.clone()) };
        let checked = known
            .check_reading(&place, claim, names)
            .and_then(|()| known.check_overlap(&place, claim, &names.interpretations));
        entries.get(claim.id.as_str()).map(|entry| problems.keep(entry, checked));
    }
}

/// The findings that are right: claims are known by now.
fn findings(
    file: &Path,
    entries: &[Entry<'_>],
    known: &KnownClaims<'_>,
    problems: &mut Problems<'_>,
) -> Vec<Conclusion> {
    let mut right = Vec::with_capacity(entries.len());
    for entry in entries {
        let Some(finding) = entry.read::<Conclusion>(problems) else { continue };
        let place = Place { file, subject: entry.subject.clone() };
        let checked = known.check(&place, &conclusion::FINDING, &finding);
        right.extend(problems.keep(entry, checked).map(|()| finding));
    }
    right
}

/// The key under which the TOML reader hands dates to serde.
const DATE: &str = "$__toml_private_datetime";

/// Checks that a table holds nothing that JSON cannot say: serde makes tables of dates, and null of nan and inf.
pub(super) fn check_plain(
    place: &Place<'_>,
    key: &'static str,
    table: &Map<String, Value>,
) -> Result<(), ManifestError> {
    table.iter().try_for_each(|(name, value)| {
        place.shown(key, name, LONGEST_NAME)?;
        check_plain_value(place, key, name, value)
    })
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
        Value::Object(table) => check_plain(place, key, table),
        Value::String(text) => place.shown(key, text, LONGEST_TEXT),
        Value::Array(values) => {
            values.iter().try_for_each(|value| check_plain_value(place, key, name, value))
        }
        _ => Ok(()),
    }
}
