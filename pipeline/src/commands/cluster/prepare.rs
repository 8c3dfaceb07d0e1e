//! Preparing a submission: jobs are copied with their plugins, timed, and cut into shards.

use std::path::PathBuf;
use std::time::Duration;

use super::super::Failure;
use super::super::context::{Context, processors};
use super::kinds::Outgoing;
use super::pilot::{self, PilotResult};
use crate::cli;
use ::cluster::copies::{copy_plugin, copy_program};
use ::cluster::cut::{Cut, MissingRows, RowTime, cut, shard_time};
use ::cluster::script::warning;
use ::cluster::submission::{FORM, ID_DIGITS, Request, Submission};
use ::cluster::{SentJob, WorkFolder};
use platform::console::note;
use platform::hash::sha256;
use text::counted;

/// The time limit of studies and trainings, which continue after it.
const RESUMED_LIMIT: Duration = Duration::from_secs(2 * 60 * 60);
/// How much of a given time limit a shard may take.
const SHARE_OF_LIMIT: f64 = 0.5;

/// Copies everything, times games, and cuts jobs into shards. Also returns the CPU time of all, in seconds.
pub(super) fn prepare(
    context: &Context,
    mut jobs: Vec<Outgoing>,
    arguments: &cli::Submit,
    folder: &WorkFolder,
) -> Result<(Submission, f64), Failure> {
    let mut submission = copy_all(context, &mut jobs, arguments, folder)?;
    time_games(&submission, &mut jobs, folder)?;
    let known: f64 = jobs.iter().filter_map(|job| Some(job.missing() as f64 * job.time?.mean)).sum();
    let length = shard_length(arguments, known);
    let missing = |job: &Outgoing| {
        let unknown = match job.cut {
            // A game that takes longer than anybody waited for it is a shard of its own.
            Cut::ByRows => length.as_secs_f64() * f64::from(arguments.cores),
            Cut::Parts(_) => 0.0,
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
        missing.iter().partition(|one| one.cut == Cut::ByRows);
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
    jobs: &mut [Outgoing],
    arguments: &cli::Submit,
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
        is_fresh: arguments.fresh,
        request,
        plugins,
        jobs: jobs.iter().map(|job| job.sent.clone()).collect(),
        shards: Vec::new(),
    })
}

/// Times games of experiments that were never played. The time stays unknown if no game is over soon.
fn time_games(submission: &Submission, jobs: &mut [Outgoing], folder: &WorkFolder) -> Result<(), Failure> {
    let is_untimed = |job: &Outgoing| job.time.is_none() && job.cut == Cut::ByRows;
    let untimed: Vec<usize> = (0..jobs.len()).filter(|&place| is_untimed(&jobs[place])).collect();
    if untimed.is_empty() {
        return Ok(());
    }
    note(format_args!(
        "{} never timed: a few games are played here first, for {} s at most",
        match untimed.len() as u64 {
            1 => "1 experiment was".to_owned(),
            count => format!("{} were", counted(count, "experiment")),
        },
        pilot::TIMEOUT.as_secs() * untimed.len().div_ceil(processors()) as u64
    ));
    let results = pilot::run(submission, &untimed, folder)?;
    let _ = folder.root().join("pilot").remove_all();
    for (place, result) in untimed.into_iter().zip(results) {
        let SentJob { key, .. } = &submission.jobs[place];
        match result {
            PilotResult::Timed(time) => jobs[place].time = Some(time),
            PilotResult::Slow => {
                note(format_args!("{key}: no game was over in that time: each is a shard of its own"));
            }
            PilotResult::Failed(reason) => {
                return Err(Failure::agent(format!(
                    "{key}: the copies that would be sent cannot play a game: {reason}; a program over the bridge must list the files that it needs"
                )));
            }
        }
    }
    Ok(())
}

/// How long a shard should take.
fn shard_length(arguments: &cli::Submit, seconds: f64) -> Duration {
    let wanted = arguments.shard_time;
    let length = wanted.unwrap_or_else(|| shard_time(seconds, arguments.cores, arguments.at_most));
    arguments.time.map_or(length, |limit| length.min(limit.mul_f64(SHARE_OF_LIMIT)))
}
