//! Checking stored trainings with nothing but files and manifests: seal, identity, curve, and the artefact that came of it.
//!
//! What this cannot show is that the agent learned this from its games: for that, it has to be trained again.

use std::path::PathBuf;

use jobs::Key;
use manifest::{Paper, Training};
use platform::confined::ConfinedPath;
use platform::plain;
use serde::Serialize;

use crate::artefacts::{ArtefactError, Artefacts, LARGEST_COMMITTED};
use crate::error::TrainingError;
use crate::store::{self, StoredTraining};

/// A file that should hold a training, by its place in a results folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrainingFile {
    /// Where it is.
    pub path: ConfinedPath,
    /// The training that belongs there.
    pub key: Key,
}

/// A stored training that was checked, and in which nothing is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CheckedTraining {
    /// The training.
    pub training: Key,
    /// Its file.
    pub file: PathBuf,
    /// How many games it learned from.
    pub games: u64,
    /// How many rows its curve has.
    pub rows: u64,
    /// The SHA-256 of the artefact that it gave.
    pub artefact: String,
    /// Whether that was at hand and has this content; large ones may be made on demand.
    pub artefact_checked: bool,
}

/// What is wrong with a stored training, always with the file.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum CheckError {
    #[error(transparent)]
    Training(#[from] TrainingError),
    #[error("{}: this is no place of a training; they are at trainings/PAPER/TRAINING.parquet", path.display())]
    Place { path: ConfinedPath },
    #[error("{}: it says that it is training `{}`; give it that name, or remove it", path.display(), plain::line(says))]
    Name { path: ConfinedPath, says: String },
    #[error("{}: {what}; restore the file, or remove it and run `pipeline train` to make it again", path.display())]
    Wrong { path: ConfinedPath, what: String },
    #[error("{}: it gave the artefact {sha256}, but: {source}; restore that, or make it with `pipeline train {key} --fresh`", path.display())]
    Artefact { path: ConfinedPath, key: Key, sha256: String, source: Box<ArtefactError> },
    #[error(
        "{}: the manifest asks for another training ({}); run `pipeline train {key}` to conduct that one",
        path.display(),
        plain::line(components)
    )]
    Stale { path: ConfinedPath, key: Key, components: String },
}

impl TrainingFile {
    /// The file at this path.
    ///
    /// # Errors
    /// Where no training could be there.
    pub fn at(path: &ConfinedPath) -> Result<Self, CheckError> {
        let key = || {
            let folder = path.path().parent()?.file_name()?.to_str()?;
            let name = path.file_name()?.to_str()?.strip_suffix(".parquet")?;
            format!("{folder}/{name}").parse().ok()
        };
        let key = key().ok_or_else(|| CheckError::Place { path: path.to_owned() })?;
        Ok(Self { path: path.to_owned(), key })
    }

    /// The training as a manifest has it; none where no manifest does.
    #[must_use]
    pub fn training_in<'a>(&self, papers: &'a [Paper]) -> Option<&'a Training> {
        papers.iter().find(|paper| paper.id == self.key.paper)?.training(&self.key.id)
    }

    /// Checks all of it: against itself, against the artefact that it gave, and against the training that a manifest asks for, where there is
    /// one to hold it against.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn check(
        &self,
        asked: Option<&Training>,
        artefacts: Option<&Artefacts>,
    ) -> Result<CheckedTraining, CheckError> {
        let gone = || TrainingError::form(&self.path, "it is gone");
        let stored = store::read(&self.path)?.ok_or_else(gone)?;
        self.check_itself(&stored)?;
        if let Some(asked) = asked {
            self.check_asked(&stored, asked)?;
        }
        let artefact_checked = match artefacts {
            Some(artefacts) => self.check_artefact(&stored, artefacts)?,
            None => false,
        };
        Ok(CheckedTraining {
            training: self.key.clone(),
            file: self.path.path().to_owned(),
            games: stored.curve.games(),
            rows: stored.curve.rows().len() as u64,
            artefact: stored.header.artefact.sha256,
            artefact_checked,
        })
    }

    /// Its name, its curve, and that the sums of that are what it says.
    fn check_itself(&self, stored: &StoredTraining) -> Result<(), CheckError> {
        let StoredTraining { header, curve, .. } = stored;
        let wrong = |what: String| CheckError::Wrong { path: self.path.clone(), what };
        if header.training != self.key.to_string() {
            return Err(CheckError::Name { path: self.path.clone(), says: header.training.clone() });
        }
        if let Some(problem) = curve.problem() {
            return Err(wrong(format!("its curve cannot be: {problem}")));
        }
        let (games, moves) = (curve.games(), curve.moves());
        let sums = [
            ("games", header.identity.games, games),
            ("games", header.cost.games, games),
            ("moves", header.cost.moves, moves),
        ];
        match sums.into_iter().find(|(_, said, found)| said != found) {
            Some((what, said, found)) => {
                Err(wrong(format!("it says {said} {what}, and its curve has {found}")))
            }
            None => Ok(()),
        }
    }

    fn check_asked(&self, stored: &StoredTraining, asked: &Training) -> Result<(), CheckError> {
        let differences = stored.header.identity.differences_from(asked, None);
        let mut components: Vec<&str> = differences.iter().map(|one| one.component.as_str()).collect();
        if asked.sha256.as_ref().is_some_and(|sha256| *sha256 != stored.header.artefact.sha256) {
            components.push("sha256");
        }
        if components.is_empty() {
            return Ok(());
        }
        let (path, key) = (self.path.clone(), self.key.clone());
        Err(CheckError::Stale { path, key, components: components.join(", ") })
    }

    /// Whether the artefact is at hand; what is too large for git need not be.
    fn check_artefact(&self, stored: &StoredTraining, artefacts: &Artefacts) -> Result<bool, CheckError> {
        let said = &stored.header.artefact;
        let failed = |source| CheckError::Artefact {
            path: self.path.clone(),
            key: self.key.clone(),
            sha256: said.sha256.clone(),
            source: Box::new(source),
        };
        let is_large = said.packed_bytes > LARGEST_COMMITTED;
        match artefacts.check(&said.sha256) {
            Ok(bytes) if bytes == said.raw_bytes => Ok(true),
            Ok(bytes) => {
                let what = format!("it gave an artefact of {} bytes, which has {bytes}", said.raw_bytes);
                Err(CheckError::Wrong { path: self.path.clone(), what })
            }
            Err(source) if source.is_missing() && is_large => Ok(false),
            Err(source) => Err(failed(source)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curve::GamesOfARow;
    use crate::store::TrainingHeader;
    use crate::testing::{curve, header, training};
    use platform::confined::ConfinedPath;
    use std::path::Path;

    struct Stored {
        folder: tempfile::TempDir,
        artefacts: Artefacts,
        header: TrainingHeader,
        file: TrainingFile,
    }

    /// A training in whose store all is right.
    fn stored() -> Stored {
        let folder = tempfile::tempdir().unwrap();
        let artefacts = Artefacts::new(folder.path().join("artefacts"));
        let raw = folder.path().join("raw");
        std::fs::write(&raw, "the weights").unwrap();
        let packed = artefacts.pack(&ConfinedPath::file(&raw)).unwrap();
        let mut header = header(&packed.sha256);
        (header.artefact.raw_bytes, header.artefact.packed_bytes) = (packed.raw_bytes, packed.packed_bytes);
        let path = folder.path().join("trainings/p/t.parquet");
        let file = TrainingFile::at(&ConfinedPath::file(&path)).unwrap();
        store::write(&ConfinedPath::file(&path), &header, &curve()).unwrap();
        Stored { folder, artefacts, header, file }
    }

    impl Stored {
        fn told(&self, asked: Option<&Training>) -> String {
            let told = self.file.check(asked, Some(&self.artefacts)).unwrap_err().to_string();
            told.replace(&format!("{}/", self.folder.path().display()), "")
        }

        /// What is said where the header is another one.
        fn told_of(&self, change: fn(&mut TrainingHeader)) -> String {
            let mut changed = self.header.clone();
            change(&mut changed);
            store::write(&self.file.path, &changed, &curve()).unwrap();
            self.told(None)
        }
    }

    #[test]
    fn a_training_with_its_artefact_is_right() {
        let stored = stored();
        let checked = stored.file.check(Some(&training()), Some(&stored.artefacts)).unwrap();
        assert_eq!((checked.games, checked.rows, checked.artefact_checked), (2500, 3, true));
        let checked = stored.file.check(None, None).unwrap();
        assert_eq!(
            (checked.artefact, checked.artefact_checked),
            (stored.header.artefact.sha256.clone(), false)
        );
    }

    #[test]
    fn names_sums_and_curves_that_do_not_fit_are_told() {
        let stored = stored();
        let told = stored.told_of(|header| header.training = "p/u".to_owned());
        assert_eq!(
            told,
            "trainings/p/t.parquet: it says that it is training `p/u`; give it that name, or remove it"
        );
        let told = stored.told_of(|header| header.cost.moves += 1);
        assert!(told.contains("it says 2000001 moves, and its curve has 2000000"), "{told}");
        let told = stored.told_of(|header| header.identity.games = 9);
        assert!(told.contains("it says 9 games, and its curve has 2500"), "{told}");
        let mut odd = curve();
        odd.add(GamesOfARow { games: 1, moves: 0, ..GamesOfARow::default() });
        store::write(&stored.file.path, &stored.header, &odd).unwrap();
        assert!(
            stored.told(None).contains("its curve cannot be: row 3: it does not have"),
            "{}",
            stored.told(None)
        );
        let place = TrainingFile::at(&ConfinedPath::file(Path::new("trainings/p/T!.parquet")))
            .unwrap_err()
            .to_string();
        assert!(place.contains("trainings/PAPER/TRAINING.parquet"), "{place}");
    }

    #[test]
    fn artefacts_that_are_missing_or_damaged_are_told_but_large_ones_may_be_made_later() {
        let stored = stored();
        let path = stored.artefacts.path(&stored.header.artefact.sha256);
        std::fs::write(path.path(), "damaged").unwrap();
        let told = stored.told(None);
        assert!(
            told.contains("it is no frame of zstd") && told.contains("`pipeline train p/t --fresh`"),
            "{told}"
        );
        std::fs::remove_file(path.path()).unwrap();
        assert!(stored.told(None).contains("there is no such file"));
        let mut large = stored.header.clone();
        large.artefact.packed_bytes = LARGEST_COMMITTED + 1;
        store::write(&stored.file.path, &large, &curve()).unwrap();
        assert!(!stored.file.check(None, Some(&stored.artefacts)).unwrap().artefact_checked);
    }

    #[test]
    fn another_training_than_the_manifest_asks_for_is_told_with_what_differs() {
        let stored = stored();
        let told = stored.told(Some(&Training { seed: 9, sha256: Some("00".repeat(32)), ..training() }));
        assert_eq!(
            told,
            "trainings/p/t.parquet: the manifest asks for another training (seed, sha256); run `pipeline train p/t` to conduct \
             that one"
        );
        let pinned = Training { sha256: Some(stored.header.artefact.sha256.clone()), ..training() };
        assert!(stored.file.check(Some(&pinned), None).is_ok());
    }
}
