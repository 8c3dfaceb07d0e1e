//! A small repository with results, to make bundles from.

use std::fs;
use std::path::PathBuf;

use crate::common::git;
use crate::common::lab::{Lab, experiment};

pub(crate) const CITATION: &str = "cff-version: 1.2.0\nmessage: Cite it.\ntitle: A laboratory\ntype: software\nauthors:\n  \
                                   - name: The authors\nversion: 0.1.0\nlicense: MIT\nkeywords:\n  - \"2048\"\n";

/// A repository whose results are played and committed.
pub(crate) fn repository() -> Lab {
    let lab = Lab::with(&(experiment("r", "random", 5, "") + &experiment("c", "fixed-cycle", 5, "")));
    fs::write(lab.path("CITATION.cff"), CITATION).unwrap();
    fs::write(lab.path(".gitignore"), "/results/.lock\n/results/.cache/\n/plugins\n/bundles*\n").unwrap();
    fs::create_dir(lab.path("tools")).unwrap();
    fs::write(lab.path("tools/run"), "#!/bin/sh\n").unwrap();
    fs::set_permissions(lab.path("tools/run"), std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    lab.succeed(&["reproduce", "--quiet"]);
    git(&lab.path(""), &["init", "--quiet"]);
    commit(&lab);
    lab
}

pub(crate) fn commit(lab: &Lab) {
    git(&lab.path(""), &["add", "--all"]);
    git(&lab.path(""), &["commit", "--quiet", "--message", "All of it"]);
}

/// Makes a bundle in a folder of the laboratory.
pub(crate) fn bundle(lab: &Lab, to: &str, more: &[&str]) -> PathBuf {
    let ran = lab.succeed(&[&["bundle", "--json", "--to", to], more].concat());
    lab.path(ran.json()["file"].as_str().unwrap())
}
