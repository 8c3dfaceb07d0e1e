//! Preparing a submission: jobs are copied with their plugins, timed, and cut into shards. If an experiment
//! was never timed, a pilot plays a few of its games here for a short while.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::super::Failure;
use super::super::context::{Context, processors};
use super::kinds::{OutgoingJob, timings};
use crate::cli;
use ::cluster::copies::{copy_plugin, copy_program};
use ::cluster::cut::{cut, shard_time};
use ::cluster::script::warning;
use ::cluster::{
    Attempt, Division, FORM, ID_DIGITS, JobPart, MissingRows, Request, Round, RowTime, Submission,
    SubmissionJob, SubmissionShard, WorkFolder,
};
use platform::console::note;
use platform::hash::sha256;
use platform::threads;
use text::counted_verb;

/// The time limit of studies and trainings, which continue after it.
const RESUMED_LIMIT: Duration = Duration::from_secs(2 * 60 * 60);
/// How much of a given time limit a shard may take.
const SHARE_OF_LIMIT: f64 = 0.5;

/// Copies everything, times games, and cuts jobs into shards. Also returns the CPU time of all, in seconds.
pub(super) fn prepare(
    context: &Context,
    mut jobs: Vec<OutgoingJob>,
    arguments: &cli::SubmitArgs,
    folder: &WorkFolder,
) -> Result<(Submission, f64), Failure> {
    let mut submission = copy_all(context, &mut jobs, arguments, folder)?;
    time_games(&submission, &mut jobs, folder)?;
    let known: f64 = jobs.iter().filter_map(|job| Some(job.missing() as f64 * job.time?.mean)).sum();
    let wanted = arguments.shard_time;
    let length = wanted.unwrap_or_else(|| shard_time(known, arguments.cores, arguments.at_most));
    let length = arguments.time.map_or(length, |limit| length.min(limit.mul_f64(SHARE_OF_LIMIT)));
    let missing = |job: &OutgoingJob| {
        let unknown = match job.cut {
            // A game that takes longer than anybody waited for it is a shard of its own.
            Division::ByRows => length.as_secs_f64() * f64::from(arguments.cores),
            Division::Parts(_) => 0.0,
        };
        let time = job.time.unwrap_or(RowTime::each(unknown));
        MissingRows { rows: job.missing(), time, cut: job.cut }
    };
    let missing: Vec<MissingRows> = jobs.iter().map(missing).collect();
    let cuts = cut(&missing, arguments.cores, length);
    for (job, parts) in submission.jobs.iter_mut().zip(cuts.parts) {
        job.parts = parts;
    }
    submission.shards = cuts.shards;
    let (by_rows, resumed): (Vec<&MissingRows>, Vec<&MissingRows>) =
        missing.iter().partition(|one| one.cut == Division::ByRows);
    let least = if resumed.is_empty() { Duration::ZERO } else { RESUMED_LIMIT };
    let limit = arguments.time.unwrap_or(cuts.limit.max(least));
    let longest = by_rows.iter().map(|missing| missing.time.high).fold(0.0, f64::max);
    submission.request.limit_seconds = limit.as_secs();
    submission.request.warning_seconds = warning(limit, Duration::from_secs_f64(longest)).as_secs().max(1);
    Ok((submission, missing.iter().map(MissingRows::seconds).sum()))
}

/// The submission before it is cut into shards, with the program and each plugin copied once.
fn copy_all(
    context: &Context,
    jobs: &mut [OutgoingJob],
    arguments: &cli::SubmitArgs,
    folder: &WorkFolder,
) -> Result<Submission, Failure> {
    let program_sha256 = copy_program(folder)?;
    let (mut files, mut plugins): (Vec<PathBuf>, Vec<_>) = Default::default();
    for job in jobs.iter_mut() {
        let known = files.iter().position(|file| *file == job.plugin.file);
        job.sent.plugin = match known {
            Some(place) => place,
            None => {
                plugins.push(copy_plugin(folder, files.len(), &job.plugin)?);
                files.push(job.plugin.file.clone());
                files.len() - 1
            }
        };
    }
    let origin = context.origin();
    let request = Request {
        cores: arguments.cores,
        agent_mib: arguments.places.loading.memory,
        limit_seconds: 0,
        warning_seconds: 0,
        at_most: arguments.at_most,
        options: arguments.options.clone(),
    };
    let (path, moment) = (folder.root().display(), platform::clock::now());
    let id = sha256(format!("{path} {moment} {}", std::process::id()))[..ID_DIGITS].to_owned();
    Ok(Submission {
        form: FORM,
        id,
        program_sha256,
        commit: origin.commit,
        dirty: origin.dirty,
        is_fresh: arguments.jobs.fresh,
        request,
        plugins,
        jobs: jobs.iter().map(|job| job.sent.clone()).collect(),
        shards: Vec::new(),
    })
}

/// Times games of experiments that were never played. The time stays unknown if no game is over soon.
fn time_games(submission: &Submission, jobs: &mut [OutgoingJob], folder: &WorkFolder) -> Result<(), Failure> {
    let is_untimed = |job: &OutgoingJob| job.time.is_none() && job.cut == Division::ByRows;
    let untimed: Vec<usize> = (0..jobs.len()).filter(|&place| is_untimed(&jobs[place])).collect();
    if untimed.is_empty() {
        return Ok(());
    }
    note(format_args!(
        "{} never timed: a few games are played here first, for {} s at most",
        counted_verb(untimed.len() as u64, "experiment", ["was", "were"]),
        PILOT_TIMEOUT.as_secs() * untimed.len().div_ceil(processors()) as u64
    ));
    let results = run_pilot(submission, &untimed, folder)?;
    let _ = folder.root().join("pilot").remove_all();
    for (place, result) in untimed.into_iter().zip(results) {
        let SubmissionJob { key, .. } = &submission.jobs[place];
        match result {
            Ok(Some(time)) => jobs[place].time = Some(time),
            Ok(None) => {
                note(format_args!("{key}: no game was over in that time: each is a shard of its own"))
            }
            Err(reason) => {
                return Err(Failure::agent(format!(
                    "{key}: the copies that would be sent cannot play a game: {reason}; a program over the bridge must list the files that it needs"
                )));
            }
        }
    }
    Ok(())
}

/// How long a pilot may take.
const PILOT_TIMEOUT: Duration = Duration::from_secs(20);
/// How many games of an experiment a pilot plays at most.
const PILOT_GAMES: u64 = 4;

/// Plays a few games of each of these experiments, in a folder below the work folder, which may be removed
/// then. Returns the time of a game, `None` if none was over in time, or why no game can be played.
fn run_pilot(
    submission: &Submission,
    jobs: &[usize],
    base: &WorkFolder,
) -> Result<Vec<Result<Option<RowTime>, String>>, Failure> {
    let folder = &WorkFolder::new(base.root().join("pilot"));
    let mut pilot = submission.clone();
    for plugin in &mut pilot.plugins {
        plugin.file = base.root().join(&plugin.file).path().to_owned();
    }
    for &place in jobs {
        let job = &mut pilot.jobs[place];
        job.parts = (job.rows - job.first).div_ceil(PILOT_GAMES).max(1);
        let piece = JobPart { job: place, part: job.first % job.parts + 1 };
        pilot.shards.push(SubmissionShard { pieces: vec![piece], seconds: 0 });
    }
    pilot.write(folder)?;
    let shards: Vec<usize> = (0..pilot.shards.len()).collect();
    let round = Round::new(&pilot, 1, shards.clone(), pilot.request.clone(), u64::MAX);
    round.write(folder, &pilot.id)?;
    let program = base.program();
    let results = threads::map(&shards, |&shard| {
        let is_over = play_shard(program.path(), folder, shard);
        let JobPart { job, part } = pilot.shards[shard].pieces[0];
        let time = RowTime::of(&timings(folder, &pilot, job, part)?);
        Ok(match (time, is_over) {
            (None, Ok(true)) => {
                let end = folder.attempts(shard).last().and_then(Attempt::end);
                Err(end.map_or_else(|| "it ended without a reason".to_owned(), |end| end.reason))
            }
            (None, Err(error)) => Err(format!("{}: {error}", program.display())),
            (time, _) => Ok(time),
        })
    });
    results.into_iter().collect()
}

/// Runs one shard until the timeout, and returns whether it ended by itself.
fn play_shard(program: &Path, folder: &WorkFolder, shard: usize) -> io::Result<bool> {
    let mut command = Command::new(program);
    command.args(["cluster", "work"]).arg(folder.root().path()).args(["1", &shard.to_string()]);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn()?;
    let end = Instant::now() + PILOT_TIMEOUT;
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
