//! N-tuple networks, trained by temporal coherence learning.

pub mod training;
