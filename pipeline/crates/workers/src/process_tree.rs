//! The process tree below a worker. All of it ends with the agent, even processes that left the process
//! group.
//!
//! On Linux, a process whose parent is gone becomes a child of the nearest ancestor that adopts orphans. A
//! worker does, so that what its agent leaves behind stays below it; and the run does, for what outlives a
//! worker that crashed. Elsewhere only the process group ends.

use std::collections::BTreeSet;
use std::io;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rustix::process::{
    Pid, Resource, Signal, WaitId, WaitIdOptions, getpgid, kill_process, kill_process_group, waitid,
};
use wait4::Wait4 as _;

use crate::fault::Exit;

/// The children that are not orphans: those that this process started and has not waited for, and those that
/// it had before, such as the background jobs of a shell that became this program by `exec`.
static OWN: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

fn own() -> MutexGuard<'static, BTreeSet<u32>> {
    OWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The memory limit of a process. On Linux it counts what the process can write to and does not share: the
/// heap, and private writable mappings, but not files mapped read-only. Elsewhere it counts the whole address
/// space.
pub(crate) const MEMORY: Resource = if cfg!(target_os = "linux") { Resource::Data } else { Resource::As };

/// A process that this one started. Its exit is kept, since it can be waited for only once.
pub(crate) struct ChildProcess {
    child: Child,
    exit: Option<Exit>,
}

impl ChildProcess {
    /// Starts a process, and registers it before anyone takes it for an orphan.
    pub(crate) fn start(command: &mut Command) -> io::Result<Self> {
        adopt_orphans();
        let mut own = own();
        let child = command.spawn()?;
        own.insert(child.id());
        Ok(Self { child, exit: None })
    }

    /// Its three pipes, if they are pipes and not taken yet.
    pub(crate) fn pipes(&mut self) -> (Option<ChildStdin>, Option<ChildStdout>, Option<ChildStderr>) {
        (self.child.stdin.take(), self.child.stdout.take(), self.child.stderr.take())
    }

    /// Whether the process has ended. It is not waited for, so no other process gets its id.
    pub(crate) fn has_ended(&self) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        self.exit.is_some()
            || self.pid().is_none_or(|pid| !matches!(waitid(WaitId::Pid(pid), options), Ok(None)))
    }

    /// Whether the process ends within this time.
    pub(crate) fn ends_within(&self, timeout: Duration) -> bool {
        let deadline = Instant::now() + timeout;
        while !self.has_ended() {
            if Instant::now() >= deadline {
                return false;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        true
    }

    /// How the process ended, if it has.
    fn exit(&mut self) -> Option<Exit> {
        if self.exit.is_none()
            && let Ok(Some(used)) = self.child.try_wait4()
        {
            self.exit = Some(Exit { status: used.status, peak: used.rusage.maxrss });
            own().remove(&self.child.id());
        }
        self.exit
    }

    /// Kills what the process started, the group that it leads, and the process. Returns how it ended.
    pub(crate) fn kill(&mut self) -> Option<Exit> {
        if self.exit.is_some() {
            return self.exit;
        }
        let pid = self.pid()?;
        // A stopped process stays stopped if this one is killed now, so it is stopped only if it has
        // children. What one without children starts at the last moment becomes an orphan, and ends as such.
        if !self.has_ended() && has_children(pid) {
            let _ = kill_process(pid, Signal::STOP);
            end_below(pid);
        }
        if getpgid(Some(pid)) == Ok(pid) {
            let _ = kill_process_group(pid, Signal::KILL);
        }
        let _ = kill_process(pid, Signal::KILL);
        let _ = waitid(WaitId::Pid(pid), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT);
        self.exit()
    }

    fn pid(&self) -> Option<Pid> {
        i32::try_from(self.child.id()).ok().and_then(Pid::from_raw)
    }
}

#[cfg(target_os = "linux")]
pub(crate) use linux::{adopt_orphans, end_below, end_orphans, has_children};
#[cfg(not(target_os = "linux"))]
pub(crate) use unsupported::{adopt_orphans, end_below, end_orphans, has_children};

#[cfg(not(target_os = "linux"))]
mod unsupported {
    pub(crate) fn adopt_orphans() {}
    pub(crate) fn end_below(_: rustix::process::Pid) {}
    pub(crate) fn end_orphans() {}
    pub(crate) fn has_children(_: rustix::process::Pid) -> bool {
        false
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use std::collections::BTreeSet;
    use std::fs;
    use std::sync::Once;
    use std::time::Duration;

    use rustix::process::{
        Pid, PidfdFlags, Signal, WaitId, WaitIdOptions, getpgrp, getpid, pidfd_open, pidfd_send_signal,
        set_child_subreaper, waitid,
    };

    /// How often to check whether all are gone. A killed process ends at once, unless it waits for the disk.
    const ROUNDS: u32 = 1000;

    /// The state of a process.
    #[derive(Clone, Copy, PartialEq, Eq)]
    struct ProcessStat {
        pid: i32,
        parent: i32,
        group: i32,
        /// Its start time: no other process has both this and its id.
        start: u64,
        is_over: bool,
    }

    impl ProcessStat {
        fn read(pid: i32) -> Option<Self> {
            let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
            // The name before it may contain anything.
            let fields: Vec<&str> = stat.rsplit_once(") ")?.1.split(' ').collect();
            Some(Self {
                pid,
                parent: fields.get(1)?.parse().ok()?,
                group: fields.get(2)?.parse().ok()?,
                start: fields.get(19)?.parse().ok()?,
                is_over: matches!(fields.first(), Some(&("Z" | "X"))),
            })
        }

        /// Kills this process, and no other that got its id since.
        fn kill(self) {
            let Some(pid) = Pid::from_raw(self.pid) else { return };
            if let Ok(held) = pidfd_open(pid, PidfdFlags::empty())
                && Self::read(self.pid).is_some_and(|now| now.start == self.start)
            {
                let _ = pidfd_send_signal(held, Signal::KILL);
            }
        }
    }

    /// From now on, orphans below this process become its children.
    pub(crate) fn adopt_orphans() {
        static ONCE: Once = Once::new();
        ONCE.call_once(|| {
            let this = getpid();
            let children = all().into_iter().filter(|seen| seen.parent == this.as_raw_nonzero().get());
            super::own().extend(children.filter_map(|child| u32::try_from(child.pid).ok()));
            let _ = set_child_subreaper(Some(this));
        });
    }

    /// Whether a process has living children.
    pub(crate) fn has_children(root: Pid) -> bool {
        all().iter().any(|seen| seen.parent == root.as_raw_nonzero().get() && !seen.is_over)
    }

    /// Kills everything below a process. Best while it is stopped, so that it starts nothing more.
    pub(crate) fn end_below(root: Pid) {
        repeat(|| {
            let all = all();
            let mut tree = BTreeSet::from([root.as_raw_nonzero().get()]);
            // Parents may have larger ids than their children.
            while all.iter().any(|seen| tree.contains(&seen.parent) && tree.insert(seen.pid)) {}
            all.into_iter()
                .filter(|seen| seen.pid != root.as_raw_nonzero().get() && tree.contains(&seen.pid))
                .collect()
        });
    }

    /// Kills what workers of this process left behind: children that it did not start itself. Workers and
    /// whatever they start are in groups of their own; other programs that this process starts are in its
    /// group.
    pub(crate) fn end_orphans() {
        let own = super::own();
        let (this, group) = (getpid().as_raw_nonzero().get(), getpgrp().as_raw_nonzero().get());
        repeat(|| {
            let is_orphan = |seen: &ProcessStat| {
                let is_own = u32::try_from(seen.pid).is_ok_and(|pid| own.contains(&pid));
                seen.parent == this && seen.group != group && !is_own
            };
            let orphans: Vec<ProcessStat> = all().into_iter().filter(is_orphan).collect();
            for over in orphans.iter().filter(|orphan| orphan.is_over) {
                let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG;
                let _ = Pid::from_raw(over.pid).map(|pid| waitid(WaitId::Pid(pid), options));
            }
            orphans
        });
    }

    /// Kills what is found until nothing lives: a killed process may have started another just before.
    fn repeat(find: impl Fn() -> Vec<ProcessStat>) {
        for _ in 0..ROUNDS {
            let mut living = find();
            living.retain(|seen| !seen.is_over);
            if living.is_empty() {
                return;
            }
            living.into_iter().for_each(ProcessStat::kill);
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    fn all() -> Vec<ProcessStat> {
        let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
        let number = |entry: fs::DirEntry| entry.file_name().to_str()?.parse().ok();
        entries.flatten().filter_map(number).filter_map(ProcessStat::read).collect()
    }
}
