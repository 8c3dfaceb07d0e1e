//! The figures that a paper's manifest asks for.

use super::{Shown, Sketch, Studio, can_be_drawn, describe};
use crate::trainings::{cost_of, cost_text};
use figures::{Average, AverageGroup, Averages, Cost, CostPoint, Nodes, NodesAt, Speed, SpeedRow};
use jobs::Key;
use manifest::{
    ClaimKind, Experiment, FigureKind, FigureSpec, Group, Metric, Published, Quantity, Statistic,
};
use stats::{Sample, mean};
use text::Scale;
use verdict::{self, Grounds, Verdict};

impl<'a> Studio<'a> {
    /// A figure that the manifest asks for; none where nothing that it shows was played.
    pub(super) fn asked_for(self, figure: &FigureSpec) -> Option<Sketch<'a>> {
        match &figure.kind {
            FigureKind::Scores { experiments } => {
                let shown = self.shown(experiments);
                (!shown.is_empty()).then(|| self.scores(&shown, figure.id.clone(), figure.title.clone()))
            }
            FigureKind::Averages { groups } => self.averages(figure, groups),
            FigureKind::Nodes { axis, x, published, groups } => {
                self.nodes(figure, axis, (x, published), groups)
            }
            FigureKind::Ratios { claims } => self.ratios(figure, claims),
            FigureKind::Pareto { experiments } => self.pareto(figure, experiments),
        }
    }

    fn shown(self, ids: &[String]) -> Vec<Shown<'a>> {
        ids.iter().filter_map(|id| self.games(id)).collect()
    }

    fn games(self, id: &str) -> Option<Shown<'a>> {
        let key = Key::new(&self.paper.id, id);
        let games = self.material.evidence.games(&key).filter(|games| can_be_drawn(games))?;
        Some((self.paper.experiment(id)?, games))
    }

    fn averages(self, figure: &FigureSpec, groups: &[Group]) -> Option<Sketch<'a>> {
        let bar = |(experiment, games): &Shown<'a>| {
            Some(Average {
                label: experiment.method().split(',').next().unwrap_or_default().to_owned(),
                mean: mean(&Sample::new(games.scores()).ok()?),
                published: self.published(&experiment.id, Metric::summary(Quantity::SCORE, Statistic::Mean)),
            })
        };
        let shown: Vec<Shown<'a>> = groups.iter().flat_map(|group| self.shown(&group.experiments)).collect();
        let groups: Vec<AverageGroup> = groups
            .iter()
            .map(|group| AverageGroup {
                label: group.name.clone(),
                bars: self.shown(&group.experiments).iter().filter_map(bar).collect(),
            })
            .filter(|group| !group.bars.is_empty())
            .collect();
        let bars = groups.iter().flat_map(|group| &group.bars);
        let description = describe("Mean scores", bars.map(|bar| (&bar.label, None, bar.mean)));
        (!groups.is_empty()).then(|| {
            let kind = Averages { groups, axis: "average points".to_owned() };
            self.sketch(&figure.id, figure.title.clone(), description, &shown, kind)
        })
    }

    fn nodes(
        self,
        figure: &FigureSpec,
        axis: &str,
        (x, published): (&[f64], &[f64]),
        groups: &[Group],
    ) -> Option<Sketch<'a>> {
        let metric = Metric::summary(Quantity::NODES, Statistic::Mean);
        let measured = |group: Option<&Group>, index: usize| {
            let (_, games) = self.games(group?.experiments.get(index)?)?;
            metric.estimate(games).ok()
        };
        let mut places: Vec<NodesAt> = x
            .iter()
            .enumerate()
            .map(|(index, &x)| NodesAt {
                x: x as u32,
                published: published.get(index).copied(),
                measured: std::array::from_fn(|search| measured(groups.get(search), index)),
            })
            .collect();
        places.sort_by_key(|at| at.x);
        let is_measured = places.iter().any(|at| at.measured.iter().any(Option::is_some));
        let shown: Vec<Shown<'a>> = groups.iter().flat_map(|group| self.shown(&group.experiments)).collect();
        let description = "Nodes expanded for a move, as published and as measured.".to_owned();
        let searches = std::array::from_fn(|search| {
            groups.get(search).map(|group| group.name.clone()).unwrap_or_default()
        });
        let kind = Nodes { axis: axis.to_owned(), searches, places };
        is_measured.then(|| self.sketch(&figure.id, figure.title.clone(), description, &shown, kind))
    }

    fn ratios(self, figure: &FigureSpec, claims: &[String]) -> Option<Sketch<'a>> {
        let verdict =
            |id: &String| self.material.of_paper(self.paper).find(|verdict| verdict.claim.id == *id);
        let verdicts: Vec<&Verdict<'_>> = claims.iter().filter_map(verdict).collect();
        let row = |verdict: &&Verdict<'_>| {
            let (ClaimKind::Numeric { experiment, reference, published, .. }, Grounds::Numeric { ours, .. }) =
                (&verdict.claim.kind, &verdict.grounds)
            else {
                return None;
            };
            // The form that is so many times as fast is the one by whose time is divided; several may be held against one slow form.
            let faster = reference.as_ref().unwrap_or(experiment);
            let label = self.paper.experiment(faster).map_or(faster.as_str(), Experiment::method).to_owned();
            let published = match published {
                Published::Number(value) => Some(*value),
                Published::Range(..) => None,
            };
            Some(SpeedRow { label, ratio: *ours, published })
        };
        let rows: Vec<SpeedRow> = verdicts.iter().filter_map(row).collect();
        let shown = self.judged(&verdicts);
        let texts = rows.iter().map(|row| format!("{} {}", row.label, Scale::Ratio.text(row.ratio.point)));
        let description =
            format!("How many times as fast, by CPU time: {}.", texts.collect::<Vec<_>>().join("; "));
        let axis = "times as fast".to_owned();
        (!rows.is_empty())
            .then(|| self.sketch(&figure.id, figure.title.clone(), description, &shown, Speed { rows, axis }))
    }

    /// What it cost to learn some of the methods, which the time of a move does not tell; nothing where none had to be.
    fn learned(self, shown: &[Shown<'a>]) -> String {
        let cost = |(experiment, games): &Shown<'a>| {
            let cost = cost_of(self.material.trainings, games)?;
            Some(format!("{} ({})", experiment.method(), cost_text(&cost)))
        };
        match shown.iter().filter_map(cost).collect::<Vec<_>>().as_slice() {
            [] => String::new(),
            costs => format!(" Trained beforehand: {}.", costs.join("; ")),
        }
    }

    fn pareto(self, figure: &FigureSpec, experiments: &[String]) -> Option<Sketch<'a>> {
        let shown = self.shown(experiments);
        let point = |(experiment, games): &Shown<'a>| {
            let times = Sample::new(games.cpu_ns_per_move()).ok()?;
            Some(CostPoint {
                label: experiment.method().to_owned(),
                seconds_per_move: times.mean() / 1e9,
                score: mean(&Sample::new(games.scores()).ok()?),
            })
        };
        let points: Vec<CostPoint> = shown.iter().filter_map(point).collect();
        let description =
            describe("Mean scores", points.iter().map(|point| (&point.label, None, point.score)));
        let description = format!("{description}{}", self.learned(&shown));
        let axis = "mean score".to_owned();
        (!points.is_empty()).then(|| {
            self.sketch(&figure.id, figure.title.clone(), description, &shown, Cost { points, axis })
        })
    }
}
