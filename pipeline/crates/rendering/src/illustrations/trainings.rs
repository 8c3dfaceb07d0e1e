//! The learning curves of a paper's trainings.

use super::{PaperFigures, PlannedFigure};
use crate::trainings::TrainingView;
use ::trainings::CurveRow;
use ::trainings::curve::COUNTED_TILES;
use figures::{Learning, LearningCurve, LearningPoint, LearningStep, Source};
use jobs::identity::Canonical as _;
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
        with_curves.chunks(MOST_CURVES).enumerate().map(|(page, views)| self.learning(page, views)).collect()
    }

    fn learning(self, page: usize, views: &[&TrainingView<'a>]) -> PlannedFigure<'a> {
        let id = if page == 0 { "learning".to_owned() } else { format!("learning-{}", page + 1) };
        let title =
            if page == 0 { "Learning curves".to_owned() } else { format!("Learning curves ({})", page + 1) };
        let curves = views.iter().map(|view| curve(view)).collect();
        let kind = Learning { curves, tiles: COUNTED_TILES.to_vec() };
        let mut planned = self.plan(&id, title, describe(views), &[], Box::new(kind));
        let source = |view: &&TrainingView<'_>| Source {
            experiment: view.key(),
            identity: view.stored.header.identity.hash(),
            digest: view.stored.digest.clone(),
        };
        planned.figure.sources = views.iter().map(source).collect();
        planned.group = Some(TRAININGS.to_owned());
        planned
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
