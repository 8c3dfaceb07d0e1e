//! Progress of a contest: a line that changes on a terminal, and plain lines elsewhere.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::words::{brief_lead, letter};
use crate::contest::Standing;
use crate::run::Display;
use stats::elo;
use surroundings::console::note;
use surroundings::plain::line;
use verdict::format::counted;

/// How often a plain line tells how it stands.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// Tells how a contest stands. All of it goes to standard error.
pub(super) struct Teller {
    display: Display,
    labels: Vec<String>,
    limit: u64,
    bar: ProgressBar,
    last_line: Mutex<Instant>,
}

impl Teller {
    pub(super) fn new(display: Display, labels: Vec<String>, limit: u64) -> Self {
        let bar = match display {
            Display::Bars => ProgressBar::new(limit),
            Display::Lines | Display::Quiet => ProgressBar::hidden(),
        };
        let template = "{human_pos} of at most {human_len} seeds, {elapsed}: {wide_msg}";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Self { display, labels, limit, bar, last_line: Mutex::new(Instant::now()) }
    }

    /// Says who plays, and what is known of an earlier run.
    pub(super) fn begin(&self, known: u64) {
        if self.display == Display::Lines {
            let names = self.labels.iter().enumerate();
            let names: Vec<String> =
                names.map(|(place, name)| format!("{} {}", letter(place), line(name))).collect();
            note(names.join(", "));
        }
        if known > 0 && self.display != Display::Quiet {
            self.bar.suspend(|| note(format!("{} of an earlier run are taken up", counted(known, "game"))));
        }
    }

    /// Tells of a seed: on a log of some, and of the last one at any rate.
    pub(super) fn tell(&self, standing: &Standing) {
        match self.display {
            Display::Bars => {
                self.bar.set_position(standing.seeds);
                self.bar.set_message(words(standing));
            }
            Display::Lines => {
                let mut last = self.last_line.lock().unwrap_or_else(PoisonError::into_inner);
                let is_last = standing.is_decided() || standing.seeds == self.limit;
                if is_last || last.elapsed() >= LINE_EVERY {
                    *last = Instant::now();
                    note(format!("{}: {}", counted(standing.seeds, "seed"), words(standing)));
                }
            }
            Display::Quiet => {}
        }
    }

    pub(super) fn end(&self) {
        self.bar.finish_and_clear();
    }
}

/// How it stands, in a line.
fn words(standing: &Standing) -> String {
    if let [only] = &standing.pairs[..] {
        let tally = only.tally;
        let (won, lost, tied) = (tally.losses, tally.wins, tally.ties);
        return format!("A won {won}, B won {lost}, {tied} tied; B over A {}", brief_lead(&elo(tally)));
    }
    let open = standing.pairs.iter().filter(|pair| pair.decision.is_none());
    let open: Vec<String> =
        open.map(|pair| format!("{}{}", letter(pair.first), letter(pair.second))).collect();
    let decided = standing.pairs.len() - open.len();
    let all = counted(standing.pairs.len() as u64, "pair");
    match open.len() {
        0 => format!("all of {all} decided"),
        1..=8 => format!("{decided} of {all} decided; open: {}", open.join(" ")),
        _ => format!("{decided} of {all} decided"),
    }
}
