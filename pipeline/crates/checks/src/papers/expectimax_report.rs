//! The expectimax report: how many nodes a search expands, and how many states the game has.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{ArgumentError, Computation, Computed, StatedValue, same_length};

/// The expanded nodes (4(e+1))^floor(d/2) * 4^(d mod 2) for each number of empty cells e and its depth d.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct NodeTable {
    /// The empty cells.
    #[schemars(length(min = 1), inner(range(max = 16)))]
    empty: Vec<u32>,
    /// The depth for each.
    #[schemars(inner(range(max = 20)))]
    depth: Vec<u32>,
}

impl Computation for NodeTable {
    fn validate(&self) -> Result<(), ArgumentError> {
        same_length(("empty", self.empty.len()), ("depth", self.depth.len()))
    }

    fn compute(&self, published: &StatedValue) -> Computed {
        let nodes = |(&empty, &depth): (&u32, &u32)| {
            ((4 * (u64::from(empty) + 1)).pow(depth / 2) * 4_u64.pow(depth % 2)).to_string()
        };
        let table: Vec<String> = self.empty.iter().zip(&self.depth).map(nodes).collect();
        let because =
            "each row is the formula's, whose chance nodes have one child for each empty cell, not two";
        Computed::text(table.join(", "), published, because.to_owned())
    }
}

/// Whether a number is an upper bound of the number of states: "an upper bound" or "no upper bound".
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct StateBound {
    /// The number.
    bound: u64,
    /// The cells of a board.
    #[schemars(range(min = 1, max = 16))]
    cells: u32,
    /// What each cell can hold.
    #[schemars(range(min = 1, max = 18))]
    states_per_cell: u32,
    /// How many different tiles can end the game, one at a time in any cell.
    #[schemars(range(max = 18))]
    terminal_tiles: u32,
}

impl Computation for StateBound {
    fn compute(&self, published: &StatedValue) -> Computed {
        let Self { bound, cells, states_per_cell, terminal_tiles } = *self;
        let (others, per_cell) = (cells - 1, u128::from(states_per_cell));
        let with_one = u128::from(cells) * u128::from(terminal_tiles) * per_cell.pow(others);
        let states = per_cell.pow(cells) + with_one;
        let because = format!(
            "{per_cell}^{cells} + {cells}*{terminal_tiles}*{per_cell}^{others} = {states} boards can be written, \
             {bound} is the bound"
        );
        let words = ["an upper bound", "no upper bound"];
        Computed::word(states <= u128::from(bound), words, published, because)
    }
}
