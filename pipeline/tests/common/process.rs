//! Processes: waiting for them, signalling them, and finding their children.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use engine::Rng;

/// Waits until a condition holds; a machine under load gets all the time that it needs.
pub(crate) fn wait_until(what: &str, holds: impl FnMut() -> bool) {
    wait_up_to(Duration::from_secs(120), Duration::from_millis(2), what, holds);
}

/// Waits until a condition holds, up to a timeout, with this pause between two looks.
pub(crate) fn wait_up_to(timeout: Duration, pause: Duration, what: &str, mut holds: impl FnMut() -> bool) {
    let end = Instant::now() + timeout;
    while !holds() {
        assert!(Instant::now() < end, "waited in vain: {what}");
        std::thread::sleep(pause);
    }
}

/// A shell command in a terminal of its own, by the program `script`, which may be missing.
pub(crate) fn in_terminal(command: &str) -> Command {
    let mut terminal = Command::new("script");
    terminal.args(["-qec", command, "/dev/null"]).env("TERM", "xterm-256color").stdin(Stdio::null());
    terminal
}

/// Sends a signal to a process, or to a group if the number is negative.
pub(crate) fn signal(name: &str, process: impl Into<i64>) {
    let status =
        Command::new("kill").arg(format!("-{name}")).arg("--").arg(process.into().to_string()).status();
    assert!(status.is_ok());
}

/// Sends a signal to a process again and again until it ends.
pub(crate) fn signal_until_it_ends(name: &str, mut run: Child) -> Output {
    wait_until("the run ends", || {
        signal(name, run.id());
        std::thread::sleep(Duration::from_millis(50));
        run.try_wait().unwrap().is_some()
    });
    run.wait_with_output().unwrap()
}

/// Kills a run of the program, and waits until its workers have ended.
pub(crate) fn kill(mut run: Child) {
    let workers = children(run.id());
    run.kill().unwrap();
    run.wait().unwrap();
    wait_until("the workers of a killed run end", || !workers.iter().any(|&worker| is_alive(worker)));
}

/// Starts runs of the program and kills each: every other one once its file `journal` has changed, however
/// slow the machine is, the others within `within_ms` milliseconds. After each, `check` looks at what it left.
pub(crate) fn kill_repeatedly(
    (times, within_ms): (u32, u32),
    journal: &Path,
    start: impl Fn() -> Child,
    check: impl Fn(),
) {
    let mut rng = Rng::from_seed(7);
    let size = || fs::metadata(journal).map_or(0, |journal| journal.len());
    for number in 0..times {
        let kept = size();
        let mut run = start();
        if number % 2 == 0 {
            wait_until("something is played", || size() != kept || run.try_wait().unwrap().is_some());
        }
        std::thread::sleep(Duration::from_millis(rng.below(within_ms).into()));
        kill(run);
        check();
    }
}

/// The processes that have this one as their parent.
pub(crate) fn children(process: u32) -> Vec<u32> {
    let ids = fs::read_dir("/proc").unwrap().flatten();
    let ids = ids.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    ids.filter(|&id| parent(id) == Some(process)).collect()
}

/// Whether a process is there and not a zombie.
pub(crate) fn is_alive(process: u32) -> bool {
    stat(process).is_some_and(|stat| !stat.starts_with('Z'))
}

fn parent(process: u32) -> Option<u32> {
    stat(process)?.split(' ').nth(1)?.parse().ok()
}

/// The system's line about a process, after its name.
fn stat(process: u32) -> Option<String> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    Some(stat.rsplit_once(") ")?.1.to_owned())
}
