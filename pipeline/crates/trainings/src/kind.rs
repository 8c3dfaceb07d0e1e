//! Trainings as a kind of stored job. Checking one needs nothing but files: seal, identity, curve, and the
//! artefact that it gave.
//!
//! This does not show that the agent learned this from its games: for that, it has to be trained again.

use jobs::{
    Canonical as _, CheckedJob, FirstDifference, StoreError, StoredContext, StoredJob, StoredKind, Words,
};
use manifest::Training;
use platform::ConfinedPath;
use platform::errors::chain;
use serde_json::{Map, Value, json};
use text::counted;

use crate::{Artefacts, LARGEST_COMMITTED, StoredTraining, store};

/// The words for trainings.
pub const TRAINING: Words = Words {
    kind: "training",
    kinds: "trainings",
    row: "game",
    stored: "a learning curve",
    file: "the curve of a training",
    folder: "trainings",
    command: "train",
    checked: "the learning curves are consistent",
};

/// Trainings as a kind of stored job.
pub struct Trainings;

impl StoredKind for Trainings {
    fn words(&self) -> &'static Words {
        &TRAINING
    }

    fn read(&self, path: &ConfinedPath) -> Result<Option<StoredJob>, StoreError> {
        Ok(store::read(path)?.map(StoredJob::from))
    }

    fn check(
        &self,
        path: &ConfinedPath,
        context: &StoredContext<'_>,
    ) -> Result<Option<CheckedJob>, StoreError> {
        let gone = || StoreError::form(path, &TRAINING, "it is gone");
        let (stored, sha256) = store::read_file(path)?.ok_or_else(gone)?;
        TRAINING.require_name(path, &stored.header.training)?;
        if let Some(problem) = problem(&stored) {
            return Err(StoreError::content(path, &TRAINING, problem));
        }
        let listed = TRAINING.key_at(path).and_then(|key| context.entry::<Training>(&TRAINING, &key));
        let (pinned, gave) =
            (listed.and_then(|listed| listed.sha256.as_ref()), &stored.header.artefact.sha256);
        if let Some(pinned) = pinned.filter(|pinned| *pinned != gave) {
            let reason = format!("the manifest's `sha256` is {pinned}, but what is stored gave {gave}");
            return Err(StoreError::Place { path: path.clone(), reason });
        }
        let artefact_checked = match &context.artefacts {
            Some(folder) => check_artefact(path, &stored, folder, context.may_lack_artefacts)?,
            None => false,
        };
        let fields = [
            ("training", json!(stored.header.training)),
            ("games", json!(stored.curve.games())),
            ("rows", json!(stored.curve.rows().len())),
            ("artefact", json!(stored.header.artefact.sha256)),
            ("artefact_checked", json!(artefact_checked)),
        ];
        let mut checked = CheckedJob::new(path, stored.into(), &sha256, true);
        checked.fields = fields.map(|(name, value)| (name.to_owned(), value)).into_iter().collect();
        Ok(Some(checked))
    }

    fn summary(&self, checked: &[CheckedJob]) -> String {
        let games = counted(checked.iter().map(|training| training.count("games")).sum(), "game");
        let has_artefact = |training: &&CheckedJob| training.fields["artefact_checked"] == true;
        let artefacts = counted(checked.iter().filter(has_artefact).count() as u64, "artefact");
        let trainings = counted(checked.len() as u64, "training");
        format!("Checked the curves of {trainings} ({games}), and the content of {artefacts}.")
    }

    fn details(&self, path: &ConfinedPath, _context: &StoredContext<'_>) -> Map<String, Value> {
        let artefact = store::read(path).ok().flatten().map(|stored| stored.header.artefact.sha256);
        Map::from_iter([("artefact".to_owned(), json!(artefact))])
    }

    /// The first row in which the learning curves differ, or else the artefacts.
    fn first_difference(
        &self,
        (before, _): (&ConfinedPath, &StoredContext<'_>),
        (after, _): (&ConfinedPath, &StoredContext<'_>),
    ) -> Result<Option<FirstDifference>, StoreError> {
        let (Some(before), Some(after)) = (store::read(before)?, store::read(after)?) else {
            return Ok(None);
        };
        let [one, other] = [&before, &after].map(|stored| &stored.header.artefact.sha256);
        let artefacts = || (one != other).then(|| format!("artefact {one} before, {other} after"));
        let curves = before.curve.difference(&after.curve);
        let text =
            curves.map(|found| format!("{} is {} before, {} after", found.place, found.one, found.other));
        Ok(text.or_else(artefacts).map(|text| FirstDifference { value: json!(text), text }))
    }
}

impl From<StoredTraining> for StoredJob {
    fn from(stored: StoredTraining) -> Self {
        let StoredTraining { header, curve, digest } = stored;
        Self {
            key: header.training,
            identity: header.identity.stored(),
            second_signature: None,
            digest,
            rows: curve.games(),
            shard: None,
            artefact: Some(header.artefact.sha256),
            provenance: header.provenance,
        }
    }
}

/// The problem with a curve that no training can give, or that does not add up to what the header says.
fn problem(stored: &StoredTraining) -> Option<String> {
    let StoredTraining { header, curve, .. } = stored;
    if let Some(problem) = curve.problem() {
        return Some(format!("its curve cannot be: {problem}"));
    }
    let (games, moves) = (curve.games(), curve.moves());
    let sums = [
        ("games", header.identity.games, games),
        ("games", header.cost.games, games),
        ("moves", header.cost.moves, moves),
    ];
    let (what, stated, found) = sums.into_iter().find(|(_, stated, found)| stated != found)?;
    Some(format!("it says {stated} {what}, and its curve has {found}"))
}

/// Checks the artefact of a training, and returns whether it is at hand. One that is too large for git may be
/// missing.
fn check_artefact(
    path: &ConfinedPath,
    stored: &StoredTraining,
    folder: &ConfinedPath,
    may_be_missing: bool,
) -> Result<bool, StoreError> {
    let artefact = &stored.header.artefact;
    let may_be_missing = may_be_missing || artefact.packed_bytes > LARGEST_COMMITTED;
    match Artefacts::below(folder).check(&artefact.sha256) {
        Ok(bytes) if bytes == artefact.raw_bytes => Ok(true),
        Ok(bytes) => {
            let reason = format!("it gave an artefact of {} bytes, which has {bytes}", artefact.raw_bytes);
            Err(StoreError::content(path, &TRAINING, reason))
        }
        Err(error) if error.is_missing() && may_be_missing => Ok(false),
        Err(error) => {
            let reason = format!(
                "it gave the artefact {}, but: {}; restore that, or make it with `pipeline train {} --fresh`",
                artefact.sha256,
                chain(&error),
                stored.header.training
            );
            Err(StoreError::Place { path: path.clone(), reason })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{curve, header};
    use crate::{GamesOfARow, TrainingHeader};
    use platform::ConfinedPath;
    use std::path::Path;

    struct Stored {
        folder: tempfile::TempDir,
        artefacts: Artefacts,
        header: TrainingHeader,
        path: ConfinedPath,
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
        let path = ConfinedPath::root(folder.path()).join("trainings/p/t.parquet");
        store::write(&path, &header, &curve()).unwrap();
        Stored { folder, artefacts, header, path }
    }

    impl Stored {
        fn check(&self) -> Result<CheckedJob, StoreError> {
            let artefacts = Some(self.artefacts.folder().clone());
            let context = StoredContext { artefacts, ..StoredContext::default() };
            Trainings.check(&self.path, &context).map(Option::unwrap)
        }

        fn told(&self) -> String {
            let told = self.check().unwrap_err().to_string();
            told.replace(&format!("{}/", self.folder.path().display()), "")
        }

        /// What is said where the header is another one.
        fn told_of(&self, change: fn(&mut TrainingHeader)) -> String {
            let mut changed = self.header.clone();
            change(&mut changed);
            store::write(&self.path, &changed, &curve()).unwrap();
            self.told()
        }
    }

    #[test]
    fn a_training_with_its_artefact_is_right() {
        let stored = stored();
        let checked = stored.check().unwrap();
        assert_eq!(["games", "rows"].map(|field| checked.count(field)), [2500, 3]);
        assert_eq!(checked.fields["artefact_checked"], true);
        let words = "Checked the curves of 1 training (2,500 games), and the content of 1 artefact.";
        assert_eq!(Trainings.summary(&[checked]), words);
        let checked = Trainings.check(&stored.path, &StoredContext::default()).unwrap().unwrap();
        assert_eq!(checked.fields["artefact"], stored.header.artefact.sha256);
        assert_eq!(checked.fields["artefact_checked"], false);
    }

    #[test]
    fn names_sums_and_curves_that_do_not_fit_are_told() {
        let stored = stored();
        let told = stored.told_of(|header| header.training = "p/u".to_owned());
        assert_eq!(told, "trainings/p/t.parquet: this file belongs to training `p/u`; rename or remove it");
        let told = stored.told_of(|header| header.cost.moves += 1);
        assert!(told.contains("it says 2000001 moves, and its curve has 2000000"), "{told}");
        let told = stored.told_of(|header| header.identity.games = 9);
        assert!(told.contains("it says 9 games, and its curve has 2500"), "{told}");
        let mut odd = curve();
        odd.add(GamesOfARow { games: 1, moves: 0, ..GamesOfARow::default() });
        store::write(&stored.path, &stored.header, &odd).unwrap();
        assert!(stored.told().contains("its curve cannot be: row 3: it does not have"), "{}", stored.told());
        let place = ConfinedPath::file(Path::new("trainings/p/T!.parquet"));
        let place = TRAINING.require_name(&place, "p/t").unwrap_err().to_string();
        assert!(place.contains("trainings/PAPER/TRAINING.parquet"), "{place}");
    }

    #[test]
    fn artefacts_that_are_missing_or_damaged_are_told_but_large_ones_may_be_made_later() {
        let stored = stored();
        let path = stored.artefacts.path(&stored.header.artefact.sha256);
        std::fs::write(path.path(), "damaged").unwrap();
        let told = stored.told();
        assert!(
            told.contains("it is no frame of zstd") && told.contains("`pipeline train p/t --fresh`"),
            "{told}"
        );
        std::fs::remove_file(path.path()).unwrap();
        assert!(stored.told().contains("there is no such file"));
        let mut large = stored.header.clone();
        large.artefact.packed_bytes = LARGEST_COMMITTED + 1;
        store::write(&stored.path, &large, &curve()).unwrap();
        assert_eq!(stored.check().unwrap().fields["artefact_checked"], false);
    }
}
