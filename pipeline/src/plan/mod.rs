//! The plan: which jobs are selected, what is stored of each, and how long the rest may take.

mod agent_files;
mod determinism;
mod planned;
mod planned_study;
mod planned_training;
mod selection;

use jobs::identity::Canonical as _;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use engine::abi::host::AgentInfo;
use engine::agent::Budget;
use rayon::prelude::*;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::journal::{JournalError, Leftovers};
use crate::signatures::{Signatures, Signed, Signee};
pub(crate) use agent_files::training_info;
pub use agent_files::{AgentFiles, FileError};
pub use determinism::Determinism;
use determinism::why;
use jobs::Key;
use jobs::{Blocked, Status};
use manifest::{Experiment, FileSource, ManifestError, Paper, Subject, check_agents, resolved_params};
pub use planned::Planned;
pub use planned_study::{PlannedStudy, StudyPlan};
pub use planned_training::{PlannedTraining, TrainingPlan};
use platform::confined::ConfinedPath;
use platform::threads;
use project::Project;
use records::identity::Identity;
use records::layout::Layout;
use records::store::{Shard, StoreError};
pub use selection::{Listed, Selection};
use trainings::Artefacts;
use workers::catalogue::{Catalogue, PluginEntry};
use workers::files::Files;
use workers::worker::{Launcher, WorkerError};

/// Everything that is to be looked at, in the order of papers and their experiments.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The experiments; those of equal identity stand here once.
    pub experiments: Vec<Planned>,
    /// Those whose agent or file is missing, or whose agent failed before it could be given a game. The others do not depend on them.
    pub unplanned: Vec<Unplanned>,
}

/// A job whose agent or one of its files is missing, or whose agent failed before it could be given a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unplanned {
    /// Its paper and name.
    pub key: Key,
    /// What is known of it: the manifest, the experiment, and how the agent failed.
    pub reason: String,
    /// What is missing, where the agent is not to blame.
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

impl Unplanned {
    /// What becomes of it, in a few words.
    #[must_use]
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
    ///
    /// # Errors
    /// Where a name is unknown, an agent refuses its experiment, or what is stored cannot be read.
    pub fn plan(&self, selection: &Selection) -> Result<Plan, PlanError> {
        selection.check_names(&self.project.papers)?;
        self.check_blocked(selection)?;
        let (selected, agentless): (Vec<_>, Vec<_>) =
            self.select(selection).into_iter().partition(|(_, experiment)| self.has(&experiment.agent));
        self.check_agents(&selected)?;
        let knowledge = Knowledge::of(self);
        // An agent may think for seconds over the frozen positions, so several are asked at once.
        let planned: Vec<Result<Planned, PlanError>> = selected
            .par_iter()
            .map(|(paper, experiment)| {
                let planned = self.plan_one(paper, experiment, selection, &knowledge);
                (self.on_planned)();
                planned
            })
            .collect();
        let mut experiments: Vec<Planned> = Vec::new();
        let mut unplanned = self.without_agents(agentless.into_iter().map(|(paper, experiment)| {
            let wrong = check_agents([(paper, experiment)], &self.catalogue.agents());
            (key(paper, experiment), experiment.agent.as_str(), wrong)
        }));
        let mut places: BTreeMap<String, usize> = BTreeMap::new();
        for ((paper, experiment), planned) in selected.into_iter().zip(planned) {
            let planned = match planned {
                Err(error) if error.is_of_one() => {
                    unplanned.push(error.unplanned(key(paper, experiment)));
                    continue;
                }
                planned => planned?,
            };
            let place = *places.entry(planned.identity.hash()).or_insert(experiments.len());
            match experiments.get_mut(place) {
                Some(owner) => owner.share_with(planned),
                None => experiments.push(planned),
            }
        }
        let leftovers = Leftovers::below(&self.layout.all_records());
        let look_up = |planned: &Planned| {
            let mut planned = planned.clone();
            planned.shard = selection.shard.map(|shard| Shard { games: planned.games, ..shard });
            planned.look_up(self.layout, selection, &leftovers)?;
            if planned.is_only_unsigned_in_store() && !selection.is_fresh {
                planned.unsign();
                planned.look_up(self.layout, selection, &leftovers)?;
            }
            Ok(planned)
        };
        let experiments: Vec<Planned> =
            threads::map(&experiments, look_up).into_iter().collect::<Result<_, PlanError>>()?;
        let mut fickle = self.nondeterministic(&experiments, selection.determinism, &knowledge.signatures)?;
        let mut plan = Plan { experiments: Vec::new(), unplanned };
        for (place, mut planned) in experiments.into_iter().enumerate() {
            match fickle.remove(&place) {
                Some(reason) if selection.determinism == Determinism::Required => {
                    plan.unplanned.push(Unplanned { key: planned.key, reason, missing: None });
                    continue;
                }
                Some(_) => {
                    planned.unsign();
                    planned.look_up(self.layout, selection, &leftovers)?;
                }
                None => {}
            }
            plan.experiments.push(planned);
        }
        Ok(plan)
    }

    /// The selected experiments, in the manifests' order. Those that wait for another job are left out.
    fn select(&self, selection: &Selection) -> Vec<(&Paper, &Experiment)> {
        let all = self.experiments().filter(|(paper, one)| selection.takes(paper, listed(paper, one)));
        all.filter(|(paper, one)| self.project.blocked(&key(paper, one)).is_none()).collect()
    }

    fn experiments(&self) -> impl Iterator<Item = (&Paper, &Experiment)> {
        self.project.papers.iter().flat_map(|paper| paper.experiments.iter().map(move |one| (paper, one)))
    }

    /// The selected jobs that wait for another one.
    pub fn blocked(&self, selection: &Selection) -> Vec<&Blocked> {
        let all = self.experiments().filter(|(paper, one)| selection.takes(paper, listed(paper, one)));
        all.filter_map(|(paper, one)| self.project.blocked(&key(paper, one))).collect()
    }

    /// Checks the selected experiments that wait for a training against their agents: what is wrong with them is
    /// reported before hours are spent.
    fn check_blocked(&self, selection: &Selection) -> Result<(), PlanError> {
        let untrained = self.blocked(selection).into_iter().filter(|blocked| blocked.kind.kind == "training");
        let experiments = untrained.filter_map(|blocked| self.project.experiment(&blocked.job));
        let known = experiments.filter(|(_, experiment)| self.has(&experiment.agent));
        Ok(check_agents(known, &self.catalogue.agents())?)
    }

    fn plan_one(
        &self,
        paper: &Paper,
        experiment: &Experiment,
        selection: &Selection,
        knowledge: &Knowledge,
    ) -> Result<Planned, PlanError> {
        let Some((plugin, agent)) = self.catalogue.find(&experiment.agent) else {
            unreachable!("the manifest has been checked against the agents");
        };
        let params = resolved_params(agent, &experiment.params);
        let files =
            self.files(paper, Subject::Entry("experiment", experiment.id.clone()), &experiment.files)?;
        let signed = self.sign(experiment, (plugin, agent), &params, &files, &knowledge.signatures).map_err(
            |source| PlanError::Agent {
                file: paper.file.clone(),
                subject: Subject::Entry("experiment", experiment.id.clone()),
                source,
            },
        )?;
        let (signature, second_signature) = signed.map(|signed| (signed.first, signed.second)).unzip();
        let identity = Identity::new(
            experiment.rules.clone(),
            (&agent.id, &agent.version),
            params.clone(),
            experiment.budget,
            experiment.seed,
            signature,
        )
        .with_files(hashes(plugin, &files));
        let games = selection.games.unwrap_or(experiment.games);
        let own = key(paper, experiment);
        let key =
            knowledge.owners.get(&self.logical(experiment, &params)).cloned().unwrap_or_else(|| own.clone());
        Ok(Planned {
            also_for: (key != own).then_some(own).into_iter().collect(),
            key,
            experiment: Experiment { games, ..experiment.clone() },
            identity,
            second_signature,
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
        })
    }

    /// The files of a job's agent, with the content that they should have.
    fn files(
        &self,
        paper: &Paper,
        subject: Subject,
        sources: &BTreeMap<String, FileSource>,
    ) -> Result<Files, PlanError> {
        let found = self.agent_files().find(self.catalogue, sources);
        found.map_err(|source| PlanError::File {
            file: paper.file.clone(),
            subject,
            source: Box::new(source),
        })
    }

    const fn agent_files(&self) -> AgentFiles<'_> {
        AgentFiles { trainings: &self.project.trainings, artefacts: self.artefacts }
    }

    /// What makes an experiment's identity. Version, the agent's own files and signatures need not be compared, since they follow from
    /// the agent.
    fn logical(&self, experiment: &Experiment, params: &Map<String, Value>) -> String {
        let Experiment { agent, rules, budget, seed, .. } = experiment;
        let files = self.agent_files().hashes(self.catalogue, &experiment.files);
        json!({ "agent": agent, "rules": rules, "budget": budget, "seed": seed, "params": params, "files": files })
            .to_string()
    }

    /// What the experiment's agent decides on the frozen positions: it is asked where it has not been before. No run under a
    /// wall-clock budget repeats another, so there are no decisions to sign.
    fn sign(
        &self,
        experiment: &Experiment,
        (plugin, agent): (&PluginEntry, &AgentInfo),
        params: &Map<String, Value>,
        files: &Files,
        signatures: &Signatures,
    ) -> Result<Option<Signed>, WorkerError> {
        if matches!(experiment.budget, Budget::TimeNs(_)) {
            return Ok(None);
        }
        let signee = Signee {
            plugin,
            agent: &agent.id,
            rules: &experiment.rules,
            params,
            files,
            budget: experiment.budget,
            move_limit: Duration::from_millis(experiment.move_limit_ms),
        };
        signatures.get(self.launcher, &signee).map(Some)
    }

    /// Checks experiments against the agents that there are.
    fn check_agents(&self, selected: &[(&Paper, &Experiment)]) -> Result<(), PlanError> {
        let agents = || selected.iter().map(|(_, experiment)| experiment.agent.as_str());
        check_agents(selected.iter().copied(), &self.catalogue.agents())
            .map_err(|source| self.mismatch(agents(), source))?;
        self.check_clashes(agents())
    }

    /// Whether a plugin offers an agent.
    fn has(&self, agent: &str) -> bool {
        self.catalogue.find(agent).is_some()
    }

    /// What cannot be planned for want of an agent, given with what is wrong with it. A plugin that cannot be opened may have any of them: it
    /// is named once.
    fn without_agents<'a>(
        &self,
        agentless: impl Iterator<Item = (Key, &'a str, Result<(), ManifestError>)>,
    ) -> Vec<Unplanned> {
        let mut unplanned: Vec<Unplanned> = Vec::new();
        for (key, agent, wrong) in agentless {
            let reason = match wrong {
                Err(source) if unplanned.is_empty() => {
                    self.mismatch(std::iter::once(agent), source).to_string()
                }
                Err(source) => source.to_string(),
                Ok(()) => continue,
            };
            unplanned.push(Unplanned { key, reason, missing: Some(Missing::Agent(agent.to_owned())) });
        }
        unplanned
    }

    /// What is wrong with what these agents are asked for. Where one is not known, a plugin that cannot be opened may have it.
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
    /// The first experiment in all manifests that has an identity, by what makes it: its file holds the records.
    owners: BTreeMap<String, Key>,
    signatures: Signatures,
}

impl Knowledge {
    fn of(planner: &Planner<'_>) -> Self {
        let mut owners = BTreeMap::new();
        for (paper, experiment) in planner.experiments() {
            let key = key(paper, experiment);
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

fn key(paper: &Paper, experiment: &Experiment) -> Key {
    Key::new(&paper.id, &experiment.id)
}

/// An experiment as its manifest lists it. The name of a study selects its winners too.
pub(crate) fn listed<'a>(paper: &'a Paper, experiment: &'a Experiment) -> Listed<'a> {
    let with = paper.study_of(experiment).map(|study| study.id.as_str());
    Listed { id: &experiment.id, set: experiment.set, with }
}

impl PlanError {
    /// Whether an agent faulted or a file is missing, which concerns one job alone.
    const fn is_of_one(&self) -> bool {
        matches!(
            self,
            Self::File { .. } | Self::Agent { source: WorkerError::Failed(_) | WorkerError::Faulted(_), .. }
        )
    }

    /// The job that cannot be planned for this.
    fn unplanned(&self, key: Key) -> Unplanned {
        let missing = match self {
            Self::File { source, .. } => Some(Missing::File(source.role.clone())),
            _ => None,
        };
        Unplanned { key, reason: self.to_string(), missing }
    }
}

#[cfg(test)]
mod tests;
