//! Average points of several algorithms, in groups: a bar with its interval for each, the numbers at the
//! right.

use metrics::{Metric, Quantity};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stats::{Estimate, Sample, Statistic, mean};

use super::{Content, FigureContext, FigureKeys, Group, KeyValue, PlayedExperiment, describe};
use crate::axis::{self, Scale};
use crate::layout::{Frame, fit};
use crate::legend::{Key, Swatch};
use crate::numbers::thousands;
use crate::sheet::{MARGIN, Plot, Sheet, position, render};
use crate::style::{INK, INTERVAL, PAPER, Pen, Shape, Type, VERMILLION, WIDTH, look};
use crate::{Draw, Drawing, Figure, FigureError};

const ROW: f64 = 27.0;
const HEADING: f64 = 30.0;

/// The mean scores of groups of experiments, side by side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AveragesKeys {
    /// Groups of experiments.
    pub groups: Vec<Group>,
}

impl FigureKeys for AveragesKeys {
    const NAME: &'static str = "averages";

    fn values(&self) -> Vec<(&'static str, KeyValue<'_>)> {
        vec![("groups", KeyValue::Groups(&self.groups))]
    }

    fn content(&self, context: &dyn FigureContext) -> Option<Content> {
        let bar = |played: &PlayedExperiment<'_>| {
            Some(Average {
                label: played.method.split(',').next().unwrap_or_default().to_owned(),
                mean: mean(&Sample::new(played.games.scores()).ok()?),
                published: context.published(played.id, Metric::summary(Quantity::SCORE, Statistic::Mean)),
            })
        };
        let mut shown = Vec::new();
        let mut groups = Vec::new();
        for group in &self.groups {
            let played = context.experiments(&group.experiments);
            let bars: Vec<Average> = played.iter().filter_map(bar).collect();
            if !bars.is_empty() {
                groups.push(AverageGroup { label: group.name.clone(), bars });
            }
            shown.extend(played);
        }
        let bars = groups.iter().flat_map(|group| &group.bars);
        let description = describe("Mean scores", bars.map(|bar| (&*bar.label, None, bar.mean)));
        let chart = Averages { groups, axis: "average points".to_owned() };
        (!chart.groups.is_empty()).then(|| Content::of(&shown, description, chart))
    }
}

/// One bar.
#[derive(Clone, Debug)]
pub struct Average {
    /// The algorithm; bars of one algorithm have one colour in every group.
    pub label: String,
    /// Its average.
    pub mean: Estimate,
    /// The average that the paper gives.
    pub published: Option<f64>,
}

/// Bars that are compared with each other.
#[derive(Clone, Debug)]
pub struct AverageGroup {
    /// What they have in common: "initial heuristics".
    pub label: String,
    /// The bars, from top to bottom.
    pub bars: Vec<Average>,
}

/// Averages in groups.
#[derive(Clone, Debug)]
pub struct Averages {
    /// The groups, from top to bottom.
    pub groups: Vec<AverageGroup>,
    /// What is measured: "average points".
    pub axis: String,
}

impl Draw for Averages {
    fn draw(&self, figure: &Figure) -> Result<Drawing, FigureError> {
        figure.check(self.bars().map(|bar| (bar.label.as_str(), bar.numbers())))?;
        render(figure, WIDTH, |sheet, top| self.paint(sheet, top))
    }
}

/// The text columns at the right of the bars.
struct Columns {
    interval: f64,
    games: f64,
}

impl Averages {
    fn bars(&self) -> impl Iterator<Item = &Average> {
        self.groups.iter().flat_map(|group| &group.bars)
    }

    /// Algorithms in the order in which they come up: the place gives the look.
    fn place(&self, label: &str) -> usize {
        let mut labels: Vec<&str> = Vec::new();
        for bar in self.bars() {
            if !labels.contains(&bar.label.as_str()) {
                labels.push(&bar.label);
            }
        }
        labels.iter().position(|known| *known == label).unwrap_or(0)
    }

    fn paint(&self, sheet: &Sheet, top: f64) -> f64 {
        let mut keys = vec![Key::new(Swatch::Reach(INK), INTERVAL)];
        if self.bars().any(|bar| bar.published.is_some()) {
            keys.push(Key::new(Swatch::Mark(Shape::Diamond, VERMILLION, true), "published"));
        }
        let top = sheet.legend(&keys, top) + 14.0;
        let columns = self.columns(sheet);
        let names = self.bars().map(|bar| Type::LABEL.width(&bar.label)).fold(0.0, f64::max);
        let left = MARGIN + names.min(sheet.width * 0.35) + 12.0;
        let height: f64 = self.groups.iter().map(|group| HEADING + ROW * group.bars.len() as f64).sum();
        let widest = self.bars().map(|bar| Type::SMALL.width(&bar.interval())).fold(0.0, f64::max);
        let frame = Frame::new(left, top, columns.interval - widest - 16.0, top + height);
        let greatest = self.bars().flat_map(Average::numbers).fold(0.0, f64::max);
        let scale = Scale::numbers(0.0, greatest.max(1.0) * 1.03, 4);
        let plot = sheet.plot(frame, scale.low..scale.high, frame.bottom..frame.top);
        let bottom = axis::horizontal(sheet, &plot, frame, &scale, &self.axis);
        self.paint_groups(sheet, &plot, frame, &columns);
        bottom
    }

    fn columns(&self, sheet: &Sheet) -> Columns {
        let games =
            self.bars().map(|bar| Type::SMALL.width(&thousands(bar.mean.n as f64))).fold(0.0, f64::max);
        let end = sheet.width - MARGIN;
        Columns { interval: end - games.max(Type::SMALL.width("games")) - 14.0, games: end }
    }

    fn paint_groups(&self, sheet: &Sheet, plot: &Plot, frame: Frame, columns: &Columns) {
        sheet.text((columns.interval, frame.top - 2.0), "mean [interval]", Type::SMALL.end().above());
        sheet.text((columns.games, frame.top - 2.0), "games", Type::SMALL.end().above());
        let mut y = frame.top;
        for group in &self.groups {
            // Headings may run into the plot: they stand on paper, not on its grid.
            let end = MARGIN + Type::HEADING.width(&group.label) + 4.0;
            sheet.band(Frame::new(MARGIN, y + 4.0, end, y + HEADING - 4.0), PAPER);
            sheet.text((MARGIN, y + HEADING / 2.0), &group.label, Type::HEADING);
            y += HEADING;
            for bar in &group.bars {
                bar.paint(sheet, plot, y + ROW / 2.0, self.place(&bar.label));
                bar.paint_text(sheet, frame, y + ROW / 2.0, columns);
                y += ROW;
            }
        }
    }
}

impl Average {
    fn numbers(&self) -> Vec<f64> {
        let mut numbers = vec![self.mean.point, self.mean.low, self.mean.high];
        numbers.extend(self.published);
        numbers
    }

    fn interval(&self) -> String {
        let Estimate { point, low, high, .. } = self.mean;
        format!("{} [{}, {}]", thousands(point), thousands(low), thousands(high))
    }

    fn paint(&self, sheet: &Sheet, plot: &Plot, y: f64, place: usize) {
        let look = look(place);
        plot.bar((0.0, y - 9.0), (self.mean.point, y + 9.0), look.color, look.hatch);
        let (low, high) = (position(plot, self.mean.low, y), position(plot, self.mean.high, y));
        sheet.line(&[low, high], Pen::new(PAPER, 4.0));
        sheet.whisker(low, high, Pen::new(INK, 1.5));
        if let Some(published) = self.published {
            // Below the middle, so that it does not hide the interval.
            let (x, y) = position(plot, published, y);
            sheet.mark((x, y + 7.0), Shape::Diamond, 4.5, VERMILLION, true);
        }
    }

    fn paint_text(&self, sheet: &Sheet, frame: Frame, y: f64, columns: &Columns) {
        let room = frame.left - 12.0 - MARGIN;
        sheet.text((frame.left - 12.0, y), &fit(&self.label, &Type::LABEL, room), Type::LABEL.end());
        sheet.text((columns.interval, y), &self.interval(), Type::SMALL_INK.end());
        sheet.text((columns.games, y), &thousands(self.mean.n as f64), Type::SMALL.end());
    }
}
