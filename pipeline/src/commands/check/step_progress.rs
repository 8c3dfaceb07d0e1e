//! Waiting for a step to end: progress, and the result of a step that does not end.

use std::time::{Duration, Instant};

use engine::Ending;
use engine::conformance::{DEMANDS, StepResult};

use super::step;
use crate::progress::{Display, Progress, ProgressLine};
use text::counted;
use workers::Fault;

/// How many games the longest step plays, at least.
const GAMES_OF_A_STEP: u32 = 16;

/// The current step.
pub(super) struct StepProgress {
    display: Display,
    line: Option<ProgressLine>,
    limit: Duration,
    /// The most moves of a game.
    moves: u32,
    decisions: u32,
    last_decision: Instant,
}

impl StepProgress {
    pub(super) fn new(display: Display, limit: Duration, moves: u32) -> Self {
        let now = Instant::now();
        Self { display, line: None, limit, moves, decisions: 0, last_decision: now }
    }

    /// Shows the number of decisions so far.
    pub(super) fn decided(&mut self, demand: &str, decisions: u32) {
        if decisions != self.decisions {
            (self.decisions, self.last_decision) = (decisions, Instant::now());
        }
        let line = self.line.get_or_insert_with(|| {
            let line = Progress::new(self.display).line(demand, None, "decision");
            line.start();
            line.describe(&format!("at most {} s", self.limit.as_secs()));
            line
        });
        line.rows(u64::from(decisions).saturating_sub(line.played()));
    }

    /// Starts the next step with a new line: resetting the old one would leave it behind.
    pub(super) fn next_step(&mut self) {
        if let Some(line) = &self.line {
            line.clear();
        }
        *self = Self::new(self.display, self.limit, self.moves);
    }

    fn words(&self) -> String {
        counted(self.decisions.into(), "decision")
    }

    /// The result of a step that did not end.
    pub(super) fn broken_off(&self, demand: &str, fault: &Fault) -> StepResult {
        let (seen, remedy) = match fault.ending {
            Ending::Timeout => self.too_slow(demand),
            _ => {
                let remedy =
                    "make sure that the agent never crashes, exits or loops forever: that ends the game";
                (fault.to_string(), remedy.to_owned())
            }
        };
        step(demand, false, seen, &remedy)
    }

    /// An agent that is slow gets on, and one that hangs does not.
    fn too_slow(&self, demand: &str) -> (String, String) {
        let (limit, decisions) = (self.limit.as_secs(), self.words());
        let silent = self.last_decision.elapsed();
        if silent * 2 > self.limit {
            let silent = silent.as_secs();
            let stopped = format!("the step was stopped at its limit of {limit} s");
            let seen = format!("no answer for {silent} s, after {decisions}; {stopped}");
            return (seen, "let the agent answer every position, or raise the limit with --limit".to_owned());
        }
        let each = self.limit.as_secs_f64() / f64::from(self.decisions.max(1));
        let seen = format!("not done within its limit of {limit} s: {decisions} so far, {each:.2} s each");
        let shorter = match DEMANDS.last() == Some(&demand) {
            true => String::new(),
            false => {
                let moves = (self.decisions / (2 * GAMES_OF_A_STEP)).clamp(1, self.moves);
                format!("shorter games with --moves {moves}, ")
            }
        };
        let so_far = "nothing is wrong with the agent so far: allow more time with --limit";
        (seen, format!("{so_far}, {shorter}or a smaller --budget"))
    }
}
