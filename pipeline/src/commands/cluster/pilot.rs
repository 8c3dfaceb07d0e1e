//! A pilot: a few games of experiments that were never timed, played here for a short while to see how long
//! one takes.

use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::super::Failure;
use super::kinds::timings;
use ::cluster::cut::RowTime;
use ::cluster::{Attempt, Piece, Round, SentShard, Submission, WorkFolder};
use platform::threads;

/// How long a pilot may take.
pub(super) const TIMEOUT: Duration = Duration::from_secs(20);
/// How many games of an experiment a pilot plays at most.
const GAMES: u64 = 4;

/// The result of a pilot.
pub(super) enum PilotResult {
    /// The time of a game.
    Timed(RowTime),
    /// No game was over in time.
    Slow,
    /// No game can be played, and why.
    Failed(String),
}

/// Plays a few games of each of these experiments, in a folder below the work folder, which may be removed
/// then.
pub(super) fn run(
    submission: &Submission,
    jobs: &[usize],
    base: &WorkFolder,
) -> Result<Vec<PilotResult>, Failure> {
    let folder = &WorkFolder::new(base.root().join("pilot"));
    let mut pilot = submission.clone();
    for plugin in &mut pilot.plugins {
        plugin.file = base.root().join(&plugin.file).path().to_owned();
    }
    for &place in jobs {
        let job = &mut pilot.jobs[place];
        job.parts = (job.rows - job.first).div_ceil(GAMES).max(1);
        let piece = Piece { job: place, part: job.first % job.parts + 1 };
        pilot.shards.push(SentShard { pieces: vec![piece], seconds: 0 });
    }
    pilot.write(folder)?;
    let shards: Vec<usize> = (0..pilot.shards.len()).collect();
    let round = Round::new(&pilot, 1, shards.clone(), pilot.request.clone(), u64::MAX);
    round.write(folder, &pilot.id)?;
    let program = base.program();
    let results = threads::map(&shards, |&shard| {
        let is_over = play(program.path(), folder, shard);
        let Piece { job, part } = pilot.shards[shard].pieces[0];
        let time = RowTime::of(&timings(folder, &pilot, job, part)?);
        Ok(match (time, is_over) {
            (Some(time), _) => PilotResult::Timed(time),
            (None, Ok(false)) => PilotResult::Slow,
            (None, Ok(true)) => {
                let end = folder.attempts(shard).last().and_then(Attempt::end);
                PilotResult::Failed(
                    end.map_or_else(|| "it ended without a reason".to_owned(), |end| end.reason),
                )
            }
            (None, Err(error)) => PilotResult::Failed(format!("{}: {error}", program.display())),
        })
    });
    results.into_iter().collect()
}

/// Runs one shard until the timeout, and returns whether it ended by itself.
fn play(program: &Path, folder: &WorkFolder, shard: usize) -> io::Result<bool> {
    let mut command = Command::new(program);
    command.args(["cluster", "work"]).arg(folder.root().path()).args(["1", &shard.to_string()]);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn()?;
    let end = Instant::now() + TIMEOUT;
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
