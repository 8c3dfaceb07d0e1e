//! What a single paper measures, in a file named after it.

pub(super) mod chen2023;
