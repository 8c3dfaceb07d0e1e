//! Where the weights under training are: one block of memory on huge pages.
//!
//! A move looks up more than a hundred weights all over the tables. On pages of 4 KiB nearly each of them
//! would first cost a walk through the page tables, so the block asks for pages of 2 MiB; where the system
//! has none, nothing but speed is lost.

use std::io;
use std::marker::PhantomData;

use bytemuck::Pod;
use memmap2::MmapMut;

#[cfg(target_endian = "big")]
compile_error!("checkpoints are the memory's own bytes, which must be little-endian");

/// A weight and all that a training keeps beside it, for every index of a network.
pub struct Memory<T> {
    block: MmapMut,
    cells: PhantomData<T>,
}

impl<T: Pod> Memory<T> {
    /// This many cells, all of them zero.
    pub fn zeroed(cells: usize) -> io::Result<Self> {
        let block = MmapMut::map_anon(cells * size_of::<T>())?;
        // A system without huge pages refuses, and is only slower.
        #[cfg(target_os = "linux")]
        let _ = block.advise(memmap2::Advice::HugePage);
        Ok(Self { block, cells: PhantomData })
    }

    /// The cells.
    pub fn cells(&self) -> &[T] {
        bytemuck::cast_slice(&self.block)
    }

    /// The cells, to change them.
    pub fn cells_mut(&mut self) -> &mut [T] {
        bytemuck::cast_slice_mut(&mut self.block)
    }

    /// The cells as little-endian bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.block
    }

    /// The cells as little-endian bytes, to fill them from a file.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.block
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_begin_as_zeros_and_are_their_bytes() {
        let mut memory = Memory::<[f32; 3]>::zeroed(5).unwrap();
        assert_eq!(memory.cells(), [[0.0; 3]; 5]);
        memory.cells_mut()[1] = [1.0, -2.0, 0.5];
        assert_eq!(memory.bytes().len(), 60);
        assert_eq!(memory.bytes()[16..20], (-2.0_f32).to_le_bytes());
    }
}
