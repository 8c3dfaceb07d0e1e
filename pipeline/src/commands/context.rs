//! What most commands need: the papers, the agents, the results folder, and how to start workers.

use std::path::PathBuf;

use indicatif::{ProgressBar, ProgressStyle};

use super::Failure;
use super::checksums::write_checksums;
use crate::cli::{Chosen, Places, Playing};
use crate::plan::{Plan, Planner, Selection};
use crate::run::{self, Display, Options, Progress};
use manifest::{self, Paper};
use records::index::Index;
use records::layout::Layout;
use records::sums::Scope;
use surroundings::interrupt;
use workers::catalogue::Catalogue;
use workers::worker::{Launcher, Limits};

/// The papers, the agents, the results folder, and how to start workers.
pub(super) struct Context {
    pub(super) papers: Vec<Paper>,
    pub(super) catalogue: Catalogue,
    pub(super) launcher: Launcher,
    pub(super) layout: Layout,
    /// The folder whose repository the provenance names.
    repository: Option<PathBuf>,
}

impl Context {
    /// Reads all manifests and looks through all plugins. Names that are files are manifests of the user's own.
    pub(super) fn load(places: &Places, names: &[String]) -> Result<Self, Failure> {
        let papers = papers(places, names)?;
        let launcher = launcher(places.loading.memory)?;
        let catalogue = Catalogue::discover(&launcher, &places.loading.plugins)?;
        let layout = Layout::new(&places.out);
        Ok(Self { papers, catalogue, launcher, layout, repository: Some(places.configs.clone()) })
    }

    /// The context of papers that no manifest's file holds.
    pub(super) fn of(papers: Vec<Paper>, catalogue: Catalogue, launcher: Launcher, layout: Layout) -> Self {
        Self { papers, catalogue, launcher, layout, repository: Some(PathBuf::from(".")) }
    }

    /// The same context with papers that came from elsewhere: whatever lies around them says nothing of where games are played.
    pub(super) fn of_others(self, papers: Vec<Paper>) -> Self {
        Self { papers, repository: None, ..self }
    }

    /// Plans the selected experiments, with a bar while their decision signatures are computed.
    pub(super) fn plan(&self, selection: &Selection) -> Result<Plan, Failure> {
        let Self { papers, catalogue, launcher, layout, .. } = self;
        let experiments = papers.iter().map(|paper| paper.experiments.len() as u64).sum();
        let bar = bar(experiments, "decision signatures");
        let planner = Planner { papers, catalogue, launcher, layout, on_planned: &|| bar.inc(1) };
        let plan = planner.plan(selection);
        bar.finish_and_clear();
        Ok(plan?)
    }

    /// Writes down which records belong to which experiment.
    pub(super) fn update_index(&self, plan: &Plan) -> Result<(), Failure> {
        let found = plan.experiments.iter().filter_map(|planned| planned.indexed().transpose());
        Index::update(&self.layout, &found.collect::<Result<Vec<_>, _>>()?)?;
        write_checksums(&self.layout, Scope::Played)
    }

    /// Plays what a plan lacks.
    pub(super) fn run(
        &self,
        plan: &Plan,
        playing: &Playing,
        is_fresh: bool,
        shard: Option<(u64, u64)>,
    ) -> Result<run::RunReport, Failure> {
        let playing_on = interrupt::Playing::begin().map_err(Failure::io)?;
        let options = Options {
            jobs: jobs(playing),
            is_fresh,
            shard,
            launcher: &self.launcher,
            repository: self.repository.clone(),
            stop: playing_on.stop(),
        };
        let progress = Progress::new(Display::fitting(playing.quiet || playing.json));
        let report = run::run(plan, &self.layout, &options, &progress);
        // Records may have been written before a run broke off.
        let listed = write_checksums(&self.layout, Scope::Played);
        let report = report?;
        listed.map(|()| report)
    }
}

/// A bar for work of so many pieces; it shows on terminals only.
pub(super) fn bar(pieces: u64, what: &'static str) -> ProgressBar {
    let bar = ProgressBar::new(pieces).with_message(what);
    if let Ok(style) = ProgressStyle::with_template("{msg} {bar:20} {pos}/{len} ETA {eta}") {
        bar.set_style(style.progress_chars("=> "));
    }
    bar
}

/// Reads all manifests. Names that are files are manifests of the user's own.
pub(super) fn papers(places: &Places, names: &[String]) -> Result<Vec<Paper>, Failure> {
    let mut own = Vec::new();
    for file in names.iter().filter(|name| is_manifest(name)) {
        own.push(manifest::load(file.as_ref())?);
    }
    // Whoever names a manifest needs no folder of them, and means that file and no other of the same name.
    let needs_folder = own.is_empty() || places.configs.exists();
    let mut papers = if needs_folder { manifest::load_folder(&places.configs)? } else { Vec::new() };
    papers.retain(|paper| !own.iter().any(|other| other.id == paper.id));
    papers.extend(own);
    Ok(papers)
}

/// A name that means a manifest's file, not a paper.
fn is_manifest(name: &str) -> bool {
    std::path::Path::new(name).extension().is_some_and(|extension| extension == "toml")
}

/// The names of papers and experiments, with files given as the papers that they hold.
pub(super) fn paper_names(names: &[String]) -> Vec<String> {
    let name = |name: &String| match std::path::Path::new(name).file_stem() {
        Some(stem) if is_manifest(name) => stem.to_string_lossy().into_owned(),
        _ => name.clone(),
    };
    names.iter().map(name).collect()
}

/// Fails where a name is neither a paper nor the file of one.
pub(super) fn require_known(papers: &[Paper], names: &[String]) -> Result<(), Failure> {
    let is_known = |name: &String| papers.iter().any(|paper| paper.id == *name);
    let Some(unknown) = paper_names(names).into_iter().find(|name| !is_known(name)) else { return Ok(()) };
    let known: Vec<&str> = papers.iter().map(|paper| paper.id.as_str()).collect();
    Err(Failure::usage(format!("no paper is called `{unknown}`; known: {}", known.join(", "))))
}

/// The experiments that were chosen.
pub(super) fn selection(chosen: &Chosen) -> Selection {
    Selection {
        names: paper_names(&chosen.names),
        with_extra: chosen.extra,
        games: chosen.games,
        ..Selection::default()
    }
}

/// Fails where an agent faulted before it could be given a game.
pub(super) fn require_all(plan: &Plan) -> Result<(), Failure> {
    let reasons: Vec<&str> = plan.unplanned.iter().map(|unplanned| unplanned.reason.as_str()).collect();
    if reasons.is_empty() { Ok(()) } else { Err(Failure::agent(reasons.join("\n"))) }
}

/// How to start workers with no more memory than this; 0 is no limit.
pub(super) fn launcher(memory_mib: u64) -> Result<Launcher, Failure> {
    let memory = (memory_mib > 0).then(|| memory_mib.saturating_mul(1 << 20));
    Launcher::of_this_program(Limits { memory, stdout_to: None }).map_err(Failure::io)
}

/// How many games are played at once.
pub(super) fn jobs(playing: &Playing) -> usize {
    playing.jobs.map_or_else(processors, usize::from)
}

/// How many processors there are.
pub(super) fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
