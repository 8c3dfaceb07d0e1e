//! The best point of a study that runs, for its progress line; with two objectives also the hypervolume of
//! its front.

use std::time::{Duration, Instant};

use manifest::Study;

use studies::TrialRow;
use studies::outcome::{largest_cost, reached, winners};
use text::Scale;

/// How often it is computed.
const INTERVAL: Duration = Duration::from_secs(1);
/// The smallest ratio of the study's own time to that of computing it.
const PATIENCE: u32 = 30;

/// The best point when it was last computed.
#[derive(Clone, Debug)]
pub(super) struct BestSoFar {
    text: String,
    next: Instant,
}

impl BestSoFar {
    pub(super) fn new() -> Self {
        Self { text: String::new(), next: Instant::now() }
    }

    /// The best point in a few words after a comma: of now, or of a moment ago if computing it takes long.
    pub(super) fn text(&mut self, study: &Study, rows: &[TrialRow]) -> &str {
        let start = Instant::now();
        if start >= self.next {
            self.text = text(study, rows);
            self.next = Instant::now() + INTERVAL.max(start.elapsed() * PATIENCE);
        }
        &self.text
    }
}

fn text(study: &Study, rows: &[TrialRow]) -> String {
    let winners = winners(study, rows);
    let Some(score) = winners.first().and_then(|best| best.score()) else { return String::new() };
    let interval = Scale::Points.interval(score.low, score.high);
    let mut text = format!(", best {} ({interval})", Scale::Points.text(score.point));
    if study.objectives.len() == 2
        && let Some((_, area)) = reached(study, rows, largest_cost(rows)).last()
    {
        text.push_str(&format!(", hypervolume {}", Scale::Points.text(*area)));
    }
    text
}
