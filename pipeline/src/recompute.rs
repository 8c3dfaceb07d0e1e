//! Stored games, drawn at random and played again with the agents that are said to have played them.

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
use crate::run::RunError;
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
    /// This many, or all if there are fewer.
    Some(u64),
    /// All.
    All,
}

/// The error for a text that is not a number of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("write a number of games, or `all`")]
pub struct CountError;

impl FromStr for Count {
    type Err = CountError;

    fn from_str(text: &str) -> Result<Self, CountError> {
        match text {
            "all" => Ok(Self::All),
            number => number.parse().map(Self::Some).map_err(|_| CountError),
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

/// An experiment whose games were played again.
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
    /// How they differ from the records.
    pub differences: Vec<String>,
}

/// The result of recomputing a job of any kind.
#[derive(Clone, Debug, Serialize)]
pub struct RecomputedJob {
    /// The job.
    pub job: Key,
    /// How many rows are stored.
    pub stored: u64,
    /// How many of them were played again.
    pub rows: u64,
    /// How they differ from the stored ones.
    pub differences: Vec<String>,
}

impl From<(Key, Recomputed)> for RecomputedJob {
    fn from((job, again): (Key, Recomputed)) -> Self {
        Self { job, stored: again.stored, rows: again.games.len() as u64, differences: again.differences }
    }
}

/// Draws stored games of each experiment, plays them again and compares. `on_row` is called after each.
///
/// # Errors
/// Returns an error if records cannot be read, or if no worker can be started. A worker that crashes is a difference.
pub fn recompute(
    experiments: &[&Planned],
    launcher: &Launcher,
    sample: Sampling,
    on_row: &(dyn Fn() + Sync),
) -> Result<Vec<(Key, Recomputed)>, RunError> {
    let mut all = Vec::with_capacity(experiments.len());
    let mut drawn: Vec<Draw<'_>> = Vec::new();
    for planned in experiments {
        let draw = Draw::of(planned, sample)?;
        drawn.push(draw);
        if drawn.iter().map(|draw| draw.games.len()).sum::<usize>() >= MOST_DRAWN {
            all.extend(play(std::mem::take(&mut drawn), launcher, sample, on_row)?);
        }
    }
    all.extend(play(drawn, launcher, sample, on_row)?);
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

/// This many of the games or trials, or all if there are fewer, every choice with the same chance.
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
    on_row: &(dyn Fn() + Sync),
) -> Result<Vec<(Key, Recomputed)>, RunError> {
    let pieces: Vec<(usize, &[GameRecord])> = drawn
        .iter()
        .enumerate()
        .flat_map(|(place, draw)| draw.games.chunks(PIECE).map(move |piece| (place, piece)))
        .collect();
    let played: Vec<Recomputed> = pieces
        .par_iter()
        // One after the other: games differ in length by far.
        .with_max_len(1)
        .map(|&(place, piece)| play_piece(drawn[place].planned, piece, launcher, sample, on_row))
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
    on_row: &(dyn Fn() + Sync),
) -> Result<Recomputed, WorkerStartError> {
    let mut again = Repeater::new(planned.setup(), launcher);
    let mut recomputed = Recomputed::default();
    for game in games {
        let played = again.play(game, sample.moves)?;
        recomputed.games.push(game.game);
        recomputed.whole += u64::from(sample.moves.is_none_or(|moves| game.moves <= moves));
        recomputed.moves += played.moves;
        recomputed.differences.extend(played.difference);
        on_row();
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
