//! Progress of a command on standard error: a line per job with its rows, their rate, the time left and what
//! the kind says of it. A terminal shows bars, a log gets plain lines now and then. Standard output is for
//! results.

use std::fmt;
use std::io::IsTerminal as _;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{MultiProgress, ProgressBar, ProgressState, ProgressStyle};

use platform::console::note;
use platform::plain;
use text::{counted, thousands};

/// The time between two plain lines about one job; later, a part of the time so far.
const LINE_INTERVAL: Duration = Duration::from_secs(10);
const LINES: u32 = 100;

/// The number of jobs from which on completed ones make room, and one line sums them all up.
const MANY: usize = 40;

/// How progress is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Display {
    /// Bars, for a terminal.
    Bars,
    /// Plain lines, for a log.
    Lines,
    /// Nothing but problems.
    Quiet,
}

impl Display {
    /// Bars if standard error is a terminal, else lines; nothing if it is to be quiet.
    pub fn fitting(is_quiet: bool) -> Self {
        match (is_quiet, std::io::stderr().is_terminal()) {
            (true, _) => Self::Quiet,
            (false, true) => Self::Bars,
            (false, false) => Self::Lines,
        }
    }
}

/// The progress of a command.
pub struct Progress {
    shared: Arc<Shared>,
}

/// What all lines have in common.
struct Shared {
    display: Display,
    bars: MultiProgress,
    /// All jobs together, if they are many.
    total: OnceLock<ProgressLine>,
}

impl Progress {
    /// Progress shown in this way.
    pub fn new(display: Display) -> Self {
        let (bars, total) = (MultiProgress::new(), OnceLock::new());
        Self { shared: Arc::new(Shared { display, bars, total }) }
    }

    /// Sets the number of jobs and the number of rows that they lack.
    pub(crate) fn expect(&self, jobs: usize, kinds: &str, rows: u64, row: &'static str) {
        if jobs >= MANY {
            let total = self.line(&format!("{jobs} {kinds}"), Some(rows), row);
            total.start();
            let _ = self.shared.total.set(total);
        }
    }

    /// Prints a text between the lines.
    pub fn say(&self, text: &str) {
        self.shared.say(text);
    }

    /// The line of a job with this many rows, which shows once it starts.
    pub(crate) fn line(&self, name: &str, of: Option<u64>, row: &'static str) -> ProgressLine {
        let now = Instant::now();
        let figures = Figures {
            of,
            done: 0,
            played: 0,
            scores: MeanScore::default(),
            words: String::new(),
            started: None,
            last_row: now,
            last_line: now,
        };
        ProgressLine {
            shared: Arc::clone(&self.shared),
            name: plain::line(name),
            row,
            bar: ProgressBar::hidden(),
            figures: Mutex::new(figures),
        }
    }
}

impl Shared {
    fn say(&self, text: &str) {
        let text = plain::text(text);
        match self.display {
            Display::Bars => drop(self.bars.println(&text)),
            Display::Lines | Display::Quiet => note(&text),
        }
    }
}

/// The line of one job.
pub(crate) struct ProgressLine {
    shared: Arc<Shared>,
    name: String,
    row: &'static str,
    bar: ProgressBar,
    figures: Mutex<Figures>,
}

struct Figures {
    /// The number of rows in the end, if it is known.
    of: Option<u64>,
    done: u64,
    /// Those of this run.
    played: u64,
    /// The scores of this run's games, if rows are games.
    scores: MeanScore,
    /// What the kind says about the job.
    words: String,
    started: Option<Instant>,
    last_row: Instant,
    last_line: Instant,
}

impl ProgressLine {
    /// Sets the number of rows that are done, however they were.
    pub(crate) fn set_done(&self, done: u64) {
        let mut figures = self.lock();
        figures.done = done;
        self.bar.set_position(done);
    }

    /// Starts the clock and shows the line.
    pub(crate) fn start(&self) {
        let mut figures = self.lock();
        if figures.started.is_some() {
            return;
        }
        let now = Instant::now();
        (figures.started, figures.last_line) = (Some(now), now);
        if self.shared.display == Display::Bars {
            self.show(&figures);
        }
    }

    /// Shows the bar, above that of all jobs.
    fn show(&self, figures: &Figures) {
        // A line of 100 columns has room for the words; what is wider is cut, so that no bar takes two lines.
        let style = match figures.of {
            Some(_) => "{prefix:32!} {bar:10} {pos:>5}/{len:<5} {rate:>8} ETA {eta:>4} {wide_msg}",
            None => "{prefix:32!} {spinner} {pos:>5} {rate:>8} {wide_msg}",
        };
        if let Ok(style) = ProgressStyle::with_template(style) {
            self.bar.set_style(style.with_key("rate", rate).progress_chars("=> "));
        }
        if let Some(of) = figures.of {
            self.bar.set_length(of);
        }
        self.bar.set_prefix(self.name.clone());
        match self.shared.total.get() {
            Some(total) => self.shared.bars.insert_before(&total.bar, self.bar.clone()),
            None => self.shared.bars.add(self.bar.clone()),
        };
        self.bar.set_position(figures.done);
        self.bar.reset_eta();
    }

    /// Counts a game of this run.
    pub(crate) fn game(&self, score: u32) {
        if let Some(total) = self.shared.total.get() {
            total.count(1, Some(score));
        }
        self.count(1, Some(score));
    }

    /// Counts rows of this run.
    pub(crate) fn rows(&self, rows: u64) {
        self.count(rows, None);
    }

    /// Counts rows. In a log, prints a plain line if the last one is a while ago.
    fn count(&self, rows: u64, score: Option<u32>) {
        let mut figures = self.lock();
        figures.done += rows;
        figures.played += rows;
        figures.last_row = Instant::now();
        if let Some(score) = score {
            figures.scores.add(score);
        }
        match self.shared.display {
            Display::Bars => {
                self.bar.set_message(figures.message(self.row));
                self.bar.set_position(figures.done);
            }
            Display::Lines => {
                let so_far = figures.started.map_or(Duration::ZERO, |started| started.elapsed());
                let is_due = figures.last_line.elapsed() >= LINE_INTERVAL.max(so_far / LINES);
                if is_due && figures.played > 0 && figures.of != Some(figures.done) {
                    figures.last_line = Instant::now();
                    note(format_args!("{}: {}", self.name, figures.text(self.row)));
                }
            }
            Display::Quiet => {}
        }
    }

    /// Sets what the kind says about the job.
    pub(crate) fn describe(&self, words: &str) {
        let mut figures = self.lock();
        if figures.words != words {
            words.clone_into(&mut figures.words);
            self.bar.set_message(figures.message(self.row));
        }
    }

    /// The number of rows of this run.
    pub(crate) fn played(&self) -> u64 {
        self.lock().played
    }

    /// Prints a text about the job, between the lines.
    pub(crate) fn say(&self, text: &str) {
        self.shared.say(&format!("{}: {text}", self.name));
    }

    /// The same, unless it is to be quiet.
    pub(crate) fn remark(&self, text: &str) {
        if self.shared.display != Display::Quiet {
            self.say(text);
        }
    }

    /// Ends the line. One of many makes room.
    pub(crate) fn end(&self, is_complete: bool) {
        let figures = self.lock();
        let is_one_of_many = self.shared.total.get().is_some();
        match self.shared.display {
            _ if figures.started.is_none() => {}
            Display::Bars if is_one_of_many => self.bar.finish_and_clear(),
            Display::Bars => self.bar.abandon(),
            Display::Lines if figures.played > 0 && !(is_complete && is_one_of_many) => {
                note(format_args!("{}: {}", self.name, figures.text(self.row)));
            }
            Display::Lines | Display::Quiet => {}
        }
    }

    /// Removes the line.
    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }

    fn lock(&self) -> MutexGuard<'_, Figures> {
        self.figures.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Rows per second. The width of indicatif's own rate is its number of decimals.
fn rate(state: &ProgressState, text: &mut dyn fmt::Write) {
    // A text in memory takes all.
    let _ = write!(text, "{:.1}/s", state.per_sec());
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(total) = self.shared.total.get() {
            total.bar.finish();
        }
    }
}

impl Figures {
    fn text(&self, row: &str) -> String {
        let mut text = match self.of {
            Some(of) => format!("{}/{}", thousands(self.done as f64), counted(of, row)),
            None => counted(self.done, row),
        };
        if self.played > 0 {
            let elapsed = self.started.map_or(0.0, |started| (self.last_row - started).as_secs_f64());
            let rate = self.played as f64 / elapsed.max(1e-3);
            text.push_str(&format!(", {rate:.1} {row}s/s"));
            if let Some(of) = self.of {
                let left = of.saturating_sub(self.done) as f64 / rate.max(1e-9);
                let left = Duration::from_secs(left.min(1e9) as u64);
                text.push_str(&format!(", ETA {}", humantime::format_duration(left)));
            }
        }
        // Last, where a narrow terminal cuts the line.
        match self.message(row) {
            words if words.is_empty() => text,
            words => format!("{text}, {words}"),
        }
    }

    /// The mean score and what the kind says. Games of earlier runs are not read for the mean, which is said.
    fn message(&self, row: &str) -> String {
        let mean = match self.scores.count {
            0 => String::new(),
            _ if self.done == self.played => self.scores.text(),
            _ => format!("{} in the {} of this run", self.scores.text(), counted(self.played, row)),
        };
        if mean.is_empty() { self.words.clone() } else { mean }
    }
}

/// The mean of scores and its spread.
#[derive(Clone, Copy, Default)]
struct MeanScore {
    count: u64,
    sum: u64,
    squares: u128,
}

impl MeanScore {
    fn add(&mut self, score: u32) {
        self.count += 1;
        self.sum += u64::from(score);
        self.squares += u128::from(score).pow(2);
    }

    /// The mean with its 95 % interval by the normal distribution: enough for a glance.
    fn text(&self) -> String {
        let (count, sum) = (self.count as f64, self.sum as f64);
        let mean = format!("mean score {}", thousands((sum / count).round()));
        if self.count < 2 {
            return mean;
        }
        let off_squared = u128::from(self.count) * self.squares - u128::from(self.sum).pow(2);
        let reach = 1.96 * (off_squared as f64 / count / (count - 1.0) / count).sqrt();
        format!("{mean} ± {}", thousands(reach.round()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(of: Option<u64>, row: &'static str) -> ProgressLine {
        Progress::new(Display::Quiet).line("p/r", of, row)
    }

    #[test]
    fn the_running_mean_is_the_mean() {
        let mut mean = MeanScore::default();
        mean.add(2);
        assert_eq!(mean.text(), "mean score 2");
        [4, 9].into_iter().for_each(|score| mean.add(score));
        // The variance is 13.
        assert_eq!(mean.text(), "mean score 5 ± 4");
    }

    #[test]
    fn a_mean_without_the_games_of_earlier_runs_says_so() {
        let line = line(Some(3), "game");
        line.set_done(1);
        [4, 6].into_iter().for_each(|score| line.game(score));
        assert_eq!(line.lock().message("game"), "mean score 5 ± 2 in the 2 games of this run");
    }

    #[test]
    fn a_line_has_rows_rate_time_left_and_the_words_of_the_kind() {
        let line = line(Some(17_050), "trial");
        line.set_done(122);
        line.describe("batch 3, best 2,048 (1,900 to 2,196)");
        let before = line.lock().text("trial");
        assert_eq!(before, "122/17,050 trials, batch 3, best 2,048 (1,900 to 2,196)");
        line.rows(1);
        let played = line.lock().text("trial");
        assert!(played.starts_with("123/17,050 trials, ") && played.contains(" trials/s, ETA "), "{played}");
        assert!(played.ends_with(", batch 3, best 2,048 (1,900 to 2,196)"), "{played}");
    }

    #[test]
    fn a_line_without_a_known_end_has_no_time_left() {
        let line = line(None, "trial");
        line.rows(1);
        let text = line.lock().text("trial");
        assert!(text.starts_with("1 trial, ") && !text.contains("ETA"), "{text}");
    }
}
