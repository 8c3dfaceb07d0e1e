//! `pipeline cluster submit`: cut missing and stale jobs into shards, and submit them as arrays.

use super::super::context::{Context, require_all, selection};
use super::super::plan::duration;
use super::super::{Failure, print_text};
use super::kinds::{Outgoing, outgoing_experiment, outgoing_study, outgoing_training};
use super::prepare::prepare;
use super::{Submitted, confirm, status, work_folder};
use crate::cli;
use crate::job::{STUDY, TRAINING, Words};
use crate::kinds;
use crate::plan::{Determinism, PlannedExperiment, Selection};
use crate::run;
use ::cluster::cut::SHORTEST;
use ::cluster::script::{shell, text_of};
use ::cluster::{ClusterError, Request, Round, SentJob, Submission, WorkFolder, slurm};
use jobs::Key;
use platform::confined::ConfinedPath;
use platform::console::note;
use platform::scratch::Scratch;
use records::layout::Layout;
use studies::Studies;
use text::counted;
use trainings::Trainings;

pub(super) fn submit(arguments: &cli::Submit) -> Result<(), Failure> {
    // Checked first, so that nothing is written if jobs cannot work in this folder.
    let layout = Layout::new(&arguments.places.out);
    let folder = work_folder(&layout)?;
    let context = Context::load(&arguments.places, &arguments.chosen.names)?;
    let lock = context.layout.lock()?;
    refuse_second(arguments, &folder)?;
    let jobs = missing_jobs(&context, arguments)?;
    if jobs.is_empty() {
        let waiting = context.waiting(&selection(&arguments.chosen));
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
    status::wait_and_collect(&Submitted { layout, folder, submission }, &arguments.places.loading.artefacts)
}

/// Fails if something is submitted from here already, with its status.
fn refuse_second(arguments: &cli::Submit, folder: &WorkFolder) -> Result<(), Failure> {
    if Submission::read(folder)?.is_none() {
        // A submission that was killed on its way may have left files.
        remove(folder);
        return Ok(());
    }
    let submitted = Submitted::open(&arguments.places.out)?;
    Err(Failure::check(format!(
        "something is submitted from here already:\n{}Collect it with `pipeline cluster collect`, submit what failed with `pipeline \
         cluster retry`, or drop it with `pipeline cluster cancel`.",
        status::summary(&submitted.submission, &submitted.status()?)
    )))
}

/// The missing jobs: selected experiments, and studies and trainings by their own names, since those take
/// long.
fn missing_jobs(context: &Context, arguments: &cli::Submit) -> Result<Vec<Outgoing>, Failure> {
    let (is_fresh, determinism) = (arguments.fresh, Determinism::unless(arguments.nondeterministic));
    let selection = Selection { is_fresh, determinism, ..selection(&arguments.chosen) };
    let plan = context.plan(&selection)?;
    for blocked in &plan.blocked {
        let why = if blocked.missing.is_some() { blocked.state() } else { blocked.reason.clone() };
        note(format_args!("{}: left out: {why}", blocked.key));
    }
    let mut jobs = Vec::new();
    for planned in plan.jobs.iter().filter(|planned| planned.to_play > 0) {
        check_agent(context, planned, is_fresh)?;
        jobs.push(outgoing_experiment(planned, is_fresh, &context.layout)?);
    }
    let studies = named(context, &selection, &STUDY)?;
    if !studies.names.is_empty() {
        let plan = context.plan_of::<Studies>(&studies)?;
        require_all(&plan.blocked)?;
        for planned in plan.jobs.iter().filter(|planned| !planned.status.is_complete()) {
            jobs.push(outgoing_study(planned, arguments.cores, arguments.shard_time.unwrap_or(SHORTEST))?);
        }
    }
    let trainings = named(context, &selection, &TRAINING)?;
    if !trainings.names.is_empty() {
        let plan = context.plan_of::<Trainings>(&trainings)?;
        require_all(&plan.blocked)?;
        for planned in plan.jobs.iter().filter(|planned| !planned.is_complete()) {
            jobs.push(outgoing_training(planned)?);
        }
    }
    if jobs.is_empty() {
        require_all(&plan.blocked)?;
    }
    Ok(jobs)
}

/// The jobs of a kind that are selected by their own names.
fn named(context: &Context, selection: &Selection, words: &Words) -> Result<Selection, Failure> {
    let all = kinds::all();
    let kind = all.iter().filter(|kind| kind.words() == words);
    let listed = context.project.papers.iter().flat_map(|paper| {
        let jobs = kind.clone().flat_map(|kind| kind.listed(paper));
        jobs.map(|job| Key::new(&paper.id, job.id).to_string())
    });
    let names: Vec<String> = listed.filter(|name| selection.names.contains(name)).collect();
    if selection.is_fresh && !names.is_empty() {
        let Words { kind, command, .. } = words;
        return Err(Failure::usage(format!(
            "--fresh is for experiments: a complete {kind} runs again with `pipeline {command} --fresh`"
        )));
    }
    Ok(Selection { names, determinism: Determinism::Required, ..Selection::default() })
}

/// Plays a stored game again if the stored games are of another plugin file, before others are added to them.
fn check_agent(context: &Context, planned: &PlannedExperiment, is_fresh: bool) -> Result<(), Failure> {
    if !planned.is_of_other_plugin || is_fresh {
        return Ok(());
    }
    run::disproof(planned, &context.launcher)?.map_or(Ok(()), |difference| {
        Err(Failure::agent(format!(
            "{}: its agent is not the one that played the stored games, though its signature is the same: {difference}; give \
             the agent another version, or play all games again with --fresh",
            planned.key
        )))
    })
}

/// Submits a round. If only a part of it was taken, `retry` submits the rest.
pub(super) fn send(
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
    for SentJob { kind, key, links, parts, .. } in submission.jobs.iter().filter(|job| job.links > 1) {
        let (arrays, parts) = (counted(*links, "array"), counted(*parts, "part"));
        text += &format!("{key}: this {kind} is a chain of {arrays}, one for each batch, in {parts} each.\n");
    }
    text
}

/// The resources of each shard in words.
pub(super) fn resources(request: &Request) -> String {
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
