//! `pipeline verify`: stored records, replayed and checked.

use std::path::Path;

use super::context::Context;
use super::failure::chain;
use super::verify_bundle::verify_bundle;
use super::verify_folder::{Looked, look};
use super::verify_outcome::VerifyOutcome;
use super::verify_studies::is_study;
use super::verify_trainings::is_training;
use super::{Failure, print_json, print_text};
use crate::cli;
use crate::job::Job;
use crate::plan::PlannedStudy;
use crate::plan::StudyPlan;
use crate::plan::{Plan, Planned, Selection};
use crate::recompute::{Chances, Count, Sampling, recompute};
use crate::study::{recompute_trials, trials_to_play};
use bundle::is_bundle;
use engine::agent::Budget;
use jobs::Status;
use platform::confined::{ConfinedPath, Entry, FileType};
use platform::threads;
use records::layout::Layout;
use records::replay_file;
use trainings::Artefacts;
use workers::worker::Launcher;

pub(crate) fn verify(arguments: &cli::Verify) -> Result<(), Failure> {
    let with_agents = arguments.current || arguments.recompute != Count::Some(0);
    if with_agents && !arguments.paths.is_empty() {
        let text = "--current and --recompute compare with manifests and agents, so they need a whole results folder: name it with \
                    --results instead";
        return Err(Failure::usage(text));
    }
    if let Some(bundle) = arguments.paths.iter().find(|path| is_bundle(path)) {
        if arguments.paths.len() > 1 {
            return Err(Failure::usage("a bundle is verified on its own: name only one path"));
        }
        return verify_bundle(bundle, arguments.json);
    }
    let layout = Layout::new(&arguments.places.out);
    let paths = match arguments.paths.is_empty() {
        // A search whose winners have not been played leaves no records, and neither does a training.
        true if is_results(layout.root()) && !layout.all_records().exists() => Vec::new(),
        true => vec![layout.all_records()],
        false => arguments.paths.iter().map(|path| named(path)).collect(),
    };
    let mut outcome = VerifyOutcome::default();
    // Where records are required to be those of today, that there are none is a finding.
    if !arguments.current {
        paths.iter().try_for_each(require_records)?;
    }
    let (of_studies, others): (Vec<ConfinedPath>, Vec<ConfinedPath>) =
        records_files(&paths)?.into_iter().partition(is_study);
    let (of_trainings, records): (Vec<ConfinedPath>, Vec<ConfinedPath>) =
        others.into_iter().partition(is_training);
    outcome.replay(&records);
    outcome.studies.check_by(&of_studies, &arguments.places.configs);
    outcome.trainings.check(&of_trainings, Some(&artefacts(arguments, None)));
    outcome.look_at_folders(&layout, arguments);
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

impl VerifyOutcome {
    /// Compares the records with today's manifests and agents. That no plan can be made, as when a file is broken, is one more
    /// problem, and no reason to keep the others back; by itself, a trouble that may pass is no verdict on the records.
    fn compare_with_agents(&mut self, arguments: &cli::Verify) -> Result<(), Failure> {
        let context = Context::load(&arguments.places, &[])?;
        let selection = Selection { with_extra: true, ..Selection::default() };
        let plan = self.planned(context.plan(&selection))?;
        let studies = self.planned(context.plan_studies(&selection))?;
        let Some((plan, studies)) = plan.zip(studies) else { return Ok(()) };
        if arguments.current {
            self.require_current(&plan);
            self.studies.require_current(&studies);
            self.trainings.require_current(&context.project.trainings, |agent| context.training_info(agent));
        } else {
            self.note_unplanned(&plan);
        }
        self.studies.note_unplanned(&studies);
        let seed = arguments.seed.unwrap_or_else(fresh_seed);
        let sample = Sampling { games: arguments.recompute, moves: None, seed };
        self.recompute(&plan, &context.launcher, sample)?;
        self.recompute_trials(&studies, &context.launcher, sample)?;
        match arguments.recompute {
            Count::Some(0) => Ok(()),
            _ => self.trainings.retrain(&context),
        }
    }

    /// A plan, if one can be made.
    fn planned<P>(&mut self, plan: Result<P, Failure>) -> Result<Option<P>, Failure> {
        match plan {
            Ok(plan) => Ok(Some(plan)),
            Err(failure) if failure.may_pass() && self.problems().is_empty() => Err(failure),
            Err(failure) => {
                self.not_current.push(failure.message().to_owned());
                Ok(None)
            }
        }
    }

    /// Looks at the rest of every results folder among the paths; without paths, of the one that is meant then.
    fn look_at_folders(&mut self, layout: &Layout, arguments: &cli::Verify) {
        let paths = &arguments.paths;
        let named = paths.iter().filter(|path| is_results(&ConfinedPath::root(*path)));
        let named = named.map(|path| (Layout::new(path), artefacts(arguments, Some(path))));
        let own = paths.is_empty().then(|| (layout.clone(), artefacts(arguments, None)));
        let replayed = self.files.iter().map(|file| (file.file.as_path(), file)).collect();
        let looked: Vec<(Looked, Artefacts)> =
            own.into_iter().chain(named).map(|(layout, files)| (look(&layout, &replayed), files)).collect();
        for (Looked { problems, notes, studies, trainings }, files) in looked {
            self.studies.check_by(&studies, &arguments.places.configs);
            self.trainings.check(&trainings, Some(&files));
            self.folder.extend(problems);
            self.notes.extend(notes);
        }
    }

    /// Replays every file, several at a time.
    pub(super) fn replay(&mut self, files: &[ConfinedPath]) {
        for replayed in threads::map(files, replay_file) {
            match replayed {
                Ok(verified) => self.files.push(verified),
                Err(error) => self.unreadable.push(chain(&error)),
            }
        }
    }

    /// Plays games of every experiment with records again. That stale ones cannot be is a problem: nothing is known of them.
    pub(super) fn recompute(
        &mut self,
        plan: &Plan,
        launcher: &Launcher,
        sample: Sampling,
    ) -> Result<(), Failure> {
        if sample.games == Count::Some(0) {
            return Ok(());
        }
        let stored = plan.jobs.iter().filter(|planned| planned.path.exists());
        let (repeatable, other): (Vec<&Planned>, Vec<&Planned>) =
            stored.partition(|planned| planned.repeats());
        self.not_repeatable.extend(other.iter().map(|planned| planned.key.to_string()));
        let (stale, current): (Vec<&Planned>, Vec<&Planned>) =
            repeatable.into_iter().partition(|planned| planned.status.is_stale());
        stale.into_iter().for_each(|planned| self.note_not_current(planned));
        let bar = super::context::bar(games_to_play(&current, sample.games), "playing games again");
        self.recomputed = recompute(&current, launcher, sample, &|| bar.inc(1))?;
        bar.finish_and_clear();
        self.seed = Some(format!("{:016x}", sample.seed));
        self.recomputed_moves = sample.moves;
        self.chances = Some(Chances::of(self.recomputed.iter().map(|(_, recomputed)| recomputed)));
        Ok(())
    }

    /// Plays trials of every stored study again. That stale ones cannot be is a problem: nothing is known of them.
    pub(super) fn recompute_trials(
        &mut self,
        plan: &StudyPlan,
        launcher: &Launcher,
        sample: Sampling,
    ) -> Result<(), Failure> {
        if sample.games == Count::Some(0) {
            return Ok(());
        }
        let (repeatable, other): (Vec<&PlannedStudy>, Vec<&PlannedStudy>) = plan
            .jobs
            .iter()
            .filter(|planned| planned.status != Status::Missing)
            .partition(|planned| !matches!(planned.study.budget, Budget::TimeNs(_)));
        self.not_repeatable.extend(other.iter().map(|planned| planned.key.to_string()));
        let (whole, stale): (Vec<&PlannedStudy>, Vec<&PlannedStudy>) =
            repeatable.into_iter().partition(|planned| planned.status.is_complete());
        stale.into_iter().for_each(|planned| self.studies.note_stale(planned));
        let trials = whole.iter().map(|planned| trials_to_play(planned, sample.games)).sum();
        let bar = super::context::bar(trials, "playing trials again");
        self.studies.recomputed = recompute_trials(&whole, launcher, sample, &|| bar.inc(1))?;
        bar.finish_and_clear();
        Ok(())
    }

    /// Notes every experiment of the plan whose records are not those of today, or that nobody can tell of, since its agent
    /// failed before it could be asked.
    pub(super) fn require_current(&mut self, plan: &Plan) {
        self.note_unplanned(plan);
        plan.jobs.iter().for_each(|planned| self.note_not_current(planned));
        let signed_once = plan.jobs.iter().filter(|planned| planned.lacks_second_signature);
        self.signed_once.extend(signed_once.map(|planned| planned.key.to_string()));
    }

    /// Notes an experiment, once, whose records are not those of today.
    fn note_not_current(&mut self, planned: &Planned) {
        let problem = (planned as &dyn Job).not_current();
        if let Some(problem) = problem.filter(|problem| !self.not_current.contains(problem)) {
            self.not_current.push(problem);
        }
    }

    fn note_unplanned(&mut self, plan: &Plan) {
        self.not_current.extend(plan.blocked.iter().map(|unplanned| unplanned.reason.clone()));
    }
}

/// Fails where a path has no records file, of which nothing could be wrong.
fn require_records(path: &ConfinedPath) -> Result<(), Failure> {
    let has_others = ["studies", "trainings"].iter().any(|part| path.join(part).is_folder());
    if has_others || !records_files(std::slice::from_ref(path))?.is_empty() {
        return Ok(());
    }
    Err(Failure::usage(format!(
        "{}: there is no records file in it; name one, a results folder or a bundle; `pipeline run` makes records",
        path.display()
    )))
}

/// Whether a folder is a results folder.
fn is_results(path: &ConfinedPath) -> bool {
    ["records", "studies", "trainings"].iter().any(|part| path.join(part).exists())
}

/// A path that the user named: a folder or a file.
fn named(path: &Path) -> ConfinedPath {
    if path.is_dir() { ConfinedPath::root(path) } else { ConfinedPath::file(path) }
}

/// The artefacts of a results folder: those beside it where it is named and has some, or else those that the command line means.
fn artefacts(arguments: &cli::Verify, named: Option<&Path>) -> Artefacts {
    let beside = named.and_then(|path| Some(path.canonicalize().ok()?.parent()?.join(cli::ARTEFACTS)));
    Artefacts::new(
        beside.filter(|folder| folder.is_dir()).unwrap_or(arguments.places.loading.artefacts.clone()),
    )
}

/// A seed that nobody could foresee, from the system's randomness.
pub(super) fn fresh_seed() -> u64 {
    use std::hash::BuildHasher as _;
    std::hash::RandomState::new().hash_one(std::process::id())
}

/// How many games are to be played again, as far as it is known.
fn games_to_play(experiments: &[&Planned], games: Count) -> u64 {
    let most = match games {
        Count::Some(most) => most,
        Count::All => u64::MAX,
    };
    experiments.iter().map(|planned| planned.status.rows().min(most)).sum()
}

/// The records files among these files and below these folders, sorted.
pub(super) fn records_files(paths: &[ConfinedPath]) -> Result<Vec<ConfinedPath>, Failure> {
    let mut files = Vec::new();
    for path in paths {
        collect(path, &mut files)?;
    }
    files.sort();
    files.dedup();
    Ok(files)
}

fn collect(path: &ConfinedPath, files: &mut Vec<ConfinedPath>) -> Result<(), Failure> {
    if !path.is_folder() {
        return match path.kind() {
            // Links are not followed: opening one reports what it is.
            Ok(FileType::RegularFile | FileType::Symlink) => {
                files.push(path.clone());
                Ok(())
            }
            // A pipe would block.
            Ok(_) => Err(Failure::usage(format!("{}: this is neither a file nor a folder", path.display()))),
            Err(_) => Err(Failure::usage(format!(
                "{}: there is no such file or folder; `pipeline run` makes records",
                path.display()
            ))),
        };
    }
    // A results folder has other Parquet files beside its records, and need not have records.
    let folder = if is_results(path) { path.join("records") } else { path.clone() };
    for Entry { path, kind } in folder.list_if_there().map_err(Failure::io)? {
        let is_parquet = path.path().extension().is_some_and(|extension| extension == "parquet");
        if kind == FileType::Directory {
            collect(&path, files)?;
        } else if is_parquet || kind == FileType::Symlink {
            files.push(path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::BlockedJob;
    use jobs::Key;

    #[test]
    fn records_of_an_agent_that_fails_before_it_is_asked_are_not_current() {
        let key = Key::new("p", "e");
        let unplanned =
            BlockedJob { key, reason: "p.toml: experiment `e`: it crashed".to_owned(), missing: None };
        let plan = Plan { jobs: Vec::new(), blocked: vec![unplanned] };
        let mut outcome = VerifyOutcome::default();
        outcome.require_current(&plan);
        assert_eq!(outcome.not_current, ["p.toml: experiment `e`: it crashed"]);
    }
}
