//! Colour and weight on terminals, and nothing elsewhere.

use std::io;

use platform::console::is_coloured;

/// How to set words off; every code is empty where standard output is no terminal, or `NO_COLOR` is set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Style {
    pub(crate) bold: &'static str,
    pub(crate) dim: &'static str,
    pub(crate) red: &'static str,
    pub(crate) green: &'static str,
    pub(crate) plain: &'static str,
}

impl Style {
    /// The style that standard output can show.
    pub(crate) fn of_stdout() -> Self {
        if !is_coloured(&io::stdout()) {
            return Self::default();
        }
        Self { bold: "\x1b[1m", dim: "\x1b[2m", red: "\x1b[1;31m", green: "\x1b[32m", plain: "\x1b[0m" }
    }
}
