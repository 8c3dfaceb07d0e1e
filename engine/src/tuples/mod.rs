//! N-tuple networks: the value of a grid as a sum of weights that small groups of its cells look up.
//!
//! A [`Tuple`] is a list of cells; the ranks in them, four bits each, are an index into the tuple's own table of weights.
//! A [`Network`] is a list of tuples that all look at the grid, or at each of its eight images under the symmetries of the square.
//! This file says which weights a grid looks up, and in which order; what the weights are, and how they are learned, is the
//! business of those who keep them.

mod tuple;

use std::fmt;

use crate::board::Grid;
pub use tuple::{Tuple, TupleError};

/// The number of symmetries of the square.
pub const SYMMETRIES: usize = 8;

/// The images of a grid that a network's tuples look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sampling {
    /// The grid alone.
    Single,
    /// Its eight images under rotation and reflection, with the same weights: symmetric sampling.
    Symmetric,
}

/// How many ranks a cell of a tuple can tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CellValues {
    /// Empty, and 2 to 16384: a 32768 looks like a 16384.
    Fifteen,
    /// Empty, and 2 to 32768.
    Sixteen,
}

impl CellValues {
    /// The grid as a cell sees it.
    #[inline]
    #[must_use]
    const fn seen(self, packed: u64) -> u64 {
        match self {
            Self::Sixteen => packed,
            Self::Fifteen => {
                let pairs = packed & packed >> 1;
                packed - (pairs & pairs >> 2 & 0x1111_1111_1111_1111)
            }
        }
    }

    /// The number itself.
    #[must_use]
    pub const fn count(self) -> u8 {
        match self {
            Self::Fifteen => 15,
            Self::Sixteen => 16,
        }
    }
}

/// What a network is made of, apart from its weights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    tuples: Vec<Tuple>,
    /// Where the table of each tuple begins among all weights.
    offsets: Vec<usize>,
    sampling: Sampling,
    values: CellValues,
    weights: usize,
}

impl Network {
    /// A network of these tuples, whose tables follow each other in this order.
    #[must_use]
    pub fn new(tuples: Vec<Tuple>, sampling: Sampling, values: CellValues) -> Self {
        let mut weights = 0;
        let offsets = tuples
            .iter()
            .map(|tuple| {
                let offset = weights;
                weights += tuple.table_len();
                offset
            })
            .collect();
        Self { tuples, offsets, sampling, values, weights }
    }

    /// Its tuples, in the order of their tables.
    #[must_use]
    pub fn tuples(&self) -> &[Tuple] {
        &self.tuples
    }

    /// The images of a grid that the tuples look at.
    #[must_use]
    pub const fn sampling(&self) -> Sampling {
        self.sampling
    }

    /// How many ranks a cell can tell apart.
    #[must_use]
    pub const fn values(&self) -> CellValues {
        self.values
    }

    /// The length of all tables together.
    #[must_use]
    pub const fn weights(&self) -> usize {
        self.weights
    }

    /// How many weights a grid looks up.
    #[must_use]
    pub fn lookups(&self) -> usize {
        let images = match self.sampling {
            Sampling::Single => 1,
            Sampling::Symmetric => SYMMETRIES,
        };
        images * self.tuples.len()
    }

    /// Calls `visit` with the index of every weight that a grid looks up: tuple by tuple, image by image.
    #[inline]
    pub fn visit(&self, grid: Grid, mut visit: impl FnMut(usize)) {
        let packed = self.values.seen(grid.packed());
        match self.sampling {
            Sampling::Single => self.visit_images([packed], |_, index| visit(index)),
            Sampling::Symmetric => self.visit_images(images(packed), |_, index| visit(index)),
        }
    }

    /// The sum of the weights that a grid looks up.
    ///
    /// The order of the additions is fixed: the weights of each image tuple by tuple, then the images two by two.
    #[inline]
    #[must_use]
    pub fn sum(&self, grid: Grid, weight: impl Fn(usize) -> f32) -> f32 {
        let packed = self.values.seen(grid.packed());
        let mut sums = [0.0; SYMMETRIES];
        match self.sampling {
            Sampling::Single => self.visit_images([packed], |image, index| sums[image] += weight(index)),
            Sampling::Symmetric => {
                self.visit_images(images(packed), |image, index| sums[image] += weight(index));
            }
        }
        let [a, b, c, d, e, f, g, h] = sums;
        ((a + b) + (c + d)) + ((e + f) + (g + h))
    }

    #[inline(always)]
    fn visit_images<const N: usize>(&self, images: [u64; N], mut visit: impl FnMut(usize, usize)) {
        for (tuple, offset) in self.tuples.iter().zip(&self.offsets) {
            // Most tuples are one or two runs of cells; to know it before the loop over the images saves most of its branches.
            match tuple.runs() {
                [run] => (0..N).for_each(|image| visit(image, offset + run.read(images[image]))),
                [first, second] => (0..N).for_each(|image| {
                    visit(image, offset + (first.read(images[image]) | second.read(images[image])));
                }),
                _ => (0..N).for_each(|image| visit(image, offset + tuple.index(images[image]))),
            }
        }
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, tuple) in self.tuples.iter().enumerate() {
            let space = if number == 0 { "" } else { " " };
            write!(f, "{space}{tuple}")?;
        }
        Ok(())
    }
}

/// A packed grid under the eight symmetries: itself, then each of seven images from the one before, by turns mirrored at the
/// main diagonal and left to right.
#[inline(always)]
fn images(packed: u64) -> [u64; SYMMETRIES] {
    let mut image = *crate::board::Board::from_packed(packed);
    std::array::from_fn(|number| {
        if number > 0 {
            image = if number % 2 == 1 { image.transposed() } else { image.mirrored() };
        }
        image.packed()
    })
}

#[cfg(test)]
mod tests;
