//! A bundle is unpacked into a scratch folder, which goes with the command, whatever ends it.

use crate::common::prelude::*;
use crate::forge::opened;

/// Interrupts a command as soon as it has a scratch folder, until a signal comes in time; none is ever left.
fn assert_nothing_left(lab: &Lab, arguments: &[&str]) {
    let scratch = lab.path("tmp");
    fs::create_dir_all(&scratch).unwrap();
    let count = || fs::read_dir(&scratch).unwrap().count();
    wait_until("a signal comes in time", || {
        let mut child = lab.command(arguments).env("TMPDIR", &scratch).spawn().unwrap();
        wait_until("it has begun", || count() > 0 || child.try_wait().unwrap().is_some());
        signal("TERM", child.id());
        let status = child.wait_with_output().unwrap().status;
        assert_eq!(count(), 0, "{arguments:?}: {status:?}");
        status.code() == Some(128 + 15)
    });
}

#[test]
fn an_interrupted_check_or_reproduction_of_a_bundle_leaves_no_folder() {
    let (lab, file) = (opened(), "b.tar.zst");
    assert_nothing_left(&lab, &["verify", file]);
    assert_nothing_left(&lab, &["reproduce", "--from", file]);
    assert_nothing_left(&lab, &["diff", file, file]);
}
