//! Colour and weight on terminals, and nothing elsewhere.

use std::io;

use surroundings::console::is_coloured;

/// How to set words off; every code is empty where standard output is no terminal, or `NO_COLOR` is set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Style {
    pub(super) bold: &'static str,
    pub(super) dim: &'static str,
    pub(super) red: &'static str,
    pub(super) green: &'static str,
    pub(super) plain: &'static str,
}

impl Style {
    /// The style that standard output can show.
    pub(super) fn of_stdout() -> Self {
        if !is_coloured(&io::stdout()) {
            return Self::default();
        }
        Self { bold: "\x1b[1m", dim: "\x1b[2m", red: "\x1b[1;31m", green: "\x1b[32m", plain: "\x1b[0m" }
    }
}
