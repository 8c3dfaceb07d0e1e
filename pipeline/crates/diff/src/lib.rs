//! The diff: what changed between two sets of results, experiment by experiment.
//!
//! Records are pure functions of their identity, so there are few things that can happen to an experiment: its games are the same;
//! they changed, and then a part of the identity did; or they changed under the same identity, which should never be. Every
//! difference of a number comes with its interval, by pairs of games where the seeds are the same. Studies are compared likewise, trial by
//! trial.

mod effect;
mod git;
mod markdown;
mod overlays;
mod searches;
mod source;
mod words;

use jobs::identity::Canonical as _;
use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

pub use effect::{Contrast, Effect, TileContrast, TimeContrast};
pub use git::GitError;
pub use markdown::markdown;
pub use overlays::{DrawError, draw};
pub use searches::{
    StoredTrials, StudyDiff, TrialDivergence, TrialParting, study_notes, study_overview, study_state,
};
pub use source::{NoPapers, Side, SourceError, WorkTree};
pub use words::{details, notes, overview, summary, verdict_lines};

use jobs::Difference;
use jobs::Key;
use platform::threads;
use records::record::{Divergence, GameRecord};
use records::store::{RecordsReader, StoreError};
use verdict::evidence::Games;
use verdict::{self, Change, ConclusionStatus, Ruling};

/// The version of the JSON's form.
const FORM: u32 = 1;

/// What changed between two sets of results.
#[derive(Clone, Debug, Serialize)]
pub struct Diff {
    form: u32,
    /// The earlier side.
    pub before: Named,
    /// The later side.
    pub after: Named,
    /// Whether anything changed: an experiment, a study, a verdict, or a finding.
    pub changed: bool,
    /// Whether the mean score of an experiment is worse beyond its interval.
    pub lost: bool,
    /// How many experiments are in which state.
    pub counts: BTreeMap<State, u64>,
    /// All experiments of both sides, in their order.
    pub experiments: Vec<ExperimentDiff>,
    /// All studies of both sides, in their order.
    pub studies: Vec<StudyDiff>,
    /// What became of the verdicts.
    pub verdicts: Verdicts,
}

/// What a side is called.
#[derive(Clone, Debug, Serialize)]
pub struct Named {
    /// Its name.
    pub label: String,
    /// The commit, where it is a revision.
    pub commit: Option<String>,
}

/// What became of the verdicts. Those that rest on measured time are left out.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Verdicts {
    /// Those that are not what they were.
    pub changes: Vec<Change>,
    /// The findings that do not stand as they did.
    pub findings: Vec<FindingChange>,
    /// The sides whose verdicts were taken as they are stored, since this program cannot read their manifests.
    pub as_stored: Vec<String>,
    /// Why they were not compared.
    pub not_compared: Option<String>,
}

/// A finding that does not stand as it did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FindingChange {
    /// The paper.
    pub paper: String,
    /// What the finding says.
    pub text: String,
    /// How it stood; none for one that is new.
    pub before: Option<ConclusionStatus>,
    /// How it stands; none for one that is gone.
    pub now: Option<ConclusionStatus>,
}

/// What became of an experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
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

/// One experiment.
#[derive(Clone, Debug, Serialize)]
pub struct ExperimentDiff {
    /// Which.
    pub experiment: Key,
    /// What became of it.
    pub state: State,
    /// Its records before.
    pub before: Option<Stored>,
    /// Its records after.
    pub after: Option<Stored>,
    /// The parts in which the identities differ.
    pub identity: Vec<Difference>,
    /// The first game, and the move in it, where the records part; only where the seeds are the same.
    pub first_difference: Option<Divergence>,
    /// What the change did to scores and tiles, where records changed.
    pub effect: Option<Effect>,
    /// Nodes of a move, where they changed: they may without any decision.
    pub nodes: Option<Contrast>,
    /// CPU time of a move, where it was measured anew.
    pub time: Option<TimeContrast>,
}

/// The records of one side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Stored {
    /// How many games.
    pub games: u64,
    /// Their identity.
    pub identity: String,
    /// Their logical digest.
    pub digest: String,
}

impl State {
    /// The word for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Alarm => "ALARM: same identity, different records",
            Self::Changed => "changed",
            Self::PlayedAgain => "played again; not repeatable",
            Self::MoreGames => "more games",
            Self::FewerGames => "fewer games",
            Self::New => "new",
            Self::Gone => "gone",
            Self::Identical => "identical",
        }
    }
}

impl ExperimentDiff {
    /// Whether the mean score is worse beyond its interval.
    #[must_use]
    pub fn is_loss(&self) -> bool {
        self.effect.as_ref().is_some_and(|effect| effect.mean.difference.high < 0.0)
    }
}

/// Compares two sets of results.
///
/// # Errors
/// Where the file of an experiment or of a study cannot be read.
pub fn diff(before: &Side, after: &Side) -> Result<Diff, StoreError> {
    let keys: BTreeSet<&Key> =
        [before, after].into_iter().flat_map(|side| side.evidence.iter()).map(|(key, _)| key).collect();
    let keys: Vec<&Key> = keys.into_iter().collect();
    let experiments = threads::map(&keys, |key| experiment(key, before, after));
    let experiments = experiments.into_iter().collect::<Result<Vec<_>, _>>()?;
    let studies = searches::studies(before, after)?;
    let verdicts = verdicts(before, after);
    let mut counts = BTreeMap::new();
    for experiment in &experiments {
        *counts.entry(experiment.state).or_insert(0) += 1;
    }
    let named = |side: &Side| Named { label: side.label.clone(), commit: side.commit.clone() };
    Ok(Diff {
        form: FORM,
        before: named(before),
        after: named(after),
        changed: experiments.iter().any(|experiment| experiment.state != State::Identical)
            || studies.iter().any(|study| study.state != State::Identical)
            || !verdicts.changes.is_empty()
            || !verdicts.findings.is_empty(),
        lost: experiments.iter().any(ExperimentDiff::is_loss),
        counts,
        experiments,
        studies,
        verdicts,
    })
}

fn experiment(key: &Key, before: &Side, after: &Side) -> Result<ExperimentDiff, StoreError> {
    let (one, other) = (before.evidence.games(key), after.evidence.games(key));
    let mut diff = ExperimentDiff {
        experiment: key.clone(),
        state: if one.is_none() { State::New } else { State::Gone },
        before: one.map(stored),
        after: other.map(stored),
        identity: Vec::new(),
        first_difference: None,
        effect: None,
        nodes: None,
        time: None,
    };
    let Some((one, other)) = one.zip(other) else { return Ok(diff) };
    diff.identity = one.identity.differences(&other.identity);
    let [before_signature, after_signature] = [one, other].map(|games| games.second_signature.as_deref());
    Difference::add_second_signatures(&mut diff.identity, before_signature, after_signature);
    if !is_same(one, other) && one.identity.seed == other.identity.seed {
        let paths =
            [(before, one), (after, other)].map(|(side, games)| side.layout.records(&games.records, None));
        let [mut one, mut other] = [RecordsReader::open(&paths[0])?, RecordsReader::open(&paths[1])?];
        diff.first_difference = first_difference(one.games(), other.games())?;
    }
    diff.state = state(one, other, &diff);
    if matches!(diff.state, State::Alarm | State::Changed | State::PlayedAgain) {
        diff.effect = effect::effect(one, other);
    }
    diff.nodes = effect::nodes(one, other);
    diff.time = effect::time(one, other);
    Ok(diff)
}

fn stored(games: &Games) -> Stored {
    let Games { identity, digest, outcomes, .. } = games;
    Stored { games: outcomes.len() as u64, identity: identity.hash(), digest: digest.clone() }
}

/// Whether all games are the same, apart from `nodes`. A file only states its digest, so the scores must
/// match too.
fn is_same(one: &Games, other: &Games) -> bool {
    one.digest == other.digest && one.scores() == other.scores()
}

fn state(before: &Games, after: &Games, diff: &ExperimentDiff) -> State {
    if is_same(before, after) {
        return State::Identical;
    }
    if !diff.identity.is_empty() {
        return State::Changed;
    }
    if diff.first_difference.is_none() {
        let is_more = after.outcomes.len() > before.outcomes.len();
        return if is_more { State::MoreGames } else { State::FewerGames };
    }
    // Games repeat neither under a wall-clock budget nor with a nondeterministic agent.
    if after.identity.signature.is_none() { State::PlayedAgain } else { State::Alarm }
}

/// The first game that both have and in which they part. Both come by number.
fn first_difference(
    before: impl Iterator<Item = Result<GameRecord, StoreError>>,
    after: impl Iterator<Item = Result<GameRecord, StoreError>>,
) -> Result<Option<Divergence>, StoreError> {
    let mut after = after.peekable();
    for one in before {
        let one = one?;
        // An error stays where it is, and comes out below.
        while after.next_if(|other| other.as_ref().is_ok_and(|other| other.game < one.game)).is_some() {}
        let Some(other) = after.next_if(|other| other.as_ref().map_or(true, |other| other.game == one.game))
        else {
            continue;
        };
        if let Some(divergence) = one.divergence(&other?) {
            return Ok(Some(divergence));
        }
    }
    Ok(None)
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
    let (one, other) = match (Judged::of(before), Judged::of(after)) {
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

/// How findings stand, by paper and text.
type Standings = BTreeMap<(String, String), ConclusionStatus>;

/// What came of a side's claims.
struct Judged {
    rulings: BTreeMap<String, Ruling>,
    /// None where the manifests cannot be read.
    findings: Option<Standings>,
}

impl Judged {
    /// What came of a side's claims by its manifests; where this program cannot read them, as it is stored.
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

fn finding_changes(before: &Standings, now: &Standings) -> Vec<FindingChange> {
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
