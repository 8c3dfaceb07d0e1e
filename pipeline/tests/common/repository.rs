//! Repositories with results, and the bundles made of them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use super::lab::Lab;
use super::manifests::experiment;

pub(crate) const CITATION: &str = "cff-version: 1.2.0\nmessage: Cite it.\ntitle: A laboratory\ntype: software\nauthors:\n  \
                                   - name: The authors\nversion: 0.1.0\nlicense: MIT\nkeywords:\n  - \"2048\"\n";

/// Runs git in a folder, as somebody who may commit, and returns what it prints.
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

/// A tar archive of files with these names and contents.
pub(crate) fn tar_of<'a>(files: impl IntoIterator<Item = (impl AsRef<Path>, &'a [u8])>) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (name, bytes) in files {
        let mut header = tar::Header::new_ustar();
        header.set_path(name).unwrap();
        header.set_mode(0o644);
        header.set_mtime(0);
        header.set_size(bytes.len() as u64);
        header.set_cksum();
        builder.append(&header, bytes).unwrap();
    }
    builder.into_inner().unwrap()
}

/// Copies a folder with everything in it.
pub(crate) fn copy_folder(from: &Path, to: &Path) {
    let status = Command::new("cp").arg("-a").arg("-T").arg(from).arg(to).status();
    assert!(status.unwrap().success(), "{} to {}", from.display(), to.display());
}

/// A laboratory that is the same for all tests of this process: made once, and copied for each.
pub(crate) fn copy_of(name: &str, make: fn() -> Lab) -> Lab {
    static MADE: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    let place = format!("{name}-{}", env!("CARGO_CRATE_NAME"));
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join(place);
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    if !made.contains(&place) {
        let _ = fs::remove_dir_all(&place);
        copy_folder(&make().path(""), &place);
        made.insert(place.clone());
    }
    drop(made);
    let lab = Lab::new();
    copy_folder(&place, &lab.path(""));
    lab
}

/// A repository whose results are played and committed.
pub(crate) fn repository() -> Lab {
    copy_of("repository", new_repository)
}

/// The same, made anew.
pub(crate) fn new_repository() -> Lab {
    let lab = Lab::with(&(experiment("r", "random", 5, "") + &experiment("c", "fixed-cycle", 5, "")));
    fs::create_dir(lab.path("tools")).unwrap();
    lab.script("tools/run", "");
    track(&lab);
    lab
}

/// Reproduces what a laboratory has, and commits everything in a repository that can be bundled.
pub(crate) fn track(lab: &Lab) {
    lab.succeed("reproduce --quiet");
    fs::write(lab.path("CITATION.cff"), CITATION).unwrap();
    let ignored = "/results/.lock\n/results/.cache/\n/plugins\n/bundles*\n/retile-*\n/open\n*.tar.zst\n";
    fs::write(lab.path(".gitignore"), ignored).unwrap();
    git(&lab.path(""), &["init", "--quiet"]);
    commit(lab);
}

pub(crate) fn commit(lab: &Lab) {
    git(&lab.path(""), &["add", "--all"]);
    git(&lab.path(""), &["commit", "--quiet", "--message", "All of it"]);
}

/// Makes a bundle in a folder of the laboratory, and returns its path.
pub(crate) fn bundle(lab: &Lab, to: &str, more: &str) -> String {
    let bundled = lab.json_of(&format!("bundle --to {to} {more}"));
    lab.path(bundled["file"].as_str().unwrap()).display().to_string()
}
