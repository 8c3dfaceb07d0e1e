//! The machine that is measured on: the CPU time of processes, and whether two of them get a processor each.

use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

/// The CPU time of this thread over some work, in nanoseconds.
pub(crate) fn thread_cpu_ns(work: impl FnOnce()) -> f64 {
    let now = || {
        let time = clock_gettime(ClockId::ThreadCPUTime);
        time.tv_sec as f64 * 1e9 + time.tv_nsec as f64
    };
    let begun = now();
    work();
    now() - begun
}

/// How many processors two busy threads get together: 2 on an idle machine, less on a busy one.
pub(crate) fn processors_for_two() -> f64 {
    let begun = Instant::now();
    let spin = || thread_cpu_ns(|| while begun.elapsed() < Duration::from_millis(300) {});
    let cpu_ns: f64 = std::thread::scope(|scope| {
        let threads = [scope.spawn(spin), scope.spawn(spin)];
        threads.map(|thread| thread.join().expect("a loop does not panic")).iter().sum()
    });
    cpu_ns / begun.elapsed().as_nanos() as f64
}

/// The load averages as the system prints them; empty where it does not.
pub(crate) fn load() -> String {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split_whitespace().take(3).collect::<Vec<_>>().join(" ")
}
