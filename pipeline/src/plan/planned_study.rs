//! Planned studies: the identity of each, what is stored or journalled of it, and how long the rest may take.

use jobs::{Canonical as _, Key, Status, StoreError};
use std::sync::Arc;
use std::time::Duration;

use engine::Ending;
use search::Point;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::entry::{EntryContext, PlannedEntry as _};
use super::planned::mean_time;
use super::{BlockedJob, Determinism, Plan, PlanError, Planner, Selection, hashes};
use crate::journal::Title;
use crate::player::GameSetup;
use crate::signatures::{AgentSetup, SignaturePair, Signatures};
use crate::study::journal::{TrialJournal, journals};
use manifest::Study;
use platform::ConfinedPath;
use records::store::read_timing;
use records::{GameTiming, Layout, Provenance};
use studies::identity::signed_points;
use studies::{Player as StudyPlayer, StudyIdentity, store};
use workers::{Files, Launcher, PluginEntry, WorkerError};

/// One study with its identity, and what is stored of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PlannedStudy {
    /// Its paper and name.
    pub key: Key,
    /// The study as the manifest has it.
    pub study: Study,
    /// All that determines its trials.
    pub identity: StudyIdentity,
    /// The files that its agent loads.
    pub files: Files,
    /// The plugin that its agent is in.
    #[serde(skip)]
    pub plugin: Arc<PluginEntry>,
    /// Where its trials are or will be.
    #[serde(skip)]
    pub path: ConfinedPath,
    /// What is stored.
    #[serde(skip)]
    pub status: Status,
    /// Trials of this identity that are in journals, and in no file yet.
    #[serde(skip)]
    pub journalled: u64,
    /// What a trial took before, if any was timed: the time of its processor where that is known.
    #[serde(skip)]
    pub time_per_trial: Option<Duration>,
    /// What the agent has for parameters that nobody gives.
    defaults: Map<String, Value>,
    /// Whether it is to run again, whatever is stored.
    #[serde(skip)]
    pub(crate) is_fresh: bool,
}

impl Planner<'_> {
    /// Plans the selected studies. Names of other jobs are ignored.
    pub fn plan_studies(&self, selection: &Selection) -> Result<Plan<PlannedStudy>, PlanError> {
        let signatures = Signatures::load(&self.layout.signatures());
        let mut plan =
            self.plan_entries(selection, |entry| self.plan_study(entry, selection, &signatures))?;
        if selection.determinism != Determinism::NotAsked {
            self.require_deterministic_trials(&mut plan, selection.is_fresh, &signatures)?;
        }
        Ok(plan)
    }

    /// Blocks the studies with trials to play whose agents are not deterministic. Studies cannot be marked:
    /// each trial follows from those before it.
    fn require_deterministic_trials(
        &self,
        plan: &mut Plan<PlannedStudy>,
        is_fresh: bool,
        signatures: &Signatures,
    ) -> Result<(), PlanError> {
        let to_play = (0..).zip(&plan.jobs).filter(|(_, planned)| is_fresh || !planned.status.is_complete());
        let points = to_play.flat_map(|(place, planned)| {
            let points = signed_points(&planned.study.space).into_iter();
            points.map(move |point| (place, planned, planned.params_at(&point)))
        });
        let points: Vec<(usize, &PlannedStudy, Map<String, Value>)> = points.collect();
        let agents = points.iter().map(|(place, planned, params)| (*place, planned.setup(params).agent));
        let fickle = self.nondeterministic(&agents.collect::<Vec<_>>(), signatures)?;
        let first = plan.blocked.len();
        for (place, why) in fickle.into_iter().rev() {
            let reason = format!("{why}: a study must reproduce, with or without --nondeterministic");
            let key = plan.jobs.remove(place).key;
            plan.blocked.insert(first, BlockedJob { key, reason, missing: None });
        }
        Ok(())
    }

    fn plan_study(
        &self,
        context: &EntryContext<'_, Study>,
        selection: &Selection,
        signatures: &Signatures,
    ) -> Result<PlannedStudy, PlanError> {
        let EntryContext { paper, entry: study, plugin, agent } = *context;
        let files = self.files(context, &study.files)?;
        let defaults = agent.default_params();
        let player = StudyPlayer {
            version: agent.version.clone(),
            params: with_defaults(&defaults, study.params.clone()),
            files: hashes(plugin, &files),
            signatures: Vec::new(),
        };
        let key = study.key(paper);
        let mut planned = PlannedStudy {
            path: self.layout.study(&key),
            key,
            study: study.clone(),
            identity: StudyIdentity::new(study, player.clone()),
            files,
            plugin: Arc::clone(plugin),
            status: Status::Missing,
            journalled: 0,
            time_per_trial: None,
            defaults,
            is_fresh: selection.is_fresh,
        };
        let signatures = planned.sign(self.launcher, signatures).map_err(context.agent_error())?;
        planned.identity = StudyIdentity::new(study, StudyPlayer { signatures, ..player });
        planned.look_up(self.layout, selection.is_fresh)?;
        Ok(planned)
    }
}

/// Whether an agent cannot be made, on any machine.
const fn is_refusal(error: &WorkerError) -> bool {
    match error {
        WorkerError::Refused(_) | WorkerError::Failed(_) => true,
        WorkerError::Faulted(fault) => !matches!(fault.ending, Ending::Timeout | Ending::ResourceLimit),
        WorkerError::NotStarted(_) => false,
    }
}

fn with_defaults(defaults: &Map<String, Value>, given: Map<String, Value>) -> Map<String, Value> {
    let mut params = defaults.clone();
    params.extend(given);
    params
}

impl PlannedStudy {
    /// All parameters of the agent at a point of the space.
    pub fn params_at(&self, point: &Point) -> Map<String, Value> {
        with_defaults(&self.defaults, self.study.params_at(point))
    }

    /// All that determines the games of a trial with these parameters.
    pub(crate) fn setup<'a>(&'a self, params: &'a Map<String, Value>) -> GameSetup<'a> {
        let Study { agent, rules, budget, move_limit_ms, seed, .. } = &self.study;
        let (plugin, files, budget) = (&*self.plugin, &self.files, *budget);
        let move_limit = Duration::from_millis(*move_limit_ms);
        GameSetup {
            agent: AgentSetup { plugin, agent, rules, params, files, budget, move_limit },
            seed: *seed,
        }
    }

    /// What the agent decides on the frozen positions at each of the points where it is signed. That it
    /// cannot be made is part of the signature: such points only cost their trials, unless they are all.
    fn sign(&self, launcher: &Launcher, signatures: &Signatures) -> Result<Vec<String>, WorkerError> {
        let (mut signed, mut refused) = (Vec::new(), None);
        for point in &signed_points(&self.study.space) {
            signed.push(match signatures.get(launcher, &self.setup(&self.params_at(point)).agent) {
                Ok(SignaturePair { first, second }) => Some(format!("{first}\n{second}")),
                Err(error) if is_refusal(&error) => {
                    refused.get_or_insert(error);
                    None
                }
                Err(error) => return Err(error),
            });
        }
        match refused {
            Some(error) if signed.iter().all(Option::is_none) => Err(error),
            _ => Ok(signed.into_iter().map(|pair| pair.unwrap_or_else(|| "no agent".to_owned())).collect()),
        }
    }

    /// What stands at the head of its journals.
    pub fn title(&self, origin: Option<Provenance>) -> Title {
        Title::new(format!("{} {}", self.key, self.identity.hash()), None, origin)
    }

    /// How many trials it has, or at most has, if its method knows that beforehand.
    pub fn trials(&self) -> Option<u64> {
        match self.status {
            Status::Complete { rows } => Some(rows),
            _ => self.study.method.facts().trials,
        }
    }

    /// Looks at what is stored.
    fn look_up(&mut self, layout: &Layout, is_fresh: bool) -> Result<(), PlanError> {
        self.status = self.status_now()?;
        let mut journalled: Vec<GameTiming> = Vec::new();
        for path in journals(layout, &self.key, is_fresh) {
            if let Some(journal) = TrialJournal::look(&path, &self.title(None))? {
                journalled.extend(journal.timings());
            }
        }
        journalled.sort_by_key(|timing| timing.game);
        journalled.dedup_by_key(|timing| timing.game);
        self.journalled = if self.status.is_complete() && !is_fresh { 0 } else { journalled.len() as u64 };
        let trials = store::summary(&self.path)?.map_or(0, |stored| stored.rows) + journalled.len() as u64;
        let mut timings = read_timing(&layout.timing(&self.key, None))?;
        timings.extend(journalled);
        self.time_per_trial = mean_time(&timings, trials);
        Ok(())
    }

    /// What is stored at this moment.
    pub(crate) fn status_now(&self) -> Result<Status, StoreError> {
        let Some(stored) = store::summary(&self.path)? else { return Ok(Status::Missing) };
        // A study's file appears when the study is complete.
        let differences = stored.identity.differences(&self.identity);
        Ok(Status::of(stored.rows, stored.rows, differences))
    }
}
