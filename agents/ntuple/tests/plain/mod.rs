//! The network in plain form, on boards of numbers.

use engine::naive::NaiveBoard;

/// The networks of the tests: small, with tuples of all sorts.
pub(crate) const TUPLES: [&str; 3] = ["012", "0145", "26"];

/// The indices that a board looks up in tables that follow each other: tuple by tuple, under all eight
/// symmetries.
pub(crate) fn indices(board: &NaiveBoard, tuples: &[&str]) -> Vec<usize> {
    let mut offset = 0;
    let mut indices = Vec::new();
    for tuple in tuples {
        for symmetry in 0..8 {
            let index = tuple.chars().rev().fold(0, |index, digit| {
                let cell = digit.to_digit(16).unwrap() as usize;
                let (mut row, mut column) = (cell / 4, cell % 4);
                if symmetry & 1 == 1 {
                    (row, column) = (column, row);
                }
                row = if symmetry & 2 == 2 { 3 - row } else { row };
                column = if symmetry & 4 == 4 { 3 - column } else { column };
                16 * index + usize::from(board.0[4 * row + column])
            });
            indices.push(offset + index);
        }
        offset += 16_usize.pow(tuple.len() as u32);
    }
    indices
}
