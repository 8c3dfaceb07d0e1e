//! Checks that a single paper needs, in a file named after it.

pub(super) mod chen2023;
pub(super) mod devdoc;
pub(super) mod expectimax_report;
pub(super) mod middleton_schmidt;
pub(super) mod ripstein2023;
