//! Bars with intervals beside published numbers: the mean scores of groups of experiments, and how many times
//! faster one form of a program is than another.

use metrics::{Metric, Quantity};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stats::{Estimate, Sample, Statistic, mean};
use text::{Scale, thousands};

use super::{Content, FigureContext, FigureKeys, Group, JudgedRatio, KeyValue, PlayedExperiment, describe};
use crate::Paint;
use crate::axis::Axis;
use crate::legend::{Swatch, interval};
use crate::rows::RowHead;
use crate::sheet::Sheet;
use crate::style::{AXIS, Dash, INK, PUBLISHED, Pen, Type, look};

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
            Some(Bar {
                label: played.method.split(',').next().unwrap_or_default().to_owned(),
                value: mean(&Sample::new(played.games.scores()).ok()?),
                published: context.published(played.id, Metric::summary(Quantity::SCORE, Statistic::Mean)),
            })
        };
        let (mut shown, mut groups) = (Vec::new(), Vec::new());
        for group in &self.groups {
            let played = context.experiments(&group.experiments);
            let bars: Vec<Bar> = played.iter().filter_map(bar).collect();
            if !bars.is_empty() {
                groups.push((group.name.clone(), bars));
            }
            shown.extend(played);
        }
        let bars = groups.iter().flat_map(|(_, bars)| bars);
        let description = describe("Mean scores", bars.map(|bar| (&*bar.label, None, bar.value)));
        let chart = Bars { groups, axis: "average points", scale: Scale::Points, counted: "games" };
        chart.bars().next()?;
        Some(Content::of(&shown, description, chart))
    }
}

/// Ratios of CPU times, as published and as measured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RatiosKeys {
    /// The numeric claims, from top to bottom; a row has the name of what each divides by.
    pub claims: Vec<String>,
}

impl FigureKeys for RatiosKeys {
    const NAME: &'static str = "ratios";

    fn values(&self) -> Vec<(&'static str, KeyValue<'_>)> {
        vec![("claims", KeyValue::Claims(&self.claims))]
    }

    fn content(&self, context: &dyn FigureContext) -> Option<Content> {
        let judged: Vec<JudgedRatio> = self.claims.iter().filter_map(|id| context.ratio(id)).collect();
        let text =
            |judged: &JudgedRatio| format!("{} {}", judged.label, Scale::Ratio.text(judged.ours.point));
        let texts: Vec<String> = judged.iter().map(text).collect();
        let description = format!("How many times as fast, by CPU time: {}.", texts.join("; "));
        let experiments = judged.iter().flat_map(|judged| judged.experiments.clone()).collect();
        let bar = |judged: JudgedRatio| Bar {
            label: judged.label,
            value: judged.ours,
            published: judged.published,
        };
        let groups = vec![(String::new(), judged.into_iter().map(bar).collect())];
        let chart = Bars { groups, axis: "times as fast", scale: Scale::Ratio, counted: "trials" };
        chart.bars().next()?;
        Some(Content { description, experiments, chart: Box::new(chart) })
    }
}

/// One bar.
#[derive(Clone, Debug)]
pub struct Bar {
    /// The algorithm; bars of one algorithm have one colour in every group.
    pub label: String,
    /// What was measured.
    pub value: Estimate,
    /// What the paper gives.
    pub published: Option<f64>,
}

/// Bars that are compared with each other.
#[derive(Clone, Debug)]
pub struct Bars {
    /// The groups, from top to bottom: what the bars have in common, and the bars. A single group needs no
    /// name.
    pub groups: Vec<(String, Vec<Bar>)>,
    /// What is measured: "average points".
    pub axis: &'static str,
    /// How it is written.
    pub scale: Scale,
    /// What the measurements are: "games".
    pub counted: &'static str,
}

impl Paint for Bars {
    fn paint(&self, sheet: &Sheet, top: f64) -> Option<f64> {
        self.bars().next()?;
        let mut keys = vec![interval()];
        let mut columns = vec![("measured [interval]", Type::SMALL_INK), (self.counted, Type::SMALL)];
        let has_published = self.bars().any(|bar| bar.published.is_some());
        if has_published {
            keys.push(Swatch::Mark(PUBLISHED).named("published"));
            columns.insert(1, ("published", Type::SMALL_INK));
        }
        let top = sheet.legend(&keys, top) + 16.0;
        let mut heads = Vec::new();
        let mut bars = Vec::new();
        for (name, group) in &self.groups {
            if !name.is_empty() {
                heads.push(RowHead { label: name.clone(), ..RowHead::default() });
            }
            for bar in group {
                bars.push((heads.len() as f64 + 0.5, bar));
                heads.push(self.head(bar, has_published));
            }
        }
        let numbers = self.bars().flat_map(|bar| [Some(bar.value.high), bar.published]).flatten();
        let axis = Axis::numbers(0.0, numbers.fold(1.0, f64::max) * 1.03, 4);
        let (plot, bottom) = sheet.rows(top, 30.0, (&columns, &heads), (&axis, self.axis));
        if self.scale == Scale::Ratio {
            plot.line([(1.0, 0.0), (1.0, heads.len() as f64)], Pen::new(AXIS, 1.0).dashed(Dash::Long));
        }
        for (y, bar) in bars {
            let look = look(self.place(&bar.label));
            plot.bar((0.0, y - 0.3), (bar.value.point, y + 0.3), look.mark.color, look.hatch);
            plot.interval((bar.value.low, bar.value.high), y, Pen::new(INK, 1.5));
            plot.published(bar.published, y, 8.0);
        }
        Some(bottom)
    }
}

impl Bars {
    fn bars(&self) -> impl Iterator<Item = &Bar> {
        self.groups.iter().flat_map(|(_, bars)| bars)
    }

    fn head(&self, bar: &Bar, has_published: bool) -> RowHead {
        let Estimate { point, low, high, n, .. } = bar.value;
        let [point, low, high] = [point, low, high].map(|number| self.scale.text(number));
        let published = bar.published.map_or_else(|| "–".to_owned(), |number| self.scale.text(number));
        let published = has_published.then_some(published);
        let texts = [Some(format!("{point} [{low}, {high}]")), published, Some(thousands(n as f64))];
        let texts = texts.into_iter().flatten().map(|text| vec![text]).collect();
        RowHead { label: bar.label.clone(), variant: None, texts }
    }

    /// Algorithms in the order in which they come up: the place gives the look. In a single group it would
    /// tell nothing.
    fn place(&self, label: &str) -> usize {
        let mut labels: Vec<&str> = Vec::new();
        for bar in self.bars().filter(|_| self.groups.len() > 1) {
            if !labels.contains(&bar.label.as_str()) {
                labels.push(&bar.label);
            }
        }
        labels.iter().position(|known| *known == label).unwrap_or(0)
    }
}
