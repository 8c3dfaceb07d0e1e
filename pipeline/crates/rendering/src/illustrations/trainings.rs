//! The learning curves of a paper's trainings.

use super::{FigurePage, PaperFigures, PlannedFigure, pages};
use crate::trainings::TrainingView;
use ::trainings::{COUNTED_TILES, CurveRow};
use figures::{FigureSource, Learning, LearningCurve, LearningPoint, LearningStep};
use jobs::Canonical as _;
use text::{counted, thousands};

/// The group of a paper's learning curves. No study is called so: a name has no slash.
pub(crate) const TRAININGS: &str = "/trainings";

/// The most trainings in one figure.
const MOST_CURVES: usize = 6;

impl<'a> PaperFigures<'a> {
    /// The curves of the paper's trainings that were done.
    pub(super) fn trainings(self) -> Vec<PlannedFigure<'a>> {
        let of_paper = self.input.trainings.iter().filter(|view| view.paper.id == self.paper.id);
        let with_curves: Vec<&TrainingView<'a>> =
            of_paper.filter(|view| !view.stored.curve.rows().is_empty()).collect();
        pages(&with_curves, MOST_CURVES, "training").map(|page| self.learning(&page)).collect()
    }

    fn learning(self, page: &FigurePage<'_, &TrainingView<'a>>) -> PlannedFigure<'a> {
        let (id, title, views) = (page.id("learning"), page.title("Learning curves"), page.rows);
        let curves = views.iter().map(|view| curve(view)).collect();
        let kind = Learning { curves, tiles: COUNTED_TILES.to_vec() };
        let planned = self.plan(&id, title, describe(views), &[], Box::new(kind));
        let source = |view: &&TrainingView<'_>| FigureSource {
            experiment: view.key(),
            identity: view.stored.header.identity.hash(),
            digest: view.stored.digest.clone(),
        };
        planned.of_group(TRAININGS, views.iter().map(source))
    }
}

fn curve(view: &TrainingView<'_>) -> LearningCurve {
    let step =
        |row: &CurveRow| LearningStep { games: row.games, score: row.mean(), reached: row.rates().to_vec() };
    let point = |point: &manifest::LearningPoint| LearningPoint {
        games: point.games,
        score: point.mean,
        label: point.label.clone(),
    };
    LearningCurve {
        label: view
            .staleness()
            .map_or_else(|| view.training.id.clone(), |stale| format!("{} ({stale})", view.training.id)),
        steps: view.stored.curve.rows().iter().map(step).collect(),
        published: view.training.points.iter().map(point).collect(),
    }
}

/// What each came to, for readers who cannot see the figure.
fn describe(views: &[&TrainingView<'_>]) -> String {
    let text = |view: &&TrainingView<'_>| {
        let last = view.last().map_or(0.0, |last| last.mean);
        format!("{} {} after {}", view.training.id, thousands(last), counted(view.cost().games, "game"))
    };
    let texts: Vec<String> = views.iter().map(text).collect();
    format!("Mean scores while learning: {}.", texts.join("; "))
}
