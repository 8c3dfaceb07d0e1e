//! The overlay figures of a diff: the scores of every changed experiment, before and after.

use jobs::identity::Canonical as _;
use std::path::Path;

use super::{Diff, JobDiff, Side};
use figures::{self, Draw as _, Figure, FigureError, Overlay, Source};
use platform::atomic::{self, WriteError};
use platform::confined::ConfinedPath;
use stats::{Sample, density, mean};
use verdict::evidence::Games;

/// The points of a density curve.
const DENSITY_POINTS: usize = 160;

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
///
/// # Errors
/// Where a figure cannot be drawn or written.
pub fn draw(diff: &Diff, before: &Side, after: &Side, folder: &Path) -> Result<Vec<ConfinedPath>, DrawError> {
    let mut files = Vec::new();
    for job in diff.jobs.values().flatten().filter(|job| job.effect().is_some()) {
        let Some((figure, overlay)) = sketch(job, before, after) else { continue };
        let drawing = overlay.draw(&figure)?;
        for (extension, bytes) in [("svg", drawing.svg.as_bytes()), ("png", &drawing.png()?)] {
            let path = ConfinedPath::root(folder).join(format!("{}.{extension}", figure.id));
            atomic::write(&path, bytes)?;
            files.push(path);
        }
    }
    Ok(files)
}

fn sketch(job: &JobDiff, before: &Side, after: &Side) -> Option<(Figure, Overlay)> {
    let key = &job.key;
    let (one, other) = (before.evidence.games(key)?, after.evidence.games(key)?);
    let source = |games: &Games| Source {
        experiment: key.to_string(),
        identity: games.identity.hash(),
        digest: games.digest.clone(),
    };
    let figure = Figure {
        id: format!("{}-{}", key.paper, key.id),
        title: format!("{key}: {} and {}", before.label, after.label),
        description: format!(
            "Distribution of the scores of {key} before ({}) and after ({}): densities above, shares at or below a score below.",
            before.label, after.label
        ),
        sources: vec![source(one), source(other)],
    };
    let overlay = Overlay {
        before: side(&before.label, one)?,
        after: side(&after.label, other)?,
        axis: "score".to_owned(),
    };
    Some((figure, overlay))
}

fn side(label: &str, games: &Games) -> Option<figures::OverlaySide> {
    let sample = Sample::new(games.scores()).ok()?;
    Some(figures::OverlaySide {
        label: label.to_owned(),
        scores: games.outcomes.iter().map(|outcome| u64::from(outcome.score)).collect(),
        density: density(&sample, DENSITY_POINTS),
        mean: mean(&sample),
    })
}
