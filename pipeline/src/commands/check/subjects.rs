//! Which agents a command line asks to check: all of a file, or one that is named as everywhere else.

use std::path::{Path, PathBuf};

use engine::abi::host::AgentInfo;
use engine::agent::Budget;
use serde_json::{Map, Value};

use super::outcome::stderr_lines;
use crate::cli;
use crate::commands::Failure;
use crate::lookup::finder::{Finder, NamedAgent, spec};
use crate::naming::{AgentSettings, AgentSpec, BudgetText};
use manifest::Experiment;
use workers::Files;
use workers::plugin::is_file_name;

/// An agent to check, and what it plays with.
pub(super) struct CheckedAgent {
    pub(super) file: PathBuf,
    pub(super) agent: AgentInfo,
    pub(super) params: Map<String, Value>,
    /// The files that it loads.
    pub(super) files: Files,
    /// None for a small one of each kind that it takes.
    pub(super) budget: Option<Budget>,
}

/// The agents that are to be checked.
pub(super) fn subjects(arguments: &cli::CheckArgs) -> Result<Vec<CheckedAgent>, Failure> {
    let spec = spec(&arguments.name)?;
    let mut finder = Finder::new(&arguments.places)?;
    let is_one = finder.is_experiment(&spec.name) || !is_file_name(&spec.name);
    if is_one {
        let NamedAgent { plugin, agent, experiment } = finder.find(&spec.name)?;
        return Ok(vec![subject(arguments, &mut finder, &spec, plugin.file.clone(), agent, experiment)?]);
    }
    let file = PathBuf::from(&spec.name);
    let agents = agents(&finder, &file)?;
    let ids: Vec<&str> = agents.iter().map(|agent| agent.id.as_str()).collect();
    if let Some(id) = arguments.agent.as_ref().filter(|id| !ids.contains(&id.as_str())) {
        let known = ids.join(", ");
        return Err(Failure::usage(format!("{}: has no agent `{id}`; known: {known}", file.display())));
    }
    let is_chosen = |agent: &AgentInfo| arguments.agent.as_ref().is_none_or(|id| *id == agent.id);
    let chosen = agents.into_iter().filter(is_chosen);
    chosen.map(|agent| subject(arguments, &mut finder, &spec, file.clone(), agent, None)).collect()
}

/// The agents of a file. If a program cannot be used, the error has its whole standard error: the last
/// line seldom says where.
fn agents(finder: &Finder, file: &Path) -> Result<Vec<AgentInfo>, Failure> {
    let mut worker = finder.launcher.start()?;
    match worker.open(file) {
        Ok(agents) => {
            worker.finish();
            Ok(agents)
        }
        Err(error) => Err(Failure::from(error).and(&stderr_lines(&worker.take_stderr(), "  "))),
    }
}

fn subject(
    arguments: &cli::CheckArgs,
    finder: &mut Finder,
    spec: &AgentSpec,
    file: PathBuf,
    agent: AgentInfo,
    experiment: Option<Experiment>,
) -> Result<CheckedAgent, Failure> {
    let timed = "the suite plays games twice, and no two are the same under a budget of time: give --budget plies=N, \
                    nodes=N or playouts=N";
    if matches!(arguments.budget, Some(BudgetText::Exact(Budget::TimeNs(_)))) {
        return Err(Failure::usage(timed));
    }
    let settings = AgentSettings::of(experiment.as_ref());
    let settings = settings.read(&agent, &arguments.params, arguments.budget, &spec.settings);
    let settings = settings.map_err(Failure::usage)?;
    if matches!(settings.budget, Some(Budget::TimeNs(_))) {
        return Err(Failure::usage(timed));
    }
    let files = finder.files(&agent, &settings.files, experiment.as_ref())?;
    Ok(CheckedAgent { file, agent, params: settings.params, files, budget: settings.budget })
}
