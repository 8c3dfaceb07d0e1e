//! Places: frames on a sheet, and lines of text that fit them.

use super::style::Type;

/// A box on a sheet, in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Frame {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) right: f64,
    pub(super) bottom: f64,
}

impl Frame {
    pub(super) fn new(left: f64, top: f64, right: f64, bottom: f64) -> Self {
        Self { left, top, right, bottom }
    }

    /// The area that two boxes share.
    pub(super) fn overlap(&self, other: &Self) -> f64 {
        let width = self.right.min(other.right) - self.left.max(other.left);
        let height = self.bottom.min(other.bottom) - self.top.max(other.top);
        if width > 0.0 && height > 0.0 { width * height } else { 0.0 }
    }

    /// The box with a margin at its left and right.
    pub(super) fn wider(&self, margin: f64) -> Self {
        Self { left: self.left - margin, right: self.right + margin, ..*self }
    }

    /// The box around a point.
    pub(super) fn around((x, y): (f64, f64), half: f64) -> Self {
        Self::new(x - half, y - half, x + half, y + half)
    }

    /// Its middle.
    pub(super) fn middle(&self) -> (f64, f64) {
        ((self.left + self.right) / 2.0, (self.top + self.bottom) / 2.0)
    }

    /// Whether another box lies wholly inside.
    pub(super) fn holds(&self, other: &Self) -> bool {
        self.left <= other.left
            && self.top <= other.top
            && self.right >= other.right
            && self.bottom >= other.bottom
    }
}

/// The room that a line takes, piece by piece, as wide as it is drawn.
pub(super) fn pieces(points: &[(f64, f64)]) -> Vec<Frame> {
    let piece = |pair: &[(f64, f64)]| {
        let ((x1, y1), (x2, y2)) = (pair[0], pair[1]);
        Frame::new(x1.min(x2) - 1.0, y1.min(y2) - 1.0, x1.max(x2) + 1.0, y1.max(y2) + 1.0)
    };
    points.windows(2).map(piece).collect()
}

/// A line through points that stays level until the next one.
pub(super) fn steps(points: impl IntoIterator<Item = (f64, f64)>) -> Vec<(f64, f64)> {
    let mut corners: Vec<(f64, f64)> = Vec::new();
    for (x, y) in points {
        corners.extend(corners.last().map(|(_, last)| (x, *last)));
        corners.push((x, y));
    }
    corners
}

/// Breaks text into lines that fit a width, unless a word does not.
pub(super) fn wrap(text: &str, kind: &Type, width: f64) -> Vec<String> {
    // A text that was given exactly its own width must not lose a letter to the last bit.
    let width = width + 1e-6;
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let longer = lines.last().map(|line| format!("{line} {word}"));
        match (lines.last_mut(), longer) {
            (Some(line), Some(longer)) if kind.width(&longer) <= width => *line = longer,
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// The same, with words shortened that do not fit.
pub(super) fn fit_lines(text: &str, kind: &Type, width: f64) -> Vec<String> {
    wrap(text, kind, width).iter().map(|line| fit(line, kind, width)).collect()
}

/// The text, or as much of it as fits a width with an ellipsis.
pub(super) fn fit(text: &str, kind: &Type, width: f64) -> String {
    let mut shown = text.to_owned();
    let mut kept: Vec<char> = text.chars().collect();
    while kind.width(&shown) > width + 1e-6 && kept.pop().is_some() {
        shown = format!("{}…", kept.iter().collect::<String>().trim_end());
    }
    shown
}
