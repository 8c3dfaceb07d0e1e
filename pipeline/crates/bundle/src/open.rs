//! A bundle as a folder: one that somebody has unpacked, or an archive that is unpacked here.
//!
//! The folder may be anybody's: links, pipes and devices in it are reported, never opened or followed.

use std::io;
use std::path::Path;

use super::archive::{self, LARGEST_BUNDLE, LARGEST_FILE, MOST_FILES, UnpackedArchive, objection};
use super::places::{is_built, is_folder, misplaced};
use super::{BundleError, RESULTS, checksums};
use platform::errors::chain;
use platform::{ConfinedPath, Entry, FileType, LARGEST_TEXT, Scratch, plain};
use records::Layout;

/// A bundle as a folder.
#[derive(Debug)]
pub struct OpenBundle {
    /// The folder.
    pub folder: ConfinedPath,
    /// The plain files of a bundle, by their names in the folder.
    pub files: Vec<String>,
    /// Everything else in the folder, except what building the source leaves there; or the damage of the
    /// archive.
    pub problems: Vec<String>,
    /// The name of the bundle and the SHA-256 without compression, if it is an archive.
    pub archive: Option<(String, Option<String>)>,
    bytes: u64,
    _scratch: Option<Scratch>,
}

impl OpenBundle {
    /// Opens a bundle, packed or unpacked.
    pub fn open(bundle: &Path) -> Result<Self, BundleError> {
        if !bundle.is_dir() {
            return Self::unpack(bundle, &std::env::temp_dir());
        }
        let mut open = Self::in_folder(ConfinedPath::root(bundle));
        open.list("")?;
        open.files.sort();
        open.problems.sort();
        Ok(open)
    }

    /// Unpacks an archive into a scratch folder below another folder.
    pub fn unpack(bundle: &Path, below: &Path) -> Result<Self, BundleError> {
        let cannot = || BundleError::io(bundle, "unpack the bundle");
        let scratch = Scratch::below(below, ".retile-unbundle-").map_err(cannot())?;
        // A scratch folder is for its owner alone; the bundle's is not.
        let folder = scratch.path().join("bundle");
        std::fs::create_dir(&folder).map_err(cannot())?;
        let open = Self::in_folder(ConfinedPath::root(folder));
        let UnpackedArchive { folder, files, damage, tar_sha256 } = archive::unpack(bundle, &open.folder)?;
        let (problems, archive) = (damage.into_iter().collect(), Some((folder, tar_sha256)));
        Ok(Self { files, problems, archive, _scratch: Some(scratch), ..open })
    }

    fn in_folder(folder: ConfinedPath) -> Self {
        let (files, problems) = (Vec::new(), Vec::new());
        Self { folder, files, problems, archive: None, bytes: 0, _scratch: None }
    }

    /// Lists the folder of this name, which ends in a slash unless it is the bundle's own.
    fn list(&mut self, folder: &str) -> Result<(), BundleError> {
        let path = self.folder.join(folder);
        let failed = || BundleError::io(path.path(), "read the folder");
        for Entry { path, kind } in path.list().map_err(failed())? {
            let name = format!("{folder}{}", path.file_name().unwrap_or_default().to_string_lossy());
            if self.files.len() + self.problems.len() >= MOST_FILES {
                self.problems
                    .push(format!("there are more than the {MOST_FILES} files that a bundle may hold"));
                return Ok(());
            }
            let problem = match (objection(&name), kind) {
                (Some(reason), _) => Some(reason),
                (None, _) if path.name().is_none() => Some("has a name that is not valid text"),
                (None, FileType::Directory) if is_built(&name) => None,
                (None, FileType::Directory) if is_folder(&name) => {
                    self.list(&format!("{name}/"))?;
                    None
                }
                (None, FileType::Directory) => Some("is a hidden folder, which a bundle cannot have"),
                (None, FileType::RegularFile) => self.add_file(&name, path.size().map_err(failed())?),
                (None, _) => Some("is a link, a pipe or a device, but a bundle holds only plain files"),
            };
            self.problems.extend(problem.map(|reason| format!("`{}` {reason}", plain::line(&name))));
        }
        Ok(())
    }

    /// Adds a file, unless it has no place in a bundle, or there is too much of it.
    fn add_file(&mut self, name: &str, bytes: u64) -> Option<&'static str> {
        self.bytes = self.bytes.saturating_add(bytes);
        let is_too_much = bytes > LARGEST_FILE || self.bytes > LARGEST_BUNDLE;
        let problem = misplaced(name).or(is_too_much.then_some("has more bytes than a bundle may hold"));
        if problem.is_none() {
            self.files.push(name.to_owned());
        }
        problem
    }

    /// The results folder.
    pub fn results(&self) -> Layout {
        Layout::below(&self.folder.join(RESULTS))
    }

    /// The problems with the files: those of the folder or archive, of the checksums, and of `bundle.json`.
    pub fn file_problems(&self) -> Result<Vec<String>, BundleError> {
        let of_sums = checksums::problems(self).map(|(_, problems)| problems);
        let of_files = match of_sums {
            Ok(problems) if problems.is_empty() => super::Statement::read(self).map(|_| problems),
            found => found,
        };
        let of_files = match of_files {
            Err(error @ BundleError::Damaged(_)) => vec![self.problem(&error)],
            found => found?,
        };
        Ok([self.problems.clone(), of_files].concat())
    }

    /// Whether the bundle has a file.
    pub(super) fn has(&self, name: &str) -> bool {
        self.files.iter().any(|file| file == name)
    }

    /// The Parquet files of a part of the results, such as `records`.
    pub(super) fn parquet(&self, part: &str) -> impl Iterator<Item = &String> {
        let folder = format!("{RESULTS}/{part}/");
        self.files.iter().filter(move |name| name.starts_with(&folder) && name.ends_with(".parquet"))
    }

    /// Reads a text file, up to the size limit for texts.
    pub(super) fn read_text(&self, name: &str) -> Result<Vec<u8>, BundleError> {
        let path = self.folder.join(name);
        if !self.has(name) {
            return Err(BundleError::form(path.path(), "it is missing"));
        }
        path.read(LARGEST_TEXT).map_err(|error| match error.kind() {
            io::ErrorKind::FileTooLarge => BundleError::form(path.path(), error),
            _ => BundleError::io(path.path(), "read the file")(error),
        })
    }

    /// An error and its causes, with names from the bundle's folder.
    pub(super) fn problem(&self, error: &dyn std::error::Error) -> String {
        chain(error).replace(&format!("{}/", self.folder.display()), "")
    }
}
