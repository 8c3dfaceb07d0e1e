//! The kin of a process: what it has started, what that has started, and so on. All of it ends when an agent does, also what has
//! left the process group by a session of its own.
//!
//! Where the system allows, as on Linux, a process whose parent is gone becomes a child of the nearest ancestor that adopts
//! orphans. A worker does, so that what its agent leaves behind stays below it; and the run does, for what outlives a worker that
//! crashed. Elsewhere there is only the process group.

use std::collections::BTreeSet;
use std::io;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::process::{
    Pid, Resource, Signal, WaitId, WaitIdOptions, getpgid, kill_process, kill_process_group, waitid,
};
use wait4::Wait4 as _;

use crate::fault::Exit;

/// The children that are no orphans: those that this process has started itself and not yet waited for, and those that it had
/// before, such as the background jobs of a shell that has become this program by `exec`.
static OWN: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

fn own() -> MutexGuard<'static, BTreeSet<u32>> {
    OWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The limit of a process's memory. Linux counts in it what the process can write to and shares with nobody: the heap, and memory
/// mapped for itself. Files that are mapped to be read, however large, take nothing from it. Elsewhere only the whole address
/// space is counted.
pub(crate) const MEMORY: Resource = if cfg!(target_os = "linux") { Resource::Data } else { Resource::As };

/// A process that this one has started. Its end is remembered, since it can be waited for only once.
pub(crate) struct Kin {
    child: Child,
    exit: Option<Exit>,
}

impl Kin {
    /// Starts a process. Nobody takes it for an orphan before it is known.
    pub(crate) fn start(command: &mut Command) -> io::Result<Self> {
        adopt_orphans();
        let mut own = own();
        let child = command.spawn()?;
        own.insert(child.id());
        Ok(Self { child, exit: None })
    }

    /// Its three pipes; none that was taken before, or is no pipe.
    pub(crate) fn pipes(&mut self) -> (Option<ChildStdin>, Option<ChildStdout>, Option<ChildStderr>) {
        (self.child.stdin.take(), self.child.stdout.take(), self.child.stderr.take())
    }

    /// Whether the process has ended. It is not waited for: until it is, no other gets its number.
    pub(crate) fn has_ended(&self) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        self.exit.is_some()
            || self.pid().is_none_or(|pid| !matches!(waitid(WaitId::Pid(pid), options), Ok(None)))
    }

    /// How the process ended, if it has.
    pub(crate) fn exit(&mut self) -> Option<Exit> {
        if self.exit.is_none()
            && let Ok(Some(used)) = self.child.try_wait4()
        {
            self.exit = Some(Exit { status: used.status, peak: used.rusage.maxrss });
            own().remove(&self.child.id());
        }
        self.exit
    }

    /// Ends what the process has started, and its group where it leads one, and then the process. Gives how it ended.
    pub(crate) fn kill(&mut self) -> Option<Exit> {
        if self.exit.is_some() {
            return self.exit;
        }
        let pid = self.pid()?;
        // One that is stopped stays so for ever if this process is killed now. What one without children starts at the last moment is
        // an orphan of this process, and ends as such.
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
pub(crate) use nowhere::{adopt_orphans, end_below, end_orphans, has_children};

#[cfg(not(target_os = "linux"))]
mod nowhere {
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

    /// How often it is looked whether all are gone. One that is killed goes at once, unless the disk holds it.
    const ROUNDS: u32 = 1000;

    /// What is known of a process.
    #[derive(Clone, Copy, PartialEq, Eq)]
    struct Seen {
        pid: i32,
        parent: i32,
        group: i32,
        /// When it was started: no other process has both this and its number.
        start: u64,
        is_over: bool,
    }

    impl Seen {
        fn read(pid: i32) -> Option<Self> {
            let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
            // The name before it may hold anything.
            let fields: Vec<&str> = stat.rsplit_once(") ")?.1.split(' ').collect();
            Some(Self {
                pid,
                parent: fields.get(1)?.parse().ok()?,
                group: fields.get(2)?.parse().ok()?,
                start: fields.get(19)?.parse().ok()?,
                is_over: matches!(fields.first(), Some(&("Z" | "X"))),
            })
        }

        /// Kills this very process, and no other that has got its number since.
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

    /// Whether a process has children that live.
    pub(crate) fn has_children(root: Pid) -> bool {
        all().iter().any(|seen| seen.parent == root.as_raw_nonzero().get() && !seen.is_over)
    }

    /// Ends everything below a process, and not itself. Best while it is stopped, so that it starts nothing more.
    pub(crate) fn end_below(root: Pid) {
        repeat(|| {
            let all = all();
            let mut kin = BTreeSet::from([root.as_raw_nonzero().get()]);
            // Parents may have larger numbers than their children.
            while all.iter().any(|seen| kin.contains(&seen.parent) && kin.insert(seen.pid)) {}
            all.into_iter()
                .filter(|seen| seen.pid != root.as_raw_nonzero().get() && kin.contains(&seen.pid))
                .collect()
        });
    }

    /// Ends what workers of this process have left behind: children that it has not started itself. Workers are in groups of
    /// their own, and so is whatever comes from them; other programs that this process starts are in its own group.
    pub(crate) fn end_orphans() {
        let own = super::own();
        let (this, group) = (getpid().as_raw_nonzero().get(), getpgrp().as_raw_nonzero().get());
        repeat(|| {
            let is_orphan = |seen: &Seen| {
                let is_own = u32::try_from(seen.pid).is_ok_and(|pid| own.contains(&pid));
                seen.parent == this && seen.group != group && !is_own
            };
            let orphans: Vec<Seen> = all().into_iter().filter(is_orphan).collect();
            for over in orphans.iter().filter(|orphan| orphan.is_over) {
                let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG;
                let _ = Pid::from_raw(over.pid).map(|pid| waitid(WaitId::Pid(pid), options));
            }
            orphans
        });
    }

    /// Kills what is found until nothing is left that lives: what is killed may have started another just before.
    fn repeat(find: impl Fn() -> Vec<Seen>) {
        for _ in 0..ROUNDS {
            let mut living = find();
            living.retain(|seen| !seen.is_over);
            if living.is_empty() {
                return;
            }
            living.into_iter().for_each(Seen::kill);
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    fn all() -> Vec<Seen> {
        let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
        let number = |entry: fs::DirEntry| entry.file_name().to_str()?.parse().ok();
        entries.flatten().filter_map(number).filter_map(Seen::read).collect()
    }
}
