//! N-tuple networks, trained by temporal coherence learning.

pub mod checkpoint;
pub mod memory;
pub mod training;
