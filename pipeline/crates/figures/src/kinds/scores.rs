//! Score distributions: a violin for each agent with its games as points, median, mean with interval, and the
//! published mean where there is one.

use metrics::{Games, Metric, Quantity, Variant};
use stats::{Estimate, Sample, Statistic, density, mean};

use super::{Content, FigureContext, PlayedExperiment, describe, of_experiments};
use crate::Paint;
use crate::axis::Axis;
use crate::legend::{LegendKey, Swatch};
use crate::rows::{GAMES, RowHead};
use crate::scene::Specks;
use crate::sheet::{Plot, Sheet};
use crate::style::{BLACK, INK, INTERVAL, Mark, PAPER, PUBLISHED, Pen, Shape, variant_look};

/// Games shown as points, at most, in one row.
const POINTS: usize = 120;

/// Half of a violin's height, as a part of its row.
const HALF: f64 = 0.43;

/// The points of a density curve.
const DENSITY: usize = 84;

of_experiments! {
    /// The distributions of the scores.
    ScoresKeys, "scores", content
}

fn content(shown: &[PlayedExperiment<'_>], context: &dyn FigureContext) -> Option<(String, Scores)> {
    let row = |played: &PlayedExperiment<'_>| {
        let published = context.published(played.id, Metric::summary(Quantity::SCORE, Statistic::Mean));
        Some(ScoreRow { variant: played.variant, published, ..ScoreRow::of(played.method, played.games)? })
    };
    let rows: Vec<ScoreRow> = shown.iter().filter_map(row).collect();
    let description = describe("Scores", rows.iter().map(|row| (&*row.label, row.variant, row.mean)));
    Some((description, Scores { rows }))
}

/// One violin.
#[derive(Clone, Debug)]
pub struct ScoreRow {
    /// The agent's or the experiment's name.
    pub label: String,
    /// Which form of the paper's method it is; each has its colour.
    pub variant: Option<Variant>,
    /// Scores in the order of the games.
    pub scores: Vec<u64>,
    /// Density of the scores: score and density, by rising score.
    pub density: Vec<(f64, f64)>,
    /// The median score.
    pub median: f64,
    /// The mean score.
    pub mean: Estimate,
    /// The mean score that the paper gives.
    pub published: Option<f64>,
}

/// Score distributions of 1 to 15 agents.
#[derive(Clone, Debug)]
pub struct Scores {
    /// The violins, from top to bottom.
    pub rows: Vec<ScoreRow>,
}

/// The mean.
const MEAN: Mark = Mark::new(Shape::Circle, BLACK);

impl Paint for Scores {
    fn paint(&self, sheet: &Sheet, top: f64) -> Option<f64> {
        self.rows.first()?;
        let top = sheet.legend(&self.keys(), top) + 16.0;
        let heads: Vec<_> = self.rows.iter().map(ScoreRow::head).collect();
        let height = (520.0 / self.rows.len() as f64).clamp(40.0, 76.0);
        let greatest = self.rows.iter().map(ScoreRow::greatest).fold(1.0, f64::max);
        let axis = Axis::numbers(0.0, greatest * 1.02, 6);
        let (plot, bottom) = sheet.rows(top, height, (&[GAMES], &heads), (&axis, "score"));
        for (index, row) in self.rows.iter().enumerate() {
            row.paint(&plot, index as f64 + 0.5);
        }
        Some(bottom)
    }
}

impl Scores {
    /// The forms that are there, in the same order in every figure.
    fn variants(&self) -> Vec<Option<Variant>> {
        let all = [Some(Variant::AsWritten), Some(Variant::AsReleased), None];
        all.into_iter().filter(|variant| self.rows.iter().any(|row| row.variant == *variant)).collect()
    }

    fn keys(&self) -> Vec<LegendKey> {
        let mut keys =
            vec![Swatch::Interval(MEAN).named(format!("mean, {INTERVAL}")), Swatch::Tick.named("median")];
        if self.rows.iter().any(|row| row.published.is_some()) {
            keys.push(Swatch::Mark(PUBLISHED).named("published mean"));
        }
        let games =
            if self.rows.iter().any(|row| row.scores.len() > POINTS) { "some of the games" } else { "games" };
        let variants = self.variants();
        keys.extend(variants.iter().map(|&variant| {
            let (color, dash) = variant_look(variant);
            let name = variant.map_or("neither", Variant::words);
            // One form needs no name: it stands at its row.
            let of = if variants.len() > 1 { format!(", {name}") } else { String::new() };
            Swatch::Cloud(color, dash).named(format!("density and {games}{of}"))
        }));
        keys
    }
}

impl ScoreRow {
    /// The scores of some games; none if there are no games.
    pub fn of(label: &str, games: &Games) -> Option<Self> {
        let sample = Sample::new(games.scores()).ok()?;
        Some(Self {
            label: label.to_owned(),
            variant: None,
            scores: games.outcomes.iter().map(|outcome| u64::from(outcome.score)).collect(),
            density: density(&sample, DENSITY),
            median: sample.quantile(0.5),
            mean: mean(&sample),
            published: None,
        })
    }

    fn head(&self) -> RowHead {
        RowHead::of_games(&self.label, self.variant.map(Variant::words), self.scores.len() as u64)
    }

    fn greatest(&self) -> f64 {
        let score = self.scores.iter().copied().max().unwrap_or(0) as f64;
        score.max(self.mean.high).max(self.published.unwrap_or(0.0))
    }

    /// Half of the violin's height at a score, between the points of the density.
    fn half_height(&self, score: f64) -> f64 {
        let peak = self.density.iter().map(|(_, density)| *density).fold(0.0, f64::max);
        if peak <= 0.0 {
            return HALF * 0.5;
        }
        let next = self.density.partition_point(|(at, _)| *at < score);
        let density =
            match (next.checked_sub(1).and_then(|last| self.density.get(last)), self.density.get(next)) {
                (Some((x1, y1)), Some((x2, y2))) if x2 > x1 => y1 + (y2 - y1) * (score - x1) / (x2 - x1),
                (_, Some((_, density))) | (Some((_, density)), None) => *density,
                (None, None) => 0.0,
            };
        HALF * density / peak
    }

    /// The violin, the games as points, moved up or down by their index alone and kept inside, and the
    /// summary before them.
    fn paint(&self, plot: &Plot<'_>, middle: f64) {
        const GOLDEN: f64 = 0.618_033_988_749_894_9;
        let (color, dash) = variant_look(self.variant);
        let side = |sign: f64| {
            let points = self.density.iter();
            points.map(move |(score, _)| (score.max(0.0), middle + sign * self.half_height(*score)))
        };
        let outline = Pen::new(color, 1.0).dashed(dash);
        plot.patch(side(-1.0).chain(side(1.0).rev()), color.mix(0.22), Some(outline));
        let step = self.scores.len().div_ceil(POINTS).max(1);
        let games = self.scores.iter().enumerate().step_by(step).map(|(game, score)| {
            let score = *score as f64;
            let shift = ((game / step) as f64 * GOLDEN).fract() * 2.0 - 1.0;
            (score, middle + shift * 0.85 * self.half_height(score))
        });
        plot.specks(games, Specks::dots(color.mix(0.55)));
        let (x, y) = plot.at(self.median, middle);
        let reach = (self.half_height(self.median) / HALF * 17.0).clamp(7.0, 17.0);
        for pen in [Pen::new(PAPER, 4.0), Pen::new(INK, 2.0)] {
            plot.sheet.line(&[(x, y - reach), (x, y + reach)], pen);
        }
        plot.interval((self.mean.low, self.mean.high), middle, Pen::new(BLACK, 1.6));
        plot.mark((self.mean.point, middle), MEAN, 3.4);
        plot.published(self.published, middle, 11.0);
    }
}
