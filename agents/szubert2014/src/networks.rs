//! The networks: 17 straight and square 4-tuples, and two 4-tuples with two 6-tuples.

use tuples::{CellValues, Network, Sampling, Tuple};

/// Rows, columns and squares of four cells: 17 tables of 15^4 weights, 0.86 million. Every tuple has weights
/// of its own, so that no symmetry of the board is made use of.
///
/// The authors' program makes it of all straight lines of four cells and all squares of two by two, with 15
/// values a cell.
pub fn straight_and_square() -> Network {
    let rows = ["0123", "4567", "89ab", "cdef"];
    let columns = ["048c", "159d", "26ae", "37bf"];
    let squares = ["0145", "1256", "2367", "4589", "569a", "67ab", "89cd", "9ade", "abef"];
    network(&[&rows[..], &columns, &squares].concat(), Sampling::Single)
}

/// Two rows and two rectangles of two by three cells, in all places where the symmetries of the board take
/// them: two tables of 15^4 weights and two of 15^6, 22.8 million.
///
/// The authors' program puts rows and rectangles into all places and lets those share weights that a symmetry
/// takes into each other, each place once: 4, 4, 4 and 8 places, 20 weights for a board.
pub fn rows_and_rectangles() -> Network {
    network(&["0123", "4567", "012456", "45689a"], Sampling::Distinct)
}

fn network(tuples: &[&str], sampling: Sampling) -> Network {
    let tuple = |text: &&str| -> Tuple { text.parse().expect("these are tuples") };
    Network::new(tuples.iter().map(tuple).collect(), sampling, CellValues::Fifteen)
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::Board;
    use std::collections::BTreeSet;

    /// Weights that some board can look up: 15 values a cell.
    fn reachable(network: &Network) -> usize {
        network.tuples().map(|tuple| 15_usize.pow(tuple.cells().len() as u32)).sum()
    }

    #[test]
    fn they_have_as_many_weights_as_the_paper_says() {
        assert_eq!(reachable(&straight_and_square()), 860_625);
        assert_eq!(reachable(&rows_and_rectangles()), 22_882_500);
    }

    #[test]
    fn a_board_looks_up_17_and_20_weights() {
        assert_eq!(straight_and_square().lookups(), 17);
        assert_eq!(rows_and_rectangles().lookups(), 20);
    }

    #[test]
    fn every_line_and_square_is_there_once() {
        let network = straight_and_square();
        let cells: BTreeSet<Vec<u8>> = network.tuples().map(|tuple| tuple.cells().to_vec()).collect();
        let corners = (0..16_u8).filter(|corner| corner % 4 < 3 && corner / 4 < 3);
        let squares = corners.map(|corner| vec![corner, corner + 1, corner + 4, corner + 5]);
        let rows = (0..4_u8).map(|row| (4 * row..4 * row + 4).collect());
        let columns = (0..4_u8).map(|column| vec![column, column + 4, column + 8, column + 12]);
        assert_eq!(cells, rows.chain(columns).chain(squares).collect());
    }

    #[test]
    fn a_32768_looks_like_a_16384() {
        let board = |text: &str| -> Board { text.parse().unwrap() };
        let visited = |board: Board| {
            let mut indices = Vec::new();
            rows_and_rectangles().visit(*board, |index| indices.push(index));
            indices
        };
        assert_eq!(
            visited(board("32768 16384 2 . / . . . 32768 / . . . . / . . . .")),
            visited(board("16384 16384 2 . / . . . 16384 / . . . . / . . . ."))
        );
    }
}
