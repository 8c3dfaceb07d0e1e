//! The entries of manifests that are planned: what planning needs to know of one, whatever its kind.

use std::sync::Arc;

use rayon::prelude::*;

use super::{BlockedJob, Listed, Missing, Plan, PlanError, Planner, Selection};
use engine::abi::host::AgentInfo;
use jobs::Key;
use manifest::{
    Experiment, ManifestError, Paper, Study, Subject, Training, check_agents, check_study_agents,
    check_training_agents,
};
use workers::{PluginEntry, WorkerError};

/// An entry of a manifest.
pub(crate) trait PlannedEntry: Sync + Sized + 'static {
    /// The entries of a paper.
    fn of(paper: &Paper) -> &[Self];
    /// The entry as it is listed.
    fn listed<'a>(&'a self, paper: &'a Paper) -> Listed<'a>;
    /// Its agent.
    fn agent(&self) -> &str;
    /// What errors call it.
    fn subject(&self) -> Subject;
    /// Checks entries against the agents.
    fn check(entries: &[(&Paper, &Self)], agents: &[AgentInfo]) -> Result<(), ManifestError>;

    /// Its name across papers.
    fn key(&self, paper: &Paper) -> Key {
        Key::new(&paper.id, self.listed(paper).id)
    }
}

/// An entry with its manifest and its agent.
pub(super) struct EntryContext<'a, E> {
    pub(super) paper: &'a Paper,
    pub(super) entry: &'a E,
    pub(super) plugin: &'a Arc<PluginEntry>,
    pub(super) agent: &'a AgentInfo,
}

impl<E: PlannedEntry> EntryContext<'_, E> {
    /// For `map_err`: what its agent did.
    pub(super) fn agent_error(&self) -> impl FnOnce(WorkerError) -> PlanError {
        |source| PlanError::Agent { file: self.paper.file.clone(), subject: self.entry.subject(), source }
    }
}

macro_rules! entry {
    ($entry:ident, $kind:literal, $field:ident, $check:ident, |$one:ident, $paper:ident| $with:expr) => {
        impl PlannedEntry for $entry {
            fn of(paper: &Paper) -> &[Self] {
                &paper.$field
            }

            fn listed<'a>(&'a self, $paper: &'a Paper) -> Listed<'a> {
                let $one = self;
                Listed { id: &self.id, set: self.set, with: $with }
            }

            fn agent(&self) -> &str {
                &self.agent
            }

            fn subject(&self) -> Subject {
                Subject::Entry($kind, self.id.clone())
            }

            fn check(entries: &[(&Paper, &Self)], agents: &[AgentInfo]) -> Result<(), ManifestError> {
                $check(entries.iter().copied(), agents)
            }
        }
    };
}

// The name of a study selects its winners too.
entry!(Experiment, "experiment", experiments, check_agents, |one, paper| paper
    .study_of(one)
    .map(|study| study.id.as_str()));
entry!(Study, "study", studies, check_study_agents, |_one, _paper| None);
entry!(Training, "training", trainings, check_training_agents, |_one, _paper| None);

/// The entries of a kind that a paper lists.
pub(crate) fn listed<E: PlannedEntry>(paper: &Paper) -> Vec<Listed<'_>> {
    E::of(paper).iter().map(|entry| entry.listed(paper)).collect()
}

impl Planner<'_> {
    /// All entries of a kind, in the manifests' order.
    pub(super) fn entries<E: PlannedEntry>(&self) -> impl Iterator<Item = (&Paper, &E)> {
        self.project.papers.iter().flat_map(|paper| E::of(paper).iter().map(move |entry| (paper, entry)))
    }

    /// Plans each selected entry that waits for no other job. An agent may think for seconds over the frozen
    /// positions, so several are asked at once.
    pub(super) fn plan_entries<E: PlannedEntry, P: Send>(
        &self,
        selection: &Selection,
        plan: impl Fn(&EntryContext<'_, E>) -> Result<P, PlanError> + Sync,
    ) -> Result<Plan<P>, PlanError> {
        let is_selected = |(paper, entry): &(&Paper, &E)| {
            selection.takes(paper, entry.listed(paper)) && self.project.blocked(&entry.key(paper)).is_none()
        };
        let (selected, agentless): (Vec<_>, Vec<_>) =
            self.entries::<E>().filter(is_selected).partition(|(_, entry)| self.has(entry.agent()));
        let known = self.catalogue.agents();
        let agents = || selected.iter().map(|(_, entry)| entry.agent());
        E::check(&selected, &known).map_err(|source| self.mismatch(agents(), source))?;
        self.check_clashes(agents())?;
        let planned: Vec<Result<P, PlanError>> = selected
            .par_iter()
            .map(|&(paper, entry)| {
                let Some((plugin, agent)) = self.catalogue.find(entry.agent()) else {
                    unreachable!("entries without an agent are set apart");
                };
                let planned = plan(&EntryContext { paper, entry, plugin, agent });
                (self.on_planned)();
                planned
            })
            .collect();
        let mut all = Plan { jobs: Vec::with_capacity(planned.len()), blocked: Vec::new() };
        for (paper, entry) in agentless {
            let Err(source) = E::check(&[(paper, entry)], &known) else { continue };
            // A plugin that cannot be opened may have any of the agents: it is named once.
            let reason = match all.blocked.is_empty() {
                true => self.mismatch(std::iter::once(entry.agent()), source).to_string(),
                false => source.to_string(),
            };
            let missing = Some(Missing::Agent(entry.agent().to_owned()));
            all.blocked.push(BlockedJob { key: entry.key(paper), reason, missing });
        }
        for ((paper, entry), planned) in selected.into_iter().zip(planned) {
            match planned {
                Err(error) if error.is_of_one() => all.blocked.push(error.blocked(entry.key(paper))),
                planned => all.jobs.push(planned?),
            }
        }
        Ok(all)
    }

    /// Whether a plugin offers an agent.
    pub(super) fn has(&self, agent: &str) -> bool {
        self.catalogue.find(agent).is_some()
    }
}
