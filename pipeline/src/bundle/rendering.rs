//! Rendering anew: verdicts, tables, figures and report, made once more from records, and compared with what is stored.

use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::Path;

use crate::causes::chain;
use crate::layout::Layout;
use crate::manifest::Paper;
use crate::publish::publish;

/// What came of rendering anew.
#[derive(Clone, Debug, Default)]
pub struct Rendered {
    /// The files that were made, by their names in the results folder, sorted.
    pub files: Vec<String>,
    /// Those that are stored otherwise, or not at all.
    pub differing: Vec<String>,
}

/// Renders the records of a results folder in a folder of its own, and compares what comes out with what is stored.
///
/// # Errors
/// Where it cannot be rendered, or no folder for it can be made.
pub fn render_anew(papers: &[Paper], stored: &Layout) -> Result<Rendered, RenderError> {
    let scratch = tempfile::Builder::new().prefix("retile-render-").tempdir()?;
    let anew = Layout::new(scratch.path());
    fs::copy(stored.index(), anew.index())?;
    for part in ["records", "timing"] {
        if let Ok(folder) = stored.root().join(part).canonicalize() {
            symlink(folder, scratch.path().join(part))?;
        }
    }
    let published = publish(papers, &anew).map_err(|error| {
        // Whoever reads this knows the folder with the records, not the one that was made for rendering.
        let [here, there] = [scratch.path(), stored.root()].map(|folder| folder.display().to_string());
        RenderError::Records(chain(&error).replace(&here, &there))
    })?;
    let relative = |path: &Path| path.strip_prefix(scratch.path()).ok()?.to_str().map(str::to_owned);
    let mut files: Vec<String> = published.files.iter().filter_map(|path| relative(path)).collect();
    files.sort();
    files.dedup();
    let mut differing = Vec::new();
    for name in &files {
        let made = fs::read(scratch.path().join(name))?;
        if fs::read(stored.root().join(name)).ok().as_ref() != Some(&made) {
            differing.push(name.clone());
        }
    }
    Ok(Rendered { files, differing })
}

/// Why nothing could be rendered.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum RenderError {
    #[error("{0}")]
    Records(String),
    #[error("the records cannot be rendered in a folder for temporary files")]
    Io(#[from] io::Error),
}
