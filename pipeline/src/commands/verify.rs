//! `pipeline verify`: stored records, replayed and checked.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::context::Context;
use super::failure::chain;
use super::verify_bundle::verify_bundle;
use super::{Failure, print_json, print_text};
use crate::bundle::is_bundle;
use crate::cli;
use crate::format::counted;
use crate::layout::Layout;
use crate::plan::{Plan, Planned, Selection, State};
use crate::verify::{Recomputed, Sample, Verified, recompute, replay_file};
use crate::worker::Launcher;

/// All that was looked at.
#[derive(Default, Serialize)]
pub(super) struct Outcome {
    pub(super) files: Vec<Verified>,
    pub(super) unreadable: Vec<String>,
    pub(super) recomputed: Vec<(String, Recomputed)>,
    /// Experiments with records that no game can be expected to repeat: stale ones, and those under a wall-clock budget.
    pub(super) not_recomputed: Vec<String>,
    /// Experiments of whose stored games a fault ended every one, so that none was played again.
    pub(super) only_faults: Vec<String>,
    pub(super) not_current: Vec<String>,
}

pub(crate) fn verify(arguments: &cli::Verify) -> Result<(), Failure> {
    let with_agents = arguments.current || arguments.recompute > 0;
    if with_agents && !arguments.paths.is_empty() {
        let text = "--current and --recompute compare with manifests and agents, so they take a whole results folder: name it with \
                    --out instead";
        return Err(Failure::usage(text));
    }
    if let Some(bundle) = arguments.paths.iter().find(|path| is_bundle(path)) {
        if arguments.paths.len() > 1 {
            return Err(Failure::usage("a bundle is verified by itself: name one path"));
        }
        return verify_bundle(bundle, arguments.json);
    }
    let layout = Layout::new(&arguments.places.out);
    let paths = if arguments.paths.is_empty() {
        vec![layout.root().join("records")]
    } else {
        arguments.paths.clone()
    };
    let mut outcome = Outcome::default();
    // Where records are required to be those of today, that there are none is a finding.
    if !arguments.current {
        paths.iter().try_for_each(require_records)?;
    }
    outcome.replay(&records_files(&paths)?);
    if with_agents {
        outcome.compare_with_agents(arguments)?;
    }
    if arguments.json {
        print_json(&outcome)?;
    } else {
        print_text(&outcome.text())?;
    }
    outcome.into_result()
}

impl Outcome {
    /// Compares the records with today's manifests and agents. That no plan can be made, as when a file is broken, is one more
    /// problem, and no reason to keep the others back; by itself, a trouble that may pass is no verdict on the records.
    fn compare_with_agents(&mut self, arguments: &cli::Verify) -> Result<(), Failure> {
        let context = Context::load(&arguments.places, &[])?;
        let plan = match context.plan(&Selection { with_extra: true, ..Selection::default() }) {
            Ok(plan) => plan,
            Err(failure) if failure.may_pass() && self.problems().is_empty() => return Err(failure),
            Err(failure) => {
                self.not_current.push(failure.message().to_owned());
                return Ok(());
            }
        };
        if arguments.current {
            self.require_current(&plan);
        } else {
            self.note_unplanned(&plan);
        }
        self.recompute(&plan, &context.launcher, Sample { games: arguments.recompute, moves: None })
    }

    /// Replays every file.
    pub(super) fn replay(&mut self, files: &[PathBuf]) {
        for file in files {
            match replay_file(file) {
                Ok(verified) => self.files.push(verified),
                Err(error) => self.unreadable.push(chain(&error)),
            }
        }
    }

    /// Plays games of every experiment whose records are current again.
    pub(super) fn recompute(
        &mut self,
        plan: &Plan,
        launcher: &Launcher,
        sample: Sample,
    ) -> Result<(), Failure> {
        if sample.games == 0 {
            return Ok(());
        }
        for planned in &plan.experiments {
            if can_recompute(planned) {
                self.note_recomputed(planned.key.to_string(), recompute(planned, launcher, sample)?);
            } else if planned.path.exists() {
                self.not_recomputed.push(planned.key.to_string());
            }
        }
        Ok(())
    }

    fn note_recomputed(&mut self, experiment: String, recomputed: Recomputed) {
        if recomputed.games.is_empty() {
            self.only_faults.push(experiment);
        } else {
            self.recomputed.push((experiment, recomputed));
        }
    }

    /// Notes every experiment of the plan whose records are not those of today, or that nobody can tell of, since its agent
    /// failed before it could be asked.
    pub(super) fn require_current(&mut self, plan: &Plan) {
        self.note_unplanned(plan);
        for planned in &plan.experiments {
            let problem = match &planned.state {
                State::Complete { .. } => continue,
                State::Missing if planned.experiment.set == crate::manifest::Set::Extra => continue,
                State::Missing => "there are no records".to_owned(),
                State::Partial { games } => format!("{games} of {} games are stored", planned.games),
                State::Stale { differences } => {
                    let parts: Vec<&str> = differences.iter().map(|part| part.component.as_str()).collect();
                    format!("the records are stale: {} changed", parts.join(", "))
                }
            };
            let key = &planned.key;
            self.not_current.push(format!("{key}: {problem}; `pipeline run {key}` plays what is needed"));
        }
    }

    fn note_unplanned(&mut self, plan: &Plan) {
        self.not_current.extend(plan.unplanned.iter().map(|unplanned| unplanned.reason.clone()));
    }

    /// All problems, one a line.
    pub(super) fn problems(&self) -> Vec<String> {
        let in_files = self.files.iter().flat_map(|file| {
            let more = file.problem_count - file.problems.len() as u64;
            let told = file.problems.iter().map(|problem| format!("{}: {problem}", file.file.display()));
            let rest = (more > 0).then(|| format!("{}: and {more} problems more", file.file.display()));
            told.chain(rest).collect::<Vec<_>>()
        });
        let again = self.recomputed.iter().flat_map(|(experiment, recomputed)| {
            recomputed
                .differences
                .iter()
                .map(move |difference| format!("{experiment}: played again: {difference}"))
        });
        let read = self.unreadable.iter().cloned();
        in_files.chain(read).chain(again).chain(self.not_current.iter().cloned()).collect()
    }

    /// What was verified, for people.
    pub(super) fn text(&self) -> String {
        let games: u64 = self.files.iter().map(|file| file.games).sum();
        let moves: u64 = self.files.iter().map(|file| file.moves).sum();
        let mut text = format!(
            "Replayed {} ({}) in {}.\n",
            counted(games, "game"),
            counted(moves, "move"),
            counted(self.files.len() as u64, "file")
        );
        if !self.recomputed.is_empty() {
            let games: u64 = self.recomputed.iter().map(|(_, again)| again.games.len() as u64).sum();
            let moves: u64 = self.recomputed.iter().map(|(_, again)| again.moves).sum();
            text.push_str(&format!(
                "Played {} again with their agents ({}).\n",
                counted(games, "game"),
                counted(moves, "move")
            ));
        }
        if !self.not_recomputed.is_empty() {
            let names = self.not_recomputed.join(", ");
            text.push_str(&format!("Not played again, being stale or under a wall-clock budget: {names}.\n"));
        }
        if !self.only_faults.is_empty() {
            let names = self.only_faults.join(", ");
            text.push_str(&format!("Not played again, since a fault ended every stored game: {names}.\n"));
        }
        let problems = self.problems();
        problems.iter().for_each(|problem| text.push_str(&format!("  {problem}\n")));
        if problems.is_empty() {
            text.push_str("All as stored.\n");
        }
        text
    }

    pub(super) fn into_result(self) -> Result<(), Failure> {
        match self.problems().len() {
            0 => Ok(()),
            1 => Err(Failure::check("1 problem was found")),
            count => Err(Failure::check(format!("{count} problems were found"))),
        }
    }
}

/// Fails where a path has no records file, of which nothing could be wrong.
fn require_records(path: &PathBuf) -> Result<(), Failure> {
    if !records_files(std::slice::from_ref(path))?.is_empty() {
        return Ok(());
    }
    Err(Failure::usage(format!(
        "{}: there is no records file in it; name one, a folder of results or a bundle; `pipeline run` makes records",
        path.display()
    )))
}

/// Whether an experiment's stored games can be expected to repeat.
fn can_recompute(planned: &Planned) -> bool {
    let is_stored = matches!(planned.state, State::Complete { .. } | State::Partial { .. });
    is_stored && planned.identity.signature.is_some()
}

/// The records files among these files and below these folders, sorted.
pub(super) fn records_files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for path in paths {
        collect(path, &mut files)?;
    }
    files.sort();
    files.dedup();
    Ok(files)
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) -> Result<(), Failure> {
    if !path.is_dir() {
        if !path.exists() {
            let text =
                format!("{}: there is no such file or folder; `pipeline run` makes records", path.display());
            return Err(Failure::usage(text));
        }
        files.push(path.to_owned());
        return Ok(());
    }
    // A results folder has other Parquet files beside its records.
    let path = if path.join("records").is_dir() { path.join("records") } else { path.to_owned() };
    for entry in fs::read_dir(path).map_err(Failure::io)? {
        let entry = entry.map_err(Failure::io)?.path();
        if entry.is_dir() || entry.extension().is_some_and(|extension| extension == "parquet") {
            collect(&entry, files)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::Key;
    use crate::plan::Unplanned;

    #[test]
    fn records_of_an_agent_that_fails_before_it_is_asked_are_not_current() {
        let key = Key { paper: "p".to_owned(), experiment: "e".to_owned() };
        let unplanned = Unplanned { key, reason: "p.toml: experiment `e`: it crashed".to_owned() };
        let plan = Plan { experiments: Vec::new(), unplanned: vec![unplanned] };
        let mut outcome = Outcome::default();
        outcome.require_current(&plan);
        assert_eq!(outcome.not_current, ["p.toml: experiment `e`: it crashed"]);
    }

    #[test]
    fn it_is_said_where_a_fault_ended_every_stored_game() {
        let mut outcome = Outcome::default();
        outcome.note_recomputed("p/e".to_owned(), Recomputed::default());
        outcome.note_recomputed("p/f".to_owned(), Recomputed { games: vec![3], ..Recomputed::default() });
        let text = outcome.text();
        assert!(text.contains("Played 1 game again"), "{text}");
        assert!(text.contains("Not played again, since a fault ended every stored game: p/e.\n"), "{text}");
    }
}
