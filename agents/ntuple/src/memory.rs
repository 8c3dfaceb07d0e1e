//! Where a network under training lives: a weight and its two sums side by side, in one block of memory on huge pages.
//!
//! A move looks up more than a hundred weights all over the tables. On pages of 4 KiB nearly each of them would first cost a walk
//! through the page tables, so the block asks for pages of 2 MiB; where the system has none, nothing but speed is lost.

use std::io;

use bytemuck::{Pod, Zeroable};
use memmap2::MmapMut;

/// A weight, and what temporal coherence learning remembers of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct Cell {
    /// The weight itself.
    pub weight: f32,
    /// The sum of the errors that moved it, with their signs.
    pub error: f32,
    /// The sum of their sizes; 0 as long as the weight was never looked up in training.
    pub size: f32,
}

/// All cells of a network.
pub struct Memory(MmapMut);

impl Memory {
    /// So many cells with the same weight, never looked up yet.
    ///
    /// # Errors
    /// Where the system has not that much memory.
    pub fn new(cells: usize, weight: f32) -> io::Result<Self> {
        let block = MmapMut::map_anon(cells * size_of::<Cell>())?;
        #[cfg(target_os = "linux")]
        // A system without huge pages refuses, and is only slower.
        let _ = block.advise(memmap2::Advice::HugePage);
        let mut memory = Self(block);
        if weight != 0.0 {
            memory.cells_mut().fill(Cell { weight, ..Cell::default() });
        }
        Ok(memory)
    }

    /// The cells.
    #[must_use]
    pub fn cells(&self) -> &[Cell] {
        bytemuck::cast_slice(&self.0)
    }

    /// The cells, to change them.
    pub fn cells_mut(&mut self) -> &mut [Cell] {
        bytemuck::cast_slice_mut(&mut self.0)
    }

    /// The cells as bytes in the machine's own order.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// The cells as bytes, to read them from a file.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.0
    }
}
