//! `pipeline unbundle`: a bundle as a folder, once its checksums are right.

use platform::confined::ConfinedPath;
use std::path::{Path, PathBuf};

use super::{Failure, print_text};
use crate::cli;
use bundle::{BundleError, archive, checksum_problems};
use platform::plain;
use platform::scratch::Scratch;
use text::counted;

pub(crate) fn unbundle(arguments: &cli::Unbundle) -> Result<(), Failure> {
    let into = arguments.into.as_deref().and_then(Path::parent).unwrap_or(Path::new("."));
    let into = if into.as_os_str().is_empty() { Path::new(".") } else { into };
    let Unbundle { scratch, unpacked } = Unbundle::unpack(&arguments.bundle, into)?;
    let target = arguments.into.clone().unwrap_or_else(|| PathBuf::from(&unpacked.folder));
    if target.symlink_metadata().is_ok() {
        let text = format!("{}: it already exists; name a new folder", target.display());
        return Err(Failure::usage(text));
    }
    std::fs::rename(scratch.path().join(INSIDE), &target).map_err(|source| BundleError::Io {
        path: target.clone(),
        what: "make the folder",
        source,
    })?;
    let (files, target) = (counted(unpacked.files.len() as u64, "file"), target.display());
    print_text(&format!("{files} in {target}; {target}/README.md says how to check them\n"))
}

/// The folder in the scratch folder: a scratch folder is for its owner alone, this one is not.
const INSIDE: &str = "bundle";

/// A bundle in a scratch folder, with right checksums.
pub(super) struct Unbundle {
    pub(super) scratch: Scratch,
    pub(super) unpacked: archive::UnpackedArchive,
}

impl Unbundle {
    /// Unpacks a bundle into a scratch folder below a folder.
    pub(super) fn unpack(bundle: &Path, below: &Path) -> Result<Self, Failure> {
        let scratch = Scratch::below(below, ".retile-unbundle-").map_err(Failure::io)?;
        let folder = scratch.path().join(INSIDE);
        std::fs::create_dir(&folder).map_err(Failure::io)?;
        let unpacked = archive::unpack(bundle, &ConfinedPath::root(&folder))?;
        let mut problems: Vec<String> = unpacked.damage.iter().map(ToString::to_string).collect();
        problems.extend(checksum_problems(&ConfinedPath::root(&folder), &unpacked.files)?);
        require_none(bundle, &problems)?;
        Ok(Self { scratch, unpacked })
    }

    /// The unpacked bundle.
    pub(super) fn folder(&self) -> PathBuf {
        self.scratch.path().join(INSIDE)
    }
}

/// The most problems that are told one by one.
const MOST_PROBLEMS: usize = 20;

/// Fails where a bundle's files are not as its checksums say.
pub(super) fn require_none(bundle: &Path, problems: &[String]) -> Result<(), Failure> {
    if problems.is_empty() {
        return Ok(());
    }
    let more = problems.len().saturating_sub(MOST_PROBLEMS);
    let rest = (more > 0).then(|| format!("\n  and {more} more, which `pipeline verify --json` lists"));
    let lines: String = problems
        .iter()
        .take(MOST_PROBLEMS)
        .map(|problem| format!("\n  {}", plain::line(problem)))
        .chain(rest)
        .collect();
    Err(Failure::check(format!("{}: the bundle is damaged:{lines}", bundle.display())))
}
