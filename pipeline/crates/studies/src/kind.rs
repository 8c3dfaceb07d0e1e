//! Studies as a kind of stored job. Checking one needs nothing but the file and the manifest: seal, digest,
//! arithmetic, and every proposal.
//!
//! This does not show that the agent's games gave these scores: for that, trials have to be played again.

use jobs::{CheckedJob, FirstDifference, Key, StoreError, StoredContext, StoredJob, StoredKind, Words};
use manifest::Study;
use platform::ConfinedPath;
use records::{JobTable, MOST_POINTS};
use serde_json::{Map, Value, json};
use text::counted;

use crate::outcome::winners;
use crate::row::DIGEST_DIGITS;
use crate::verify::verify_proposals;
use crate::{Effort, Scores, StoredStudy, StudyHeader, TrialOutcome, TrialRow, store};

/// The words for studies.
pub const STUDY: Words = Words {
    kind: "study",
    kinds: "studies",
    row: "trial",
    stored: "trials",
    file: "the trials of a study",
    folder: "studies",
    command: "study",
    checked: "the trials of studies follow from those before them",
};

/// Studies as a kind of stored job.
pub struct Studies;

impl StoredKind for Studies {
    fn words(&self) -> &'static Words {
        &STUDY
    }

    fn read(&self, path: &ConfinedPath) -> Result<Option<StoredJob>, StoreError> {
        store::summary(path)
    }

    fn check(
        &self,
        path: &ConfinedPath,
        context: &StoredContext<'_>,
    ) -> Result<Option<CheckedJob>, StoreError> {
        let table = table_at(path)?;
        let study = STUDY.key_at(path).and_then(|key| context.entry::<Study>(&STUDY, &key));
        study.map(|study| checked(path, study, table)).transpose()
    }

    fn summary(&self, checked: &[CheckedJob]) -> String {
        let sum = |field: &str| checked.iter().map(|study| study.count(field)).sum::<u64>();
        let (trials, games) = (counted(sum("trials"), "trial"), counted(sum("games"), "game"));
        format!("Verified {trials} ({games}) of {}.", counted(checked.len() as u64, "study"))
    }

    /// The best mean score in the study, with an interval that ignores how it was chosen.
    fn details(&self, path: &ConfinedPath, context: &StoredContext<'_>) -> Map<String, Value> {
        let best = read_as_listed(path, context).and_then(|(study, stored)| {
            let winners = winners(study, &stored.rows);
            winners.first()?.score()
        });
        Map::from_iter([("best".to_owned(), json!(best))])
    }

    /// The first trial in which the files differ, if the manifests of both sides list the study.
    fn first_difference(
        &self,
        (before, one): (&ConfinedPath, &StoredContext<'_>),
        (after, other): (&ConfinedPath, &StoredContext<'_>),
    ) -> Result<Option<FirstDifference>, StoreError> {
        let rows = |path, context| Some(read_as_listed(path, context)?.1.rows);
        let found = rows(before, one).zip(rows(after, other));
        Ok(found.and_then(|(before, after)| first_difference(&before, &after)))
    }
}

/// Checks a file against the study that a manifest asks for.
pub fn check(path: &ConfinedPath, study: &Study) -> Result<CheckedJob, StoreError> {
    checked(path, study, table_at(path)?)
}

/// Reads a file, which must name the study that belongs at its place.
fn table_at(path: &ConfinedPath) -> Result<JobTable<StudyHeader>, StoreError> {
    let table = store::table(path)?.ok_or_else(|| StoreError::form(path, &STUDY, "it is gone"))?;
    STUDY.require_name(path, &table.footer.header.study)?;
    Ok(table)
}

fn checked(
    path: &ConfinedPath,
    study: &Study,
    table: JobTable<StudyHeader>,
) -> Result<CheckedJob, StoreError> {
    let mut checked = CheckedJob::new(path, store::stored_job(&table), &table.sha256, true);
    let StoredStudy { rows, digest, .. } = store::rows_of(path, study, table)?;
    let wrong = |row: &TrialRow| Some(format!("trial {}: {}", row.trial, problem(row)?));
    let proposals = || verify_proposals(study, &rows).err().map(|error| error.to_string());
    if let Some(reason) = rows.iter().find_map(wrong).or_else(proposals) {
        return Err(StoreError::content(path, &STUDY, reason));
    }
    let fields = [
        ("study", json!(checked.stored.key)),
        ("trials", json!(rows.len())),
        ("games", json!(rows.iter().map(|row| row.games.end - row.games.start).sum::<u64>())),
        ("faults", json!(rows.iter().filter(|row| row.scores().is_none()).count())),
        ("digest", json!(digest)),
    ];
    checked.fields = fields.map(|(name, value)| (name.to_owned(), value)).into_iter().collect();
    Ok(checked)
}

/// A stored study, if it is the one that its manifest lists.
fn read_as_listed<'a>(path: &ConfinedPath, context: &StoredContext<'a>) -> Option<(&'a Study, StoredStudy)> {
    let key: Key = STUDY.key_at(path)?;
    let study = context.entry::<Study>(&STUDY, &key)?;
    Some((study, store::read(path, study).ok()??))
}

/// The first trial in which two studies differ.
fn first_difference(before: &[TrialRow], after: &[TrialRow]) -> Option<FirstDifference> {
    let difference = |trial: u64, kind: &str, what: &str| FirstDifference {
        text: format!("trial {trial}: {what}"),
        value: json!({"trial": trial, "parting": kind}),
    };
    let differs = |(one, other): (&TrialRow, &TrialRow)| {
        let is_same_proposal =
            (&one.point, one.origin, one.batch) == (&other.point, other.origin, other.batch);
        let (kind, what) = match () {
            () if !is_same_proposal => ("proposal", "other parameters are tried"),
            () if one.games != other.games => ("games", "the same parameters play other games"),
            () if one.outcome != other.outcome => ("result", "the same parameters give another result"),
            () => return None,
        };
        Some(difference(one.trial, kind, what))
    };
    let length = || {
        let shorter = before.len().min(after.len()) as u64;
        (before.len() != after.len()).then(|| difference(shorter, "length", "only one of the two goes on"))
    };
    before.iter().zip(after).find_map(differs).or_else(length)
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

/// The problem with a trial that no games can give.
fn problem(row: &TrialRow) -> Option<&'static str> {
    match &row.outcome {
        TrialOutcome::Played { scores, efforts, .. } if !could_be(scores, efforts) => {
            Some("no games can have these scores or this many moves")
        }
        TrialOutcome::Played { digest, .. } => {
            let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
            let is_digest = digest.len() == DIGEST_DIGITS && digest.bytes().all(is_digit);
            (!is_digest).then_some("its digest is not one of games")
        }
        TrialOutcome::Faulted { game, .. } if !row.games.contains(game) => {
            Some("the game that faulted is not one of its games")
        }
        TrialOutcome::Faulted { ending, .. } if !ending.is_fault() => Some("its fault is none"),
        TrialOutcome::Faulted { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use engine::Ending;
    use platform::ConfinedPath;
    use polars::prelude::IntoColumn as _;
    use records::{Layout, SealedTable};
    use search::Rating;
    use std::path::Path;

    use super::*;
    use crate::StudyHeader;
    use crate::fixtures::{header, run, study};

    /// Writes trials as study `p/s` says, with a right seal, digest and arithmetic, and checks the file.
    fn checked(says: &str, change: impl FnOnce(&mut Vec<TrialRow>)) -> Result<CheckedJob, StoreError> {
        let folder = tempfile::tempdir().unwrap();
        let path = Layout::new(folder.path()).study(&"p/s".parse().unwrap());
        let study = study(Rating::Once);
        let mut rows = run(&study);
        change(&mut rows);
        let header = StudyHeader { study: says.to_owned(), ..header(&study) };
        store::write(&path, &study, &header, &rows).unwrap();
        check(&path, &study)
    }

    fn told(change: impl FnOnce(&mut Vec<TrialRow>)) -> String {
        checked("p/s", change).unwrap_err().to_string()
    }

    #[test]
    fn a_study_that_follows_is_counted() {
        let checked = checked("p/s", |_| ()).unwrap();
        let trials = run(&study(Rating::Once)).len() as u64;
        assert_eq!(["trials", "games", "faults"].map(|field| checked.count(field)), [trials, 3 * trials, 0]);
        assert_eq!(checked.fields["study"], "p/s");
        assert_eq!(Studies.summary(&[checked]), "Verified 38 trials (114 games) of 1 study.");
    }

    #[test]
    fn what_a_right_seal_hides_is_found_and_told_with_its_trial_and_a_remedy() {
        let better = told(|rows| {
            if let TrialOutcome::Played { scores, .. } = &mut rows[2].outcome {
                *scores = Scores::Together { games: 3, sum: 90_000, squares: 2_700_000_000 };
            }
        });
        assert!(better.contains("is not what the method proposes after the trials before it"), "{better}");
        assert!(better.contains("s.parquet: trial ") && better.contains("`pipeline study`"), "{better}");
        let digest = told(|rows| {
            if let TrialOutcome::Played { digest, .. } = &mut rows[5].outcome {
                "forged".clone_into(digest);
            }
        });
        assert!(digest.contains("trial 5: its digest is not one of games"), "{digest}");
        let fault = |game, ending| {
            told(move |rows| {
                rows[4].outcome = TrialOutcome::Faulted { game, ending, reason: "it broke".to_owned() };
            })
        };
        assert!(fault(99_999, Ending::AgentCrash).contains("trial 4: the game that faulted is not one"));
        let first = run(&study(Rating::Once))[4].games.start;
        assert!(fault(first, Ending::NoMoves).contains("trial 4: its fault is none"));
    }

    #[test]
    fn a_forged_mean_with_a_right_seal_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let path = ConfinedPath::root(folder.path()).join("studies/p/s.parquet");
        let study = study(Rating::Once);
        store::write(&path, &study, &header(&study), &run(&study)).unwrap();
        check(&path, &study).unwrap();
        let SealedTable { mut frame, mut metadata, .. } = SealedTable::read(&path).unwrap().unwrap();
        let means = frame.column("mean_score").unwrap().f64().unwrap() + 1.0;
        frame.replace("mean_score", means.into_column()).unwrap();
        let said = ["retile.study_form", "retile.header", "retile.identity", "retile.digest"];
        metadata.retain(|key, _| said.contains(&key.as_str()));
        SealedTable::write(&path, &frame, metadata.into_iter().collect()).unwrap();
        let told = check(&path, &study).unwrap_err().to_string();
        assert!(told.contains("trial 0: mean_score does not follow from its games"), "{told}");
    }

    #[test]
    fn a_file_must_be_the_study_that_its_place_says() {
        let error = checked("p/other", |_| ()).unwrap_err().to_string();
        assert!(error.contains("this file belongs to study `p/other`; rename or remove it"), "{error}");
        let key = |path: &str| STUDY.key_at(&ConfinedPath::file(Path::new(path))).map(|key| key.to_string());
        assert_eq!(key("r/studies/p/s.parquet").as_deref(), Some("p/s"));
        assert_eq!(key("r/studies/p/s.differs.parquet").as_deref(), Some("p/s"));
        for wrong in ["s.parquet", "studies/p/s.old.parquet", "studies/P/s.parquet", "studies/p/s.csv"] {
            assert_eq!(key(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn the_first_trial_that_differs_is_told_with_the_kind_of_difference() {
        let rows = run(&study(Rating::Once));
        let found = |change: fn(&mut Vec<TrialRow>)| {
            let mut other = rows.clone();
            change(&mut other);
            first_difference(&rows, &other)
        };
        assert_eq!(found(|_| ()), None);
        type Forgery = fn(&mut Vec<TrialRow>);
        let cases: [(Forgery, &str, &str); 4] = [
            (|rows| rows.truncate(2), "length", "trial 2: only one of the two goes on"),
            (|rows| rows[1].batch = 9, "proposal", "trial 1: other parameters are tried"),
            (|rows| rows[1].games.end += 1, "games", "trial 1: the same parameters play other games"),
            (
                |rows| rows[1].outcome = rows[5].outcome.clone(),
                "result",
                "trial 1: the same parameters give another result",
            ),
        ];
        for (change, kind, text) in cases {
            let found = found(change).unwrap();
            assert_eq!((found.value["parting"].as_str(), found.text.as_str()), (Some(kind), text));
        }
    }
}
