//! Illustrations: which figures there are, and what each is drawn from.
//!
//! Every paper gets the distributions of its scores and tiles and, where it publishes numbers, the claims; its manifest may ask
//! for more. Studies have figures of their own. All numbers come from records, trials and verdicts.

mod asked_for;
mod standard;
mod studies;
mod trainings;

pub(crate) use trainings::TRAININGS;

use jobs::identity::Canonical as _;
use std::collections::BTreeSet;

use rayon::prelude::*;

use crate::report::PageFigure;
use crate::tables::Material;
use figures::{Draw, Figure, FigureError, Source};
use manifest::{ClaimKind, Experiment, Metric, Paper, Published, Variant};
use platform::atomic::{self, WriteError};
use platform::confined::ConfinedPath;
use records::layout::Layout;
use stats::Estimate;
use text::Scale;
use verdict::evidence::Games;
use verdict::{Verdict, stale_note};

/// A figure, drawn.
#[derive(Clone, Debug)]
pub struct Picture {
    /// The paper that it belongs to.
    pub paper: String,
    /// The group of studies that it shows, or that of trainings; none where it shows experiments.
    pub group: Option<String>,
    /// The figure as the report shows it.
    pub figure: PageFigure,
    /// The drawing.
    pub svg: String,
    /// The image.
    pub png: Vec<u8>,
}

/// A figure that is to be drawn.
struct Sketch<'a> {
    paper: &'a Paper,
    group: Option<String>,
    /// The title where the paper is known.
    caption: String,
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
            let (width, height) = drawing.size();
            let figure = PageFigure {
                id: sketch.figure.id.clone(),
                title: sketch.caption.clone(),
                alt: sketch.figure.description.clone(),
                width: width as u32,
                height: height as u32,
            };
            let (paper, group) = (sketch.paper.id.clone(), sketch.group.clone());
            Ok(Picture { paper, group, figure, png: drawing.png()?, svg: drawing.svg })
        })
        .collect()
}

/// Writes figures as SVG and PNG, and returns their files.
///
/// # Errors
/// Where a file cannot be written.
pub fn write(layout: &Layout, pictures: &[Picture]) -> Result<Vec<ConfinedPath>, WriteError> {
    let mut files = Vec::new();
    for picture in pictures {
        for (extension, bytes) in [("svg", picture.svg.as_bytes()), ("png", &picture.png)] {
            let path = layout.figures().join(format!("{}.{extension}", picture.figure.id));
            atomic::write(&path, bytes)?;
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
        let mut sketches = self.standard();
        sketches.extend(self.paper.figures.iter().filter_map(|figure| self.asked_for(figure)));
        sketches.extend(self.trainings());
        sketches.extend(self.studies());
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
        // A figure's file must say by itself which paper it is about, and what of it is not what the paper's manifest asks for.
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
        Sketch { paper: self.paper, group: None, caption, figure, kind: Box::new(kind) }
    }

    /// What the paper publishes of an experiment.
    fn published(self, experiment: &str, metric: Metric) -> Option<f64> {
        self.paper.claims.iter().filter(|claim| !claim.audit).find_map(|claim| match &claim.kind {
            ClaimKind::Numeric {
                metric: of, experiment: about, published: Published::Number(value), ..
            } if *of == metric && about == experiment => Some(*value),
            _ => None,
        })
    }

    /// The experiments that verdicts are about, of those with games.
    fn judged(self, verdicts: &[&Verdict<'_>]) -> Vec<Shown<'a>> {
        let judged: BTreeSet<&str> =
            verdicts.iter().flat_map(|verdict| verdict.claim.experiments()).collect();
        let is_judged = |(experiment, _): &Shown<'a>| judged.contains(experiment.id.as_str());
        self.material.with_games(self.paper).filter(is_judged).collect()
    }
}

/// Whether games have a distribution, and their mean an interval: a single game has neither. Tables have it all the same.
fn can_be_drawn(games: &Games) -> bool {
    games.outcomes.len() > 1
}

/// Names and means, for readers who cannot see the figure.
fn describe<'b>(what: &str, rows: impl Iterator<Item = (&'b String, Option<Variant>, Estimate)>) -> String {
    let texts: Vec<String> = rows
        .map(|(label, variant, mean)| {
            let variant = variant.map(|variant| format!(" ({})", variant.words())).unwrap_or_default();
            format!("{label}{variant} {}", Scale::Points.text(mean.point))
        })
        .collect();
    format!("{what}: {}.", texts.join("; "))
}
