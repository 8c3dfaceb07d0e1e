//! `pipeline verify`: stored jobs of every kind, checked without their agents, and on request with them.

mod bundle;
mod folder;
mod outcome;
mod recompute;

use std::path::{Path, PathBuf};

use super::{Failure, print_json, print_text};
use crate::cli;
use crate::context::Context;
use crate::failure::chain;
use crate::job::{AsJob, Job};
use crate::kinds::JobPlan;
use crate::plan::Selection;
use crate::recompute::Sampling;
use ::bundle::is_bundle;
use jobs::StoredContext;
use platform::{ConfinedPath, Entry, FileType};
use project::kinds;
use records::Layout;

pub(super) use outcome::VerifyOutcome;

pub(crate) fn verify(arguments: &cli::VerifyArgs) -> Result<(), Failure> {
    let with_agents = arguments.current || arguments.recompute > 0;
    if with_agents && !arguments.paths.is_empty() {
        let text = "--current and --recompute compare with manifests and agents, so they need a whole results folder: name it with \
                    --results instead";
        return Err(Failure::usage(text));
    }
    if let Some(path) = arguments.paths.iter().find(|path| is_bundle(path)) {
        if arguments.paths.len() > 1 {
            return Err(Failure::usage("a bundle is verified on its own: name only one path"));
        }
        return bundle::verify_bundle(path, arguments.json);
    }
    let mut outcome = VerifyOutcome::default();
    let manifests = outcome.manifests(&arguments.places.configs);
    for path in paths(arguments) {
        // With --current, missing records are a problem of the results, not of the command line.
        if !arguments.current {
            require_files(&path)?;
        }
        let artefacts = Some(artefacts(arguments, &path));
        let context = StoredContext { artefacts, ..StoredContext::of(&manifests) };
        outcome.check(&job_files(&path)?, &context);
        if is_results(&path) {
            outcome.check_folder(&Layout::below(&path));
        }
    }
    outcome.note_seals_only(&arguments.places.configs, manifests.is_empty());
    if with_agents {
        outcome.compare_with_agents(arguments)?;
    }
    if arguments.json {
        print_json(&outcome.json())?;
    } else {
        print_text(&outcome.text())?;
    }
    outcome.into_result()
}

impl VerifyOutcome {
    /// The manifests of a folder; a broken one is a problem.
    fn manifests(&mut self, configs: &Path) -> Vec<manifest::Paper> {
        if !configs.is_dir() {
            return Vec::new();
        }
        manifest::load_folder(configs).unwrap_or_else(|error| {
            self.manifest_problem = Some(chain(&error));
            Vec::new()
        })
    }

    /// Compares the results with today's manifests and agents. If no plan can be made, as when a file is
    /// broken, that is one more problem; by itself, a temporary error says nothing about the results.
    fn compare_with_agents(&mut self, arguments: &cli::VerifyArgs) -> Result<(), Failure> {
        let context = Context::load(&arguments.places, &[])?;
        let selection = Selection { with_extra: true, ..Selection::default() };
        let plan = match context.plan_jobs(&selection) {
            Ok(plan) => plan,
            Err(failure) if failure.may_pass() && self.problems().is_empty() => return Err(failure),
            Err(failure) => {
                self.not_current.push(failure.message().to_owned());
                return Ok(());
            }
        };
        self.note_unplanned(&plan);
        if arguments.current {
            self.require_current(&plan);
        }
        if arguments.recompute == 0 {
            return Ok(());
        }
        let seed = arguments.seed.unwrap_or_else(fresh_seed);
        let sample = Sampling { games: arguments.recompute, moves: None, seed };
        context.with_run_context(|run| {
            crate::kinds::all().into_iter().try_for_each(|kind| {
                let jobs = plan.jobs.iter().map(AsJob::as_job);
                let jobs: Vec<&dyn Job> = jobs.filter(|job| job.words() == kind.words()).collect();
                self.recompute(kind, &jobs, run, sample)
            })
        })
    }

    /// Adds every job of a plan whose result is not that of today's manifests and agents.
    pub(super) fn require_current(&mut self, plan: &JobPlan) {
        for job in &plan.jobs {
            self.add_not_current(job.as_ref());
            if job.fields().get("lacks_second_signature") == Some(&true.into()) {
                self.signed_once.push(job.key().to_string());
            }
        }
    }

    /// Adds the jobs whose agents failed before they could be asked.
    pub(super) fn note_unplanned(&mut self, plan: &JobPlan) {
        self.not_current.extend(plan.blocked.iter().map(|unplanned| unplanned.reason.clone()));
    }
}

/// The files and folders to verify: those that the user named, or the results folder.
fn paths(arguments: &cli::VerifyArgs) -> Vec<ConfinedPath> {
    let named = |path: &PathBuf| {
        if path.is_dir() { ConfinedPath::root(path) } else { ConfinedPath::file(path) }
    };
    let results = ConfinedPath::root(&arguments.places.out);
    match arguments.paths.is_empty() {
        true if !is_results(&results) => vec![results.join("records")],
        true => vec![results],
        false => arguments.paths.iter().map(named).collect(),
    }
}

/// Fails if a path has no file of a job, of which nothing could be wrong.
fn require_files(path: &ConfinedPath) -> Result<(), Failure> {
    let has_folder = kinds()[1..].iter().any(|kind| path.join(kind.words().folder).is_folder());
    if has_folder || !job_files(path)?.is_empty() {
        return Ok(());
    }
    Err(Failure::usage(format!(
        "{}: there is no records file in it; name one, a results folder or a bundle; `pipeline run` makes records",
        path.display()
    )))
}

/// Whether a folder is a results folder.
fn is_results(path: &ConfinedPath) -> bool {
    kinds().iter().any(|kind| path.join(kind.words().folder).exists())
}

/// The artefacts that belong to a path: those beside a named results folder, if it has some, or else those
/// that the command line names.
fn artefacts(arguments: &cli::VerifyArgs, path: &ConfinedPath) -> ConfinedPath {
    let is_named = !arguments.paths.is_empty() && is_results(path);
    let beside = || Some(path.path().canonicalize().ok()?.parent()?.join(cli::ARTEFACTS));
    let beside = is_named.then(beside).flatten().filter(|folder| folder.is_dir());
    ConfinedPath::root(beside.unwrap_or_else(|| arguments.places.loading.artefacts.clone()))
}

/// A seed that nobody could foresee, from the system's randomness.
pub(super) fn fresh_seed() -> u64 {
    use std::hash::BuildHasher as _;
    std::hash::RandomState::new().hash_one(std::process::id())
}

/// The files of jobs at a path: the file itself, those of a results folder, or those below another folder.
pub(super) fn job_files(path: &ConfinedPath) -> Result<Vec<ConfinedPath>, Failure> {
    let mut files = Vec::new();
    // A results folder has other Parquet files beside those of jobs.
    match path.is_folder() && is_results(path) {
        true => kinds().iter().try_for_each(|kind| walk(&path.join(kind.words().folder), &mut files))?,
        false if path.is_folder() => walk(path, &mut files)?,
        false => files.push(named_file(path)?),
    }
    files.sort();
    Ok(files)
}

fn named_file(path: &ConfinedPath) -> Result<ConfinedPath, Failure> {
    match path.kind() {
        // Links are not followed: opening one reports what it is.
        Ok(FileType::RegularFile | FileType::Symlink) => Ok(path.clone()),
        // A pipe would block.
        Ok(_) => Err(Failure::usage(format!("{}: this is neither a file nor a folder", path.display()))),
        Err(_) => Err(Failure::usage(format!(
            "{}: there is no such file or folder; `pipeline run` makes records",
            path.display()
        ))),
    }
}

fn walk(folder: &ConfinedPath, files: &mut Vec<ConfinedPath>) -> Result<(), Failure> {
    for Entry { path, kind } in folder.list_if_there().map_err(Failure::io)? {
        let is_parquet = path.path().extension().is_some_and(|extension| extension == "parquet");
        match kind {
            FileType::Directory if is_results(&path) => files.extend(job_files(&path)?),
            FileType::Directory => walk(&path, files)?,
            kind if is_parquet || kind == FileType::Symlink => files.push(path),
            _ => {}
        }
    }
    Ok(())
}
