//! How far a training has come: what its games came to, row by row of its learning curve.

use serde::{Deserialize, Serialize};
use workers::worker::protocol::Learned;

/// The version of the form.
const FORM: u32 = 1;

/// How far a training has come.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Standing {
    form: u32,
    /// The rows that are whole.
    rows: Vec<Learned>,
    /// The one under way.
    open: Learned,
    /// What all of them came to.
    #[serde(skip)]
    total: Learned,
}

impl Default for Standing {
    fn default() -> Self {
        Self { form: FORM, rows: Vec::new(), open: Learned::default(), total: Learned::default() }
    }
}

impl Standing {
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

    /// What all games came to.
    #[must_use]
    pub const fn total(&self) -> &Learned {
        &self.total
    }

    /// What the latest games came to: the row under way, and the one before it where there is one.
    #[must_use]
    pub fn latest(&self) -> Learned {
        self.rows.last().map_or(self.open, |last| sum(*last, self.open))
    }

    /// How many games the row under way still takes.
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
        let mut standing = Standing::default();
        for games in [3, 2, 5, 4] {
            assert!(games <= standing.row_left(5));
            standing.add(learned(games), 5);
        }
        let rows: Vec<u64> = standing.rows().map(|row| row.games).collect();
        assert_eq!((rows, standing.total().games, standing.row_left(5)), (vec![5, 5, 4], 14, 1));
        assert_eq!(standing.latest().games, 9);
        let text = serde_json::to_string(&standing).unwrap();
        let read = |text: &str| serde_json::from_str::<Standing>(text).unwrap().summed();
        assert_eq!(read(&text), Some(standing));
        assert_eq!(read(&text.replace("\"form\":1", "\"form\":2")), None);
    }
}
