//! Labels beside points and at the ends of lines. Each label of a point finds the place near it that covers
//! least of the marks, lines and labels around it.

use super::layout::{Frame, pieces};
use super::sheet::Plot;
use super::style::{Hatch, MUTED, Mark, PAPER, Pen, Type};

/// A point of a plot with its intervals along x and y, its mark and its label, which may be empty.
pub(super) struct LabelledPoint {
    pub(super) at: (f64, f64),
    pub(super) intervals: [Option<(f64, f64)>; 2],
    pub(super) mark: Mark,
    pub(super) label: String,
    pub(super) kind: Type,
}

impl Plot<'_> {
    /// Draws points, each with its label where it covers neither another point nor one of these lines of the
    /// sheet. Other things that labels may cover have a price for each square pixel.
    pub(super) fn points(
        &self,
        points: &[LabelledPoint],
        lines: &[Vec<(f64, f64)>],
        mut taken: Vec<(Frame, f64)>,
    ) {
        let sheet = self.sheet;
        let at = |point: &LabelledPoint| self.at(point.at.0, point.at.1);
        for point in points {
            let (x, y) = at(point);
            taken.push((Frame::around((x, y), 6.0), 20.0));
            if let Some((low, high)) = point.intervals[1] {
                let [low, high] = [low, high].map(|end| self.at(point.at.0, end).1);
                taken.push((Frame::new(x - 3.5, high, x + 3.5, low), 5.0));
            }
        }
        let labelled: Vec<_> = points.iter().filter(|point| !point.label.is_empty()).collect();
        let wish = |point: &&LabelledPoint| {
            let size = (point.kind.strong().width(&point.label) + 2.0, point.kind.line());
            Wish { at: at(point), size }
        };
        let wishes: Vec<_> = labelled.iter().map(wish).collect();
        let lines = lines.iter().flat_map(|line| pieces(line)).collect();
        let labels = Placer { within: self.frame, taken, lines }.place(&wishes);
        for (wish, label) in wishes.iter().zip(&labels) {
            if distance(wish.at, label) > LEAD {
                sheet.line(&[wish.at, nearest(wish.at, label)], Pen::new(MUTED, 0.8));
            }
        }
        for point in points {
            let ((x, y), pen) = (point.at, Pen::new(point.mark.color, 1.4));
            if let Some(interval) = point.intervals[1] {
                self.whisker(x, interval, pen);
            }
            if let Some((low, high)) = point.intervals[0] {
                sheet.whisker(self.at(low, y), self.at(high, y), pen);
            }
            sheet.mark(at(point), point.mark, 4.5);
        }
        for (point, label) in labelled.iter().zip(&labels) {
            sheet.bar(*label, PAPER.mix(0.75), Hatch::None);
            sheet.text((label.left + 1.0, label.middle().1), &point.label, point.kind);
        }
    }
}

/// A label that wants a place.
struct Wish {
    /// The point it belongs to.
    at: (f64, f64),
    /// Width and height of its text.
    size: (f64, f64),
}

/// What labels share: an area, what they must not cover, each with the price of a covered square pixel, and
/// lines that must not run through them, of which any part is too much.
struct Placer {
    within: Frame,
    taken: Vec<(Frame, f64)>,
    lines: Vec<Frame>,
}

/// Distance from which a label needs a line to its point.
const LEAD: f64 = 10.0;

/// Prices against a pixel of distance: covering another label, a label's own line that runs through a label
/// or a mark, a place that looks as if the label belonged to another point, and a label that a line of the
/// plot strikes out.
const LABEL: f64 = 50.0;
const CROSSING: f64 = 150.0;
const MISLEADING: f64 = 40.0;
const STRUCK: f64 = 300.0;

/// Space around a point that belongs to its own label.
const OWN: f64 = 11.0;

/// Times that every label reconsiders its place.
const ROUNDS: usize = 4;

/// The sides of a point, the most welcome first; each stands for those at its left and above too.
const SIDES: [(f64, f64); 5] = [(1.0, 0.0), (0.92, 0.7), (0.0, 1.0), (0.7, 0.92), (0.38, 0.97)];

const DISTANCES: [f64; 12] = [8.0, 11.0, 15.0, 20.0, 26.0, 33.0, 42.0, 54.0, 68.0, 84.0, 102.0, 125.0];

impl Placer {
    /// Places all of the labels. Where each goes depends on who chose before, so every label begins once, and
    /// the best outcome counts.
    fn place(&self, wishes: &[Wish]) -> Vec<Frame> {
        let outcomes = (0..wishes.len().max(1)).map(|first| self.place_from(wishes, first));
        outcomes.min_by(|one, other| one.0.total_cmp(&other.0)).map(|(_, frames)| frames).unwrap_or_default()
    }

    /// Places the labels from this one on, and says what it costs.
    fn place_from(&self, wishes: &[Wish], first: usize) -> (f64, Vec<Frame>) {
        let mut placed: Vec<Option<Frame>> = vec![None; wishes.len()];
        for step in 0..ROUNDS * wishes.len() {
            let index = (first + step) % wishes.len();
            placed[index] = Some(self.best(wishes, &placed, index));
        }
        let price =
            |(index, frame): (usize, &Option<Frame>)| Some(self.price(wishes, &placed, index, (*frame)?));
        (placed.iter().enumerate().filter_map(price).sum(), placed.iter().flatten().copied().collect())
    }

    fn best(&self, wishes: &[Wish], placed: &[Option<Frame>], index: usize) -> Frame {
        let inside = places(&wishes[index]).filter(|frame| self.within.holds(frame));
        let priced = inside.map(|frame| (self.price(wishes, placed, index, frame), frame));
        priced.min_by(|one, other| one.0.total_cmp(&other.0)).map_or(self.within, |(_, frame)| frame)
    }

    fn price(&self, wishes: &[Wish], placed: &[Option<Frame>], index: usize, frame: Frame) -> f64 {
        let at = wishes[index].at;
        let mut price = distance(at, &frame);
        price += self.taken.iter().map(|(taken, weight)| taken.overlap(&frame) * weight).sum::<f64>();
        price += STRUCK * self.lines.iter().filter(|line| line.overlap(&frame) > 0.0).count() as f64;
        let others = placed.iter().zip(wishes).enumerate().filter(|(place, _)| *place != index);
        for (_, (other, wish)) in others {
            price += MISLEADING * f64::from(distance(wish.at, &frame) < OWN);
            price += CROSSING * f64::from(crosses(at, &frame, &Frame::around(wish.at, 5.0)));
            let Some(other) = other else { continue };
            price += other.overlap(&frame.wider(2.0)) * LABEL;
            price += CROSSING * f64::from(crosses(at, &frame, other));
            price += CROSSING * f64::from(crosses(wish.at, other, &frame));
        }
        price
    }
}

fn places(wish: &Wish) -> impl Iterator<Item = Frame> {
    let ((x, y), (width, height)) = (wish.at, wish.size);
    let signs = [(1.0, -1.0), (1.0, 1.0), (-1.0, -1.0), (-1.0, 1.0)];
    let sides = SIDES.into_iter().flat_map(move |(x, y)| signs.map(|(sx, sy)| (sx * x, sy * y)));
    DISTANCES.into_iter().flat_map(move |away| {
        sides.clone().map(move |(side_x, side_y)| {
            let left = x + side_x * (away + width / 2.0) - width / 2.0;
            let top = y + side_y * (away + height / 2.0) - height / 2.0;
            Frame::new(left, top, left + width, top + height)
        })
    })
}

/// The point of a label that is nearest to its mark.
fn nearest((x, y): (f64, f64), frame: &Frame) -> (f64, f64) {
    (x.clamp(frame.left, frame.right), y.clamp(frame.top + 3.0, frame.bottom - 3.0))
}

fn distance((x, y): (f64, f64), frame: &Frame) -> f64 {
    let (near_x, near_y) = nearest((x, y), frame);
    (near_x - x).abs().max((near_y - y).abs())
}

/// Whether the line from a point to its label runs through another label.
fn crosses(at: (f64, f64), own: &Frame, other: &Frame) -> bool {
    if distance(at, own) <= LEAD {
        return false;
    }
    let to = nearest(at, own);
    (0..=20).any(|step| {
        let part = f64::from(step) / 20.0;
        let (x, y) = (at.0 + (to.0 - at.0) * part, at.1 + (to.1 - at.1) * part);
        x > other.left && x < other.right && y > other.top && y < other.bottom
    })
}

/// Room between the end of the plot and the names.
pub(super) const END_LEAD: f64 = 22.0;

impl Plot<'_> {
    /// Sets the names of lines at the right of the plot, each as near to where its line ends as the others
    /// allow.
    pub(super) fn ends(&self, ends: &[((f64, f64), String, Pen)]) {
        let frame = self.frame;
        let places: Vec<_> = ends.iter().map(|((x, y), ..)| self.at(*x, *y)).collect();
        let wanted: Vec<f64> = places.iter().map(|(_, y)| *y).collect();
        let heights = spread(&wanted, Type::SMALL_INK.line(), (frame.top, frame.bottom));
        for (((_, text, pen), (at, height)), y) in ends.iter().zip(places).zip(heights) {
            self.sheet.line(&[(at + 2.0, height), (frame.right + END_LEAD - 4.0, y)], *pen);
            self.sheet.text((frame.right + END_LEAD, y), text, Type::SMALL_INK);
        }
    }
}

/// Heights at least `apart` from each other, in the order of those wanted and as near to them as a single
/// sweep from above and one from below bring them.
fn spread(wanted: &[f64], apart: f64, (top, bottom): (f64, f64)) -> Vec<f64> {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by(|a, b| wanted[*a].total_cmp(&wanted[*b]).then(a.cmp(b)));
    let mut heights = wanted.to_vec();
    let mut free = top;
    for &place in &order {
        heights[place] = heights[place].max(free);
        free = heights[place] + apart;
    }
    let mut free = bottom;
    for &place in order.iter().rev() {
        heights[place] = heights[place].min(free);
        free = heights[place] - apart;
    }
    heights
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_goes_where_no_line_strikes_it_out() {
        let wish = || Wish { at: (100.0, 100.0), size: (60.0, 15.0) };
        let place = |lines: Vec<Frame>| {
            let within = Frame::new(0.0, 0.0, 300.0, 300.0);
            Placer { within, taken: Vec::new(), lines }.place(&[wish()])[0]
        };
        let upright = Frame::new(129.0, 0.0, 131.0, 300.0);
        assert!(place(Vec::new()).overlap(&upright) > 0.0, "the first choice is at the right");
        assert_eq!(place(vec![upright]).overlap(&upright), 0.0);
    }

    #[test]
    fn names_keep_their_order_and_their_distance() {
        let heights = spread(&[100.0, 99.0, 20.0, 101.0], 15.0, (0.0, 110.0));
        assert_eq!(heights, [95.0, 80.0, 20.0, 110.0]);
    }
}
