//! Manifests against the agents that there are: the second step, once a worker has read the plugins' descriptors.

use engine::abi::host::AgentInfo;
use engine::agent::{Budget, Capabilities};
use serde_json::{Map, Value};

use super::{AgentMismatch, Experiment, ManifestError, Paper, params};

/// Checks that every experiment's agent exists and takes its parameters and its budget.
///
/// # Errors
/// The first experiment whose agent does not; the message lists what there is instead.
pub fn check_agents(paper: &Paper, agents: &[AgentInfo]) -> Result<(), ManifestError> {
    paper.experiments.iter().try_for_each(|experiment| check_agent(paper, experiment, agents))
}

/// Checks one experiment of a paper as [`check_agents`] does all: its agent exists and takes what it is given.
///
/// # Errors
/// Where it does not; the message lists what there is instead.
pub fn check_agent(
    paper: &Paper,
    experiment: &Experiment,
    agents: &[AgentInfo],
) -> Result<(), ManifestError> {
    find_mismatch(experiment, agents).map_err(|source| ManifestError::Agent {
        file: paper.file.clone(),
        experiment: experiment.id.clone(),
        source: Box::new(source),
    })
}

/// An agent's parameters: those given, and the defaults of all others.
#[must_use]
pub fn resolved_params(agent: &AgentInfo, given: &Map<String, Value>) -> Map<String, Value> {
    let mut params = agent.default_params();
    params.extend(given.clone());
    params
}

fn find_mismatch(experiment: &Experiment, agents: &[AgentInfo]) -> Result<(), AgentMismatch> {
    let Some(agent) = agents.iter().find(|agent| agent.id == experiment.agent) else {
        let mut known: Vec<_> = agents.iter().map(|agent| agent.id.clone()).collect();
        known.sort();
        return Err(AgentMismatch::UnknownAgent { agent: experiment.agent.clone(), known });
    };
    check_given(agent, &experiment.params, experiment.budget)
}

/// Checks that an agent takes these parameters and this budget.
///
/// # Errors
/// Where it does not; the message lists what it takes instead.
pub fn check_given(
    agent: &AgentInfo,
    params: &Map<String, Value>,
    budget: Budget,
) -> Result<(), AgentMismatch> {
    check_params(agent, params)?;
    check_budget(agent, budget)
}

/// Checks parameters against an agent's schema.
///
/// # Errors
/// The first parameter that the schema does not allow.
pub fn check_params(agent: &AgentInfo, given: &Map<String, Value>) -> Result<(), AgentMismatch> {
    let no_properties = Map::new();
    let schema = &agent.params_schema;
    let properties = schema.get("properties").and_then(Value::as_object).unwrap_or(&no_properties);
    for (name, value) in given {
        let property = properties.get(name).ok_or_else(|| AgentMismatch::UnknownParameter {
            agent: agent.id.clone(),
            parameter: name.clone(),
            known: properties.keys().cloned().collect(),
        })?;
        params::check(schema, property, value, name).map_err(|wrong| AgentMismatch::Parameter {
            parameter: wrong.path,
            value: wrong.value.to_string(),
            must: wrong.must,
        })?;
    }
    let resolved = resolved_params(agent, given);
    let mut required =
        schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    match required.find(|&name| !resolved.contains_key(name)) {
        Some(parameter) => {
            Err(AgentMismatch::MissingParameter { agent: agent.id.clone(), parameter: parameter.to_owned() })
        }
        None => Ok(()),
    }
}

fn check_budget(agent: &AgentInfo, budget: Budget) -> Result<(), AgentMismatch> {
    if agent.capabilities.takes(budget) {
        return Ok(());
    }
    let forms = [
        (Capabilities::NO_BUDGET, "\"none\""),
        (Capabilities::PLIES, "{ plies = … }"),
        (Capabilities::NODES, "{ nodes = … }"),
        (Capabilities::PLAYOUTS, "{ playouts = … }"),
        (Capabilities::TIME, "{ time-ns = … }"),
    ];
    let taken = forms.into_iter().filter(|&(capability, _)| agent.capabilities.contains(capability));
    Err(AgentMismatch::Budget {
        agent: agent.id.clone(),
        budget: budget.to_string(),
        takes: taken.map(|(_, form)| form).collect(),
    })
}
