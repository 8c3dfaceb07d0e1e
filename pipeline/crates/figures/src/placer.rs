//! Labels beside points: each finds the place near its point that covers least of the marks, lines and labels
//! around it.

use super::layout::Frame;

/// A label that wants a place.
pub(super) struct Wish {
    /// The point it belongs to.
    pub(super) at: (f64, f64),
    /// Width and height of its text.
    pub(super) size: (f64, f64),
}

/// What labels share: an area, what they must not cover, each with the price of a covered square pixel, and
/// lines that must not run through them, of which any part is too much.
pub(super) struct Placer {
    pub(super) within: Frame,
    pub(super) taken: Vec<(Frame, f64)>,
    pub(super) lines: Vec<Frame>,
}

/// Distance from which a label needs a line to its point.
pub(super) const LEAD: f64 = 10.0;

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

/// The sides of a point, the most welcome first.
const SIDES: [(f64, f64); 16] = [
    (1.0, 0.0),
    (-1.0, 0.0),
    (0.92, -0.7),
    (0.92, 0.7),
    (-0.92, -0.7),
    (-0.92, 0.7),
    (0.0, -1.0),
    (0.0, 1.0),
    (0.7, -0.92),
    (0.7, 0.92),
    (-0.7, -0.92),
    (-0.7, 0.92),
    (0.38, -0.97),
    (0.38, 0.97),
    (-0.38, -0.97),
    (-0.38, 0.97),
];

const DISTANCES: [f64; 12] = [8.0, 11.0, 15.0, 20.0, 26.0, 33.0, 42.0, 54.0, 68.0, 84.0, 102.0, 125.0];

impl Placer {
    /// Places all of the labels. Where each goes depends on who chose before, so every label begins once, and
    /// the best outcome counts.
    pub(super) fn place(&self, wishes: &[Wish]) -> Vec<Frame> {
        let outcomes = (0..wishes.len().max(1)).map(|first| self.place_from(wishes, first));
        outcomes.min_by(|one, other| one.0.total_cmp(&other.0)).map(|(_, frames)| frames).unwrap_or_default()
    }

    /// Places the labels from this one on, and says what it costs.
    fn place_from(&self, wishes: &[Wish], first: usize) -> (f64, Vec<Frame>) {
        let mut placed: Vec<Option<Frame>> = vec![None; wishes.len()];
        for _ in 0..ROUNDS {
            for step in 0..wishes.len() {
                let index = (first + step) % wishes.len();
                placed[index] = None;
                placed[index] = Some(self.best(wishes, &placed, index));
            }
        }
        let frames: Vec<Frame> = placed.iter().map(|frame| frame.unwrap_or(self.within)).collect();
        let prices = frames.iter().enumerate().map(|(index, frame)| {
            let others: Vec<Option<Frame>> =
                placed.iter().enumerate().map(|(other, frame)| frame.filter(|_| other != index)).collect();
            self.price(wishes, &others, index, frame)
        });
        (prices.sum(), frames)
    }

    fn best(&self, wishes: &[Wish], placed: &[Option<Frame>], index: usize) -> Frame {
        let mut best = (f64::INFINITY, self.within);
        for frame in places(&wishes[index]) {
            if !self.within.holds(&frame) {
                continue;
            }
            let price = self.price(wishes, placed, index, &frame);
            if price < best.0 {
                best = (price, frame);
            }
        }
        best.1
    }

    fn price(&self, wishes: &[Wish], placed: &[Option<Frame>], index: usize, frame: &Frame) -> f64 {
        let at = wishes[index].at;
        let mut price = distance(at, frame);
        price += self.taken.iter().map(|(taken, weight)| taken.overlap(frame) * weight).sum::<f64>();
        price += STRUCK * self.lines.iter().filter(|line| line.overlap(frame) > 0.0).count() as f64;
        for (place, (other, wish)) in placed.iter().zip(wishes).enumerate() {
            if place != index {
                let mark = Frame::around(wish.at, 5.0);
                price += MISLEADING * f64::from(distance(wish.at, frame) < OWN);
                price += CROSSING * f64::from(crosses(at, frame, &mark));
            }
            let Some(other) = other else { continue };
            price += other.overlap(&frame.wider(2.0)) * LABEL;
            price += CROSSING * f64::from(crosses(at, frame, other))
                + CROSSING * f64::from(crosses(wish.at, other, frame));
        }
        price
    }
}

fn places(wish: &Wish) -> impl Iterator<Item = Frame> {
    let ((x, y), (width, height)) = (wish.at, wish.size);
    DISTANCES.into_iter().flat_map(move |away| {
        SIDES.into_iter().map(move |(side_x, side_y)| {
            let left = x + side_x * (away + width / 2.0) - width / 2.0;
            let top = y + side_y * (away + height / 2.0) - height / 2.0;
            Frame::new(left, top, left + width, top + height)
        })
    })
}

/// The point of a label that is nearest to its mark.
pub(super) fn nearest((x, y): (f64, f64), frame: &Frame) -> (f64, f64) {
    (x.clamp(frame.left, frame.right), y.clamp(frame.top + 3.0, frame.bottom - 3.0))
}

pub(super) fn distance((x, y): (f64, f64), frame: &Frame) -> f64 {
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
}
