//! The outcome of verifying, for people and for scripts.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};

use crate::commands::Failure;
use crate::failure::chain;
use crate::job::Job;
use crate::recompute::Recomputation;
use jobs::identity::components;
use jobs::{CheckedJob, Key, StoreError, StoredContext, StoredKind, Words};
use platform::{ConfinedPath, threads};
use project::kinds;
use text::{counted, counted_verb};

/// All that was checked.
pub(in crate::commands) struct VerifyOutcome {
    /// The files of each kind, in the order of the kinds.
    kinds: Vec<CheckedKind>,
    /// The jobs that are stale, by kind and key, with the words for it.
    stale: BTreeMap<(&'static str, Key), String>,
    /// The files of which only the seal could be checked.
    seals_only: Vec<(&'static Words, ConfinedPath)>,
    /// The problem with the manifests, if they were needed.
    pub(super) manifest_problem: Option<String>,
    /// The results of running stored jobs again.
    pub(super) recomputations: Vec<(&'static Words, Recomputation)>,
    /// Jobs under a wall-clock budget or marked as nondeterministic, which do not repeat.
    pub(super) not_repeatable: Vec<String>,
    /// Jobs whose results are not those of today's manifests and agents.
    pub(in crate::commands) not_current: Vec<String>,
    /// Experiments whose records are signed on the first set of frozen positions only.
    pub(super) signed_once: Vec<String>,
    /// Problems with the rest of a results folder.
    pub(super) folder: Vec<String>,
    /// Notes that are not problems.
    pub(super) notes: Vec<String>,
}

impl Default for VerifyOutcome {
    fn default() -> Self {
        Self {
            kinds: kinds().iter().map(|_| CheckedKind::default()).collect(),
            stale: BTreeMap::new(),
            seals_only: Vec::new(),
            manifest_problem: None,
            recomputations: Vec::new(),
            not_repeatable: Vec::new(),
            not_current: Vec::new(),
            signed_once: Vec::new(),
            folder: Vec::new(),
            notes: Vec::new(),
        }
    }
}

/// The files of a kind.
#[derive(Default)]
struct CheckedKind {
    checked: Vec<CheckedJob>,
    /// Problems of files that could not be checked to their end.
    problems: Vec<String>,
}

impl VerifyOutcome {
    /// Checks files, several at a time, each by the kind in whose folder it lies. Files elsewhere are taken
    /// for records.
    pub(in crate::commands) fn check(&mut self, files: &[ConfinedPath], context: &StoredContext<'_>) {
        let kind_of = |path: &ConfinedPath| {
            kinds().iter().position(|kind| kind.words().is_place(path)).unwrap_or_default()
        };
        let checked = threads::map(files, |path| kinds()[kind_of(path)].check(path, context));
        for (path, checked) in files.iter().zip(checked) {
            let place = kind_of(path);
            let words = kinds()[place].words();
            match checked {
                Ok(Some(checked)) => self.kinds[place].checked.push(checked),
                Ok(None) => self.seals_only.push((words, path.clone())),
                Err(StoreError::Stale { differences, .. }) => {
                    let Some(key) = words.key_at(path) else { continue };
                    let Words { kind, command, .. } = words;
                    let text = format!(
                        "{key}: the {kind} is stale: {} changed; `pipeline {command} {key}` runs what is needed",
                        components(&differences)
                    );
                    self.stale.insert((kind, key), text);
                }
                Err(error) => self.kinds[place].problems.push(chain(&error)),
            }
        }
    }

    /// Adds notes on the files of which only the seal could be checked.
    pub(super) fn note_seals_only(&mut self, configs: &Path, are_manifests_missing: bool) {
        if self.seals_only.is_empty() {
            return;
        }
        self.folder.extend(self.manifest_problem.take());
        if are_manifests_missing {
            let Words { kind, .. } = self.seals_only[0].0;
            self.notes.push(format!(
                "{}: without manifests, only the seals of {} are checked; name their folder with --configs",
                configs.display(),
                counted(self.seals_only.len() as u64, kind)
            ));
            return;
        }
        let note = |(words, path): &(&'static Words, ConfinedPath)| {
            let key = words.key_at(path).map_or_else(String::new, |key| format!(" {key}"));
            format!("{}: no manifest has {}{key}, so only its seal is checked", path.display(), words.kind)
        };
        self.notes.extend(self.seals_only.iter().map(note));
    }

    /// Treats stale jobs as no problem: the results of today's manifests are meant.
    pub(in crate::commands) fn allow_stale(&mut self) {
        for (kind, key) in std::mem::take(&mut self.stale).into_keys() {
            self.notes.push(format!("{key}: the {kind} is stale, so it is not verified"));
        }
    }

    /// Adds a job, once, whose result is not that of today's manifests and agents.
    pub(super) fn add_not_current(&mut self, job: &dyn Job) {
        let Some(problem) = job.not_current() else { return };
        if job.status().is_stale() {
            self.stale.insert((job.words().kind, job.key().clone()), problem);
        } else if !self.not_current.contains(&problem) {
            self.not_current.push(problem);
        }
    }

    /// The files that were checked, by path.
    pub(in crate::commands) fn checked(&self) -> BTreeMap<&Path, &CheckedJob> {
        let all = self.kinds.iter().flat_map(|kind| &kind.checked);
        all.map(|file| (file.file.as_path(), file)).collect()
    }

    /// All problems, one a line.
    pub(in crate::commands) fn problems(&self) -> Vec<String> {
        let in_files = self.kinds.iter().flat_map(|kind| {
            let in_files = kind.checked.iter().flat_map(CheckedJob::problem_lines);
            in_files.chain(kind.problems.iter().cloned())
        });
        let again = self.recomputations.iter().flat_map(|(_, again)| again.differences.iter().cloned());
        let rest = self.stale.values().chain(&self.not_current).chain(&self.folder).cloned();
        in_files.chain(again).chain(rest).collect()
    }

    /// What was verified, for people.
    pub(in crate::commands) fn text(&self) -> String {
        let mut lines = Vec::new();
        let of_kinds = self.of_kinds().map(|(kind, checked)| kind.summary(checked));
        lines.extend(of_kinds);
        lines.extend(self.recomputations.iter().flat_map(|(_, again)| again.lines.iter().cloned()));
        let listed = [
            (
                &self.not_repeatable,
                "Not played again, because no run repeats them (wall-clock budget, or marked as nondeterministic)",
            ),
            (&self.signed_once, "Signed on the first set of positions only, which `pipeline run` extends"),
        ];
        let listed = listed.into_iter().filter(|(names, _)| !names.is_empty());
        lines.extend(listed.map(|(names, why)| format!("{why}: {}.", names.join(", "))));
        for (words, again) in self.recomputations.iter().filter(|(_, again)| again.exempt > 0) {
            let rows = counted(again.exempt, words.row);
            lines.push(format!("Not considered for playing again: {rows} that ended by time or memory."));
        }
        lines.extend(self.notes.iter().cloned());
        let problems = self.problems();
        let verdict = if problems.is_empty() { "All as stored" } else { "Not all as stored" };
        lines.extend(problems.into_iter().map(|problem| format!("  {problem}")));
        lines.push(format!("{verdict}. {}", self.shown()));
        lines.join("\n") + "\n"
    }

    /// What has been shown, and how far it goes.
    fn shown(&self) -> String {
        let shown: Vec<&str> =
            self.recomputations.iter().filter_map(|(_, again)| again.shown.as_deref()).collect();
        if !shown.is_empty() {
            return shown.join(" ");
        }
        let checked: Vec<&str> = self.of_kinds().map(|(kind, _)| kind.words().checked).collect();
        format!(
            "{}. No agent ran, so this does not show which agent gave these results; `--recompute N` does.",
            text::capitalised(&checked.join(", and "))
        )
    }

    /// The kinds of which files were checked; experiments if there are none.
    fn of_kinds(&self) -> impl Iterator<Item = (&'static dyn StoredKind, &[CheckedJob])> {
        let is_empty = self.kinds.iter().all(|kind| kind.checked.is_empty());
        let all = kinds().into_iter().zip(&self.kinds).enumerate();
        let shown =
            all.filter(move |(place, (_, of_kind))| !of_kind.checked.is_empty() || is_empty && *place == 0);
        shown.map(|(_, (kind, of_kind))| (kind, &of_kind.checked[..]))
    }

    /// All of it, for scripts.
    pub(in crate::commands) fn json(&self) -> Value {
        let mut all = json!({
            "not_repeatable": self.not_repeatable,
            "not_current": self.stale.values().chain(&self.not_current).collect::<Vec<_>>(),
            "signed_once": self.signed_once,
            "folder": self.folder,
            "notes": self.notes,
        });
        for (place, (kind, CheckedKind { checked, problems })) in kinds().iter().zip(&self.kinds).enumerate()
        {
            let words = kind.words();
            let again = self.recomputations.iter().filter(|(kind, _)| *kind == words);
            let again = again.flat_map(|(_, again)| again.fields.clone());
            // Experiments were first, and have no level of their own.
            if place == 0 {
                (all["files"], all["unreadable"]) = (json!(checked), json!(problems));
                again.for_each(|(name, value)| all[name] = value);
            } else {
                all[words.kinds] = json!({"checked": checked, "problems": problems});
                again.for_each(|(name, value)| all[words.kinds][name] = value);
            }
        }
        all
    }

    pub(in crate::commands) fn into_result(self) -> Result<(), Failure> {
        problems_found(self.problems().len())
    }
}

/// Fails if problems were found.
pub(super) fn problems_found(count: usize) -> Result<(), Failure> {
    let found = counted_verb(count as u64, "problem", ["was", "were"]);
    if count == 0 { Ok(()) } else { Err(Failure::check(format!("{found} found"))) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn problems_are_in_the_last_line_too() {
        let mut outcome = VerifyOutcome::default();
        assert!(outcome.text().contains("No agent ran"));
        let recomputation = Recomputation {
            differences: vec!["p/e: played again: game 3: another".to_owned()],
            exempt: 2,
            shown: Some("Played 10 of 100".to_owned()),
            ..Recomputation::default()
        };
        outcome.recomputations.push((kinds()[0].words(), recomputation));
        let text = outcome.text();
        assert!(text.contains("2 games that ended by time or memory"), "{text}");
        assert!(text.contains("  p/e: played again: game 3: another\n"), "{text}");
        assert_eq!(text.lines().last(), Some("Not all as stored. Played 10 of 100"));
    }
}
