//! An agent that a command line names: found, checked against what it is given, and ready to be made.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use engine::Rules;
use engine::abi::host::AgentInfo;
use engine::agent::Budget;
use serde_json::{Map, Value};

use super::Failure;
use super::context::launcher;
use crate::cli::{Loading, Setting};
use manifest::{DEFAULT_MOVE_LIMIT_MS, check_budget, check_params, resolved_params};
use workers::catalogue::{Catalogue, PluginEntry};
use workers::plugin::is_file_name;
use workers::worker::{Launcher, Worker};

/// How long a move may take before the agent counts as hanging.
pub(super) const MOVE_LIMIT: Duration = Duration::from_millis(DEFAULT_MOVE_LIMIT_MS);

/// An agent and how it plays.
#[derive(Clone, Debug)]
pub(super) struct ChosenAgent {
    pub(super) plugin: Arc<PluginEntry>,
    pub(super) agent: AgentInfo,
    /// All of its parameters.
    pub(super) params: Map<String, Value>,
    pub(super) budget: Budget,
    pub(super) rules: Rules,
}

/// Finds agents by what a command line calls them. The folders are looked through at the first name that needs it.
pub(super) struct Finder {
    pub(super) launcher: Launcher,
    named: Vec<PathBuf>,
    found: Option<Catalogue>,
}

impl Finder {
    pub(super) fn new(loading: &Loading) -> Result<Self, Failure> {
        let launcher = launcher(loading.memory)?;
        Ok(Self { launcher, named: loading.plugins.clone(), found: None })
    }

    /// The agent that a text names: an id, or a file with `:ID` behind it where it offers several agents.
    pub(super) fn find(&mut self, name: &str) -> Result<(Arc<PluginEntry>, AgentInfo), Failure> {
        match file_and_id(name) {
            Some((file, id)) => self.in_file(&file, id),
            None => self.by_id(name),
        }
    }

    /// The agent that a text names, with a setting that it takes.
    pub(super) fn choose(&mut self, name: &str, setting: &Setting) -> Result<ChosenAgent, Failure> {
        let (plugin, agent) = self.find(name)?;
        let given: Map<String, Value> = setting.params.iter().cloned().collect();
        let budget = setting.budget.unwrap_or_default();
        let mut wrong: Vec<String> = check_params(&agent, &given).iter().map(ToString::to_string).collect();
        let remedy = if setting.budget.is_none() { "; --budget gives one" } else { "" };
        wrong.extend(check_budget(&agent, budget).map(|mismatch| format!("{mismatch}{remedy}")));
        if !wrong.is_empty() {
            return Err(Failure::usage(wrong.join("\n")));
        }
        let params = resolved_params(&agent, &given);
        Ok(ChosenAgent { plugin, agent, params, budget, rules: rules(&setting.rules)? })
    }

    fn in_file(&self, file: &Path, id: Option<&str>) -> Result<(Arc<PluginEntry>, AgentInfo), Failure> {
        let path = file
            .canonicalize()
            .map_err(|error| Failure::usage(format!("{}: {error}; check the path", file.display())))?;
        let catalogue = Catalogue::of_files(&self.launcher, vec![path])?;
        if let Some(broken) = catalogue.broken.first() {
            return Err(Failure::usage(broken.reason.clone()));
        }
        let Some(plugin) = catalogue.plugins.into_iter().next() else { unreachable!("it is not broken") };
        let ids: Vec<&str> = plugin.agents.iter().map(|agent| agent.id.as_str()).collect();
        let chosen = match (id, &plugin.agents[..]) {
            (None, [only]) => Some(only.clone()),
            (None, _) => None,
            (Some(id), agents) => agents.iter().find(|agent| agent.id == id).cloned(),
        };
        let agent = chosen.ok_or_else(|| {
            let file = file.display();
            let wrong = id.map_or("offers several agents".to_owned(), |id| format!("has no agent `{id}`"));
            Failure::usage(format!("{file}: {wrong}; write {file}:ID with one of: {}", ids.join(", ")))
        })?;
        Ok((plugin, agent))
    }

    fn by_id(&mut self, id: &str) -> Result<(Arc<PluginEntry>, AgentInfo), Failure> {
        if self.found.is_none() {
            self.found = Some(Catalogue::discover(&self.launcher, &self.named)?);
        }
        let Some(catalogue) = &self.found else { unreachable!("it was looked for") };
        if let Some((_, one, other)) = catalogue.clashes().into_iter().find(|(clash, ..)| clash == id) {
            let (one, other) = (one.display(), other.display());
            return Err(Failure::usage(format!(
                "agent `{id}` is in two plugins, {one} and {other}: name one of the files instead"
            )));
        }
        let found = catalogue.find(id).map(|(plugin, agent)| (plugin.clone(), agent.clone()));
        found.ok_or_else(|| {
            let mut known: Vec<String> = catalogue.agents().into_iter().map(|agent| agent.id).collect();
            known.sort();
            let broken = catalogue.broken.iter().map(|plugin| format!("\n{}", plugin.reason));
            Failure::usage(format!(
                "no agent is called `{id}`; known: {}. Name a file by its path: ./{id}{}",
                known.join(", "),
                broken.collect::<String>()
            ))
        })
    }
}

impl ChosenAgent {
    /// Makes the agent in a worker of its own.
    pub(super) fn start(&self, launcher: &Launcher) -> Result<Worker, Failure> {
        let mut worker = launcher.start()?;
        worker.open(&self.plugin.file)?;
        worker.create(&self.agent.id, &self.rules, &self.params, self.budget)?;
        Ok(worker)
    }

    /// The agent and its setting in a line, as far as it is not the usual one.
    pub(super) fn describe(&self) -> String {
        let Self { agent, params, budget, rules, .. } = self;
        let mut text = format!("{} {}", agent.id, agent.version);
        let defaults = agent.default_params();
        for (name, value) in params.iter().filter(|(name, value)| defaults.get(*name) != Some(*value)) {
            text.push_str(&format!(", {name}={value}"));
        }
        text.push_str(&format!(", {budget}"));
        if *rules == Rules::default() {
            text.push_str(", standard rules");
        } else {
            let rules = serde_json::to_value(rules).unwrap_or_default();
            text.push_str(&format!(", rules {rules}"));
        }
        text
    }
}

/// A file, and what stands behind the colon, where a text means a file.
fn file_and_id(name: &str) -> Option<(PathBuf, Option<&str>)> {
    match name.rsplit_once(':') {
        Some((file, id)) if is_file_name(file) && !id.contains('/') => Some((file.into(), Some(id))),
        _ => is_file_name(name).then(|| (name.into(), None)),
    }
}

/// The standard rules, with these laid over them.
pub(super) fn rules(given: &[(String, Value)]) -> Result<Rules, Failure> {
    let given: Map<String, Value> = given.iter().cloned().collect();
    let wrong = |problem: String| Failure::usage(format!("--rules: {problem}"));
    let rules: Rules =
        serde_json::from_value(Value::Object(given)).map_err(|error| wrong(error.to_string()))?;
    rules.validate().map_err(|error| wrong(error.to_string()))?;
    Ok(rules)
}
