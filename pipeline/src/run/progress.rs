//! Progress: one line per experiment, with games, rate, time left and the running mean score.

use std::io::IsTerminal as _;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};

/// How often a plain line tells about an experiment that goes on.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// How progress is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Display {
    /// Bars, for a terminal.
    Bars,
    /// Plain lines, for a log.
    Lines,
    /// Nothing but what is wrong.
    Quiet,
}

impl Display {
    /// Bars where standard error is a terminal, else lines; nothing where it is to be quiet.
    #[must_use]
    pub fn fitting(is_quiet: bool) -> Self {
        match (is_quiet, std::io::stderr().is_terminal()) {
            (true, _) => Self::Quiet,
            (false, true) => Self::Bars,
            (false, false) => Self::Lines,
        }
    }
}

/// The progress of a run. All of it goes to standard error: standard output is for results.
pub struct Progress {
    display: Display,
    bars: MultiProgress,
    lines: Mutex<Vec<Line>>,
}

impl Progress {
    /// Progress shown in this way.
    #[must_use]
    pub fn new(display: Display) -> Self {
        Self { display, bars: MultiProgress::new(), lines: Mutex::new(Vec::new()) }
    }

    /// Says something between the lines.
    pub fn say(&self, text: &str) {
        say(self.display, &self.bars, text);
    }

    /// Begins the line of an experiment.
    pub(super) fn line(&self, name: &str, games: u64) -> Line {
        let bar = match self.display {
            Display::Bars => self.bars.add(ProgressBar::new(games)),
            _ => ProgressBar::hidden(),
        };
        let style = "{prefix:32!} {bar:20} {pos:>6}/{len:<6} {per_sec:>12} ETA {eta:>4} {msg}";
        if let Ok(style) = ProgressStyle::with_template(style) {
            bar.set_style(style.progress_chars("=> "));
        }
        bar.set_prefix(name.to_owned());
        let now = Instant::now();
        let figures = Figures {
            games,
            done: 0,
            played: 0,
            mean: Mean::default(),
            begun: None,
            last_game: now,
            last_line: now,
        };
        let line = Line {
            display: self.display,
            bars: self.bars.clone(),
            name: name.to_owned(),
            bar,
            figures: Arc::new(Mutex::new(figures)),
        };
        self.lines.lock().unwrap_or_else(PoisonError::into_inner).push(line.clone());
        line
    }

    /// Prints a plain line for each experiment that has gone on for a while.
    pub(super) fn tick(&self) {
        if self.display == Display::Lines {
            let lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
            lines.iter().for_each(Line::tick);
        }
    }
}

fn say(display: Display, bars: &MultiProgress, text: &str) {
    match display {
        Display::Bars => {
            let _ = bars.println(text);
        }
        Display::Lines | Display::Quiet => eprintln!("{text}"),
    }
}

/// The line of one experiment.
#[derive(Clone)]
pub(super) struct Line {
    display: Display,
    bars: MultiProgress,
    name: String,
    bar: ProgressBar,
    figures: Arc<Mutex<Figures>>,
}

struct Figures {
    games: u64,
    done: u64,
    played: u64,
    mean: Mean,
    /// When the first games of this run were handed out.
    begun: Option<Instant>,
    /// When the last one did.
    last_game: Instant,
    last_line: Instant,
}

impl Line {
    /// Sets how many games were there before.
    pub(super) fn begin(&self, done: u64) {
        self.lock().done = done;
        self.bar.set_position(done);
        self.bar.reset_eta();
    }

    /// Starts the clock, when the first games are handed out.
    pub(super) fn start(&self) {
        let mut figures = self.lock();
        if figures.begun.is_none() {
            figures.begun = Some(Instant::now());
            figures.last_line = Instant::now();
        }
    }

    /// Counts a game.
    pub(super) fn game(&self, score: u32) {
        let mut figures = self.lock();
        figures.done += 1;
        figures.played += 1;
        figures.last_game = Instant::now();
        figures.mean.add(f64::from(score));
        match self.display {
            Display::Bars => {
                self.bar.set_message(figures.mean_text());
                self.bar.set_position(figures.done);
            }
            Display::Lines if figures.done == figures.games => eprintln!("{}", figures.text(&self.name)),
            Display::Lines | Display::Quiet => {}
        }
    }

    /// Says something about the experiment, between the lines.
    pub(super) fn say(&self, text: &str) {
        say(self.display, &self.bars, text);
    }

    fn tick(&self) {
        let mut figures = self.lock();
        let goes_on = figures.played > 0 && figures.done < figures.games;
        if goes_on && figures.last_line.elapsed() >= LINE_EVERY {
            figures.last_line = Instant::now();
            eprintln!("{}", figures.text(&self.name));
        }
    }

    /// Ends the line.
    pub(super) fn end(&self, is_whole: bool) {
        let figures = self.lock();
        match self.display {
            Display::Bars if is_whole => self.bar.finish(),
            Display::Bars => self.bar.abandon(),
            Display::Lines if figures.played > 0 && !is_whole => eprintln!("{}", figures.text(&self.name)),
            Display::Lines | Display::Quiet => {}
        }
    }

    fn lock(&self) -> MutexGuard<'_, Figures> {
        self.figures.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Figures {
    fn text(&self, name: &str) -> String {
        let elapsed = self.begun.map_or(0.0, |begun| (self.last_game - begun).as_secs_f64()).max(1e-3);
        let rate = self.played as f64 / elapsed;
        let left = Duration::from_secs_f64((self.games - self.done) as f64 / rate.max(1e-9));
        let eta = humantime::format_duration(Duration::from_secs(left.as_secs()));
        format!(
            "{name}: {}/{} games, {rate:.1} games/s, ETA {eta}, {}",
            self.done,
            self.games,
            self.mean_text()
        )
    }

    /// The mean of the games of this run. Those that were there before are not read for it, which is said.
    fn mean_text(&self) -> String {
        let mean = self.mean.text();
        if self.done == self.played { mean } else { format!("{mean} in the {} played now", self.played) }
    }
}

/// A mean and its spread, value by value (Welford).
#[derive(Clone, Copy, Default)]
struct Mean {
    count: f64,
    mean: f64,
    squares: f64,
}

impl Mean {
    fn add(&mut self, value: f64) {
        self.count += 1.0;
        let off = value - self.mean;
        self.mean += off / self.count;
        self.squares += off * (value - self.mean);
    }

    /// The mean with its 95 % interval, as far as the normal distribution tells: enough for a glance.
    fn text(&self) -> String {
        if self.count < 2.0 {
            return format!("mean score {:.0}", self.mean);
        }
        let deviation = (self.squares / (self.count - 1.0)).sqrt();
        format!("mean score {:.0} ± {:.0}", self.mean, 1.96 * deviation / self.count.sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_running_mean_is_the_mean() {
        let mut mean = Mean::default();
        [2.0, 4.0, 9.0].into_iter().for_each(|value| mean.add(value));
        assert!((mean.mean - 5.0).abs() < 1e-12);
        assert!((mean.squares / 2.0 - 13.0).abs() < 1e-12);
        assert_eq!(mean.text(), "mean score 5 ± 4");
    }

    #[test]
    fn a_mean_without_the_games_of_earlier_runs_says_so() {
        let line = Progress::new(Display::Quiet).line("p/r", 3);
        line.begin(1);
        [4, 6].into_iter().for_each(|score| line.game(score));
        assert_eq!(line.lock().mean_text(), "mean score 5 ± 2 in the 2 played now");
    }
}
