//! How trainings got on: the mean score of the games that they learned from, over the games played so far,
//! with what was published beside it; and below, for each training, the share of its games that reached each
//! tile. Games are counted logarithmically: most of what a network learns it learns early.

use super::Paint;
use super::axis::{Axis, Grid};
use super::labels::LabelledPoint;
use super::legend::{self, LegendKey, Swatch};
use super::numbers::thousands;
use super::sheet::{MARGIN, Plot, Sheet};
use super::style::{Dash, Look, PUBLISHED, Type, dash, look};

/// Points of a line, at most.
const STEPS: usize = 140;
/// The name of the axis of games.
const GAMES: &str = "training games (logarithmic)";

/// Some games of a training.
#[derive(Clone, Debug)]
pub struct LearningStep {
    /// The games played by the end of these.
    pub games: u64,
    /// The mean score of these games.
    pub score: f64,
    /// The shares of them that reached the tiles of [`Learning::tiles`].
    pub reached: Vec<f64>,
}

/// A published result of learning.
#[derive(Clone, Debug)]
pub struct LearningPoint {
    /// The games that it was learned from.
    pub games: u64,
    /// The mean score.
    pub score: f64,
    /// Whose it is.
    pub label: String,
}

/// One training.
#[derive(Clone, Debug)]
pub struct LearningCurve {
    /// What it is called among the others.
    pub label: String,
    /// By rising games.
    pub steps: Vec<LearningStep>,
    /// What was published of its like.
    pub published: Vec<LearningPoint>,
}

/// How some trainings got on.
#[derive(Clone, Debug)]
pub struct Learning {
    /// The trainings.
    pub curves: Vec<LearningCurve>,
    /// The tiles that games may reach, the least first.
    pub tiles: Vec<u32>,
}

impl Paint for Learning {
    fn paint(&self, sheet: &Sheet, top: f64) -> Option<f64> {
        self.shown().next()?;
        let bottom = self.paint_scores(sheet, top);
        Some(if self.reached().is_empty() { bottom } else { self.paint_shares(sheet, bottom + 20.0) })
    }
}

/// The look of a training: none is vermillion, which is what was published.
fn curve_look(index: usize) -> Look {
    const PLACES: [usize; 5] = [0, 2, 3, 4, 6];
    Look { dash: dash(index), ..look(PLACES[index % PLACES.len()]) }
}

/// The look of a tile's line, the same in every plot.
fn tile_look(index: usize) -> Look {
    const PLACES: [usize; 5] = [6, 0, 2, 3, 4];
    Look {
        dash: [Dash::Solid, Dash::Long, Dash::Dots, Dash::Solid][index % 4],
        ..look(PLACES[index % PLACES.len()])
    }
}

impl Learning {
    /// The trainings that have games, each with its place among all.
    fn shown(&self) -> impl Iterator<Item = (usize, &LearningCurve)> {
        self.curves.iter().enumerate().filter(|(_, curve)| !curve.steps.is_empty())
    }

    /// The places of the tiles that any game reached.
    fn reached(&self) -> Vec<usize> {
        let steps = || self.shown().flat_map(|(_, curve)| &curve.steps);
        (0..self.tiles.len()).filter(|place| steps().any(|step| step.share(*place) != 0.0)).collect()
    }

    fn points(&self) -> Vec<&LearningPoint> {
        self.shown().flat_map(|(_, curve)| &curve.published).collect()
    }

    /// From the first games that are summed up to the last, and to what was published.
    fn games(&self) -> Axis {
        let steps = || self.shown().flat_map(|(_, curve)| curve.steps.iter().map(|step| step.games));
        let most = steps().chain(self.points().iter().map(|point| point.games)).max().unwrap_or(1).max(1);
        let least = steps().min().unwrap_or(1).clamp(1, most);
        let (low, high) = (libm::log10(least as f64), libm::log10(most as f64));
        // A training of one step has it in the middle.
        let room = if least == most { 0.5 } else { 0.0 };
        let scale = Axis::logarithmic(least as f64, most as f64, thousands);
        scale.between(low - room, high + room.max((high - low) * 0.02))
    }

    fn scores(&self) -> Axis {
        let steps = self.shown().flat_map(|(_, curve)| curve.drawn()).map(|step| step.score);
        let most = steps.chain(self.points().iter().map(|point| point.score)).fold(1.0, f64::max);
        Axis::numbers(0.0, most * 1.06, 6)
    }

    fn paint_scores(&self, sheet: &Sheet, top: f64) -> f64 {
        let curves = self.shown().map(|(index, curve)| Swatch::Line(curve_look(index)).named(&*curve.label));
        let mut keys: Vec<LegendKey> = curves.collect();
        if !self.points().is_empty() {
            keys.push(Swatch::Mark(PUBLISHED).named("published"));
        }
        let top = sheet.legend(&keys, top) + 8.0;
        let axes = [(&self.games(), GAMES), (&self.scores(), "mean score while learning")];
        let (plot, bottom) = sheet.chart(top, sheet.end(), 300.0, axes);
        let mut lines = Vec::new();
        for (index, curve) in self.shown() {
            let steps = curve.drawn();
            lines.push(paint_line(
                &plot,
                steps.iter().map(|step| (step.games, step.score)),
                curve_look(index),
            ));
        }
        let point = |point: &&LearningPoint| LabelledPoint {
            at: (place(point.games), point.score),
            intervals: [None, None],
            mark: PUBLISHED,
            label: format!("{}: {}", point.label, thousands(point.score)),
            kind: Type::SMALL_INK,
        };
        plot.points(&self.points().iter().map(point).collect::<Vec<_>>(), &lines, Vec::new());
        bottom
    }

    /// A plot for each training: how many of its games reached each tile.
    fn paint_shares(&self, sheet: &Sheet, top: f64) -> f64 {
        let tiles = self.reached();
        let key = |place: &usize| Swatch::Line(tile_look(*place)).named(self.tiles[*place].to_string());
        let keys: Vec<LegendKey> = tiles.iter().map(key).collect();
        let name = "games that reached";
        sheet.text((MARGIN, top + 9.5), name, Type::SMALL_INK);
        let beside = MARGIN + Type::SMALL_INK.width(name) + 16.0;
        let top = legend::line(sheet, &keys, beside, top) + 4.0;
        let (games, shares) = (self.games(), Axis::shares(4));
        let curves: Vec<_> = self.shown().map(|(_, curve)| curve).collect();
        let heading = |curve: &&LearningCurve| vec![(Type::SMALL_INK.strong(), curve.label.clone())];
        let headings: Vec<_> = curves.iter().map(heading).collect();
        let grid = Grid { columns: 2, gap: (46.0, 14.0), height: 170.0, left: MARGIN + shares.room() };
        sheet.grid(top, grid, &headings, |index, frame, is_first| {
            let plot = sheet.plot(frame, games.range(), 0.0..1.0);
            plot.vertical(&shares, "share of games", is_first);
            let bottom = plot.horizontal(&games, GAMES);
            let steps = curves[index].drawn();
            for tile in tiles.iter().filter(|tile| steps.iter().any(|step| step.share(**tile) != 0.0)) {
                paint_line(&plot, steps.iter().map(|step| (step.games, step.share(*tile))), tile_look(*tile));
            }
            bottom
        })
    }
}

impl LearningStep {
    /// The share of the games that reached a tile; it has no place if it is not known.
    fn share(&self, tile: usize) -> f64 {
        self.reached.get(tile).copied().unwrap_or(f64::NAN)
    }
}

impl LearningCurve {
    /// The steps that are drawn. Those that lie closer than the eye can tell are one, with the mean of all of
    /// their games: the late ones of a long training, whose ups and downs are chance.
    fn drawn(&self) -> Vec<LearningStep> {
        let Some((first, last)) = self.steps.first().zip(self.steps.last()) else { return Vec::new() };
        let width = (place(last.games) - place(first.games)) / STEPS as f64;
        let mut drawn: Vec<LearningStep> = Vec::new();
        let mut waiting: Vec<(u64, &LearningStep)> = Vec::new();
        let mut before = 0;
        let mut from = place(first.games);
        for step in &self.steps {
            waiting.push((step.games.saturating_sub(before).max(1), step));
            before = step.games;
            if drawn.is_empty() || place(step.games) - from >= width || step.games == last.games {
                drawn.extend(together(&waiting));
                waiting.clear();
                from = place(step.games);
            }
        }
        drawn
    }
}

/// Steps as one, each with the weight of its games.
fn together(steps: &[(u64, &LearningStep)]) -> Option<LearningStep> {
    let (_, last) = steps.last()?;
    let games: u64 = steps.iter().map(|(games, _)| games).sum();
    let mean = |of: &dyn Fn(&LearningStep) -> f64| {
        steps.iter().map(|(games, step)| *games as f64 * of(step)).sum::<f64>() / games as f64
    };
    Some(LearningStep {
        games: last.games,
        score: mean(&|step| step.score),
        reached: (0..last.reached.len()).map(|tile| mean(&|step| step.share(tile))).collect(),
    })
}

fn place(games: u64) -> f64 {
    libm::log10(games.max(1) as f64)
}

/// Draws a line, with marks that tell it from the others in grey; returns where it runs on the sheet.
fn paint_line(plot: &Plot<'_>, points: impl Iterator<Item = (u64, f64)>, look: Look) -> Vec<(f64, f64)> {
    let places: Vec<_> = points.map(|(games, height)| plot.at(place(games), height)).collect();
    plot.sheet.line(&places, look.pen(1.8));
    let marked = [0.25, 0.5, 0.75].map(|part| (places.len() as f64 * part) as usize);
    let marked = if places.len() > 12 { marked.to_vec() } else { vec![places.len() - 1] };
    for at in marked {
        plot.sheet.mark(places[at], look.mark, 4.0);
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(games: &[u64], score: impl Fn(u64) -> f64) -> LearningCurve {
        let step = |games: &u64| LearningStep { games: *games, score: score(*games), reached: vec![0.5] };
        LearningCurve { label: "one".into(), steps: games.iter().map(step).collect(), published: Vec::new() }
    }

    #[test]
    fn steps_that_lie_close_are_one_with_the_mean_of_their_games() {
        let all: Vec<u64> = (1..=1000).map(|row| row * 1000).collect();
        let drawn = curve(&all, |games| if games % 2000 == 0 { 110.0 } else { 90.0 }).drawn();
        assert!(drawn.len() <= STEPS + 1, "{}", drawn.len());
        assert_eq!((drawn[0].games, drawn[0].score), (1000, 90.0));
        let last = drawn.last().unwrap();
        assert_eq!(last.games, 1_000_000);
        assert!((last.score - 100.0).abs() < 2.0, "{}", last.score);
    }

    #[test]
    fn a_step_counts_by_its_games() {
        let steps = curve(&[100, 400], |games| games as f64).steps;
        let one = together(&[(100, &steps[0]), (300, &steps[1])]).unwrap();
        assert_eq!((one.games, one.score), (400, 325.0));
    }
}
