//! Numeric claims of a paper, one a row: where the published number lies in the interval that our games
//! predict for it.
//!
//! Points, rates and times stand side by side, so every row has a scale of its own: zero is our estimate,
//! minus one and one are the ends of the prediction interval. The interval need not be symmetric; each side
//! is measured by its own half, and one without an end, which goes on as an arrow, by the other's. A
//! published range is a bar, with the verdict's mark at its point nearest to ours.

use super::axis;
use super::layout::{Frame, wrap};
use super::legend::{Key, Swatch};
use stats::{Estimate, Ruling};
use text::{Scale, thousands};

use super::sheet::{MARGIN, Plot, Sheet, position, render};
use super::style::{AXIS, BLUE, Color, GRID, INK, MUTED, ORANGE, Pen, SHADE, Shape, Type, VERMILLION};
use super::{Draw, Drawing, Figure, FigureError};

const PAGE: f64 = 900.0;
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

impl Draw for Claims {
    fn draw(&self, figure: &Figure) -> Result<Drawing, FigureError> {
        figure.check(self.rows.iter().map(|row| (row.label.as_str(), row.numbers())))?;
        render(figure, PAGE, |sheet, top| self.paint(sheet, top))
    }
}

/// Where the columns of text end.
struct Columns {
    label: f64,
    published: f64,
    ours: f64,
    games: f64,
    verdict: f64,
}

impl Claims {
    fn columns(&self, sheet: &Sheet) -> Columns {
        let widest = |text: fn(&ClaimRow) -> String, header: &str| {
            let widths = self.rows.iter().map(|row| Type::SMALL_INK.width(&text(row)));
            widths.fold(Type::SMALL.width(header), f64::max)
        };
        let end = sheet.width - MARGIN;
        let verdict = end - Type::SMALL_INK.strong().width("untestable") - 18.0;
        let games = verdict - 14.0;
        let ours = games - widest(ClaimRow::games, GAMES) - 16.0;
        let published = ours - widest(ClaimRow::interval, OURS) - 16.0;
        let label = published - widest(ClaimRow::published_text, "published") - PLOT - 30.0;
        Columns { label, published, ours, games, verdict }
    }

    fn paint(&self, sheet: &Sheet, top: f64) -> f64 {
        let top = sheet.legend(&self.keys(), top) + 20.0;
        let columns = self.columns(sheet);
        let lines: Vec<_> =
            self.rows.iter().map(|row| wrap(&row.label, &LABEL, columns.label - MARGIN)).collect();
        let heights: Vec<f64> =
            lines.iter().map(|lines| 7.0 + LABEL.line() * lines.len().max(1) as f64).collect();
        let left = columns.label + 14.0;
        let frame = Frame::new(left, top, left + PLOT, top + heights.iter().sum::<f64>());
        let plot = sheet.plot(frame, -EDGE - 0.4..EDGE + 0.4, frame.bottom..frame.top);
        let ticks = (-3..=3)
            .map(|at| (f64::from(at), if at < 0 { format!("−{}", -at) } else { at.to_string() }))
            .collect();
        let (inside, _) = position(&plot, -1.0, top);
        let (outside, _) = position(&plot, 1.0, top);
        sheet.band(Frame::new(inside, frame.top, outside, frame.bottom), SHADE);
        let scale = axis::Scale::new(-EDGE, EDGE, ticks);
        let bottom = axis::horizontal(
            sheet,
            &plot,
            frame,
            &scale,
            "published number, in half-widths of the interval from ours",
        );
        heads(sheet, top, &columns);
        let mut y = top;
        for ((row, lines), height) in self.rows.iter().zip(&lines).zip(&heights) {
            sheet.line(&[(MARGIN, y + height), (sheet.width - MARGIN, y + height)], Pen::new(GRID, 0.7));
            row.paint_text(sheet, lines, y + height / 2.0, &columns);
            row.paint(sheet, &plot, y + height / 2.0);
            y += height;
        }
        bottom
    }

    fn keys(&self) -> Vec<Key> {
        let mut keys = vec![Key::new(Swatch::Reach(AXIS), "95 % prediction interval")];
        let rulings = [
            (Ruling::Consistent, "published: consistent"),
            (Ruling::Higher, "published: ours is higher"),
            (Ruling::Lower, "published: ours is lower"),
            (Ruling::Undecided, "published: undecided"),
        ];
        for (ruling, name) in rulings {
            if self.rows.iter().any(|row| row.ruling == ruling) {
                let (shape, color) = look(ruling);
                keys.push(Key::new(Swatch::Mark(shape, color, false), name));
            }
        }
        if self.rows.iter().any(|row| row.is_range() && row.ours.is_some()) {
            keys.push(Key::new(Swatch::Band(MUTED.mix(RANGE)), "published range"));
        }
        if self.rows.iter().filter_map(ClaimRow::distance).any(|distance| distance.abs() > EDGE) {
            keys.push(Key::new(Swatch::Mark(Shape::Right, MUTED, false), "further out"));
        }
        if self
            .rows
            .iter()
            .any(|row| row.halves().is_some_and(|halves| halves.iter().any(|half| half.is_infinite())))
        {
            keys.push(Key::new(Swatch::Open(AXIS), "open-ended interval"));
        }
        keys
    }
}

const OURS: &str = "ours [interval]";
const GAMES: &str = "games: ours / theirs";

fn heads(sheet: &Sheet, top: f64, columns: &Columns) {
    let ends = [(columns.published, "published"), (columns.ours, OURS), (columns.games, GAMES)];
    for (at, name) in ends {
        sheet.text((at, top - 4.0), name, Type::SMALL.end().above());
    }
    sheet.text((MARGIN, top - 4.0), "claim", Type::SMALL.above());
    sheet.text((columns.verdict + 18.0, top - 4.0), "verdict", Type::SMALL.above());
}

/// Shape and colour; the arrow heads say where ours stands.
const fn look(ruling: Ruling) -> (Shape, Color) {
    match ruling {
        Ruling::Consistent => (Shape::Circle, BLUE),
        Ruling::Higher => (Shape::Triangle, VERMILLION),
        Ruling::Lower => (Shape::Wedge, ORANGE),
        _ => (Shape::Cross, MUTED),
    }
}

/// The arrow to the left or to the right.
fn pointing(side: f64) -> Shape {
    if side < 0.0 { Shape::Left } else { Shape::Right }
}

impl ClaimRow {
    fn numbers(&self) -> Vec<f64> {
        let mut numbers = self.published.to_vec();
        // An end of the interval may be open.
        numbers.extend(self.ours.iter().map(|ours| ours.point));
        numbers
    }

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

    fn paint(&self, sheet: &Sheet, plot: &Plot, y: f64) {
        let Some((distance, halves)) = self.distance().zip(self.halves()) else { return };
        let at = |x: f64| position(plot, x, y);
        let pen = Pen::new(AXIS, 1.4);
        let ends = [(-1.0, halves[0]), (1.0, halves[1])].map(|(side, half)| {
            if half.is_finite() {
                sheet.cap(at(side), at(0.0), pen);
                return at(side);
            }
            sheet.mark(at(side * EDGE), pointing(side), 3.5, AXIS, false);
            at(side * EDGE)
        });
        sheet.line(&ends, pen);
        sheet.line(&[(at(0.0).0, y - 4.0), (at(0.0).0, y + 4.0)], pen);
        self.paint_range(sheet, plot, y);
        let (shape, color) = look(self.ruling);
        if distance.abs() <= EDGE {
            return sheet.mark(at(distance), shape, 4.5, color, false);
        }
        let side = distance.signum();
        sheet.mark(at(side * (EDGE + 0.25)), pointing(side), 4.5, color, false);
        sheet.mark(at(side * (EDGE - 0.15)), shape, 4.5, color, false);
    }

    /// A published range, as far as the plot goes, with an arrow where it goes on.
    fn paint_range(&self, sheet: &Sheet, plot: &Plot, y: f64) {
        let [low, high] = self.published;
        let Some((low, high)) = self.place(low).zip(self.place(high)).filter(|(low, high)| low < high) else {
            return;
        };
        if low > EDGE || high < -EDGE {
            return;
        }
        let (_, color) = look(self.ruling);
        let (left, _) = position(plot, low.max(-EDGE), y);
        let (right, _) = position(plot, high.min(EDGE), y);
        sheet.band(Frame::new(left, y - 3.0, right, y + 3.0), color.mix(RANGE));
        for end in [low, high].into_iter().filter(|end| end.abs() > EDGE) {
            let side = end.signum();
            sheet.mark(position(plot, side * (EDGE + 0.1), y), pointing(side), 3.5, color, false);
        }
    }

    fn paint_text(&self, sheet: &Sheet, lines: &[String], y: f64, columns: &Columns) {
        for (index, line) in lines.iter().enumerate() {
            let shift = (index as f64 - (lines.len() - 1) as f64 / 2.0) * LABEL.line();
            sheet.text((MARGIN, y + shift), line, LABEL);
        }
        sheet.text((columns.published, y), &self.published_text(), Type::SMALL_INK.end());
        sheet.text((columns.ours, y), &self.interval(), Type::SMALL_INK.end());
        sheet.text((columns.games, y), &self.games(), Type::SMALL.end());
        let (shape, color) = look(self.ruling);
        sheet.mark((columns.verdict + 8.0, y), shape, 4.0, color, false);
        let kind = if self.ruling == Ruling::Consistent { Type::SMALL_INK } else { Type::SMALL_INK.strong() };
        sheet.text((columns.verdict + 18.0, y), self.ruling.name(), kind.colored(INK));
    }
}
