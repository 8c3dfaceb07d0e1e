//! Who works in a results folder: a file that only one process can make, with the name of whoever made it.
//!
//! The system's locks are free again however a process ends, but a network file system may have none, or keep
//! them to one machine. So whoever takes a folder also makes such a file, by an exclusive creation, which
//! every file system has. One that a process of this machine has left behind, killed at once, is taken away;
//! one of another machine is not, since nothing can be known of it from here: the error says whose it is, and
//! which file to remove if that is gone.

use std::fs;
use std::io::{self, Write as _};

use serde::{Deserialize, Serialize};

use platform::{ConfinedPath, Entry, RemoveOnSignal, clock};

/// The most bytes of such a file.
const LARGEST: u64 = 4096;
/// What the names of such files begin with.
const NAME: &str = ".holder";

/// Whether a file in a results folder is such a file.
pub fn is_holder(name: &str) -> bool {
    name.starts_with(NAME)
}

/// Whoever works in a folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Holder {
    /// The machine.
    pub host: String,
    /// What tells this start of the machine from another.
    boot: String,
    /// The process on it.
    pub process: u32,
    /// When the process was started, in the machine's own count.
    started: u64,
    /// The scheduler's job that it belongs to, if it belongs to one.
    pub job: Option<String>,
    /// Since when, in UTC.
    pub since: String,
}

/// Why a folder cannot be taken.
#[derive(Debug)]
pub(crate) enum Refused {
    /// Somebody has it: who, as far as that is known, and by which file.
    Held(Option<Box<Holder>>, ConfinedPath),
    /// The file system fails.
    Io(io::Error),
}

impl From<io::Error> for Refused {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// The file of a process that has taken a folder; it goes when this is dropped, and when a signal ends the
/// program.
#[derive(Debug)]
pub(crate) struct Held {
    path: ConfinedPath,
    _mark: RemoveOnSignal,
}

impl Drop for Held {
    fn drop(&mut self) {
        let _ = self.path.remove();
    }
}

impl Holder {
    /// This process.
    fn here() -> Self {
        let given = |name: &str| fs::read_to_string(format!("/proc/sys/kernel/{name}")).unwrap_or_default();
        let process = std::process::id();
        Self {
            host: given("hostname").trim().to_owned(),
            boot: given("random/boot_id").trim().to_owned(),
            process,
            started: started(process).unwrap_or(0),
            job: std::env::var("SLURM_JOB_ID").ok(),
            since: clock::now(),
        }
    }

    /// Whether it is a process of this machine that is no more.
    fn is_gone(&self, here: &Self) -> bool {
        self.host == here.host && (self.boot != here.boot || started(self.process) != Some(self.started))
    }
}

/// When a process of this machine was started; `None` if there is none.
fn started(process: u32) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name stands in brackets, and may hold anything.
    stat.rsplit_once(") ")?.1.split(' ').nth(19)?.parse().ok()
}

/// Takes a folder for this process alone.
pub(crate) fn take(folder: &ConfinedPath) -> Result<Held, Refused> {
    let here = Holder::here();
    let held = make(&folder.join(NAME), &here)?;
    check_others(folder, &here)?;
    Ok(held)
}

/// Takes a folder together with others that take it in this way.
pub(crate) fn take_with_others(folder: &ConfinedPath) -> Result<Held, Refused> {
    let here = Holder::here();
    let name = format!("{NAME}-{}-{}", here.host.replace(['/', '.'], "-"), here.process);
    let (alone, own) = (folder.join(NAME), folder.join(&name));
    // A process may take it more than once.
    let count = (0..).map(|number| own.with_file_name(format!("{name}-{number}")));
    let free = count.into_iter().find(|path| !path.exists());
    let held = make(&free.unwrap_or(own), &here)?;
    match read(&alone)? {
        Some(holder) if holder.as_ref().is_some_and(|holder| holder.is_gone(&here)) => Ok(held),
        Some(holder) => Err(Refused::Held(holder, alone)),
        None => Ok(held),
    }
}

/// Makes the file of this process; one that is left of another is taken away first.
fn make(path: &ConfinedPath, here: &Holder) -> Result<Held, Refused> {
    let text = serde_json::to_vec(here).map_err(io::Error::from)?;
    loop {
        let made = RemoveOnSignal::make(|| path.create_new(), |_| path.clone());
        match made {
            Ok((mut file, mark)) => {
                let held = Held { path: path.to_owned(), _mark: mark };
                file.write_all(&text)?;
                return Ok(held);
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error.into()),
        }
        match read(path)? {
            Some(Some(holder)) if holder.is_gone(here) => path.remove()?,
            Some(holder) => return Err(Refused::Held(holder, path.to_owned())),
            None => {}
        }
    }
}

/// The process that a file names: `None` if there is no such file, `Some(None)` if it names nobody.
fn read(path: &ConfinedPath) -> io::Result<Option<Option<Box<Holder>>>> {
    match path.read(LARGEST) {
        Ok(bytes) => Ok(Some(serde_json::from_slice(&bytes).ok())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Checks that no process has taken a folder together with others. Files of processes of this machine that
/// are gone are removed.
fn check_others(folder: &ConfinedPath, here: &Holder) -> Result<(), Refused> {
    let is_other = |name: &str| is_holder(name) && name != NAME;
    for Entry { path, .. } in folder.list()? {
        if !path.name().is_some_and(is_other) {
            continue;
        }
        match read(&path)? {
            Some(Some(holder)) if holder.is_gone(here) => path.remove()?,
            Some(holder) => return Err(Refused::Held(holder, path)),
            None => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An empty folder.
    fn root() -> (tempfile::TempDir, ConfinedPath) {
        let folder = tempfile::tempdir().unwrap();
        let root = ConfinedPath::root(folder.path());
        (folder, root)
    }

    fn write(path: &ConfinedPath, holder: &Holder) {
        fs::write(path.path(), serde_json::to_vec(holder).unwrap()).unwrap();
    }

    #[test]
    fn one_process_has_a_folder_and_leaves_nothing() {
        let (_folder, root) = root();
        let held = take(&root).unwrap();
        let Err(Refused::Held(Some(holder), _)) = take(&root) else { panic!("it is taken") };
        assert_eq!(*holder, Holder { since: holder.since.clone(), ..Holder::here() });
        assert!(matches!(take_with_others(&root), Err(Refused::Held(..))));
        drop(held);
        let both = [take_with_others(&root).unwrap(), take_with_others(&root).unwrap()];
        assert!(matches!(take(&root), Err(Refused::Held(..))));
        drop(both);
        drop(take(&root).unwrap());
        assert!(root.list().unwrap().is_empty());
    }

    #[test]
    fn what_a_killed_process_of_this_machine_has_left_is_taken_away() {
        let (_folder, root) = root();
        for gone in [
            Holder { process: u32::MAX, ..Holder::here() },
            Holder { started: 1, ..Holder::here() },
            Holder { boot: "an earlier one".to_owned(), ..Holder::here() },
        ] {
            write(&root.join(NAME), &gone);
            write(&root.join(".holder-x-1-0"), &gone);
            drop(take(&root).unwrap());
            assert!(root.list().unwrap().is_empty(), "{gone:?}");
        }
    }

    #[test]
    fn whoever_is_on_another_machine_is_named_and_left_alone() {
        let (_folder, root) = root();
        let (path, job) = (root.join(NAME), Some("77".to_owned()));
        let elsewhere = Holder { host: "node7".to_owned(), job, ..Holder::here() };
        write(&path, &elsewhere);
        let Err(Refused::Held(Some(holder), file)) = take(&root) else { panic!("it is node7's") };
        assert_eq!((*holder, &file), (elsewhere.clone(), &path));
        assert!(path.exists());
        fs::write(path.path(), "").unwrap();
        assert!(matches!(take(&root), Err(Refused::Held(None, _))), "it is being written");
        path.remove().unwrap();
        write(&root.join(".holder-node7-3-0"), &elsewhere);
        assert!(matches!(take(&root), Err(Refused::Held(Some(_), _))));
        assert!(!path.exists(), "what was taken is given back");
    }
}
