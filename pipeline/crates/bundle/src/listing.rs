//! The files of an unpacked bundle. The folder may be anybody's: links, pipes and devices in it are told of,
//! never opened or followed.

use std::io;

use super::archive::{LARGEST_BUNDLE, LARGEST_FILE, MOST_FILES, objection};
use super::places::{is_built, is_folder, misplaced};
use super::{BundleError, RESULTS};
use platform::confined::{ConfinedPath, Entry, FileType};
use platform::open::LARGEST_TEXT;
use platform::plain;

/// What is in the folder of an unpacked bundle.
#[derive(Clone, Debug, Default)]
pub struct Listing {
    /// The plain files of a bundle, by their names in the folder, sorted.
    pub files: Vec<String>,
    /// All else, but for what building the source leaves there.
    pub problems: Vec<String>,
    bytes: u64,
}

impl Listing {
    /// Lists a folder.
    pub fn of(folder: &ConfinedPath) -> Result<Self, BundleError> {
        let mut listing = Self::default();
        listing.add(folder, "")?;
        listing.files.sort();
        listing.problems.sort();
        Ok(listing)
    }

    /// Adds the folder of this name, which ends in a slash unless it is the bundle's own.
    fn add(&mut self, root: &ConfinedPath, folder: &str) -> Result<(), BundleError> {
        let path = root.join(folder);
        let failed = || BundleError::io(path.path(), "read the folder");
        for Entry { path, kind } in path.list().map_err(failed())? {
            let name = format!("{folder}{}", path.file_name().unwrap_or_default().to_string_lossy());
            if self.files.len() + self.problems.len() >= MOST_FILES {
                self.problems
                    .push(format!("there are more than the {MOST_FILES} files that a bundle may hold"));
                return Ok(());
            }
            match objection(&name) {
                Some(reason) => self.problem(&name, reason),
                None if path.name().is_none() => self.problem(&name, "has a name that is not valid text"),
                None if kind == FileType::Directory => self.add_folder(root, &name)?,
                None if kind == FileType::RegularFile => self.add_file(name, path.size().map_err(failed())?),
                None => {
                    self.problem(&name, "is a link, a pipe or a device, but a bundle holds only plain files")
                }
            }
        }
        Ok(())
    }

    fn add_folder(&mut self, root: &ConfinedPath, name: &str) -> Result<(), BundleError> {
        match () {
            () if is_built(name) => Ok(()),
            () if is_folder(name) => self.add(root, &format!("{name}/")),
            () => {
                self.problem(name, "is a hidden folder, which a bundle cannot have");
                Ok(())
            }
        }
    }

    fn add_file(&mut self, name: String, bytes: u64) {
        self.bytes = self.bytes.saturating_add(bytes);
        let is_too_much = bytes > LARGEST_FILE || self.bytes > LARGEST_BUNDLE;
        match misplaced(&name).or(is_too_much.then_some("has more bytes than a bundle may hold")) {
            Some(reason) => self.problem(&name, reason),
            None => self.files.push(name),
        }
    }

    fn problem(&mut self, name: &str, reason: &str) {
        self.problems.push(format!("`{}` {reason}", plain::line(name)));
    }
}

/// Reads a text file of a bundle, up to the size limit for texts.
pub(super) fn read_text(folder: &ConfinedPath, files: &[String], name: &str) -> Result<Vec<u8>, BundleError> {
    let path = folder.join(name);
    if !files.iter().any(|file| file == name) {
        return Err(BundleError::form(path.path(), "it is missing"));
    }
    path.read(LARGEST_TEXT).map_err(|error| match error.kind() {
        io::ErrorKind::FileTooLarge => BundleError::form(path.path(), error.to_string()),
        _ => BundleError::io(path.path(), "read the file")(error),
    })
}

/// The Parquet files among the files of a bundle that are of a part of its results, such as `records`.
pub(super) fn parquet<'a>(files: &'a [String], part: &str) -> impl Iterator<Item = &'a String> + use<'a> {
    let folder = format!("{RESULTS}/{part}/");
    files.iter().filter(move |name| name.starts_with(&folder) && name.ends_with(".parquet"))
}
