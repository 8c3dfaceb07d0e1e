//! C sources as shared libraries and programs.

use std::collections::HashMap;
use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use platform::hash::sha256;
use workers::plugin;

use super::{root, skip};

/// A player of seeded chance that misbehaves as its flags say.
pub(crate) const BAD: &str = "pipeline/tests/plugins/bad.c";
/// A player with parameters to tune.
pub(crate) const TUNED: &str = "pipeline/tests/plugins/tuned.c";

/// Compiles a C source of the repository into a plugin with this name. Warnings are errors.
pub(crate) fn compile_plugin(source: &str, name: &str, flags: &[&str]) -> PathBuf {
    let plugin =
        ["-std=c11", "-Wpedantic", "-O1", "-ffp-contract=off", "-fvisibility=hidden", "-fPIC", "-shared"];
    compile(source, &library_name(name), &[&plugin, flags].concat(), &[])
}

/// The plugin of `agents/random`, which is built with the workspace.
pub(crate) fn random_plugin() -> PathBuf {
    let found = plugin::find(&plugin::folders()).unwrap();
    let random = found.into_iter().find(|file| file.ends_with(library_name("random")));
    random.expect("run `cargo test` at the root, which builds every agent plugin, instead of `-p pipeline`")
}

/// Compiles a C source, given from the root of the repository, into a program with this name.
pub(crate) fn compile_program(source: &str, name: &str) -> PathBuf {
    compile(source, name, &["-std=gnu11"], &["-ldl"])
}

/// Compiles a C source, given from the root of the repository, into a program with these flags.
pub(crate) fn compile_program_with(source: &str, name: &str, flags: &[&str]) -> PathBuf {
    compile(source, name, &[&["-std=gnu11", "-O1", "-Wno-unused-function"], flags].concat(), &[])
}

/// Whether there is a Python to run examples with.
pub(crate) fn has_python() -> bool {
    Command::new("python3").arg("--version").output().is_ok_and(|output| output.status.success())
}

/// The programs of a Python environment with these packages, made once; none, with a message, without them.
pub(crate) fn python_environment(name: &str, packages: &[&str]) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let made = folder.join("made");
    // A folder with other packages, from an earlier state of the test, is extended.
    if fs::read_to_string(&made).ok() != Some(packages.join(" ")) {
        let run = |program: &Path, arguments: &[&str]| {
            let output = Command::new(program).args(arguments).output();
            output.is_ok_and(|output| output.status.success())
        };
        let install =
            ["install", "--quiet", "--disable-pip-version-check", "--retries", "1", "--timeout", "20"];
        let has_all = run(Path::new("python3"), &["-m", "venv", folder.to_str()?])
            && run(&folder.join("bin/pip"), &[&install[..], packages].concat());
        if !has_all {
            skip(&format!("{} cannot be had from PyPI here", packages.join(", ")));
            return None;
        }
        fs::write(made, packages.join(" ")).unwrap();
    }
    Some(folder.join("bin"))
}

/// Where a shared library with this name lies, or would.
pub(crate) fn library_path(name: &str) -> PathBuf {
    folder("").join(library_name(name))
}

fn library_name(name: &str) -> String {
    format!("{DLL_PREFIX}{name}{DLL_SUFFIX}")
}

/// Compiles a source once for all tests of this process. Each set of flags has a folder of its own.
fn compile(source: &str, name: &str, flags: &[&str], libraries: &[&str]) -> PathBuf {
    static BUILT: Mutex<Option<HashMap<PathBuf, PathBuf>>> = Mutex::new(None);
    let text = fs::read(root().join(source)).unwrap();
    let target = folder(&sha256([&text[..], flags.concat().as_bytes()].concat())[..16]).join(name);
    let mut built = BUILT.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let built = built.get_or_insert_default();
    if let Some(file) = built.get(&target) {
        return file.clone();
    }
    // The file appears by renaming: other test processes may use it at this moment.
    let unfinished = target.with_extension(format!("{}.unfinished", std::process::id()));
    let output = Command::new("cc")
        .args(["-Wall", "-Wextra", "-Werror"])
        .args(flags)
        .arg("-I")
        .arg(root().join("engine/include"))
        .arg("-o")
        .arg(&unfinished)
        .arg(root().join(source))
        .args(libraries)
        .output()
        .expect("cc runs: Rust links with it");
    assert!(output.status.success(), "{source} {flags:?}: {}", String::from_utf8_lossy(&output.stderr));
    fs::rename(&unfinished, &target).unwrap();
    built.insert(target.clone(), target.clone());
    target
}

fn folder(part: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("plugins").join(part);
    fs::create_dir_all(&folder).unwrap();
    folder
}
