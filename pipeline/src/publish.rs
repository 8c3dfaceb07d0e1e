//! Publishing: all that people look at, written into the results folder from manifests and records alone, the same bytes each time.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::evidence::{Evidence, EvidenceError};
use crate::layout::{Key, Layout};
use crate::manifest::{Paper, Set};
use crate::output::{self, OutputError};
use crate::render::figures::FigureError;
use crate::render::tables::{Material, Table};
use crate::render::{gallery, tables};
use crate::report::compose::Exhibition;
use crate::report::{self, ReportError};
use crate::store::StoreError;
use crate::verdict::{self, ClaimsFile, Summary};

/// What was written.
#[derive(Clone, Debug)]
pub struct Published {
    /// The files, whether they have changed or not.
    pub files: Vec<PathBuf>,
    /// The verdicts, counted.
    pub summary: Summary,
    /// The table that compares the papers, if there is one.
    pub comparison: Option<Table>,
}

/// Why there is nothing to look at.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum PublishError {
    #[error(transparent)]
    Evidence(#[from] EvidenceError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Figure(#[from] FigureError),
    #[error(transparent)]
    Report(#[from] ReportError),
    #[error(transparent)]
    Output(#[from] OutputError),
    #[error("{file}: exhibit `{place}`: `shown_by` names {shown}, which rendering does not make", file = file.display())]
    Exhibit { file: PathBuf, place: String, shown: String },
}

/// Writes verdicts, tables, figures and the report into a results folder.
///
/// # Errors
/// Where records are missing or broken, or a file cannot be written.
pub fn publish(papers: &[Paper], layout: &Layout) -> Result<Published, PublishError> {
    let evidence = Evidence::load(layout)?;
    let verdicts = verdict::judge(papers, &evidence);
    let material = Material { papers, evidence: &evidence, verdicts: &verdicts };

    output::write_json(&layout.claims(), &ClaimsFile::of(&verdicts))?;
    let mut files = vec![layout.claims()];

    let tables = tables::tables(material);
    files.extend(tables::write(layout, &tables)?);
    files.push(tables::write_exhibits(layout, papers)?);

    let pictures = gallery::draw(material)?;
    files.extend(gallery::write(layout, &pictures)?);

    let page = Exhibition { material, tables: &tables, pictures: &pictures }.page(layout)?;
    output::write(&layout.report(), report::render(&page)?.as_bytes())?;
    files.push(layout.report());

    check_exhibits(papers, &evidence, layout, &files)?;
    remove_others(&layout.tables(), &files)?;
    remove_others(&layout.figures(), &files)?;
    let comparison = papers
        .iter()
        .find(|paper| paper.comparison)
        .and_then(|paper| tables.iter().find(|table| table.id == paper.id).cloned());
    Ok(Published { files, summary: Summary::of(&verdicts), comparison })
}

/// Every file that a paper's exhibits name must have been made, where all of the paper's default set was played.
fn check_exhibits(
    papers: &[Paper],
    evidence: &Evidence,
    layout: &Layout,
    files: &[PathBuf],
) -> Result<(), PublishError> {
    let is_played = |paper: &&Paper| {
        let mut default = paper.experiments.iter().filter(|experiment| experiment.set == Set::Default);
        default.all(|experiment| {
            let key = Key { paper: paper.id.clone(), experiment: experiment.id.clone() };
            evidence.games(&key).is_some()
        })
    };
    for paper in papers.iter().filter(is_played) {
        for exhibit in &paper.exhibits {
            let missing = exhibit.shown_by.iter().find(|shown| !files.contains(&layout.root().join(shown)));
            if let Some(shown) = missing {
                let (file, place) = (paper.file.clone(), exhibit.place.clone());
                return Err(PublishError::Exhibit { file, place, shown: shown.clone() });
            }
        }
    }
    Ok(())
}

/// Removes what an earlier rendering made in a folder and this one did not.
fn remove_others(folder: &Path, files: &[PathBuf]) -> Result<(), OutputError> {
    let kept: BTreeSet<&Path> = files.iter().map(PathBuf::as_path).collect();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let is_ours = path.extension().is_some_and(|extension| {
            ["md", "csv", "tex", "svg", "png"].iter().any(|known| extension == *known)
        });
        if is_ours && !kept.contains(path.as_path()) {
            output::remove(&path)?;
        }
    }
    Ok(())
}
