//! The progress of trainings: a line each, with games, moves a second, the mean score and the rate of 2048 of the latest games, and the
//! time that is left.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};

use super::Standing;
use crate::run::Display;
use platform::console::note;
use text::thousands;

/// How often a plain line tells about a training that goes on.
const LINE_EVERY: Duration = Duration::from_secs(30);

/// The progress of all trainings of a command, on standard error.
pub(super) struct Progress {
    display: Display,
    bars: MultiProgress,
}

impl Progress {
    pub(super) fn new(display: Display) -> Self {
        Self { display, bars: MultiProgress::new() }
    }

    pub(super) fn line(&self, name: &str, games: u64) -> Line {
        let bar = match self.display {
            Display::Bars => self.bars.add(ProgressBar::new(games)),
            Display::Lines | Display::Quiet => ProgressBar::hidden(),
        };
        if let Ok(style) = ProgressStyle::with_template("{prefix} {bar:12} {pos}/{len} games {wide_msg}") {
            bar.set_style(style.progress_chars("=> "));
        }
        bar.set_prefix(name.to_owned());
        let times = Times { begun: Instant::now(), games: 0, moves: 0, last_line: Instant::now() };
        let (display, bars) = (self.display, self.bars.clone());
        Line { name: name.to_owned(), games, display, bars, bar, times: Mutex::new(times) }
    }
}

/// The line of one training.
pub(super) struct Line {
    name: String,
    games: u64,
    display: Display,
    bars: MultiProgress,
    bar: ProgressBar,
    times: Mutex<Times>,
}

/// When this command began, and how far the training had come by then.
struct Times {
    begun: Instant,
    games: u64,
    moves: u64,
    last_line: Instant,
}

impl Line {
    /// Starts the clock.
    pub(super) fn begin(&self, standing: &Standing) {
        let mut times = self.lock();
        (times.begun, times.last_line) = (Instant::now(), Instant::now());
        (times.games, times.moves) = (standing.total().games, standing.total().moves);
        self.bar.set_position(times.games);
        if times.games > 0 {
            self.say_unless_quiet(&format!(
                "{}: goes on after {} games",
                self.name,
                thousands(times.games as f64)
            ));
        }
    }

    /// Tells how far it has come.
    pub(super) fn tell(&self, standing: &Standing) {
        let mut times = self.lock();
        self.bar.set_position(standing.total().games);
        self.bar.set_message(times.text(standing, self.games));
        if self.display == Display::Lines && times.last_line.elapsed() >= LINE_EVERY {
            times.last_line = Instant::now();
            note(self.whole_text(&times, standing));
        }
    }

    /// Ends the line.
    pub(super) fn end(&self, standing: &Standing) {
        let times = self.lock();
        match self.display {
            Display::Bars => self.bar.abandon_with_message(times.text(standing, self.games)),
            Display::Lines => note(self.whole_text(&times, standing)),
            Display::Quiet => {}
        }
    }

    /// Says something between the lines.
    pub(super) fn say(&self, text: &str) {
        match self.display {
            Display::Bars => drop(self.bars.println(text)),
            Display::Lines | Display::Quiet => note(text),
        }
    }

    fn say_unless_quiet(&self, text: &str) {
        if self.display != Display::Quiet {
            self.say(text);
        }
    }

    fn whole_text(&self, times: &Times, standing: &Standing) -> String {
        let (done, games) = (thousands(standing.total().games as f64), thousands(self.games as f64));
        format!("{}: {done} of {games} games, {}", self.name, times.text(standing, self.games))
    }

    fn lock(&self) -> MutexGuard<'_, Times> {
        self.times.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Times {
    /// Moves a second, the time that is left, and how the latest games went.
    fn text(&self, standing: &Standing, games: u64) -> String {
        let (total, latest) = (standing.total(), standing.latest());
        let seconds = self.begun.elapsed().as_secs_f64().max(1e-3);
        let speed = (total.moves - self.moves) as f64 / seconds;
        let rate = (total.games - self.games) as f64 / seconds;
        let left = (games - total.games) as f64 / rate.max(1e-9);
        let eta = match total.games {
            done if done == games => String::new(),
            _ => format!("ETA {}, ", humantime::format_duration(Duration::from_secs(left.min(1e9) as u64))),
        };
        let count = latest.games.max(1) as f64;
        format!(
            "{} moves/s, {eta}mean {}, 2048 in {:.1} %",
            thousands(speed.round()),
            thousands((latest.score_sum as f64 / count).round()),
            100.0 * latest.reached[0] as f64 / count
        )
    }
}
