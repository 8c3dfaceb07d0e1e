//! Experiments that no manifest has: games of agents that a command line names, for plan, workers and
//! records.

use std::path::PathBuf;

use engine::Rules;
use serde_json::json;

use super::chosen_agent::ChosenAgent;
use super::finder::Finder;
use crate::cli::ARTEFACTS;
use crate::context::Context;
use crate::failure::Failure;
use crate::starts::{self, StartBoard};
use manifest::{Citation, DEFAULT_FAULT_SHARE, Experiment, FileSource, Paper, Role, Set};
use platform::hash::sha256;
use records::Layout;
use trainings::Artefacts;
use workers::{AgentFile, Catalogue};

/// The context in which these agents play these experiments; `id` names the folder of the games below
/// `records`.
pub(crate) fn context(
    id: &str,
    agents: &[ChosenAgent],
    experiments: Vec<Experiment>,
    finder: &Finder,
    layout: &Layout,
) -> Context {
    let (mut catalogue, artefacts) = (Catalogue::default(), Artefacts::new(ARTEFACTS));
    for chosen in agents {
        if !catalogue.plugins.iter().any(|plugin| plugin.file == chosen.plugin.file) {
            catalogue.plugins.push(chosen.plugin.clone());
        }
        chosen.files.values().for_each(|file| artefacts.take(&file.sha256, &file.path));
    }
    let paper = Paper {
        id: id.to_owned(),
        file: PathBuf::from(format!("pipeline {id}")),
        citation: Citation { title: format!("Games of pipeline {id}"), ..Citation::default() },
        experiments,
        ..Paper::default()
    };
    Context::of(vec![paper], catalogue, finder.launcher.clone(), layout.clone(), artefacts)
}

/// The boards of a file, if one is given.
pub(crate) fn starts(file: Option<&PathBuf>) -> Result<Vec<StartBoard>, Failure> {
    file.map_or(Ok(Vec::new()), |file| starts::read(file).map_err(Failure::usage))
}

/// The rules of each start with its name; without start boards, the rules as they are.
pub(crate) fn rules_by_start(starts: &[StartBoard], rules: &Rules) -> Result<Vec<(String, Rules)>, Failure> {
    if starts.is_empty() {
        return Ok(vec![(String::new(), rules.clone())]);
    }
    let from = |start: &StartBoard| {
        let rules = start.rules(rules);
        let wrong = |error| Failure::usage(format!("--starts: `{}`: {error}", start.name));
        rules.validate().map_err(wrong)?;
        Ok((start.name.clone(), rules))
    };
    starts.iter().map(from).collect()
}

/// The experiment of an agent's games. Its id depends on all settings, so that one folder can hold many. With
/// `by_build` it also depends on the plugin's hash, so that two builds of an agent differ.
pub(crate) fn experiment(
    chosen: &ChosenAgent,
    rules: &Rules,
    seed: u64,
    games: u64,
    by_build: bool,
) -> Experiment {
    let mut setting = vec![json!(chosen.params), json!(chosen.budget), json!(rules), json!(seed)];
    setting.extend(by_build.then(|| json!(chosen.plugin.sha256)));
    let files = chosen.files.iter().map(|(role, file)| format!("\n{role}={}", file.sha256));
    let setting = json!(setting).to_string() + &files.collect::<String>();
    let by_hash =
        |(role, file): (&String, &AgentFile)| (role.clone(), FileSource::Sha256(file.sha256.clone()));
    Experiment {
        id: format!("{:.55}-{:.8}", chosen.agent.id, sha256(setting)),
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
