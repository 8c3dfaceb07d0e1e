//! The tiles that may spawn, numbered 0 for a 2 and 1 for a 4, and their odds: `P(s'|s, a)` of section 3.2,
//! but for the cell.

use engine::Odds;

/// The ranks of the tiles.
pub const RANKS: [u8; 2] = [1, 2];

/// How often each tile spawns, out of their sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpawnOdds([u32; 2]);

impl SpawnOdds {
    /// Those of rules with these odds of a 4.
    pub const fn new(four: Odds) -> Self {
        Self([four.denominator() - four.numerator(), four.numerator()])
    }

    /// The tiles that ever spawn.
    pub fn tiles(self) -> impl Iterator<Item = usize> {
        (0..2).filter(move |&tile| self.0[tile] > 0)
    }

    /// The mean of a quantity of the tiles, by their odds.
    pub fn mean(self, mut quantity: impl FnMut(usize) -> f64) -> f64 {
        let sum: f64 = self.tiles().map(|tile| f64::from(self.0[tile]) * quantity(tile)).sum();
        sum / f64::from(self.0[0] + self.0[1])
    }
}
