//! Which figures there are, and what each is drawn from.
//!
//! Every paper gets the distributions of its scores and tiles and, if it publishes numbers, the claims; its
//! manifest may ask for more. Studies have figures of their own. All numbers come from records, trials and
//! verdicts.

mod context;
mod standard;
mod studies;
mod trainings;

pub(crate) use trainings::TRAININGS;

use figures::{Content, Draw, Figure, FigureError, FigureKind, Source};
use jobs::Key;
use jobs::identity::Canonical as _;
use manifest::{Experiment, Paper};
use rayon::prelude::*;
use verdict::evidence::Games;
use verdict::stale_note;

use crate::report::PageFigure;
use crate::tables::ReportInput;

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
    chart: Box<dyn Draw>,
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
        let shown: Vec<Shown<'a>> = experiments.iter().filter_map(|id| self.shown(id)).collect();
        Some(self.plan(id, title, description, &shown, chart))
    }

    fn shown(self, id: &str) -> Option<Shown<'a>> {
        let games = self.input.evidence.games(&Key::new(&self.paper.id, id))?;
        Some((self.paper.experiment(id)?, games))
    }

    fn plan(
        self,
        id: &str,
        title: String,
        description: String,
        shown: &[Shown<'a>],
        chart: Box<dyn Draw>,
    ) -> PlannedFigure<'a> {
        let source = |(experiment, games): &Shown<'a>| Source {
            experiment: format!("{}/{}", self.paper.id, experiment.id),
            identity: games.identity.hash(),
            digest: games.digest.clone(),
        };
        let mut sources: Vec<Source> = Vec::new();
        for source in shown.iter().map(source) {
            if !sources.contains(&source) {
                sources.push(source);
            }
        }
        // A figure's file must say by itself which paper it is about, and which of its games are stale.
        let is_stale = |(experiment, games): &&Shown<'a>| stale_note(experiment, games).is_some();
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

/// An experiment with its games.
type Shown<'a> = (&'a Experiment, &'a Games);

/// Whether games have a distribution, and their mean an interval. A single game has neither, but is in the
/// tables.
fn can_be_drawn(games: &Games) -> bool {
    games.outcomes.len() > 1
}
