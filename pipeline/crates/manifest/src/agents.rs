//! Manifests against the agents that there are: the second step, once a worker has read the plugins'
//! descriptors.

use std::collections::{BTreeMap, BTreeSet};

use engine::abi::host::AgentInfo;
use engine::agent::{Budget, Capabilities};
use search::{Dimension, Range};
use serde_json::{Map, Value};

use super::error::known;
use super::problems::together;
use super::{
    AgentMismatch, Experiment, FileSource, ManifestError, Paper, Study, Subject, Training, schema_check,
};
use platform::plain::line;

/// Checks that the agents of experiments exist and take their parameters and their budgets. What is wrong
/// with a study's winners is wrong with the study, and reported once.
///
/// # Errors
/// Everything that they do not take; the messages list what there is instead.
pub fn check_agents<'a>(
    experiments: impl IntoIterator<Item = (&'a Paper, &'a Experiment)>,
    agents: &[AgentInfo],
) -> Result<(), ManifestError> {
    let mut reported = BTreeSet::new();
    let mut found = Vec::new();
    for (paper, experiment) in experiments {
        let study = paper.study_of(experiment);
        let subject = study.map_or(("experiment", &experiment.id), |study| ("study", &study.id));
        let errors = errors(paper, subject, &experiment.id, agents, &experiment.agent, |agent| {
            of_experiment(experiment, study, agent)
        });
        found
            .extend(errors.into_iter().filter(|error| study.is_none() || reported.insert(error.to_string())));
    }
    together(found)
}

/// Checks that the agents of studies exist, take their budgets and the parameters that stay as they are, and
/// every value that a search could come to, as far as the ends of ranges show it.
///
/// # Errors
/// Everything that they do not take; the messages list what there is instead.
pub fn check_study_agents<'a>(
    studies: impl IntoIterator<Item = (&'a Paper, &'a Study)>,
    agents: &[AgentInfo],
) -> Result<(), ManifestError> {
    let of_one = |(paper, study): (&'a Paper, &'a Study)| {
        errors(paper, ("study", &study.id), &study.id, agents, &study.agent, |agent| of_study(study, agent))
    };
    together(studies.into_iter().flat_map(of_one).collect())
}

/// Checks that the agents of trainings exist, can be trained, and take their parameters.
///
/// # Errors
/// Everything that they do not take; the messages list what there is instead.
pub fn check_training_agents<'a>(
    trainings: impl IntoIterator<Item = (&'a Paper, &'a Training)>,
    agents: &[AgentInfo],
) -> Result<(), ManifestError> {
    let of_one = |(paper, training): (&'a Paper, &'a Training)| {
        errors(paper, ("training", &training.id), &training.id, agents, &training.agent, |agent| {
            of_training(training, agent, agents)
        })
    };
    together(trainings.into_iter().flat_map(of_one).collect())
}

/// What is wrong with the entry of this id, by line, if its agent exists and takes all but this of it.
fn errors(
    paper: &Paper,
    (kind, subject): (&'static str, &String),
    id: &str,
    agents: &[AgentInfo],
    agent: &str,
    mismatches: impl Fn(&AgentInfo) -> Vec<AgentMismatch>,
) -> Vec<ManifestError> {
    let found = find(agents, agent).map_or_else(|unknown| vec![unknown], mismatches);
    let error = |mismatch: AgentMismatch| ManifestError::Invalid {
        file: paper.file.clone(),
        line: paper.lines.of_key(id, &mismatch.key()),
        subject: Subject::Entry(kind, subject.clone()),
        problem: mismatch.to_string(),
    };
    let mut errors: Vec<_> = found.into_iter().map(error).collect();
    errors.sort_by_key(ManifestError::line);
    errors
}

/// An agent's parameters: those given, and the defaults of all others.
pub fn resolved_params(agent: &AgentInfo, given: &Map<String, Value>) -> Map<String, Value> {
    let mut params = agent.default_params();
    params.extend(given.clone());
    params
}

/// The agent with this id.
fn find<'a>(agents: &'a [AgentInfo], id: &str) -> Result<&'a AgentInfo, AgentMismatch> {
    agents.iter().find(|agent| agent.id == id).ok_or_else(|| {
        let mut known: Vec<_> = agents.iter().map(|agent| agent.id.clone()).collect();
        known.sort();
        other(
            "agent",
            format!(
                "`agent` is `{id}`, which no plugin offers; known: {}. Build the plugins with `cargo build --release`, or \
                 add the folder of your own to RETILE_AGENT_PATH",
                list(&known)
            ),
        )
    })
}

fn other(key: &str, problem: String) -> AgentMismatch {
    AgentMismatch::Other { key: key.to_owned(), problem }
}

fn unknown_parameter(table: &str, agent: &str, name: &str, properties: &Map<String, Value>) -> AgentMismatch {
    let (shown, known) = (line(name), known(properties.keys().map(String::as_str)));
    let problem = format!("`{table}` has `{shown}`, which agent `{agent}` does not know; known: {known}");
    other(&format!("{table}.{name}"), problem)
}

fn list(names: &[String]) -> String {
    known(names.iter().map(String::as_str))
}

/// What an agent does not take of an experiment. A winner may still lack what its study searches: it gets
/// that when the study is done.
fn of_experiment(experiment: &Experiment, study: Option<&Study>, agent: &AgentInfo) -> Vec<AgentMismatch> {
    let mut found = check_params(agent, &experiment.params);
    if let Some(study) = study.filter(|_| experiment.winner.is_some()) {
        found.retain(|mismatch| !lacks_searched(mismatch, study));
    }
    found.extend(check_files(agent, &experiment.files));
    found.extend(check_budget(agent, experiment.budget));
    found
}

/// What an agent does not take of a study. What has no default is not missing where it is searched; the
/// experiment that plays the default says so.
fn of_study(study: &Study, agent: &AgentInfo) -> Vec<AgentMismatch> {
    let mut found = check_params(agent, &study.params);
    found.retain(|mismatch| !lacks_searched(mismatch, study));
    found.extend(check_files(agent, &study.files));
    found.extend(check_budget(agent, study.budget));
    found.extend(
        study.space.dimensions().iter().flat_map(|dimension| check_searched(agent, study, dimension)),
    );
    found
}

/// What an agent does not take of a training.
fn of_training(training: &Training, agent: &AgentInfo, agents: &[AgentInfo]) -> Vec<AgentMismatch> {
    let Some(info) = &agent.training else {
        let trained = agents.iter().filter(|agent| agent.training.is_some());
        let mut known: Vec<_> = trained.map(|agent| agent.id.clone()).collect();
        known.sort();
        let (id, known) = (&agent.id, list(&known));
        let problem = format!("`agent` is `{id}`, which cannot be trained; those that can: {known}");
        return vec![other("agent", problem)];
    };
    check_against(&agent.id, &info.params_schema, &info.default_params(), &training.params)
}

/// What an agent does not take of the files that are named: it needs one for each of its roles, and takes no
/// others.
pub fn check_files(agent: &AgentInfo, given: &BTreeMap<String, FileSource>) -> Vec<AgentMismatch> {
    let id = &agent.id;
    let missing = agent.files.iter().filter(|role| !given.contains_key(*role)).map(|role| {
        other(
            "files",
            format!(
                "`files` lacks `{role}`, which agent `{id}` needs: name a training or a SHA-256, such as \
                 `files.{role} = \"PAPER/TRAINING\"`; `pipeline artefacts` lists what there is"
            ),
        )
    });
    let unknown = given.keys().filter(|role| !agent.files.contains(role)).map(|role| {
        let known = list(&agent.files);
        let problem = format!("`files` has `{role}`, which agent `{id}` does not need; it needs: {known}");
        other(&format!("files.{role}"), problem)
    });
    missing.chain(unknown).collect()
}

fn lacks_searched(mismatch: &AgentMismatch, study: &Study) -> bool {
    let is_searched = |name: &str| study.space.dimensions().iter().any(|dimension| dimension.name == name);
    matches!(mismatch, AgentMismatch::MissingParameter { parameter, .. } if is_searched(parameter))
}

/// What an agent does not take of a searched parameter: both ends of its range, or every choice, by the
/// agent's schema.
fn check_searched(agent: &AgentInfo, study: &Study, dimension: &Dimension) -> Vec<AgentMismatch> {
    let (schema, name) = (&agent.params_schema, &dimension.name);
    let no_properties = Map::new();
    let properties = schema.get("properties").and_then(Value::as_object).unwrap_or(&no_properties);
    let Some(property) = properties.get(name) else {
        return vec![unknown_parameter("space", &agent.id, name, properties)];
    };
    let wrong_with = |value: &Value| {
        schema_check::check(schema, property, value).err().map(|violation| violation.within(name))
    };
    let values: Vec<Value> = match dimension.range {
        Range::Real { from, to, .. } => vec![from.into(), to.into()],
        Range::Integer { from, to, .. } => vec![from.into(), to.into()],
        Range::Choice { .. } => study.choices.get(name).cloned().unwrap_or_default(),
    };
    let remedy = match dimension.range {
        // Whole ends are of no help where only the numbers between them are not whole.
        Range::Real { from, .. } if wrong_with(&(from as i64).into()).is_none() => {
            "; give `integer = true` in the place of `digits`"
        }
        Range::Real { .. } | Range::Integer { .. } => "; give another range, or `choices`",
        Range::Choice { .. } => "; remove this choice",
    };
    let refused = values.iter().filter_map(wrong_with);
    let problem = |violation| format!("`space` reaches values that are refused: {violation}{remedy}");
    refused.map(|violation| other(&format!("space.{name}"), problem(violation))).collect()
}

/// What an agent does not take of parameters: the messages list what it takes instead.
pub fn check_params(agent: &AgentInfo, given: &Map<String, Value>) -> Vec<AgentMismatch> {
    check_against(&agent.id, &agent.params_schema, &agent.default_params(), given)
}

/// What a schema, with these defaults, does not allow of parameters.
fn check_against(
    agent: &str,
    schema: &Value,
    defaults: &Map<String, Value>,
    given: &Map<String, Value>,
) -> Vec<AgentMismatch> {
    let no_properties = Map::new();
    let properties = schema.get("properties").and_then(Value::as_object).unwrap_or(&no_properties);
    let mut found = Vec::new();
    for (name, value) in given {
        let Some(property) = properties.get(name) else {
            found.push(unknown_parameter("params", agent, name, properties));
            continue;
        };
        if let Err(violation) = schema_check::check(schema, property, value) {
            let problem = violation.within(name).to_string();
            found.push(AgentMismatch::Parameter { parameter: name.clone(), problem });
        }
    }
    let has = |name: &str| given.contains_key(name) || defaults.contains_key(name);
    let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
    let lacking = required.filter_map(Value::as_str).filter(|&name| !has(name));
    found.extend(
        lacking.map(|name| AgentMismatch::MissingParameter {
            agent: agent.to_owned(),
            parameter: name.to_owned(),
        }),
    );
    found
}

/// What an agent does not take of a budget; `None` if it takes it.
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
    let taken: Vec<&str> = taken.map(|(_, form)| form).collect();
    let takes = if taken.is_empty() { "none that this host knows".to_owned() } else { taken.join(", ") };
    let id = &agent.id;
    Some(other(
        "budget",
        format!("`budget` is {budget}, which agent `{id}` does not take; it takes: {takes}"),
    ))
}
