//! Trainings that were done, as tables, figures and the report need them: what was learned from how many
//! games, what that cost, its file of weights, and the experiments that play with it.

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use crate::tables::ReportInput;
use ::trainings::{ArtefactOf, Cost, CurveRow, StoredTraining, store};
use jobs::{Key, StoreError};
use manifest::{Paper, Training};
use records::Layout;
use text::{Scale, counted, thousands};
use verdict::evidence::Games;

/// A training that was done, for tables, figures and the report.
#[derive(Clone, Debug)]
pub struct TrainingView<'a> {
    /// Its paper.
    pub paper: &'a Paper,
    /// The training.
    pub training: &'a Training,
    /// What is stored of it.
    pub stored: StoredTraining,
}

/// Games of a training, taken together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stretch {
    /// How many games.
    pub games: u64,
    /// Their mean score.
    pub mean: f64,
    /// The share of them that reached 2048.
    pub won: f64,
}

impl Stretch {
    /// Rows of a curve together; none if there are no games in them.
    fn of(rows: &[CurveRow]) -> Option<Self> {
        let sum = |of: fn(&CurveRow) -> u64| rows.iter().map(of).sum::<u64>();
        let games = sum(|row| row.games_in_row);
        let share = |sum: u64| sum as f64 / games as f64;
        let (mean, won) = (share(sum(|row| row.score_sum)), share(sum(|row| row.reached[0])));
        (games > 0).then_some(Self { games, mean, won })
    }
}

impl<'a> TrainingView<'a> {
    /// The trainings of papers that were done, in the manifests' order.
    pub fn all(papers: &'a [Paper], layout: &Layout) -> Result<Vec<Self>, StoreError> {
        let all =
            papers.iter().flat_map(|paper| paper.trainings.iter().map(move |training| (paper, training)));
        let view = |(paper, training): (&'a Paper, &'a Training)| {
            let key = Key::new(&paper.id, &training.id);
            let stored = store::read(&layout.training(&key)).transpose()?;
            Some(stored.map(|stored| Self { paper, training, stored }))
        };
        all.filter_map(view).collect()
    }

    /// In what it differs from the training that the manifest asks for, in words; nothing where it does not.
    pub fn staleness(&self) -> Option<String> {
        let differences = self.stored.header.identity.differences_from(self.training, None);
        let parts: Vec<&str> = differences.iter().map(|difference| difference.component.as_str()).collect();
        (!parts.is_empty()).then(|| format!("stale: {}", parts.join(", ")))
    }

    /// Paper and training.
    pub fn key(&self) -> String {
        format!("{}/{}", self.paper.id, self.training.id)
    }

    /// Its file of weights.
    pub fn artefact(&self) -> &ArtefactOf {
        &self.stored.header.artefact
    }

    /// What it cost.
    pub fn cost(&self) -> Cost {
        self.stored.header.cost
    }

    /// The last tenth of its games, since a single row has few.
    pub fn last(&self) -> Option<Stretch> {
        let (rows, games) = (self.stored.curve.rows(), self.stored.curve.games());
        let first = rows
            .iter()
            .position(|row| row.games > games - games / 10)
            .unwrap_or(rows.len().saturating_sub(1));
        Stretch::of(rows.get(first..)?)
    }

    /// Its outcome, in a sentence.
    pub fn outcome(&self) -> String {
        let Some(last) = self.last() else { return "Its curve has no games.".to_owned() };
        let stale = self
            .staleness()
            .map(|stale| format!(" ({stale}: the manifest asks for another training)"))
            .unwrap_or_default();
        format!(
            "In its last {}, while it still learned, its mean score was {}, and {} reached 2048{stale}.",
            counted(last.games, "game"),
            thousands(last.mean),
            Scale::Share.text(last.won)
        )
    }

    /// The experiments whose games were played with what it gave, of all papers.
    pub fn players(&self, input: ReportInput<'a>) -> Vec<Key> {
        let is_ours = |file: &String| *file == self.artefact().sha256;
        let players = input.evidence.iter().filter(|(_, games)| games.identity.files.values().any(is_ours));
        players.map(|(key, _)| key.clone()).collect()
    }
}

/// What it cost to learn the files that games were played with; none if they were played with none that
/// was learned.
pub fn cost_of(trainings: &[TrainingView<'_>], games: &Games) -> Option<Cost> {
    let files: BTreeSet<&String> = games.identity.files.values().collect();
    let cost =
        |file: &String| trainings.iter().find(|view| view.artefact().sha256 == *file).map(TrainingView::cost);
    files.into_iter().filter_map(cost).reduce(|one, other| Cost {
        games: one.games + other.games,
        moves: one.moves + other.moves,
        cpu_ns: one.cpu_ns + other.cpu_ns,
    })
}

/// The time of a processor, as text.
pub fn cpu_time(cost: &Cost) -> String {
    match cost.cpu_hours() {
        hours if hours < 0.025 => format!("{:.1} CPU seconds", hours * 3600.0),
        hours if hours < 1.5 => format!("{:.1} CPU minutes", hours * 60.0),
        hours => format!("{hours:.1} CPU hours"),
    }
}

/// What learning cost, in words.
pub fn cost_text(cost: &Cost) -> String {
    format!("{}, {}, {}", counted(cost.games, "game"), counted(cost.moves, "move"), cpu_time(cost))
}

/// A number of bytes, in the unit that fits it.
pub fn size(bytes: u64) -> String {
    match bytes as f64 {
        _ if bytes < 1000 => counted(bytes, "byte"),
        few if bytes < 1_000_000 => format!("{:.1} kB", few / 1e3),
        many => format!("{:.1} MB", many / 1e6),
    }
}
