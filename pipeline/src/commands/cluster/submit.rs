//! `pipeline cluster submit` and `retry`: cut missing and stale jobs into shards, and submit them as arrays;
//! later, those that are still missing.

use super::super::context::{Context, require_all, selection};
use super::super::plan::duration;
use super::super::{Failure, print_text};
use super::kinds::{OutgoingJob, outgoing};
use super::prepare::prepare;
use super::{OpenSubmission, confirm, status, work_folder};
use crate::cli;
use crate::job::{AsJob, EXPERIMENT, Job};
use crate::kinds;
use crate::plan::{Determinism, PlannedExperiment, Selection};
use crate::run;
use ::cluster::script::{shell, text_of};
use ::cluster::{
    Cause, ClusterError, Request, Round, ShardStatus, Submission, SubmissionJob, WorkFolder, slurm,
};
use platform::console::note;
use platform::{ConfinedPath, Scratch};
use records::Layout;
use text::counted;

pub(super) fn submit(arguments: &cli::SubmitArgs) -> Result<(), Failure> {
    // Checked first, so that nothing is written if jobs cannot work in this folder.
    let layout = Layout::new(&arguments.places.out);
    let folder = work_folder(&layout)?;
    let context = Context::load(&arguments.places, &arguments.jobs.names)?;
    let lock = context.layout.lock()?;
    refuse_second(arguments, &folder)?;
    let jobs = missing_jobs(&context, arguments)?;
    if jobs.is_empty() {
        let waiting = context.waiting(&selection(&arguments.jobs));
        let waiting: String = waiting.iter().map(|one| format!("{one}.\n")).collect();
        return print_text(&format!("Nothing is missing: there is nothing to submit.\n{waiting}"));
    }
    // A dry run leaves no work folder behind.
    let scratch =
        arguments.dry_run.then(|| Scratch::new("retile-dry-run-")).transpose().map_err(Failure::io)?;
    let scratch_folder = |scratch: &Scratch| WorkFolder::new(ConfinedPath::root(scratch.path()));
    let copies = scratch.as_ref().map_or_else(|| folder.clone(), scratch_folder);
    let prepared = prepare(&context, jobs, arguments, &copies);
    let (submission, seconds) = prepared.inspect_err(|_| remove(&copies))?;
    let (shards, request) = ((0..submission.shards.len()).collect(), submission.request.clone());
    let mut round = Round::new(&submission, 1, shards, request, slurm::array_size());
    print_text(&offer(&folder, &submission, &round, seconds))?;
    if arguments.dry_run {
        return print_text("Nothing is submitted: this is a dry run.\n");
    }
    match confirm("Submit this?", arguments.yes) {
        Ok(true) => {}
        declined => {
            remove(&folder);
            return declined.and_then(|_| print_text("Nothing is submitted.\n"));
        }
    }
    submission.write(&folder)?;
    // A submission that cannot be read here cannot be read on a node either.
    Submission::read(&folder).inspect_err(|_| remove(&folder))?;
    send(&folder, &submission, &mut round, "Submitted").inspect_err(|_| {
        if round.shards.is_empty() {
            remove(&folder);
        }
    })?;
    drop(lock);
    if !arguments.wait {
        return print_text(
            "`pipeline cluster status` shows the progress, and `pipeline cluster collect` puts the results together.\n",
        );
    }
    status::wait_and_collect(
        &OpenSubmission { layout, folder, submission },
        &arguments.places.loading.artefacts,
    )
}

/// Fails if something is submitted from here already, with its status.
fn refuse_second(arguments: &cli::SubmitArgs, folder: &WorkFolder) -> Result<(), Failure> {
    if Submission::read(folder)?.is_none() {
        // A submission that was killed on its way may have left files.
        remove(folder);
        return Ok(());
    }
    let submitted = OpenSubmission::open(&arguments.places.out)?;
    Err(Failure::check(format!(
        "something is submitted from here already:\n{}Collect it with `pipeline cluster collect`, submit what failed with `pipeline \
         cluster retry`, or drop it with `pipeline cluster cancel`.",
        status::summary(&submitted.submission, &submitted.status()?)
    )))
}

/// The missing jobs: selected experiments, and studies and trainings by their own names, since those take
/// long.
fn missing_jobs(context: &Context, arguments: &cli::SubmitArgs) -> Result<Vec<OutgoingJob>, Failure> {
    let (games, determinism) = (arguments.games, Determinism::unless(arguments.nondeterministic));
    let chosen = Selection { games, determinism, ..selection(&arguments.jobs) };
    let (is_fresh, mut jobs, mut left_out) = (chosen.is_fresh, Vec::new(), Vec::new());
    for kind in kinds::all() {
        let is_experiment = kind.words() == &EXPERIMENT;
        let names = context.names_of(kind, &chosen.names);
        let plan = match is_experiment {
            true => context.plan_kind(kind, &chosen)?,
            false if names.is_empty() => continue,
            false => {
                let determinism = Determinism::Required;
                context
                    .plan_kind(kind, &Selection { names, is_fresh, determinism, ..Selection::default() })?
            }
        };
        let is_open = |job: &dyn Job| !is_experiment && !job.status().is_complete();
        for job in plan.jobs.iter().map(AsJob::as_job) {
            if job.amount().to_play != Some(0) || is_open(job) {
                check_agent(context, job, is_fresh)?;
                jobs.push(outgoing(job, &context.layout, arguments)?);
            }
        }
        match is_experiment {
            true => left_out.extend(plan.blocked),
            false => require_all(&plan.blocked)?,
        }
    }
    for blocked in &left_out {
        let why = if blocked.missing.is_some() { blocked.state() } else { blocked.reason.clone() };
        note(format_args!("{}: left out: {why}", blocked.key));
    }
    if jobs.is_empty() {
        require_all(&left_out)?;
    }
    Ok(jobs)
}

/// Plays a stored game again if the stored games are of another plugin file, before others are added to them.
fn check_agent(context: &Context, job: &dyn Job, is_fresh: bool) -> Result<(), Failure> {
    let planned = <dyn Job>::all_of::<PlannedExperiment>(&[job]).pop();
    let Some(planned) = planned.filter(|planned| planned.is_of_other_plugin && !is_fresh) else {
        return Ok(());
    };
    run::disproof(planned, &context.launcher)?.map_or(Ok(()), |difference| {
        Err(Failure::agent(format!(
            "{}: its agent is not the one that played the stored games, though its signature is the same: {difference}; give \
             the agent another version, or play all games again with --fresh",
            planned.key
        )))
    })
}

/// Submits a round. If only a part of it was taken, `retry` submits the rest.
fn send(
    folder: &WorkFolder,
    submission: &Submission,
    round: &mut Round,
    submitted: &str,
) -> Result<(), Failure> {
    round.write(folder, &submission.id)?;
    let jobs = round.submit(folder, &submission.id).map_err(|error: ClusterError| {
        let more = "; `pipeline cluster retry` submits the others when there is room";
        Failure::from(error).and(if round.shards.is_empty() { "" } else { more })
    })?;
    let jobs = match &jobs[..] {
        [one] => format!("job {one}"),
        [first @ .., last] => format!("jobs {} and {last}", first.join(", ")),
        [] => "no job".to_owned(),
    };
    print_text(&format!("{submitted} as {jobs}.\n"))
}

/// The script, the work of its arrays, and the time that they may take.
fn offer(folder: &WorkFolder, submission: &Submission, round: &Round, seconds: f64) -> String {
    let arrays = round.arrays.iter().map(|&array| {
        let before = (array.first > 0).then_some("<the one before>");
        let options = round.options(&submission.id, array, 1, before).join(" ");
        let script = folder.round(round.round).join("array.sh");
        format!("sbatch {options} {} {}\n", shell(text_of(script.path())), array.first)
    });
    let arrays: String = arrays.collect();
    let kinds = status::by_kind(submission.jobs.iter().map(|job| (job, 0, job.rows - job.first)));
    let work = kinds
        .iter()
        .map(|(job, _, rows, jobs)| format!("{} of {}", counted(*rows, &job.row), counted(*jobs, &job.kind)));
    let longest = submission.shards.iter().map(|shard| shard.seconds).max().unwrap_or(0);
    let (length, hours) = match seconds > 0.0 {
        true => {
            let longest = duration(longest.max(1) as f64);
            let hours = status::hours(seconds / 3600.0);
            (format!(" of about {longest} at most"), format!("about {hours} core hours in all"))
        }
        false => (String::new(), "the time is not known yet".to_owned()),
    };
    let mut text = format!(
        "{}\n{arrays}\n{} in {}{length}, with {} each; {hours}.\n",
        round.script(folder, &submission.id),
        work.collect::<Vec<_>>().join(", "),
        counted(submission.shards.len() as u64, "shard"),
        resources(&submission.request),
    );
    for SubmissionJob { kind, key, links, parts, .. } in submission.jobs.iter().filter(|job| job.links > 1) {
        let (arrays, parts) = (counted(*links, "array"), counted(*parts, "part"));
        text += &format!("{key}: this {kind} is a chain of {arrays}, one for each batch, in {parts} each.\n");
    }
    text
}

/// The resources of each shard in words.
fn resources(request: &Request) -> String {
    let minutes = request.limit_seconds.div_ceil(60).max(1);
    let memory = match request.memory_mib() {
        Some(memory) => format!("{memory} MiB of memory"),
        None => "as much memory as the site gives".to_owned(),
    };
    format!("a time limit of {} and {memory}", duration((minutes * 60) as f64))
}

/// Removes a work folder, if it exists.
fn remove(folder: &WorkFolder) {
    let _ = folder.root().remove_all();
}

pub(super) fn retry(arguments: &cli::RetryArgs) -> Result<(), Failure> {
    let (lock, submitted) = OpenSubmission::locked(&arguments.out)?;
    let OpenSubmission { folder, submission, .. } = &submitted;
    let status = submitted.status()?;
    let summary = status::summary(submission, &status);
    let failed = status.failed();
    if failed.is_empty() {
        print_text(&match status.is_complete() {
            true => "Nothing is missing; `pipeline cluster collect` puts the results together.\n".to_owned(),
            false => format!("{summary}All missing shards are running or waiting.\n"),
        })?;
    } else {
        let rounds = Round::all(folder, &submission.id)?;
        let last = rounds.last().map_or(&submission.request, |round| &round.request);
        let number = rounds.last().map_or(1, |round| round.round + 1);
        let shards = failed.iter().map(|shard| shard.shard).collect();
        let request = request(last, &failed, arguments);
        let mut round = Round::new(submission, number, shards, request, slurm::array_size());
        let what = counted(failed.len() as u64, "shard");
        let question = format!("{summary}Submit {what} again, with {}?", resources(&round.request));
        if !confirm(&question, arguments.yes)? {
            return print_text("Nothing is submitted.\n");
        }
        send(folder, submission, &mut round, &format!("Submitted {what} again,"))?;
    }
    drop(lock);
    if arguments.wait { status::wait_and_collect(&submitted, &arguments.artefacts) } else { Ok(()) }
}

/// The resources for this time: more of what ran out.
fn request(last: &Request, failed: &[&ShardStatus], arguments: &cli::RetryArgs) -> Request {
    let ran_out_of = |cause: Cause| failed.iter().any(|shard| shard.cause == Some(cause));
    let mut request = last.clone();
    if ran_out_of(Cause::Time) {
        request.limit_seconds = request.limit_seconds.saturating_mul(2);
        request.warning_seconds = request.warning_seconds.saturating_mul(2);
    }
    if ran_out_of(Cause::Memory) {
        request.agent_mib = request.agent_mib.saturating_mul(2);
    }
    if let Some(time) = arguments.time {
        request.limit_seconds = time.as_secs();
        request.warning_seconds = request.warning_seconds.min(time.as_secs() / 2).max(1);
    }
    request.agent_mib = arguments.memory.unwrap_or(request.agent_mib);
    request
}
