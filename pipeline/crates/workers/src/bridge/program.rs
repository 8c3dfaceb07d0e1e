//! Programs: the command that starts one, and the files that it consists of.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;

use platform::hash::{file_sha256, sha256};
use platform::open::read_named_text;

/// The extension of a file that describes how to start a program.
pub const EXTENSION: &str = "agent";
/// How long a program may take to say hello, and to get ready, by default.
const START_LIMIT_MS: u64 = 30_000;
/// The longest time that its .agent file may allow: a day.
const LONGEST_START_MS: u64 = 24 * 60 * 60 * 1000;
/// The most bytes of an .agent file.
const LARGEST_START_FILE: u64 = 64 * 1024;

/// A program: its command and its files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The command and its arguments.
    pub command: Vec<OsString>,
    /// Its working folder.
    pub folder: PathBuf,
    /// The files that it consists of.
    pub files: Vec<PathBuf>,
    /// The data files among them that its decisions depend on, by role.
    pub data: BTreeMap<String, PathBuf>,
    /// How long it may take to say hello, and to get ready.
    pub start_limit: Duration,
}

/// Why a file cannot be run as a program.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum ProgramError {
    #[error("{}: cannot be read; check the path", file.display())]
    Unreadable { file: PathBuf, source: io::Error },
    #[error("{}: {problem}", file.display())]
    Form { file: PathBuf, problem: String },
    #[error("{}: does not say hello as docs/bridge.md describes: {reason}", file.display())]
    Hello { file: PathBuf, reason: String },
}

/// The content of an .agent file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StartFile {
    command: Vec<String>,
    files: Option<DataFiles>,
    start_limit_ms: Option<u64>,
}

/// The data files of a program. The default role of a file is its name.
#[derive(Deserialize)]
#[serde(untagged, expecting = "`files` is neither a list of files nor a table of roles with a file each")]
enum DataFiles {
    Names(Vec<String>),
    Roles(BTreeMap<String, String>),
}

impl DataFiles {
    fn by_role(self) -> BTreeMap<String, String> {
        match self {
            Self::Names(names) => names.into_iter().map(|name| (name.clone(), name)).collect(),
            Self::Roles(roles) => roles,
        }
    }
}

impl Program {
    /// Whether a file is a program, not a shared library: an .agent file, or an executable.
    pub fn is_one(file: &Path) -> bool {
        let is_executable = || {
            let metadata = fs::metadata(file);
            metadata.is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
        };
        has_extension(file, EXTENSION) || (!is_library_name(file) && is_executable())
    }

    /// Reads an .agent file, or takes an executable as it is.
    pub fn read(file: &Path) -> Result<Self, ProgramError> {
        let unreadable = |source| ProgramError::Unreadable { file: file.to_owned(), source };
        let path = fs::canonicalize(file).map_err(unreadable)?;
        let folder = path.parent().unwrap_or(Path::new("/")).to_owned();
        if !has_extension(&path, EXTENSION) {
            let start_limit = Duration::from_millis(START_LIMIT_MS);
            let (command, data) = (vec![path.clone().into()], BTreeMap::new());
            return Ok(Self { command, folder, files: vec![path], data, start_limit });
        }
        let text = read_named_text(&path, LARGEST_START_FILE).map_err(unreadable)?;
        let wrong = |problem: String| ProgramError::Form { file: file.to_owned(), problem };
        let start: StartFile = toml::from_str(&text).map_err(|error| wrong(error.message().to_owned()))?;
        if start.command.is_empty() {
            return Err(wrong("`command` is empty; write the program and its arguments".to_owned()));
        }
        // Words of the command that name files beside this one are part of the program, too.
        let mentioned = start.command.iter().map(|word| folder.join(word)).filter(|file| file.is_file());
        let mut files = vec![path];
        files.extend(mentioned);
        let mut data = BTreeMap::new();
        for (role, listed) in start.files.map(DataFiles::by_role).unwrap_or_default() {
            let listed = folder.join(listed);
            if !listed.is_file() {
                return Err(wrong(format!("`files` names {}, which is not a file", listed.display())));
            }
            files.push(listed.clone());
            data.insert(role, listed);
        }
        let mut command: Vec<OsString> = start.command.iter().map(OsString::from).collect();
        if start.command[0].contains('/') {
            command[0] = folder.join(&start.command[0]).into();
        }
        let start_limit_ms = start.start_limit_ms.unwrap_or(START_LIMIT_MS);
        if start_limit_ms > LONGEST_START_MS {
            let problem = format!("`start_limit_ms` is {start_limit_ms}: write at most {LONGEST_START_MS}");
            return Err(wrong(problem));
        }
        let start_limit = Duration::from_millis(start_limit_ms);
        Ok(Self { command, folder, files, data, start_limit })
    }

    /// The SHA-256 of the program: of its only file, or of a list of its files in the form of `sha256sum`.
    pub fn sha256(&self) -> io::Result<String> {
        if let [only] = &self.files[..] {
            return file_sha256(only);
        }
        let mut list = String::new();
        for file in &self.files {
            let name = file.strip_prefix(&self.folder).unwrap_or(file);
            let _ = writeln!(list, "{}  {}", file_sha256(file)?, name.display());
        }
        Ok(sha256(list))
    }

    /// The SHA-256 of each data file, by role.
    pub fn data_sha256(&self) -> io::Result<BTreeMap<String, String>> {
        self.data.iter().map(|(role, file)| Ok((role.clone(), file_sha256(file)?))).collect()
    }
}

fn has_extension(file: &Path, extension: &str) -> bool {
    file.extension().is_some_and(|found| found == extension)
}

/// Whether a file has a shared library's name, `libfftw.so.3` included.
pub fn is_library_name(file: &Path) -> bool {
    let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    name.ends_with(std::env::consts::DLL_SUFFIX) || name.contains(".so.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_of_every_file_that_the_program_consists_of() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("a.agent"), "command = [\"python3\", \"a.py\", \"-x\"]\nfiles = [\"table.bin\"]")
            .unwrap();
        fs::write(path("a.py"), "1").unwrap();
        fs::write(path("table.bin"), "2").unwrap();
        let hash = || Program::read(&path("a.agent")).unwrap().sha256().unwrap();
        let first = hash();
        assert_eq!(hash(), first);
        for file in ["a.py", "table.bin"] {
            let before = hash();
            fs::write(path(file), "changed").unwrap();
            assert_ne!(hash(), before, "{file}");
        }
        fs::remove_file(path("table.bin")).unwrap();
        let error = Program::read(&path("a.agent")).unwrap_err().to_string();
        assert!(error.contains("a.agent") && error.contains("table.bin"), "{error}");
    }

    #[test]
    fn data_has_roles_that_are_named_or_the_names_themselves() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("a.bin"), "abc").unwrap();
        let data = |files: &str| {
            fs::write(path("a.agent"), format!("command = [\"x\"]\nfiles = {files}")).unwrap();
            Program::read(&path("a.agent")).map(|program| program.data_sha256().unwrap())
        };
        let sha256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        let of = |role: &str| BTreeMap::from([(role.to_owned(), sha256.to_owned())]);
        assert_eq!(data(r#"["a.bin"]"#).unwrap(), of("a.bin"));
        assert_eq!(data(r#"{ weights = "a.bin" }"#).unwrap(), of("weights"));
        assert!(data("[]").unwrap().is_empty());
        let error = data("3").unwrap_err().to_string();
        assert!(error.contains("neither a list of files nor a table of roles"), "{error}");
    }

    #[test]
    fn a_library_is_no_program_though_it_can_be_executed() {
        let folder = tempfile::tempdir().unwrap();
        for (name, mode, is_program) in [
            ("liba.so", 0o755, false),
            ("liba.so.1", 0o755, false),
            ("a", 0o755, true),
            ("a.py", 0o644, false),
        ] {
            let file = folder.path().join(name);
            fs::write(&file, "#!/bin/sh").unwrap();
            fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
            assert_eq!(Program::is_one(&file), is_program, "{name}");
        }
        assert!(Program::is_one(Path::new("anything.agent")));
    }
}
