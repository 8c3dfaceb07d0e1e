//! The machine that is measured on: the CPU time of processes, and whether two of them get a processor each.

use std::time::{Duration, Instant};

use nix::sys::resource::{Usage, UsageWho, getrusage};
use nix::sys::time::{TimeVal, TimeValLike as _};
use rustix::time::{ClockId, clock_gettime};

/// What processes that have ended took.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cost {
    /// CPU time, of the processes that they started included.
    pub(crate) cpu: Duration,
    /// Wall time.
    pub(crate) wall: Duration,
}

impl Cost {
    /// What `work`, which starts processes and waits for them, makes them take.
    pub(crate) fn of(work: impl FnOnce()) -> Self {
        let (cpu, begun) = (children_cpu(), Instant::now());
        work();
        Self { cpu: children_cpu() - cpu, wall: begun.elapsed() }
    }

    /// The better of two measurements of the same work: what disturbs one only ever adds to it.
    pub(crate) fn min(self, other: Self) -> Self {
        Self { cpu: self.cpu.min(other.cpu), wall: self.wall.min(other.wall) }
    }

    /// What is left of a long run without the beginning and end that a short one has as well.
    pub(crate) fn beyond(self, short: Self) -> Self {
        Self { cpu: self.cpu.saturating_sub(short.cpu), wall: self.wall.saturating_sub(short.wall) }
    }
}

/// The most memory that any process took which this one has waited for.
pub(crate) fn peak_memory_mb() -> f64 {
    // Linux counts kilobytes.
    children().max_rss() as f64 / 1000.0
}

fn children_cpu() -> Duration {
    let usage = children();
    duration(usage.user_time()) + duration(usage.system_time())
}

fn children() -> Usage {
    getrusage(UsageWho::RUSAGE_CHILDREN).expect("the system tells what processes took")
}

fn duration(time: TimeVal) -> Duration {
    Duration::from_micros(u64::try_from(time.num_microseconds()).unwrap_or(0))
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
