//! The figures of studies: those of one kind share them.

use std::sync::Arc;

use super::{ExperimentGames, FigurePage, PaperFigures, PlannedFigure, pages};
use crate::studies::words::{choices, cost_name, plain_value};
use crate::studies::{HeldOut, StudyGroup, StudyView};
use figures::{
    Chart, Convergence, ConvergencePanel, ConvergenceStep, FigureSource, Importance, ImportanceRow,
    NamedPoint, Parallel, ParameterAxis, Pareto, ParetoMethod, Slices, StudyParameter, StudyTrials,
    TrialPoint,
};
use manifest::{Objective, Study};
use rayon::prelude::*;
use search::{Dimension, Origin, Range, Scale, dominates};
use serde_json::Value;
use stats::{Estimate, Method};
use studies::{Step, TrialRow, outcome};
use text::{Scale as Written, counted, thousands};

/// The most studies in one figure of convergence.
const MOST_PANELS: usize = 8;
/// How trials come about, in the order of their marks.
const ORIGINS: [(Origin, &str); 5] = [
    (Origin::Sample, "sample"),
    (Origin::Crossover, "crossover"),
    (Origin::Acquisition, "acquisition"),
    (Origin::Surrogate, "surrogate"),
    (Origin::Kept, "kept, tried again"),
];
const SCORE: &str = "mean score";

impl<'a> PaperFigures<'a> {
    /// The figures of the paper's studies that were run.
    pub(super) fn studies(self) -> Vec<PlannedFigure<'a>> {
        let groups = StudyGroup::of_paper(self.input.studies, &self.paper.id);
        // Importance takes seconds for each.
        let figures: Vec<Vec<PlannedFigure<'a>>> =
            groups.par_iter().map(|group| StudyFigures { paper: self, group }.all()).collect();
        figures.into_iter().flatten().collect()
    }
}

/// The figures of one group.
#[derive(Clone, Copy)]
struct StudyFigures<'a, 'g> {
    paper: PaperFigures<'a>,
    group: &'g StudyGroup<'a>,
}

impl<'a> StudyFigures<'a, '_> {
    fn all(self) -> Vec<PlannedFigure<'a>> {
        let trials = Arc::new(self.trials());
        let mut figures = match self.group.first().is_of_both() {
            true => vec![self.pareto(trials.clone())],
            false => self.convergence(),
        };
        let count = counted(trials.trials.len() as u64, "trial");
        let parameters = counted(trials.parameters.len() as u64, "parameter");
        let slices = format!("The mean score of {count} against each of {parameters}.");
        let parallel = format!("The parameters and the mean score of {count}; the best tenth is dark.");
        figures.extend([
            self.plan("slices", "Score against each parameter", slices, Slices(trials.clone())),
            self.plan("parallel", "Parameters of the best trials", parallel, Parallel(trials)),
        ]);
        figures.extend(self.importance());
        figures
    }

    fn plan(
        self,
        kind: &str,
        title: &str,
        description: String,
        chart: impl Chart + 'static,
    ) -> PlannedFigure<'a> {
        let id = format!("{}-{kind}", self.group.id);
        let title = format!("{title}: {}", self.group.title);
        let planned = self.paper.plan(&id, title, description, &self.played(), Box::new(chart));
        let source = |searched: &&StudyView<'_>| FigureSource {
            experiment: searched.key(),
            identity: searched.searched.identity.clone(),
            digest: searched.searched.digest.clone(),
        };
        planned.of_group(&self.group.id, self.group.studies.iter().map(source))
    }

    /// The experiments that play the group's winners and defaults again, as far as they were played.
    fn played(self) -> Vec<ExperimentGames<'a>> {
        let paper = self.paper.paper;
        let is_ours = |study: &Study| self.group.studies.iter().any(|searched| searched.study.id == study.id);
        let all = self.paper.input.with_games(paper);
        all.filter(|(experiment, _)| paper.study_of(experiment).is_some_and(is_ours)).collect()
    }

    fn convergence(self) -> Vec<PlannedFigure<'a>> {
        let panel = |searched: &&StudyView<'a>| ConvergencePanel {
            label: self.group.label(searched),
            steps: steps(searched),
            winners: (1..=searched.winners.len())
                .filter_map(|place| searched.held_out(place).map(|held_out| held_out.score))
                .collect(),
            default: searched.default_held_out().map(|held_out| held_out.score),
        };
        let figure = |page: FigurePage<'_, &StudyView<'a>>| {
            let panels: Vec<ConvergencePanel> = page.rows.iter().map(panel).collect();
            let description = describe_convergence(&panels);
            let across = self.group.batches().0.to_owned();
            let title = page.title("Convergence");
            self.plan(&page.id("convergence"), &title, description, Convergence { panels, across })
        };
        pages(&self.group.studies, MOST_PANELS, "study").map(figure).collect()
    }

    /// The trials of all studies; batches are counted in hundredths of their study, since studies differ in
    /// how many they have.
    fn trials(self) -> StudyTrials {
        let study = self.group.first().study;
        let (mut trials, mut winners) = (Vec::new(), Vec::new());
        for searched in &self.group.studies {
            let batches = searched.rows().last().map_or(1, |row| row.batch + 1);
            trials.extend(searched.rows().iter().filter_map(|row| {
                Some(TrialPoint {
                    batch: row.batch * 100 / batches,
                    origin: ORIGINS.iter().position(|(origin, _)| *origin == row.origin)?,
                    values: row.point.values().to_vec(),
                    score: row.mean_score()?,
                    cost: row.mean_cost().filter(|cost| *cost > 0.0),
                })
            }));
            winners.extend(searched.winners.iter().zip(1..).map(|(best, place)| {
                let values = best.point.values().iter().copied().map(Some).collect();
                named_point(format!("best {place}"), values, searched.held_out(place))
            }));
        }
        let default = self.group.studies.iter().find_map(|searched| {
            let params = searched.default_params()?;
            let place =
                |dimension: &Dimension| place_of(searched.study, dimension, params.get(&dimension.name)?);
            let values = searched.study.space.dimensions().iter().map(place).collect();
            Some(named_point("default".to_owned(), values, searched.default_held_out()))
        });
        let parameters = study.space.dimensions().iter().map(|dimension| parameter(study, dimension));
        let batches = self.group.batches().1.to_owned();
        StudyTrials { parameters: parameters.collect(), trials, default, winners, batches }
    }

    fn importance(self) -> Option<PlannedFigure<'a>> {
        let study = self.group.first().study;
        let by_objective = self.group.importance();
        let objectives =
            || study.objectives.iter().zip(&by_objective).filter(|(_, indices)| !indices.is_empty());
        let name = |objective: &Objective| match objective {
            Objective::Score => SCORE.to_owned(),
            Objective::Cost => cost_name(study).to_owned(),
        };
        let series: Vec<String> = objectives().map(|(objective, _)| name(objective)).collect();
        let trials: usize = self.group.studies.iter().map(|searched| searched.rows().len()).sum();
        let estimate = |index: &search::Importance| Estimate {
            point: index.index,
            low: index.low,
            high: index.high,
            n: trials as u64,
            method: Method::Hybrid,
        };
        let row = |(place, dimension): (usize, &Dimension)| ImportanceRow {
            label: dimension.name.clone(),
            indices: objectives().map(|(_, indices)| indices.get(place).map(estimate)).collect(),
        };
        let rows: Vec<ImportanceRow> = study.space.dimensions().iter().enumerate().map(row).collect();
        let remarks = format!(
            "First-order indices by functions drawn from a Gaussian process that was fitted to {}.",
            counted(trials as u64, "trial")
        );
        let description =
            "The share of the variance over the whole space that each parameter causes alone.".to_owned();
        let kind = Importance { series, rows, remarks };
        (!kind.series.is_empty())
            .then(|| self.plan("importance", "Importance of parameters", description, kind))
    }

    fn pareto(self, study: Arc<StudyTrials>) -> PlannedFigure<'a> {
        let cost = cost_name(self.group.first().study);
        let rows = || self.group.studies.iter().flat_map(|searched| searched.rows());
        let reference = outcome::largest_cost(rows());
        let highest = rows().filter_map(TrialRow::mean_score).fold(1.0, f64::max);
        let trials = study.trials.iter().filter(|trial| trial.cost.is_some()).count() as u64;
        let kind = Pareto {
            origins: ORIGINS.map(|(_, name)| name.to_owned()).to_vec(),
            study,
            methods: self.methods(reference, reference * highest),
            cost: cost.to_owned(),
            reference: format!(
                "no points at {} {cost}; 1 would be {} points at no cost",
                Written::Points.text(reference),
                thousands(highest)
            ),
        };
        let description = format!(
            "The mean score of {} against what a move costs, with the fronts of {}, and the hypervolume over the games spent.",
            counted(trials, "trial"),
            counted(kind.methods.len() as u64, "method")
        );
        self.plan("pareto", "Score against cost", description, kind)
    }

    /// The studies of each method together: their front, and the hypervolume of each as a share of a whole.
    fn methods(self, reference: f64, whole: f64) -> Vec<ParetoMethod> {
        let run = |searched: &&StudyView<'a>| {
            let reached = outcome::reached(searched.study, searched.rows(), reference);
            reached.into_iter().map(|(games, volume)| (games as f64, volume / whole.max(1.0))).collect()
        };
        let mut names: Vec<&str> = Vec::new();
        for name in self.group.studies.iter().map(|searched| searched.study.method.facts().name) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let method = |name: &str| {
            let is_of = |searched: &&&StudyView<'a>| searched.study.method.facts().name == name;
            let studies: Vec<&StudyView<'a>> = self.group.studies.iter().filter(is_of).copied().collect();
            let runs = studies.iter().map(run).collect();
            ParetoMethod { label: name.to_owned(), front: front(&studies), runs }
        };
        names.into_iter().map(method).collect()
    }
}

fn named_point(label: String, values: Vec<Option<f64>>, held_out: Option<HeldOut<'_>>) -> NamedPoint {
    let (score, cost) = held_out.map(|held_out| (held_out.score, held_out.cost)).unzip();
    NamedPoint { label, values, score, cost: cost.flatten() }
}

/// Cost and score of the points that no other point of these studies beats in both.
fn front(studies: &[&StudyView<'_>]) -> Vec<(f64, f64)> {
    let points = studies.iter().flat_map(|searched| outcome::contenders(searched.study, searched.rows()));
    let losses: Vec<[f64; 2]> =
        points.filter_map(|contender| Some([contender.cost()?.point, -contender.score()?.point])).collect();
    let is_beaten = |one: &[f64; 2]| losses.iter().any(|other| dominates(other, one));
    let unbeaten = losses.iter().filter(|one| one[0] > 0.0 && !is_beaten(one));
    unbeaten.map(|[cost, loss]| (*cost, -loss)).collect()
}

/// How a study went. The genetic algorithm counts its founders as iteration 0, and means are those of its
/// whole population, as the package draws them.
fn steps(searched: &StudyView<'_>) -> Vec<ConvergenceStep> {
    let study = searched.study;
    let batches = searched.rows().chunk_by(|one, next| one.batch == next.batch);
    let finished: Vec<Vec<search::Trial>> =
        batches.map(|batch| batch.iter().map(|row| row.to_trial(&study.objectives)).collect()).collect();
    let generations = study.method.generations(&study.to_search(), &finished);
    let first = if generations.is_some() { 0.0 } else { 1.0 };
    let mean = |generation: search::Generation| Some(-generation.mean).filter(|mean| mean.is_finite());
    let means: Vec<Option<f64>> = generations.into_iter().flatten().map(mean).collect();
    let step = |(index, step): (usize, Step)| {
        let mean = means.get(index).copied().unwrap_or(step.mean);
        Some(ConvergenceStep { at: f64::from(step.batch) + first, best: step.best?, mean })
    };
    outcome::steps(study, searched.rows()).into_iter().enumerate().filter_map(step).collect()
}

fn describe_convergence(panels: &[ConvergencePanel]) -> String {
    let texts = panels.iter().filter_map(|panel| {
        let best = panel.steps.last()?.best.point;
        let worth = match panel.winners.first() {
            Some(winner) => format!("{} on held-out games", thousands(winner.point)),
            None => "not yet played on held-out games".to_owned(),
        };
        Some(format!("{}: the best has {} in the study, {worth}", panel.label, thousands(best)))
    });
    format!("{}.", texts.collect::<Vec<_>>().join("; "))
}

fn parameter(study: &Study, dimension: &Dimension) -> StudyParameter {
    let along = |from: f64, to: f64, scale: Scale| match scale {
        Scale::Linear => ParameterAxis::Linear(from, to),
        Scale::Logarithmic => ParameterAxis::Logarithmic(from, to),
    };
    let axis = match dimension.range {
        Range::Real { from, to, scale, .. } => along(from, to, scale),
        Range::Integer { from, to, scale } => along(f64::from(from), f64::from(to), scale),
        Range::Choice { .. } => {
            ParameterAxis::Choices(choices(study, dimension).iter().map(plain_value).collect())
        }
    };
    StudyParameter { name: dimension.name.clone(), axis }
}

/// Where the value of a parameter lies on its axis; none if it has no place there.
fn place_of(study: &Study, dimension: &Dimension, value: &Value) -> Option<f64> {
    match dimension.range {
        Range::Choice { .. } => {
            choices(study, dimension).iter().position(|choice| choice == value).map(|place| place as f64)
        }
        Range::Real { scale, .. } | Range::Integer { scale, .. } => {
            value.as_f64().filter(|value| scale == Scale::Linear || *value > 0.0)
        }
    }
}
