//! What papers say of each other: files that come from another paper's trainings. It is looked at when all
//! manifests of a folder are read.

use std::collections::BTreeMap;

use jobs::Key;

use super::files::no_training;
use super::{FileSource, ManifestError, Paper, Role, Subject};

/// Trainings that are named and do not exist, by the order of papers and of lines.
pub(super) fn problems(papers: &[Paper]) -> Vec<ManifestError> {
    papers.iter().flat_map(|paper| of_paper(paper, papers)).collect()
}

fn of_paper(paper: &Paper, papers: &[Paper]) -> Vec<ManifestError> {
    // What is wrong with a winner is wrong with its study.
    let written = paper.experiments.iter().filter(|experiment| experiment.role != Role::Winner);
    let of_experiments =
        written.map(|one| (&one.id, &one.files, Subject::Entry("experiment", one.id.clone())));
    let of_studies =
        paper.studies.iter().map(|one| (&one.id, &one.files, Subject::Entry("study", one.id.clone())));
    let entries = of_experiments.chain(of_studies);
    let mut found: Vec<_> = entries.flat_map(|entry| of_entry(paper, entry, papers)).collect();
    found.sort_by_key(ManifestError::line);
    found
}

fn of_entry(
    paper: &Paper,
    (id, files, subject): (&String, &BTreeMap<String, FileSource>, Subject),
    papers: &[Paper],
) -> Vec<ManifestError> {
    let problem = |(role, source): (&String, &FileSource)| {
        let FileSource::Training(key) = source else { return None };
        Some(ManifestError::Invalid {
            file: paper.file.clone(),
            line: paper.lines.of_key(id, &format!("files.{role}")),
            subject: subject.clone(),
            problem: format!("`files` {}", missing(role, key, papers)?),
        })
    };
    files.iter().filter_map(problem).collect()
}

/// What is wrong with a training that a file is to come from; `None` if it exists.
fn missing(role: &str, key: &Key, papers: &[Paper]) -> Option<String> {
    let Some(paper) = papers.iter().find(|paper| paper.id == key.paper) else {
        let Key { paper, id: training } = key;
        return Some(format!(
            "names training `{training}` of `{paper}` as `{role}`, and there is no manifest {paper}.toml in this folder"
        ));
    };
    let ids = || paper.trainings.iter().map(|training| training.id.as_str());
    (!ids().any(|id| id == key.id)).then(|| no_training(role, key, ids()))
}
