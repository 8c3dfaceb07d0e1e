//! What a bundle states of its records: names and numbers, held against the files before anything relies on
//! them.
//!
//! An index is a file like any other. It could name records outside of the bundle, or promise more games than
//! a run could ever play again.

use engine::abi::host::is_identifier;

use super::contents::games;
use super::{BundleCheck, RESULTS, Statement, results};
use jobs::Key;
use platform::confined::ConfinedPath;
use platform::errors::chain;
use records::index::{Index, IndexEntry};
use records::store::RecordsSummary;

/// What the index of an unpacked bundle states wrongly.
pub fn index_problems(folder: &ConfinedPath, files: &[String]) -> Vec<String> {
    let name = format!("{RESULTS}/index.json");
    if !files.contains(&name) {
        return vec![format!("{name}: it is missing")];
    }
    let index = match Index::read(&results(folder)) {
        Ok(index) => index,
        Err(error) => return vec![inside(folder, &error)],
    };
    let problems =
        index.experiments.iter().filter_map(|(key, entry)| entry_problem(folder, files, key, entry));
    problems.map(|problem| format!("{name}: {problem}")).collect()
}

fn entry_problem(folder: &ConfinedPath, files: &[String], key: &str, entry: &IndexEntry) -> Option<String> {
    let is_plain = |key: &Key| is_identifier(&key.paper) && is_identifier(&key.id);
    if !key.parse().is_ok_and(|key| is_plain(&key)) {
        return Some(format!("`{key}` does not name an experiment"));
    }
    let file = format!("{RESULTS}/records/{}.parquet", entry.records);
    if !is_plain(&entry.records) || !files.contains(&file) {
        return Some(format!(
            "experiment `{key}`: `records` is `{}`, which the bundle does not have",
            entry.records
        ));
    }
    match RecordsSummary::read(&folder.join(&file)) {
        Ok(Some(summary)) if summary.games == entry.games => None,
        Ok(Some(summary)) => Some(format!(
            "experiment `{key}`: `games` is {}, but {file} holds {}",
            entry.games, summary.games
        )),
        Ok(None) => Some(format!("experiment `{key}`: {file} is missing")),
        Err(error) => Some(format!("experiment `{key}`: {}", inside(folder, &error))),
    }
}

/// What a statement says otherwise than the index, the studies, the trainings and the artefacts. These must
/// be known to be right.
pub(super) fn statement_problems(
    statement: &Statement,
    folder: &ConfinedPath,
    checked: &BundleCheck,
) -> Vec<String> {
    let none = Vec::new();
    let [studies, trainings] =
        ["studies", "trainings"].map(|folder| checked.jobs.get(folder).unwrap_or(&none));
    let Ok(index) = Index::read(&results(folder)) else { return Vec::new() };
    let stated = [
        ("experiments", statement.experiments, index.experiments.len() as u64),
        ("games", statement.games, games(&index)),
        ("studies", statement.studies, studies.len() as u64),
        ("trials", statement.trials, studies.iter().map(|study| study.count("trials")).sum()),
        ("trainings", statement.trainings, trainings.len() as u64),
        ("artefacts", statement.artefacts, checked.artefacts),
    ];
    let wrong = stated.into_iter().filter(|(_, stated, found)| stated != found);
    wrong
        .map(|(key, stated, found)| format!("bundle.json: `{key}` is {stated}, but the results have {found}"))
        .collect()
}

/// An error and its causes, with names from the bundle's folder.
pub(super) fn inside(folder: &ConfinedPath, error: &dyn std::error::Error) -> String {
    chain(error).replace(&format!("{}/", folder.display()), "")
}
