//! Waiting for a step to end: what is shown meanwhile, and what is said of one that does not.

use std::time::{Duration, Instant};

use engine::Ending;
use engine::conformance::DEMANDS;
use indicatif::{ProgressBar, ProgressStyle};

use crate::run::Display;
use surroundings::console::note;
use verdict::format::counted;
use workers::worker::Fault;
use workers::worker::protocol::CheckedStep;

/// How often a plain line tells of a step that goes on.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// How many games the longest step plays, at least.
const GAMES_OF_A_STEP: u32 = 16;

/// A step under way.
pub(super) struct Waiting {
    display: Display,
    bar: ProgressBar,
    limit: Duration,
    /// The most moves of a game.
    moves: u32,
    begun: Instant,
    told: Instant,
    decisions: u32,
    last_decision: Instant,
}

/// What turns while a step goes on; nothing is drawn before something is decided.
fn spinner(display: Display) -> ProgressBar {
    let bar = if display == Display::Bars { ProgressBar::new_spinner() } else { ProgressBar::hidden() };
    if let Ok(style) = ProgressStyle::with_template("      {spinner} {wide_msg}") {
        bar.set_style(style);
    }
    bar
}

impl Waiting {
    pub(super) fn new(is_quiet: bool, limit: Duration, moves: u32) -> Self {
        let display = Display::fitting(is_quiet);
        let now = Instant::now();
        let bar = spinner(display);
        Self { display, bar, limit, moves, begun: now, told: now, decisions: 0, last_decision: now }
    }

    /// Hears how many decisions were made in the step.
    pub(super) fn decided(&mut self, demand: &str, decisions: u32) {
        let now = Instant::now();
        if decisions != self.decisions {
            (self.decisions, self.last_decision) = (decisions, now);
        }
        let words = || {
            let (elapsed, limit) = (self.begun.elapsed().as_secs(), self.limit.as_secs());
            format!("{demand}: {} after {elapsed} s of at most {limit} s", self.words())
        };
        match self.display {
            Display::Bars => {
                self.bar.set_message(words());
                self.bar.tick();
            }
            Display::Lines if now.duration_since(self.told) >= LINE_EVERY => {
                note(words());
                self.told = now;
            }
            Display::Lines | Display::Quiet => {}
        }
    }

    pub(super) fn step_is_done(&mut self) {
        self.bar.finish_and_clear();
        // To reset the bar would draw it once more, and leave that line behind.
        self.bar = spinner(self.display);
        let now = Instant::now();
        (self.begun, self.told, self.decisions, self.last_decision) = (now, now, 0, now);
    }

    fn words(&self) -> String {
        counted(self.decisions.into(), "decision")
    }

    /// What is told of a step that did not come to its end.
    pub(super) fn broken_off(&self, demand: &str, fault: &Fault) -> CheckedStep {
        let (seen, remedy) = match fault.ending {
            Ending::Timeout => self.too_slow(demand),
            _ => (
                fault.to_string(),
                "make sure that the agent never crashes, exits or loops forever: that ends the game"
                    .to_owned(),
            ),
        };
        CheckedStep { demand: demand.to_owned(), passed: false, place: None, seen, remedy: Some(remedy) }
    }

    /// An agent that is slow gets on, and one that hangs does not.
    fn too_slow(&self, demand: &str) -> (String, String) {
        let limit = self.limit.as_secs();
        let silent = self.last_decision.elapsed();
        if silent * 2 > self.limit {
            let seen = format!(
                "no answer for {} s, after {}; the step was stopped at its limit of {limit} s",
                silent.as_secs(),
                self.words()
            );
            return (seen, "let the agent answer every position, or raise the limit with --limit".to_owned());
        }
        let each = self.limit.as_secs_f64() / f64::from(self.decisions.max(1));
        let seen =
            format!("not done within its limit of {limit} s: {} so far, {each:.2} s each", self.words());
        let shorter = (self.decisions / (2 * GAMES_OF_A_STEP)).clamp(1, self.moves);
        let remedy = match DEMANDS.last() {
            Some(&last) if last == demand => {
                "nothing is wrong with the agent so far: allow more time with --limit, or a smaller --budget"
                    .to_owned()
            }
            _ => format!(
                "nothing is wrong with the agent so far: allow more time with --limit, shorter games with --moves {shorter}, \
                 or a smaller --budget"
            ),
        };
        (seen, remedy)
    }
}
