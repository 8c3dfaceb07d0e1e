//! Path data in its shortest plain form: whole numbers, each relative to the point before, and no letter that
//! says nothing new. The outlines of glyphs and all lines of a figure are written with it.

use std::fmt::Write as _;

use plotters_backend::BackendCoord;

/// The data of a path that is being drawn, in drawing units or in those of a font, y downwards.
#[derive(Clone, Debug, Default)]
pub(super) struct PathData {
    text: String,
    command: Option<char>,
    at: BackendCoord,
    start: BackendCoord,
    /// Where a curve that goes on smoothly from the last quadratic one has its control point.
    mirrored: Option<BackendCoord>,
}

impl PathData {
    /// Begins a contour.
    pub(super) fn move_to(&mut self, point: BackendCoord) {
        if self.text.is_empty() {
            self.write('M', &[point.0, point.1]);
        } else {
            self.write('m', &self.relative([point]));
        }
        (self.at, self.start) = (point, point);
    }

    /// Draws a line; one of no length leaves nothing.
    pub(super) fn line_to(&mut self, point: BackendCoord) {
        let [dx, dy] = self.relative([point])[..] else { return };
        match (dx, dy) {
            (0, 0) => {}
            (dx, 0) => self.write('h', &[dx]),
            (0, dy) => self.write('v', &[dy]),
            (dx, dy) => self.write('l', &[dx, dy]),
        }
        self.at = point;
    }

    /// Draws a quadratic curve.
    pub(super) fn quad_to(&mut self, control: BackendCoord, point: BackendCoord) {
        if self.mirrored == Some(control) {
            self.write('t', &self.relative([point]));
        } else {
            self.write('q', &self.relative([control, point]));
        }
        self.at = point;
        self.mirrored = Some((2 * point.0 - control.0, 2 * point.1 - control.1));
    }

    /// Ends a contour where it began.
    pub(super) fn close(&mut self) {
        self.write('z', &[]);
        self.at = self.start;
    }

    /// Draws lines through all of these points, and back to the first where it is `closed`. A single point is
    /// a line of no length, which a pen with round ends shows.
    pub(super) fn trace(&mut self, points: &[BackendCoord], closed: bool) {
        let Some((first, rest)) = points.split_first() else { return };
        self.move_to(*first);
        for point in rest {
            self.line_to(*point);
        }
        if matches!(self.command, Some('M' | 'm')) {
            self.write('h', &[0]);
        }
        if closed {
            self.close();
        }
    }

    /// What has been drawn.
    pub(super) fn as_str(&self) -> &str {
        &self.text
    }

    fn relative<const N: usize>(&self, points: [BackendCoord; N]) -> Vec<i32> {
        points.iter().flat_map(|(x, y)| [x - self.at.0, y - self.at.1]).collect()
    }

    fn write(&mut self, command: char, numbers: &[i32]) {
        self.mirrored = None;
        let mut follows_letter = self.command != Some(command) || numbers.is_empty();
        if follows_letter {
            self.text.push(command);
        }
        for number in numbers {
            let gap = if follows_letter || *number < 0 { "" } else { " " };
            // Writing to a string cannot fail.
            let _ = write!(self.text, "{gap}{number}");
            follows_letter = false;
        }
        self.command = Some(command);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn traced(points: &[BackendCoord], closed: bool) -> String {
        let mut data = PathData::default();
        data.trace(points, closed);
        data.as_str().to_owned()
    }

    #[test]
    fn lines_are_relative_and_level_or_upright_ones_have_one_number() {
        assert_eq!(traced(&[(10, 20), (15, 20), (15, 8), (12, 9), (20, 9)], false), "M10 20h5v-12l-3 1h8");
        assert_eq!(traced(&[(0, 0), (9, 0), (9, 4), (0, 4)], true), "M0 0h9v4h-9z");
    }

    #[test]
    fn a_letter_is_repeated_only_where_the_kind_of_line_changes() {
        assert_eq!(traced(&[(0, 0), (3, 1), (5, 5), (4, 9)], false), "M0 0l3 1 2 4-1 4");
    }

    #[test]
    fn a_point_is_a_line_of_no_length() {
        assert_eq!(traced(&[(3, 4)], false), "M3 4h0");
        assert_eq!(traced(&[(3, 4), (3, 4)], false), "M3 4h0");
    }

    #[test]
    fn a_contour_after_a_closed_one_is_relative_to_where_that_began() {
        let mut data = PathData::default();
        data.trace(&[(10, 10), (20, 10), (20, 20)], true);
        data.trace(&[(11, 12), (11, 15)], true);
        assert_eq!(data.as_str(), "M10 10h10v10zm1 2v3z");
    }

    #[test]
    fn a_curve_is_relative_and_leaves_its_control_point_out_where_it_goes_on_smoothly() {
        let curved = |points: &[[BackendCoord; 2]]| {
            let mut data = PathData::default();
            data.move_to((100, 100));
            points.iter().for_each(|[control, point]| data.quad_to(*control, *point));
            data
        };
        let turning = curved(&[[(110, 90), (120, 100)], [(131, 110), (140, 100)]]);
        assert_eq!(turning.as_str(), "M100 100q10-10 20 0 11 10 20 0");
        let mut smooth = curved(&[[(110, 90), (120, 100)], [(130, 110), (140, 100)], [(150, 90), (160, 91)]]);
        smooth.line_to((165, 91));
        smooth.quad_to((170, 91), (170, 96));
        assert_eq!(smooth.as_str(), "M100 100q10-10 20 0t20 0 20-9h5q5 0 5 5");
    }
}
