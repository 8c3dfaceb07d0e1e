//! The table of expanded nodes: section "Results", and what a search really expands.

use crate::search::terminal_depth;

/// The nodes of one search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Nodes {
    /// Nodes whose children were searched, the root among them.
    pub expanded: u64,
    /// Nodes that got a value without that: evaluated where the depth ended, or terminal.
    pub leaves: u64,
}

/// The numbers of empty cells that the report's table lists, in its order.
pub const FILLINGS: [u32; 15] = [14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0];

/// The table as printed: the expanded nodes for each of [`FILLINGS`].
pub const PRINTED: [u64; 15] =
    [14400, 12544, 10816, 9216, 7744, 64000, 46656, 32768, 21952, 13824, 32000, 16384, 6912, 2048, 256];

/// The expanded nodes that the report calculates for so many empty cells: four actions and `empty + 1` cells for a spawn in every
/// pair of layers, and four actions more where the depth is odd. It is the width of the last layer: neither the layers above
/// nor the two tiles that may spawn are counted.
#[must_use]
pub const fn calculated(empty: u32) -> u64 {
    let depth = terminal_depth(empty);
    let pair = 4 * (empty as u64 + 1);
    pair.pow(depth / 2) * 4_u64.pow(depth % 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_fifteen_printed_numbers_follow_from_the_formula() {
        assert_eq!(FILLINGS.map(calculated), PRINTED);
    }
}
