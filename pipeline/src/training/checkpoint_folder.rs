//! The folder of an unfinished training: its latest checkpoint, and how far the training had come.
//!
//! The two files belong together, and their names contain the number of games. The second is sealed. It names
//! its training, and names the checkpoint by its hash, so neither file is mistaken for another's. A new pair
//! is complete before the previous one is removed. A pair that fails a check is dropped.

use std::io;

use serde::{Deserialize, Serialize};

use super::TrainingProgress;
use platform::hash::sha256_of;
use platform::{ConfinedPath, atomic, sealed};
use workers::WrittenFile;

/// The most bytes of a note: a hundred thousand rows.
const LARGEST: u64 = 64 << 20;

/// The folder of an unfinished training.
pub(super) struct CheckpointFolder {
    folder: ConfinedPath,
    /// The owner of all files in it: the training's identity, and the games per row.
    of: String,
}

/// A checkpoint, and how far the training had come.
pub(super) struct Checkpoint {
    pub(super) file: ConfinedPath,
    pub(super) progress: TrainingProgress,
}

/// The state stored beside a checkpoint.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Note {
    checkpoint: WrittenFile,
    #[serde(rename = "standing")]
    progress: TrainingProgress,
}

impl CheckpointFolder {
    pub(super) fn open(folder: &ConfinedPath, of: String) -> io::Result<Self> {
        folder.make_folder()?;
        Ok(Self { folder: folder.to_owned(), of })
    }

    /// The file that the artefact is written to, before it goes to the store.
    pub(super) fn artefact(&self) -> ConfinedPath {
        self.folder.join("artefact.tmp")
    }

    /// The file that a checkpoint is written to, before it is one.
    pub(super) fn unfinished(&self) -> ConfinedPath {
        self.folder.join("checkpoint.tmp")
    }

    /// The latest saved pair that passes its checks. Pairs that fail are dropped and reported.
    pub(super) fn saved(&self, on_dropped: impl Fn(&str)) -> io::Result<Option<Checkpoint>> {
        let mut games = self.pairs()?;
        games.sort_unstable();
        for games in games.into_iter().rev() {
            match self.check(games)? {
                Ok(saved) => return Ok(Some(saved)),
                Err(reason) => {
                    on_dropped(&reason);
                    self.drop_pair(games)?;
                }
            }
        }
        Ok(None)
    }

    /// Checks a pair, and returns it or the problem. That a file cannot be read now is no problem of the
    /// pair.
    fn check(&self, games: u64) -> io::Result<Result<Checkpoint, String>> {
        let (note, checkpoint) = (self.note(games), self.checkpoint(games));
        let wrong = |path: &ConfinedPath, what: &dyn std::fmt::Display| format!("{}: {what}", path.display());
        let bytes = match note.read(LARGEST) {
            Err(error) if is_of_the_file(&error) => return Ok(Err(wrong(&note, &error))),
            bytes => bytes?,
        };
        let found = match checkpoint.open().and_then(sha256_of) {
            Err(error) if is_of_the_file(&error) => return Ok(Err(wrong(&checkpoint, &error))),
            found => found?,
        };
        Ok(sealed::read::<Note>(&self.of, &bytes).map_err(|error| wrong(&note, &error)).and_then(|read| {
            let progress = read.progress.summed().ok_or_else(|| wrong(&note, &"it has another form"))?;
            if progress.total().games != games {
                return Err(wrong(&note, &"its name states another number of games"));
            }
            if found != read.checkpoint.sha256 {
                return Err(wrong(&checkpoint, &"its SHA-256 is not that of the saved checkpoint"));
            }
            Ok(Checkpoint { file: checkpoint, progress })
        }))
    }

    /// Removes a pair that cannot be used.
    pub(super) fn drop_pair(&self, games: u64) -> io::Result<()> {
        self.note(games).remove()?;
        let _ = self.checkpoint(games).remove();
        Ok(())
    }

    /// Keeps the checkpoint in [`CheckpointFolder::unfinished`], and removes all earlier ones.
    pub(super) fn keep(&self, progress: &TrainingProgress, checkpoint: WrittenFile) -> io::Result<()> {
        let games = progress.total().games;
        self.unfinished().rename(&self.checkpoint(games))?;
        let note = sealed::text(&self.of, &Note { checkpoint, progress: progress.clone() })?;
        atomic::write(&self.note(games), note.as_bytes()).map_err(io::Error::other)?;
        self.pairs()?.into_iter().filter(|other| *other != games).try_for_each(|other| self.drop_pair(other))
    }

    /// Removes everything: the training is over.
    pub(super) fn clear(self) -> io::Result<()> {
        self.folder.remove_all()
    }

    fn checkpoint(&self, games: u64) -> ConfinedPath {
        self.folder.join(format!("checkpoint-{games}"))
    }

    fn note(&self, games: u64) -> ConfinedPath {
        self.folder.join(format!("standing-{games}.json"))
    }

    /// The numbers of games in the names of what was written down.
    fn pairs(&self) -> io::Result<Vec<u64>> {
        let mut pairs = Vec::new();
        for entry in self.folder.list()? {
            let name =
                entry.path.name().and_then(|name| name.strip_prefix("standing-")?.strip_suffix(".json"));
            pairs.extend(name.and_then(|games| games.parse::<u64>().ok()));
        }
        Ok(pairs)
    }
}

/// Whether an error says that the file is missing, no regular file, or too large; others may pass.
fn is_of_the_file(error: &io::Error) -> bool {
    use io::ErrorKind::{FileTooLarge, InvalidInput, NotFound};
    matches!(error.kind(), NotFound | InvalidInput | FileTooLarge)
}

#[cfg(test)]
mod tests {
    use super::*;
    use platform::ConfinedPath;
    use platform::hash::sha256;
    use std::fs;
    use std::path::Path;
    use workers::Learned;

    fn place(folder: &Path, of: &str) -> CheckpointFolder {
        CheckpointFolder::open(&ConfinedPath::file(&folder.join("t")), of.to_owned()).unwrap()
    }

    /// Saves a checkpoint with this content after this many more games.
    fn save(place: &CheckpointFolder, progress: &mut TrainingProgress, games: u64, content: &str) {
        progress.add(Learned { games, ..Learned::default() }, 5);
        fs::write(place.unfinished().path(), content).unwrap();
        let checkpoint = WrittenFile { sha256: sha256(content), bytes: content.len() as u64 };
        place.keep(progress, checkpoint).unwrap();
    }

    /// The number of games after which training continues, and the reports on dropped pairs.
    fn resumed(place: &CheckpointFolder) -> (Option<u64>, String) {
        let told = std::cell::RefCell::new(String::new());
        let saved = place.saved(|reason| told.borrow_mut().push_str(reason)).unwrap();
        (saved.map(|saved| saved.progress.total().games), told.into_inner())
    }

    #[test]
    fn the_latest_pair_is_gone_on_from_and_the_others_go() {
        let folder = tempfile::tempdir().unwrap();
        let place = place(folder.path(), "training");
        assert_eq!(resumed(&place), (None, String::new()));
        let mut progress = TrainingProgress::default();
        save(&place, &mut progress, 3, "after 3");
        save(&place, &mut progress, 4, "after 7");
        let saved = place.saved(|reason| panic!("{reason}")).unwrap().unwrap();
        assert_eq!((saved.progress, fs::read(saved.file.path()).unwrap()), (progress, b"after 7".to_vec()));
        assert_eq!(fs::read_dir(folder.path().join("t")).unwrap().count(), 2);
        place.clear().unwrap();
        assert!(!folder.path().join("t").exists());
    }

    #[test]
    fn a_pair_that_does_not_check_is_dropped_and_the_one_before_it_is_gone_on_from() {
        type Damage = fn(&CheckpointFolder);
        let rename = |place: &CheckpointFolder, from: u64, to: u64| {
            fs::rename(place.note(from).path(), place.note(to).path()).unwrap();
            fs::rename(place.checkpoint(from).path(), place.checkpoint(to).path()).unwrap();
        };
        let cases: [(&str, Damage, &str); 6] = [
            (
                "a sum ten times as large",
                |place| {
                    let text = fs::read_to_string(place.note(7).path()).unwrap();
                    let changed = text.replacen("\"score_sum\": 0", "\"score_sum\": 10", 1);
                    assert_ne!(text, changed);
                    fs::write(place.note(7).path(), changed).unwrap();
                },
                "it does not match its checksum",
            ),
            ("a torn note", |place| fs::write(place.note(7).path(), "{").unwrap(), "it has no seal"),
            (
                "the checkpoint of fewer games",
                |place| fs::write(place.checkpoint(7).path(), "after 3").unwrap(),
                "checkpoint-7: its SHA-256 is not that",
            ),
            ("no checkpoint", |place| fs::remove_file(place.checkpoint(7).path()).unwrap(), "No such file"),
            (
                "a checkpoint cut off",
                |place| fs::write(place.checkpoint(7).path(), "after").unwrap(),
                "its SHA-256 is not that",
            ),
            (
                "the note of another training",
                |place| {
                    let other =
                        CheckpointFolder { folder: place.folder.join("other"), of: "other".to_owned() };
                    fs::create_dir(other.folder.path()).unwrap();
                    save(&other, &mut TrainingProgress::default(), 7, "after 7");
                    fs::rename(other.note(7).path(), place.note(7).path()).unwrap();
                },
                "it belongs to `other`, not to `training`",
            ),
        ];
        for (what, damage, words) in cases {
            let folder = tempfile::tempdir().unwrap();
            let (place, earlier) = (place(folder.path(), "training"), place(folder.path(), "training"));
            let mut progress = TrainingProgress::default();
            save(&earlier, &mut progress, 3, "after 3");
            let before =
                [fs::read(place.note(3).path()).unwrap(), fs::read(place.checkpoint(3).path()).unwrap()];
            save(&place, &mut progress, 4, "after 7");
            fs::write(place.note(3).path(), &before[0]).unwrap();
            fs::write(place.checkpoint(3).path(), &before[1]).unwrap();
            damage(&place);
            let (games, told) = resumed(&place);
            assert!(games == Some(3) && told.contains(words), "{what}: {games:?} {told}");
            assert!(!place.note(7).exists() && !place.checkpoint(7).exists(), "{what}");
            rename(&place, 3, 9);
            let (games, told) = resumed(&place);
            assert!(games.is_none() && told.contains("another number of games"), "{what}: {told}");
        }
    }
}
