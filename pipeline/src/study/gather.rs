//! Journals of a study's parts that were played elsewhere, brought into one results folder, where the next
//! run of the study takes them up.

use std::io;

use super::journal::TrialJournal;
use crate::journal::JournalError;
use jobs::Key;
use platform::{ConfinedPath, atomic};
use records::{Layout, Shard};

/// The journal of a part, where the study's next run finds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GatheredPart {
    /// The study.
    pub key: Key,
    /// Which part.
    pub part: Shard,
    /// How many trials are in it.
    pub trials: usize,
    /// Where it is now.
    pub path: ConfinedPath,
}

/// Why a journal cannot be brought in.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum GatherError {
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error(
        "{}: this is not the journal of a part of a study, as `pipeline study --shard M/N` leaves it at STUDY.part-M-of-N.journal",
        path.display()
    )]
    NoPart { path: ConfinedPath },
    #[error("{}: there are other trials of the same part in {}; move the one that you do not want away", path.display(), there.display())]
    Differs { path: ConfinedPath, there: ConfinedPath },
}

/// Whether a file is called like the journal of a part.
pub fn is_journal_of_part(path: &ConfinedPath) -> bool {
    part_of(path).is_some()
}

/// The study and the part that the name of a journal says.
fn part_of(path: &ConfinedPath) -> Option<(&str, Shard)> {
    let name = path.file_name()?.to_str()?.strip_suffix(".journal")?;
    let (study, part) = name.rsplit_once(".part-")?;
    let (part, of) = part.split_once("-of-")?;
    let (part, of) = (part.parse().ok()?, of.parse().ok()?);
    (1..=of).contains(&part).then_some((study, Shard { part, of, games: 0 }))
}

/// Copies the journal of a part into a results folder. One that is there and has only grown since is
/// replaced.
pub fn gather(path: &ConfinedPath, layout: &Layout) -> Result<GatheredPart, GatherError> {
    let no_part = || GatherError::NoPart { path: path.to_owned() };
    let (study, part) = part_of(path).ok_or_else(no_part)?;
    let entries = TrialJournal::entries_in(path)?.filter(|(_, trials)| !trials.is_empty());
    let (identity, trials) = entries.ok_or_else(no_part)?;
    // The title of a study's journal is its name and the hash of its identity.
    let key = identity.split_once(' ').and_then(|(key, _)| key.parse::<Key>().ok());
    let key = key.filter(|key| key.id == study).ok_or_else(no_part)?;
    let target = layout.study_journal(&key, Some(part), false);
    let bytes = path.read(u64::MAX).map_err(JournalError::at(path))?;
    let there = match target.read(u64::MAX) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        there => there.map_err(JournalError::at(&target))?,
    };
    if bytes.len() > there.len() && bytes.starts_with(&there) {
        atomic::write(&target, &bytes).map_err(io::Error::other).map_err(JournalError::at(&target))?;
    } else if !there.starts_with(&bytes) {
        return Err(GatherError::Differs { path: path.to_owned(), there: target });
    }
    Ok(GatheredPart { key, part, trials: trials.len(), path: target })
}

#[cfg(test)]
mod tests {
    use platform::ConfinedPath;
    use std::fs;
    use std::path::Path;

    use super::super::fixtures::finished;
    use super::*;
    use crate::journal::Title;

    fn write(path: &Path, title: &str, trials: &[u64]) {
        let (mut journal, _) =
            TrialJournal::open(&ConfinedPath::file(path), &Title::new(title.to_owned(), None, None)).unwrap();
        trials.iter().for_each(|&trial| journal.append(&finished(trial)).unwrap());
    }

    #[test]
    fn a_part_is_copied_taken_up_as_it_grows_and_never_replaced_by_another() {
        let folder = tempfile::tempdir().unwrap();
        let (layout, part) =
            (Layout::new(folder.path().join("results")), folder.path().join("s.part-2-of-3.journal"));
        write(&part, "p/s 0123", &[1, 4]);
        let gathered = gather(&ConfinedPath::file(&part), &layout).unwrap();
        assert_eq!((gathered.key.to_string().as_str(), gathered.part.part, gathered.part.of), ("p/s", 2, 3));
        assert_eq!(gathered.trials, 2);
        assert_eq!(fs::read(gathered.path.path()).unwrap(), fs::read(&part).unwrap());
        write(&part, "p/s 0123", &[7]);
        assert_eq!(gather(&ConfinedPath::file(&part), &layout).unwrap().trials, 3);
        assert_eq!(fs::read(gathered.path.path()).unwrap(), fs::read(&part).unwrap());
        let kept = fs::read(gathered.path.path()).unwrap();
        fs::remove_file(&part).unwrap();
        write(&part, "p/s 4567", &[1]);
        assert!(matches!(gather(&ConfinedPath::file(&part), &layout), Err(GatherError::Differs { .. })));
        assert_eq!(fs::read(gathered.path.path()).unwrap(), kept);
    }

    #[test]
    fn what_is_no_part_of_the_study_that_its_name_says_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let layout = Layout::new(folder.path().join("results"));
        let refused = |name: &str, title: &str| {
            let path = folder.path().join(name);
            write(&path, title, &[1]);
            matches!(gather(&ConfinedPath::file(&path), &layout), Err(GatherError::NoPart { .. }))
        };
        assert!(refused("s.journal", "p/s 0123"), "a whole one");
        assert!(refused("s.part-3-of-2.journal", "p/s 0123"), "no such part");
        assert!(refused("t.part-1-of-2.journal", "p/s 0123"), "another study");
        assert!(refused("s.part-1-of-2.journal", "../s 0123"), "no name");
        assert!(refused("e.part-1-of-2.journal", "0123"), "games of an experiment");
        assert!(!layout.root().exists());
    }
}
