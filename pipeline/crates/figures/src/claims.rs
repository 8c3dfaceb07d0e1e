//! Numeric claims of a paper, one a row: where the published number lies in the interval that our games
//! predict for it.
//!
//! Points, rates and times stand side by side, so every row has a scale of its own: zero is our estimate,
//! minus one and one are the ends of the prediction interval. The interval need not be symmetric; each side
//! is measured by its own half, and one without an end, which goes on as an arrow, by the other's. A
//! published range is a bar, with the verdict's mark at its point nearest to ours.

use stats::{Estimate, Ruling};
use text::{Scale, thousands};

use super::Paint;
use super::axis::Axis;
use super::layout::{Frame, wrap};
use super::legend::{LegendKey, Swatch};
use super::sheet::{MARGIN, Plot, Sheet};
use super::style::{AXIS, BLUE, GRID, Hatch, INK, MUTED, Mark, ORANGE, Pen, SHADE, Shape, Type, VERMILLION};

const PLOT: f64 = 210.0;
const LABEL: Type = Type::SMALL_INK;

/// Published numbers further away than this are shown at the edge, as an arrow.
const EDGE: f64 = 3.0;

/// How much of a colour the bar of a published range has.
const RANGE: f64 = 0.4;

/// One claim.
#[derive(Clone, Debug)]
pub struct ClaimRow {
    /// What is claimed, in a few words.
    pub label: String,
    /// What the numbers count.
    pub scale: Scale,
    /// The ends of the published range; those of a number are the number.
    pub published: [f64; 2],
    /// Our estimate with the prediction interval of the published number, and our games; none where
    /// untestable.
    pub ours: Option<Estimate>,
    /// Games behind the published number, where the paper says.
    pub published_n: Option<u64>,
    /// How the claim fares.
    pub ruling: Ruling,
}

/// The numeric claims of one paper, up to about 50.
#[derive(Clone, Debug)]
pub struct Claims {
    /// The claims, from top to bottom.
    pub rows: Vec<ClaimRow>,
}

/// Where the columns of text end.
struct ClaimColumns {
    label: f64,
    published: f64,
    ours: f64,
    games: f64,
    verdict: f64,
}

impl Paint for Claims {
    const WIDTH: f64 = 900.0;

    fn paint(&self, sheet: &Sheet, top: f64) -> Option<f64> {
        self.rows.first()?;
        let top = sheet.legend(&self.keys(), top) + 20.0;
        let columns = self.columns(sheet);
        let lines: Vec<_> =
            self.rows.iter().map(|row| wrap(&row.label, &LABEL, columns.label - MARGIN)).collect();
        let heights: Vec<f64> =
            lines.iter().map(|lines| 7.0 + LABEL.line() * lines.len().max(1) as f64).collect();
        let left = columns.label + 14.0;
        let frame = Frame::new(left, top, left + PLOT, top + heights.iter().sum::<f64>());
        let plot = sheet.plot(frame, -EDGE - 0.4..EDGE + 0.4, frame.bottom..frame.top);
        let ticks = (-3..=3).map(|at| (f64::from(at), thousands(f64::from(at)))).collect();
        plot.bar((-1.0, frame.top), (1.0, frame.bottom), SHADE, Hatch::None);
        let name = "published number, in half-widths of the interval from ours";
        let bottom = plot.horizontal(&Axis::new(-EDGE, EDGE, ticks), name);
        let ends = [(columns.published, "published"), (columns.ours, OURS), (columns.games, GAMES)];
        for (at, name) in ends {
            sheet.text((at, top - 4.0), name, Type::SMALL.end().above());
        }
        sheet.text((MARGIN, top - 4.0), "claim", Type::SMALL.above());
        sheet.text((columns.verdict + 18.0, top - 4.0), "verdict", Type::SMALL.above());
        let mut y = top;
        for ((row, lines), height) in self.rows.iter().zip(&lines).zip(&heights) {
            sheet.line(&[(MARGIN, y + height), (sheet.end(), y + height)], Pen::new(GRID, 0.7));
            row.paint_text(sheet, lines, y + height / 2.0, &columns);
            row.paint(&plot, y + height / 2.0);
            y += height;
        }
        Some(bottom)
    }
}

const OURS: &str = "ours [interval]";
const GAMES: &str = "games: ours / theirs";

impl Claims {
    fn columns(&self, sheet: &Sheet) -> ClaimColumns {
        let widest = |text: fn(&ClaimRow) -> String, header: &str| {
            Type::SMALL_INK.widest(self.rows.iter().map(text).chain([header.to_owned()]))
        };
        let verdict = sheet.end() - Type::SMALL_INK.strong().width("untestable") - 18.0;
        let games = verdict - 14.0;
        let ours = games - widest(ClaimRow::games, GAMES) - 16.0;
        let published = ours - widest(ClaimRow::interval, OURS) - 16.0;
        let label = published - widest(ClaimRow::published_text, "published") - PLOT - 30.0;
        ClaimColumns { label, published, ours, games, verdict }
    }

    fn keys(&self) -> Vec<LegendKey> {
        let mut keys = vec![Swatch::Reach(AXIS).named("95 % prediction interval")];
        let rulings = [
            (Ruling::Consistent, "published: consistent"),
            (Ruling::Higher, "published: ours is higher"),
            (Ruling::Lower, "published: ours is lower"),
            (Ruling::Undecided, "published: undecided"),
        ];
        for (ruling, name) in rulings {
            if self.rows.iter().any(|row| row.ruling == ruling) {
                keys.push(Swatch::Mark(mark(ruling)).named(name));
            }
        }
        if self.rows.iter().any(|row| row.is_range() && row.ours.is_some()) {
            keys.push(Swatch::Bar(MUTED.mix(RANGE), Hatch::None).named("published range"));
        }
        if self.rows.iter().filter_map(ClaimRow::distance).any(|distance| distance.abs() > EDGE) {
            keys.push(Swatch::Mark(Mark::new(Shape::Right, MUTED)).named("further out"));
        }
        if self.rows.iter().filter_map(ClaimRow::halves).flatten().any(f64::is_infinite) {
            keys.push(Swatch::Open(AXIS).named("open-ended interval"));
        }
        keys
    }
}

/// The mark of a verdict; the arrow heads say where ours stands.
const fn mark(ruling: Ruling) -> Mark {
    match ruling {
        Ruling::Consistent => Mark::new(Shape::Circle, BLUE),
        Ruling::Higher => Mark::new(Shape::Triangle, VERMILLION),
        Ruling::Lower => Mark::new(Shape::Wedge, ORANGE),
        _ => Mark::new(Shape::Cross, MUTED),
    }
}

/// The same as an arrow to the left or to the right.
fn pointing(mark: Mark, side: f64) -> Mark {
    Mark { shape: if side < 0.0 { Shape::Left } else { Shape::Right }, ..mark }
}

impl ClaimRow {
    fn interval(&self) -> String {
        let Some(ours) = &self.ours else { return "–".to_owned() };
        let text = |number| self.scale.text(number);
        format!("{} [{}, {}]", text(ours.point), text(ours.low), text(ours.high))
    }

    fn games(&self) -> String {
        let count = |n: Option<u64>| n.map_or_else(|| "–".to_owned(), |n| thousands(n as f64));
        format!("{} / {}", count(self.ours.map(|ours| ours.n)), count(self.published_n))
    }

    /// How far the interval reaches from our estimate, downwards and upwards.
    fn halves(&self) -> Option<[f64; 2]> {
        self.ours.map(|ours| [ours.point - ours.low, ours.high - ours.point])
    }

    fn is_range(&self) -> bool {
        self.published[0] < self.published[1]
    }

    fn published_text(&self) -> String {
        let [low, high] = self.published;
        if self.is_range() { self.scale.interval(low, high) } else { self.scale.text(low) }
    }

    /// Distance of what is published from ours, of a range that of its point nearest to ours.
    pub(super) fn distance(&self) -> Option<f64> {
        let [low, high] = self.published;
        self.place(self.ours?.point.max(low).min(high))
    }

    /// Distance of a number from ours in half-widths of the interval on its side, or on the other where its
    /// side has no end.
    fn place(&self, number: f64) -> Option<f64> {
        let [down, up] = self.halves()?;
        let difference = number - self.ours?.point;
        let (own, other) = if difference < 0.0 { (down, up) } else { (up, down) };
        let half = if own.is_finite() { own } else { other };
        Some(if difference == 0.0 || half.is_infinite() {
            0.0
        } else {
            difference / half.max(f64::MIN_POSITIVE)
        })
    }

    fn paint(&self, plot: &Plot<'_>, y: f64) {
        let Some((distance, halves)) = self.distance().zip(self.halves()) else { return };
        let (sheet, pen, ruled) = (plot.sheet, Pen::new(AXIS, 1.4), mark(self.ruling));
        let at = |x: f64| plot.at(x, y);
        let ends = [(-1.0, halves[0]), (1.0, halves[1])].map(|(side, half)| {
            if half.is_finite() {
                sheet.cap(at(side), at(0.0), pen);
                return at(side);
            }
            sheet.mark(at(side * EDGE), pointing(Mark::new(Shape::Left, AXIS), side), 3.5);
            at(side * EDGE)
        });
        sheet.line(&ends, pen);
        sheet.line(&[(at(0.0).0, y - 4.0), (at(0.0).0, y + 4.0)], pen);
        self.paint_range(plot, y);
        if distance.abs() <= EDGE {
            return sheet.mark(at(distance), ruled, 4.5);
        }
        let side = distance.signum();
        sheet.mark(at(side * (EDGE + 0.25)), pointing(ruled, side), 4.5);
        sheet.mark(at(side * (EDGE - 0.15)), ruled, 4.5);
    }

    /// A published range, as far as the plot goes, with an arrow where it goes on.
    fn paint_range(&self, plot: &Plot<'_>, y: f64) {
        let [low, high] = self.published;
        let range = self.place(low).zip(self.place(high));
        let Some((low, high)) = range.filter(|(low, high)| low < high && *low <= EDGE && *high >= -EDGE)
        else {
            return;
        };
        let mark = mark(self.ruling);
        let corners = ((low.max(-EDGE), y - 3.0), (high.min(EDGE), y + 3.0));
        plot.bar(corners.0, corners.1, mark.color.mix(RANGE), Hatch::None);
        for end in [low, high].into_iter().filter(|end| end.abs() > EDGE) {
            let side = end.signum();
            plot.mark((side * (EDGE + 0.1), y), pointing(mark, side), 3.5);
        }
    }

    fn paint_text(&self, sheet: &Sheet, lines: &[String], y: f64, columns: &ClaimColumns) {
        sheet.block((MARGIN, y), lines, LABEL);
        sheet.text((columns.published, y), &self.published_text(), Type::SMALL_INK.end());
        sheet.text((columns.ours, y), &self.interval(), Type::SMALL_INK.end());
        sheet.text((columns.games, y), &self.games(), Type::SMALL.end());
        sheet.mark((columns.verdict + 8.0, y), mark(self.ruling), 4.0);
        let kind = if self.ruling == Ruling::Consistent { Type::SMALL_INK } else { Type::SMALL_INK.strong() };
        sheet.text((columns.verdict + 18.0, y), self.ruling.name(), kind.colored(INK));
    }
}
