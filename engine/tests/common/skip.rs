//! Tests that cannot run where they are: each says so past libtest's capture, and is written down for
//! `.ci/run`, which counts them.

use std::fs::File;
use std::io::Write as _;
use std::path::Path;

/// Says that the test of this thread, or a part of it, is not run, and why.
pub(crate) fn skip(reason: &str) {
    let thread = std::thread::current();
    let line = format!("skipped: {}: {reason}\n", thread.name().unwrap_or("a test"));
    // The macros would be captured, and shown only where the test fails.
    let _ = std::io::stderr().write_all(line.as_bytes());
    let list = Path::new(env!("CARGO_TARGET_TMPDIR")).join("skipped-tests");
    let mut list =
        File::options().create(true).append(true).open(list).expect("the list of skipped tests opens");
    list.write_all(line.as_bytes()).expect("the list of skipped tests takes a line");
}
