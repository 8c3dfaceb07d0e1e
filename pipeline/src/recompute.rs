//! Stored games, drawn at random and played again with the agents that are said to have played them.

mod chance;

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use engine::{Ending, Rng};
use rayon::prelude::*;
use serde::Serialize;
use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};

pub use chance::{Chances, SHARES};

use crate::context::bar;
use crate::plan::Planned;
use crate::player::Repeater;
use crate::run::RunError;
use jobs::Key;
use records::record::{GameRecord, Outcome};
use records::store::{RecordsReader, StoreError};
use text::{counted, thousands};
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
    /// Stored games that the machine ended, by time or memory: they are not drawn, since another machine may
    /// let them go on.
    pub exempt: u64,
    /// How they differ from the records.
    pub differences: Vec<String>,
}

/// The result of running stored jobs of a kind again.
#[derive(Clone, Debug, Default)]
pub struct Recomputation {
    /// How the results differ from what is stored.
    pub differences: Vec<String>,
    /// Stored rows that were not considered.
    pub exempt: u64,
    /// Lines to print beside the kind's files.
    pub lines: Vec<String>,
    /// What it shows, in a sentence.
    pub shown: Option<String>,
    /// All of it, for scripts.
    pub fields: Map<String, Value>,
}

impl Recomputation {
    /// One whose fields have these names.
    pub fn with_fields<const N: usize>(fields: [(&str, Value); N]) -> Self {
        let fields = fields.map(|(name, value)| (name.to_owned(), value)).into_iter().collect();
        Self { fields, ..Self::default() }
    }
}

/// Plays games of experiments again, and reports how far that goes.
pub(crate) fn recompute_experiments(
    experiments: &[&Planned],
    launcher: &Launcher,
    sample: Sampling,
) -> Result<Recomputation, RunError> {
    let most = match sample.games {
        Count::Some(most) => most,
        Count::All => u64::MAX,
    };
    let games = experiments.iter().map(|planned| planned.status.rows().min(most)).sum();
    let bar = bar(games, "playing games again");
    let played = recompute(experiments, launcher, sample, &|| bar.inc(1))?;
    bar.finish_and_clear();
    let chances = Chances::of(played.iter().map(|(_, again)| again));
    Ok(Recomputation {
        differences: differences(&played, |again| &again.differences),
        exempt: played.iter().map(|(_, again)| again.exempt).sum(),
        shown: Some(games_shown(&played, &chances, sample)),
        ..Recomputation::with_fields([
            ("recomputed", json!(played)),
            ("seed", json!(format!("{:016x}", sample.seed))),
            ("recomputed_moves", json!(sample.moves)),
            ("chances", json!(chances)),
        ])
    })
}

/// The differences of jobs that were played again, each with its job.
pub(crate) fn differences<T>(played: &[(Key, T)], of: impl Fn(&T) -> &[String]) -> Vec<String> {
    let of_job = |(key, again): &(Key, T)| -> Vec<String> {
        of(again).iter().map(|difference| format!("{key}: played again: {difference}")).collect()
    };
    played.iter().flat_map(of_job).collect()
}

/// Draws stored games of each experiment, plays them again and compares. `on_row` is called after each.
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

/// What playing games again shows, and how far that goes.
fn games_shown(played: &[(Key, Recomputed)], chances: &Chances, sample: Sampling) -> String {
    let sum = |of: fn(&Recomputed) -> u64| played.iter().map(|(_, again)| of(again)).sum::<u64>();
    let (games, moves) = (sum(|again| again.games.len() as u64), counted(sum(|again| again.moves), "move"));
    let stored = counted(sum(|again| again.stored), "stored game");
    let extent = match sample.moves {
        Some(most) => format!("{moves}, at most the first {most} of each game"),
        None => moves,
    };
    let percents = |chances: [f64; 3]| {
        let [one, five, twenty] = chances.map(percent);
        format!("{one}, {five} and {twenty} %")
    };
    format!(
        "Played {} of {stored} again ({extent}), drawn by seed {:016x}. Had 1, 5 or 20 % of the games been forged, playing whole \
         games again would have shown it with a chance of {} over all experiments, and of at least {} in any single one.",
        thousands(games as f64),
        sample.seed,
        percents(chances.over_all),
        percents(chances.at_least)
    )
}

/// A chance in percent, never rounded to certainty.
fn percent(chance: f64) -> String {
    let rounded = (chance * 1000.0).round() / 10.0;
    if rounded >= 100.0 && chance < 1.0 { "more than 99.9".to_owned() } else { rounded.to_string() }
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
