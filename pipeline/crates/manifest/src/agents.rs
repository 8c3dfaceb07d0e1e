//! Manifests against the agents that there are: the second step, once a worker has read the plugins' descriptors.

use engine::abi::host::AgentInfo;
use engine::agent::{Budget, Capabilities};
use serde_json::{Map, Value};

use super::problems::together;
use super::{AgentMismatch, Experiment, ManifestError, Paper, params};

/// Checks that the agents of experiments exist and take their parameters and their budgets.
///
/// # Errors
/// All that they do not take; the messages list what there is instead.
pub fn check_agents<'a>(
    experiments: impl IntoIterator<Item = (&'a Paper, &'a Experiment)>,
    agents: &[AgentInfo],
) -> Result<(), ManifestError> {
    let of_one = |(paper, experiment): (&'a Paper, &'a Experiment)| {
        let error = |source: AgentMismatch| ManifestError::Agent {
            file: paper.file.clone(),
            line: paper.lines.of_key(&experiment.id, &source.key()),
            experiment: experiment.id.clone(),
            source: Box::new(source),
        };
        let mut found: Vec<_> = mismatches(experiment, agents).into_iter().map(error).collect();
        found.sort_by_key(ManifestError::line);
        found
    };
    together(experiments.into_iter().flat_map(of_one).collect())
}

/// An agent's parameters: those given, and the defaults of all others.
#[must_use]
pub fn resolved_params(agent: &AgentInfo, given: &Map<String, Value>) -> Map<String, Value> {
    let mut params = agent.default_params();
    params.extend(given.clone());
    params
}

fn mismatches(experiment: &Experiment, agents: &[AgentInfo]) -> Vec<AgentMismatch> {
    let Some(agent) = agents.iter().find(|agent| agent.id == experiment.agent) else {
        let mut known: Vec<_> = agents.iter().map(|agent| agent.id.clone()).collect();
        known.sort();
        return vec![AgentMismatch::UnknownAgent { agent: experiment.agent.clone(), known }];
    };
    let mut found = check_params(agent, &experiment.params);
    found.extend(check_budget(agent, experiment.budget));
    found
}

/// What an agent does not take of parameters: the messages list what it takes instead.
#[must_use]
pub fn check_params(agent: &AgentInfo, given: &Map<String, Value>) -> Vec<AgentMismatch> {
    let no_properties = Map::new();
    let schema = &agent.params_schema;
    let properties = schema.get("properties").and_then(Value::as_object).unwrap_or(&no_properties);
    let mut found = Vec::new();
    for (name, value) in given {
        let parameter = name.clone();
        match properties.get(name) {
            Some(property) => {
                let wrong = params::check(schema, property, value, name);
                found.extend(wrong.into_iter().map(|wrong| AgentMismatch::Parameter {
                    parameter: parameter.clone(),
                    problem: wrong.to_string(),
                }));
            }
            None => found.push(AgentMismatch::UnknownParameter {
                agent: agent.id.clone(),
                parameter,
                known: properties.keys().cloned().collect(),
            }),
        }
    }
    let resolved = resolved_params(agent, given);
    let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
    let lacking = required.filter_map(Value::as_str).filter(|&name| !resolved.contains_key(name));
    found.extend(
        lacking.map(|name| AgentMismatch::MissingParameter {
            agent: agent.id.clone(),
            parameter: name.to_owned(),
        }),
    );
    found
}

/// What an agent does not take of a budget; none where it takes it.
#[must_use]
pub fn check_budget(agent: &AgentInfo, budget: Budget) -> Option<AgentMismatch> {
    if agent.capabilities.takes(budget) {
        return None;
    }
    let forms = [
        (Capabilities::NO_BUDGET, "\"none\""),
        (Capabilities::PLIES, "{ plies = … }"),
        (Capabilities::NODES, "{ nodes = … }"),
        (Capabilities::PLAYOUTS, "{ playouts = … }"),
        (Capabilities::TIME, "{ time-ns = … }"),
    ];
    let taken = forms.into_iter().filter(|&(capability, _)| agent.capabilities.contains(capability));
    Some(AgentMismatch::Budget {
        agent: agent.id.clone(),
        budget: budget.to_string(),
        takes: taken.map(|(_, form)| form).collect(),
    })
}
