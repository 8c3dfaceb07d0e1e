//! Score distributions: a violin for each agent with its games as points, median, mean with interval, and the
//! published mean where there is one.

use metrics::{Games, Metric, Quantity, Variant};
use stats::{Estimate, Sample, Statistic, density, mean};

use super::{Content, FigureContext, PlayedExperiment, describe, of_experiments};
use crate::axis::{self, Scale};
use crate::legend::{Key, Swatch};
use crate::rows::{Head, Rows};
use crate::sheet::{Plot, Sheet, position, render};
use crate::style::{BLACK, Color, INK, INTERVAL, PAPER, Pen, Shape, VERMILLION, WIDTH, variant_look};
use crate::{Draw, Drawing, Figure, FigureError};

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
    Some((description, Scores { rows, axis: "score".to_owned() }))
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
    /// What is measured: "score".
    pub axis: String,
}

impl Draw for Scores {
    fn draw(&self, figure: &Figure) -> Result<Drawing, FigureError> {
        figure.check(self.rows.iter().map(|row| (row.label.as_str(), row.numbers())))?;
        render(figure, WIDTH, |sheet, top| self.paint(sheet, top))
    }
}

impl Scores {
    fn paint(&self, sheet: &Sheet, top: f64) -> f64 {
        let top = sheet.legend(&self.keys(), top) + 16.0;
        let heads: Vec<_> = self.rows.iter().map(ScoreRow::head).collect();
        let height = (520.0 / self.rows.len() as f64).clamp(40.0, 76.0);
        let rows = Rows::new(sheet, &heads, top, height);
        let greatest = self.rows.iter().map(ScoreRow::greatest).fold(1.0, f64::max);
        let scale = Scale::numbers(0.0, greatest * 1.02, 6);
        let plot = sheet.plot(rows.frame, scale.low..scale.high, self.rows.len() as f64..0.0);
        let bottom = axis::horizontal(sheet, &plot, rows.frame, &scale, &self.axis);
        rows.draw(sheet, &heads);
        for (index, row) in self.rows.iter().enumerate() {
            row.paint(sheet, &plot, index);
        }
        bottom
    }

    /// The forms that are there, in the same order in every figure.
    fn variants(&self) -> Vec<Option<Variant>> {
        let all = [Some(Variant::AsWritten), Some(Variant::AsReleased), None];
        all.into_iter().filter(|variant| self.rows.iter().any(|row| row.variant == *variant)).collect()
    }

    fn keys(&self) -> Vec<Key> {
        let mut keys = vec![
            Key::new(Swatch::Interval(Shape::Circle, BLACK), format!("mean, {INTERVAL}")),
            Key::new(Swatch::Tick, "median"),
        ];
        if self.rows.iter().any(|row| row.published.is_some()) {
            keys.push(Key::new(Swatch::Mark(Shape::Diamond, VERMILLION, true), "published mean"));
        }
        let games =
            if self.rows.iter().any(|row| row.scores.len() > POINTS) { "some of the games" } else { "games" };
        let variants = self.variants();
        keys.extend(variants.iter().map(|&variant| {
            let (color, dash) = variant_look(variant);
            let name = variant.map_or("neither", Variant::words);
            // One form needs no name: it stands at its row.
            let of = if variants.len() > 1 { format!(", {name}") } else { String::new() };
            Key::new(Swatch::Cloud(color, dash), format!("density and {games}{of}"))
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

    fn head(&self) -> Head<'_> {
        Head { label: &self.label, variant: self.variant.map(Variant::words), n: self.scores.len() as u64 }
    }

    fn numbers(&self) -> Vec<f64> {
        let mut numbers = vec![self.median, self.mean.point, self.mean.low, self.mean.high];
        numbers.extend(self.published);
        numbers.extend(self.density.iter().flat_map(|(score, density)| [*score, *density]));
        numbers
    }

    fn greatest(&self) -> f64 {
        let score = self.scores.iter().copied().max().unwrap_or(0) as f64;
        score.max(self.mean.high).max(self.published.unwrap_or(0.0))
    }

    fn paint(&self, sheet: &Sheet, plot: &Plot, index: usize) {
        let middle = index as f64 + 0.5;
        let (color, dash) = variant_look(self.variant);
        self.paint_violin(plot, middle, Pen::new(color, 1.0).dashed(dash), color);
        self.paint_games(plot, middle, color);
        self.paint_summary(sheet, plot, middle);
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

    fn paint_violin(&self, plot: &Plot, middle: f64, outline: Pen, color: Color) {
        let side = |sign: f64| {
            self.density
                .iter()
                .map(move |(score, _)| (score.max(0.0), middle + sign * self.half_height(*score)))
        };
        let points: Vec<_> = side(-1.0).chain(side(1.0).rev()).collect();
        let fill = color.mix(0.22);
        plot.patch(points, fill, Some(outline));
    }

    /// The games as points, moved up or down by their index alone and kept inside of the violin.
    fn paint_games(&self, plot: &Plot, middle: f64, color: Color) {
        const GOLDEN: f64 = 0.618_033_988_749_894_9;
        let step = self.scores.len().div_ceil(POINTS).max(1);
        let shown = self.scores.iter().enumerate().step_by(step).map(|(game, score)| {
            let score = *score as f64;
            let shift = ((game / step) as f64 * GOLDEN).fract() * 2.0 - 1.0;
            (score, middle + shift * 0.85 * self.half_height(score))
        });
        let color = color.mix(0.55);
        plot.dots(shown, color);
    }

    fn paint_summary(&self, sheet: &Sheet, plot: &Plot, middle: f64) {
        let (x, y) = position(plot, self.median, middle);
        let reach = (self.half_height(self.median) / HALF * 17.0).clamp(7.0, 17.0);
        for pen in [Pen::new(PAPER, 4.0), Pen::new(INK, 2.0)] {
            sheet.line(&[(x, y - reach), (x, y + reach)], pen);
        }
        let (low, high) = (position(plot, self.mean.low, middle), position(plot, self.mean.high, middle));
        sheet.line(&[low, high], Pen::new(PAPER, 4.0));
        sheet.whisker(low, high, Pen::new(BLACK, 1.6));
        sheet.mark(position(plot, self.mean.point, middle), Shape::Circle, 3.4, BLACK, false);
        if let Some(published) = self.published {
            // Below the mean, which it often meets.
            let (x, y) = position(plot, published, middle);
            sheet.mark((x, y + 11.0), Shape::Diamond, 4.5, VERMILLION, true);
        }
    }
}
