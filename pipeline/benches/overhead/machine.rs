//! The machine that is measured on: the CPU time of processes, and whether two of them get a processor each.

use std::process::Command;
use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};
use wait4::Wait4 as _;

/// What a process took, and those that it started and waited for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cost {
    /// CPU time.
    pub(crate) cpu: Duration,
    /// Wall time.
    pub(crate) wall: Duration,
    /// The memory of the largest of them, in megabytes.
    pub(crate) peak_mb: f64,
}

impl Cost {
    /// What a command takes, which must succeed.
    pub(crate) fn of(command: &mut Command) -> Self {
        let begun = Instant::now();
        let used =
            command.spawn().expect("the command starts").wait4().expect("the system tells what it took");
        assert!(used.status.success(), "{command:?} failed");
        let cpu = used.rusage.utime + used.rusage.stime;
        Self { cpu, wall: begun.elapsed(), peak_mb: used.rusage.maxrss as f64 / 1e6 }
    }

    /// The better of two measurements of the same work: what disturbs one only ever adds to it.
    pub(crate) fn min(self, other: Self) -> Self {
        Self {
            cpu: self.cpu.min(other.cpu),
            wall: self.wall.min(other.wall),
            peak_mb: self.peak_mb.min(other.peak_mb),
        }
    }

    /// What is left of a long run without the beginning and end that a short one has as well.
    pub(crate) fn beyond(self, short: Self) -> Self {
        Self {
            cpu: self.cpu.saturating_sub(short.cpu),
            wall: self.wall.saturating_sub(short.wall),
            peak_mb: self.peak_mb,
        }
    }
}

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

/// How many processors two busy threads get between them: 2 on an idle machine that has as many, less on a busy one.
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
