//! The plan: which jobs are selected, what is stored of each, and how long the rest may take.

mod agent_files;
mod determinism;
mod entry;
mod planned;
mod planned_study;
mod planned_training;
mod selection;

use jobs::{Blocked, Canonical as _, Key, Status};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use engine::agent::Budget;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::journal::{JournalError, Leftovers};
use crate::signatures::{SignaturePair, Signatures};
pub(crate) use agent_files::training_info;
pub use agent_files::{AgentFiles, FileError};
pub use determinism::Determinism;
pub(crate) use entry::listed;
use entry::{EntryContext, PlannedEntry};
use manifest::{Experiment, FileSource, ManifestError, Subject, check_agents, resolved_params};
pub use planned::PlannedExperiment;
pub use planned_study::PlannedStudy;
pub use planned_training::PlannedTraining;
use platform::{ConfinedPath, threads};
use project::Project;
use records::{Identity, Layout, Shard, StoreError};
pub use selection::{Listed, Selection};
use trainings::Artefacts;
use workers::{Catalogue, Files, Launcher, PluginEntry, WorkerError};

/// The selected jobs of one kind, in the manifests' order.
#[derive(Clone, Debug)]
pub struct Plan<J = PlannedExperiment> {
    /// The jobs. Experiments of equal identity are listed once.
    pub jobs: Vec<J>,
    /// Those that cannot run. The others do not depend on them.
    pub blocked: Vec<BlockedJob>,
}

impl<J> Default for Plan<J> {
    fn default() -> Self {
        Self { jobs: Vec::new(), blocked: Vec::new() }
    }
}

impl<J> Plan<J> {
    /// Whether nothing is selected.
    pub const fn is_empty(&self) -> bool {
        self.jobs.is_empty() && self.blocked.is_empty()
    }
}

/// A job that cannot run: its agent or a file is missing, or its agent failed before its first game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockedJob {
    /// Its paper and name.
    pub key: Key,
    /// The reason, with manifest and job.
    pub reason: String,
    /// What is missing, if the agent is not to blame.
    pub missing: Option<Missing>,
}

/// What a job lacks.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum Missing {
    /// Its agent, which no plugin offers.
    #[serde(rename = "missing_agent")]
    Agent(String),
    /// The file that has this role, which is not among the artefacts or is damaged.
    #[serde(rename = "missing_file")]
    File(String),
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Agent(agent) => write!(f, "agent `{agent}` is missing"),
            Self::File(role) => write!(f, "its file `{role}` is missing or damaged"),
        }
    }
}

impl BlockedJob {
    /// The reason, or in a few words if the command says once which agent is missing.
    pub(crate) fn brief(&self) -> String {
        match &self.missing {
            Some(Missing::Agent(_)) => self.state(),
            _ => self.reason.clone(),
        }
    }

    /// The reason in a few words.
    pub fn state(&self) -> String {
        match &self.missing {
            Some(missing) => missing.to_string(),
            None => "its agent failed".to_owned(),
        }
    }
}

/// Why there is no plan.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum PlanError {
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    #[error("no paper or job is called `{name}`; known: {known}")]
    Unknown { name: String, known: String },
    #[error("agent `{agent}` is in two plugins, {} and {}: remove one of them", one.display(), other.display())]
    Clash { agent: String, one: PathBuf, other: PathBuf },
    #[error("{file}: {subject}: {source}", file = file.display())]
    Agent { file: PathBuf, subject: Subject, source: WorkerError },
    #[error(transparent)]
    NotProbed(WorkerError),
    #[error("{file}: {subject}: {source}", file = file.display())]
    File { file: PathBuf, subject: Subject, source: Box<FileError> },
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error("{broken}\n{source}")]
    Broken { broken: String, source: Box<ManifestError> },
}

/// What a plan is made from.
pub struct Planner<'a> {
    /// The manifests of all papers, resolved.
    pub project: &'a Project,
    /// The agents.
    pub catalogue: &'a Catalogue,
    /// How to start workers, for signatures.
    pub launcher: &'a Launcher,
    /// The results folder.
    pub layout: &'a Layout,
    /// The store of agents' files.
    pub artefacts: &'a Artefacts,
    /// Called after each job whose identity is known.
    pub on_planned: &'a (dyn Fn() + Sync),
}

impl Planner<'_> {
    /// Plans the selected experiments.
    pub fn plan(&self, selection: &Selection) -> Result<Plan, PlanError> {
        selection.check_names(&self.project.papers)?;
        self.check_blocked(selection)?;
        let knowledge = Knowledge::of(self);
        let planned = self.plan_entries(selection, |entry| self.plan_one(entry, selection, &knowledge))?;
        let mut plan = Plan { jobs: Vec::new(), blocked: planned.blocked };
        let mut experiments: Vec<PlannedExperiment> = Vec::new();
        let mut places: BTreeMap<String, usize> = BTreeMap::new();
        for planned in planned.jobs {
            let place = *places.entry(planned.identity.hash()).or_insert(experiments.len());
            match experiments.get_mut(place) {
                Some(owner) => owner.share_with(planned),
                None => experiments.push(planned),
            }
        }
        let leftovers = Leftovers::below(&self.layout.all_records());
        let look_up = |planned: &PlannedExperiment| {
            let mut planned = planned.clone();
            planned.shard = selection.shard.map(|shard| Shard { games: planned.games, ..shard });
            planned.look_up(self.layout, selection, &leftovers)?;
            if planned.is_only_unsigned_in_store() && !selection.is_fresh {
                planned.unsign();
                planned.look_up(self.layout, selection, &leftovers)?;
            }
            Ok(planned)
        };
        let experiments: Vec<PlannedExperiment> =
            threads::map(&experiments, look_up).into_iter().collect::<Result<_, PlanError>>()?;
        let mut fickle =
            self.fickle_experiments(&experiments, selection.determinism, &knowledge.signatures)?;
        for (place, mut planned) in experiments.into_iter().enumerate() {
            match fickle.remove(&place) {
                Some(reason) if selection.determinism == Determinism::Required => {
                    plan.blocked.push(BlockedJob { key: planned.key, reason, missing: None });
                    continue;
                }
                Some(_) => {
                    planned.unsign();
                    planned.look_up(self.layout, selection, &leftovers)?;
                }
                None => {}
            }
            plan.jobs.push(planned);
        }
        Ok(plan)
    }

    /// The selected jobs that wait for another one.
    pub fn blocked(&self, selection: &Selection) -> Vec<&Blocked> {
        let all = self.entries::<Experiment>();
        let selected = all.filter(|(paper, one)| selection.takes(paper, one.listed(paper)));
        selected.filter_map(|(paper, one)| self.project.blocked(&one.key(paper))).collect()
    }

    /// Checks the selected experiments that wait for a training against their agents: what is wrong with them
    /// is reported before hours are spent.
    fn check_blocked(&self, selection: &Selection) -> Result<(), PlanError> {
        let untrained = self.blocked(selection).into_iter().filter(|blocked| blocked.kind.kind == "training");
        let experiments = untrained.filter_map(|blocked| self.project.experiment(&blocked.job));
        let known = experiments.filter(|(_, experiment)| self.has(&experiment.agent));
        Ok(check_agents(known, &self.catalogue.agents())?)
    }

    fn plan_one(
        &self,
        context: &EntryContext<'_, Experiment>,
        selection: &Selection,
        knowledge: &Knowledge,
    ) -> Result<PlannedExperiment, PlanError> {
        let EntryContext { paper, entry: experiment, plugin, agent } = *context;
        let params = resolved_params(agent, &experiment.params);
        let files = self.files(context, &experiment.files)?;
        let identity = Identity::new(
            experiment.rules.clone(),
            (&agent.id, &agent.version),
            params.clone(),
            experiment.budget,
            experiment.seed,
            None,
        )
        .with_files(hashes(plugin, &files));
        let games = selection.games.unwrap_or(experiment.games);
        let own = experiment.key(paper);
        let key =
            knowledge.owners.get(&self.logical(experiment, &params)).cloned().unwrap_or_else(|| own.clone());
        let mut planned = PlannedExperiment {
            also_for: (key != own).then_some(own).into_iter().collect(),
            key,
            experiment: Experiment { games, ..experiment.clone() },
            identity,
            second_signature: None,
            params,
            files,
            plugin: Arc::clone(plugin),
            games,
            first: 0,
            shard: None,
            path: ConfinedPath::root(""),
            status: Status::Missing,
            is_of_other_plugin: false,
            lacks_second_signature: false,
            journalled: 0,
            to_play: games,
            time_per_game: None,
        };
        // No run under a wall-clock budget repeats another, so there are no decisions to sign.
        if !matches!(experiment.budget, Budget::TimeNs(_)) {
            let signatures = knowledge.signatures.get(self.launcher, &planned.setup().agent);
            let SignaturePair { first, second } = signatures.map_err(context.agent_error())?;
            (planned.identity.signature, planned.second_signature) = (Some(first), Some(second));
        }
        Ok(planned)
    }

    /// The files of a job's agent, with the content that they should have.
    fn files<E: PlannedEntry>(
        &self,
        EntryContext { paper, entry, .. }: &EntryContext<'_, E>,
        sources: &BTreeMap<String, FileSource>,
    ) -> Result<Files, PlanError> {
        let found = self.agent_files().find(self.catalogue, sources).map_err(Box::new);
        found.map_err(|source| PlanError::File { file: paper.file.clone(), subject: entry.subject(), source })
    }

    const fn agent_files(&self) -> AgentFiles<'_> {
        AgentFiles { trainings: &self.project.trainings, artefacts: self.artefacts }
    }

    /// What makes an experiment's identity. Version, the agent's own files and signatures need not be
    /// compared, since they follow from the agent.
    fn logical(&self, experiment: &Experiment, params: &Map<String, Value>) -> String {
        let Experiment { agent, rules, budget, seed, .. } = experiment;
        let files = self.agent_files().hashes(self.catalogue, &experiment.files);
        json!({ "agent": agent, "rules": rules, "budget": budget, "seed": seed, "params": params, "files": files })
            .to_string()
    }

    /// What is wrong with what these agents are asked for. Where one is not known, a plugin that cannot be
    /// opened may have it.
    fn mismatch<'a>(&self, mut agents: impl Iterator<Item = &'a str>, source: ManifestError) -> PlanError {
        let broken: Vec<String> = self.catalogue.broken.iter().map(|plugin| plugin.reason.clone()).collect();
        let are_known = agents.all(|agent| self.catalogue.find(agent).is_some());
        if are_known || broken.is_empty() {
            PlanError::Manifest(source)
        } else {
            PlanError::Broken { broken: broken.join("\n"), source: Box::new(source) }
        }
    }

    /// Fails where two plugins have one of these agents.
    fn check_clashes<'a>(&self, agents: impl Iterator<Item = &'a str>) -> Result<(), PlanError> {
        let asked: BTreeSet<&str> = agents.collect();
        let clash = self.catalogue.clashes().into_iter().find(|(agent, ..)| asked.contains(agent.as_str()));
        clash.map_or(Ok(()), |(agent, one, other)| Err(PlanError::Clash { agent, one, other }))
    }
}

/// What is worked out once for all experiments of a plan.
struct Knowledge {
    /// The first experiment in all manifests that has an identity, by what makes it: its file holds the
    /// records.
    owners: BTreeMap<String, Key>,
    signatures: Signatures,
}

impl Knowledge {
    fn of(planner: &Planner<'_>) -> Self {
        let mut owners = BTreeMap::new();
        for (paper, experiment) in planner.entries::<Experiment>() {
            let key = experiment.key(paper);
            if planner.project.blocked(&key).is_none()
                && let Some((_, agent)) = planner.catalogue.find(&experiment.agent)
            {
                let params = resolved_params(agent, &experiment.params);
                owners.entry(planner.logical(experiment, &params)).or_insert(key);
            }
        }
        Self { owners, signatures: Signatures::load(&planner.layout.signatures()) }
    }
}

/// The SHA-256 of each file that decisions depend on, by role: the agent's own, and those that it loads.
fn hashes(plugin: &PluginEntry, files: &Files) -> BTreeMap<String, String> {
    let files = files.iter().map(|(role, file)| (role.clone(), file.sha256.clone()));
    plugin.files.clone().into_iter().chain(files).collect()
}

impl PlanError {
    /// Whether an agent faulted or a file is missing, which concerns one job alone.
    const fn is_of_one(&self) -> bool {
        matches!(
            self,
            Self::File { .. } | Self::Agent { source: WorkerError::Failed(_) | WorkerError::Faulted(_), .. }
        )
    }

    /// The job that cannot run for this reason.
    fn blocked(&self, key: Key) -> BlockedJob {
        let missing = match self {
            Self::File { source, .. } => Some(Missing::File(source.role.clone())),
            _ => None,
        };
        BlockedJob { key, reason: self.to_string(), missing }
    }
}

#[cfg(test)]
mod tests;
