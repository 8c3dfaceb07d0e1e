//! Experiments that no manifest holds: the games of agents that a command line names, on their way through plan, workers and records.

use std::path::PathBuf;

use engine::Rules;
use serde_json::json;

use super::chosen_agent::ChosenAgent;
use crate::cli::ARTEFACTS;
use manifest::{Citation, DEFAULT_FAULT_SHARE, Experiment, FileSource, Paper, Role, Set};
use surroundings::hash::sha256;
use trainings::Artefacts;
use workers::files::LentFile;

/// The experiment that games of an agent are. Its id carries what sets it apart, so that one folder can hold many.
pub(super) fn experiment(chosen: &ChosenAgent, rules: &Rules, seed: u64, games: u64) -> Experiment {
    let setting = json!([chosen.params, chosen.budget, rules, seed]);
    with_id(chosen, &setting.to_string(), rules, seed, games)
}

/// The same, where two builds of one agent may stand beside each other.
pub(super) fn experiment_of_build(chosen: &ChosenAgent, rules: &Rules, seed: u64) -> Experiment {
    let setting = json!([chosen.params, chosen.budget, rules, seed, chosen.plugin.sha256]);
    with_id(chosen, &setting.to_string(), rules, seed, 1)
}

fn with_id(chosen: &ChosenAgent, setting: &str, rules: &Rules, seed: u64, games: u64) -> Experiment {
    let mut id = chosen.agent.id.clone();
    id.truncate(55);
    let files = chosen.files.iter().map(|(role, file)| format!("\n{role}={}", file.sha256));
    let setting = setting.to_owned() + &files.collect::<String>();
    Experiment {
        id: format!("{id}-{}", &sha256(setting)[..8]),
        agent: chosen.agent.id.clone(),
        params: chosen.params.clone(),
        files: chosen.files.iter().map(by_hash).collect(),
        budget: chosen.budget,
        games,
        seed,
        rules: rules.clone(),
        set: Set::Default,
        note: None,
        conditional_on: Vec::new(),
        move_limit_ms: chosen.move_limit_ms(),
        fault_share: DEFAULT_FAULT_SHARE,
        variant: None,
        method: None,
        role: Role::Play,
        acknowledged_faults: 0,
        compared: false,
        winner: None,
    }
}

/// The files of agents, wherever they were found.
pub(super) fn artefacts<'a>(agents: impl IntoIterator<Item = &'a ChosenAgent>) -> Artefacts {
    let artefacts = Artefacts::new(ARTEFACTS);
    for file in agents.into_iter().flat_map(|chosen| chosen.files.values()) {
        artefacts.take(&file.sha256, &file.path);
    }
    artefacts
}

/// A file by its hash, wherever it was found.
fn by_hash((role, file): (&String, &LentFile)) -> (String, FileSource) {
    (role.clone(), FileSource::Sha256(file.sha256.clone()))
}

/// The paper that stands for a command: `id` is what the folder of the games is called below `records`.
pub(super) fn paper(id: &str, experiments: Vec<Experiment>) -> Paper {
    let citation = Citation {
        title: format!("Games of pipeline {id}"),
        authors: Vec::new(),
        year: None,
        venue: None,
        url: None,
        doi: None,
        unpublished_sha256: None,
    };
    Paper {
        id: id.to_owned(),
        file: PathBuf::from(format!("pipeline {id}")),
        citation,
        summary: None,
        rules: Rules::default(),
        experiments,
        studies: Vec::new(),
        trainings: Vec::new(),
        claims: Vec::new(),
        notes: Vec::new(),
        interpretations: Vec::new(),
        findings: Vec::new(),
        account: None,
        exhibits: Vec::new(),
        figures: Vec::new(),
        comparison: false,
        lines: manifest::Lines::default(),
        lookup: manifest::Lookup::default(),
    }
}
