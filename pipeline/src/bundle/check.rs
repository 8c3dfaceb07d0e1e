//! Checking a bundle against itself: checksums, a replay of every game, and all that is rendered, made anew.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::Path;

use serde::Serialize;

use super::checksums::Checksums;
use super::contents::{CONFIGS, RESULTS, SOURCE};
use super::statement::zstd_version;
use super::{BundleError, CHECKSUMS, Contents, STATEMENT, Statement, archive, render_anew};
use crate::bridge::file_sha256;
use crate::causes::chain;
use crate::layout::Layout;
use crate::manifest;
use crate::verify::{Verified, replay_file};

/// The first bytes of a zstd frame.
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// What came of checking a bundle.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Checked {
    /// What the bundle says of itself, if that can be read.
    pub statement: Option<Statement>,
    /// The SHA-256 of the bundle's file; none where it is a folder.
    pub sha256: Option<String>,
    /// Whether the file is, byte for byte, what packing its contents gives; none where that was not looked at.
    pub is_as_packed: Option<bool>,
    /// How many files have a checksum.
    pub files: usize,
    /// The records, replayed.
    pub records: Vec<Verified>,
    /// How many files were rendered anew.
    pub rendered: usize,
    /// All that is wrong, each with the file that it is in.
    pub problems: Vec<String>,
}

/// Whether a path is a bundle, packed or unpacked.
#[must_use]
pub fn is_bundle(path: &Path) -> bool {
    if path.is_dir() {
        return path.join(STATEMENT).is_file() && path.join(CHECKSUMS).is_file();
    }
    let mut start = [0; 4];
    let is_zstd = File::open(path).and_then(|mut file| file.read_exact(&mut start)).is_ok() && start == ZSTD;
    is_zstd || (path.is_file() && path.to_string_lossy().ends_with(".tar.zst"))
}

/// The results folder of an unpacked bundle.
#[must_use]
pub fn results(folder: &Path) -> Layout {
    Layout::new(folder.join(RESULTS))
}

/// Unpacks a bundle into a scratch folder and checks it.
///
/// # Errors
/// Where it cannot be opened, or holds what no bundle may. All else that is wrong is a problem of the outcome.
pub fn check_archive(bundle: &Path) -> Result<Checked, BundleError> {
    let cannot = || BundleError::io(bundle, "unpack the bundle");
    let scratch = tempfile::Builder::new().prefix("retile-check-").tempdir().map_err(cannot())?;
    let unpacked = archive::unpack(bundle, scratch.path())?;
    let sha256 = file_sha256(bundle).map_err(BundleError::io(bundle, "read the bundle"))?;
    let mut checked = Checked { sha256: Some(sha256.clone()), ..Checked::default() };
    checked.problems.extend(unpacked.damage.clone());
    checked.problems.extend(beside(bundle, &sha256));
    checked.look_at(scratch.path(), &unpacked.files);
    if let Some(statement) = checked.statement.as_ref().filter(|_| checked.problems.is_empty()) {
        // Some bits of a zstd stream mean nothing: only packing once more notices when one of them is flipped.
        if statement.zstd == zstd_version() {
            let contents = Contents::of_folder(scratch.path(), &unpacked.files)?;
            let again = archive::sha256_as_packed(&contents, &statement.name, statement.epoch)?;
            checked.is_as_packed = Some(again == sha256);
        }
    }
    if checked.is_as_packed == Some(false) {
        checked.problems.push(
            "the archive is not as `pipeline bundle` packs these files, though each of them is as its checksum says".to_owned(),
        );
    }
    Ok(checked)
}

/// Compares with the checksum that stands beside a bundle, if one does.
fn beside(bundle: &Path, sha256: &str) -> Option<String> {
    let mut path = bundle.as_os_str().to_owned();
    path.push(".sha256");
    let text = fs::read_to_string(&path).ok()?;
    let stated = text.split_whitespace().next().unwrap_or_default();
    (stated != sha256).then(|| {
        format!("{}: it states {stated}, the bundle's SHA-256 is {sha256}", Path::new(&path).display())
    })
}

/// Checks an unpacked bundle.
///
/// # Errors
/// Where the folder cannot be read. All else that is wrong is a problem of the outcome.
pub fn check(folder: &Path) -> Result<Checked, BundleError> {
    let mut checked = Checked::default();
    checked.look_at(folder, &files(folder)?);
    Ok(checked)
}

/// The files of an unpacked bundle, sorted, but for what building its source leaves there.
///
/// # Errors
/// Where the folder cannot be read.
pub fn files(folder: &Path) -> Result<Vec<String>, BundleError> {
    let mut files = Vec::new();
    list(folder, folder, &mut files)?;
    files.sort();
    Ok(files)
}

fn list(root: &Path, folder: &Path, files: &mut Vec<String>) -> Result<(), BundleError> {
    let failed = || BundleError::io(folder, "read the folder");
    for entry in fs::read_dir(folder).map_err(failed())? {
        let entry = entry.map_err(failed())?;
        let path = entry.path();
        let Ok(name) = path.strip_prefix(root) else { continue };
        if name == Path::new(SOURCE).join("target") {
            continue;
        }
        if entry.file_type().map_err(failed())?.is_dir() {
            list(root, &path, files)?;
        } else {
            files.push(name.to_string_lossy().into_owned());
        }
    }
    Ok(())
}

impl Checked {
    fn look_at(&mut self, folder: &Path, files: &[String]) {
        match Statement::read(folder) {
            Ok(statement) => self.statement = Some(statement),
            Err(error) => self.problem(folder, &error),
        }
        match Checksums::read(folder) {
            Ok(sums) => {
                self.files = sums.len();
                self.problems.extend(sums.problems(folder, files));
            }
            Err(error) => self.problem(folder, &error),
        }
        self.replay(folder, files);
        // Whatever comes of damaged files says nothing more about them.
        if self.problems.is_empty() {
            self.render(folder, files);
        }
    }

    /// Replays every game, and compares the digests.
    fn replay(&mut self, folder: &Path, files: &[String]) {
        let is_records = |name: &&String| name.starts_with("results/records/") && name.ends_with(".parquet");
        for name in files.iter().filter(is_records) {
            match replay_file(&folder.join(name)) {
                Ok(mut verified) => {
                    verified.file = name.into();
                    let problems = verified.problems.iter().map(|problem| format!("{name}: {problem}"));
                    self.problems.extend(problems);
                    let more = verified.problem_count - verified.problems.len() as u64;
                    self.problems.extend((more > 0).then(|| format!("{name}: and {more} problems more")));
                    self.records.push(verified);
                }
                Err(error) => self.problem(folder, &error),
            }
        }
    }

    /// Renders everything anew. Identities and digests are compared with the index on the way.
    fn render(&mut self, folder: &Path, files: &[String]) {
        let papers = match manifest::load_folder(&folder.join(CONFIGS)) {
            Ok(papers) => papers,
            Err(error) => return self.problem(folder, &error),
        };
        match render_anew(&papers, &results(folder)) {
            Err(error) => self.problem(folder, &error),
            Ok(rendered) => {
                self.rendered = rendered.files.len();
                let differing = rendered.differing.iter();
                self.problems.extend(differing.map(|name| {
                    format!(
                        "{RESULTS}/{name}: it is not what comes out when it is made anew from the records"
                    )
                }));
                let is_made = |name: &str| rendered.files.iter().any(|made| made == name);
                let of_rendering = ["tables/", "figures/", "report/"];
                let stored = files.iter().filter_map(|name| name.strip_prefix("results/"));
                let more = stored
                    .filter(|name| of_rendering.iter().any(|part| name.starts_with(part)) && !is_made(name));
                self.problems
                    .extend(more.map(|name| format!("{RESULTS}/{name}: it is not made from the records")));
            }
        }
    }

    /// Notes an error and its causes, with names from the bundle's folder.
    fn problem(&mut self, folder: &Path, error: &dyn std::error::Error) {
        let text = chain(error);
        self.problems.push(text.replace(&format!("{}/", folder.display()), ""));
    }
}
