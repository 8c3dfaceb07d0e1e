//! From a manifest as written to checked types: papers, notes and experiments; studies and claims have files
//! of their own.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use engine::Rules;
use engine::abi::host::is_identifier;
use serde::de::DeserializeOwned;
use toml::de::DeTable;

use super::conclusion::KnownClaims;
use super::document::{Document, RawEntry, kinds_of_jobs};
use super::error::known;
use super::field_checks::{CheckError, Checked, wrong};
use super::interpretation::Statements;
use super::lines::{LineBreaks, Lines};
use super::lookup::Lookup;
use super::other_job::{RawJob, registered};
use super::problems::Problems;
use super::schema::Manifest;
use super::{
    Citation, Claim, Conclusion, Experiment, Interpretation, ManifestError, NoteId, OtherJob, Paper, Study,
    check_claim, check_study, exhibit, figure, files, training, winners,
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
/// All that is wrong with it, as far as one thing can be known without another; a text that is not TOML is
/// all by itself.
pub(super) fn paper(file: &Path, id: String, text: &str) -> Result<Paper, ManifestError> {
    let line_breaks = LineBreaks::of(text);
    let document = Document::parse(file, text, &line_breaks)?;
    let mut problems = Problems::new(file, &line_breaks);
    let names = PaperNames::of(&document);
    let head = problems.take(&document.paper, head(&document.paper));
    let rules = head.as_ref().and_then(|_| document.paper.table("rules"));
    let context = PaperContext { paper: &id, has_rules: head.is_some(), names: &names };
    let mut list = Reader { document: &document, rules, problems: &mut problems };
    let notes = list.read("note", Ok);
    let mut experiments = list.read("experiment", |one| experiment(one, &context));
    let studies = list.read("study", |raw| check_study::study(raw, &context));
    let trainings = list.read("training", |one| training::check(one, &context));
    let read_others =
        |(kind, _)| list.read(kind, |RawJob { id, set, keys }| Ok(OtherJob { kind, id, set, keys }));
    let other_jobs = registered().into_iter().flat_map(read_others).collect();
    let claims = list.read("claim", |raw| check_claim::claim(raw, &names));
    let exhibits = list.read("exhibit", exhibit::exhibit);
    let figures = list.read("figure", |raw| figure::figure(raw, &names));
    let interpretations = list.read("interpretation", |one: Interpretation| {
        check_notes("conditional_on", &one.conditional_on, &names).map(|()| one)
    });
    let known = KnownClaims::new(&claims, &names.claims);
    let findings =
        list.read("finding", |finding: Conclusion| known.check("needs", &finding).map(|()| finding));
    check_ids(&document, &mut problems);
    check_statements(document.list("claim"), &claims, &names, &mut problems);
    check_study::check_compared(document.list("claim"), &claims, &studies, &mut problems);
    if let Some(account) = head.as_ref().and_then(|head| head.account.as_ref()) {
        problems.take(&document.paper, known.check("account.needs", account));
    }
    problems.finish()?;
    let Some(head) = head else { unreachable!("no problem was found") };
    experiments.extend(studies.iter().flat_map(Study::experiments));
    Ok(Paper {
        id,
        file: file.to_owned(),
        citation: head.citation,
        summary: head.summary,
        rules: head.rules,
        experiments,
        studies,
        trainings,
        other_jobs,
        claims,
        notes,
        interpretations: if interpretations.is_empty() {
            vec![Interpretation::only()]
        } else {
            interpretations
        },
        findings,
        account: head.account,
        exhibits,
        figures,
        comparison: head.comparison,
        lines: Lines::of(&document, &line_breaks),
        lookup: Lookup::default(),
    })
}

/// The ids that entries can refer to, also those of entries that are wrong themselves.
pub(super) struct PaperNames {
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

impl PaperNames {
    fn of(document: &Document<'_>) -> Self {
        let ids = |key: &str| -> Vec<String> {
            document.list(key).iter().filter_map(RawEntry::id).map(str::to_owned).collect()
        };
        let mut experiments = ids("experiment");
        experiments.extend(document.list("study").iter().flat_map(winners::named_by));
        Self {
            notes: ids("note"),
            experiment_set: experiments.iter().cloned().collect(),
            experiments,
            studies: ids("study"),
            trainings: ids("training"),
            claims: ids("claim"),
            interpretations: ids("interpretation"),
        }
    }
}

/// What an experiment, a study or a training is checked against.
pub(super) struct PaperContext<'a> {
    /// The paper's id.
    pub(super) paper: &'a str,
    /// Whether the paper's rules are known. If they are wrong, they are not held against its entries.
    pub(super) has_rules: bool,
    pub(super) names: &'a PaperNames,
}

impl PaperContext<'_> {
    /// Checks what experiments, studies and trainings have in common.
    pub(super) fn check_common(&self, conditional_on: &[NoteId], rules: &Rules) -> Checked {
        check_notes("conditional_on", conditional_on, self.names)?;
        if self.has_rules { check_rules(rules) } else { Ok(()) }
    }
}

/// Reads the lists of a manifest.
struct Reader<'a, 'p, 'i> {
    document: &'a Document<'i>,
    /// The paper's rules, which entries have where they do not say otherwise.
    rules: Option<&'a DeTable<'i>>,
    problems: &'a mut Problems<'p>,
}

impl Reader<'_, '_, '_> {
    /// The entries of a list that are right.
    fn read<R: DeserializeOwned, T>(&mut self, key: &str, check: impl Fn(R) -> Checked<T>) -> Vec<T> {
        // Only jobs have rules.
        let rules = self.rules.filter(|_| kinds_of_jobs().any(|kind| kind == key));
        let entries = self.document.list(key).iter();
        entries.filter_map(|entry| self.problems.take(entry, entry.read(rules).and_then(&check))).collect()
    }
}

/// What stands outside of all lists.
fn head(entry: &RawEntry<'_>) -> Checked<Manifest> {
    let head: Manifest = entry.read(None)?;
    let Citation { unpublished_sha256, doi, .. } = &head.citation;
    if unpublished_sha256.is_some() && doi.is_some() {
        let problem = "stands beside `doi`, which only published texts have: remove one";
        return Err(wrong("citation.unpublished_sha256", problem));
    }
    check_rules(&head.rules)?;
    Ok(head)
}

fn check_rules(rules: &Rules) -> Checked {
    rules
        .validate()
        .map_err(|error| CheckError { key: "rules".to_owned(), problem: format!("`rules`: {error}") })
}

fn experiment(mut experiment: Experiment, context: &PaperContext<'_>) -> Checked<Experiment> {
    files::check(&mut experiment.files, context)?;
    context.check_common(&experiment.conditional_on, &experiment.rules)?;
    Ok(experiment)
}

/// Checks the notes that a list names.
pub(super) fn check_notes(key: &str, named: &[NoteId], names: &PaperNames) -> Checked {
    let named: Vec<&str> = named.iter().map(NoteId::as_str).collect();
    check_named(key, "note", &named, &names.notes)
}

/// Checks the names in a list, each of which must exist and be there once.
pub(super) fn check_named(key: &str, noun: &str, named: &[impl AsRef<str>], there: &[String]) -> Checked {
    let mut before = BTreeSet::new();
    for name in named.iter().map(AsRef::as_ref) {
        if !there.iter().any(|known| known == name) {
            let (name, known) = (line(name), known(there.iter().map(String::as_str)));
            return Err(wrong(key, format!("names {noun} `{name}`, which does not exist; known: {known}")));
        }
        if !before.insert(name) {
            return Err(wrong(key, format!("names {noun} `{name}` twice: remove one")));
        }
    }
    Ok(())
}

/// Checks that no id is given twice. Experiments, studies and trainings share theirs: all are asked for by
/// them.
fn check_ids(document: &Document<'_>, problems: &mut Problems<'_>) {
    check_unique(document.jobs(), problems);
    for key in ["note", "claim", "figure", "interpretation"] {
        check_unique(document.list(key), problems);
    }
    let taken = document.jobs().filter_map(RawEntry::id).collect();
    check_study::check_names(document.list("study"), &taken, problems);
}

fn check_unique<'a>(entries: impl IntoIterator<Item = &'a RawEntry<'a>>, problems: &mut Problems<'_>) {
    let mut seen = BTreeSet::new();
    for entry in entries {
        if entry.id().is_some_and(|id| !seen.insert(id)) {
            problems.take::<()>(entry, Err(wrong("id", "is given twice: rename one")));
        }
    }
}

/// Checks claims against each other: readings of one statement, and that each interpretation has at most one
/// of them.
fn check_statements(
    entries: &[RawEntry<'_>],
    claims: &[Claim],
    names: &PaperNames,
    problems: &mut Problems<'_>,
) {
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
