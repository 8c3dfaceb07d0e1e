//! Publishing: all that people look at, written into the results folder from manifests and records alone, the
//! same bytes each time.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::illustrations::DrawnFigure;
use crate::report::compose::PageInput;
use crate::report::{self, ReportError};
use crate::studies::StudyView;
use crate::tables::{FINDINGS, INTERPRETATIONS, OVERVIEW, ReportInput, TRAININGS, Table};
use crate::trainings::TrainingView;
use crate::{catalogue, illustrations, tables};
use figures::FigureError;
use jobs::Key;
use manifest::{Paper, Set};
use platform::{ConfinedPath, Entry, WriteError, atomic};
use project::Project;
use records::{Layout, StoreError};
use verdict::evidence::Evidence;
use verdict::{
    self, ClaimsFile, ConclusionStatus, EvidenceError, JudgedConclusion, StoredVerdicts, StoredVerdictsError,
    Summary,
};

/// What was written.
#[derive(Clone, Debug)]
pub struct RenderSummary {
    /// The files, whether they have changed or not.
    pub files: Vec<ConfinedPath>,
    /// The verdicts, counted.
    pub summary: Summary,
    /// The findings that verdicts no longer carry, with the claims: what was needed, and what came.
    pub fallen: Vec<String>,
    /// The findings that lack games, likewise.
    pub open: Vec<String>,
    /// The table that compares the papers, if there is one.
    pub comparison: Option<Table>,
    /// The papers with stored results that were not loaded, so that none of it is theirs.
    pub left_out: BTreeSet<String>,
}

/// Why there is nothing to look at.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum RenderError {
    #[error(transparent)]
    Evidence(#[from] EvidenceError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Figure(#[from] FigureError),
    #[error(transparent)]
    Report(#[from] ReportError),
    #[error(transparent)]
    StoredVerdicts(#[from] StoredVerdictsError),
    #[error(transparent)]
    Output(#[from] WriteError),
    #[error("{file}: exhibit `{place}`: `shown_by` names {shown}, which rendering does not produce", file = file.display())]
    Exhibit { file: PathBuf, place: String, shown: String },
}

/// Writes the verdicts, tables, figures and report of one results folder into another, or into itself. If a
/// paper is not loaded, its own verdicts, tables and figures stay.
pub fn render(papers: &[Paper], from: &Layout, into: &Layout) -> Result<RenderSummary, RenderError> {
    let Project { papers, studies, .. } = Project::resolve(papers.to_vec(), from, |_| None);
    let papers = papers.as_slice();
    let mut evidence = Evidence::load(from)?.with_studies(studies, from)?;
    let kept = StoredVerdicts::read(&into.claims(), papers)?;
    let left_out = left_out(papers, &evidence, &kept);
    evidence.retain(|key| {
        papers.iter().any(|paper| paper.id == key.paper && paper.experiment(&key.id).is_some())
    });
    let verdicts = verdict::judge(papers, &evidence);
    let concluded = verdict::conclude(papers, &verdicts);
    let searched = StudyView::all(papers, &evidence);
    let trained = TrainingView::all(papers, from)?;
    let input = ReportInput {
        papers,
        evidence: &evidence,
        verdicts: &verdicts,
        studies: &searched,
        trainings: &trained,
    };

    let has_kept = !kept.papers().is_empty();
    let claims = ClaimsFile::of(&verdicts, &concluded).beside(kept);
    atomic::write_json_rows(&into.claims(), &claims)?;
    let mut files = vec![into.claims()];
    files.extend(catalogue::write(into, input, &left_out)?);
    let mut write = |path: ConfinedPath, bytes: &[u8]| -> Result<(), WriteError> {
        atomic::write(&path, bytes)?;
        files.push(path);
        Ok(())
    };
    if let Some(text) = tables::all_claims(&serde_json::to_value(&claims).unwrap_or_default()) {
        write(into.claims_table(), text.as_bytes())?;
    }
    let tables = tables::tables(input);
    for (name, text) in tables::files(&tables, papers, &concluded) {
        write(into.tables().join(name), text.as_bytes())?;
    }
    let drawn = illustrations::draw(input)?;
    for DrawnFigure { figure, svg, png, .. } in &drawn {
        write(into.figures().join(format!("{}.svg", figure.id)), svg.as_bytes())?;
        write(into.figures().join(format!("{}.png", figure.id)), png)?;
    }
    let page = PageInput { input, concluded: &concluded, tables: &tables, drawn: &drawn }.page(from)?;
    write(into.report(), report::render(&page)?.as_bytes())?;

    check_exhibits(papers, &evidence, into, &files)?;
    let owners = Owners { papers, left_out: &left_out, has_overview: !has_kept };
    owners.remove_others(&into.tables(), &files)?;
    owners.remove_others(&into.figures(), &files)?;
    let comparison = papers
        .iter()
        .find(|paper| paper.comparison)
        .and_then(|paper| tables.iter().find(|table| table.id == paper.id).cloned());
    let (fallen, open) =
        (problems(&concluded, ConclusionStatus::Fallen), problems(&concluded, ConclusionStatus::Open));
    Ok(RenderSummary { files, summary: Summary::of(&verdicts), fallen, open, comparison, left_out })
}

/// What is wrong with the findings that stand so.
fn problems(concluded: &[JudgedConclusion<'_>], standing: ConclusionStatus) -> Vec<String> {
    concluded.iter().filter(|each| each.standing == standing).flat_map(JudgedConclusion::problems).collect()
}

/// Every file that a paper's exhibits name must have been made, where all of the paper's default set was
/// played.
fn check_exhibits(
    papers: &[Paper],
    evidence: &Evidence,
    layout: &Layout,
    files: &[ConfinedPath],
) -> Result<(), RenderError> {
    let is_played = |paper: &&Paper| {
        let mut default = paper.experiments.iter().filter(|experiment| experiment.set == Set::Default);
        default.all(|experiment| {
            let key = Key::new(&paper.id, &experiment.id);
            evidence.games(&key).is_some()
        })
    };
    for paper in papers.iter().filter(is_played) {
        for exhibit in &paper.exhibits {
            let missing = exhibit.shown_by.iter().find(|shown| !files.contains(&layout.root().join(shown)));
            if let Some(shown) = missing {
                let (file, place) = (paper.file.clone(), exhibit.place.clone());
                return Err(RenderError::Exhibit { file, place, shown: shown.clone() });
            }
        }
    }
    Ok(())
}

/// The papers that have records or verdicts, and are not loaded.
fn left_out(papers: &[Paper], evidence: &Evidence, kept: &StoredVerdicts) -> BTreeSet<String> {
    let with_records = evidence.iter().map(|(key, _)| key.paper.as_str());
    let all = with_records.chain(kept.papers());
    all.filter(|id| !papers.iter().any(|paper| paper.id == *id)).map(str::to_owned).collect()
}

/// Whose a drawn file is, told by its name.
struct Owners<'a> {
    papers: &'a [Paper],
    left_out: &'a BTreeSet<String>,
    /// Whether an overview of all papers is of the papers that are loaded, and of no other.
    has_overview: bool,
}

impl Owners<'_> {
    /// Removes what an earlier rendering of these papers made in a folder and this one did not.
    fn remove_others(&self, folder: &ConfinedPath, files: &[ConfinedPath]) -> Result<(), WriteError> {
        for Entry { path, .. } in folder.list().into_iter().flatten() {
            if !files.contains(&path) && self.is_ours(&path) {
                atomic::remove(&path)?;
            }
        }
        Ok(())
    }

    /// Whether a file is one that rendering makes, of a paper that is loaded.
    fn is_ours(&self, path: &ConfinedPath) -> bool {
        let Some((stem, extension)) = path.name().and_then(|name| name.rsplit_once('.')) else {
            return false;
        };
        let is_made = ["md", "csv", "tex", "svg", "png"].contains(&extension);
        let is_overview = [OVERVIEW, INTERPRETATIONS, FINDINGS, TRAININGS].contains(&stem);
        is_made && (self.is_of_loaded(stem) || (self.has_overview && is_overview))
    }

    /// Whether a paper that is loaded has a table or figure of this name: of all papers whose id it begins
    /// with, the longest counts.
    fn is_of_loaded(&self, stem: &str) -> bool {
        let begins =
            |id: &&str| stem.strip_prefix(*id).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'));
        let longest = |ids: &mut dyn Iterator<Item = &str>| ids.filter(begins).map(str::len).max();
        let loaded = longest(&mut self.papers.iter().map(|paper| paper.id.as_str()));
        loaded > longest(&mut self.left_out.iter().map(String::as_str))
    }
}
