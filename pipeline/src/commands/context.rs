//! What most commands need: the papers, the agents, the results folder, and how to start workers.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use engine::abi::host::TrainingInfo;
use indicatif::{ProgressBar, ProgressStyle};

use super::Failure;
use super::checksums::write_checksums;
use crate::cli::{Chosen, Places, Playing};
use crate::plan::{
    Lending, Missing, Plan, PlanError, Planner, Selection, Unplanned, training_info, unknown_training,
};
use crate::run::{self, Display, Options, Progress};
use crate::study::{self, StudiesReport, StudyDone, StudyPlan};
use crate::training::{PlannedTraining, TrainingPlanner};
use manifest::{self, FileSource, Paper, Set};
use records::index::Index;
use records::key::Key;
use records::layout::{FolderLock, Layout};
use records::provenance::Provenance;
use records::sums::Scope;
use studies::StoredStudies;
use studies::winners::{self, Reason, Waiting};
use surroundings::interrupt;
use trainings::{Artefacts, Cost, ReadTraining, StoredTrainings, Unknown, Untrained};
use verdict::format::counted;
use workers::catalogue::Catalogue;
use workers::worker::{Launcher, Limits};

/// Up to how many studies are named that experiments wait for.
const FEW: usize = 3;

/// The papers, the agents, the results folder, and how to start workers.
pub(super) struct Context {
    /// The papers, with the parameters of winners whose studies are done.
    pub(super) papers: Vec<Paper>,
    /// The experiments that are not among those of the papers, since their studies are not done.
    waiting: Vec<Waiting>,
    /// Those that are not among them, since their agents have not been trained.
    untrained: Vec<Untrained>,
    /// What was learned.
    trainings: StoredTrainings,
    /// Where the files of agents are kept.
    pub(super) artefacts: Artefacts,
    /// The papers as the manifests have them.
    manifests: Vec<Paper>,
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
        let artefacts = Artefacts::new(&places.loading.artefacts);
        let context = Self::of(papers, catalogue, launcher, Layout::new(&places.out), artefacts);
        Ok(Self { repository: Some(places.configs.clone()), ..context })
    }

    /// The context of papers that no manifest's file holds.
    pub(super) fn of(
        papers: Vec<Paper>,
        catalogue: Catalogue,
        launcher: Launcher,
        layout: Layout,
        artefacts: Artefacts,
    ) -> Self {
        let mut context = Self {
            papers: Vec::new(),
            waiting: Vec::new(),
            untrained: Vec::new(),
            trainings: StoredTrainings::default(),
            artefacts,
            manifests: papers,
            catalogue,
            launcher,
            layout,
            repository: Some(PathBuf::from(".")),
        };
        context.settle();
        context
    }

    /// The same context with papers that came from elsewhere, their winners settled, and what was learned there: whatever lies around them
    /// says nothing of where games are played.
    pub(super) fn of_others(self, papers: Vec<Paper>, stored: &Layout) -> Self {
        let trainings = StoredTrainings::read(&papers, stored);
        let (waiting, untrained) = (Vec::new(), Vec::new());
        Self { manifests: papers.clone(), papers, waiting, untrained, trainings, repository: None, ..self }
    }

    /// The same context with artefacts that lie elsewhere.
    pub(super) fn with_artefacts(self, artefacts: Artefacts) -> Self {
        Self { artefacts, ..self }
    }

    /// Whether a name is a study's.
    pub(super) fn is_study(&self, name: &str) -> bool {
        let is_of = |paper: &Paper| {
            name.strip_prefix(&paper.id)
                .and_then(|rest| rest.strip_prefix('/'))
                .is_some_and(|id| paper.study(id).is_some())
        };
        self.papers.iter().any(is_of)
    }

    /// What was learned, of all papers.
    pub(super) const fn trainings(&self) -> &StoredTrainings {
        &self.trainings
    }

    /// How an agent is trained; none where it is not at hand, or cannot be.
    pub(super) fn training_info(&self, agent: &str) -> Option<&TrainingInfo> {
        training_info(&self.catalogue, agent)
    }

    /// Takes the results folder for this command: for itself, or with other parts of the same studies.
    pub(super) fn lock(&self, with_others: bool) -> Result<FolderLock, Failure> {
        Ok(if with_others { self.layout.lock_with_others()? } else { self.layout.lock()? })
    }

    /// Changes every paper as its manifest has it.
    pub(super) fn change_papers(&mut self, change: impl FnMut(&mut Paper)) {
        self.manifests.iter_mut().for_each(change);
        self.settle();
    }

    /// Gives winners the parameters that their studies have found by now, and agents what they have learned.
    pub(super) fn settle(&mut self) {
        self.papers.clone_from(&self.manifests);
        self.waiting = winners::settle(&mut self.papers, &StoredStudies::read(&self.manifests, &self.layout));
        self.trainings = StoredTrainings::read(&self.manifests, &self.layout);
        let info = |agent: &str| training_info(&self.catalogue, agent);
        self.untrained = trainings::settle(&mut self.papers, &self.trainings, info);
    }

    /// The selected experiments that cannot be played before a study or a training is done, in words.
    pub(super) fn waiting(&self, selection: &Selection) -> Vec<String> {
        let mut told = self.waiting_for_studies(selection);
        let untrained = self.untrained.iter().filter(|one| self.is_selected(selection, &one.experiment));
        let untrained: Vec<&Untrained> = untrained.collect();
        let same = |one: &&Untrained, next: &&Untrained| one.training == next.training;
        told.extend(untrained.chunk_by(same).map(words_of_untrained));
        told
    }

    /// Whether an experiment of the manifests is selected.
    fn is_selected(&self, selection: &Selection, key: &Key) -> bool {
        let named = selection.names.iter().map(String::as_str).collect();
        let paper = self.manifests.iter().find(|paper| paper.id == key.paper);
        let experiment = paper.and_then(|paper| Some((paper, paper.experiment(&key.experiment)?)));
        experiment.is_some_and(|(paper, experiment)| selection.takes(&named, paper, experiment))
    }

    fn waiting_for_studies(&self, selection: &Selection) -> Vec<String> {
        let waiting = self.waiting.iter().filter(|waiting| self.is_selected(selection, &waiting.experiment));
        let selected: Vec<&Waiting> = waiting.collect();
        let same = |one: &&Waiting, next: &&Waiting| (&one.study, &one.reason) == (&next.study, &next.reason);
        let of_studies: Vec<&[&Waiting]> = selected.chunk_by(same).collect();
        if of_studies.len() > FEW && selected.iter().all(|waiting| waiting.reason == Reason::NotRun) {
            let (experiments, studies) = (selected.len() as u64, of_studies.len());
            let experiments = counted(experiments, "experiment");
            return vec![format!("{experiments} wait for {studies} studies; run `pipeline study`")];
        }
        of_studies.into_iter().map(words_of_waiting).collect()
    }

    /// Plans the selected studies, with a bar while their decision signatures are computed.
    pub(super) fn plan_studies(&self, selection: &Selection) -> Result<StudyPlan, Failure> {
        let studies = self.papers.iter().map(|paper| paper.studies.len() as u64).sum();
        self.with_planner(studies, |planner| planner.plan_studies(selection))
    }

    /// Runs what a plan of studies lacks.
    pub(super) fn run_studies(
        &self,
        plan: &StudyPlan,
        playing: &Playing,
        is_fresh: bool,
        shard: Option<(u64, u64)>,
    ) -> Result<StudiesReport, Failure> {
        let playing_on = interrupt::Playing::begin().map_err(Failure::io)?;
        let options = self.options(playing, is_fresh, shard, playing_on.stop());
        let display = Display::fitting(playing.quiet || playing.json);
        let report = study::run(plan, &self.layout, &options, display);
        // Studies may have been written before a run broke off. A part that waits for others has written none.
        let is_whole = |done: &StudyDone| done.file.is_some();
        let listed = match &report {
            Ok(report) if !report.studies.iter().any(is_whole) => Ok(()),
            _ => write_checksums(&self.layout, Scope::Played),
        };
        let report = report?;
        listed.map(|()| report)
    }

    /// The selected trainings whose file is not there, each with its games and what it cost before, as far as can be told without an agent.
    pub(super) fn not_trained(&self, names: &[String], with_extra: bool) -> Vec<(Key, u64, Option<Cost>)> {
        let is_selected = |read: &&ReadTraining| {
            let is_named = |name: &str| names.iter().any(|named| named == name);
            let in_set = with_extra || read.training.set == Set::Default;
            (names.is_empty() || is_named(&read.key.paper)) && in_set || is_named(&read.key.to_string())
        };
        let is_there = |read: &ReadTraining| {
            let sha256 = read.sha256(self.training_info(&read.training.agent));
            sha256.is_ok_and(|sha256| self.artefacts.packed_bytes(&sha256).is_ok())
        };
        let lacking = self.trainings.iter().filter(is_selected).filter(|read| !is_there(read));
        let cost = |read: &ReadTraining| Some(read.stored.as_ref().ok()?.as_ref()?.header.cost);
        lacking.map(|read| (read.key.clone(), read.training.games, cost(read))).collect()
    }

    /// Plans the selected trainings.
    pub(super) fn plan_trainings(
        &self,
        names: &[String],
        with_extra: bool,
    ) -> Result<Vec<PlannedTraining>, Failure> {
        let Self { papers, catalogue, launcher, layout, artefacts, .. } = self;
        Ok(TrainingPlanner { papers, catalogue, launcher, layout, artefacts }.plan(names, with_extra)?)
    }

    /// Plans the selected experiments, with a bar while their decision signatures are computed.
    pub(super) fn plan(&self, selection: &Selection) -> Result<Plan, Failure> {
        self.check_untrained(selection)?;
        let experiments = self.papers.iter().map(|paper| paper.experiments.len() as u64).sum();
        self.with_planner(experiments, |planner| planner.plan(selection))
    }

    /// Checks the selected experiments that wait for a training against their agents: what is wrong with them is told before hours are spent.
    fn check_untrained(&self, selection: &Selection) -> Result<(), Failure> {
        let untrained = self.untrained.iter().filter(|one| self.is_selected(selection, &one.experiment));
        let experiments = untrained.filter_map(|one| {
            let paper = self.manifests.iter().find(|paper| paper.id == one.experiment.paper)?;
            let experiment = paper.experiment(&one.experiment.experiment)?;
            self.catalogue.find(&experiment.agent).map(|_| (paper, experiment))
        });
        Ok(manifest::check_agents(experiments, &self.catalogue.agents())?)
    }

    fn with_planner<P>(
        &self,
        pieces: u64,
        plan: impl FnOnce(&Planner<'_>) -> Result<P, PlanError>,
    ) -> Result<P, Failure> {
        let Self { papers, catalogue, launcher, layout, trainings, artefacts, .. } = self;
        let for_studies = self.waiting.iter().map(|waiting| &waiting.experiment);
        let waiting: Vec<Key> =
            for_studies.chain(self.untrained.iter().map(|one| &one.experiment)).cloned().collect();
        let bar = bar(pieces, "decision signatures");
        let planner = Planner {
            papers,
            catalogue,
            launcher,
            layout,
            lending: Lending { trainings, artefacts },
            waiting: &waiting,
            on_planned: &|| bar.inc(1),
        };
        let plan = plan(&planner);
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
    ) -> Result<run::RunReport, Failure> {
        let playing_on = interrupt::Playing::begin().map_err(Failure::io)?;
        let options = self.options(playing, is_fresh, None, playing_on.stop());
        let progress = Progress::new(Display::fitting(playing.quiet || playing.json));
        let report = run::run(plan, &self.layout, &options, &progress);
        // Records may have been written before a run broke off.
        let listed = write_checksums(&self.layout, Scope::Played);
        let report = report?;
        listed.map(|()| report)
    }

    /// Where what is made now comes from.
    pub(super) fn origin(&self) -> Provenance {
        Provenance::now(self.repository.as_deref())
    }

    fn options<'a>(
        &'a self,
        playing: &Playing,
        is_fresh: bool,
        shard: Option<(u64, u64)>,
        stop: &'a AtomicBool,
    ) -> Options<'a> {
        let (launcher, origin) = (&self.launcher, self.origin());
        Options {
            jobs: jobs(playing),
            is_fresh,
            shard,
            attempt: None,
            launcher,
            origin,
            stop,
            is_memory_retried: false,
        }
    }
}

/// Experiments that wait for one study, in words.
fn words_of_waiting(waiting: &[&Waiting]) -> String {
    let Waiting { experiment, study, reason } = waiting[0];
    let (who, verb) = match waiting.len() as u64 {
        1 => (experiment.to_string(), "waits"),
        count => (counted(count, "experiment"), "wait"),
    };
    match reason {
        Reason::NotRun => format!("{who} {verb} for study {study}; run `pipeline study {study}`"),
        Reason::Unusable(reason) => format!("{who} {verb} for study {study}: {reason}"),
        Reason::Fewer => format!("{who} cannot be played: study {study} has fewer winners"),
    }
}

/// Experiments that wait for one training, in words.
fn words_of_untrained(untrained: &[&Untrained]) -> String {
    let Untrained { experiment, training, reason } = untrained[0];
    let (who, verb) = match untrained.len() as u64 {
        1 => (experiment.to_string(), "waits"),
        count => (counted(count, "experiment"), "wait"),
    };
    match reason {
        Unknown::NotRun => format!("{who} {verb} for training {training}; run `pipeline train {training}`"),
        reason => {
            let reason = unknown_training(&FileSource::Training(training.clone()), reason);
            format!("{who} {verb} for training {training}: {reason}")
        }
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

/// Reads all manifests, and gives winners the parameters that their studies have found. Those whose studies are not done are left out.
pub(super) fn settled_papers(places: &Places, names: &[String]) -> Result<Vec<Paper>, Failure> {
    let mut papers = papers(places, names)?;
    let stored = StoredStudies::read(&papers, &Layout::new(&places.out));
    winners::settle(&mut papers, &stored);
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

/// Fails where an agent or a file is missing, or an agent faulted before it could be given a game.
pub(super) fn require_all(unplanned: &[Unplanned]) -> Result<(), Failure> {
    require_no_given_up(
        unplanned.iter().map(|unplanned| (unplanned.reason.as_str(), unplanned.missing.as_ref())),
    )
}

/// Fails where experiments or studies were given up, each with why and with what is missing, if that is why. A missing agent is told once.
/// What is missing is a matter of the manifest or of the usage; any other reason is the agent's fault.
pub(super) fn require_no_given_up<'a>(
    given_up: impl Iterator<Item = (&'a str, Option<&'a Missing>)>,
) -> Result<(), Failure> {
    let mut reasons: Vec<(&str, u64)> = Vec::new();
    let mut missing: BTreeMap<&str, usize> = BTreeMap::new();
    let mut has_fault = false;
    for (reason, lacks) in given_up {
        has_fault |= lacks.is_none();
        let place = match lacks {
            Some(Missing::Agent(agent)) => *missing.entry(agent).or_insert(reasons.len()),
            Some(Missing::File(_)) | None => reasons.len(),
        };
        match reasons.get_mut(place) {
            Some((_, others)) => *others += 1,
            None => reasons.push((reason, 0)),
        }
    }
    let told = |(reason, others): &(&str, u64)| match others {
        0 => (*reason).to_owned(),
        1 => format!("{reason} (1 other needs the same agent)"),
        others => format!("{reason} ({others} others need the same agent)"),
    };
    let lines: Vec<String> = reasons.iter().map(told).collect();
    match lines.is_empty() {
        true => Ok(()),
        false if has_fault => Err(Failure::agent(lines.join("\n"))),
        false => Err(Failure::usage(lines.join("\n"))),
    }
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
