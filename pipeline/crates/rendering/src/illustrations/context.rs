//! A paper's results, as the kinds of figures see them.

use figures::{FigureContext, JudgedRatio, PlayedExperiment};
use manifest::{ClaimKind, Experiment, Metric, Published};
use verdict::Grounds;

use super::PaperFigures;
use crate::trainings::{cost_of, cost_text};

impl FigureContext for PaperFigures<'_> {
    fn experiment(&self, id: &str) -> Option<PlayedExperiment<'_>> {
        let (experiment, games) = self.shown(id).filter(|(_, games)| super::can_be_drawn(games))?;
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
