//! A pilot: a few games of experiments that were never timed, played here for a short while, to see how long a game takes.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::attempt::Attempt;
use super::cost::Cost;
use super::sending::{Round, SendError};
use super::submission::{SentPiece, SentShard, Submission};
use super::workplace::{Workplace, WorkplaceError};
use crate::journal::Journal;
use records::record::GameTiming;
use records::store::read_timing;
use surroundings::threads;

/// How long a pilot may take.
pub const PATIENCE: Duration = Duration::from_secs(20);
/// How many games of an experiment a pilot plays at most.
const GAMES: u64 = 4;

/// Plays a few games of each of these experiments, and gives what a game took; none where none was over in time. Whatever it writes is
/// in a folder of its own, below the work folder, and may be removed.
///
/// # Errors
/// Where the folder cannot be written.
pub fn fly(
    submission: &Submission,
    experiments: &[usize],
    base: &Workplace,
) -> Result<Vec<Option<Cost>>, SendError> {
    let workplace = &Workplace::new(base.root().join("pilot"));
    let mut pilot = submission.clone();
    pilot.shards.clear();
    for plugin in &mut pilot.plugins {
        plugin.file = base.root().join(&plugin.file);
    }
    for &experiment in experiments {
        let sent = &mut pilot.experiments[experiment];
        sent.parts = (sent.games - sent.first).div_ceil(GAMES).max(1);
        let part = sent.first % sent.parts + 1;
        pilot.shards.push(SentShard { pieces: vec![SentPiece { experiment, part }], seconds: 0 });
    }
    workplace.write_json(&workplace.submission(), &pilot)?;
    let shards: Vec<usize> = (0..pilot.shards.len()).collect();
    let round =
        Round { round: 1, shards: shards.clone(), request: pilot.request.clone(), array_size: u64::MAX };
    round.write(workplace, &pilot.id)?;
    let program = base.program();
    let costs = threads::map(&shards, |&shard| {
        play(&program, workplace, shard);
        cost(workplace, &pilot, shard)
    });
    costs.into_iter().collect::<Result<_, WorkplaceError>>().map_err(SendError::from)
}

/// Plays one shard for as long as the patience lasts.
fn play(program: &Path, workplace: &Workplace, shard: usize) {
    let mut command = Command::new(program);
    command.args(["cluster", "work"]).arg(workplace.root()).args(["1", &shard.to_string()]);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let Ok(mut child) = command.spawn() else { return };
    let end = Instant::now() + PATIENCE;
    while Instant::now() < end {
        if !matches!(child.try_wait(), Ok(None)) {
            return;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let _ = child.kill();
    let _ = child.wait();
}

/// What the games of a pilot took.
fn cost(workplace: &Workplace, pilot: &Submission, shard: usize) -> Result<Option<Cost>, WorkplaceError> {
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
    Ok(Cost::of(&timings))
}
