//! How trainings got on: the mean score of the games that they learned from, over the games played so far,
//! with what was published beside it; and below, for each training, the share of its games that reached each
//! tile. Games are counted logarithmically: most of what a network learns it learns early.

use super::axis::{self, Scale};
use super::layout::{Frame, pieces, wrap};
use super::legend::{self, Key, Swatch};
use super::numbers::thousands;
use super::placer::{LEAD, Placer, Wish, distance, nearest};
use super::sheet::{MARGIN, Plot, Sheet, position, render};
use super::style::{Color, Dash, Look, MUTED, PAPER, Pen, Shape, Type, VERMILLION, WIDTH, dash, look};
use super::{Draw, Drawing, Figure, FigureError};

/// Small plots side by side.
const COLUMNS: usize = 2;
/// Between them.
const GAP: f64 = 46.0;
/// Points of a line, at most.
const STEPS: usize = 140;
/// What is published is drawn so, in every figure.
const PUBLISHED: (Shape, Color) = (Shape::Diamond, VERMILLION);

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

impl Draw for Learning {
    fn draw(&self, figure: &Figure) -> Result<Drawing, FigureError> {
        figure
            .check(self.shown().map(|(_, curve)| (curve.label.as_str(), curve.numbers(self.tiles.len()))))?;
        figure.check_tiles(self.tiles.iter().copied())?;
        render(figure, WIDTH, |sheet, top| {
            let bottom = self.paint_scores(sheet, top);
            if self.reached().is_empty() { bottom } else { self.paint_shares(sheet, bottom + 20.0) }
        })
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
        let is_reached = |place: &usize| {
            self.shown().flat_map(|(_, curve)| &curve.steps).any(|step| step.reached[*place] > 0.0)
        };
        (0..self.tiles.len()).filter(is_reached).collect()
    }

    fn points(&self) -> Vec<&LearningPoint> {
        self.shown().flat_map(|(_, curve)| &curve.published).collect()
    }

    /// From the first games that are summed up to the last, and to what was published.
    fn games(&self) -> Scale {
        let steps = || self.shown().flat_map(|(_, curve)| curve.steps.iter().map(|step| step.games));
        let most = steps().chain(self.points().iter().map(|point| point.games)).max().unwrap_or(1).max(1);
        let least = steps().min().unwrap_or(1).clamp(1, most);
        let (low, high) = (libm::log10(least as f64), libm::log10(most as f64));
        // A training of one step has it in the middle.
        let room = if least == most { 0.5 } else { 0.0 };
        let scale = Scale::logarithmic(least as f64, most as f64, thousands);
        scale.between(low - room, high + room.max((high - low) * 0.02))
    }

    fn scores(&self) -> Scale {
        let steps = self.shown().flat_map(|(_, curve)| curve.drawn()).map(|step| step.score);
        let most = steps.chain(self.points().iter().map(|point| point.score)).fold(1.0, f64::max);
        Scale::numbers(0.0, most * 1.06, 6)
    }

    fn keys(&self) -> Vec<Key> {
        let curves =
            self.shown().map(|(index, curve)| Key::new(Swatch::Line(curve_look(index)), &*curve.label));
        let mut keys: Vec<Key> = curves.collect();
        if !self.points().is_empty() {
            keys.push(Key::new(Swatch::Mark(PUBLISHED.0, PUBLISHED.1, true), "published"));
        }
        keys
    }

    fn paint_scores(&self, sheet: &Sheet, top: f64) -> f64 {
        let top = sheet.legend(&self.keys(), top) + 8.0;
        let (games, scores) = (self.games(), self.scores());
        let frame = Frame::new(MARGIN + axis::room(&scores, true), top, sheet.width - MARGIN, top + 300.0);
        let plot = sheet.plot(frame, games.low..games.high, scores.low..scores.high);
        axis::vertical(sheet, &plot, frame, &scores, "mean score while learning");
        let bottom = axis::horizontal(sheet, &plot, frame, &games, "training games (logarithmic)");
        let mut lines = Vec::new();
        for (index, curve) in self.shown() {
            let places: Vec<_> =
                curve.drawn().iter().map(|step| place(&plot, step.games, step.score)).collect();
            paint_line(sheet, &places, curve_look(index));
            lines.extend(pieces(&places));
        }
        self.paint_points(sheet, &plot, frame, lines);
        bottom
    }

    /// What was published, each with its label where no line runs.
    fn paint_points(&self, sheet: &Sheet, plot: &Plot, frame: Frame, lines: Vec<Frame>) {
        let points = self.points();
        let at = |point: &LearningPoint| place(plot, point.games, point.score);
        let text = |point: &LearningPoint| format!("{}: {}", point.label, thousands(point.score));
        let wish = |point: &&LearningPoint| Wish {
            at: at(point),
            size: (Type::SMALL_INK.width(&text(point)) + 2.0, Type::SMALL_INK.line()),
        };
        let taken = points.iter().map(|point| (Frame::around(at(point), 6.0), 20.0)).collect();
        let labels =
            Placer { within: frame, taken, lines }.place(&points.iter().map(wish).collect::<Vec<_>>());
        for (point, label) in points.iter().zip(&labels) {
            if distance(at(point), label) > LEAD {
                sheet.line(&[at(point), nearest(at(point), label)], Pen::new(MUTED, 0.8));
            }
        }
        for (point, label) in points.iter().zip(&labels) {
            sheet.mark(at(point), PUBLISHED.0, 5.0, PUBLISHED.1, true);
            sheet.band(*label, PAPER.mix(0.75));
            let middle = (label.left + 1.0, (label.top + label.bottom) / 2.0);
            sheet.text(middle, &text(point), Type::SMALL_INK);
        }
    }

    /// A plot for each training: how many of its games reached each tile.
    fn paint_shares(&self, sheet: &Sheet, top: f64) -> f64 {
        let tiles = self.reached();
        let key = |place: &usize| Key::new(Swatch::Line(tile_look(*place)), self.tiles[*place].to_string());
        let keys: Vec<Key> = tiles.iter().map(key).collect();
        let name = "games that reached";
        sheet.text((MARGIN, top + 9.5), name, Type::SMALL_INK);
        let beside = MARGIN + Type::SMALL_INK.width(name) + 16.0;
        let mut top = legend::line(sheet, &keys, beside, sheet.width - MARGIN, top) + 4.0;
        let (games, shares) = (self.games(), Scale::shares(4));
        let curves: Vec<_> = self.shown().collect();
        let columns = curves.len().min(COLUMNS);
        let left = MARGIN + axis::room(&shares, true);
        let width = (sheet.width - MARGIN - left + GAP) / columns as f64;
        for row in curves.chunks(columns) {
            let head = row.iter().map(|(_, curve)| curve.heading(width - GAP).len()).max().unwrap_or(0);
            let head = Type::SMALL_INK.line() * head as f64 + 8.0;
            let mut bottom = top;
            for (column, (_, curve)) in row.iter().enumerate() {
                let x = left + width * column as f64;
                let frame = Frame::new(x, top + head, x + width - GAP, top + head + 170.0);
                curve.paint_heading(sheet, frame);
                let plot = sheet.plot(frame, games.low..games.high, 0.0..1.0);
                if column == 0 {
                    axis::vertical(sheet, &plot, frame, &shares, "share of games");
                } else {
                    axis::rules(sheet, &plot, frame, &shares);
                }
                bottom =
                    axis::horizontal(sheet, &plot, frame, &games, "training games (logarithmic)").max(bottom);
                for place in &tiles {
                    curve.paint_share(sheet, &plot, *place);
                }
            }
            top = bottom + 14.0;
        }
        top - 14.0
    }
}

impl LearningCurve {
    fn numbers(&self, tiles: usize) -> Vec<f64> {
        let lacking = self.steps.iter().filter(|step| step.reached.len() != tiles).map(|_| f64::NAN);
        let steps = self.steps.iter().flat_map(|step| step.reached.iter().copied().chain([step.score]));
        steps.chain(self.published.iter().map(|point| point.score)).chain(lacking).collect()
    }

    fn heading(&self, width: f64) -> Vec<String> {
        wrap(&self.label, &Type::SMALL_INK.strong(), width)
    }

    fn paint_heading(&self, sheet: &Sheet, frame: Frame) {
        let kind = Type::SMALL_INK.strong().above();
        for (above, line) in self.heading(frame.right - frame.left).iter().rev().enumerate() {
            sheet.text((frame.left, frame.top - 5.0 - kind.line() * above as f64), line, kind);
        }
    }

    fn paint_share(&self, sheet: &Sheet, plot: &Plot, tile: usize) {
        let steps = self.drawn();
        if steps.iter().all(|step| step.reached[tile] == 0.0) {
            return;
        }
        let places: Vec<_> = steps.iter().map(|step| place(plot, step.games, step.reached[tile])).collect();
        paint_line(sheet, &places, tile_look(tile));
    }

    /// The steps that are drawn. Those that lie closer than the eye can tell are one, with the mean of all of
    /// their games: the late ones of a long training, whose ups and downs are chance.
    fn drawn(&self) -> Vec<LearningStep> {
        let Some((first, last)) = self.steps.first().zip(self.steps.last()) else { return Vec::new() };
        let at = |games: u64| libm::log10(games.max(1) as f64);
        let width = (at(last.games) - at(first.games)) / STEPS as f64;
        let mut drawn: Vec<LearningStep> = Vec::new();
        let mut waiting: Vec<(u64, &LearningStep)> = Vec::new();
        let mut before = 0;
        let mut from = at(first.games);
        for step in &self.steps {
            waiting.push((step.games.saturating_sub(before).max(1), step));
            before = step.games;
            if drawn.is_empty() || at(step.games) - from >= width || step.games == last.games {
                drawn.extend(together(&waiting));
                waiting.clear();
                from = at(step.games);
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
        reached: (0..last.reached.len()).map(|tile| mean(&|step| step.reached[tile])).collect(),
    })
}

fn place(plot: &Plot, games: u64, height: f64) -> (f64, f64) {
    position(plot, libm::log10(games.max(1) as f64), height)
}

/// A line, with marks that tell it from the others in grey.
fn paint_line(sheet: &Sheet, places: &[(f64, f64)], look: Look) {
    sheet.line(places, Pen::new(look.color, 1.8).dashed(look.dash));
    let marked = [0.25, 0.5, 0.75].map(|part| (places.len() as f64 * part) as usize);
    let marked = if places.len() > 12 { marked.to_vec() } else { vec![places.len() - 1] };
    for at in marked {
        sheet.mark(places[at], look.shape, 4.0, look.color, false);
    }
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
