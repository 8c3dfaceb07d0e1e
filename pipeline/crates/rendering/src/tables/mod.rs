//! Tables: numbers with their intervals, as Markdown, CSV and LaTeX.
//!
//! A [`Table`] knows what its cells are, not how they look: each of the three writers decides that. No number is taken from
//! anywhere but records and manifests.

mod all_claims;
mod claims;
mod cross;
mod csv;
mod exhibits;
mod experiments;
mod findings;
mod interpretations;
mod latex;
mod markdown;
mod remarks;
mod results;
mod studies;
mod timing;
mod trainings;

pub use all_claims::all_claims;
pub use claims::OVERVIEW;
pub(crate) use experiments::{score_cells, score_header};
pub use interpretations::{INTERPRETATIONS, interpretations};
pub use trainings::TRAININGS;

use crate::studies::StudyView;
use crate::trainings::TrainingView;
use manifest::{Experiment, Paper, Role};
use records::key::Key;
use records::layout::Layout;
use stats::Estimate;
use surroundings::atomic::{self, WriteError};
use surroundings::confined::ConfinedPath;
use verdict::evidence::{Evidence, Games};
use verdict::format::Scale;
use verdict::{ClaimsFile, Concluded, Ruling, Summary, Verdict};

/// A table.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// What its files are called.
    pub id: String,
    /// Its title.
    pub title: String,
    /// What a reader has to know.
    pub caption: String,
    /// The columns' headings.
    pub header: Vec<String>,
    /// The rows, each as long as the header.
    pub rows: Vec<Vec<Cell>>,
}

/// What stands in a cell.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// Nothing.
    Empty,
    /// Words.
    Text(String),
    /// A count.
    Count(u64),
    /// A number of ours.
    Estimate(Estimate, Scale),
    /// The same, where no other column says how many games it rests on.
    Counted(Estimate, Scale),
    /// A number of a paper's, as it is written there, and for sorting.
    Published(String, f64),
    /// A time for a move, in nanoseconds.
    Time(Estimate),
    /// What came of a claim.
    Ruling(Ruling),
}

impl Table {
    /// The rows under their header, as Markdown.
    #[must_use]
    pub fn markdown(&self) -> String {
        markdown::grid(self)
    }

    /// The rows under their header, as CSV.
    #[must_use]
    pub fn csv(&self) -> String {
        csv::write(self)
    }
}

impl Cell {
    /// The cell for people: a number with its interval.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Self::Empty => String::new(),
            Self::Text(text) | Self::Published(text, _) => text.clone(),
            Self::Count(count) => verdict::format::thousands(*count as f64),
            Self::Estimate(estimate, scale) => with_interval(estimate, |value| scale.text(value)),
            Self::Counted(estimate, scale) => {
                format!("{} ({})", with_interval(estimate, |value| scale.text(value)), games(estimate.n))
            }
            Self::Time(estimate) => with_interval(estimate, verdict::format::nanoseconds),
            Self::Ruling(ruling) => ruling.to_string(),
        }
    }

    /// What the cell is sorted by, where it is a number.
    #[must_use]
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Count(count) => Some(*count as f64),
            Self::Estimate(estimate, _) | Self::Counted(estimate, _) | Self::Time(estimate) => {
                Some(estimate.point)
            }
            Self::Published(_, value) => Some(*value),
            Self::Empty | Self::Text(_) | Self::Ruling(_) => None,
        }
    }
}

/// How many games a number rests on, behind it.
fn games(n: u64) -> String {
    format!("n = {}", verdict::format::thousands(n as f64))
}

fn with_interval(estimate: &Estimate, text: impl Fn(f64) -> String) -> String {
    format!("{} [{}, {}]", text(estimate.point), text(estimate.low), text(estimate.high))
}

/// What tables are made from.
#[derive(Clone, Copy)]
pub struct Material<'a> {
    /// The papers.
    pub papers: &'a [Paper],
    /// Their games.
    pub evidence: &'a Evidence,
    /// The verdicts on their claims.
    pub verdicts: &'a [Verdict<'a>],
    /// Their studies that were run.
    pub studies: &'a [StudyView<'a>],
    /// Their trainings that were done.
    pub trainings: &'a [TrainingView<'a>],
}

impl<'a> Material<'a> {
    /// The experiments of a paper that play and were played, with their games.
    pub fn played(self, paper: &'a Paper) -> impl Iterator<Item = (&'a Experiment, &'a Games)> {
        self.with_games(paper).filter(|(experiment, _)| experiment.role == Role::Play)
    }

    /// The experiments of a paper that were played and are its own, measurements included; a study's winners stand in the study's section.
    pub fn without_winners(self, paper: &'a Paper) -> impl Iterator<Item = (&'a Experiment, &'a Games)> {
        self.with_games(paper).filter(|(experiment, _)| experiment.role != Role::Winner)
    }

    /// The experiments of a paper that were played, measurements and winners of studies included.
    pub fn with_games(self, paper: &'a Paper) -> impl Iterator<Item = (&'a Experiment, &'a Games)> {
        paper.experiments.iter().filter_map(move |experiment| {
            let key = Key { paper: paper.id.clone(), experiment: experiment.id.clone() };
            Some((experiment, self.evidence.games(&key)?))
        })
    }

    /// The verdicts on a paper's claims.
    pub fn of_paper(self, paper: &'a Paper) -> impl Iterator<Item = &'a Verdict<'a>> {
        self.verdicts.iter().filter(move |verdict| verdict.paper.id == paper.id)
    }
}

/// All tables, in the order of the papers.
#[must_use]
pub fn tables(material: Material<'_>) -> Vec<Table> {
    let mut tables = Vec::new();
    for paper in material.papers {
        if paper.comparison {
            tables.extend(cross::table(material, paper));
        }
        tables.extend(results::table(material, paper));
        tables.extend(experiments::table(material, paper));
        tables.extend(claims::table(material, paper));
        tables.extend(studies::tables(material, paper));
        tables.extend(timing::table(material, paper));
    }
    tables.extend(claims::overview(material));
    tables.extend(trainings::table(material));
    tables.extend(interpretations(&Summary::of(material.verdicts)));
    tables
}

/// Writes tables in all three forms, and returns their files. Those of claims are sentences, which are for reading: what of them are numbers is in
/// the table of all claims.
///
/// # Errors
/// Where a file cannot be written.
pub fn write(layout: &Layout, tables: &[Table]) -> Result<Vec<ConfinedPath>, WriteError> {
    let mut files = Vec::new();
    for table in tables {
        let forms =
            [("md", markdown::write(table)), ("csv", csv::write(table)), ("tex", latex::write(table))];
        let is_read = table.id.ends_with("-claims");
        for (extension, text) in forms.into_iter().filter(|(extension, _)| !is_read || *extension == "md") {
            let path = layout.tables().join(format!("{}.{extension}", table.id));
            atomic::write(&path, text.as_bytes())?;
            files.push(path);
        }
    }
    Ok(files)
}

/// Writes the page that lists the papers' own tables and figures.
///
/// # Errors
/// Where it cannot be written.
pub fn write_exhibits(layout: &Layout, papers: &[Paper]) -> Result<ConfinedPath, WriteError> {
    let path = layout.tables().join("README.md");
    atomic::write(&path, exhibits::page(papers).as_bytes())?;
    Ok(path)
}

/// Writes the verdicts on all claims as numbers.
///
/// # Errors
/// Where they cannot be written.
pub fn write_all_claims(layout: &Layout, claims: &ClaimsFile) -> Result<Option<ConfinedPath>, WriteError> {
    let claims = serde_json::to_value(claims).unwrap_or_default();
    let Some(text) = all_claims(&claims) else { return Ok(None) };
    atomic::write(&layout.claims_table(), text.as_bytes())?;
    Ok(Some(layout.claims_table()))
}

/// What the page of findings is called.
pub const FINDINGS: &str = "findings";

/// Writes the page of findings; none where there are none.
///
/// # Errors
/// Where it cannot be written.
pub fn write_findings(
    layout: &Layout,
    papers: &[Paper],
    concluded: &[Concluded<'_>],
) -> Result<Option<ConfinedPath>, WriteError> {
    let Some(page) = findings::page(papers, concluded) else { return Ok(None) };
    let path = layout.tables().join(format!("{FINDINGS}.md"));
    atomic::write(&path, page.as_bytes())?;
    Ok(Some(path))
}

#[cfg(test)]
mod tests {

    use engine::agent::Budget;
    use engine::{Ending, Rules};
    use records::identity::Identity;
    use records::record::{GameTiming, Outcome};
    use serde_json::Map;

    use super::*;

    const CONFIG: &str = "[citation]\ntitle = \"T\"\nauthors = [\"A\"]\n\
        [[experiment]]\nid = \"own\"\nagent = \"random\"\ngames = 2\n\
        [[study]]\nid = \"s\"\nagent = \"random\"\ngames = 1\nseed = 1\nspace = { x = { from = 0, to = 9, integer = true } }\n\
        method = { kind = \"sobol\", points = 4, batch = 4 }\nwinners = { best = 1, games = 2, seed = 2048 }\n\
        [[claim]]\nid = \"c\"\nkind = \"ordinal\"\ntext = \"t\"\nplace = \"p\"\nmetric = \"score.mean\"\nbetter = \"s-best-1\"\nworse = \"own\"\n";

    /// Two timed games, the second of which scores so much more.
    fn games(key: &Key, more: u32) -> Games {
        let outcome = |game: u64| Outcome {
            game,
            score: 1000 + more * game as u32,
            max_tile: 128,
            moves: 10,
            final_board: "128 . . . / . . . . / . . . . / . . . .".to_owned(),
            nodes: 20,
            ending: Ending::NoMoves,
        };
        Games {
            records: key.clone(),
            file: ConfinedPath::root(""),
            identity: Identity::new(Rules::default(), ("random", "1"), Map::new(), Budget::None, 2048, None),
            second_signature: None,
            digest: String::new(),
            provenance: Vec::new(),
            outcomes: [0, 1].map(outcome).to_vec(),
            timings: [0, 1].map(|game| GameTiming { game, cpu_ns: 5000 + game, wall_ns: 0 }).to_vec(),
            hashes: verdict::evidence::FileHashes::default(),
        }
    }

    #[test]
    fn a_studys_winners_are_judged_and_are_no_rows_among_the_papers_methods() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("p.toml");
        std::fs::write(&file, CONFIG).unwrap();
        let papers = [manifest::load(&file).unwrap()];
        let keys = ["own", "s-best-1", "s-default"].map(|id| format!("p/{id}").parse::<Key>().unwrap());
        let evidence: Evidence = keys.iter().map(|key| (key.clone(), games(key, 7))).collect();
        let verdicts = verdict::judge(&papers, &evidence);
        let material = Material {
            papers: &papers,
            evidence: &evidence,
            verdicts: &verdicts,
            studies: &[],
            trainings: &[],
        };
        let names = |id: &str| -> Vec<String> {
            let made = tables(material);
            let table = made.iter().find(|table| table.id == id).unwrap_or_else(|| panic!("no {id}"));
            table.rows.iter().map(|row| row[0].text()).collect()
        };
        assert_eq!(names("p-experiments"), ["own"]);
        assert_eq!(names("p-timing"), ["own"]);
        assert_eq!(names("p-claims"), ["c"]);
        assert!(!verdicts[0].lacks_games && !matches!(verdicts[0].grounds, verdict::Grounds::Nothing(_)));
        assert_eq!(material.with_games(&papers[0]).count(), 3, "their records are shown all the same");
    }
}
