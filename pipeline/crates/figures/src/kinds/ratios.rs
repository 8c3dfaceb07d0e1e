//! Speed ratios: how many times faster one form of a program is than another, with the published ratios.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stats::Estimate;

use super::{Content, FigureContext, FigureKeys, JudgedRatio, KeyValue};
use crate::axis::{self, Scale};
use crate::layout::Frame;
use crate::legend::{Key, Swatch};
use crate::numbers::{decimal, thousands};
use crate::sheet::{MARGIN, Plot, Sheet, position, render};
use crate::style::{AXIS, BLUE, Dash, Hatch, INK, INTERVAL, PAPER, Pen, Shape, Type, VERMILLION, WIDTH};
use crate::{Draw, Drawing, Figure, FigureError};

const ROW: f64 = 44.0;

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
            |judged: &JudgedRatio| format!("{} {}", judged.label, text::Scale::Ratio.text(judged.ours.point));
        let texts: Vec<String> = judged.iter().map(text).collect();
        let description = format!("How many times as fast, by CPU time: {}.", texts.join("; "));
        let experiments = judged.iter().flat_map(|judged| judged.experiments.clone()).collect();
        let row = |judged: JudgedRatio| SpeedRow {
            label: judged.label,
            ratio: judged.ours,
            published: judged.published,
        };
        let rows: Vec<SpeedRow> = judged.into_iter().map(row).collect();
        let chart = Speed { rows, axis: "times as fast".to_owned() };
        (!chart.rows.is_empty()).then(|| Content { description, experiments, chart: Box::new(chart) })
    }
}

/// One ratio.
#[derive(Clone, Debug)]
pub struct SpeedRow {
    /// The faster form.
    pub label: String,
    /// Time of the slower form over time of the faster.
    pub ratio: Estimate,
    /// The ratio that the paper gives.
    pub published: Option<f64>,
}

/// Speed ratios.
#[derive(Clone, Debug)]
pub struct Speed {
    /// The ratios, from top to bottom.
    pub rows: Vec<SpeedRow>,
    /// What is measured: "times as fast".
    pub axis: String,
}

impl Draw for Speed {
    fn draw(&self, figure: &Figure) -> Result<Drawing, FigureError> {
        figure.check(self.rows.iter().map(|row| (row.label.as_str(), row.numbers())))?;
        render(figure, WIDTH, |sheet, top| self.paint(sheet, top))
    }
}

impl Speed {
    fn paint(&self, sheet: &Sheet, top: f64) -> f64 {
        let keys = [
            Key::new(Swatch::Bar(BLUE, Hatch::None), "measured"),
            Key::new(Swatch::Reach(INK), INTERVAL),
            Key::new(Swatch::Mark(Shape::Diamond, VERMILLION, true), "published"),
        ];
        let top = sheet.legend(&keys, top) + 18.0;
        let end = sheet.width - MARGIN;
        let widest = |text: fn(&SpeedRow) -> String, header: &str| {
            let widths = self.rows.iter().map(|row| Type::SMALL_INK.width(&text(row)));
            widths.fold(Type::SMALL.width(header), f64::max)
        };
        let published = end - widest(|row| thousands(row.ratio.n as f64), "trials") - 14.0;
        let measured = published - widest(SpeedRow::claim, "published") - 14.0;
        let names = self.rows.iter().map(|row| Type::LABEL.width(&row.label)).fold(0.0, f64::max);
        let left = MARGIN + names.min(sheet.width * 0.4) + 12.0;
        let right = measured - widest(SpeedRow::interval, "measured") - 16.0;
        let frame = Frame::new(left, top, right, top + ROW * self.rows.len() as f64);
        let greatest = self.rows.iter().flat_map(SpeedRow::numbers).fold(1.0, f64::max);
        let scale = Scale::numbers(0.0, greatest * 1.04, 5);
        let plot = sheet.plot(frame, scale.low..scale.high, frame.bottom..frame.top);
        let bottom = axis::horizontal(sheet, &plot, frame, &scale, &self.axis);
        let (x, _) = position(&plot, 1.0, top);
        sheet.line(&[(x, frame.top), (x, frame.bottom)], Pen::new(AXIS, 1.0).dashed(Dash::Long));
        for (at, name) in [(measured, "measured"), (published, "published"), (end, "trials")] {
            sheet.text((at, top - 3.0), name, Type::SMALL.end().above());
        }
        for (index, row) in self.rows.iter().enumerate() {
            row.paint(sheet, &plot, frame, top + ROW * (index as f64 + 0.5), [measured, published, end]);
        }
        bottom
    }
}

impl SpeedRow {
    fn numbers(&self) -> Vec<f64> {
        let mut numbers = vec![self.ratio.point, self.ratio.low, self.ratio.high];
        numbers.extend(self.published);
        numbers
    }

    fn interval(&self) -> String {
        let Estimate { point, low, high, .. } = self.ratio;
        format!("{}× [{}, {}]", decimal(point, 2), decimal(low, 2), decimal(high, 2))
    }

    fn claim(&self) -> String {
        self.published.map_or_else(|| "–".to_owned(), |ratio| format!("{}×", decimal(ratio, 2)))
    }

    fn paint(&self, sheet: &Sheet, plot: &Plot, frame: Frame, y: f64, columns: [f64; 3]) {
        plot.bar((0.0, y - 10.0), (self.ratio.point, y + 10.0), BLUE, Hatch::None);
        let (low, high) = (position(plot, self.ratio.low, y), position(plot, self.ratio.high, y));
        sheet.line(&[low, high], Pen::new(PAPER, 4.0));
        sheet.whisker(low, high, Pen::new(INK, 1.5));
        if let Some(published) = self.published {
            // Below the middle, so that it does not hide the interval.
            let (x, y) = position(plot, published, y);
            sheet.mark((x, y + 10.0), Shape::Diamond, 5.0, VERMILLION, true);
        }
        let room = frame.left - 12.0 - MARGIN;
        let lines = crate::layout::wrap(&self.label, &Type::LABEL, room);
        for (index, line) in lines.iter().enumerate() {
            let shift = (index as f64 - (lines.len() - 1) as f64 / 2.0) * Type::LABEL.line();
            sheet.text((frame.left - 12.0, y + shift), line, Type::LABEL.end());
        }
        let texts = [self.interval(), self.claim(), thousands(self.ratio.n as f64)];
        for (at, text) in columns.into_iter().zip(texts) {
            sheet.text((at, y), &text, Type::SMALL_INK.end());
        }
    }
}
