//! Signals that ask the program to end: Ctrl-C, a request to terminate, a terminal that is gone, a cluster
//! that will soon take its node back.
//!
//! While games are played, the first one lets the games in flight come to their end, and the second ends the
//! program at once; what is journalled stays. At any other time the first one ends it. No destructor runs
//! then, so files and folders that are not to outlive the program are written down here, and removed before
//! it ends.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGUSR1};
use signal_hook::iterator::Signals;

use crate::ConfinedPath;
use crate::console::note;

/// Whether a run is to stop after the games in flight.
static STOP: AtomicBool = AtomicBool::new(false);
/// Whether the reason is that a cluster's time limit is near.
static IS_OUT_OF_TIME: AtomicBool = AtomicBool::new(false);
/// Whether games are being played: only then is there something that a signal has to wait for.
static IS_PLAYING: AtomicBool = AtomicBool::new(false);
/// What is to be removed before the program ends.
static TO_REMOVE: Mutex<BTreeSet<ConfinedPath>> = Mutex::new(BTreeSet::new());

/// How often removing a folder is tried, while other threads still write into it.
const TRIES: u32 = 100;

/// Games are being played, as long as this is there.
pub struct Playing;

impl Playing {
    /// Watches for signals, and lets the first one wait for the games in flight.
    pub fn begin() -> io::Result<Self> {
        watch()?;
        IS_PLAYING.store(true, Ordering::Relaxed);
        Ok(Self)
    }

    /// Set once the games in flight are to be the last.
    pub fn stop(&self) -> &'static AtomicBool {
        &STOP
    }

    /// Whether they are to be the last since a cluster's time limit is near: SIGUSR1 says so, as the script
    /// of `pipeline cluster` asks.
    pub fn is_out_of_time(&self) -> bool {
        IS_OUT_OF_TIME.load(Ordering::Relaxed)
    }
}

impl Drop for Playing {
    fn drop(&mut self) {
        IS_PLAYING.store(false, Ordering::Relaxed);
    }
}

/// A file or folder that a signal which ends the program removes. Whoever holds this removes it otherwise.
#[derive(Debug)]
pub struct RemoveOnSignal(ConfinedPath);

impl RemoveOnSignal {
    /// Makes something that is not to outlive the program. No signal comes between its making and its mark.
    pub fn make<T>(
        make: impl FnOnce() -> io::Result<T>,
        path: impl FnOnce(&T) -> ConfinedPath,
    ) -> io::Result<(T, Self)> {
        watch()?;
        let mut to_remove = to_remove();
        let made = make()?;
        let path = path(&made);
        to_remove.insert(path.clone());
        Ok((made, Self(path)))
    }
}

impl Drop for RemoveOnSignal {
    fn drop(&mut self) {
        to_remove().remove(&self.0);
    }
}

fn to_remove() -> MutexGuard<'static, BTreeSet<ConfinedPath>> {
    TO_REMOVE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Creates a folder. Once the program is ending, this never returns, since it would recreate removed folders.
pub(crate) fn unless_ending(make: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
    let _fleeting = to_remove();
    make()
}

/// Begins to watch for signals, if nothing does yet.
fn watch() -> io::Result<()> {
    static IS_WATCHING: Mutex<bool> = Mutex::new(false);
    let mut is_watching = IS_WATCHING.lock().unwrap_or_else(PoisonError::into_inner);
    if *is_watching {
        return Ok(());
    }
    let heard = [SIGINT, SIGTERM, SIGHUP, SIGUSR1].into_iter().filter(|&signal| !is_ignored(signal));
    let mut signals = Signals::new(heard)?;
    std::thread::Builder::new().name("signals".to_owned()).spawn(move || signals.forever().for_each(hear))?;
    *is_watching = true;
    Ok(())
}

/// Whether whoever started the program had it ignore a signal, as `nohup` does: then it stays ignored.
fn is_ignored(signal: i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    ignored.is_some_and(|mask| mask & (1 << (signal - 1)) != 0)
}

fn hear(signal: i32) {
    if signal == SIGUSR1 {
        IS_OUT_OF_TIME.store(true, Ordering::Relaxed);
    }
    let is_first = !STOP.swap(true, Ordering::Relaxed);
    if is_first && IS_PLAYING.load(Ordering::Relaxed) {
        note("stopping after the games in progress; repeat to stop at once");
    } else {
        end(128 + signal);
    }
}

/// Removes what is not to outlive the program, and ends it.
fn end(code: i32) -> ! {
    // The lock is never given back: no file, folder or part of one is made any more.
    let to_remove = to_remove();
    for path in &*to_remove {
        for _ in 0..TRIES {
            if path.remove_all().is_ok() || !path.exists() {
                break;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }
    std::process::exit(code)
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn no_folder_is_made_while_those_of_the_program_are_removed() {
        let scratch = tempfile::tempdir().unwrap();
        let folder = ConfinedPath::root(scratch.path()).join("unpacked").join("results");
        let (sender, made) = mpsc::channel();
        // As `end` holds it.
        let removing = to_remove();
        std::thread::scope(|threads| {
            threads.spawn(|| sender.send(folder.make_folder()).unwrap());
            assert!(made.recv_timeout(Duration::from_millis(100)).is_err());
            assert!(!folder.exists());
            drop(removing);
            made.recv().unwrap().unwrap();
        });
        assert!(folder.is_folder());
    }
}
