//! Checking stored studies with nothing but files and manifests: seal, digest, arithmetic, and every proposal followed again.
//!
//! What this cannot show is that the agent's games came to these scores: for that, trials have to be played again.

use std::path::PathBuf;

use jobs::Key;
use manifest::{Paper, Study};
use platform::confined::ConfinedPath;
use platform::plain;
use records::record::MOST_POINTS;
use serde::Serialize;

use crate::error::StudyError;
use crate::follow::{NotFollowed, follow};
use crate::row::{Came, DIGEST_DIGITS, Effort, TrialRow};
use crate::scores::Scores;
use crate::store::{self, StoredStudy};

/// What a file is called beside its study's, where a study that was run afresh came out otherwise.
const DIFFERS: &str = ".differs";

/// A file that should hold a study, by its place in a results folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StudyFile {
    /// Where it is.
    pub path: ConfinedPath,
    /// The study that belongs there.
    pub key: Key,
}

/// A stored study that was checked, and in which nothing is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CheckedStudy {
    /// The study.
    pub study: Key,
    /// Its file.
    pub file: PathBuf,
    /// How many trials it has, each of them followed again.
    pub trials: u64,
    /// How many games they asked for.
    pub games: u64,
    /// How many trials an agent's fault cost.
    pub faults: u64,
    /// The logical digest of its trials.
    pub digest: String,
}

/// What is wrong with a stored study, always with the file.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum CheckError {
    #[error(transparent)]
    Study(#[from] StudyError),
    #[error("{}: this is no place of a study; they are at studies/PAPER/STUDY.parquet", path.display())]
    Place { path: ConfinedPath },
    #[error("{}: it says that it is study `{}`; give it that name, or remove it", path.display(), plain::line(says))]
    Name { path: ConfinedPath, says: String },
    #[error("{}: trial {trial}: {what}; restore the file, or remove it and run `pipeline study` to make it again", path.display())]
    Trial { path: ConfinedPath, trial: u64, what: &'static str },
    #[error("{}: {reason}; restore the file, or remove it and run `pipeline study` to make it again", path.display())]
    NotFollowed { path: ConfinedPath, reason: NotFollowed },
}

impl StudyFile {
    /// The file at this path.
    ///
    /// # Errors
    /// Where no study could be there.
    pub fn at(path: &ConfinedPath) -> Result<Self, CheckError> {
        let key = || {
            let folder = path.path().parent()?.file_name()?.to_str()?;
            let name = path.file_name()?.to_str()?.strip_suffix(".parquet")?;
            format!("{folder}/{}", name.strip_suffix(DIFFERS).unwrap_or(name)).parse().ok()
        };
        let key = key().ok_or_else(|| CheckError::Place { path: path.to_owned() })?;
        Ok(Self { path: path.to_owned(), key })
    }

    /// The study as a manifest has it; none where no manifest does.
    #[must_use]
    pub fn study_in<'a>(&self, papers: &'a [Paper]) -> Option<&'a Study> {
        papers.iter().find(|paper| paper.id == self.key.paper)?.study(&self.key.id)
    }

    /// Checks all of it against the study that a manifest asks for.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn check(&self, study: &Study) -> Result<CheckedStudy, CheckError> {
        self.check_seal()?;
        let missing = || StudyError::form(&self.path, "it is gone");
        let StoredStudy { rows, digest, .. } = store::read(&self.path, study)?.ok_or_else(missing)?;
        for row in &rows {
            if let Some(what) = wrong(row) {
                return Err(CheckError::Trial { path: self.path.clone(), trial: row.trial, what });
            }
        }
        follow(study, &rows).map_err(|reason| CheckError::NotFollowed { path: self.path.clone(), reason })?;
        Ok(CheckedStudy {
            study: self.key.clone(),
            file: self.path.path().to_owned(),
            trials: rows.len() as u64,
            games: rows.iter().map(|row| row.games.end - row.games.start).sum(),
            faults: rows.iter().filter(|row| row.scores().is_none()).count() as u64,
            digest,
        })
    }

    /// Checks what can be checked without a manifest: the seal, and whose study it says that it is.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn check_seal(&self) -> Result<(), CheckError> {
        let missing = || StudyError::form(&self.path, "it is gone");
        let says = store::summary(&self.path)?.ok_or_else(missing)?.header.study;
        if says == self.key.to_string() {
            return Ok(());
        }
        Err(CheckError::Name { path: self.path.clone(), says })
    }
}

/// More moves than a game can have: each move adds at least 2 to the sum of the tiles.
const MOST_MOVES: u64 = 16 * 65_536 / 2;

/// Whether games can give these scores and moves.
fn could_be(scores: &Scores, efforts: &[Effort]) -> bool {
    let games = u128::from(scores.count());
    let moves: u128 = efforts.iter().map(|effort| u128::from(effort.moves)).sum();
    let could_be_scored = match scores {
        Scores::Each(scores) => scores.iter().all(|&score| u64::from(score) <= MOST_POINTS),
        Scores::Together { sum, squares, .. } => {
            let (sum, squares, most) = (u128::from(*sum), u128::from(*squares), u128::from(MOST_POINTS));
            sum <= games * most && sum * sum <= games * squares && squares <= sum * most
        }
    };
    could_be_scored && moves <= games * u128::from(MOST_MOVES)
}

/// What cannot be in a trial, whatever was played.
fn wrong(row: &TrialRow) -> Option<&'static str> {
    match &row.came {
        Came::Played { scores, efforts, .. } if !could_be(scores, efforts) => {
            Some("no games can have these scores or this many moves")
        }
        Came::Played { digest, .. } => {
            let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
            let is_digest = digest.len() == DIGEST_DIGITS && digest.bytes().all(is_digit);
            (!is_digest).then_some("its digest is not one of games")
        }
        Came::Faulted { game, .. } if !row.games.contains(game) => {
            Some("the game that faulted is not one of its games")
        }
        Came::Faulted { ending, .. } if !ending.is_fault() => Some("its fault is none"),
        Came::Faulted { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use engine::Ending;
    use platform::confined::ConfinedPath;
    use polars::prelude::IntoColumn as _;
    use records::layout::Layout;
    use records::store::SealedTable;
    use search::Rating;
    use serde_json::Value;
    use std::path::Path;

    use super::*;
    use crate::store::StudyHeader;
    use crate::testing::{identity, run, study};

    /// Writes trials as study `p/s` says, with a right seal, digest and arithmetic, and checks the file.
    fn checked(says: &str, change: impl FnOnce(&mut Vec<TrialRow>)) -> Result<CheckedStudy, CheckError> {
        let folder = tempfile::tempdir().unwrap();
        let file = StudyFile::at(&Layout::new(folder.path()).study(&"p/s".parse().unwrap())).unwrap();
        let study = study(Rating::Once);
        let mut rows = run(&study);
        change(&mut rows);
        let header = StudyHeader {
            study: says.to_owned(),
            identity: identity(&study),
            manifest: Value::Null,
            provenance: Vec::new(),
        };
        std::fs::create_dir_all(file.path.parent().unwrap().path()).unwrap();
        store::write(&file.path, &study, &header, &rows).unwrap();
        file.check(&study)
    }

    fn told(change: impl FnOnce(&mut Vec<TrialRow>)) -> String {
        checked("p/s", change).unwrap_err().to_string()
    }

    #[test]
    fn a_study_that_follows_is_counted() {
        let checked = checked("p/s", |_| ()).unwrap();
        let trials = run(&study(Rating::Once)).len() as u64;
        assert_eq!((checked.trials, checked.games, checked.faults), (trials, 3 * trials, 0));
        assert_eq!(checked.study.to_string(), "p/s");
    }

    #[test]
    fn what_a_right_seal_hides_is_found_and_told_with_its_trial_and_a_remedy() {
        let better = told(|rows| {
            if let Came::Played { scores, .. } = &mut rows[2].came {
                *scores = Scores::Together { games: 3, sum: 90_000, squares: 2_700_000_000 };
            }
        });
        assert!(better.contains("is not what the method proposes after the trials before it"), "{better}");
        assert!(better.contains("s.parquet: trial ") && better.contains("`pipeline study`"), "{better}");
        let digest = told(|rows| {
            if let Came::Played { digest, .. } = &mut rows[5].came {
                "forged".clone_into(digest);
            }
        });
        assert!(digest.contains("trial 5: its digest is not one of games"), "{digest}");
        let fault = |game, ending| {
            told(move |rows| {
                rows[4].came = Came::Faulted { game, ending, reason: "it broke".to_owned() };
            })
        };
        assert!(fault(99_999, Ending::AgentCrash).contains("trial 4: the game that faulted is not one"));
        let first = run(&study(Rating::Once))[4].games.start;
        assert!(fault(first, Ending::NoMoves).contains("trial 4: its fault is none"));
    }

    #[test]
    fn a_forged_mean_with_a_right_seal_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("studies/p/s.parquet");
        let study = study(Rating::Once);
        let header = StudyHeader {
            study: "p/s".to_owned(),
            identity: identity(&study),
            manifest: Value::Null,
            provenance: Vec::new(),
        };
        store::write(&ConfinedPath::file(&path), &study, &header, &run(&study)).unwrap();
        let file = StudyFile::at(&ConfinedPath::file(&path)).unwrap();
        file.check(&study).unwrap();
        let SealedTable { mut frame, mut metadata, .. } =
            SealedTable::read(&ConfinedPath::file(&path)).unwrap().unwrap();
        let means = frame.column("mean_score").unwrap().f64().unwrap() + 1.0;
        frame.replace("mean_score", means.into_column()).unwrap();
        let said = ["retile.study_form", "retile.header", "retile.identity", "retile.digest"];
        metadata.retain(|key, _| said.contains(&key.as_str()));
        SealedTable::write(&ConfinedPath::file(&path), &frame, metadata.into_iter().collect()).unwrap();
        let told = file.check(&study).unwrap_err().to_string();
        assert!(told.contains("trial 0: mean_score does not follow from its games"), "{told}");
    }

    #[test]
    fn a_file_must_be_the_study_that_its_place_says() {
        let error = checked("p/other", |_| ()).unwrap_err().to_string();
        assert!(error.contains("it says that it is study `p/other`"), "{error}");
        let key = |path: &str| {
            StudyFile::at(&ConfinedPath::file(Path::new(path))).map(|file| file.key.to_string()).ok()
        };
        assert_eq!(key("r/studies/p/s.parquet").as_deref(), Some("p/s"));
        assert_eq!(key("r/studies/p/s.differs.parquet").as_deref(), Some("p/s"));
        for wrong in ["s.parquet", "studies/p/s.old.parquet", "studies/P/s.parquet", "studies/p/s.csv"] {
            assert_eq!(key(wrong), None, "{wrong}");
        }
    }
}
