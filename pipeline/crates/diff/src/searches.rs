//! Studies in a diff: the same trials, or which part of the identity changed, where the trials part, and the best before and after.
//!
//! What the winners are worth on games that the study never saw is a matter of their experiments, which are compared like all others.

use jobs::identity::Canonical as _;
use std::collections::{BTreeMap, BTreeSet};

use jobs::Difference;
use jobs::StoreError;
use jobs::identity::StoredIdentity;
use jobs::{Key, StoredJob};
use records::tree::Tree;
use rendering::tables::{Cell, Table};
use serde::Serialize;
use stats::Estimate;
use studies::STUDY;
use studies::TrialRow;
use studies::outcome::winners;
use studies::store;
use text::{Scale, counted, thousands};
use verdict::evidence::StudyEvidence;

use super::words::{identity_note, table};
use super::{Side, State};

/// One study.
#[derive(Clone, Debug, Serialize)]
pub struct StudyDiff {
    /// Which.
    pub study: Key,
    /// What became of it.
    pub state: State,
    /// Its trials before.
    pub before: Option<StoredTrials>,
    /// Its trials after.
    pub after: Option<StoredTrials>,
    /// The parts in which the identities differ.
    pub identity: Vec<Difference>,
    /// Where the trials part, as far as both sides can be read by their manifests.
    pub first_difference: Option<TrialDivergence>,
}

/// The trials of one side.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StoredTrials {
    /// How many.
    pub trials: u64,
    /// Their identity.
    pub identity: String,
    /// Their logical digest.
    pub digest: String,
    /// The best value in the study, with an interval that knows nothing of how it was chosen; none where the manifest asks for another study,
    /// or every trial faulted.
    pub best: Option<Estimate>,
}

/// The first trial in which two studies differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct TrialDivergence {
    /// Its number.
    pub trial: u64,
    /// In what.
    pub parting: TrialParting,
}

/// In what a trial differs from the other of its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TrialParting {
    /// Other parameters were proposed, or in another way.
    Proposal,
    /// The same parameters were to play other games.
    Games,
    /// The same proposal came to something else.
    Result,
    /// One of the two has no such trial.
    Length,
}

/// A study as one side has it.
struct OneSide<'a> {
    stored: StoredTrials,
    identity: StoredIdentity,
    searched: Option<&'a StudyEvidence>,
}

/// Compares the studies of two sides.
pub(super) fn studies(before: &Side, after: &Side) -> Result<Vec<StudyDiff>, StoreError> {
    let (one, other) = (of_side(before)?, of_side(after)?);
    let keys: BTreeSet<&Key> = one.keys().chain(other.keys()).collect();
    Ok(keys.into_iter().map(|key| study(key, one.get(key), other.get(key))).collect())
}

/// The studies that a side has, whether its manifests still ask for them or not.
fn of_side(side: &Side) -> Result<BTreeMap<Key, OneSide<'_>>, StoreError> {
    let root = side.layout.root();
    let unreadable = |source| StoreError::Io { path: root.to_owned(), action: "read the folder", source };
    let tree = Tree::of(root).map_err(unreadable)?;
    let mut studies = BTreeMap::new();
    for name in tree.parquet("studies") {
        let path = root.join(name);
        let Some(key) = STUDY.key_at(&path) else { continue };
        if path != side.layout.study(&key) {
            continue;
        }
        let Some(StoredJob { identity, digest, rows: trials, .. }) = store::summary(&path)? else { continue };
        let searched = side.evidence.study(&key);
        let best = searched.and_then(|searched| winners(&searched.study, &searched.rows).first()?.score());
        let stored = StoredTrials { trials, identity: identity.hash(), digest, best };
        studies.insert(key, OneSide { stored, identity, searched });
    }
    Ok(studies)
}

fn study(key: &Key, one: Option<&OneSide<'_>>, other: Option<&OneSide<'_>>) -> StudyDiff {
    let mut diff = StudyDiff {
        study: key.clone(),
        state: if one.is_none() { State::New } else { State::Gone },
        before: one.map(|side| side.stored.clone()),
        after: other.map(|side| side.stored.clone()),
        identity: Vec::new(),
        first_difference: None,
    };
    let Some((one, other)) = one.zip(other) else { return diff };
    diff.identity = one.identity.differences(&other.identity);
    if let Some((one, other)) = one.searched.zip(other.searched) {
        diff.first_difference = divergence(&one.rows, &other.rows);
    }
    diff.state = match () {
        () if one.stored.digest == other.stored.digest => State::Identical,
        () if !diff.identity.is_empty() => State::Changed,
        // No study has a budget by the clock: each must repeat.
        () => State::Alarm,
    };
    diff
}

/// The first trial in which two studies differ.
fn divergence(before: &[TrialRow], after: &[TrialRow]) -> Option<TrialDivergence> {
    let parting = |(one, other): (&TrialRow, &TrialRow)| {
        let is_same_proposal =
            (&one.point, one.origin, one.batch) == (&other.point, other.origin, other.batch);
        let parting = match () {
            () if !is_same_proposal => TrialParting::Proposal,
            () if one.games != other.games => TrialParting::Games,
            () if one.outcome != other.outcome => TrialParting::Result,
            () => return None,
        };
        Some(TrialDivergence { trial: one.trial, parting })
    };
    let shorter = before.len().min(after.len()) as u64;
    let length = (before.len() != after.len())
        .then_some(TrialDivergence { trial: shorter, parting: TrialParting::Length });
    before.iter().zip(after).find_map(parting).or(length)
}

/// The word for what became of a study.
#[must_use]
pub const fn study_state(state: State) -> &'static str {
    match state {
        State::Alarm => "ALARM: same identity, different trials",
        state => state.name(),
    }
}

/// The studies that are not what they were, a row each; none where all are.
#[must_use]
pub fn study_overview(studies: &[StudyDiff]) -> Option<Table> {
    let changed = studies.iter().filter(|study| study.state != State::Identical);
    let rows: Vec<Vec<Cell>> = changed.map(overview_row).collect();
    let header = ["study", "what", "trials", "best before", "best after"];
    (!rows.is_empty()).then(|| table("Studies", &header, rows))
}

fn overview_row(study: &StudyDiff) -> Vec<Cell> {
    let count = |stored: &StoredTrials| thousands(stored.trials as f64);
    let trials = match (&study.before, &study.after) {
        (Some(before), Some(after)) if before.trials != after.trials => {
            format!("{} → {}", count(before), count(after))
        }
        (Some(only), _) | (None, Some(only)) => count(only),
        (None, None) => String::new(),
    };
    let best = |stored: &Option<StoredTrials>| {
        let best = stored.as_ref().and_then(|stored| stored.best);
        best.map_or(Cell::Empty, |best| Cell::Estimate(best, Scale::Points))
    };
    let name = Cell::Text(study.study.to_string());
    let what = Cell::Text(study_state(study.state).to_owned());
    vec![name, what, Cell::Text(trials), best(&study.before), best(&study.after)]
}

/// What else there is to say of a study.
#[must_use]
pub fn study_notes(study: &StudyDiff) -> Vec<String> {
    let mut notes: Vec<String> = identity_note(&study.identity).into_iter().collect();
    if let Some(TrialDivergence { trial, parting }) = study.first_difference {
        let what = match parting {
            TrialParting::Proposal => "other parameters are tried",
            TrialParting::Games => "the same parameters play other games",
            TrialParting::Result => "the same parameters come to another result",
            TrialParting::Length => "only one of the two goes on",
        };
        notes.push(format!("first difference: trial {trial}: {what}"));
    }
    notes
}

/// What came of all studies, in a sentence; none where there are none.
pub(super) fn sentence(studies: &[StudyDiff]) -> Option<String> {
    let mut counts: BTreeMap<State, u64> = BTreeMap::new();
    studies.iter().for_each(|study| *counts.entry(study.state).or_insert(0) += 1);
    let parts: Vec<String> =
        counts.iter().map(|(&state, count)| format!("{count} {}", study_state(state))).collect();
    let all = counted(studies.len() as u64, "study");
    (!studies.is_empty()).then(|| format!("{all}: {}.", parts.join(", ")))
}

#[cfg(test)]
mod tests {
    use search::{Dimension, Origin, Proposal, Range, Scale as Steps, Space};
    use studies::TrialOutcome;

    use super::*;

    fn row(trial: u64, at: f64, score: u32) -> TrialRow {
        let range = Range::Real { from: 0.0, to: 1.0, scale: Steps::Linear, digits: 2 };
        let space = Space::new(vec![Dimension { name: "x".to_owned(), range }]).unwrap();
        let proposal =
            Proposal { point: space.point(&[at]), origin: Origin::Sample, games: 2 * trial..2 * trial + 2 };
        let outcome = TrialOutcome::Played {
            scores: studies::Scores::Each(vec![score; 2]),
            efforts: Vec::new(),
            digest: "d".to_owned(),
        };
        TrialRow::of(trial, 0, proposal, outcome)
    }

    #[test]
    fn trials_part_where_the_first_differs_and_by_what() {
        let rows = [row(0, 0.1, 5), row(1, 0.2, 6), row(2, 0.3, 7)];
        let parted = |other: &[TrialRow]| divergence(&rows, other).map(|found| (found.trial, found.parting));
        assert_eq!(parted(&rows), None);
        assert_eq!(parted(&rows[..2]), Some((2, TrialParting::Length)));
        let with = |changed: TrialRow| [rows[0].clone(), changed, rows[2].clone()];
        assert_eq!(parted(&with(row(1, 0.9, 6))), Some((1, TrialParting::Proposal)));
        assert_eq!(parted(&with(row(1, 0.2, 9))), Some((1, TrialParting::Result)));
        let other_games = TrialRow { games: 7..9, ..row(1, 0.2, 6) };
        assert_eq!(parted(&with(other_games)), Some((1, TrialParting::Games)));
    }

    #[test]
    fn what_became_of_a_study_is_said_in_a_row_notes_and_a_sentence() {
        let stored =
            |trials| StoredTrials { trials, identity: "i".to_owned(), digest: "d".to_owned(), best: None };
        let part = Difference { component: "seed".to_owned(), one: "7".to_owned(), other: "8".to_owned() };
        let changed = StudyDiff {
            study: "p/s".parse().unwrap(),
            state: State::Changed,
            before: Some(stored(18)),
            after: Some(stored(1020)),
            identity: vec![part],
            first_difference: Some(TrialDivergence { trial: 4, parting: TrialParting::Proposal }),
        };
        let alarm = StudyDiff { state: State::Alarm, after: Some(stored(18)), ..changed.clone() };
        let same = StudyDiff { state: State::Identical, ..changed.clone() };
        let studies = [alarm, changed, same];
        let said = "3 studies: 1 ALARM: same identity, different trials, 1 changed, 1 identical.";
        assert_eq!(sentence(&studies).unwrap(), said);
        let text = study_overview(&studies).unwrap().markdown();
        assert!(text.contains("18 → 1,020") && text.matches("p/s").count() == 2, "{text}");
        assert_eq!(text.matches('→').count(), 1, "equally many trials are one number: {text}");
        let notes = ["identity: seed: 7 → 8", "first difference: trial 4: other parameters are tried"];
        assert_eq!(study_notes(&studies[1]), notes);
        assert!(sentence(&[]).is_none() && study_overview(&studies[2..]).is_none());
    }
}
