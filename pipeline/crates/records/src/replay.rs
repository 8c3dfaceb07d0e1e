//! Replaying stored records by the rules of the game. That needs nothing but the file, and shows that its games are games; which agent
//! played them, it does not show.

mod game;

use std::path::{Path, PathBuf};

use platform::plain;
use rayon::prelude::*;
use serde::Serialize;

pub use game::{Mismatch, ReplayError};

use crate::digest::RecordDigest;
use crate::record::GameRecord;
use crate::store::{Extent, Header, RecordsReader, Shard, StoreError};
use platform::confined::ConfinedPath;

/// The most problems of one file that are told one by one.
const MOST_PROBLEMS: usize = 10;

/// What came of replaying a file.
#[derive(Clone, Debug, Serialize)]
pub struct Verified {
    /// The file.
    pub file: PathBuf,
    /// The experiment that it says it is.
    pub experiment: String,
    /// The games in it.
    pub games: u64,
    /// Their moves.
    pub moves: u64,
    /// The logical digest of what is in it.
    pub digest: String,
    /// What is wrong with it, as far as it is told.
    pub problems: Vec<String>,
    /// How many problems there are in all.
    pub problem_count: u64,
    /// What the file is and says, for those who compare it with something else and need not open it again.
    #[serde(skip)]
    pub stated: Stated,
}

/// What a records file is and says of itself, whether or not its games bear it out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stated {
    /// The SHA-256 of the file, in hexadecimal.
    pub sha256: String,
    /// How much of it its seal covers.
    pub sealed: Extent,
    /// The hash of the identity in it.
    pub identity: String,
    /// The logical digest that it states.
    pub digest: String,
    /// How many games it says it has.
    pub games: u64,
}

impl Stated {
    fn by(reader: &RecordsReader) -> Self {
        let summary = &reader.summary;
        Self {
            sha256: reader.sha256().to_owned(),
            sealed: reader.sealed(),
            identity: summary.identity.clone(),
            digest: summary.digest.clone(),
            games: summary.games,
        }
    }
}

/// Replays every game of a file, in parallel, and checks the digest.
///
/// # Errors
/// Where the file cannot be read or its seal is broken.
pub fn replay_file(file: &ConfinedPath) -> Result<Verified, StoreError> {
    let mut reader = RecordsReader::open(file)?;
    let header = reader.summary.header.clone();
    let mut verified = Verified {
        file: file.path().to_owned(),
        experiment: header.experiment.clone(),
        games: 0,
        moves: 0,
        digest: String::new(),
        problems: Vec::new(),
        problem_count: 0,
        stated: Stated::by(&reader),
    };
    if let Some(problem) = misplaced(file.path(), &header) {
        verified.problem(problem);
    }
    let Ok(master_seed) = header.identity.master_seed() else {
        let seed = plain::line(&header.identity.seed);
        verified.problem(format!("the identity's seed `{seed}` is not a hexadecimal number"));
        return Ok(verified);
    };
    let mut digest = RecordDigest::default();
    let mut numbers = Numbers::of(header.shard);
    for group in reader.row_groups() {
        let games = group?;
        let replay = |game: &GameRecord| game.replay(&header.identity.rules, master_seed).err();
        let wrong: Vec<_> = games.par_iter().filter_map(replay).collect();
        wrong.into_iter().for_each(|error| verified.problem(error.to_string()));
        for game in &games {
            if let Some(problem) = numbers.check(game.game) {
                verified.problem(problem);
            }
            digest.add(game);
            verified.games += 1;
            verified.moves += u64::from(game.moves);
        }
    }
    verified.digest = digest.finish();
    if verified.digest != verified.stated.digest {
        let Verified { digest, stated, .. } = &verified;
        verified.problem(format!("its digest is {digest}, but it states {}", plain::line(&stated.digest)));
    }
    Ok(verified)
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

/// The numbers that the games of a file must have: all from 0 on, or all of its part. A hole could hide a game.
struct Numbers {
    next: u64,
    step: u64,
}

impl Numbers {
    fn of(shard: Option<Shard>) -> Self {
        shard.map_or(Self { next: 0, step: 1 }, |shard| Self { next: shard.part - 1, step: shard.of })
    }

    fn check(&mut self, found: u64) -> Option<String> {
        let expected = std::mem::replace(&mut self.next, found.saturating_add(self.step));
        (found != expected).then(|| format!("game {found} comes where game {expected} should"))
    }
}

impl Verified {
    fn problem(&mut self, text: String) {
        self.problem_count += 1;
        if self.problems.len() < MOST_PROBLEMS {
            self.problems.push(text);
        }
    }
}
