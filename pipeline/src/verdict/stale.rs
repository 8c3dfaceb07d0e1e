//! Stale games: those of another identity than the manifest asks for. They are shown as what they are, and no claim is judged by them.

use crate::evidence::Games;
use crate::identity::Difference;
use crate::manifest::Experiment;

/// What a manifest asks for otherwise than its experiment's stored games have it, in words; none where they agree.
#[must_use]
pub fn asked_instead(experiment: &Experiment, games: &Games) -> Option<String> {
    let differences = games.identity.asked_otherwise(experiment);
    let asked: Vec<String> = differences.iter().map(|difference| asked(difference, experiment)).collect();
    (!asked.is_empty()).then(|| asked.join(", "))
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
