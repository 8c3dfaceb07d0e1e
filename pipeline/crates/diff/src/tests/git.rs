//! The files of a revision, from a real repository.

use platform::ConfinedPath;
use std::fs;
use std::path::Path;
use std::process::Command;

use super::super::git::RevisionReader;

/// Has git do something in a folder, as a user would.
pub(super) fn git(folder: &Path, arguments: &[&str]) -> String {
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

/// Commits all that lies in a folder.
pub(super) fn commit(folder: &Path) -> String {
    git(folder, &["add", "--all"]);
    git(folder, &["commit", "--quiet", "--message", "m"]);
    git(folder, &["rev-parse", "HEAD"])
}

/// A repository with a commit, and the folder that it is in.
fn repository() -> (tempfile::TempDir, RevisionReader, String) {
    let folder = tempfile::tempdir().unwrap();
    let top = folder.path();
    git(top, &["init", "--quiet"]);
    fs::create_dir_all(top.join("results/records")).unwrap();
    fs::write(top.join("results/index.json"), "{}\n").unwrap();
    fs::write(top.join("results/empty"), "").unwrap();
    fs::write(top.join("results/records/bytes"), b"\n\0one blob 3\nabc").unwrap();
    let made = commit(top);
    let reader = RevisionReader::around(&top.join("results"), "HEAD").unwrap();
    (folder, reader, made)
}

#[test]
fn a_folder_is_written_as_it_was_committed_whatever_became_of_it() {
    let (folder, reader, first) = repository();
    let top = folder.path();
    fs::write(top.join("results/empty"), "no longer").unwrap();
    fs::remove_dir_all(top.join("results/records")).unwrap();
    let second = commit(top);
    assert_eq!(reader.commit("HEAD~1").unwrap(), first);
    assert_eq!(reader.commit(&second[..9]).unwrap(), second);

    let target = tempfile::tempdir().unwrap();
    assert!(reader.write(&first, "results", &ConfinedPath::file(target.path())).unwrap());
    let read = |name: &str| fs::read(target.path().join(name)).unwrap();
    assert_eq!((read("empty"), read("index.json")), (Vec::new(), b"{}\n".to_vec()));
    assert_eq!(read("records/bytes"), b"\n\0one blob 3\nabc");
    let file = target.path().join("new/copy");
    assert!(reader.write(&second, "results/empty", &ConfinedPath::file(&file)).unwrap());
    assert_eq!(fs::read(file).unwrap(), b"no longer");

    let gone = ConfinedPath::file(&target.path().join("gone"));
    for path in ["results/records", "nothing", "results/emp"] {
        assert!(!reader.write(&second, path, &gone).unwrap() && !gone.exists(), "{path}");
    }
    assert_eq!(git(top, &["status", "--porcelain"]), "", "the checkout is as it was");
}

#[test]
fn paths_are_told_from_the_top_of_the_repository_or_refused() {
    let (folder, reader, _) = repository();
    let top = folder.path();
    assert_eq!(reader.inside(&top.join("results")).unwrap(), "results");
    let top = top.canonicalize().unwrap();
    assert_eq!(reader.inside(&top.join("gone/folder")).unwrap(), "gone/folder", "a revision may have it");
    let outside = reader.inside(Path::new("/")).unwrap_err().to_string();
    assert!(outside.contains("/ is outside the repository"), "{outside}");
}

#[test]
fn what_git_does_not_know_is_told_in_its_words() {
    let (folder, reader, _) = repository();
    let unknown = reader.commit("nowhere").unwrap_err().to_string();
    assert!(unknown.starts_with("`nowhere` is neither a folder nor a revision of "), "{unknown}");
    let target = ConfinedPath::file(&folder.path().join("f"));
    let error = reader.write("0123456789", "results", &target).unwrap_err().to_string();
    assert!(error.starts_with("git ls-tree ") && error.contains("Not a valid object name"), "{error}");
    assert!(!target.exists());
    let none = tempfile::tempdir().unwrap();
    let around = RevisionReader::around(none.path(), "HEAD").unwrap_err().to_string();
    assert!(
        around.starts_with("`HEAD` is not a folder") && around.contains("not a git repository"),
        "{around}"
    );
}

#[test]
fn only_plain_files_are_taken_from_a_commit() {
    let (folder, reader, _) = repository();
    let top = folder.path();
    let target = tempfile::tempdir().unwrap();
    git(top, &["update-index", "--chmod=+x", "results/empty"]);
    let runnable = {
        git(top, &["commit", "--quiet", "--message", "m"]);
        git(top, &["rev-parse", "HEAD"])
    };
    let write = |commit: &str| reader.write(commit, "results", &ConfinedPath::file(target.path()));
    assert!(write(&runnable).unwrap(), "a file that may be run is a file");
    std::os::unix::fs::symlink("/etc/hostname", top.join("results/link")).unwrap();
    let linked = commit(top);
    assert_eq!(
        write(&linked).unwrap_err().to_string(),
        "`link` in the commit is a link or a repository of its own, but results must be plain files"
    );
    fs::remove_file(top.join("results/link")).unwrap();
    fs::write(top.join("results/a\\b"), "").unwrap();
    let named = commit(top);
    let told = write(&named).unwrap_err().to_string();
    assert!(told.contains("has a control character or a backslash in its name"), "{told}");
}
