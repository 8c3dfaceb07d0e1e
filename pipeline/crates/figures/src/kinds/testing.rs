//! Results made for the tests of kinds.

use metrics::{Games, Metric};

use super::{FigureContext, JudgedRatio, PlayedExperiment};

/// Experiments by their ids.
pub(super) struct Results(Vec<(&'static str, Games)>);

impl Results {
    /// Games with these moves, each move worth 4 points.
    pub(super) fn of_moves(experiments: &[(&'static str, &[u32])]) -> Self {
        let games = |moves: &[u32]| {
            let mut games = fixtures::games(fixtures::identity(2048), moves.iter().map(|moves| 4 * moves));
            games.outcomes.iter_mut().zip(moves).for_each(|(outcome, moves)| outcome.moves = *moves);
            games
        };
        Self(experiments.iter().map(|(id, moves)| (*id, games(moves))).collect())
    }
}

impl FigureContext for Results {
    fn experiment(&self, id: &str) -> Option<PlayedExperiment<'_>> {
        let (id, games) = self.0.iter().find(|(known, _)| *known == id)?;
        Some(PlayedExperiment { id, method: id, variant: None, games })
    }

    fn published(&self, _: &str, _: Metric) -> Option<f64> {
        None
    }

    fn ratio(&self, _: &str) -> Option<JudgedRatio> {
        None
    }

    fn training_cost(&self, _: &str) -> Option<String> {
        None
    }
}
