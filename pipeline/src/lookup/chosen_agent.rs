//! An agent that a command line names: found, checked against what it is given, and ready to be made.

use std::sync::Arc;
use std::time::Duration;

use engine::Rules;
use engine::abi::host::AgentInfo;
use engine::agent::Budget;
use serde_json::{Map, Value};

use crate::failure::Failure;
use crate::naming::shown_params;
use jobs::Key;
use manifest::{DEFAULT_MOVE_LIMIT_MS, DEFAULT_SEED, Experiment};
use workers::{Files, Launcher, PluginEntry, Worker};

/// How long a move may take before the agent counts as hanging.
pub(crate) const MOVE_LIMIT: Duration = Duration::from_millis(DEFAULT_MOVE_LIMIT_MS);

/// An agent and how it plays.
#[derive(Clone, Debug)]
pub(crate) struct ChosenAgent {
    /// What the command line calls it.
    pub(crate) label: String,
    pub(crate) plugin: Arc<PluginEntry>,
    pub(crate) agent: AgentInfo,
    /// All of its parameters.
    pub(crate) params: Map<String, Value>,
    /// The files that it loads.
    pub(crate) files: Files,
    pub(crate) budget: Budget,
    /// The experiment whose budget it is, if none was given.
    pub(crate) budget_of: Option<Key>,
    pub(crate) rules: Rules,
    /// The experiment that was named.
    pub(crate) experiment: Option<Experiment>,
}

impl ChosenAgent {
    /// Makes the agent in a worker of its own.
    pub(crate) fn start(&self, launcher: &Launcher) -> Result<Worker, Failure> {
        let mut worker = launcher.start()?;
        worker.open(&self.plugin.file)?;
        let made = worker.create(&self.agent.id, &self.rules, &self.params, self.budget, &self.files);
        made.map_err(|error| Failure::from(error).of(&format!("agent `{}`", self.agent.id)))?;
        Ok(worker)
    }

    /// The agent in a line, with the settings that are not the defaults.
    pub(crate) fn describe(&self) -> String {
        format!("{}, {}", self.setting(), rules_words(&self.rules))
    }

    /// The same without the rules.
    pub(crate) fn setting(&self) -> String {
        let Self { agent, params, budget, budget_of, .. } = self;
        let params = shown_params(agent, params, Budget::None).into_iter();
        let params = params.map(|setting| format!(", {setting}")).collect::<String>();
        let files =
            self.files.iter().map(|(role, file)| format!(", {role} {:.12}", file.sha256)).collect::<String>();
        let of = budget_of.as_ref().map(|key| format!(" (the budget of {key})")).unwrap_or_default();
        format!("{} {}{params}{files}, {budget}{of}", agent.id, agent.version)
    }

    /// The agent with its settings, as a command line takes it.
    pub(crate) fn written(&self) -> String {
        let settings = shown_params(&self.agent, &self.params, self.budget);
        let files = self.files.iter().map(|(role, file)| format!("{role}={}", file.sha256));
        std::iter::once(self.agent.id.clone()).chain(settings).chain(files).collect::<Vec<_>>().join(",")
    }

    /// The master seed of the experiment that was named, or else the usual one.
    pub(crate) fn seed(&self) -> u64 {
        self.experiment.as_ref().map_or(DEFAULT_SEED, |experiment| experiment.seed)
    }

    /// How long a move may take before the agent counts as hanging.
    pub(crate) fn move_limit_ms(&self) -> u64 {
        self.experiment.as_ref().map_or(DEFAULT_MOVE_LIMIT_MS, |experiment| experiment.move_limit_ms)
    }
}

/// Rules in words, for the end of a line.
pub(crate) fn rules_words(rules: &Rules) -> String {
    match rules {
        rules if *rules == Rules::default() => "standard rules".to_owned(),
        rules => format!("rules {}", serde_json::to_value(rules).unwrap_or_default()),
    }
}
