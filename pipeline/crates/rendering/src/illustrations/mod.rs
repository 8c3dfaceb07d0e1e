//! Which figures there are, and what each is drawn from.
//!
//! Every paper gets the distributions of its scores and tiles and, if it publishes numbers, the claims; its
//! manifest may ask for more. Studies have figures of their own. All numbers come from records, trials and
//! verdicts.

mod standard;
mod studies;
mod trainings;

pub(crate) use trainings::TRAININGS;

use figures::{
    Chart, Content, Figure, FigureContext, FigureError, FigureKind, FigureSource, JudgedRatio,
    PlayedExperiment,
};
use jobs::{Canonical as _, Key};
use manifest::{ClaimKind, Experiment, Metric, Paper, Published};
use rayon::prelude::*;
use text::{counted, thousands};
use verdict::evidence::Games;
use verdict::{Grounds, stale_note};

use crate::report::PageFigure;
use crate::tables::ReportInput;
use crate::trainings::{cost_of, cost_text};

/// A figure, drawn.
#[derive(Clone, Debug)]
pub struct DrawnFigure {
    /// The paper that it belongs to.
    pub paper: String,
    /// The group of studies that it shows, or that of trainings; none if it shows experiments.
    pub group: Option<String>,
    /// The figure as the report shows it.
    pub figure: PageFigure,
    /// The drawing.
    pub svg: String,
    /// The image.
    pub png: Vec<u8>,
}

/// A figure that is to be drawn.
struct PlannedFigure<'a> {
    paper: &'a Paper,
    group: Option<String>,
    /// The title where the paper is known.
    caption: String,
    figure: Figure,
    chart: Box<dyn Chart>,
}

impl PlannedFigure<'_> {
    /// As a figure of a group, which shows these jobs above all.
    fn of_group(mut self, group: &str, jobs: impl Iterator<Item = FigureSource>) -> Self {
        self.figure.sources.splice(0..0, jobs);
        self.group = Some(group.to_owned());
        self
    }
}

/// Draws all figures, in the order of the papers.
pub fn draw(input: ReportInput<'_>) -> Result<Vec<DrawnFigure>, FigureError> {
    let planned: Vec<PlannedFigure<'_>> =
        input.papers.iter().flat_map(|paper| PaperFigures { input, paper }.all()).collect();
    planned
        .par_iter()
        .map(|planned| {
            let drawing = planned.chart.draw(&planned.figure)?;
            let (width, height) = drawing.size();
            let figure = PageFigure {
                id: planned.figure.id.clone(),
                title: planned.caption.clone(),
                alt: planned.figure.description.clone(),
                width: width as u32,
                height: height as u32,
            };
            let (paper, group) = (planned.paper.id.clone(), planned.group.clone());
            Ok(DrawnFigure { paper, group, figure, png: drawing.png()?, svg: drawing.svg })
        })
        .collect()
}

/// The figures of one paper.
#[derive(Clone, Copy)]
struct PaperFigures<'a> {
    input: ReportInput<'a>,
    paper: &'a Paper,
}

impl<'a> PaperFigures<'a> {
    fn all(self) -> Vec<PlannedFigure<'a>> {
        let mut figures = self.standard();
        let asked_for = self.paper.figures.iter();
        figures.extend(asked_for.filter_map(|spec| self.of_kind(&spec.id, spec.title.clone(), &spec.kind)));
        figures.extend(self.trainings());
        figures.extend(self.studies());
        figures
    }

    /// A figure of a kind that a manifest can ask for; none if nothing of it was played.
    fn of_kind(self, id: &str, title: String, kind: &FigureKind) -> Option<PlannedFigure<'a>> {
        let Content { description, experiments, chart } = kind.content(&self)?;
        let shown: Vec<ExperimentGames<'a>> = experiments.iter().filter_map(|id| self.shown(id)).collect();
        Some(self.plan(id, title, description, &shown, chart))
    }

    fn shown(self, id: &str) -> Option<ExperimentGames<'a>> {
        let games = self.input.evidence.games(&Key::new(&self.paper.id, id))?;
        Some((self.paper.experiment(id)?, games))
    }

    fn plan(
        self,
        id: &str,
        title: String,
        description: String,
        shown: &[ExperimentGames<'a>],
        chart: Box<dyn Chart>,
    ) -> PlannedFigure<'a> {
        let source = |(experiment, games): &ExperimentGames<'a>| FigureSource {
            experiment: format!("{}/{}", self.paper.id, experiment.id),
            identity: games.identity.hash(),
            digest: games.digest.clone(),
        };
        let mut sources: Vec<FigureSource> = Vec::new();
        for source in shown.iter().map(source) {
            if !sources.contains(&source) {
                sources.push(source);
            }
        }
        // A figure's file must say by itself which paper it is about, and which of its games are stale.
        let is_stale = |(experiment, games): &&ExperimentGames<'a>| stale_note(experiment, games).is_some();
        let stale: Vec<&str> =
            shown.iter().filter(is_stale).map(|(experiment, _)| experiment.id.as_str()).collect();
        let caption = match stale.as_slice() {
            [] => title,
            stale => format!("{title} · stale: {}", stale.join(", ")),
        };
        let title = format!("{caption} · {}", self.paper.citation.title);
        let id = format!("{}-{id}", self.paper.id);
        let figure = Figure { id, title, description, sources };
        PlannedFigure { paper: self.paper, group: None, caption, figure, chart }
    }
}

/// A paper's results, as the kinds of figures see them.
impl FigureContext for PaperFigures<'_> {
    fn experiment(&self, id: &str) -> Option<PlayedExperiment<'_>> {
        let (experiment, games) = self.shown(id).filter(|(_, games)| can_be_drawn(games))?;
        let (id, method, variant) = (&*experiment.id, experiment.method(), experiment.variant);
        Some(PlayedExperiment { id, method, variant, games })
    }

    fn published(&self, experiment: &str, metric: Metric) -> Option<f64> {
        self.paper.claims.iter().filter(|claim| !claim.audit).find_map(|claim| match &claim.kind {
            ClaimKind::Numeric {
                metric: of, experiment: about, published: Published::Number(value), ..
            } if *of == metric && about == experiment => Some(*value),
            _ => None,
        })
    }

    fn ratio(&self, claim: &str) -> Option<JudgedRatio> {
        let verdict = self.input.of_paper(self.paper).find(|verdict| verdict.claim.id == claim)?;
        let (ClaimKind::Numeric { experiment, reference, published, .. }, Grounds::Numeric { ours, .. }) =
            (&verdict.claim.kind, &verdict.grounds)
        else {
            return None;
        };
        // The faster form is the one by whose time is divided; several may be compared with one slow form.
        let faster = reference.as_ref().unwrap_or(experiment);
        let published = match published {
            Published::Number(value) => Some(*value),
            Published::Range(..) => None,
        };
        let label = self.paper.experiment(faster).map_or(faster.as_str(), Experiment::method).to_owned();
        let experiments = verdict.claim.experiments().into_iter().map(str::to_owned).collect();
        Some(JudgedRatio { label, ours: *ours, published, experiments })
    }

    fn training_cost(&self, experiment: &str) -> Option<String> {
        let (_, games) = self.shown(experiment)?;
        cost_of(self.input.trainings, games).map(|cost| cost_text(&cost))
    }
}

/// An experiment with its games.
type ExperimentGames<'a> = (&'a Experiment, &'a Games);

/// Whether games have a distribution, and their mean an interval. A single game has neither, but is in the
/// tables.
fn can_be_drawn(games: &Games) -> bool {
    games.outcomes.len() > 1
}

/// The most pages of a figure: nobody reads more, and the tables have every experiment and every claim.
const MOST_PAGES: usize = 10;

/// One of the pages that a figure takes, with its rows.
struct FigurePage<'r, T> {
    /// From 0.
    number: usize,
    rows: &'r [T],
    /// What follows the figure's title: the page, and how many rows are drawn if not all are.
    note: String,
}

/// The rows of a figure, page by page, as far as they are drawn.
fn pages<'r, T>(
    rows: &'r [T],
    on_a_page: usize,
    row: &'static str,
) -> impl Iterator<Item = FigurePage<'r, T>> {
    let pages = rows.len().div_ceil(on_a_page).min(MOST_PAGES);
    let (drawn, all) = (pages * on_a_page, rows.len());
    let of = match drawn < all {
        true => format!(", for the first {} of {}", thousands(drawn as f64), counted(all as u64, row)),
        false => String::new(),
    };
    rows.chunks(on_a_page).take(pages).enumerate().map(move |(number, rows)| {
        let note = if pages == 1 && of.is_empty() {
            String::new()
        } else {
            format!(" ({} of {pages}{of})", number + 1)
        };
        FigurePage { number, rows, note }
    })
}

impl<T> FigurePage<'_, T> {
    fn id(&self, name: &str) -> String {
        if self.number == 0 { name.to_owned() } else { format!("{name}-{}", self.number + 1) }
    }

    fn title(&self, name: &str) -> String {
        format!("{name}{}", self.note)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn titles(rows: usize) -> Vec<(String, String, usize)> {
        let rows = vec![(); rows];
        let page = |page: FigurePage<'_, ()>| (page.id("x"), page.title("X"), page.rows.len());
        pages(&rows, 15, "experiment").map(page).collect()
    }

    #[test]
    fn a_figure_has_as_many_pages_as_its_rows_fill() {
        let page = |id: &str, title: &str, rows| (id.to_owned(), title.to_owned(), rows);
        assert!(titles(0).is_empty());
        assert_eq!(titles(15), [page("x", "X", 15)]);
        assert_eq!(titles(16), [page("x", "X (1 of 2)", 15), page("x-2", "X (2 of 2)", 1)]);
        let all = titles(150);
        assert_eq!((all.len(), &all[9]), (10, &page("x-10", "X (10 of 10)", 15)));
    }

    #[test]
    fn a_figure_says_where_it_does_not_show_everything() {
        let cut = titles(10_000);
        assert_eq!(cut.len(), 10);
        assert!(cut.iter().all(|(_, title, rows)| {
            *rows == 15 && title.ends_with(" of 10, for the first 150 of 10,000 experiments)")
        }));
        assert_eq!(titles(151)[9].1, "X (10 of 10, for the first 150 of 151 experiments)");
    }
}
