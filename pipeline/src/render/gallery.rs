//! The gallery: which figures there are, and what each is drawn from.
//!
//! Every paper gets the distributions of its scores and tiles and, where it publishes numbers, the claims; its manifest may ask
//! for more. All numbers come from records and verdicts.

use std::path::PathBuf;

use rayon::prelude::*;

use super::figures::{
    Average, AverageGroup, Averages, ClaimRow, Claims, Cost, CostPoint, Draw, Ecdf, EcdfSeries, Figure,
    FigureError, Nodes, NodesAt, Reach, ReachSeries, ScoreRow, Scores, Source, Speed, SpeedRow, TileRow,
    Tiles,
};
use super::tables::Material;
use crate::evidence::Games;
use crate::format::{Scale, metric_name};
use crate::layout::{Key, Layout};
use crate::manifest::{
    ClaimKind, Event, Experiment, FigureKind, Given, Group, Metric, Paper, Published, Quantity, Set,
    Statistic, Variant,
};
use crate::output::{self, OutputError};
use crate::stats::{Estimate, Rate, Sample, density, mean, rate};
use crate::verdict::{self, Grounds, Verdict};

/// The most rows that a figure can show.
const MOST_ROWS: usize = 15;
/// The most claims in a figure.
const MOST_CLAIMS: usize = 48;
/// The points of a density curve.
const DENSITY_POINTS: usize = 160;
/// The tiles of the reach curves.
const TILES: std::ops::RangeInclusive<u32> = 5..=15;

/// A figure, drawn.
#[derive(Clone, Debug)]
pub struct Picture {
    /// The paper that it belongs to.
    pub paper: String,
    /// The name of its files, without the ending.
    pub id: String,
    /// Its title.
    pub title: String,
    /// What is to be seen, for readers who cannot see it.
    pub description: String,
    /// Its width and height in pixels.
    pub size: (f64, f64),
    /// The drawing.
    pub svg: String,
    /// The image.
    pub png: Vec<u8>,
}

/// A figure that is to be drawn.
struct Sketch<'a> {
    paper: &'a Paper,
    figure: Figure,
    kind: Box<dyn Draw + Send + Sync>,
}

/// Draws all figures, in the order of the papers.
///
/// # Errors
/// Where one cannot be drawn.
pub fn draw(material: Material<'_>) -> Result<Vec<Picture>, FigureError> {
    let sketches: Vec<Sketch<'_>> =
        material.papers.iter().flat_map(|paper| Studio { material, paper }.sketches()).collect();
    sketches
        .par_iter()
        .map(|sketch| {
            let drawing = sketch.kind.draw(&sketch.figure)?;
            Ok(Picture {
                paper: sketch.paper.id.clone(),
                id: sketch.figure.id.clone(),
                title: sketch.figure.title.clone(),
                description: sketch.figure.description.clone(),
                size: drawing.size(),
                png: drawing.png()?,
                svg: drawing.svg,
            })
        })
        .collect()
}

/// Writes figures as SVG and PNG, and returns their files.
///
/// # Errors
/// Where a file cannot be written.
pub fn write(layout: &Layout, pictures: &[Picture]) -> Result<Vec<PathBuf>, OutputError> {
    let mut files = Vec::new();
    for picture in pictures {
        for (extension, bytes) in [("svg", picture.svg.as_bytes()), ("png", &picture.png)] {
            let path = layout.figures().join(format!("{}.{extension}", picture.id));
            output::write(&path, bytes)?;
            files.push(path);
        }
    }
    Ok(files)
}

/// An experiment with its games.
type Shown<'a> = (&'a Experiment, &'a Games);

/// Where one paper's figures are sketched.
#[derive(Clone, Copy)]
struct Studio<'a> {
    material: Material<'a>,
    paper: &'a Paper,
}

impl<'a> Studio<'a> {
    fn sketches(self) -> Vec<Sketch<'a>> {
        let shown: Vec<Shown<'a>> = self
            .material
            .played(self.paper)
            .filter(|(experiment, _)| experiment.set == Set::Default)
            .collect();
        let pages = shown.chunks(MOST_ROWS).count();
        let mut sketches = Vec::new();
        for (page, rows) in shown.chunks(MOST_ROWS).enumerate() {
            let place = Place { page, pages };
            sketches.push(self.scores(rows, place.id("scores"), place.title("Distribution of scores")));
            sketches.push(self.ecdf(rows, place));
            sketches.push(self.max_tiles(rows, place));
            sketches.push(self.reach(rows, place));
        }
        if self.material.with_games(self.paper).next().is_some() {
            sketches.extend(self.claims());
        }
        sketches.extend(self.paper.figures.iter().filter_map(|figure| self.asked_for(figure)));
        sketches
    }

    fn sketch(
        self,
        id: &str,
        title: String,
        description: String,
        shown: &[Shown<'a>],
        kind: impl Draw + Send + Sync + 'static,
    ) -> Sketch<'a> {
        let source = |(experiment, games): &Shown<'a>| Source {
            experiment: format!("{}/{}", self.paper.id, experiment.id),
            identity: games.identity.hash(),
            digest: games.digest.clone(),
        };
        let sources = shown.iter().map(source).collect();
        // A figure's file must say by itself which paper it is about.
        let title = format!("{title} · {}", self.paper.id);
        let id = format!("{}-{id}", self.paper.id);
        Sketch { paper: self.paper, figure: Figure { id, title, description, sources }, kind: Box::new(kind) }
    }

    fn scores(self, shown: &[Shown<'a>], id: String, title: String) -> Sketch<'a> {
        let row = |(experiment, games): &Shown<'a>| {
            let sample = Sample::new(games.scores()).ok()?;
            Some(ScoreRow {
                label: experiment.method().to_owned(),
                variant: variant(experiment),
                scores: games.outcomes.iter().map(|outcome| u64::from(outcome.score)).collect(),
                density: density(&sample, DENSITY_POINTS),
                median: sample.quantile(0.5),
                mean: mean(&sample),
                published: self.published(&experiment.id, Metric::summary(Quantity::Score, Statistic::Mean)),
            })
        };
        let rows: Vec<ScoreRow> = shown.iter().filter_map(row).collect();
        let description = describe("Scores", rows.iter().map(|row| (&row.label, &row.variant, row.mean)));
        self.sketch(&id, title, description, shown, Scores { rows, axis: "score".to_owned() })
    }

    fn ecdf(self, shown: &[Shown<'a>], place: Place) -> Sketch<'a> {
        let series = |(experiment, games): &Shown<'a>| EcdfSeries {
            label: full_label(experiment),
            scores: games.outcomes.iter().map(|outcome| u64::from(outcome.score)).collect(),
        };
        let series: Vec<EcdfSeries> = shown.iter().map(series).collect();
        let description = format!("The share of games up to each score, for {} experiments.", series.len());
        let title = place.title("Share of games up to a score");
        self.sketch(&place.id("ecdf"), title, description, shown, Ecdf { series, axis: "score".to_owned() })
    }

    fn max_tiles(self, shown: &[Shown<'a>], place: Place) -> Sketch<'a> {
        let row = |(experiment, games): &Shown<'a>| TileRow {
            label: experiment.method().to_owned(),
            variant: variant(experiment),
            n: games.outcomes.len() as u64,
            shares: shares(games),
        };
        let rows: Vec<TileRow> = shown.iter().map(row).collect();
        let description = format!("The largest tile at the end of the games of {} experiments.", rows.len());
        let title = place.title("Largest tile at the end");
        self.sketch(&place.id("max-tiles"), title, description, shown, Tiles { rows })
    }

    fn reach(self, shown: &[Shown<'a>], place: Place) -> Sketch<'a> {
        let series = |(experiment, games): &Shown<'a>| ReachSeries {
            label: experiment.method().to_owned(),
            variant: variant(experiment),
            rates: TILES
                .map(|rank| 1 << rank)
                .filter_map(|tile| Some((tile, reached(games, tile)?)))
                .collect(),
            published: TILES
                .map(|rank| 1 << rank)
                .filter_map(|tile| Some((tile, self.published(&experiment.id, Metric::reach(tile))?)))
                .collect(),
        };
        let series: Vec<ReachSeries> = shown.iter().map(series).collect();
        let description =
            format!("The share of games that reach each tile, for {} experiments.", series.len());
        let title = place.title("Share of games that reach a tile");
        self.sketch(&place.id("reach"), title, description, shown, Reach { series })
    }

    /// What the paper publishes of an experiment.
    fn published(self, experiment: &str, metric: Metric) -> Option<f64> {
        self.paper.claims.iter().find_map(|claim| match &claim.kind {
            ClaimKind::Numeric {
                metric: of, experiment: about, published: Published::Number(value), ..
            } if *of == metric && about == experiment => Some(*value),
            _ => None,
        })
    }

    /// The numeric claims, as many figures as they fill.
    fn claims(self) -> Vec<Sketch<'a>> {
        let tested: Vec<(&Verdict<'_>, ClaimRow)> = self
            .material
            .of_paper(self.paper)
            .filter_map(|verdict| Some((verdict, claim_row(verdict)?)))
            .collect();
        let pages = tested.chunks(MOST_CLAIMS).count();
        let page = |(page, rows): (usize, &[(&Verdict<'_>, ClaimRow)])| {
            let place = Place { page, pages };
            let shown: Vec<Shown<'a>> = self
                .material
                .with_games(self.paper)
                .filter(|(experiment, _)| rows.iter().any(|(verdict, _)| is_about(verdict, &experiment.id)))
                .collect();
            let description =
                format!("{} published numbers, each against what our games predict for it.", rows.len());
            let rows = rows.iter().map(|(_, row)| row.clone()).collect();
            self.sketch(
                &place.id("claims"),
                place.title("Published numbers against ours"),
                description,
                &shown,
                Claims { rows },
            )
        };
        tested.chunks(MOST_CLAIMS).enumerate().map(page).collect()
    }

    /// A figure that the manifest asks for; none where nothing that it shows was played.
    fn asked_for(self, figure: &crate::manifest::Figure) -> Option<Sketch<'a>> {
        match &figure.kind {
            FigureKind::Scores { experiments } => {
                let shown = self.shown(experiments);
                (!shown.is_empty()).then(|| self.scores(&shown, figure.id.clone(), figure.title.clone()))
            }
            FigureKind::Averages { groups } => self.averages(figure, groups),
            FigureKind::Nodes { axis: _, x, published, groups } => self.nodes(figure, x, published, groups),
            FigureKind::Ratios { claims } => self.ratios(figure, claims),
            FigureKind::Pareto { experiments } => self.pareto(figure, experiments),
        }
    }

    fn shown(self, ids: &[String]) -> Vec<Shown<'a>> {
        ids.iter().filter_map(|id| self.games(id)).collect()
    }

    fn games(self, id: &str) -> Option<Shown<'a>> {
        let key = Key { paper: self.paper.id.clone(), experiment: id.to_owned() };
        Some((self.paper.experiment(id)?, self.material.evidence.games(&key)?))
    }

    fn averages(self, figure: &crate::manifest::Figure, groups: &[Group]) -> Option<Sketch<'a>> {
        let bar = |(experiment, games): &Shown<'a>| {
            Some(Average {
                label: experiment.method().split(',').next().unwrap_or_default().to_owned(),
                mean: mean(&Sample::new(games.scores()).ok()?),
                published: self.published(&experiment.id, Metric::summary(Quantity::Score, Statistic::Mean)),
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
        let description = describe("Mean scores", bars.map(|bar| (&bar.label, &None, bar.mean)));
        (!groups.is_empty()).then(|| {
            let kind = Averages { groups, axis: "average points".to_owned() };
            self.sketch(&figure.id, figure.title.clone(), description, &shown, kind)
        })
    }

    fn nodes(
        self,
        figure: &crate::manifest::Figure,
        x: &[f64],
        published: &[f64],
        groups: &[Group],
    ) -> Option<Sketch<'a>> {
        let metric = Metric::summary(Quantity::Nodes, Statistic::Mean);
        let measured = |group: Option<&Group>, index: usize| {
            let (_, games) = self.games(group?.experiments.get(index)?)?;
            verdict::estimate(metric, games).ok()
        };
        let mut cells: Vec<NodesAt> = x
            .iter()
            .enumerate()
            .map(|(index, &x)| NodesAt {
                empty: x as u32,
                published: published.get(index).copied(),
                plain: measured(groups.first(), index),
                memoised: measured(groups.get(1), index),
            })
            .collect();
        cells.sort_by_key(|cell| cell.empty);
        let is_measured = cells.iter().any(|cell| cell.plain.is_some() || cell.memoised.is_some());
        let shown: Vec<Shown<'a>> = groups.iter().flat_map(|group| self.shown(&group.experiments)).collect();
        let description = "Nodes expanded for a move, as published and as measured.".to_owned();
        let kind = Nodes { cells, depths: Vec::new() };
        is_measured.then(|| self.sketch(&figure.id, figure.title.clone(), description, &shown, kind))
    }

    fn ratios(self, figure: &crate::manifest::Figure, claims: &[String]) -> Option<Sketch<'a>> {
        let verdicts: Vec<&Verdict<'_>> =
            self.material.of_paper(self.paper).filter(|verdict| claims.contains(&verdict.claim.id)).collect();
        let row = |verdict: &&Verdict<'_>| {
            let (ClaimKind::Numeric { experiment, published, .. }, Grounds::Numeric { ours, .. }) =
                (&verdict.claim.kind, &verdict.grounds)
            else {
                return None;
            };
            let label =
                self.paper.experiment(experiment).map_or(experiment.as_str(), Experiment::method).to_owned();
            let published = match published {
                Published::Number(value) => Some(*value),
                Published::Range(..) => None,
            };
            Some(SpeedRow { label, ratio: *ours, published })
        };
        let rows: Vec<SpeedRow> = verdicts.iter().filter_map(row).collect();
        let shown: Vec<Shown<'a>> = self
            .material
            .with_games(self.paper)
            .filter(|(experiment, _)| verdicts.iter().any(|verdict| is_about(verdict, &experiment.id)))
            .collect();
        let description = "Ratios of CPU times, as published and as measured.".to_owned();
        let axis = "times as fast".to_owned();
        (!rows.is_empty())
            .then(|| self.sketch(&figure.id, figure.title.clone(), description, &shown, Speed { rows, axis }))
    }

    fn pareto(self, figure: &crate::manifest::Figure, experiments: &[String]) -> Option<Sketch<'a>> {
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
            describe("Mean scores", points.iter().map(|point| (&point.label, &None, point.score)));
        let axis = "mean score".to_owned();
        (!points.is_empty()).then(|| {
            self.sketch(&figure.id, figure.title.clone(), description, &shown, Cost { points, axis })
        })
    }
}

/// One of the pages that a figure takes.
#[derive(Clone, Copy)]
struct Place {
    page: usize,
    pages: usize,
}

impl Place {
    fn id(self, name: &str) -> String {
        if self.page == 0 { name.to_owned() } else { format!("{name}-{}", self.page + 1) }
    }

    fn title(self, name: &str) -> String {
        if self.pages == 1 {
            name.to_owned()
        } else {
            format!("{name} ({} of {})", self.page + 1, self.pages)
        }
    }
}

fn variant(experiment: &Experiment) -> Option<String> {
    experiment.variant.map(|variant| match variant {
        Variant::AsWritten => "as written".to_owned(),
        Variant::AsReleased => "as released".to_owned(),
    })
}

fn full_label(experiment: &Experiment) -> String {
    match variant(experiment) {
        Some(variant) => format!("{}, {variant}", experiment.method()),
        None => experiment.method().to_owned(),
    }
}

fn reached(games: &Games, tile: u32) -> Option<Estimate> {
    let (count, n) = games.count(Event::Reach(tile), Given::Always);
    Some(rate(Rate::new(count, n).ok()?))
}

/// For each largest tile its share of the games.
fn shares(games: &Games) -> Vec<(u32, Estimate)> {
    let mut tiles: Vec<u32> =
        games.outcomes.iter().map(|outcome| outcome.max_tile).filter(|&tile| tile > 0).collect();
    tiles.sort_unstable();
    let n = games.outcomes.len() as u64;
    tiles
        .chunk_by(|one, other| one == other)
        .filter_map(|equal| Some((equal[0], rate(Rate::new(equal.len() as u64, n).ok()?))))
        .collect()
}

/// Whether a claim is about an experiment.
fn is_about(verdict: &Verdict<'_>, id: &str) -> bool {
    match &verdict.claim.kind {
        ClaimKind::Numeric { experiment, reference, .. } => {
            experiment == id || reference.as_deref() == Some(id)
        }
        ClaimKind::Ordinal { better, worse, .. } => better == id || worse == id,
        ClaimKind::Arithmetic { .. } => false,
    }
}

/// A numeric claim with one published number, as a row of its figure.
fn claim_row(verdict: &Verdict<'_>) -> Option<ClaimRow> {
    let ClaimKind::Numeric { metric, experiment, published: Published::Number(published), n, .. } =
        &verdict.claim.kind
    else {
        return None;
    };
    let ours = match &verdict.grounds {
        Grounds::Numeric { ours, prediction, .. } => {
            Some(Estimate { low: prediction.low, high: prediction.high, n: prediction.n, ..*ours })
        }
        _ => None,
    };
    let about = verdict.paper.experiment(experiment).map_or_else(|| experiment.clone(), full_label);
    Some(ClaimRow {
        label: format!("{about}: {}", metric_name(*metric)),
        scale: Scale::of(*metric),
        published: *published,
        ours,
        published_n: Some(n.games()),
        finding: verdict.finding,
    })
}

/// Names and means, for readers who cannot see the figure.
fn describe<'b>(
    what: &str,
    rows: impl Iterator<Item = (&'b String, &'b Option<String>, Estimate)>,
) -> String {
    let texts: Vec<String> = rows
        .map(|(label, variant, mean)| {
            let variant = variant.as_ref().map(|variant| format!(" ({variant})")).unwrap_or_default();
            format!("{label}{variant} {}", Scale::Points.text(mean.point))
        })
        .collect();
    format!("{what}: {}.", texts.join("; "))
}
