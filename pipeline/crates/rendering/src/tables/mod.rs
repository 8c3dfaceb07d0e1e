//! The tables of the results, from records and manifests alone.

mod all_claims;
mod claims;
mod cross;
mod experiments;
mod interpretations;
mod pages;
mod results;
mod studies;
mod trainings;

pub use crate::table::{Cell, Column, Table};
pub use all_claims::all_claims;
pub use claims::OVERVIEW;
pub(crate) use experiments::{score_cells, score_header};
pub use interpretations::{INTERPRETATIONS, interpretations};
pub(crate) use studies::set_name;
pub use trainings::TRAININGS;

use crate::studies::StudyView;
use crate::trainings::TrainingView;
use jobs::Key;
use manifest::{Experiment, Paper, Role};
use verdict::evidence::{Evidence, Games};
use verdict::{JudgedConclusion, Summary, Verdict};

/// What tables are made from.
#[derive(Clone, Copy)]
pub struct ReportInput<'a> {
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

impl<'a> ReportInput<'a> {
    /// The experiments of a paper that play and were played, with their games.
    pub fn played(self, paper: &'a Paper) -> impl Iterator<Item = (&'a Experiment, &'a Games)> {
        self.with_games(paper).filter(|(experiment, _)| experiment.role == Role::Play)
    }

    /// The experiments of a paper that were played and are its own, measurements included; a study's winners
    /// stand in the study's section.
    pub fn without_winners(self, paper: &'a Paper) -> impl Iterator<Item = (&'a Experiment, &'a Games)> {
        self.with_games(paper).filter(|(experiment, _)| experiment.role != Role::Winner)
    }

    /// The experiments of a paper that were played, measurements and winners of studies included.
    pub fn with_games(self, paper: &'a Paper) -> impl Iterator<Item = (&'a Experiment, &'a Games)> {
        paper.experiments.iter().filter_map(move |experiment| {
            let key = Key::new(&paper.id, &experiment.id);
            Some((experiment, self.evidence.games(&key)?))
        })
    }

    /// The verdicts on a paper's claims.
    pub fn of_paper(self, paper: &'a Paper) -> impl Iterator<Item = &'a Verdict<'a>> {
        self.verdicts.iter().filter(move |verdict| verdict.paper.id == paper.id)
    }
}

/// All tables, in the order of the papers.
pub fn tables(input: ReportInput<'_>) -> Vec<Table> {
    let mut tables = Vec::new();
    for paper in input.papers {
        if paper.comparison {
            tables.extend(cross::table(input, paper));
        }
        tables.extend(results::table(input, paper));
        tables.extend(experiments::table(input, paper));
        tables.extend(claims::table(input, paper));
        tables.extend(studies::tables(input, paper));
        tables.extend(experiments::timing(input, paper));
    }
    tables.extend(claims::overview(input));
    tables.extend(trainings::table(input));
    tables.extend(interpretations(&Summary::of(input.verdicts)));
    tables
}

/// One of them.
#[cfg(test)]
pub(crate) fn table(input: ReportInput<'_>, id: &str) -> Table {
    tables(input).into_iter().find(|table| table.id == id).unwrap_or_else(|| panic!("no {id}"))
}

/// What the page of findings is called.
pub const FINDINGS: &str = "findings";

/// The files of the folder of tables, by name: each table in three forms, the page that lists the papers' own
/// tables and figures, and that of findings. Tables of claims are sentences for reading; `claims.csv` has
/// their numbers.
pub fn files(
    tables: &[Table],
    papers: &[Paper],
    concluded: &[JudgedConclusion<'_>],
) -> Vec<(String, String)> {
    let of_table = |table: &Table| {
        let is_read = table.id.ends_with("-claims");
        let files = table.files().into_iter().filter(move |(extension, _)| !is_read || *extension == "md");
        let id = table.id.clone();
        files.map(move |(extension, text)| (format!("{id}.{extension}"), text))
    };
    let mut files: Vec<(String, String)> = tables.iter().flat_map(of_table).collect();
    files.push(("README.md".to_owned(), pages::exhibits(papers)));
    files.extend(pages::findings(papers, concluded).map(|page| (format!("{FINDINGS}.md"), page)));
    files
}

#[cfg(test)]
mod tests {
    use fixtures::{games, identity};

    use super::*;

    const CONFIG: &str = "[citation]\ntitle = \"T\"\nauthors = [\"A\"]\n\
        [[experiment]]\nid = \"own\"\nagent = \"a\"\ngames = 2\n\
        [[study]]\nid = \"s\"\nagent = \"a\"\ngames = 1\nseed = 1\nspace = { x = { from = 0, to = 9, integer = true } }\n\
        method = { kind = \"sobol\", points = 4, batch = 4 }\nwinners = { best = 1, games = 2, seed = 2048 }\n\
        [[claim]]\nid = \"c\"\nkind = \"ordinal\"\ntext = \"t\"\nplace = \"p\"\nmetric = \"score.mean\"\nbetter = \"s-best-1\"\nworse = \"own\"\n";

    #[test]
    fn a_studys_winners_are_judged_and_are_no_rows_among_the_papers_methods() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("p.toml");
        std::fs::write(&file, CONFIG).unwrap();
        let papers = [manifest::load(&file).unwrap()];
        let keys = ["own", "s-best-1", "s-default"].map(|id| format!("p/{id}").parse::<Key>().unwrap());
        let evidence: Evidence =
            keys.map(|key| (key, games(identity(2048), [1000, 1007]))).into_iter().collect();
        let verdicts = verdict::judge(&papers, &evidence);
        let input = ReportInput {
            papers: &papers,
            evidence: &evidence,
            verdicts: &verdicts,
            studies: &[],
            trainings: &[],
        };
        let names = |id: &str| table(input, id).rows.iter().map(|row| row[0].text()).collect::<Vec<String>>();
        assert_eq!(names("p-experiments"), ["own"]);
        assert_eq!(names("p-timing"), ["own"]);
        assert_eq!(names("p-claims"), ["c"]);
        assert!(!verdicts[0].lacks_games && !matches!(verdicts[0].grounds, verdict::Grounds::Nothing { .. }));
        assert_eq!(input.with_games(&papers[0]).count(), 3, "their records are shown all the same");
    }
}
