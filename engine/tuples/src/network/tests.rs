use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;

fn network(tuples: &str, sampling: Sampling, values: CellValues) -> Network {
    let tuples = tuples.split(' ').map(|tuple| tuple.parse().unwrap()).collect();
    Network::new(tuples, sampling, values)
}

fn visited(network: &Network, board: Board) -> Vec<usize> {
    let mut indices = Vec::new();
    network.visit(*board, |index| indices.push(index));
    indices
}

/// All eight symmetries as maps of rows and columns, in no particular order.
fn turned(row: usize, column: usize, symmetry: usize) -> (usize, usize) {
    let (row, column) = if symmetry & 1 == 1 { (column, row) } else { (row, column) };
    let row = if symmetry & 2 == 2 { 3 - row } else { row };
    (row, if symmetry & 4 == 4 { 3 - column } else { column })
}

/// The indices that a board looks up, cell by cell and symmetry by symmetry; in rising order.
fn slowly(tuples: &str, board: Board, symmetries: usize, largest: u8) -> Vec<usize> {
    let mut offset = 0;
    let mut indices = Vec::new();
    for tuple in tuples.split(' ') {
        for symmetry in 0..symmetries {
            let mut index = 0;
            for digit in tuple.chars().rev() {
                let cell = digit.to_digit(16).unwrap() as usize;
                let (row, column) = turned(cell / 4, cell % 4, symmetry);
                index = 16 * index + usize::from(board.rank(4 * row + column).min(largest));
            }
            indices.push(offset + index);
        }
        offset += 16_usize.pow(tuple.len() as u32);
    }
    indices.sort_unstable();
    indices
}

const FOUR_SIXES: &str = "012345 456789 012456 45689a";
/// One, two, three and four runs of cells.
const ALL_SORTS: &str = "0123 0145 0246 048c 5 27f";

proptest! {
    #[test]
    fn a_board_looks_up_what_its_images_do_cell_by_cell(packed: u64) {
        let board = Board::from_packed(packed);
        for tuples in [FOUR_SIXES, ALL_SORTS] {
            for (sampling, symmetries) in [(Sampling::Single, 1), (Sampling::Symmetric, 8)] {
                for (values, largest) in [(CellValues::Sixteen, 15), (CellValues::Fifteen, 14)] {
                    let mut found = visited(&network(tuples, sampling, values), board);
                    found.sort_unstable();
                    prop_assert_eq!(found, slowly(tuples, board, symmetries, largest));
                }
            }
        }
    }

    #[test]
    fn symmetric_boards_look_up_the_same_weights(packed: u64) {
        let network = network(FOUR_SIXES, Sampling::Symmetric, CellValues::Sixteen);
        let sorted = |board: Board| {
            let mut indices = visited(&network, board);
            indices.sort_unstable();
            indices
        };
        let board = Board::from_packed(packed);
        for image in [board.transposed(), board.mirrored()] {
            prop_assert_eq!(sorted(Board::from_packed(image.packed())), sorted(board));
        }
    }

    #[test]
    fn the_sum_is_of_the_weights_that_are_visited(packed: u64) {
        let board = Board::from_packed(packed);
        for sampling in [Sampling::Single, Sampling::Symmetric, Sampling::Distinct] {
            let network = network(ALL_SORTS, sampling, CellValues::Sixteen);
            let indices = visited(&network, board);
            prop_assert_eq!(indices.len(), network.lookups());
            // Integers of this size have no rounding, in whichever order they are added.
            let expected: usize = indices.iter().sum();
            prop_assert_eq!(network.sum(*board, |index| index as f32), expected as f32);
        }
    }
}

#[test]
fn tables_follow_each_other() {
    let network = network("012345 0123 0145", Sampling::Single, CellValues::Sixteen);
    assert_eq!(network.weights(), (1 << 24) + 2 * (1 << 16));
    assert_eq!(visited(&network, Board::EMPTY), [0, 1 << 24, (1 << 24) + (1 << 16)]);
}

#[test]
fn the_networks_of_the_papers_look_up_as_many_weights_as_they_should() {
    let lookups = |tuples, sampling| network(tuples, sampling, CellValues::Sixteen).lookups();
    assert_eq!(lookups(FOUR_SIXES, Sampling::Symmetric), 32);
    // A rectangle at the edge has eight images, one across the middle four, and so has a row.
    assert_eq!(lookups("012456", Sampling::Distinct), 8);
    assert_eq!(lookups("45689a", Sampling::Distinct), 4);
    assert_eq!(lookups("0123 4567", Sampling::Distinct), 8);
    // The square in the middle is its own image.
    assert_eq!(lookups("569a 0145", Sampling::Distinct), 1 + 4);
}

#[test]
fn distinct_images_read_rows_from_the_left_and_columns_from_the_top() {
    let network = network("0123", Sampling::Distinct, CellValues::Sixteen);
    let board: Board = "2 4 8 16 / . . . 32 / . . . 64 / 128 . . 256".parse().unwrap();
    let found: BTreeSet<usize> = visited(&network, board).into_iter().collect();
    assert_eq!(found, BTreeSet::from([0x4321, 0x8007, 0x7001, 0x8654]));
}

#[test]
fn of_images_with_the_same_cells_the_first_counts() {
    // Every cell has its own number in it, so that an index names the cells that were read.
    let board = Board::from_packed(0xfedc_ba98_7654_3210);
    let read = |tuple| -> BTreeSet<usize> {
        visited(&network(tuple, Sampling::Distinct, CellValues::Sixteen), board).into_iter().collect()
    };
    // As it is, mirrored left to right, at the main diagonal, and both; upside down they have the same cells
    // again.
    assert_eq!(read("45689a"), BTreeSet::from([0xa98654, 0x9ab567, 0xa62951, 0x6ae59d]));
    assert_eq!(read("569a"), BTreeSet::from([0xa965]));
    assert_eq!(read("012456").len(), 8);
}

#[test]
fn only_rising_cells_of_the_board_are_a_tuple() {
    for wrong in ["", "0 1", "10", "00", "0123g", "01234567", "ä"] {
        assert!(wrong.parse::<Tuple>().is_err(), "{wrong}");
    }
    assert_eq!("0123456".parse::<Tuple>().unwrap().to_string(), "0123456");
    assert!(Tuple::new(vec![3, 16]).is_err());
}
