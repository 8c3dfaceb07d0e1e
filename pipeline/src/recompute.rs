//! Stored games, drawn by chance and played again with the agents that are said to have played them.

mod chance;

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use engine::{Ending, Rng};
use rayon::prelude::*;
use serde::Serialize;
use sha2::{Digest as _, Sha256};

pub use chance::{Chances, SHARES};

use crate::plan::Planned;
use crate::player::Repeater;
use jobs::Key;
use records::record::{GameRecord, Outcome};
use records::store::{RecordsReader, StoreError};
use workers::worker::{Launcher, WorkerStartError};

/// How many games one worker plays again before another thread may have it.
const PIECE: usize = 16;
/// How many drawn games are held in memory before they are played.
const MOST_DRAWN: usize = 4096;

/// How much of each experiment is played again.
#[derive(Clone, Copy, Debug)]
pub struct Sampling {
    /// How many games.
    pub games: Count,
    /// The most moves of each; absent: all.
    pub moves: Option<u32>,
    /// What the games are drawn by.
    pub seed: u64,
}

/// How many games of an experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// So many, or all where there are fewer.
    Some(u64),
    /// All.
    All,
}

/// A text that is no number of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("write a number of games, or `all`")]
pub struct NoCount;

impl FromStr for Count {
    type Err = NoCount;

    fn from_str(text: &str) -> Result<Self, NoCount> {
        match text {
            "all" => Ok(Self::All),
            number => number.parse().map(Self::Some).map_err(|_| NoCount),
        }
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Some(games) => games.fmt(f),
            Self::All => f.write_str("all"),
        }
    }
}

/// What came of playing an experiment's games again.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Recomputed {
    /// How many games are stored.
    pub stored: u64,
    /// The games that were played again.
    pub games: Vec<u64>,
    /// How many of them to their end.
    pub whole: u64,
    /// The moves that were compared.
    pub moves: u64,
    /// Stored games that the machine ended, by time or memory: they are not drawn, since another machine may let them go on.
    pub exempt: u64,
    /// In what they differ from the records.
    pub differences: Vec<String>,
}

/// Why games cannot be played again.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum RecomputeError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Worker(#[from] WorkerStartError),
}

/// Draws stored games of each experiment, plays them again and compares. `told` hears of each game.
///
/// # Errors
/// Where records cannot be read, or no worker can be started; a worker that goes down is a difference.
pub fn recompute(
    experiments: &[&Planned],
    launcher: &Launcher,
    sample: Sampling,
    told: &(dyn Fn() + Sync),
) -> Result<Vec<(Key, Recomputed)>, RecomputeError> {
    let mut all = Vec::with_capacity(experiments.len());
    let mut drawn: Vec<Draw<'_>> = Vec::new();
    for planned in experiments {
        let draw = Draw::of(planned, sample)?;
        drawn.push(draw);
        if drawn.iter().map(|draw| draw.games.len()).sum::<usize>() >= MOST_DRAWN {
            all.extend(play(std::mem::take(&mut drawn), launcher, sample, told)?);
        }
    }
    all.extend(play(drawn, launcher, sample, told)?);
    Ok(all)
}

/// The games of an experiment that were drawn.
struct Draw<'a> {
    planned: &'a Planned,
    stored: u64,
    exempt: u64,
    games: Vec<GameRecord>,
}

impl<'a> Draw<'a> {
    fn of(planned: &'a Planned, sample: Sampling) -> Result<Self, StoreError> {
        let mut reader = RecordsReader::open(&planned.path)?;
        let outcomes = reader.outcomes()?;
        let repeats = |outcome: &&Outcome| !is_by_machine(outcome.ending);
        let repeatable: Vec<u64> = outcomes.iter().filter(repeats).map(|outcome| outcome.game).collect();
        let (stored, exempt) = (outcomes.len() as u64, (outcomes.len() - repeatable.len()) as u64);
        let numbers = match sample.games {
            Count::All => repeatable.into_iter().collect(),
            Count::Some(count) => choose(&repeatable, count, seed_for(&planned.key, sample.seed)),
        };
        let is_drawn = |record: &Result<GameRecord, _>| {
            record.as_ref().map_or(true, |record| numbers.contains(&record.game))
        };
        let games = reader.games().filter(is_drawn).collect::<Result<_, _>>()?;
        Ok(Self { planned, stored, exempt, games })
    }
}

/// Whether a limit of the machine ended a game.
pub(crate) const fn is_by_machine(ending: Ending) -> bool {
    matches!(ending, Ending::Timeout | Ending::ResourceLimit)
}

/// A seed for each experiment or study, so that their draws do not depend on each other.
pub(crate) fn seed_for(key: &Key, seed: u64) -> u64 {
    let hash = Sha256::digest(format!("retile recompute/{seed:016x}/{key}"));
    let bytes: [u8; 8] = hash[..8].try_into().expect("a digest has 32 bytes");
    u64::from_be_bytes(bytes)
}

/// So many of the games or trials, or all where there are fewer, every choice with the same chance.
pub(crate) fn choose(games: &[u64], count: u64, seed: u64) -> BTreeSet<u64> {
    let mut rng = Rng::from_seed(seed);
    let mut left = games.to_vec();
    let mut chosen = BTreeSet::new();
    while (chosen.len() as u64) < count && !left.is_empty() {
        let place = rng.below(u32::try_from(left.len()).unwrap_or(u32::MAX));
        chosen.insert(left.swap_remove(place as usize));
    }
    chosen
}

/// Plays the drawn games of some experiments, several at a time.
fn play(
    drawn: Vec<Draw<'_>>,
    launcher: &Launcher,
    sample: Sampling,
    told: &(dyn Fn() + Sync),
) -> Result<Vec<(Key, Recomputed)>, RecomputeError> {
    let pieces: Vec<(usize, &[GameRecord])> = drawn
        .iter()
        .enumerate()
        .flat_map(|(place, draw)| draw.games.chunks(PIECE).map(move |piece| (place, piece)))
        .collect();
    let played: Vec<Recomputed> = pieces
        .par_iter()
        // One after the other: games differ in length by far.
        .with_max_len(1)
        .map(|&(place, piece)| play_piece(drawn[place].planned, piece, launcher, sample, told))
        .collect::<Result<_, _>>()?;
    let begin =
        |draw: &Draw<'_>| Recomputed { stored: draw.stored, exempt: draw.exempt, ..Recomputed::default() };
    let mut all: Vec<(Key, Recomputed)> =
        drawn.iter().map(|draw| (draw.planned.key.clone(), begin(draw))).collect();
    for ((place, _), piece) in pieces.into_iter().zip(played) {
        all[place].1.add(piece);
    }
    Ok(all)
}

fn play_piece(
    planned: &Planned,
    games: &[GameRecord],
    launcher: &Launcher,
    sample: Sampling,
    told: &(dyn Fn() + Sync),
) -> Result<Recomputed, WorkerStartError> {
    let mut again = Repeater::new(planned.setup(), launcher);
    let mut recomputed = Recomputed::default();
    for game in games {
        let played = again.play(game, sample.moves)?;
        recomputed.games.push(game.game);
        recomputed.whole += u64::from(sample.moves.is_none_or(|moves| game.moves <= moves));
        recomputed.moves += played.moves;
        recomputed.differences.extend(played.difference);
        told();
    }
    Ok(recomputed)
}

impl Recomputed {
    fn add(&mut self, piece: Self) {
        self.games.extend(piece.games);
        self.whole += piece.whole;
        self.moves += piece.moves;
        self.differences.extend(piece.differences);
    }
}

#[cfg(test)]
mod tests;
