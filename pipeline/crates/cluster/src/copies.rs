//! The program and the plugins, copied into the work folder: a rebuild changes nothing meanwhile.

use std::fs::File;
use std::io;
use std::path::Path;

use platform::hash::{file_sha256, sha256_of};
use platform::{ConfinedPath, ScratchFile};
use workers::{PluginEntry, Program, plugin};

use crate::submission::SubmissionPlugin;
use crate::{ClusterError, Submission, WorkFolder};

/// Copies this program into the work folder, and returns its SHA-256.
pub fn copy_program(folder: &WorkFolder) -> Result<String, ClusterError> {
    let to = folder.program();
    copy(&this_program()?, &to)?;
    to.open().and_then(sha256_of).map_err(ClusterError::io(&to))
}

fn this_program() -> Result<std::path::PathBuf, ClusterError> {
    let unknown =
        |source| ClusterError::Io { what: "the program's own file cannot be read".to_owned(), source };
    std::env::current_exe().map_err(unknown)
}

/// Copies a plugin, or a program with the files that it names, into the work folder.
pub fn copy_plugin(
    folder: &WorkFolder,
    place: usize,
    plugin: &PluginEntry,
) -> Result<SubmissionPlugin, ClusterError> {
    let file = &plugin.file;
    let wrong = |reason: String| ClusterError::Usage(format!("{}: {reason}", file.display()));
    let name = file.file_name().ok_or_else(|| wrong("it has no name".to_owned()))?;
    let target = folder.plugin(place);
    match Program::is_one(file) {
        false => copy(file, &target.join(name))?,
        true => {
            let program = Program::read(file).map_err(|error| wrong(error.to_string()))?;
            for part in &program.files {
                let outside = format!(
                    "names {}, which is not beside it: a program goes to a cluster with its own folder; copy the file there",
                    part.display()
                );
                let below = part.strip_prefix(&program.folder).map_err(|_| wrong(outside))?;
                copy(part, &target.join(below))?;
            }
        }
    }
    let target = target.join(name);
    let below = target.path().strip_prefix(folder.root().path()).unwrap_or(target.path()).to_owned();
    Ok(SubmissionPlugin { file: below, sha256: plugin.sha256.clone(), files: plugin.files.clone() })
}

/// Checks that this program and these plugins are the ones that were sent.
pub fn check<'a>(
    folder: &WorkFolder,
    submission: &Submission,
    plugins: impl IntoIterator<Item = &'a SubmissionPlugin>,
) -> Result<(), ClusterError> {
    let differs = |what: &str, file: &Path, expected: &str, found: &str| {
        let file = file.display();
        let text =
            format!("{file}: not the {what} that was sent, whose SHA-256 is {expected}; it has {found}");
        if found == expected { Ok(()) } else { Err(ClusterError::Check(text)) }
    };
    let program = this_program()?;
    let unread = |source| ClusterError::Io { what: format!("{}: cannot be read", program.display()), source };
    differs("program", &program, &submission.program_sha256, &file_sha256(&program).map_err(unread)?)?;
    plugins.into_iter().try_for_each(|sent| {
        let file = folder.root().path().join(&sent.file);
        let found =
            plugin::sha256(&file).map_err(|error| ClusterError::Usage(platform::errors::chain(&error)))?;
        differs("plugin", &file, &sent.sha256, &found)
    })
}

/// Copies a file that a person or the system names, with its permissions. A rename replaces an existing file.
fn copy(from: &Path, to: &ConfinedPath) -> Result<(), ClusterError> {
    copy_opened(from, File::open(from), to)
}

/// Copies a file below a results folder, with its permissions. A rename replaces an existing file.
pub fn copy_confined(from: &ConfinedPath, to: &ConfinedPath) -> Result<(), ClusterError> {
    copy_opened(from.path(), from.open(), to)
}

fn copy_opened(from: &Path, source: io::Result<File>, to: &ConfinedPath) -> Result<(), ClusterError> {
    let copy = || {
        to.parent().map_or(Ok(()), |folder| folder.make_folder())?;
        let mut source = source?;
        let mut target = ScratchFile::beside(to)?;
        io::copy(&mut source, &mut target)?;
        target.as_file().set_permissions(source.metadata()?.permissions())?;
        target.become_file(to)
    };
    let what = || format!("{}: cannot be copied to {}", from.display(), to.display());
    copy().map_err(|source| ClusterError::Io { what: what(), source })
}
