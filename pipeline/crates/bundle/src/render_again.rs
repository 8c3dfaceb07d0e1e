//! Rendering anew: verdicts, tables, figures and report, made once more from records, and compared with what
//! is stored.

use std::io;

use manifest::Paper;
use platform::confined::ConfinedPath;
use platform::errors::chain;
use platform::scratch::Scratch;
use records::layout::Layout;
use rendering::render::render;

/// What came of rendering anew.
#[derive(Clone, Debug, Default)]
pub struct RenderComparison {
    /// The files that were made, by their names in the results folder, sorted.
    pub files: Vec<String>,
    /// Those that are stored otherwise, or not at all.
    pub differing: Vec<String>,
}

/// Renders the records of a results folder in a folder of its own, and compares what comes out with what is
/// stored.
pub fn render_again(papers: &[Paper], stored: &Layout) -> Result<RenderComparison, RenderAgainError> {
    let scratch = Scratch::new("retile-render-")?;
    let anew = Layout::new(scratch.path());
    let published =
        render(papers, stored, &anew).map_err(|error| RenderAgainError::Records(chain(&error)))?;
    let relative =
        |path: &ConfinedPath| path.path().strip_prefix(scratch.path()).ok()?.to_str().map(str::to_owned);
    let mut files: Vec<String> = published.files.iter().filter_map(relative).collect();
    files.sort();
    files.dedup();
    let mut differing = Vec::new();
    for name in &files {
        let made = anew.root().join(name).read(u64::MAX)?;
        // Reads no more than could match: the stored file may come from somebody else, and may be large.
        if stored.root().join(name).read(made.len() as u64).ok().as_ref() != Some(&made) {
            differing.push(name.clone());
        }
    }
    Ok(RenderComparison { files, differing })
}

/// Why nothing could be rendered.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum RenderAgainError {
    #[error("{0}")]
    Records(String),
    #[error("the records cannot be rendered in a folder for temporary files")]
    Io(#[from] io::Error),
}
