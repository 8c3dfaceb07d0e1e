//! Results made for the tests of kinds.

use engine::agent::Budget;
use engine::{Ending, Rules};
use jobs::Key;
use metrics::{FileHashes, Games, Metric};
use platform::confined::ConfinedPath;
use records::identity::Identity;
use records::record::Outcome;

use super::{FigureContext, JudgedRatio, PlayedExperiment};

/// Experiments by their ids.
pub(super) struct Results(Vec<(&'static str, Games)>);

impl Results {
    /// Games with these moves, each move worth 4 points.
    pub(super) fn of_moves(experiments: &[(&'static str, &[u32])]) -> Self {
        let outcome = |(game, &moves): (usize, &u32)| Outcome {
            game: game as u64,
            score: 4 * moves,
            max_tile: 128,
            moves,
            final_board: "128 . . . / . . . . / . . . . / . . . .".to_owned(),
            nodes: 0,
            ending: Ending::NoMoves,
        };
        let params = serde_json::Map::new();
        let identity = Identity::new(Rules::default(), ("a", "1"), params, Budget::None, 2048, None);
        let games = |moves: &[u32]| Games {
            records: Key::new("p", "e"),
            file: ConfinedPath::root(""),
            identity: identity.clone(),
            second_signature: None,
            digest: String::new(),
            provenance: Vec::new(),
            outcomes: moves.iter().enumerate().map(outcome).collect(),
            timings: Vec::new(),
            hashes: FileHashes::default(),
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
