//! Stored games, drawn at random and played again with the agents that are said to have played them.

mod chance;

use std::collections::BTreeSet;

use engine::{Ending, Rng};
use indicatif::ProgressBar;
use rayon::prelude::*;
use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};

pub use chance::{Chances, SHARES};

use crate::context::bar;
use crate::job::{AsJob as _, Job};
use crate::kinds::RunContext;
use crate::plan::PlannedExperiment;
use crate::player::{GamePlayer, RepeatedGame};
use crate::run::RunError;
use jobs::Key;
use records::{GameRecord, Outcome, RecordsReader, StoreError};
use text::{counted, thousands};
use workers::Launcher;

/// The most rows that one worker plays again before another thread may have it.
const PIECE: usize = 16;
/// How many pieces each thread should get at least, so that all end together.
const PIECES_EACH: usize = 4;
/// How many drawn rows are held in memory before they are played.
const MOST_DRAWN: usize = 4096;

/// How much of each job is played again.
#[derive(Clone, Copy, Debug)]
pub struct Sampling {
    /// How many games or other rows, or all if there are fewer.
    pub games: u64,
    /// The most moves of each game; absent: all.
    pub moves: Option<u32>,
    /// What the rows are drawn by.
    pub seed: u64,
}

/// Reads how many rows of a job are meant: a number, or `all`.
pub(crate) fn row_count(text: &str) -> Result<u64, &'static str> {
    match text {
        "all" => Ok(u64::MAX),
        number => number.parse().map_err(|_| "write a number of games, or `all`"),
    }
}

/// The stored rows of a job that were played again.
#[derive(Clone, Debug, Default)]
pub struct RecomputedRows {
    /// How many rows are stored.
    pub stored: u64,
    /// The rows that were played again.
    pub rows: Vec<u64>,
    /// How many of them to their end.
    pub whole: u64,
    /// The moves of games that were compared, or the games of trials.
    pub amount: u64,
    /// Stored rows that the machine ended, by time or memory: they are not drawn, since another machine may
    /// let them go on.
    pub exempt: u64,
    /// How they differ from what is stored.
    pub differences: Vec<String>,
}

/// One stored row that was played again.
pub(crate) struct RecomputedRow {
    pub(crate) number: u64,
    pub(crate) is_whole: bool,
    /// The moves of a game that were compared, or the games of a trial.
    pub(crate) amount: u64,
    pub(crate) differences: Vec<String>,
}

/// The rows of a job that were drawn.
pub(crate) struct Sample<R> {
    pub(crate) stored: u64,
    pub(crate) exempt: u64,
    pub(crate) rows: Vec<R>,
}

/// A job whose rows can be played again one by one.
pub(crate) trait Repeatable: Job {
    /// A stored row.
    type Row: Sync;

    /// Draws stored rows; `None` if there are none to draw from.
    fn draw(&self, sampling: Sampling) -> Result<Option<Sample<Self::Row>>, StoreError>;

    /// Plays rows again with one worker, and compares.
    fn repeat(
        &self,
        rows: &[Self::Row],
        launcher: &Launcher,
        sampling: Sampling,
        on_row: impl FnMut(RecomputedRow),
    ) -> Result<(), RunError>;
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
    /// The recomputation of jobs row by row, with these fields.
    pub(crate) fn of<const N: usize>(played: &[(Key, RecomputedRows)], fields: [(&str, Value); N]) -> Self {
        let of_job = |(key, again): &(Key, RecomputedRows)| -> Vec<String> {
            again.differences.iter().map(|difference| format!("{key}: played again: {difference}")).collect()
        };
        Self {
            differences: played.iter().flat_map(of_job).collect(),
            exempt: played.iter().map(|(_, again)| again.exempt).sum(),
            fields: crate::job::fields(fields),
            ..Self::default()
        }
    }
}

/// Plays games of experiments again, and reports how far that goes.
pub(crate) fn recompute_experiments(
    experiments: &[&PlannedExperiment],
    context: &RunContext<'_>,
    sampling: Sampling,
) -> Result<Recomputation, RunError> {
    let played = recompute(experiments, context.options.launcher, sampling)?;
    let chances = Chances::of(played.iter().map(|(_, again)| again));
    let as_json = |(key, again): &(Key, RecomputedRows)| {
        let RecomputedRows { stored, rows, whole, amount, exempt, differences } = again;
        json!([key, {
            "stored": stored, "games": rows, "whole": whole, "moves": amount, "exempt": exempt, "differences": differences
        }])
    };
    Ok(Recomputation {
        shown: (!played.is_empty()).then(|| games_shown(&played, &chances, sampling)),
        ..Recomputation::of(
            &played,
            [
                ("recomputed", played.iter().map(as_json).collect()),
                ("seed", json!(format!("{:016x}", sampling.seed))),
                ("recomputed_moves", json!(sampling.moves)),
                ("chances", json!(chances)),
            ],
        )
    })
}

/// Draws stored rows of each job, plays them again and compares.
pub(crate) fn recompute<J: Repeatable>(
    jobs: &[&J],
    launcher: &Launcher,
    sampling: Sampling,
) -> Result<Vec<(Key, RecomputedRows)>, RunError> {
    let rows = jobs.iter().map(|job| job.as_job().status().rows().min(sampling.games)).sum();
    let row = jobs.first().map_or("row", |job| job.as_job().words().row);
    let bar = bar(rows, format!("playing {row}s again"));
    let (mut all, mut drawn) = (Vec::with_capacity(jobs.len()), Vec::new());
    for &job in jobs {
        drawn.extend(job.draw(sampling)?.map(|sample| (job, sample)));
        if drawn.iter().map(|(_, sample)| sample.rows.len()).sum::<usize>() >= MOST_DRAWN {
            all.extend(repeat(std::mem::take(&mut drawn), launcher, sampling, &bar)?);
        }
    }
    all.extend(repeat(drawn, launcher, sampling, &bar)?);
    bar.finish_and_clear();
    Ok(all)
}

/// Plays the drawn rows of some jobs, several at a time.
fn repeat<J: Repeatable>(
    drawn: Vec<(&J, Sample<J::Row>)>,
    launcher: &Launcher,
    sampling: Sampling,
    bar: &ProgressBar,
) -> Result<Vec<(Key, RecomputedRows)>, RunError> {
    let rows: usize = drawn.iter().map(|(_, sample)| sample.rows.len()).sum();
    let size = (rows / (PIECES_EACH * rayon::current_num_threads())).clamp(1, PIECE);
    let pieces: Vec<(usize, &[J::Row])> = (0..)
        .zip(&drawn)
        .flat_map(|(place, (_, sample))| sample.rows.chunks(size).map(move |piece| (place, piece)))
        .collect();
    let played: Vec<Vec<RecomputedRow>> = pieces
        .par_iter()
        // One after the other: rows differ in length by far.
        .with_max_len(1)
        .map(|&(place, piece)| {
            let mut rows = Vec::with_capacity(piece.len());
            drawn[place].0.repeat(piece, launcher, sampling, |row| {
                rows.push(row);
                bar.inc(1);
            })?;
            Ok(rows)
        })
        .collect::<Result<_, RunError>>()?;
    let start = |(job, sample): &(&J, Sample<J::Row>)| {
        let (stored, exempt) = (sample.stored, sample.exempt);
        (job.as_job().key().clone(), RecomputedRows { stored, exempt, ..RecomputedRows::default() })
    };
    let mut all: Vec<(Key, RecomputedRows)> = drawn.iter().map(start).collect();
    for ((place, _), rows) in pieces.into_iter().zip(played) {
        for RecomputedRow { number, is_whole, amount, differences } in rows {
            let all = &mut all[place].1;
            all.rows.push(number);
            all.whole += u64::from(is_whole);
            all.amount += amount;
            all.differences.extend(differences);
        }
    }
    Ok(all)
}

impl Repeatable for PlannedExperiment {
    type Row = GameRecord;

    fn draw(&self, sampling: Sampling) -> Result<Option<Sample<GameRecord>>, StoreError> {
        let mut reader = RecordsReader::open(&self.path)?;
        let outcomes = reader.outcomes()?;
        let repeats = |outcome: &&Outcome| !is_by_machine(outcome.ending);
        let repeatable: Vec<u64> = outcomes.iter().filter(repeats).map(|outcome| outcome.game).collect();
        let (stored, exempt) = (outcomes.len() as u64, (outcomes.len() - repeatable.len()) as u64);
        let numbers = choose(&repeatable, &self.key, sampling);
        let is_drawn = |record: &Result<GameRecord, _>| {
            record.as_ref().map_or(true, |record| numbers.contains(&record.game))
        };
        let rows = reader.games().filter(is_drawn).collect::<Result<_, _>>()?;
        Ok(Some(Sample { stored, exempt, rows }))
    }

    fn repeat(
        &self,
        games: &[GameRecord],
        launcher: &Launcher,
        sampling: Sampling,
        mut on_row: impl FnMut(RecomputedRow),
    ) -> Result<(), RunError> {
        let (setup, mut player) = (self.setup(), GamePlayer::new(launcher, 1));
        for game in games {
            let RepeatedGame { moves, difference } = player.repeat(&setup, game, sampling.moves)?;
            on_row(RecomputedRow {
                number: game.game,
                is_whole: sampling.moves.is_none_or(|most| game.moves <= most),
                amount: moves,
                differences: difference.into_iter().collect(),
            });
        }
        Ok(())
    }
}

/// What playing games again shows, and how far that goes.
fn games_shown(played: &[(Key, RecomputedRows)], chances: &Chances, sampling: Sampling) -> String {
    let sum = |of: fn(&RecomputedRows) -> u64| played.iter().map(|(_, again)| of(again)).sum::<u64>();
    let (games, moves) = (sum(|again| again.rows.len() as u64), counted(sum(|again| again.amount), "move"));
    let stored = counted(sum(|again| again.stored), "stored game");
    let extent = match sampling.moves {
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
        sampling.seed,
        percents(chances.over_all),
        percents(chances.at_least)
    )
}

/// A chance in percent, never rounded to certainty.
fn percent(chance: f64) -> String {
    let rounded = (chance * 1000.0).round() / 10.0;
    if rounded >= 100.0 && chance < 1.0 { "more than 99.9".to_owned() } else { rounded.to_string() }
}

/// Whether a limit of the machine ended a game.
pub(crate) const fn is_by_machine(ending: Ending) -> bool {
    matches!(ending, Ending::Timeout | Ending::ResourceLimit)
}

/// A seed for each job, so that their draws do not depend on each other.
pub(crate) fn seed_for(key: &Key, seed: u64) -> u64 {
    let hash = Sha256::digest(format!("retile recompute/{seed:016x}/{key}"));
    let bytes: [u8; 8] = hash[..8].try_into().expect("a digest has 32 bytes");
    u64::from_be_bytes(bytes)
}

/// The rows of a job that are drawn, every choice with the same chance.
pub(crate) fn choose(rows: &[u64], key: &Key, sampling: Sampling) -> BTreeSet<u64> {
    let mut rng = Rng::from_seed(seed_for(key, sampling.seed));
    let mut left = rows.to_vec();
    let mut chosen = BTreeSet::new();
    while (chosen.len() as u64) < sampling.games && !left.is_empty() {
        let place = rng.below(u32::try_from(left.len()).unwrap_or(u32::MAX));
        chosen.insert(left.swap_remove(place as usize));
    }
    chosen
}

#[cfg(test)]
mod tests;
