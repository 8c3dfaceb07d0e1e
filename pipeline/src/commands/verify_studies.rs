//! `pipeline verify` on studies: what is wrong with those that are stored, and what came of playing trials again.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Serialize;

use super::Failure;
use super::failure::chain;
use crate::plan::PlannedStudy;
use crate::plan::StudyPlan;
use crate::study::RecomputedTrials;
use jobs::{CheckedJob, StoreError, StoredContext, StoredKind as _};
use jobs::{Difference, Key, Status};
use manifest::{Paper, Set};
use platform::confined::ConfinedPath;
use platform::threads;
use records::layout::Layout;
use records::tree::Tree;
use studies::Studies;
use text::{counted, thousands};

/// All that was looked at in studies.
#[derive(Default, Serialize)]
pub(super) struct VerifiedStudies {
    /// Those in which nothing is wrong.
    pub(super) checked: Vec<CheckedJob>,
    /// What is wrong with the others, each with its file.
    problems: Vec<String>,
    /// Those that are not what the manifests, or also the agents, ask for, with the parts of the identity that changed.
    stale: BTreeMap<Key, Vec<String>>,
    /// Those of the default sets that have not been run, where that was asked for.
    missing: Vec<Key>,
    /// What came of playing trials again.
    pub(super) recomputed: Vec<(Key, RecomputedTrials)>,
    /// What to know, though nothing is wrong.
    pub(super) notes: Vec<String>,
}

/// What came of one file.
enum Looked {
    Checked(CheckedJob),
    Stale(Key, Vec<String>),
    Problem(String),
    /// Nobody asks for this study, so that only its seal was checked.
    Orphan(ConfinedPath),
}

impl VerifiedStudies {
    /// Checks studies against the manifests of a folder. Without these, only seals can be checked.
    pub(super) fn check_by(&mut self, files: &[ConfinedPath], configs: &Path) {
        if files.is_empty() {
            return;
        }
        if configs.is_dir() {
            match manifest::load_folder(configs) {
                Ok(papers) => return self.check(files, &papers),
                Err(error) => self.problems.push(chain(&error)),
            }
        }
        let seals = threads::map(files, |path| Studies.check(path, &StoredContext::default()));
        self.problems.extend(seals.into_iter().filter_map(Result::err).map(|error| chain(&error)));
        self.notes.push(format!(
            "{}: without manifests, only the seals of {} are checked; name their folder with --configs",
            configs.display(),
            counted(files.len() as u64, "study")
        ));
    }

    /// Checks studies against these papers.
    pub(super) fn check(&mut self, files: &[ConfinedPath], papers: &[Paper]) {
        for looked in threads::map(files, |path| look(path, papers)) {
            match looked {
                Looked::Checked(checked) => self.checked.push(checked),
                Looked::Stale(key, parts) => drop(self.stale.insert(key, parts)),
                Looked::Problem(problem) => self.problems.push(problem),
                Looked::Orphan(path) => self.notes.push(format!(
                    "{}: no manifest has this study, so only its seal is checked",
                    path.display()
                )),
            }
        }
    }

    /// Notes every study of a plan that is not the one of today's manifests and agents, or that has not been run.
    pub(super) fn require_current(&mut self, plan: &StudyPlan) {
        for planned in &plan.jobs {
            self.note_stale(planned);
            if planned.status == Status::Missing && planned.study.set == Set::Default {
                self.missing.push(planned.key.clone());
            }
        }
    }

    /// Notes the studies that nobody can tell of, since their agents failed before they could be asked.
    pub(super) fn note_unplanned(&mut self, plan: &StudyPlan) {
        self.problems.extend(plan.blocked.iter().map(|unplanned| unplanned.reason.clone()));
    }

    /// Takes it that studies are stale for no problem: whoever plays today's does not mean them.
    pub(super) fn allow_stale(&mut self) {
        for key in std::mem::take(&mut self.stale).into_keys() {
            self.notes.push(format!("{key}: the study is stale, so its trials are not followed"));
        }
    }

    /// Notes a study of which nobody can play a trial again.
    pub(super) fn note_stale(&mut self, planned: &PlannedStudy) {
        if planned.status.is_stale() {
            self.stale.insert(planned.key.clone(), parts(planned.status.differences()));
        }
    }

    /// All problems, one a line.
    pub(super) fn problems(&self) -> Vec<String> {
        let stale = self.stale.iter().map(|(key, parts)| {
            let parts = parts.join(", ");
            format!("{key}: the study is stale: {parts} changed; `pipeline study {key}` runs it again")
        });
        let missing = self
            .missing
            .iter()
            .map(|key| format!("{key}: the study has not been run; `pipeline study {key}` runs it"));
        let again = self.recomputed.iter().flat_map(|(key, again)| {
            again.differences.iter().map(move |difference| format!("{key}: played again: {difference}"))
        });
        self.problems.iter().cloned().chain(stale).chain(missing).chain(again).collect()
    }

    /// What was checked, a line for people; nothing where there are no studies.
    pub(super) fn text(&self) -> Option<String> {
        followed(&self.checked).map(|text| format!("{text}\n"))
    }

    /// How far trials were played again, in a sentence; nothing where there was nothing to play.
    pub(super) fn shown(&self, is_whole: bool) -> Option<String> {
        let sum = |of: fn(&RecomputedTrials) -> u64| {
            self.recomputed.iter().map(|(_, again)| of(again)).sum::<u64>()
        };
        let (trials, games) = (sum(|again| again.trials.len() as u64), sum(|again| again.games));
        let stored = counted(sum(|again| again.stored), "stored trial");
        let extent = match is_whole {
            true => counted(games, "game"),
            false => format!("{}, one of each trial", counted(games, "game")),
        };
        let of = counted(self.recomputed.len() as u64, "study");
        (!self.recomputed.is_empty())
            .then(|| format!("Played {} of {stored} of {of} again ({extent}).", thousands(trials as f64)))
    }

    /// Stored trials that were not considered for playing again.
    pub(super) fn exempt(&self) -> u64 {
        self.recomputed.iter().map(|(_, again)| again.exempt).sum()
    }
}

/// How much was followed again, in a sentence; nothing where there are no studies.
pub(super) fn followed(studies: &[CheckedJob]) -> Option<String> {
    (!studies.is_empty()).then(|| Studies.summary(studies))
}

fn look(path: &ConfinedPath, papers: &[Paper]) -> Looked {
    match Studies.check(path, &StoredContext::of(papers)) {
        Ok(Some(checked)) => Looked::Checked(checked),
        Ok(None) => Looked::Orphan(path.clone()),
        Err(StoreError::Stale { differences, .. }) => {
            let key = studies::STUDY.key_at(path).expect("it was found at its place");
            Looked::Stale(key, parts(&differences))
        }
        Err(error) => Looked::Problem(chain(&error)),
    }
}

fn parts(differences: &[Difference]) -> Vec<String> {
    differences.iter().map(|part| part.component.clone()).collect()
}

/// The files of all studies of a results folder.
pub(super) fn stored_studies(layout: &Layout) -> Result<Vec<ConfinedPath>, Failure> {
    let tree = Tree::of(layout.root()).map_err(Failure::io)?;
    Ok(tree.parquet("studies").map(|name| layout.root().join(name)).collect())
}

/// Whether a file lies where the studies of a results folder do.
pub(super) fn is_study(path: &ConfinedPath) -> bool {
    let whole = std::path::absolute(path.path()).unwrap_or_else(|_| path.path().to_owned());
    whole.parent().and_then(Path::parent).is_some_and(|folder| folder.ends_with("studies"))
}
