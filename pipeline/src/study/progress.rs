//! How far a study is: its trials and batches, the best so far, the rate, and how long the rest may take.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::run::Display;
use platform::console::note;
use platform::plain;
use text::{counted, thousands};

/// How often a plain line tells about a study that goes on.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// The line of one study. All of it goes to standard error: standard output is for results.
pub(super) struct Line {
    display: Display,
    name: String,
    bar: ProgressBar,
    figures: Mutex<Figures>,
}

struct Figures {
    /// How many trials there will be, where that is known.
    of: Option<u64>,
    done: u64,
    /// Those of this run.
    played: u64,
    batch: u32,
    /// How the study stands.
    standing: String,
    begun: Instant,
    last_line: Instant,
}

impl Line {
    pub(super) fn new(display: Display, name: &str, of: Option<u64>) -> Self {
        let now = Instant::now();
        let standing = String::new();
        let figures = Figures { of, done: 0, played: 0, batch: 0, standing, begun: now, last_line: now };
        let bar = match (display, of) {
            (Display::Bars, Some(trials)) => ProgressBar::new(trials),
            (Display::Bars, None) => ProgressBar::new_spinner(),
            (Display::Lines | Display::Quiet, _) => ProgressBar::hidden(),
        };
        // No bar: 100 columns have room for the numbers, up to that of the best.
        let style = if of.is_some() { "{prefix} {wide_msg}" } else { "{prefix} {spinner} {wide_msg}" };
        if let Ok(style) = ProgressStyle::with_template(style) {
            bar.set_style(style);
        }
        let name = plain::line(name);
        bar.set_prefix(name.clone());
        Self { display, name, bar, figures: Mutex::new(figures) }
    }

    /// A batch begins, with so many trials done, and the study standing like this.
    pub(super) fn batch(&self, number: u32, done: u64, standing: &str) {
        let mut figures = self.lock();
        (figures.batch, figures.done) = (number, done);
        if figures.standing != standing {
            standing.clone_into(&mut figures.standing);
        }
        self.show(&figures);
    }

    /// So many trials of the batch were there already, or are copies.
    pub(super) fn skip(&self, trials: u64) {
        let mut figures = self.lock();
        figures.done += trials;
        self.show(&figures);
    }

    /// A trial was played.
    pub(super) fn trial(&self) {
        let mut figures = self.lock();
        figures.done += 1;
        figures.played += 1;
        self.show(&figures);
    }

    /// How many trials were played in this run.
    pub(super) fn played(&self) -> u64 {
        self.lock().played
    }

    fn show(&self, figures: &Figures) {
        if self.display == Display::Bars {
            self.bar.set_position(figures.done);
            self.bar.set_message(figures.text());
        }
    }

    /// Prints a plain line where the last one is a while ago.
    pub(super) fn tick(&self) {
        let mut figures = self.lock();
        if self.display == Display::Lines && figures.last_line.elapsed() >= LINE_EVERY {
            figures.last_line = Instant::now();
            note(format_args!("{}: {}", self.name, figures.text()));
        }
    }

    /// Says something about the study, between the lines.
    pub(super) fn say(&self, text: &str) {
        let text = format!("{}: {}", self.name, plain::text(text));
        match self.display {
            Display::Bars => self.bar.suspend(|| note(&text)),
            Display::Lines | Display::Quiet => note(&text),
        }
    }

    /// Ends the line.
    pub(super) fn end(&self) {
        let figures = self.lock();
        match self.display {
            Display::Bars => self.bar.abandon(),
            Display::Lines if figures.played > 0 => note(format_args!("{}: {}", self.name, figures.text())),
            Display::Lines | Display::Quiet => {}
        }
    }

    fn lock(&self) -> MutexGuard<'_, Figures> {
        self.figures.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Figures {
    fn text(&self) -> String {
        let trials = match self.of {
            Some(of) => format!("{}/{}", thousands(self.done as f64), counted(of, "trial")),
            None => counted(self.done, "trial"),
        };
        let rate = self.played as f64 / self.begun.elapsed().as_secs_f64().max(1e-3);
        let mut text = format!("{trials}, batch {}", self.batch);
        if self.played > 0 {
            text.push_str(&format!(", {rate:.1}/s"));
        }
        if let (Some(left), true) = (self.of.map(|of| of.saturating_sub(self.done)), self.played > 0) {
            let left = Duration::from_secs((left as f64 / rate.max(1e-9)) as u64);
            text.push_str(&format!(", ETA {}", humantime::format_duration(left)));
        }
        // Last, where a narrow terminal cuts the line.
        if !self.standing.is_empty() {
            text.push_str(&format!(", {}", self.standing));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_tells_trials_batch_and_standing() {
        let line = Line::new(Display::Quiet, "p/s", Some(17_050));
        line.batch(3, 118, "best 2,048 (1,900 to 2,196)");
        line.skip(4);
        let before = line.lock().text();
        assert_eq!(before, "122/17,050 trials, batch 3, best 2,048 (1,900 to 2,196)");
        line.trial();
        let played = line.lock().text();
        assert!(
            played.starts_with("123/17,050 trials, batch 3, ") && played.contains("/s, ETA "),
            "{played}"
        );
        assert!(played.ends_with(", best 2,048 (1,900 to 2,196)"), "{played}");
        let open = Line::new(Display::Quiet, "p/s", None);
        open.trial();
        assert!(open.lock().text().starts_with("1 trial, batch 0") && !open.lock().text().contains("ETA"));
    }
}
