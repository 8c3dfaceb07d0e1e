//! `pipeline unbundle`: a bundle as a folder, once its checksums are right.

use std::path::{Path, PathBuf};

use super::{Failure, print_text};
use crate::cli;
use crate::output::require_none;
use bundle::{BundleError, OpenBundle};
use text::counted;

pub(crate) fn unbundle(arguments: &cli::UnbundleArgs) -> Result<(), Failure> {
    let into = arguments.into.as_deref().and_then(Path::parent).unwrap_or(Path::new("."));
    let into = if into.as_os_str().is_empty() { Path::new(".") } else { into };
    let bundle = OpenBundle::unpack(&arguments.bundle, into)?;
    require_undamaged(&arguments.bundle, &bundle.file_problems()?)?;
    let name = bundle.archive.as_ref().map(|(name, _)| PathBuf::from(name)).unwrap_or_default();
    let target = arguments.into.clone().unwrap_or(name);
    if target.symlink_metadata().is_ok() {
        let text = format!("{}: it already exists; name a new folder", target.display());
        return Err(Failure::usage(text));
    }
    let renamed = std::fs::rename(bundle.folder.path(), &target);
    renamed.map_err(BundleError::io(&target, "make the folder"))?;
    let (files, target) = (counted(bundle.files.len() as u64, "file"), target.display());
    print_text(&format!("{files} in {target}; {target}/README.md says how to check them\n"))
}

/// Fails if a bundle has problems.
pub(super) fn require_undamaged(bundle: &Path, problems: &[String]) -> Result<(), Failure> {
    require_none(&format!("{}: the bundle is damaged", bundle.display()), problems, "")
}
