//! A line about work in progress on standard error: redrawn on a terminal, printed now and then elsewhere.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::run::Display;
use platform::console::note;

/// The time between two printed lines.
const LINE_INTERVAL: Duration = Duration::from_secs(10);

/// The line.
pub(crate) struct StatusLine {
    display: Display,
    bar: ProgressBar,
    last_line: Mutex<Instant>,
}

impl StatusLine {
    /// A line with this form on a terminal. `bar` makes the bar that the form shows.
    pub(crate) fn new(display: Display, bar: impl FnOnce() -> ProgressBar, form: &str) -> Self {
        let bar = if display == Display::Bars { bar() } else { ProgressBar::hidden() };
        if let Ok(style) = ProgressStyle::with_template(form) {
            bar.set_style(style);
        }
        Self { display, bar, last_line: Mutex::new(Instant::now()) }
    }

    /// Prints a note above the line, unless it is quiet.
    pub(crate) fn note(&self, text: &str) {
        if self.display != Display::Quiet {
            self.bar.suspend(|| note(text));
        }
    }

    /// Shows the words at this position of the bar. A log gets some of them, with the position's words before them, and
    /// always the last.
    pub(crate) fn update(&self, position: u64, counted: &str, words: impl FnOnce() -> String, is_last: bool) {
        match self.display {
            Display::Bars => {
                self.bar.set_position(position);
                self.bar.set_message(words());
                self.bar.tick();
            }
            Display::Lines => {
                let mut last = self.last_line.lock().unwrap_or_else(PoisonError::into_inner);
                if is_last || last.elapsed() >= LINE_INTERVAL {
                    *last = Instant::now();
                    note(format!("{counted}{}", words()));
                }
            }
            Display::Quiet => {}
        }
    }

    /// Removes the line from a terminal.
    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}
