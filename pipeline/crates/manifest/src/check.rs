//! From a manifest as written to checked types: papers, notes and experiments; studies and claims have files of their own.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use engine::Rules;
use engine::abi::host::is_identifier;
use engine::agent::Budget;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::conclusion::{self, KnownClaims};
use super::document::{Document, Entry};
use super::error::known;
use super::field_checks::{
    CheckError, Checked, at_most, few, filled, filled_if_given, named, named_if_given, one_to, shown, wrong,
    wrong_within,
};
use super::files::is_sha256;
use super::interpretation::{self, Statements};
use super::limits::{LONGEST_MOVE_MS, LONGEST_MOVE_NS, LONGEST_NAME, LONGEST_TEXT, MOST_BUDGET, MOST_GAMES};
use super::lines::{LineBreaks, Lines};
use super::lookup::Lookup;
use super::problems::Problems;
use super::raw::{RawExperiment, RawNote, RawPaper, RawRules, RawSeed};
use super::{
    Citation, Claim, Conclusion, DEFAULT_FAULT_SHARE, DEFAULT_MOVE_LIMIT_MS, DEFAULT_SEED, Experiment,
    Interpretation, ManifestError, Note, NoteId, Paper, Study, check_claim, check_study, exhibit, figure,
    raw_training, winners,
};
use platform::plain::line;

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
    let line_breaks = LineBreaks::of(text);
    let document = Document::parse(file, text, &line_breaks)?;
    let mut problems = Problems::new(file, &line_breaks);
    let names = Names::of(&document);
    let head = head(&document.paper, &mut problems);
    let context =
        PaperContext { paper: &id, rules: head.as_ref().and_then(|head| head.rules.as_ref()), names: &names };
    let notes = each(&document.notes, &mut problems, note);
    let mut experiments = each(&document.experiments, &mut problems, |raw| experiment(raw, &context));
    let studies = each(&document.studies, &mut problems, |raw| check_study::study(raw, &context));
    let trainings = each(&document.trainings, &mut problems, |raw| raw_training::training(raw, &context));
    let claims = each(&document.claims, &mut problems, |raw| check_claim::claim(raw, &names));
    let exhibits = each(&document.exhibits, &mut problems, exhibit::exhibit);
    let figures = figure::figures(&document.figures, &names, &mut problems);
    let interpretations =
        each(&document.interpretations, &mut problems, |raw| interpretation::interpretation(raw, &names));
    check_ids(&document, &mut problems);
    check_statements(&document.claims, &claims, &names, &mut problems);
    check_study::check_compared(&document.claims, &claims, &studies, &mut problems);
    let known = KnownClaims::new(&claims, &names.claims);
    let findings = each(&document.findings, &mut problems, |finding: Conclusion| {
        known.check(&conclusion::FINDING, &finding).map(|()| finding)
    });
    if let Some(account) = head.as_ref().and_then(|head| head.raw.account.as_ref()) {
        problems.take(&document.paper, known.check(&conclusion::ACCOUNT, account));
    }
    problems.finish()?;
    let Some(Head { raw, rules: Some(rules) }) = head else { unreachable!("no problem was found") };
    experiments.extend(studies.iter().flat_map(Study::experiments));
    Ok(Paper {
        id,
        file: file.to_owned(),
        citation: raw.citation,
        summary: raw.summary,
        rules,
        experiments,
        studies,
        trainings,
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
        lines: Lines::of(&document, &line_breaks),
        lookup: Lookup::default(),
    })
}

/// The ids that entries can refer to, also those of entries that are wrong themselves.
pub(super) struct Names {
    pub(super) notes: Vec<String>,
    /// Those that are written, and those that studies stand for.
    pub(super) experiments: Vec<String>,
    /// The same, for those who look up thousands of them.
    pub(super) experiment_set: BTreeSet<String>,
    pub(super) studies: Vec<String>,
    pub(super) trainings: Vec<String>,
    pub(super) claims: Vec<String>,
    pub(super) interpretations: Vec<String>,
}

impl Names {
    fn of(document: &Document<'_>) -> Self {
        let ids = |entries: &[Entry<'_>]| -> Vec<String> {
            entries.iter().filter_map(Entry::id).map(str::to_owned).collect()
        };
        let mut experiments = ids(&document.experiments);
        experiments.extend(document.studies.iter().flat_map(winners::named_by));
        Self {
            notes: ids(&document.notes),
            experiment_set: experiments.iter().cloned().collect(),
            experiments,
            studies: ids(&document.studies),
            trainings: ids(&document.trainings),
            claims: ids(&document.claims),
            interpretations: ids(&document.interpretations),
        }
    }
}

/// What an experiment, a study or a training is checked against.
pub(super) struct PaperContext<'a> {
    /// The paper's id.
    pub(super) paper: &'a str,
    /// The paper's rules; none where they are wrong themselves.
    pub(super) rules: Option<&'a Rules>,
    pub(super) names: &'a Names,
}

impl PaperContext<'_> {
    /// An entry's own rules laid over the paper's. If those are wrong, they are not held against the entry.
    pub(super) fn rules_with(&self, own: RawRules) -> Checked<Rules> {
        let rules = own.over(self.rules.unwrap_or(&Rules::default()));
        if self.rules.is_some() {
            check_rules(&rules)?;
        }
        Ok(rules)
    }
}

/// The entries of a list that are right.
fn each<R: DeserializeOwned, T>(
    entries: &[Entry<'_>],
    problems: &mut Problems<'_>,
    check: impl Fn(R) -> Checked<T>,
) -> Vec<T> {
    let mut right = Vec::with_capacity(entries.len());
    for entry in entries {
        let Some(raw) = entry.read(problems) else { continue };
        right.extend(problems.take(entry, check(raw)));
    }
    right
}

/// What stands outside of all lists.
struct Head {
    raw: RawPaper,
    /// The paper's rules; none if they are wrong.
    rules: Option<Rules>,
}

fn head(entry: &Entry<'_>, problems: &mut Problems<'_>) -> Option<Head> {
    let mut raw = entry.read::<RawPaper>(problems)?;
    let rules = std::mem::take(&mut raw.rules).over(&Rules::default());
    let checked = check_citation(&raw.citation)
        .and_then(|()| filled_if_given("summary", raw.summary.as_deref()))
        .and_then(|()| check_rules(&rules));
    problems.take(entry, checked);
    let rules = rules.validate().is_ok().then_some(rules);
    Some(Head { raw, rules })
}

fn check_citation(citation: &Citation) -> Checked {
    const AUTHORS: &str = "citation.authors";
    named("citation.title", &citation.title)?;
    if citation.authors.is_empty() {
        return Err(wrong(AUTHORS, "is empty: name at least one"));
    }
    few(AUTHORS, citation.authors.len())?;
    citation.authors.iter().try_for_each(|author| named(AUTHORS, author))?;
    named_if_given("citation.venue", citation.venue.as_deref())?;
    check_address(citation.url.as_deref())?;
    named_if_given("citation.doi", citation.doi.as_deref())?;
    check_unpublished(citation)
}

/// Checks a URL. The report makes it a link, and any scheme other than the web's could run code.
fn check_address(url: Option<&str>) -> Checked {
    const URL: &str = "citation.url";
    named_if_given(URL, url)?;
    match url.filter(|url| !["https://", "http://"].iter().any(|scheme| url.starts_with(scheme))) {
        Some(url) => Err(wrong(URL, format!("is `{}`: start it with https:// or http://", line(url)))),
        None => Ok(()),
    }
}

/// Checks the hash of a text that was never published: what has a DOI was.
fn check_unpublished(citation: &Citation) -> Checked {
    const HASH: &str = "citation.unpublished_sha256";
    let Some(hash) = &citation.unpublished_sha256 else { return Ok(()) };
    if !is_sha256(hash) {
        let problem = "is no SHA-256: write 64 lower-case hexadecimal digits, as `sha256sum` prints them";
        return Err(wrong(HASH, problem));
    }
    if citation.doi.is_some() {
        return Err(wrong(HASH, "stands beside `doi`, which only published texts have: remove one"));
    }
    Ok(())
}

fn check_rules(rules: &Rules) -> Checked {
    rules
        .validate()
        .map_err(|error| CheckError { key: "rules".to_owned(), problem: format!("`rules`: {error}") })
}

fn note(raw: RawNote) -> Checked<Note> {
    let id = NoteId::new(&raw.id).ok_or_else(|| {
        wrong("id", "has the wrong form: write capital letters, a hyphen and a number, such as `D-1`")
    });
    filled("text", &raw.text)?;
    Ok(Note { id: id?, text: raw.text })
}

fn experiment(raw: RawExperiment, context: &PaperContext<'_>) -> Checked<Experiment> {
    let move_limit_ms = raw.move_limit_ms.unwrap_or(DEFAULT_MOVE_LIMIT_MS);
    check_id("id", &raw.id)?;
    check_id("agent", &raw.agent)?;
    check_plain("params", "params", &raw.params)?;
    check_budget(raw.budget)?;
    one_to("games", raw.games, MOST_GAMES, "ask for")?;
    one_to("move_limit_ms", move_limit_ms, LONGEST_MOVE_MS, "allow")?;
    filled_if_given("note", raw.note.as_deref())?;
    named_if_given("method", raw.method.as_deref())?;
    at_most("acknowledged_faults", raw.acknowledged_faults, MOST_GAMES, "acknowledge")?;
    let conditional_on = note_ids("conditional_on", &raw.conditional_on, context.names)?;
    let files = raw.files.check(context)?;
    let rules = context.rules_with(raw.rules)?;
    Ok(Experiment {
        id: raw.id,
        agent: raw.agent,
        params: raw.params,
        files,
        budget: raw.budget,
        games: raw.games,
        seed: raw.seed.map_or(DEFAULT_SEED, |RawSeed(seed)| seed),
        rules,
        set: raw.set,
        note: raw.note,
        conditional_on,
        move_limit_ms,
        fault_share: raw.fault_share.unwrap_or(DEFAULT_FAULT_SHARE),
        variant: raw.variant,
        method: raw.method,
        role: raw.role,
        acknowledged_faults: raw.acknowledged_faults,
        compared: raw.compared,
        winner: None,
    })
}

pub(super) fn check_budget(budget: Budget) -> Checked {
    let most = match budget {
        Budget::None => return Ok(()),
        Budget::TimeNs(_) => LONGEST_MOVE_NS,
        Budget::Plies(_) | Budget::Nodes(_) | Budget::Playouts(_) => MOST_BUDGET,
    };
    match budget.amount() {
        0 => Err(wrong("budget", format!("is {budget}: give at least 1, or leave it out"))),
        amount if amount > most => Err(wrong("budget", format!("is {budget}: give at most {most}"))),
        _ => Ok(()),
    }
}

pub(super) fn check_id(key: &'static str, id: &str) -> Checked {
    if is_identifier(id) {
        return Ok(());
    }
    let id = line(id);
    Err(wrong(key, format!("is `{id}`: write 1 to 64 lower-case letters, digits, - and _")))
}

/// The notes that a list names, each of which must exist and be named once.
pub(super) fn note_ids(key: &str, named: &[String], names: &Names) -> Checked<Vec<NoteId>> {
    few(key, named.len())?;
    let mut ids: Vec<NoteId> = Vec::with_capacity(named.len());
    for name in named {
        if !names.notes.contains(name) {
            let known = known(names.notes.iter().map(String::as_str));
            let problem = format!("names note `{}`, which does not exist; known: {known}", line(name));
            return Err(wrong(key, problem));
        }
        // A note whose id has another form is refused itself.
        let Some(id) = NoteId::new(name) else { continue };
        if ids.contains(&id) {
            return Err(wrong(key, format!("names note `{name}` twice: remove one")));
        }
        ids.push(id);
    }
    Ok(ids)
}

/// Checks that no id is given twice. Experiments, studies and trainings share theirs: all are asked for by them.
fn check_ids(document: &Document<'_>, problems: &mut Problems<'_>) {
    let asked_for = || document.experiments.iter().chain(&document.studies).chain(&document.trainings);
    check_unique(asked_for(), problems);
    for list in [&document.notes, &document.claims, &document.figures, &document.interpretations] {
        check_unique(list, problems);
    }
    check_study::check_names(&document.studies, &asked_for().filter_map(Entry::id).collect(), problems);
}

fn check_unique<'a>(entries: impl IntoIterator<Item = &'a Entry<'a>>, problems: &mut Problems<'_>) {
    let mut seen = BTreeSet::new();
    for entry in entries {
        if entry.id().is_some_and(|id| !seen.insert(id)) {
            problems.take::<()>(entry, Err(wrong("id", "is given twice: rename one")));
        }
    }
}

/// Checks claims against each other: readings of one statement, and that each interpretation has at most one of them.
fn check_statements(entries: &[Entry<'_>], claims: &[Claim], names: &Names, problems: &mut Problems<'_>) {
    let known = Statements::of(claims);
    let entries: BTreeMap<_, _> = entries.iter().filter_map(|entry| Some((entry.id()?, entry))).collect();
    for claim in claims {
        let Some(entry) = entries.get(claim.id.as_str()) else { continue };
        let checked = known
            .check_reading(claim, names)
            .and_then(|()| known.check_overlap(claim, &names.interpretations));
        problems.take(entry, checked);
    }
}

/// The key under which the TOML reader hands dates to serde.
const DATE: &str = "$__toml_private_datetime";

/// Checks that a table holds nothing that JSON cannot say: serde makes tables of dates, and null of nan and inf.
pub(super) fn check_plain(key: &'static str, within: &str, table: &Map<String, Value>) -> Checked {
    table.iter().try_for_each(|(name, value)| {
        let way = format!("{within}.{name}");
        shown(key, &way, name, LONGEST_NAME)?;
        check_plain_value(key, (&way, name), value)
    })
}

pub(super) fn check_plain_value(key: &'static str, (way, name): (&str, &str), value: &Value) -> Checked {
    match value {
        Value::Null => {
            let problem = format!("has nan or inf as `{name}`: write a finite number");
            Err(wrong_within(key, way, problem))
        }
        Value::Object(table) if table.contains_key(DATE) => {
            Err(wrong_within(key, way, format!("has a date as `{name}`: write it as text")))
        }
        Value::Object(table) => check_plain(key, way, table),
        Value::String(text) => shown(key, way, text, LONGEST_TEXT),
        Value::Array(values) => {
            values.iter().try_for_each(|value| check_plain_value(key, (way, name), value))
        }
        _ => Ok(()),
    }
}
