//! What several test files need: C sources as shared libraries and programs, repositories, and a folder to run the program in.
#![allow(dead_code, unused_imports, reason = "each test file uses its own part of this")]

pub(crate) mod lab;
#[path = "../../../engine/tests/common/skip.rs"]
mod skip;

use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

pub(crate) use skip::skip;

/// Compiles a C source, given from the root of the repository, into a plugin with this name. Warnings are errors.
///
/// The file appears by renaming, so that tests which run at the same time never see half of one.
pub(crate) fn compile_plugin(source: &str, name: &str, flags: &[&str]) -> PathBuf {
    let plugin =
        ["-std=c11", "-Wpedantic", "-O1", "-ffp-contract=off", "-fvisibility=hidden", "-fPIC", "-shared"];
    compile(source, &library_path(name), &[&plugin, flags].concat(), &[])
}

/// Compiles a C source, given from the root of the repository, into a program with this name.
pub(crate) fn compile_program(source: &str, name: &str) -> PathBuf {
    compile(source, &folder().join(name), &["-std=gnu11"], &["-ldl"])
}

/// Compiles a C source, given from the root of the repository, into a program with this name, with these flags.
pub(crate) fn compile_program_with(source: &str, name: &str, flags: &[&str]) -> PathBuf {
    compile(
        source,
        &folder().join(name),
        &[&["-std=gnu11", "-O1", "-Wno-unused-function"], flags].concat(),
        &[],
    )
}

/// Has git do something in a folder, as somebody who may commit, and gives what it prints.
pub(crate) fn git(folder: &Path, arguments: &[&str]) -> String {
    let output = Command::new("git")
        .arg("-C")
        .arg(folder)
        .args(["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"])
        .args(arguments)
        .output()
        .expect("git runs");
    assert!(output.status.success(), "git {arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// Whether there is a Python to run examples with.
pub(crate) fn has_python() -> bool {
    Command::new("python3").arg("--version").output().is_ok_and(|output| output.status.success())
}

/// Where a shared library with this name lies, or would.
pub(crate) fn library_path(name: &str) -> PathBuf {
    folder().join(format!("{DLL_PREFIX}{name}{DLL_SUFFIX}"))
}

fn compile(source: &str, target: &Path, flags: &[&str], libraries: &[&str]) -> PathBuf {
    static COMPILATIONS: AtomicU32 = AtomicU32::new(0);
    let number = COMPILATIONS.fetch_add(1, Ordering::Relaxed);
    let unfinished = target.with_extension(format!("{}-{number}.unfinished", std::process::id()));
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let output = Command::new("cc")
        .args(["-Wall", "-Wextra", "-Werror"])
        .args(flags)
        .arg("-I")
        .arg(root.join("engine/include"))
        .arg("-o")
        .arg(&unfinished)
        .arg(root.join(source))
        .args(libraries)
        .output()
        .expect("cc runs: Rust links with it");
    assert!(output.status.success(), "{source} {flags:?}: {}", String::from_utf8_lossy(&output.stderr));
    fs::rename(&unfinished, target).unwrap();
    target.to_owned()
}

fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("plugins");
    fs::create_dir_all(&folder).unwrap();
    folder
}
