//! Two score distributions over each other, before and after a change: densities above, shares below, one axis.

use stats::Estimate;

use super::axis::{self, Scale};
use super::kinds::steps;
use super::layout::Frame;
use super::legend::{Key, Swatch};
use super::numbers::counted;
use super::sheet::{MARGIN, Plot, Sheet, position, render};
use super::style::{BLUE, Dash, INTERVAL, Look, MUTED, Pen, Shape, Type, VERMILLION, WIDTH, look};
use super::{Draw, Drawing, Figure, FigureError};

/// One of the two distributions.
#[derive(Clone, Debug)]
pub struct OverlaySide {
    /// "before", or a commit.
    pub label: String,
    /// Scores, in any order.
    pub scores: Vec<u64>,
    /// Density of the scores: score and density, by rising score.
    pub density: Vec<(f64, f64)>,
    /// The mean score.
    pub mean: Estimate,
}

/// Two distributions.
#[derive(Clone, Debug)]
pub struct Overlay {
    /// The earlier.
    pub before: OverlaySide,
    /// The later.
    pub after: OverlaySide,
    /// What is measured: "score".
    pub axis: String,
}

impl Draw for Overlay {
    fn draw(&self, figure: &Figure) -> Result<Drawing, FigureError> {
        figure.check(self.sides().map(|(side, _)| (side.label.as_str(), side.numbers())))?;
        render(figure, WIDTH, |sheet, top| self.paint(sheet, top))
    }
}

impl Overlay {
    fn sides(&self) -> [(&OverlaySide, Look); 2] {
        let before = Look { color: VERMILLION, dash: Dash::Long, shape: Shape::Square, ..look(0) };
        let after = Look { color: BLUE, dash: Dash::Solid, shape: Shape::Circle, ..look(0) };
        [(&self.before, before), (&self.after, after)]
    }

    fn paint(&self, sheet: &Sheet, top: f64) -> f64 {
        let mut keys: Vec<_> = self.sides().map(|(side, look)| side.key(look)).into_iter().collect();
        keys.push(Key::new(Swatch::Reach(MUTED), format!("mean, {INTERVAL}")));
        let top = sheet.legend(&keys, top) + 6.0;
        let (shares, end) = (Scale::shares(5), sheet.width - MARGIN);
        let left = MARGIN + axis::room(&shares, true);
        let greatest = self.sides().iter().map(|(side, _)| side.greatest()).fold(1.0, f64::max);
        let scale = Scale::numbers(0.0, greatest, 6);
        let upper = Frame::new(left, top, end, top + 190.0);
        self.paint_densities(sheet, upper, &scale);
        let lower = Frame::new(left, upper.bottom + 40.0, end, upper.bottom + 250.0);
        let plot = sheet.plot(lower, scale.low..scale.high, 0.0..1.0);
        axis::vertical(sheet, &plot, lower, &shares, "share at or below");
        let bottom = axis::horizontal(sheet, &plot, lower, &scale, &self.axis);
        for (side, look) in self.sides() {
            let mut sorted = side.scores.clone();
            sorted.sort_unstable();
            let pen = Pen::new(look.color, 1.8).dashed(look.dash);
            plot.line(steps(&sorted), pen);
        }
        bottom
    }

    fn paint_densities(&self, sheet: &Sheet, frame: Frame, scale: &Scale) {
        let peak = self
            .sides()
            .iter()
            .flat_map(|(side, _)| &side.density)
            .map(|(_, density)| *density)
            .fold(0.0, f64::max);
        let plot = sheet.plot(frame, scale.low..scale.high, 0.0..peak.max(f64::MIN_POSITIVE) * 1.2);
        axis::horizontal(sheet, &plot, frame, scale, "");
        let middle = (frame.top + frame.bottom) / 2.0;
        sheet.text((frame.left - 21.0, middle), "density", Type::LABEL.middle().upwards());
        for (side, look) in self.sides() {
            side.paint_density(&plot, look);
        }
        for (index, (side, look)) in self.sides().into_iter().enumerate() {
            side.paint_mean(sheet, &plot, frame.top + 9.0 + 13.0 * index as f64, look);
        }
    }
}

impl OverlaySide {
    fn numbers(&self) -> Vec<f64> {
        let mean = [self.mean.point, self.mean.low, self.mean.high];
        mean.into_iter().chain(self.density.iter().flat_map(|(score, density)| [*score, *density])).collect()
    }

    fn greatest(&self) -> f64 {
        self.scores.iter().copied().max().unwrap_or(1) as f64
    }

    fn key(&self, look: Look) -> Key {
        let name = format!("{} ({})", self.label, counted(self.scores.len() as u64, "game"));
        Key::new(Swatch::Line(look), name)
    }

    fn paint_density(&self, plot: &Plot<'_>, look: Look) {
        let Some(((first, _), (last, _))) = self.density.first().zip(self.density.last()) else { return };
        let mut points = vec![(*first, 0.0)];
        points.extend(&self.density);
        points.push((*last, 0.0));
        let fill = look.color.mix(0.16);
        plot.patch(points, fill, None);
        let pen = Pen::new(look.color, 1.8).dashed(look.dash);
        plot.line(self.density.clone(), pen);
    }

    fn paint_mean(&self, sheet: &Sheet, plot: &Plot<'_>, y: f64, look: Look) {
        let at = |score: f64| (position(plot, score, 0.0).0, y);
        sheet.whisker(at(self.mean.low), at(self.mean.high), Pen::new(look.color, 1.5));
        sheet.mark(at(self.mean.point), look.shape, 4.0, look.color, false);
    }
}
