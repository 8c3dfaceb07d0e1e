//! What most commands need: the papers, the agents, the results folder, and how to start workers.

use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use indicatif::{ProgressBar, ProgressStyle};

use crate::checksums::write_checksums;
use crate::cli::{JobOptions, Places, PlayOptions};
use crate::failure::Failure;
use crate::job::{AsJob, Job, Words};
use crate::kinds::{self, JobPlan, Kind, RunContext, TypedKind};
use crate::plan::{BlockedJob, Listed, Missing, Plan, PlanError, Planner, Selection, training_info};
use crate::progress::{Display, Progress};
use crate::run::{JobResult, Options, RunReport};
use jobs::{Blocked, Key, Unavailable};
use manifest::{self, Paper};
use platform::interrupt;
use project::Project;
use records::{Experiments, FolderLock, Index, Layout, Provenance, Scope};
use text::counted;
use trainings::{Artefacts, Cost, ReadTraining};
use workers::{Catalogue, Launcher, Limits};

/// Up to how many studies are named that experiments wait for.
const FEW: usize = 3;

/// The project, the agents, the results folder, and how to start workers.
pub(crate) struct Context {
    pub(crate) project: Project,
    /// The store of agents' files.
    pub(crate) artefacts: Artefacts,
    pub(crate) catalogue: Catalogue,
    pub(crate) launcher: Launcher,
    pub(crate) layout: Layout,
    /// The folder whose repository the provenance names.
    repository: Option<PathBuf>,
}

impl Context {
    /// Reads all manifests and looks through all plugins. Names that are files are manifests of the user's
    /// own.
    pub(crate) fn load(places: &Places, names: &[String]) -> Result<Self, Failure> {
        let papers = papers(places, names)?;
        let launcher = launcher(places.loading.memory)?;
        let catalogue = Catalogue::discover(&launcher, &places.loading.plugins)?;
        let artefacts = Artefacts::new(&places.loading.artefacts);
        let context = Self::of(papers, catalogue, launcher, Layout::new(&places.out), artefacts);
        Ok(Self { repository: Some(places.configs.clone()), ..context })
    }

    /// The context of papers that no manifest's file holds.
    pub(crate) fn of(
        papers: Vec<Paper>,
        catalogue: Catalogue,
        launcher: Launcher,
        layout: Layout,
        artefacts: Artefacts,
    ) -> Self {
        let project = Project::resolve(papers, &layout, |agent| training_info(&catalogue, agent));
        Self { project, artefacts, catalogue, launcher, layout, repository: Some(PathBuf::from(".")) }
    }

    /// The same context with a project from elsewhere. Its folder says nothing about where games are played.
    pub(crate) fn of_others(self, project: Project) -> Self {
        Self { project, repository: None, ..self }
    }

    /// The same context with artefacts that lie elsewhere.
    pub(crate) fn with_artefacts(self, artefacts: Artefacts) -> Self {
        Self { artefacts, ..self }
    }

    /// The names among these that are jobs of a kind.
    pub(crate) fn names_of(&self, kind: &dyn Kind, names: &[String]) -> Vec<String> {
        let known = kinds::names(kind, &self.project.papers);
        names.iter().filter(|name| known.contains(name)).cloned().collect()
    }

    /// Takes the results folder for this command: for itself, or with other parts of the same studies.
    pub(crate) fn lock(&self, with_others: bool) -> Result<FolderLock, Failure> {
        Ok(if with_others { self.layout.lock_with_others()? } else { self.layout.lock()? })
    }

    /// Changes the papers, and resolves them anew.
    pub(crate) fn change_papers(&mut self, change: impl FnMut(&mut Paper)) {
        self.project.papers.iter_mut().for_each(change);
        self.resolve_again();
    }

    /// Resolves the project again, with what has been stored meanwhile.
    pub(crate) fn resolve_again(&mut self) {
        let papers = std::mem::take(&mut self.project.papers);
        self.project = Project::resolve(papers, &self.layout, |agent| training_info(&self.catalogue, agent));
    }

    /// The selected experiments that wait for a study or a training, in words.
    pub(crate) fn waiting(&self, selection: &Selection) -> Vec<String> {
        let planner = self.planner(&|| ());
        let blocked = planner.blocked(selection);
        let (of_studies, untrained): (Vec<&Blocked>, Vec<&Blocked>) =
            blocked.into_iter().partition(|blocked| blocked.kind.kind == "study");
        let same = |one: &&Blocked, next: &&Blocked| (&one.by, &one.reason) == (&next.by, &next.reason);
        let groups: Vec<&[&Blocked]> = of_studies.chunk_by(same).collect();
        let are_not_run = of_studies.iter().all(|blocked| blocked.reason == Unavailable::NotRun);
        let mut sentences = match groups.len() {
            studies if studies > FEW && are_not_run => {
                let experiments = counted(of_studies.len() as u64, "experiment");
                vec![format!("{experiments} wait for {studies} studies; run `pipeline study`")]
            }
            _ => groups.into_iter().map(Blocked::sentence).collect(),
        };
        sentences.extend(untrained.chunk_by(same).map(Blocked::sentence));
        sentences
    }

    /// The selected trainings whose weights are missing, each with its games and its earlier cost, as far as
    /// can be known without an agent.
    pub(crate) fn not_trained(&self, selection: &Selection) -> Vec<(Key, u64, Option<Cost>)> {
        let is_selected = |read: &&ReadTraining| {
            let paper = self.project.papers.iter().find(|paper| paper.id == read.key.paper);
            let listed = Listed { id: &read.key.id, set: read.training.set, with: None };
            paper.is_some_and(|paper| selection.takes(paper, listed))
        };
        let is_there = |read: &ReadTraining| {
            let sha256 = read.sha256(training_info(&self.catalogue, &read.training.agent));
            sha256.is_ok_and(|sha256| self.artefacts.packed_bytes(&sha256).is_ok())
        };
        let lacking = self.project.trainings.iter().filter(is_selected).filter(|read| !is_there(read));
        let cost = |read: &ReadTraining| Some(read.stored.as_ref().ok()?.as_ref()?.header.cost);
        lacking.map(|read| (read.key.clone(), read.training.games, cost(read))).collect()
    }

    /// Plans the selected experiments, with a bar while their decision signatures are computed.
    pub(crate) fn plan(&self, selection: &Selection) -> Result<Plan, Failure> {
        self.plan_of::<Experiments>(selection)
    }

    /// Plans the selected jobs of a built-in kind.
    pub(crate) fn plan_of<K: TypedKind>(&self, selection: &Selection) -> Result<Plan<K::Planned>, Failure> {
        self.with_planner(|paper| K::LISTED(paper).len(), |planner| K::PLAN(planner, selection))
    }

    /// Plans the selected jobs of a kind, with a bar while their decision signatures are computed.
    pub(crate) fn plan_kind(&self, kind: &dyn Kind, selection: &Selection) -> Result<JobPlan, Failure> {
        self.with_planner(|paper| kind.listed(paper).len(), |planner| kind.plan(planner, selection))
    }

    /// Plans the selected jobs of every kind, kind by kind.
    pub(crate) fn plan_each(
        &self,
        selection: &Selection,
    ) -> Result<Vec<(&'static dyn Kind, JobPlan)>, Failure> {
        let plan = |kind: &'static dyn Kind| Ok((kind, self.plan_kind(kind, selection)?));
        kinds::all().into_iter().map(plan).collect()
    }

    /// Plans the selected jobs of all kinds.
    pub(crate) fn plan_jobs(&self, selection: &Selection) -> Result<JobPlan, Failure> {
        let mut all = JobPlan::default();
        for (_, plan) in self.plan_each(selection)? {
            all.jobs.extend(plan.jobs);
            all.blocked.extend(plan.blocked);
        }
        Ok(all)
    }

    fn with_planner<P>(
        &self,
        jobs: impl Fn(&Paper) -> usize,
        plan: impl FnOnce(&Planner<'_>) -> Result<P, PlanError>,
    ) -> Result<P, Failure> {
        let bar =
            bar(self.project.papers.iter().map(|paper| jobs(paper) as u64).sum(), "decision signatures");
        let plan = plan(&self.planner(&|| bar.inc(1)));
        bar.finish_and_clear();
        Ok(plan?)
    }

    fn planner<'a>(&'a self, on_planned: &'a (dyn Fn() + Sync)) -> Planner<'a> {
        let Self { project, catalogue, launcher, layout, artefacts, .. } = self;
        Planner { project, catalogue, launcher, layout, artefacts, on_planned }
    }

    /// Writes down which records belong to which experiment.
    pub(crate) fn update_index(&self, plan: &Plan) -> Result<(), Failure> {
        let found = plan.jobs.iter().filter_map(|planned| planned.indexed().transpose());
        Index::update(&self.layout, &found.collect::<Result<Vec<_>, _>>()?)?;
        write_checksums(&self.layout, Scope::Played)
    }

    /// Plays the games that experiments lack.
    pub(crate) fn run(
        &self,
        plan: &Plan,
        playing: &PlayOptions,
        is_fresh: bool,
    ) -> Result<RunReport, Failure> {
        self.run_jobs(&Experiments, plan, playing, |options| options.is_fresh = is_fresh)
    }

    /// Runs what planned jobs of a kind lack, until they are complete or the user stops them. `set` changes
    /// how they run.
    pub(crate) fn run_jobs<J: AsJob>(
        &self,
        kind: &dyn Kind,
        plan: &Plan<J>,
        playing: &PlayOptions,
        set: impl FnOnce(&mut Options<'_>),
    ) -> Result<RunReport, Failure> {
        let interrupted = interrupt::Playing::begin().map_err(Failure::io)?;
        let mut options = Options::new(jobs(playing), &self.launcher, self.origin(), interrupted.stop());
        set(&mut options);
        let progress = &Progress::new(Display::fitting(playing.quiet || playing.json));
        plan.blocked.iter().for_each(|job| progress.say(&format!("{}: given up: {}", job.key, job.brief())));
        let (layout, artefacts) = (&self.layout, &self.artefacts);
        let context = RunContext { layout, artefacts, options: &options, progress };
        let planned: Vec<&dyn Job> = plan.jobs.iter().map(AsJob::as_job).collect();
        let report = kind.run(&planned, &context);
        // Files may have been written before a run failed. A part that waits for others has written none.
        let has_files = |report: &RunReport| report.jobs.iter().any(|job| job.file.is_some());
        let listed = match &report {
            Ok(report) if options.shard.is_some() && !has_files(report) => Ok(()),
            _ => write_checksums(&self.layout, Scope::Played),
        };
        let mut report = report?;
        report.jobs.extend(plan.blocked.iter().map(JobResult::blocked));
        listed.map(|()| report)
    }

    /// Lets a function run stored jobs again. It ends with the program when the user interrupts it.
    pub(crate) fn with_run_context<R>(&self, work: impl FnOnce(&RunContext<'_>) -> R) -> R {
        let stop = AtomicBool::new(false);
        let options = &Options::new(processors(), &self.launcher, self.origin(), &stop);
        let progress = &Progress::new(Display::fitting(false));
        work(&RunContext { layout: &self.layout, artefacts: &self.artefacts, options, progress })
    }

    /// The origin of what is made now.
    pub(crate) fn origin(&self) -> Provenance {
        Provenance::now(self.repository.as_deref())
    }
}

/// A bar for work of this many pieces; it shows on terminals only.
pub(crate) fn bar(pieces: u64, what: impl Into<Cow<'static, str>>) -> ProgressBar {
    let bar = ProgressBar::new(pieces).with_message(what);
    if let Ok(style) = ProgressStyle::with_template("{msg} {bar:20} {pos}/{len} ETA {eta}") {
        bar.set_style(style.progress_chars("=> "));
    }
    bar
}

/// Reads all manifests. Names that are files are manifests of the user's own.
pub(crate) fn papers(places: &Places, names: &[String]) -> Result<Vec<Paper>, Failure> {
    let mut own = Vec::new();
    for file in names.iter().filter(|name| is_manifest(name)) {
        own.push(manifest::load(file.as_ref())?);
    }
    // A named manifest needs no folder of manifests, and replaces a paper of the same name in it.
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
pub(crate) fn paper_names(names: &[String]) -> Vec<String> {
    let name = |name: &String| match std::path::Path::new(name).file_stem() {
        Some(stem) if is_manifest(name) => stem.to_string_lossy().into_owned(),
        _ => name.clone(),
    };
    names.iter().map(name).collect()
}

/// Fails where a name is neither a paper nor the file of one.
pub(crate) fn require_known(papers: &[Paper], names: &[String]) -> Result<(), Failure> {
    let is_known = |name: &String| papers.iter().any(|paper| paper.id == *name);
    let Some(unknown) = paper_names(names).into_iter().find(|name| !is_known(name)) else { return Ok(()) };
    let known: Vec<&str> = papers.iter().map(|paper| paper.id.as_str()).collect();
    Err(Failure::usage(format!("no paper is called `{unknown}`; known: {}", known.join(", "))))
}

/// Fails if a name is neither a paper's nor that of a job of this kind.
pub(crate) fn require_kind(papers: &[Paper], names: &[String], kind: &dyn Kind) -> Result<(), Failure> {
    let known = kinds::names(kind, papers);
    let is_known = |name: &String| known.contains(name) || papers.iter().any(|paper| paper.id == *name);
    let Some(unknown) = names.iter().find(|name| !is_known(name)) else { return Ok(()) };
    let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
    let Words { kind, kinds, .. } = kind.words();
    Err(Failure::usage(format!("no paper or {kind} is called `{unknown}`; known {kinds}: {known}")))
}

/// The jobs that a command line selects.
pub(crate) fn selection(jobs: &JobOptions) -> Selection {
    let (names, with_extra, is_fresh) = (paper_names(&jobs.names), jobs.extra, jobs.fresh);
    Selection { names, with_extra, is_fresh, ..Selection::default() }
}

/// Fails where an agent or a file is missing, or an agent faulted before it could be given a game.
pub(crate) fn require_all(blocked: &[BlockedJob]) -> Result<(), Failure> {
    require_no_given_up(blocked.iter().map(|job| (job.reason.as_str(), job.missing.as_ref())))
}

/// Fails where experiments or studies were given up, each with why and with what is missing, if that is why.
/// A missing agent is reported once. What is missing is a matter of the manifest or of the usage; any other
/// reason is the agent's fault.
pub(crate) fn require_no_given_up<'a>(
    given_up: impl Iterator<Item = (&'a str, Option<&'a Missing>)>,
) -> Result<(), Failure> {
    let mut reasons: Vec<(&str, Option<&Missing>, u64)> = Vec::new();
    for (reason, missing) in given_up {
        let is_agent = matches!(missing, Some(Missing::Agent(_)));
        match reasons.iter_mut().find(|(_, known, _)| is_agent && *known == missing) {
            Some((.., others)) => *others += 1,
            None => reasons.push((reason, missing, 0)),
        }
    }
    let line = |(reason, _, others): &(&str, Option<&Missing>, u64)| match others {
        0 => (*reason).to_owned(),
        1 => format!("{reason} (1 other needs the same agent)"),
        others => format!("{reason} ({others} others need the same agent)"),
    };
    let text = reasons.iter().map(line).collect::<Vec<_>>().join("\n");
    match reasons.iter().any(|(_, missing, _)| missing.is_none()) {
        _ if reasons.is_empty() => Ok(()),
        true => Err(Failure::agent(text)),
        false => Err(Failure::usage(text)),
    }
}

/// How to start workers with no more memory than this; 0 is no limit.
pub(crate) fn launcher(memory_mib: u64) -> Result<Launcher, Failure> {
    let memory = (memory_mib > 0).then(|| memory_mib.saturating_mul(1 << 20));
    Launcher::of_this_program(Limits { memory, stdout_to: None }).map_err(Failure::io)
}

/// How many games are played at once.
pub(crate) fn jobs(playing: &PlayOptions) -> usize {
    playing.jobs.map_or_else(processors, usize::from)
}

/// How many processors there are.
pub(crate) fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
