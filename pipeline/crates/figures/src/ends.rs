//! Names at the ends of lines: each as near to its line as the others allow, with a thin line to it where it
//! had to move.

use super::layout::Frame;
use super::sheet::Sheet;
use super::style::{Pen, Type};

/// Room between the end of the plot and the names.
pub(super) const LEAD: f64 = 22.0;

/// The end of a line.
pub(super) struct End {
    pub(super) at: (f64, f64),
    pub(super) text: String,
    pub(super) pen: Pen,
}

/// Sets the names at the right of a plot.
pub(super) fn label(sheet: &Sheet, frame: Frame, ends: &[End]) {
    let wanted: Vec<f64> = ends.iter().map(|end| end.at.1).collect();
    let heights = spread(&wanted, Type::SMALL_INK.line(), (frame.top, frame.bottom));
    for (end, y) in ends.iter().zip(heights) {
        let to = (frame.right + LEAD - 4.0, y);
        sheet.line(&[(end.at.0 + 2.0, end.at.1), to], end.pen);
        sheet.text((frame.right + LEAD, y), &end.text, Type::SMALL_INK);
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
    fn names_keep_their_order_and_their_distance() {
        let heights = spread(&[100.0, 99.0, 20.0, 101.0], 15.0, (0.0, 110.0));
        assert_eq!(heights, [95.0, 80.0, 20.0, 110.0]);
    }
}
