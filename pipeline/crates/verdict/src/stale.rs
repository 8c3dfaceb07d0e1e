//! Stale games: those of another identity than the manifest asks for. They are shown as what they are, and no
//! claim is judged by them.

use crate::evidence::Games;
use jobs::{Canonical as _, Difference};
use manifest::Experiment;
use records::Identity;

/// What makes an experiment's stored games stale, in the words of its manifest; `None` if they are what it
/// asks for.
pub fn stale_note(experiment: &Experiment, games: &Games) -> Option<String> {
    let differences = stale_parts(&games.identity, experiment);
    let asked: Vec<String> = differences.iter().map(|difference| asked(difference, experiment)).collect();
    (!asked.is_empty()).then(|| asked.join(", "))
}

/// The parts of an identity that are not as the manifest has them. It says nothing of the agent's version and
/// signature, nor of the defaults of parameters that it does not give: those take the agent.
fn stale_parts(identity: &Identity, experiment: &Experiment) -> Vec<Difference> {
    let mut params = identity.params.clone();
    params.extend(experiment.params.clone());
    let asked = Identity {
        rules: experiment.rules.clone(),
        agent: experiment.agent.clone(),
        params,
        budget: experiment.budget,
        seed: format!("{:016x}", experiment.seed),
        ..identity.clone()
    };
    identity.differences(&asked)
}

/// One part as the manifest has it: a seed is no hexadecimal number there.
fn asked(difference: &Difference, experiment: &Experiment) -> String {
    match difference.component.as_str() {
        "seed" => format!("seed {}", experiment.seed),
        "budget" => experiment.budget.to_string(),
        "agent" => format!("agent {}", experiment.agent),
        component => {
            format!("{} = {}", component.strip_prefix("params.").unwrap_or(component), difference.other)
        }
    }
}
