//! The figures of a diff: the scores of every changed experiment, before and after.

use jobs::Canonical as _;
use std::path::Path;

use super::{Diff, JobDiff, Side};
use figures::{Chart as _, Figure, FigureError, FigureSource, ScoreRow, Scores};
use platform::{ConfinedPath, WriteError, atomic};
use verdict::evidence::Games;

/// Why there is no figure.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum DrawError {
    #[error(transparent)]
    Figure(#[from] FigureError),
    #[error(transparent)]
    Output(#[from] WriteError),
}

/// Draws the changed experiments into a folder, as SVG and PNG, and returns the files.
pub fn draw(diff: &Diff, before: &Side, after: &Side, folder: &Path) -> Result<Vec<ConfinedPath>, DrawError> {
    let mut files = Vec::new();
    for job in diff.jobs.values().flatten().filter(|job| job.effect().is_some()) {
        let Some((figure, scores)) = planned(job, before, after) else { continue };
        let drawing = scores.draw(&figure)?;
        for (extension, bytes) in [("svg", drawing.svg.as_bytes()), ("png", &drawing.png()?)] {
            let path = ConfinedPath::root(folder).join(format!("{}.{extension}", figure.id));
            atomic::write(&path, bytes)?;
            files.push(path);
        }
    }
    Ok(files)
}

fn planned(job: &JobDiff, before: &Side, after: &Side) -> Option<(Figure, Scores)> {
    let key = &job.key;
    let (one, other) = (before.evidence.games(key)?, after.evidence.games(key)?);
    let source = |games: &Games| FigureSource {
        experiment: key.to_string(),
        identity: games.identity.hash(),
        digest: games.digest.clone(),
    };
    let figure = Figure {
        id: format!("{}-{}", key.paper, key.id),
        title: format!("{key}: {} and {}", before.label, after.label),
        description: format!(
            "Distribution of the scores of {key} before ({}) and after ({}).",
            before.label, after.label
        ),
        sources: vec![source(one), source(other)],
    };
    let rows = [(before, one), (after, other)];
    let rows = rows.into_iter().filter_map(|(side, games)| ScoreRow::of(&side.label, games)).collect();
    Some((figure, Scores { rows }))
}
