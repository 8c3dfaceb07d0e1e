//! The diff: what changed between two sets of results, job by job.
//!
//! Results are pure functions of their identity, so there are few things that can happen to a job: its rows
//! are the same; they changed, and then a part of the identity did; or they changed under the same identity,
//! which should never be. Every difference of a number comes with its interval, by pairs of games if the
//! seeds are the same.

mod drawing;
mod effect;
mod git;
mod source;
mod words;

use std::collections::{BTreeMap, BTreeSet};

use jobs::{
    Canonical as _, Difference, FirstDifference, Key, StoreError, StoredContext, StoredIdentity, StoredKind,
    Words,
};
use platform::{ConfinedPath, threads};
use project::kinds;
use records::{EXPERIMENT, Tree};
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};
use verdict::evidence::Games;
use verdict::{self, Change, ConclusionStatus, Ruling};

pub use drawing::{DrawError, draw};
pub use effect::{Contrast, Effect, TileContrast, TimeContrast};
pub use source::{Side, SourceError, WorkTree};
pub use words::{details, markdown, notes, overview, summary, verdict_lines};

/// The version of the JSON's form.
const FORM: u32 = 1;

/// What changed between two sets of results.
#[derive(Clone, Debug, Serialize)]
pub struct Diff {
    form: u32,
    /// The earlier side.
    pub before: SideName,
    /// The later side.
    pub after: SideName,
    /// Whether anything changed: a job, a verdict, or a finding.
    pub changed: bool,
    /// Whether the mean score of an experiment is worse beyond its interval.
    pub lost: bool,
    /// How many experiments are in which state.
    pub counts: BTreeMap<DiffState, u64>,
    /// All jobs of both sides, by kind and in their order.
    #[serde(flatten)]
    pub jobs: BTreeMap<&'static str, Vec<JobDiff>>,
    /// The changes of verdicts.
    pub verdicts: Verdicts,
}

/// The name of a side.
#[derive(Clone, Debug, Serialize)]
pub struct SideName {
    /// Its label.
    pub label: String,
    /// The commit, if it is a revision.
    pub commit: Option<String>,
}

/// The changes of verdicts. Those that rest on measured time are left out.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Verdicts {
    /// Those that changed.
    pub changes: Vec<Change>,
    /// The findings whose status changed.
    pub findings: Vec<FindingChange>,
    /// The sides whose verdicts were taken as they are stored, since this program cannot read their
    /// manifests.
    pub as_stored: Vec<String>,
    /// Why they were not compared.
    pub not_compared: Option<String>,
}

/// A finding whose status changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FindingChange {
    /// The paper.
    pub paper: String,
    /// Its text.
    pub text: String,
    /// Its status before; `None` if it is new.
    pub before: Option<ConclusionStatus>,
    /// Its status now; `None` if it is gone.
    pub now: Option<ConclusionStatus>,
}

/// The change of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum DiffState {
    /// Other records under the same identity: this should never be.
    Alarm,
    /// Other records under another identity.
    Changed,
    /// Different records, under a wall-clock budget or from an agent marked as nondeterministic.
    PlayedAgain,
    /// The same records, and more.
    MoreGames,
    /// Some of the records are gone.
    FewerGames,
    /// It was not there before.
    New,
    /// It is there no longer.
    Gone,
    /// The same records.
    Identical,
}

/// One job.
#[derive(Clone, Debug)]
pub struct JobDiff {
    /// The words for its kind.
    pub words: &'static Words,
    /// Which.
    pub key: Key,
    /// Its change.
    pub state: DiffState,
    /// Its result before.
    pub before: Option<StoredResult>,
    /// Its result after.
    pub after: Option<StoredResult>,
    /// The parts in which the identities differ.
    pub identity: Vec<Difference>,
    /// The first difference between the results, if they have rows in common.
    pub first_difference: Option<FirstDifference>,
    /// The effect on games; `None` for other kinds than experiments.
    pub games: Option<GamesEffect>,
}

/// The effect of a change on an experiment's games.
#[derive(Clone, Debug, Default, Serialize)]
pub struct GamesEffect {
    /// The effect on scores and tiles, if records changed.
    pub effect: Option<Effect>,
    /// Nodes per move, if they changed: they may without any decision.
    pub nodes: Option<Contrast>,
    /// CPU time per move, if it was measured again.
    pub time: Option<TimeContrast>,
}

/// The result of a job on one side.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredResult {
    /// How many rows.
    pub rows: u64,
    /// The hash of its identity.
    pub identity: String,
    /// The logical digest of the rows.
    pub digest: String,
    /// More about it, by the kind.
    pub details: Map<String, Value>,
}

impl StoredResult {
    fn json(&self, words: &Words) -> Value {
        let mut all = self.details.clone();
        all.insert(format!("{}s", words.row), self.rows.into());
        all.insert("identity".to_owned(), self.identity.clone().into());
        all.insert("digest".to_owned(), self.digest.clone().into());
        all.into()
    }
}

impl Serialize for JobDiff {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let side = |side: &Option<StoredResult>| side.as_ref().map(|side| side.json(self.words));
        let mut all = json!({
            "state": self.state,
            "before": side(&self.before),
            "after": side(&self.after),
            "identity": self.identity,
            "first_difference": self.first_difference.as_ref().map(|first| &first.value),
        });
        all[self.words.kind] = json!(self.key);
        if let Some(Value::Object(games)) = self.games.as_ref().map(|games| json!(games)) {
            games.into_iter().for_each(|(name, value)| all[name] = value);
        }
        all.serialize(serializer)
    }
}

impl DiffState {
    /// The word for it, for a kind of job.
    pub fn text(self, words: &Words) -> String {
        match self {
            Self::Alarm => {
                format!("ALARM: same identity, different {}", words.stored.trim_start_matches("a "))
            }
            Self::Changed => "changed".to_owned(),
            Self::PlayedAgain => "played again; not repeatable".to_owned(),
            Self::MoreGames => format!("more {}s", words.row),
            Self::FewerGames => format!("fewer {}s", words.row),
            Self::New => "new".to_owned(),
            Self::Gone => "gone".to_owned(),
            Self::Identical => "identical".to_owned(),
        }
    }
}

impl JobDiff {
    /// Whether the mean score is worse beyond its interval.
    pub fn is_loss(&self) -> bool {
        self.effect().is_some_and(|effect| effect.mean.difference.high < 0.0)
    }

    /// The effect on scores and tiles, if there is one.
    pub fn effect(&self) -> Option<&Effect> {
        self.games.as_ref()?.effect.as_ref()
    }
}

/// Compares two sets of results.
pub fn diff(before: &Side, after: &Side) -> Result<Diff, StoreError> {
    let contexts = [before, after].map(|side| StoredContext::of(side.papers.as_deref().unwrap_or_default()));
    let mut jobs = BTreeMap::new();
    for kind in kinds() {
        let sides = [files(kind, before)?, files(kind, after)?];
        let keys: BTreeSet<&Key> = sides.iter().flat_map(BTreeMap::keys).collect();
        let keys: Vec<&Key> = keys.into_iter().collect();
        let compared = threads::map(&keys, |&key| {
            let [one, other] = [0, 1].map(|side| JobSide::of(kind, sides[side].get(key)?, &contexts[side]));
            compare(kind, key, one.transpose()?.as_ref(), other.transpose()?.as_ref())
        });
        jobs.insert(kind.words().kinds, compared.into_iter().collect::<Result<Vec<_>, _>>()?);
    }
    let verdicts = verdicts(before, after);
    let mut counts = BTreeMap::new();
    for experiment in &jobs[EXPERIMENT.kinds] {
        *counts.entry(experiment.state).or_insert(0) += 1;
    }
    let all = || jobs.values().flatten();
    let named = |side: &Side| SideName { label: side.label.clone(), commit: side.commit.clone() };
    Ok(Diff {
        form: FORM,
        before: named(before),
        after: named(after),
        changed: all().any(|job| job.state != DiffState::Identical)
            || !verdicts.changes.is_empty()
            || !verdicts.findings.is_empty(),
        lost: all().any(JobDiff::is_loss),
        counts,
        jobs,
        verdicts,
    })
}

/// The files of a kind that a side has, whether its manifests still list the jobs or not. Experiments can
/// share one, and their games are known already.
fn files<'a>(
    kind: &dyn StoredKind,
    side: &'a Side,
) -> Result<BTreeMap<Key, (ConfinedPath, Option<&'a Games>)>, StoreError> {
    let (words, root) = (kind.words(), side.layout.root());
    if words == &EXPERIMENT {
        let file = |(key, games): (&Key, &'a Games)| (key.clone(), (games.file.clone(), Some(games)));
        return Ok(side.evidence.iter().map(file).collect());
    }
    let tree = Tree::of(root).map_err(StoreError::io(root, "read the folder"))?;
    let paths = tree.parquet(words.folder).map(|name| root.join(name));
    let named = paths.filter_map(|path| Some((words.key_at(&path)?, path)));
    let own = named.filter(|(key, path)| *path == words.path(root, key));
    Ok(own.map(|(key, path)| (key, (path, None))).collect())
}

/// A job as one side has it.
struct JobSide<'a> {
    path: &'a ConfinedPath,
    context: &'a StoredContext<'a>,
    identity: StoredIdentity,
    second_signature: Option<String>,
    result: StoredResult,
    games: Option<&'a Games>,
}

impl<'a> JobSide<'a> {
    /// `None` if the file is gone.
    fn of(
        kind: &dyn StoredKind,
        (path, games): &'a (ConfinedPath, Option<&'a Games>),
        context: &'a StoredContext<'a>,
    ) -> Option<Result<Self, StoreError>> {
        let (identity, second_signature, digest, rows) = match games {
            Some(games) => {
                let Games { identity, second_signature, digest, outcomes, .. } = games;
                (identity.stored(), second_signature.clone(), digest.clone(), outcomes.len() as u64)
            }
            None => match kind.read(path).transpose()? {
                Ok(stored) => (stored.identity, stored.second_signature, stored.digest, stored.rows),
                Err(error) => return Some(Err(error)),
            },
        };
        let details = kind.details(path, context);
        let result = StoredResult { rows, identity: identity.hash(), digest, details };
        Some(Ok(Self { path, context, identity, second_signature, result, games: *games }))
    }

    /// Whether all rows are the same, apart from nodes. A file only states its digest, so the scores must
    /// match too.
    fn is_same(&self, other: &Self) -> bool {
        let scores = |side: &Self| side.games.map(|games| games.scores());
        self.result.digest == other.result.digest && scores(self) == scores(other)
    }
}

fn compare(
    kind: &dyn StoredKind,
    key: &Key,
    one: Option<&JobSide<'_>>,
    other: Option<&JobSide<'_>>,
) -> Result<JobDiff, StoreError> {
    let words = kind.words();
    let mut diff = JobDiff {
        words,
        key: key.clone(),
        state: if one.is_none() { DiffState::New } else { DiffState::Gone },
        before: one.map(|side| side.result.clone()),
        after: other.map(|side| side.result.clone()),
        identity: Vec::new(),
        first_difference: None,
        games: (words == &EXPERIMENT).then(GamesEffect::default),
    };
    let Some((one, other)) = one.zip(other) else { return Ok(diff) };
    diff.identity = one.identity.differences(&other.identity);
    let [before, after] = [one, other].map(|side| side.second_signature.as_deref());
    Difference::add_second_signatures(&mut diff.identity, before, after);
    if !one.is_same(other) {
        diff.first_difference =
            kind.first_difference((one.path, one.context), (other.path, other.context))?;
    }
    diff.state = state(one, other, &diff);
    if let Some((one, other)) = one.games.zip(other.games) {
        let is_new = matches!(diff.state, DiffState::Alarm | DiffState::Changed | DiffState::PlayedAgain);
        diff.games = Some(GamesEffect {
            effect: is_new.then(|| effect::effect(one, other)).flatten(),
            nodes: effect::nodes(one, other),
            time: effect::time(one, other),
        });
    }
    Ok(diff)
}

fn state(before: &JobSide<'_>, after: &JobSide<'_>, diff: &JobDiff) -> DiffState {
    if before.is_same(after) {
        return DiffState::Identical;
    }
    if !diff.identity.is_empty() {
        return DiffState::Changed;
    }
    match (&diff.first_difference, after.result.rows.cmp(&before.result.rows)) {
        (None, std::cmp::Ordering::Greater) => DiffState::MoreGames,
        (None, std::cmp::Ordering::Less) => DiffState::FewerGames,
        // Rows repeat neither under a wall-clock budget nor with a nondeterministic agent.
        _ if after.identity.part("signature").is_none_or(Value::is_null) => DiffState::PlayedAgain,
        _ => DiffState::Alarm,
    }
}

/// The verdicts that changed, each side judged by its own manifests.
fn verdicts(before: &Side, after: &Side) -> Verdicts {
    // Verdicts follow from manifests and games, and so do findings.
    if let (Ok(one), Ok(other)) = (&before.papers, &after.papers)
        && one == other
        && before.evidence.is_same_as(&after.evidence)
    {
        return Verdicts::default();
    }
    let (one, other) = match (SideVerdicts::of(before), SideVerdicts::of(after)) {
        (Ok(one), Ok(other)) => (one, other),
        (Err(reason), _) | (_, Err(reason)) => {
            return Verdicts { not_compared: Some(reason), ..Verdicts::default() };
        }
    };
    let sides = [(before, &one), (after, &other)];
    let as_stored: Vec<String> = sides
        .iter()
        .filter(|(_, judged)| judged.findings.is_none())
        .map(|(side, _)| side.label.clone())
        .collect();
    let findings = one.findings.as_ref().zip(other.findings.as_ref());
    Verdicts {
        changes: verdict::differences(&one.rulings, &other.rulings),
        findings: findings.map(|(one, other)| finding_changes(one, other)).unwrap_or_default(),
        as_stored,
        not_compared: None,
    }
}

/// The status of findings, by paper and text.
type FindingStatus = BTreeMap<(String, String), ConclusionStatus>;

/// The verdicts on a side's claims.
struct SideVerdicts {
    rulings: BTreeMap<String, Ruling>,
    /// `None` if the manifests cannot be read.
    findings: Option<FindingStatus>,
}

impl SideVerdicts {
    /// The verdicts by a side's manifests; if this program cannot read them, the stored ones.
    fn of(side: &Side) -> Result<Self, String> {
        let papers = match &side.papers {
            Ok(papers) => papers,
            Err(reason) => {
                let rulings = verdict::read_stored(&side.layout.claims());
                let rulings = rulings.map_err(|_| format!("{}: {reason}", side.label))?;
                return Ok(Self { rulings, findings: None });
            }
        };
        let verdicts = verdict::judge(papers, &side.evidence);
        let concluded = verdict::conclude(papers, &verdicts);
        let standing = |each: &verdict::JudgedConclusion<'_>| {
            ((each.paper.id.clone(), each.text.to_owned()), each.standing)
        };
        let findings = Some(concluded.iter().map(standing).collect());
        Ok(Self { rulings: verdict::rulings(&verdicts), findings })
    }
}

fn finding_changes(before: &FindingStatus, now: &FindingStatus) -> Vec<FindingChange> {
    let names: BTreeSet<&(String, String)> = before.keys().chain(now.keys()).collect();
    let change = |name: &(String, String)| {
        let (before, now) = (before.get(name).copied(), now.get(name).copied());
        let (paper, text) = name.clone();
        (before != now).then_some(FindingChange { paper, text, before, now })
    };
    names.into_iter().filter_map(change).collect()
}

#[cfg(test)]
mod tests;
