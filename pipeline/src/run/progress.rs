//! Progress: one line per experiment, with games, rate, time left and the running mean score; and where there are more experiments
//! than a screen has room for, one for all of them.

use std::collections::BTreeMap;
use std::fmt;
use std::io::IsTerminal as _;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{MultiProgress, ProgressBar, ProgressState, ProgressStyle};

use platform::console::note;
use text::{counted, thousands};

/// How often a plain line tells about an experiment that goes on.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// From how many experiments on those that are done make room, and a line tells of all together.
const MANY: usize = 40;

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
    shared: Arc<Shared>,
}

/// What all lines have in common.
struct Shared {
    display: Display,
    bars: MultiProgress,
    /// The experiments under way, by name.
    active: Mutex<BTreeMap<String, Line>>,
    /// All experiments together, where they are many.
    total: OnceLock<Line>,
}

impl Progress {
    /// Progress shown in this way.
    #[must_use]
    pub fn new(display: Display) -> Self {
        let (active, total) = (Mutex::default(), OnceLock::new());
        Self { shared: Arc::new(Shared { display, bars: MultiProgress::new(), active, total }) }
    }

    /// Says of how many experiments the run is, and how many games of them are to be played.
    pub(super) fn expect(&self, experiments: usize, games: u64) {
        if experiments >= MANY {
            let total = self.line(&format!("{experiments} experiments"), games);
            total.start();
            let _ = self.shared.total.set(total);
        }
    }

    /// Says something between the lines.
    pub fn say(&self, text: &str) {
        self.shared.say(text);
    }

    /// The line of an experiment, which shows once its first games are handed out.
    pub(super) fn line(&self, name: &str, games: u64) -> Line {
        let name = platform::plain::line(name);
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
        Line {
            shared: Arc::clone(&self.shared),
            name,
            bar: ProgressBar::hidden(),
            figures: Arc::new(Mutex::new(figures)),
        }
    }

    /// Prints a plain line for each experiment that has gone on for a while.
    pub(super) fn tick(&self) {
        if self.shared.display == Display::Lines {
            self.shared.active().values().for_each(Line::tick);
        }
    }
}

impl Shared {
    fn say(&self, text: &str) {
        let text = platform::plain::text(text);
        match self.display {
            Display::Bars => {
                let _ = self.bars.println(&text);
            }
            Display::Lines | Display::Quiet => note(&text),
        }
    }

    fn active(&self) -> MutexGuard<'_, BTreeMap<String, Line>> {
        self.active.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The line of one experiment.
#[derive(Clone)]
pub(super) struct Line {
    shared: Arc<Shared>,
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
    }

    /// Starts the clock and shows the line, when the first games are handed out.
    pub(super) fn start(&self) {
        let mut figures = self.lock();
        if figures.begun.is_some() {
            return;
        }
        figures.begun = Some(Instant::now());
        figures.last_line = Instant::now();
        if self.shared.display == Display::Bars {
            self.show(&figures);
        }
        drop(figures);
        self.shared.active().insert(self.name.clone(), self.clone());
    }

    /// Shows the bar, above that of all experiments.
    fn show(&self, figures: &Figures) {
        // A line of 100 columns has room for the mean; what is wider is cut, so that no bar takes two lines.
        let style = "{prefix:32!} {bar:10} {pos:>5}/{len:<5} {rate:>8} ETA {eta:>4} {wide_msg}";
        if let Ok(style) = ProgressStyle::with_template(style) {
            self.bar.set_style(style.with_key("rate", rate).progress_chars("=> "));
        }
        self.bar.set_length(figures.games);
        self.bar.set_prefix(self.name.clone());
        match self.shared.total.get() {
            Some(total) => self.shared.bars.insert_before(&total.bar, self.bar.clone()),
            None => self.shared.bars.add(self.bar.clone()),
        };
        self.bar.set_position(figures.done);
        self.bar.reset_eta();
    }

    /// Counts a game.
    pub(super) fn game(&self, score: u32) {
        if let Some(total) = self.shared.total.get() {
            total.count(score);
        }
        let is_done = self.count(score);
        if is_done && self.shared.display == Display::Lines && self.shared.total.get().is_none() {
            note(self.lock().text(&self.name));
        }
    }

    /// Counts a game, and says whether it is the last.
    fn count(&self, score: u32) -> bool {
        let mut figures = self.lock();
        figures.done += 1;
        figures.played += 1;
        figures.last_game = Instant::now();
        figures.mean.add(f64::from(score));
        if self.shared.display == Display::Bars {
            self.bar.set_message(figures.mean_text());
            self.bar.set_position(figures.done);
        }
        figures.done == figures.games
    }

    /// Says something about the experiment, between the lines.
    pub(super) fn say(&self, text: &str) {
        self.shared.say(text);
    }

    fn tick(&self) {
        let mut figures = self.lock();
        let goes_on = figures.played > 0 && figures.done < figures.games;
        if goes_on && figures.last_line.elapsed() >= LINE_EVERY {
            figures.last_line = Instant::now();
            note(figures.text(&self.name));
        }
    }

    /// Ends the line. One of many makes room.
    pub(super) fn end(&self, is_whole: bool) {
        self.shared.active().remove(&self.name);
        let figures = self.lock();
        let is_one_of_many = self.shared.total.get().is_some();
        match self.shared.display {
            _ if figures.begun.is_none() => {}
            Display::Bars if is_one_of_many => self.bar.finish_and_clear(),
            Display::Bars if is_whole => self.bar.finish(),
            Display::Bars => self.bar.abandon(),
            Display::Lines if figures.played > 0 && !is_whole => note(figures.text(&self.name)),
            Display::Lines | Display::Quiet => {}
        }
    }

    fn lock(&self) -> MutexGuard<'_, Figures> {
        self.figures.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Games per second. The width of indicatif's own rate is its number of decimals.
fn rate(state: &ProgressState, text: &mut dyn fmt::Write) {
    // A text in memory takes all.
    let _ = write!(text, "{:.1}/s", state.per_sec());
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(total) = self.shared.total.get() {
            total.bar.finish();
        }
        // Lines hold what they share, and it holds them.
        self.shared.active().clear();
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
        if self.done == self.played {
            mean
        } else {
            format!("{mean} in the {} of this run", counted(self.played, "game"))
        }
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
            return format!("mean score {}", thousands(self.mean.round()));
        }
        let deviation = (self.squares / (self.count - 1.0)).sqrt();
        let reach = 1.96 * deviation / self.count.sqrt();
        format!("mean score {} ± {}", thousands(self.mean.round()), thousands(reach.round()))
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
        assert_eq!(line.lock().mean_text(), "mean score 5 ± 2 in the 2 games of this run");
    }
}
