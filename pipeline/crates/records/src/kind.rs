//! Experiments as a kind of stored job.

use std::path::Path;

use jobs::{
    Canonical as _, CheckedJob, FirstDifference, StoreError, StoredContext, StoredJob, StoredKind, Words,
};
use platform::{ConfinedPath, plain};
use rayon::prelude::*;
use serde_json::json;
use text::counted;

use crate::{Divergence, Extent, GameRecord, Header, RecordDigest, RecordsReader, RecordsSummary};

/// The words for experiments.
pub const EXPERIMENT: Words = Words {
    kind: "experiment",
    kinds: "experiments",
    row: "game",
    stored: "records",
    file: "a records file",
    folder: "records",
    command: "run",
    checked: "the games follow from their seeds and directions",
};

/// Experiments as a kind of stored job.
pub struct Experiments;

impl StoredKind for Experiments {
    fn words(&self) -> &'static Words {
        &EXPERIMENT
    }

    fn read(&self, path: &ConfinedPath) -> Result<Option<StoredJob>, StoreError> {
        Ok(RecordsSummary::read(path)?.map(StoredJob::from))
    }

    /// Replays every game, which needs no manifest.
    fn check(
        &self,
        path: &ConfinedPath,
        _context: &StoredContext<'_>,
    ) -> Result<Option<CheckedJob>, StoreError> {
        replay_file(path).map(Some)
    }

    fn summary(&self, checked: &[CheckedJob]) -> String {
        let sum = |field: &str| checked.iter().map(|file| file.count(field)).sum::<u64>();
        let (games, moves) = (counted(sum("games"), "game"), counted(sum("moves"), "move"));
        format!("Replayed {games} ({moves}) in {}.", counted(checked.len() as u64, "file"))
    }

    /// The first game in which the files differ. Games of different seeds have nothing in common.
    fn first_difference(
        &self,
        (before, _): (&ConfinedPath, &StoredContext<'_>),
        (after, _): (&ConfinedPath, &StoredContext<'_>),
    ) -> Result<Option<FirstDifference>, StoreError> {
        let [mut one, mut other] = [RecordsReader::open(before)?, RecordsReader::open(after)?];
        let seed = |reader: &RecordsReader| reader.summary.header.identity.seed.clone();
        if seed(&one) != seed(&other) {
            return Ok(None);
        }
        let found = first_difference(one.games(), other.games())?;
        Ok(found.map(|found| FirstDifference { text: found.text(), value: json!(found) }))
    }
}

impl From<RecordsSummary> for StoredJob {
    fn from(summary: RecordsSummary) -> Self {
        let RecordsSummary { header, digest, games, .. } = summary;
        Self {
            key: header.experiment,
            identity: header.identity.stored(),
            second_signature: header.second_signature,
            digest,
            rows: games,
            shard: header.shard,
            artefact: None,
            provenance: header.provenance,
        }
    }
}

/// Replays every game of a file, in parallel, and checks the digest. That needs nothing but the file, and
/// shows that its games are games; it does not show which agent played them.
pub fn replay_file(file: &ConfinedPath) -> Result<CheckedJob, StoreError> {
    let mut reader = RecordsReader::open(file)?;
    let header = reader.summary.header.clone();
    let (stated, is_sealed) = (reader.summary.clone(), reader.sealed() == Extent::Whole);
    let mut checked = CheckedJob::new(file, stated.into(), reader.sha256(), is_sealed);
    if let Some(problem) = misplaced(file.path(), &header) {
        checked.add_problem(problem);
    }
    let Ok(master_seed) = header.identity.master_seed() else {
        let seed = plain::line(&header.identity.seed);
        checked.add_problem(format!("the identity's seed `{seed}` is not a hexadecimal number"));
        return Ok(checked);
    };
    let mut digest = RecordDigest::default();
    // Games are numbered from 0, or are all of their part. A hole could hide a game.
    let (mut expected, step) = header.shard.map_or((0, 1), |shard| (shard.part - 1, shard.of));
    let (mut games, mut moves) = (0_u64, 0_u64);
    for group in reader.row_groups() {
        let group = group?;
        let replay = |game: &GameRecord| game.replay(&header.identity.rules, master_seed).err();
        let wrong: Vec<_> = group.par_iter().filter_map(replay).collect();
        wrong.into_iter().for_each(|error| checked.add_problem(error.to_string()));
        for game in &group {
            if game.game != expected {
                checked.add_problem(format!("game {} comes where game {expected} should", game.game));
            }
            expected = game.game.saturating_add(step);
            digest.add(game);
            games += 1;
            moves += u64::from(game.moves);
        }
    }
    let (digest, stated) = (digest.finish(), checked.stored.digest.clone());
    if digest != stated {
        checked.add_problem(format!("its digest is {digest}, but it states {}", plain::line(&stated)));
    }
    let fields = [
        ("experiment", json!(header.experiment)),
        ("games", json!(games)),
        ("moves", json!(moves)),
        ("digest", json!(digest)),
    ];
    checked.fields = fields.map(|(name, value)| (name.to_owned(), value)).into_iter().collect();
    Ok(checked)
}

/// Compares the header of a file in a results folder with the file's name, and returns the problem. A part
/// stored under the experiment's name would pass for the whole experiment, though somebody may have chosen
/// its games.
fn misplaced(file: &Path, header: &Header) -> Option<String> {
    let paper =
        file.parent().filter(|paper| paper.parent().is_some_and(|folder| folder.ends_with("records")))?;
    let name = file.file_name()?.to_str()?.strip_suffix(".parquet")?;
    let name = [".differs", ".merged"].iter().find_map(|kind| name.strip_suffix(kind)).unwrap_or(name);
    let place = format!("{}/{name}", paper.file_name()?.to_str()?);
    let part = header.shard.map_or_else(String::new, |shard| format!(".part-{}-of-{}", shard.part, shard.of));
    let says = format!("{}{part}", header.experiment);
    (says != place).then(|| format!("its header names `{}`", plain::line(&says)))
}

/// The first game that both have and in which they differ. Both come by number.
pub fn first_difference(
    before: impl Iterator<Item = Result<GameRecord, StoreError>>,
    after: impl Iterator<Item = Result<GameRecord, StoreError>>,
) -> Result<Option<Divergence>, StoreError> {
    let mut after = after.peekable();
    for one in before {
        let one = one?;
        // An error stays in the iterator, and is returned below.
        while after.next_if(|other| other.as_ref().is_ok_and(|other| other.game < one.game)).is_some() {}
        let Some(other) = after.next_if(|other| other.as_ref().map_or(true, |other| other.game == one.game))
        else {
            continue;
        };
        if let Some(divergence) = one.divergence(&other?) {
            return Ok(Some(divergence));
        }
    }
    Ok(None)
}
