//! Plugins: finding the newest file of each, and opening it.
//!
//! A plugin is a shared library, or a program at the other end of the [`bridge`]. Both are native code and
//! run with all rights of the process that opens them, so only worker processes do. A plugin is opened by
//! name only from the folders listed here, or from a file that the user names. Nothing that comes with
//! results is ever among these.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use engine::abi::host::{Plugin, PluginError};
use engine::abi::raw;
use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};

use platform::hash::file_sha256;

use crate::Program;
use crate::bridge::{self, ProgramError};

/// The variable that lists further folders with plugins, separated by `:`.
pub const PATH_VARIABLE: &str = "RETILE_AGENT_PATH";

/// Why a file could not be opened as a plugin.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum OpenError {
    #[error("{}: cannot be read: {source}; check the path", file.display())]
    Unreadable { file: PathBuf, source: io::Error },
    #[error(
        "{}: the dynamic loader refuses it: {reason}; build it as a shared library for this machine, with every symbol \
         that it uses",
        file.display()
    )]
    NotLoadable { file: PathBuf, reason: String },
    #[error(
        "{}: does not export the symbol {}, so it is not an agent plugin; in Rust, add `export_agents!` and \
         `crate-type = [\"cdylib\"]`; in C, define that function with default visibility",
        file.display(),
        raw::SYMBOL
    )]
    NoSymbol { file: PathBuf },
    #[error(
        "{}: is a plugin for major version {majors:?} of the ABI, but this host speaks version {}.{}; rebuild it with \
         this host's agent2048.h",
        file.display(),
        raw::ABI_MAJOR,
        raw::ABI_MINOR
    )]
    OtherAbi { file: PathBuf, majors: Vec<u32> },
    #[error("{}: {source}", file.display())]
    Bad { file: PathBuf, source: PluginError },
    #[error(transparent)]
    Program(#[from] ProgramError),
}

/// Says that a file cannot be read.
fn unreadable(file: &Path) -> impl Fn(io::Error) -> OpenError {
    move |source| OpenError::Unreadable { file: file.to_owned(), source }
}

/// Whether a word of a command line is a plugin's file: it has a slash, or the extension of one. Any other
/// word is an agent's id, whatever files are in the current folder.
pub fn is_file_name(word: &str) -> bool {
    let path = Path::new(word);
    let has_ending = ["so", "dylib", bridge::EXTENSION]
        .iter()
        .any(|ending| path.extension().is_some_and(|extension| extension == *ending));
    word.contains('/') || has_ending || bridge::is_library_name(path)
}

/// Opens a file as a plugin. It is never closed: agents, descriptors and their texts live in it.
///
/// # Errors
/// Returns an error if this host cannot run it; the message says why and what to do.
pub fn open(file: &Path) -> Result<Plugin, OpenError> {
    if Program::is_one(file) {
        return Ok(bridge::open(file)?);
    }
    if file.is_file() && !bridge::is_library_name(file) {
        return Err(OpenError::Program(ProgramError::Form {
            file: file.to_owned(),
            problem: "is neither a shared library nor a program that can be started: make it one with `chmod +x`, or write a .agent file that says how to start it"
                .to_owned(),
        }));
    }
    open_library(file)
}

/// The SHA-256 of a plugin's file, or of all files of a program.
pub fn sha256(file: &Path) -> Result<String, OpenError> {
    let sha256 = if Program::is_one(file) { Program::read(file)?.sha256() } else { file_sha256(file) };
    sha256.map_err(unreadable(file))
}

/// The SHA-256 of each data file that a plugin names, by role. A shared library names none.
pub fn data_sha256(file: &Path) -> Result<BTreeMap<String, String>, OpenError> {
    if !Program::is_one(file) {
        return Ok(BTreeMap::new());
    }
    Program::read(file)?.data_sha256().map_err(unreadable(file))
}

#[allow(unsafe_code)]
fn open_library(file: &Path) -> Result<Plugin, OpenError> {
    // An absolute path, since the loader looks for anything else in the folders of the system.
    let file = fs::canonicalize(file).map_err(unreadable(file))?;
    let not_loadable = |error: libloading::Error| OpenError::NotLoadable {
        file: file.clone(),
        reason: loader_reason(&error),
    };
    // All symbols are bound now: bound lazily, one that is missing would kill a game midway.
    // SAFETY: opening runs the library's constructors, which are trusted like the rest of the plugin. Workers
    // open it, so a crash costs only that process.
    let library = unsafe { Library::open(Some(&file), RTLD_NOW | RTLD_LOCAL) }.map_err(not_loadable)?;
    // SAFETY: for this name, the header specifies a function of this type. A symbol can also be null, which
    // means none.
    let entry =
        match unsafe { library.get::<Option<raw::EntryFn>>(raw::SYMBOL.as_bytes()) }.map(|entry| *entry) {
            Ok(Some(entry)) => entry,
            Ok(None) | Err(_) => {
                return Err(match other_majors(&library) {
                    majors if majors.is_empty() => OpenError::NoSymbol { file },
                    majors => OpenError::OtherAbi { file, majors },
                });
            }
        };
    std::mem::forget(library);
    // SAFETY: the plugin of the entry function is trusted to follow the header. Its library is forgotten, so
    // it is never unloaded.
    unsafe { Plugin::from_entry(entry) }.map_err(|source| OpenError::Bad { file, source })
}

/// The loader's own words, which the error keeps as its source.
fn loader_reason(error: &libloading::Error) -> String {
    std::error::Error::source(error).map_or_else(|| error.to_string(), ToString::to_string)
}

/// The major versions, other than this host's, whose symbol the library exports.
#[allow(unsafe_code)]
fn other_majors(library: &Library) -> Vec<u32> {
    let exports = |major: &u32| {
        let symbol = format!("agent2048_plugin_v{major}");
        // SAFETY: this only looks up the symbol's address, and never calls it.
        unsafe { library.get::<*const ()>(symbol.as_bytes()) }.is_ok()
    };
    (0..=9).filter(|&major| major != raw::ABI_MAJOR).filter(exports).collect()
}

/// The folders that are searched for plugins, by rank: the user's own, one after the other, then the build's.
///
/// The user's are those of [`PATH_VARIABLE`]. The build's are the folder of this program and `deps`, since
/// `cargo test` leaves plugins there, while `cargo build` puts them beside the program.
pub fn folders() -> Vec<Vec<PathBuf>> {
    let own = env::var_os(PATH_VARIABLE);
    let own = own.iter().flat_map(env::split_paths).filter(|path| !path.as_os_str().is_empty());
    own.map(|folder| vec![folder]).chain([build_folders()]).collect()
}

fn build_folders() -> Vec<PathBuf> {
    let program = env::current_exe().ok();
    let Some(here) = program.as_deref().and_then(Path::parent) else { return Vec::new() };
    let other = match here.parent() {
        Some(above) if here.ends_with("deps") => above.to_owned(),
        _ => here.join("deps"),
    };
    vec![here.to_owned(), other]
}

/// The plugin files in these folders, sorted by name, one for each name: the newest of the first rank that
/// has it.
pub fn find(ranks: &[Vec<PathBuf>]) -> Result<Vec<PathBuf>, OpenError> {
    let mut found: Vec<PathBuf> = Vec::new();
    for folders in ranks {
        let mut files = newest(folders)?;
        files.retain(|file| !found.iter().any(|known| known.file_name() == file.file_name()));
        found.extend(files);
    }
    found.sort_by(|one, other| one.file_name().cmp(&other.file_name()));
    Ok(found)
}

/// The work tree that this program was built from.
const BUILT_FROM: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../..");

/// The plugin files in these folders, one for each name: the newest.
fn newest(folders: &[PathBuf]) -> Result<Vec<PathBuf>, OpenError> {
    let mut found: Vec<(PathBuf, SystemTime)> = Vec::new();
    let built_here = build_folders();
    for folder in folders {
        for file in candidates(folder)? {
            let Some(modified) = plugin_modified(&file)? else { continue };
            if built_here.contains(folder) && is_left_over(&file, Path::new(BUILT_FROM)) {
                continue;
            }
            match found.iter_mut().find(|(other, _)| other.file_name() == file.file_name()) {
                Some(known) if known.1 < modified => *known = (file, modified),
                Some(_) => {}
                None => found.push((file, modified)),
            }
        }
    }
    Ok(found.into_iter().map(|(file, _)| file).collect())
}

/// The shared libraries and .agent files of a folder.
fn candidates(folder: &Path) -> Result<Vec<PathBuf>, OpenError> {
    let unreadable = unreadable(folder);
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(&unreadable)?,
    };
    let mut candidates = Vec::new();
    for entry in entries {
        let path = entry.map_err(&unreadable)?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let is_library = name.starts_with(env::consts::DLL_PREFIX) && name.ends_with(env::consts::DLL_SUFFIX);
        let is_program = path.extension().is_some_and(|extension| extension == bridge::EXTENSION);
        // Skips a folder or a dangling link of that name.
        if (is_library || is_program) && path.is_file() {
            candidates.push(path);
        }
    }
    Ok(candidates)
}

/// When a file was last changed, if it is an .agent file, or contains the name of a plugin's symbol.
///
/// The name is searched without opening the library: build folders hold many others, whose constructors must
/// not run.
fn plugin_modified(file: &Path) -> Result<Option<SystemTime>, OpenError> {
    let is_program = file.extension().is_some_and(|extension| extension == bridge::EXTENSION);
    if !is_program {
        let bytes = fs::read(file).map_err(unreadable(file))?;
        if memchr::memmem::find(&bytes, raw::SYMBOL.as_bytes()).is_none() {
            return Ok(None);
        }
    }
    fs::metadata(file).and_then(|metadata| metadata.modified()).map(Some).map_err(unreadable(file))
}

/// Whether cargo built a plugin from a crate that the work tree no longer has. Cargo removes nothing of such
/// a crate, but its dependency files in `deps` name the sources of each library.
fn is_left_over(file: &Path, tree: &Path) -> bool {
    let (Some(folder), Some(stem)) = (file.parent(), file.file_stem()) else { return false };
    let deps = if folder.ends_with("deps") { folder.to_owned() } else { folder.join("deps") };
    let stem = stem.to_string_lossy();
    let notes = deps.join(format!("{}.d", stem.strip_prefix(env::consts::DLL_PREFIX).unwrap_or(&stem)));
    let notes = fs::read_to_string(notes).unwrap_or_default();
    let Some((_, sources)) = notes.lines().next().and_then(|line| line.split_once(": ")) else {
        return false;
    };
    // Unknown without the tree, for example if the program was moved, and for names with spaces, which are
    // escaped.
    tree.join("agents").is_dir()
        && !sources.contains('\\')
        && !sources.split(' ').any(|source| tree.join(source).exists())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two folders with an older and a newer copy of a plugin, and a library that is not a plugin.
    fn two_folders() -> (tempfile::TempDir, PathBuf, PathBuf, String) {
        let root = tempfile::tempdir().unwrap();
        let (old, new) = (root.path().join("old"), root.path().join("new"));
        let name = format!("{}sample{}", env::consts::DLL_PREFIX, env::consts::DLL_SUFFIX);
        for (folder, age) in [(&new, 0), (&old, 3600)] {
            fs::create_dir_all(folder).unwrap();
            fs::write(folder.join(&name), raw::SYMBOL).unwrap();
            fs::write(
                folder.join(format!("{}other{}", env::consts::DLL_PREFIX, env::consts::DLL_SUFFIX)),
                "else",
            )
            .unwrap();
            let time = SystemTime::now() - std::time::Duration::from_secs(age);
            fs::File::options().append(true).open(folder.join(&name)).unwrap().set_modified(time).unwrap();
        }
        (root, old, new, name)
    }

    #[test]
    fn the_newest_of_two_files_with_one_name_is_found() {
        let (root, old, new, name) = two_folders();
        let missing = root.path().join("missing");
        let fresh = [new.join(&name)];
        assert_eq!(find(&[vec![old.clone(), new.clone(), missing.clone()]]).unwrap(), fresh);
        assert_eq!(find(&[vec![new, old]]).unwrap(), fresh);
        assert!(find(&[vec![missing]]).unwrap().is_empty());
    }

    #[test]
    fn a_file_of_the_user_goes_before_a_newer_one_of_the_build() {
        let (_root, old, new, name) = two_folders();
        assert_eq!(find(&[vec![old.clone()], vec![new.clone()]]).unwrap(), [old.join(&name)]);
        assert_eq!(find(&[vec![new.clone()], vec![old]]).unwrap(), [new.join(&name)]);
        assert_eq!(folders().last(), Some(&build_folders()));
    }

    #[test]
    fn a_plugin_is_left_over_where_its_crate_is_gone_from_the_tree() {
        let root = tempfile::tempdir().unwrap();
        let (tree, deps) = (root.path().join("tree"), root.path().join("release/deps"));
        fs::create_dir_all(tree.join("agents/corner/src")).unwrap();
        fs::create_dir_all(&deps).unwrap();
        fs::write(tree.join("agents/corner/src/lib.rs"), "").unwrap();
        fs::write(
            deps.join("corner.d"),
            "/x/deps/corner.d: agents/corner/src/lib.rs\n\nagents/corner/src/lib.rs:\n",
        )
        .unwrap();
        let name = format!("{}corner{}", env::consts::DLL_PREFIX, env::consts::DLL_SUFFIX);
        let files = [deps.join(&name), root.path().join("release").join(&name)];
        let are_left_over =
            |tree: &Path| files.iter().map(|file| is_left_over(file, tree)).collect::<Vec<_>>();
        assert_eq!(are_left_over(&tree), [false, false]);
        fs::remove_dir_all(tree.join("agents/corner")).unwrap();
        assert_eq!(are_left_over(&tree), [true, true]);
        assert_eq!(are_left_over(&root.path().join("elsewhere")), [false, false], "no tree, no telling");
    }
}
