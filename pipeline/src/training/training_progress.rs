//! The progress of a training: its learning curve, row by row.

use serde::{Deserialize, Serialize};
use text::thousands;
use workers::Learned;

/// The version of the form.
const FORM: u32 = 1;

/// The progress of a training.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrainingProgress {
    form: u32,
    /// The rows that are whole.
    rows: Vec<Learned>,
    /// The one that is being filled.
    open: Learned,
    /// Their sum.
    #[serde(skip)]
    total: Learned,
}

impl Default for TrainingProgress {
    fn default() -> Self {
        Self { form: FORM, rows: Vec::new(), open: Learned::default(), total: Learned::default() }
    }
}

impl TrainingProgress {
    /// The state as it was read, with its sums; `None` if it has another form.
    pub(super) fn summed(self) -> Option<Self> {
        let mut total = Learned::default();
        self.rows.iter().chain([&self.open]).for_each(|row| total = sum(total, *row));
        (self.form == FORM).then_some(Self { total, ..self })
    }

    /// The rows of the learning curve; the last one may be of fewer games.
    pub fn rows(&self) -> impl Iterator<Item = &Learned> {
        self.rows.iter().chain((self.open.games > 0).then_some(&self.open))
    }

    /// The sum of all rows.
    pub const fn total(&self) -> &Learned {
        &self.total
    }

    /// The latest games: the open row, and the one before it if there is one.
    pub fn latest(&self) -> Learned {
        self.rows.last().map_or(self.open, |last| sum(*last, self.open))
    }

    /// How the latest games went, for a progress line.
    pub(super) fn text(&self) -> String {
        let latest = self.latest();
        let (games, seconds) = (latest.games.max(1) as f64, (latest.cpu_ns as f64 / 1e9).max(1e-3));
        format!(
            "{} moves/s, mean {}, 2048 in {:.1} %",
            thousands((latest.moves as f64 / seconds).round()),
            thousands((latest.score_sum as f64 / games).round()),
            100.0 * latest.reached[0] as f64 / games
        )
    }

    /// The number of games that the open row lacks.
    pub(super) const fn row_left(&self, curve_every: u64) -> u64 {
        curve_every.saturating_sub(self.open.games)
    }

    /// Adds games. A row that has all of its games is closed.
    pub(super) fn add(&mut self, learned: Learned, curve_every: u64) {
        self.open = sum(self.open, learned);
        self.total = sum(self.total, learned);
        if self.open.games >= curve_every {
            self.rows.push(std::mem::take(&mut self.open));
        }
    }
}

fn sum(one: Learned, other: Learned) -> Learned {
    Learned {
        games: one.games + other.games,
        moves: one.moves + other.moves,
        score_sum: one.score_sum + other.score_sum,
        reached: std::array::from_fn(|place| one.reached[place] + other.reached[place]),
        cpu_ns: one.cpu_ns + other.cpu_ns,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn learned(games: u64) -> Learned {
        Learned { games, moves: 10 * games, score_sum: 100 * games, reached: [games, 0, 0, 0], cpu_ns: 1 }
    }

    #[test]
    fn games_fill_row_after_row_and_stay_the_same_on_paper() {
        let mut progress = TrainingProgress::default();
        for games in [3, 2, 5, 4] {
            assert!(games <= progress.row_left(5));
            progress.add(learned(games), 5);
        }
        let rows: Vec<u64> = progress.rows().map(|row| row.games).collect();
        assert_eq!((rows, progress.total().games, progress.row_left(5)), (vec![5, 5, 4], 14, 1));
        assert_eq!(progress.latest().games, 9);
        let text = serde_json::to_string(&progress).unwrap();
        let read = |text: &str| serde_json::from_str::<TrainingProgress>(text).unwrap().summed();
        assert_eq!(read(&text), Some(progress));
        assert_eq!(read(&text.replace("\"form\":1", "\"form\":2")), None);
    }
}
