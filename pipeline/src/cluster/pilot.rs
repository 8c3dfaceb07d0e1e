//! A pilot: a few games of experiments that were never timed, played here for a short while, to see how long a game takes.

use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::attempt::Attempt;
use super::cost::Cost;
use super::sending::{Round, SendError};
use super::submission::{SentPiece, SentShard, Submission};
use super::workplace::Workplace;
use crate::journal::Journal;
use platform::threads;
use records::record::GameTiming;
use records::store::read_timing;

/// How long a pilot may take.
pub const PATIENCE: Duration = Duration::from_secs(20);
/// How many games of an experiment a pilot plays at most.
const GAMES: u64 = 4;

/// What a pilot shows of an experiment.
#[derive(Clone, Debug, PartialEq)]
pub enum Shown {
    /// What a game takes.
    Cost(Cost),
    /// No game was over in time.
    Slow,
    /// No game can be played, and why.
    Failed(String),
}

/// Plays a few games of each of these experiments, and gives what that shows. Whatever it writes is
/// in a folder of its own, below the work folder, and may be removed.
///
/// # Errors
/// Where the folder cannot be written.
pub fn fly(
    submission: &Submission,
    experiments: &[usize],
    base: &Workplace,
) -> Result<Vec<Shown>, SendError> {
    let workplace = &Workplace::new(base.root().join("pilot"));
    let mut pilot = submission.clone();
    pilot.shards.clear();
    for plugin in &mut pilot.plugins {
        plugin.file = base.root().join(&plugin.file).path().to_owned();
    }
    for &experiment in experiments {
        let sent = &mut pilot.experiments[experiment];
        sent.parts = (sent.games - sent.first).div_ceil(GAMES).max(1);
        let part = sent.first % sent.parts + 1;
        pilot.shards.push(SentShard { pieces: vec![SentPiece { experiment, part }], seconds: 0 });
    }
    pilot.write(workplace)?;
    let shards: Vec<usize> = (0..pilot.shards.len()).collect();
    let round =
        Round { round: 1, shards: shards.clone(), request: pilot.request.clone(), array_size: u64::MAX };
    round.write(workplace, &pilot.id)?;
    let program = base.program();
    Ok(threads::map(&shards, |&shard| {
        let is_over = play(program.path(), workplace, shard);
        match (cost(workplace, &pilot, shard), is_over) {
            (Some(cost), _) => Shown::Cost(cost),
            (None, Ok(false)) => Shown::Slow,
            (None, Ok(true)) => Shown::Failed(last_words(workplace, shard)),
            (None, Err(error)) => Shown::Failed(format!("{}: {error}", program.display())),
        }
    }))
}

/// What the last attempt at a shard said when it ended.
fn last_words(workplace: &Workplace, shard: usize) -> String {
    let ended = workplace.attempts(shard).last().and_then(Attempt::ended);
    ended.map_or_else(|| "it ended without a word".to_owned(), |ended| ended.words)
}

/// Plays one shard for as long as the patience lasts, and says whether it came to its end.
fn play(program: &Path, workplace: &Workplace, shard: usize) -> io::Result<bool> {
    let mut command = Command::new(program);
    command.args(["cluster", "work"]).arg(workplace.root().path()).args(["1", &shard.to_string()]);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn()?;
    let end = Instant::now() + PATIENCE;
    while Instant::now() < end {
        if child.try_wait()?.is_some() {
            return Ok(true);
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    child.kill()?;
    child.wait()?;
    Ok(false)
}

/// What the games of a pilot took.
fn cost(workplace: &Workplace, pilot: &Submission, shard: usize) -> Option<Cost> {
    let SentPiece { experiment, part } = pilot.shards[shard].pieces[0];
    let sent = &pilot.experiments[experiment];
    let title = sent.planned(Some(part), &pilot.plugins[sent.plugin], workplace).title(None);
    let timings = |attempt: Attempt| -> Vec<GameTiming> {
        let (layout, shard) = (attempt.layout(), Some(sent.shard(part)));
        let finished = read_timing(&layout.timing(&sent.key, shard)).unwrap_or_default();
        let journalled = Journal::peek(&layout.journal(&sent.key, shard, false), &title).unwrap_or_default();
        finished.into_iter().chain(journalled).collect()
    };
    let timings: Vec<GameTiming> = workplace.attempts(shard).into_iter().flat_map(timings).collect();
    Cost::of(&timings)
}
