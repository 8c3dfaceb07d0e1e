//! How a study stands while it runs, for whoever watches: the best point so far, and with two objectives how much of the space its
//! front has won.

use std::time::{Duration, Instant};

use manifest::Study;

use studies::TrialRow;
use studies::outcome::{largest_cost, reached, winners};
use text::Scale;

/// How often a study is looked at as a whole.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// How much longer than looking took the study is then left to itself.
const PATIENCE: u32 = 30;

/// How a study stood when it was last looked at.
#[derive(Clone, Debug)]
pub(super) struct Standing {
    text: String,
    next: Instant,
}

impl Standing {
    pub(super) fn new() -> Self {
        Self { text: String::new(), next: Instant::now() }
    }

    /// How the study stands, in a few words: by now, or by a moment ago where looking at it takes long.
    pub(super) fn of(&mut self, study: &Study, rows: &[TrialRow]) -> &str {
        let begun = Instant::now();
        if begun >= self.next {
            self.text = text(study, rows);
            self.next = Instant::now() + LOOK_EVERY.max(begun.elapsed() * PATIENCE);
        }
        &self.text
    }
}

fn text(study: &Study, rows: &[TrialRow]) -> String {
    let winners = winners(study, rows);
    let Some(score) = winners.first().and_then(|best| best.score()) else { return String::new() };
    let interval = Scale::Points.interval(score.low, score.high);
    let mut text = format!("best {} ({interval})", Scale::Points.text(score.point));
    if study.objectives.len() == 2
        && let Some((_, area)) = reached(study, rows, largest_cost(rows)).last()
    {
        text.push_str(&format!(", hypervolume {}", Scale::Points.text(*area)));
    }
    text
}
