//! The plan: what there is to play, what is stored already, and how long the rest may take.

use std::path::PathBuf;
use std::time::Duration;

use engine::abi::host::AgentInfo;
use engine::agent::Budget;
use rayon::prelude::*;
use serde_json::{Map, Value};

use crate::catalogue::{Catalogue, PluginEntry};
use crate::identity::{Difference, Identity};
use crate::journal::{Journal, JournalError};
use crate::layout::{Key, Layout};
use crate::manifest::{self, Experiment, ManifestError, Paper, Set, resolved_params};
use crate::record::GameTiming;
use crate::signatures::{Signatures, Subject};
use crate::store::{Shard, StoreError, Summary, read_timing};
use crate::worker::{Launcher, WorkerError};

/// Everything that is to be looked at, in the order of papers and their experiments.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The experiments; those of equal identity stand here once.
    pub experiments: Vec<Planned>,
    /// Those whose agent failed before it could be given a game. The others do not depend on them.
    pub unplanned: Vec<Unplanned>,
}

/// An experiment whose agent failed before it could be given a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unplanned {
    /// Its paper and name.
    pub key: Key,
    /// What is known of it: the manifest, the experiment, and how the agent failed.
    pub reason: String,
}

/// One experiment with its identity, and what is stored of it.
#[derive(Clone, Debug)]
pub struct Planned {
    /// Its paper and name: those of the first experiment in all manifests that has this identity.
    pub key: Key,
    /// The experiment as the manifest has it.
    pub experiment: Experiment,
    /// Experiments of the same identity, which these records serve as well.
    pub also_for: Vec<Key>,
    /// All that determines its records.
    pub identity: Identity,
    /// All of its parameters.
    pub params: Map<String, Value>,
    /// The plugin that its agent is in.
    pub plugin: PluginEntry,
    /// How many games are wanted: the most that an experiment of this identity asks for.
    pub games: u64,
    /// Where its records are or will be.
    pub path: PathBuf,
    /// What is stored.
    pub state: State,
    /// Games that an interrupted run has left in its journal, beside those in the records.
    pub journalled: u64,
    /// How many games are left to play.
    pub to_play: u64,
    /// What a game took before, if any was timed.
    pub time_per_game: Option<Duration>,
}

/// What is stored of an experiment.
#[derive(Clone, Debug, PartialEq)]
pub enum State {
    /// Nothing.
    Missing,
    /// All games that are wanted, or more.
    Complete {
        /// How many.
        games: u64,
    },
    /// Fewer games than are wanted.
    Partial {
        /// How many.
        games: u64,
    },
    /// Records of another identity.
    Stale {
        /// In what the identities differ: stored and now.
        differences: Vec<Difference>,
    },
}

/// What is to be planned.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// `PAPER` or `PAPER/EXPERIMENT`; nothing: the default set of every paper.
    pub names: Vec<String>,
    /// Also the experiments of the extra set.
    pub with_extra: bool,
    /// Another number of games for every experiment.
    pub games: Option<u64>,
    /// Only one part of the games.
    pub shard: Option<(u64, u64)>,
    /// Whether everything is to be played again, whatever is stored.
    pub is_fresh: bool,
}

/// Why there is no plan.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum PlanError {
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    #[error("no paper or experiment is called `{name}`; there are: {known}")]
    Unknown { name: String, known: String },
    #[error("agent `{agent}` is in two plugins, {} and {}: remove one of them", one.display(), other.display())]
    Clash { agent: String, one: PathBuf, other: PathBuf },
    #[error("{file}: experiment `{experiment}`: {source}", file = file.display())]
    Agent { file: PathBuf, experiment: String, source: WorkerError },
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error("{broken}\n{source}")]
    Broken { broken: String, source: Box<ManifestError> },
}

/// What a plan is made from.
pub struct Planner<'a> {
    /// All papers, the selected ones and the others.
    pub papers: &'a [Paper],
    /// The agents that there are.
    pub catalogue: &'a Catalogue,
    /// How to start workers, for signatures.
    pub launcher: &'a Launcher,
    /// Where the results are.
    pub layout: &'a Layout,
    /// Called after each experiment whose identity is known.
    pub on_planned: &'a (dyn Fn() + Sync),
}

impl Planner<'_> {
    /// Plans the selected experiments.
    ///
    /// # Errors
    /// Where a name is unknown, an agent is missing or refuses its experiment, or what is stored cannot be read.
    pub fn plan(&self, selection: &Selection) -> Result<Plan, PlanError> {
        let selected = self.select(selection)?;
        let signatures = Signatures::load(&self.layout.signatures());
        // An agent may think for seconds over the frozen positions, so several are asked at once.
        let planned: Vec<Result<Planned, PlanError>> = selected
            .par_iter()
            .map(|(paper, experiment)| {
                let planned = self.plan_one(paper, experiment, selection, &signatures);
                (self.on_planned)();
                planned
            })
            .collect();
        let mut experiments: Vec<Planned> = Vec::new();
        let mut unplanned = Vec::new();
        for ((paper, experiment), planned) in selected.into_iter().zip(planned) {
            let planned = match planned {
                Err(error) if error.is_fault() => {
                    unplanned.push(Unplanned { key: key(paper, experiment), reason: error.to_string() });
                    continue;
                }
                planned => planned?,
            };
            match experiments.iter_mut().find(|owner| owner.identity == planned.identity) {
                Some(owner) => owner.share_with(planned),
                None => experiments.push(planned),
            }
        }
        for planned in &mut experiments {
            planned.look_up(self.layout, selection)?;
        }
        Ok(Plan { experiments, unplanned })
    }

    /// The experiments that are asked for, in the manifests' order.
    fn select(&self, selection: &Selection) -> Result<Vec<(&Paper, &Experiment)>, PlanError> {
        let all = || self.papers.iter().flat_map(|paper| paper.experiments.iter().map(move |e| (paper, e)));
        let is_named = |name: &str, paper: &Paper, experiment: &Experiment| {
            name == format!("{}/{}", paper.id, experiment.id)
        };
        for name in &selection.names {
            let is_paper = self.papers.iter().any(|paper| paper.id == *name);
            if !is_paper && !all().any(|(paper, experiment)| is_named(name, paper, experiment)) {
                return Err(PlanError::Unknown { name: name.clone(), known: self.known_beside(name) });
            }
        }
        let wanted = |paper: &Paper, experiment: &Experiment| {
            let in_set = selection.with_extra || experiment.set == Set::Default;
            let by_name = |name: &String| is_named(name, paper, experiment) || (*name == paper.id && in_set);
            if selection.names.is_empty() { in_set } else { selection.names.iter().any(by_name) }
        };
        Ok(all().filter(|(paper, experiment)| wanted(paper, experiment)).collect())
    }

    /// What could be meant by an unknown name: the experiments of its paper, or else the papers.
    fn known_beside(&self, name: &str) -> String {
        let paper = name.split_once('/').map(|(paper, _)| paper);
        let known: Vec<String> = match self.papers.iter().find(|known| Some(known.id.as_str()) == paper) {
            Some(paper) => paper.experiments.iter().map(|known| key(paper, known).to_string()).collect(),
            None => self.papers.iter().map(|paper| paper.id.clone()).collect(),
        };
        known.join(", ")
    }

    fn plan_one(
        &self,
        paper: &Paper,
        experiment: &Experiment,
        selection: &Selection,
        signatures: &Signatures,
    ) -> Result<Planned, PlanError> {
        self.check_agent(paper, experiment)?;
        let Some((plugin, agent)) = self.catalogue.find(&experiment.agent) else {
            unreachable!("the manifest has been checked against the agents");
        };
        let params = resolved_params(agent, &experiment.params);
        let identity = self.identify(experiment, (plugin, agent), &params, signatures).map_err(|source| {
            PlanError::Agent { file: paper.file.clone(), experiment: experiment.id.clone(), source }
        })?;
        let games = selection.games.unwrap_or(experiment.games);
        let own = key(paper, experiment);
        let key = self.owner(experiment, &params).unwrap_or_else(|| own.clone());
        Ok(Planned {
            also_for: (key != own).then_some(own).into_iter().collect(),
            key,
            experiment: Experiment { games, ..experiment.clone() },
            identity,
            params,
            plugin: plugin.clone(),
            games,
            path: PathBuf::new(),
            state: State::Missing,
            journalled: 0,
            to_play: games,
            time_per_game: None,
        })
    }

    /// All that determines an experiment's records. For the signature, its agent is asked where it has not been before.
    fn identify(
        &self,
        experiment: &Experiment,
        (plugin, agent): (&PluginEntry, &AgentInfo),
        params: &Map<String, Value>,
        signatures: &Signatures,
    ) -> Result<Identity, WorkerError> {
        let subject = Subject {
            plugin,
            agent: &agent.id,
            rules: &experiment.rules,
            params,
            budget: experiment.budget,
            move_limit: Duration::from_millis(experiment.move_limit_ms),
        };
        // No run under a wall-clock budget repeats another, so there are no decisions to sign.
        let signature = match experiment.budget {
            Budget::TimeNs(_) => None,
            _ => Some(signatures.get(self.launcher, &subject)?),
        };
        Ok(Identity::new(
            experiment.rules.clone(),
            (&agent.id, &agent.version),
            params.clone(),
            experiment.budget,
            experiment.seed,
            signature,
        ))
    }

    /// The first experiment in all manifests that has the same identity: the one whose file holds the records. The signature
    /// need not be compared, since it follows from the rest.
    fn owner(&self, experiment: &Experiment, params: &Map<String, Value>) -> Option<Key> {
        let agent = self.catalogue.find(&experiment.agent)?.1;
        let is_same = |other: &Experiment| {
            other.agent == experiment.agent
                && other.rules == experiment.rules
                && other.budget == experiment.budget
                && other.seed == experiment.seed
                && resolved_params(agent, &other.params) == *params
        };
        self.papers.iter().find_map(|paper| {
            let same = paper.experiments.iter().find(|other| is_same(other))?;
            Some(key(paper, same))
        })
    }

    /// Checks one experiment against the agents that there are.
    fn check_agent(&self, paper: &Paper, experiment: &Experiment) -> Result<(), PlanError> {
        manifest::check_agent(paper, experiment, &self.catalogue.agents()).map_err(|source| {
            let broken: Vec<String> =
                self.catalogue.broken.iter().map(|plugin| plugin.reason.clone()).collect();
            if self.catalogue.find(&experiment.agent).is_some() || broken.is_empty() {
                PlanError::Manifest(source)
            } else {
                PlanError::Broken { broken: broken.join("\n"), source: Box::new(source) }
            }
        })?;
        let clash = self.catalogue.clashes().into_iter().find(|(id, ..)| *id == experiment.agent);
        clash.map_or(Ok(()), |(agent, one, other)| Err(PlanError::Clash { agent, one, other }))
    }
}

fn key(paper: &Paper, experiment: &Experiment) -> Key {
    Key { paper: paper.id.clone(), experiment: experiment.id.clone() }
}

impl PlanError {
    /// Whether an agent faulted, which concerns its experiment alone.
    const fn is_fault(&self) -> bool {
        matches!(self, Self::Agent { source: WorkerError::Failed(_) | WorkerError::Down(_), .. })
    }
}

impl Planned {
    /// The part of the games that is planned, where it is not all.
    fn shard(&self, selection: &Selection) -> Option<Shard> {
        selection.shard.map(|(part, of)| Shard { part, of, games: self.games })
    }

    fn share_with(&mut self, other: Self) {
        self.games = self.games.max(other.games);
        self.also_for.extend(other.also_for);
    }

    /// Looks at what is stored.
    fn look_up(&mut self, layout: &Layout, selection: &Selection) -> Result<(), PlanError> {
        let shard = self.shard(selection);
        self.path = layout.records(&self.key, shard);
        let wanted = self.wanted_games(shard).count() as u64;
        self.state = match Summary::read(&self.path)? {
            None => State::Missing,
            Some(stored) if stored.header.identity != self.identity => {
                State::Stale { differences: stored.header.identity.differences(&self.identity) }
            }
            Some(stored) if stored.games >= wanted => State::Complete { games: stored.games },
            Some(stored) => State::Partial { games: stored.games },
        };
        let journal = layout.journal(&self.key, shard, selection.is_fresh);
        let journal = Journal::peek(&journal, &self.identity.hash())?;
        self.count(&journal, wanted, selection);
        let mut timings = read_timing(&layout.timing(&self.key, shard))?;
        timings.extend(journal);
        let total: u64 = timings.iter().map(|timing| timing.wall_ns).sum();
        self.time_per_game =
            (!timings.is_empty()).then(|| Duration::from_nanos(total / timings.len() as u64));
        Ok(())
    }

    /// Counts the games in the journal, and those that are left to play. Records hold the first games that are wanted: what a
    /// journal holds of those is there already.
    fn count(&mut self, journal: &[GameTiming], wanted: u64, selection: &Selection) {
        let stored = match self.state {
            State::Complete { games } | State::Partial { games } if !selection.is_fresh => games.min(wanted),
            _ => 0,
        };
        let is_journalled = |game: &u64| journal.binary_search_by_key(game, |timing| timing.game).is_ok();
        let not_stored = self.wanted_games(self.shard(selection)).skip(stored as usize);
        self.journalled = not_stored.filter(is_journalled).count() as u64;
        self.to_play = wanted - stored - self.journalled;
    }

    /// The numbers of the games that are wanted.
    pub fn wanted_games(&self, shard: Option<Shard>) -> impl Iterator<Item = u64> + use<> {
        (0..self.games).filter(move |&game| shard.is_none_or(|shard| shard.contains(game)))
    }
}
