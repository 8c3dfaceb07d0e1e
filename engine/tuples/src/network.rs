//! Networks: lists of tuples, and which of a grid's images under the symmetries of the square they look at.

use std::fmt;

use engine::board::CELLS;
use engine::{Board, Grid};

use crate::tuple::Tuple;

/// The number of symmetries of the square.
pub const SYMMETRIES: usize = 8;

/// The images of a grid that a network's tuples look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sampling {
    /// The grid alone.
    Single,
    /// Its eight images under rotation and reflection, which look up the same weights.
    Symmetric,
    /// Of the eight images those in which a tuple covers different cells. A row has four of them, since its
    /// mirror image has the same cells in the opposite order; the image that comes first in
    /// [`DISTINCT_ORDER`] is the one that counts.
    Distinct,
}

/// Where a symmetry of the square takes a cell, by its row and column, counted from 0.
pub type Symmetry = fn(usize, usize) -> (usize, usize);

/// The symmetries in the order in which [`Sampling::Distinct`] prefers them.
pub const DISTINCT_ORDER: [Symmetry; SYMMETRIES] = [
    |row, column| (row, column),
    |row, column| (row, 3 - column),
    |row, column| (3 - row, column),
    |row, column| (3 - row, 3 - column),
    |row, column| (column, row),
    |row, column| (column, 3 - row),
    |row, column| (3 - column, row),
    |row, column| (3 - column, 3 - row),
];

/// How many ranks a cell of a tuple can tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CellValues {
    /// Empty, and 2 to 16384: a 32768 looks like a 16384.
    Fifteen = 15,
    /// Empty, and 2 to 32768.
    Sixteen = 16,
}

impl CellValues {
    /// The packed grid as the tuples see it.
    #[inline]
    const fn seen(self, packed: u64) -> u64 {
        match self {
            Self::Sixteen => packed,
            Self::Fifteen => {
                let pairs = packed & packed >> 1;
                packed - (pairs & pairs >> 2 & 0x1111_1111_1111_1111)
            }
        }
    }
}

/// What a network is made of, apart from its weights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    entries: Vec<TupleEntry>,
    sampling: Sampling,
    values: CellValues,
    weights: usize,
}

/// A tuple with its place in the network.
#[derive(Clone, Debug, PartialEq, Eq)]
struct TupleEntry {
    tuple: Tuple,
    /// Where its table begins among all weights.
    offset: usize,
    /// The images that it looks at, a bit each.
    images: u8,
}

/// All images.
const EVERY: u8 = u8::MAX;

impl Network {
    /// A network of these tuples, whose tables follow each other in this order.
    pub fn new(tuples: Vec<Tuple>, sampling: Sampling, values: CellValues) -> Self {
        let mut weights = 0;
        let entry = |tuple: Tuple| {
            let offset = weights;
            weights += tuple.table_len();
            let images = match sampling {
                Sampling::Single | Sampling::Symmetric => EVERY,
                Sampling::Distinct => distinct_images(&tuple),
            };
            TupleEntry { tuple, offset, images }
        };
        let entries = tuples.into_iter().map(entry).collect();
        Self { entries, sampling, values, weights }
    }

    /// Its tuples, in the order of their tables.
    pub fn tuples(&self) -> impl ExactSizeIterator<Item = &Tuple> {
        self.entries.iter().map(|entry| &entry.tuple)
    }

    /// The images of a grid that the tuples look at.
    pub const fn sampling(&self) -> Sampling {
        self.sampling
    }

    /// How many ranks a cell can tell apart.
    pub const fn values(&self) -> CellValues {
        self.values
    }

    /// The length of all tables together.
    pub const fn weights(&self) -> usize {
        self.weights
    }

    /// How many weights a grid looks up.
    pub fn lookups(&self) -> usize {
        let images = |entry: &TupleEntry| match self.sampling {
            Sampling::Single => 1,
            Sampling::Symmetric | Sampling::Distinct => entry.images.count_ones() as usize,
        };
        self.entries.iter().map(images).sum()
    }

    /// Calls `visit` with the index of every weight that a grid looks up: tuple by tuple, image by image.
    #[inline]
    pub fn visit(&self, grid: Grid, mut visit: impl FnMut(usize)) {
        let packed = self.values.seen(grid.packed());
        match self.sampling {
            Sampling::Single => self.visit_images([packed], |_, index| visit(index)),
            Sampling::Symmetric | Sampling::Distinct => {
                self.visit_images(images(packed), |_, index| visit(index));
            }
        }
    }

    /// The sum of the weights that a grid looks up.
    ///
    /// The order of the additions is fixed: the weights of each image tuple by tuple, then the images two by
    /// two.
    #[inline]
    pub fn sum(&self, grid: Grid, weight: impl Fn(usize) -> f32) -> f32 {
        let packed = self.values.seen(grid.packed());
        let mut sums = [0.0; SYMMETRIES];
        match self.sampling {
            Sampling::Single => self.visit_images([packed], |image, index| sums[image] += weight(index)),
            Sampling::Symmetric | Sampling::Distinct => {
                self.visit_images(images(packed), |image, index| sums[image] += weight(index));
            }
        }
        let [a, b, c, d, e, f, g, h] = sums;
        ((a + b) + (c + d)) + ((e + f) + (g + h))
    }

    #[inline(always)]
    fn visit_images<const N: usize>(&self, images: [u64; N], mut visit: impl FnMut(usize, usize)) {
        for entry in &self.entries {
            // Most tuples are one or two runs of cells; to know it before the loop over the images saves most
            // of its branches.
            match entry.tuple.runs() {
                [run] => entry.visit(images, |image| run.read(image), &mut visit),
                [first, second] => {
                    entry.visit(images, |image| first.read(image) | second.read(image), &mut visit);
                }
                _ => entry.visit(images, |image| entry.tuple.index(image), &mut visit),
            }
        }
    }
}

impl TupleEntry {
    /// Visits the weights that the tuple looks up, where `read` gives the index in its own table.
    #[inline(always)]
    fn visit<const N: usize>(
        &self,
        images: [u64; N],
        read: impl Fn(u64) -> usize,
        visit: &mut impl FnMut(usize, usize),
    ) {
        if self.images == EVERY {
            (0..N).for_each(|number| visit(number, self.offset + read(images[number])));
        } else {
            let looked_at = (0..N).filter(|number| self.images >> number & 1 == 1);
            looked_at.for_each(|number| visit(number, self.offset + read(images[number])));
        }
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, tuple) in self.tuples().enumerate() {
            let space = if number == 0 { "" } else { " " };
            write!(f, "{space}{tuple}")?;
        }
        Ok(())
    }
}

/// A packed grid under the eight symmetries: itself, then each of seven images from the one before, by turns
/// mirrored at the main diagonal and left to right.
#[inline(always)]
fn images(packed: u64) -> [u64; SYMMETRIES] {
    let mut image = *Board::from_packed(packed);
    std::array::from_fn(|number| {
        if number > 0 {
            image = if number % 2 == 1 { image.transposed() } else { image.mirrored() };
        }
        image.packed()
    })
}

/// The images in which a tuple covers different cells, a bit each.
fn distinct_images(tuple: &Tuple) -> u8 {
    // A grid that has every cell's own number in it shows where the cells of its images come from.
    let numbered = images(0xfedc_ba98_7654_3210);
    let mut covered = Vec::new();
    let mut chosen = 0;
    for symmetry in DISTINCT_ORDER {
        let source = |cell: usize| {
            let (row, column) = symmetry(cell / 4, cell % 4);
            (4 * row + column) as u8
        };
        let is_it = |image: u64| (0..CELLS).all(|cell| (image >> (4 * cell) & 15) as u8 == source(cell));
        let Some(image) = numbered.iter().position(|&image| is_it(image)) else {
            unreachable!("the images are under all eight symmetries")
        };
        let mut cells: Vec<u8> = tuple.cells().iter().map(|&cell| source(cell.into())).collect();
        cells.sort_unstable();
        if !covered.contains(&cells) {
            covered.push(cells);
            chosen |= 1 << image;
        }
    }
    chosen
}

#[cfg(test)]
mod tests;
