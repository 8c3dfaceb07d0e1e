//! Studies and trials for the tests of this folder.

use std::ops::Range;

use engine::Ending;
use search::{Dimension, Origin, Proposal, Range as Span, Scale, Space};

use super::journal::FinishedTrial;
use manifest::{Objective, Study};
use studies::{Effort, Scores, TrialOutcome};

const PAPER: &str = "[citation]\ntitle = \"T\"\nauthors = [\"A\"]\n[[study]]\nid = \"s\"\nagent = \"a\"\nseed = 1\ngames = 2\n\
    method = { kind = \"sobol\", points = 4, batch = 4 }\nwinners = { best = 1, games = 2, seed = 2048 }\n\
    [study.space]\nskill = { from = 0, to = 1, digits = 2 }\n";

pub(super) fn study(objectives: &[Objective]) -> Study {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("p.toml");
    std::fs::write(&file, PAPER).unwrap();
    let study = manifest::load(&file).unwrap().studies.remove(0);
    Study { objectives: objectives.to_vec(), ..study }
}

/// A proposal with one parameter.
pub(super) fn proposal(x: f64, games: Range<u64>) -> Proposal {
    let range = Span::Real { from: 0.0, to: 1.0, scale: Scale::Linear, digits: 12 };
    let space = Space::new(vec![Dimension { name: "x".to_owned(), range }]).unwrap();
    Proposal { point: space.point(&[x]), origin: Origin::Sample, games }
}

pub(super) fn played(scores: &[u32], nodes: u64, digest: &str) -> TrialOutcome {
    let efforts = vec![Effort { moves: 10, nodes }; scores.len()];
    TrialOutcome::Played { scores: Scores::Each(scores.to_vec()), efforts, digest: digest.to_owned() }
}

pub(super) fn fault(game: u64, ending: Ending) -> TrialOutcome {
    TrialOutcome::Faulted { game, ending, reason: "it broke".to_owned() }
}

/// A finished trial of game 3.
pub(super) fn finished(trial: u64) -> FinishedTrial {
    FinishedTrial::of(trial, &proposal(0.123_456_789_012, 3..4), played(&[4], 0, "d"), 5, 6)
}
