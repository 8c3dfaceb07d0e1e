//! Helpers of several test crates: the laboratory, C plugins, manifests and repositories.
#![allow(dead_code, unused_imports, reason = "each test crate uses its own part of this")]

pub(crate) mod build;
pub(crate) mod command_output;
pub(crate) mod lab;
pub(crate) mod manifests;
pub(crate) mod process;
pub(crate) mod repository;
#[path = "../../../engine/tests/common/skip.rs"]
mod skip;
pub(crate) mod stored;

pub(crate) use skip::skip;

/// What nearly every test uses.
pub(crate) mod prelude {
    pub(crate) use std::collections::{BTreeMap, BTreeSet};
    pub(crate) use std::fs;
    pub(crate) use std::os::unix::fs::{PermissionsExt as _, symlink};
    pub(crate) use std::path::{Path, PathBuf};
    pub(crate) use std::process::{Child, Command, Stdio};
    pub(crate) use std::sync::OnceLock;
    pub(crate) use std::time::Duration;

    pub(crate) use engine::{Ending, Rules};
    pub(crate) use jobs::Canonical as _;
    pub(crate) use platform::ConfinedPath;
    pub(crate) use records::GameRecord;
    pub(crate) use serde_json::{Value, json};

    pub(crate) use super::build::{BAD, TUNED, compile_plugin, compile_program_with, has_python};
    pub(crate) use super::command_output::{CommandOutput, assert_has, assert_lacks, list, texts};
    pub(crate) use super::lab::{Lab, reply, wait_for_bytes};
    pub(crate) use super::manifests::*;
    pub(crate) use super::process::{
        children, in_terminal, is_alive, kill, kill_repeatedly, signal, signal_until_it_ends, wait_until,
    };
    pub(crate) use super::repository::{bundle, commit, copy_folder, copy_of, git, repository, track};
    pub(crate) use super::stored::{
        confined, files, flip, only, records, result_files, rewrite, summary, training_outcome,
    };
    pub(crate) use super::{root, skip};
}

use std::path::PathBuf;

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    concat!(env!("CARGO_MANIFEST_DIR"), "/..").into()
}
