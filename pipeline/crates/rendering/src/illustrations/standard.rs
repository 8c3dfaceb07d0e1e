//! The figures that every paper gets: the distributions of its scores and tiles, and the numbers that it publishes.

use super::{Shown, Sketch, Studio, can_be_drawn, describe};
use figures::{ClaimRow, Claims, Ecdf, EcdfSeries, Reach, ReachSeries, ScoreRow, Scores, TileRow, Tiles};
use manifest::{ClaimKind, Event, Experiment, Given, Metric, Quantity, Set, Statistic};
use stats::{Estimate, Rate, Sample, density, mean, rate};
use verdict::evidence::Games;
use verdict::format::{Scale, metric_name, variant_name};
use verdict::{Grounds, Verdict};

/// The most rows that a figure can show.
const MOST_ROWS: usize = 15;
/// The most claims in a figure.
const MOST_CLAIMS: usize = 48;
/// The points of a density curve.
const DENSITY_POINTS: usize = 160;
/// The tiles of the reach curves.
const TILES: std::ops::RangeInclusive<u32> = 5..=15;

impl<'a> Studio<'a> {
    /// The figures that the paper gets whether or not its manifest asks for any.
    pub(super) fn standard(self) -> Vec<Sketch<'a>> {
        let shown: Vec<Shown<'a>> = self
            .material
            .played(self.paper)
            .filter(|(experiment, games)| experiment.set == Set::Default && can_be_drawn(games))
            .collect();
        let pages = shown.chunks(MOST_ROWS).count();
        let mut sketches = Vec::new();
        for (page, rows) in shown.chunks(MOST_ROWS).enumerate() {
            let place = PageOfFigure { page, pages };
            sketches.push(self.scores(rows, place.id("scores"), place.title("Distribution of scores")));
            sketches.push(self.ecdf(rows, place));
            sketches.push(self.max_tiles(rows, place));
            sketches.push(self.reach(rows, place));
        }
        if self.material.with_games(self.paper).next().is_some() {
            sketches.extend(self.claims());
        }
        sketches
    }

    /// The distributions of the scores of experiments.
    pub(super) fn scores(self, shown: &[Shown<'a>], id: String, title: String) -> Sketch<'a> {
        let row = |(experiment, games): &Shown<'a>| {
            let sample = Sample::new(games.scores()).ok()?;
            Some(ScoreRow {
                label: experiment.method().to_owned(),
                variant: experiment.variant,
                scores: games.outcomes.iter().map(|outcome| u64::from(outcome.score)).collect(),
                density: density(&sample, DENSITY_POINTS),
                median: sample.quantile(0.5),
                mean: mean(&sample),
                published: self.published(&experiment.id, Metric::summary(Quantity::Score, Statistic::Mean)),
            })
        };
        let rows: Vec<ScoreRow> = shown.iter().filter_map(row).collect();
        let description = describe("Scores", rows.iter().map(|row| (&row.label, row.variant, row.mean)));
        self.sketch(&id, title, description, shown, Scores { rows, axis: "score".to_owned() })
    }

    fn ecdf(self, shown: &[Shown<'a>], place: PageOfFigure) -> Sketch<'a> {
        let series = |(experiment, games): &Shown<'a>| EcdfSeries {
            label: full_label(experiment),
            scores: games.outcomes.iter().map(|outcome| u64::from(outcome.score)).collect(),
        };
        let series: Vec<EcdfSeries> = shown.iter().map(series).collect();
        let description = format!("The share of games up to each score, for {} experiments.", series.len());
        let title = place.title("Share of games up to a score");
        self.sketch(&place.id("ecdf"), title, description, shown, Ecdf { series, axis: "score".to_owned() })
    }

    fn max_tiles(self, shown: &[Shown<'a>], place: PageOfFigure) -> Sketch<'a> {
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

    fn reach(self, shown: &[Shown<'a>], place: PageOfFigure) -> Sketch<'a> {
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

    /// The numeric claims, as many figures as they fill.
    fn claims(self) -> Vec<Sketch<'a>> {
        let mut tested: Vec<(&Verdict<'_>, ClaimRow)> = self
            .material
            .of_paper(self.paper)
            .filter(|verdict| !verdict.claim.audit)
            .filter_map(|verdict| Some((verdict, claim_row(verdict)?)))
            .collect();
        tell_apart(&mut tested);
        let pages = tested.chunks(MOST_CLAIMS).count();
        let page = |(page, rows): (usize, &[(&Verdict<'_>, ClaimRow)])| {
            let place = PageOfFigure { page, pages };
            let verdicts: Vec<&Verdict<'_>> = rows.iter().map(|(verdict, _)| *verdict).collect();
            let description =
                format!("{} published numbers, each against what our games predict for it.", rows.len());
            let rows = rows.iter().map(|(_, row)| row.clone()).collect();
            self.sketch(
                &place.id("claims"),
                place.title("Published numbers against ours"),
                description,
                &self.judged(&verdicts),
                Claims { rows },
            )
        };
        tested.chunks(MOST_CLAIMS).enumerate().map(page).collect()
    }
}

/// One of the pages that a figure takes.
#[derive(Clone, Copy)]
struct PageOfFigure {
    page: usize,
    pages: usize,
}

impl PageOfFigure {
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
    experiment.variant.map(|variant| variant_name(variant).to_owned())
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

/// Says of a claim whose label another has already whose number it is, or else what it is called.
fn tell_apart(rows: &mut [(&Verdict<'_>, ClaimRow)]) {
    let labels: Vec<String> = rows.iter().map(|(_, row)| row.label.clone()).collect();
    for (index, (verdict, row)) in rows.iter_mut().enumerate() {
        if labels[..index].contains(&row.label) {
            row.label = match printed_for(verdict) {
                Some(method) => format!("{}, printed for {method}", row.label),
                None => format!("{} ({})", row.label, verdict.claim.id),
            };
        }
    }
}

/// The method whose number a claim holds against that of another, where it is such a reading.
fn printed_for<'v>(verdict: &Verdict<'v>) -> Option<&'v str> {
    let first = verdict.claim.reading_of.as_ref()?;
    let first = verdict.paper.claims.iter().find(|claim| claim.id == *first)?;
    let (ClaimKind::Numeric { experiment: own, .. }, ClaimKind::Numeric { experiment, .. }) =
        (&verdict.claim.kind, &first.kind)
    else {
        return None;
    };
    // The paper prints one number for all budgets, which stand behind a comma.
    let method = |id: &str| verdict.paper.experiment(id)?.method().split(',').next();
    method(experiment).filter(|printed| Some(*printed) != method(own))
}

/// A numeric claim, as a row of its figure.
fn claim_row(verdict: &Verdict<'_>) -> Option<ClaimRow> {
    let ClaimKind::Numeric { metric, experiment, published, n, .. } = &verdict.claim.kind else {
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
        ruling: verdict.ruling,
    })
}
