//! `pipeline cluster submit`: cut what is missing into shards, and submit them as an array.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::super::context::{Context, require_all, selection};
use super::super::plan::duration;
use super::super::{Failure, print_text};
use super::words::hours;
use super::{collect, confirm, wait, words};
use crate::cli;
use crate::cluster::cost::Cost;
use crate::cluster::cut::{Missing, SHORTEST, cut, shard_time};
use crate::cluster::pilot;
use crate::cluster::script::warning;
use crate::cluster::sending::{Round, SendError, copy, copy_plugin, copy_program};
use crate::cluster::slurm;
use crate::cluster::standing::Standing;
use crate::cluster::study;
use crate::cluster::submission::{FORM, Request, SentExperiment, SentPlugin, SentStudy, Submission};
use crate::cluster::workplace::Workplace;
use crate::plan::{Planned, Selection};
use crate::run;
use crate::study::PlannedStudy;
use records::store::read_timing;
use surroundings::console::note;
use surroundings::hash::sha256;
use surroundings::scratch::Scratch;
use verdict::format::counted;
use workers::catalogue::PluginEntry;

/// The time limit of a part of a study's batch, where no other is given.
const STUDY_LIMIT: Duration = Duration::from_secs(2 * 60 * 60);
/// How much of a time limit that was given a shard may take.
const SHARE_OF_LIMIT: f64 = 0.5;

pub(super) fn submit(arguments: &cli::Submit) -> Result<(), Failure> {
    let context = Context::load(&arguments.places, &arguments.chosen.names)?;
    let lock = context.layout.lock()?;
    let workplace = Workplace::new(std::path::absolute(context.layout.cluster()).map_err(Failure::io)?);
    refuse_second(&workplace)?;
    let selection = Selection { is_fresh: arguments.fresh, ..selection(&arguments.chosen) };
    let plan = context.plan(&selection)?;
    require_all(&plan.unplanned)?;
    let to_play: Vec<&Planned> = plan.experiments.iter().filter(|planned| planned.to_play > 0).collect();
    let studies = named_studies(&context, &selection)?;
    if to_play.is_empty() && studies.is_empty() {
        let waiting: String = context.waiting(&selection).iter().map(|one| format!("{one}.\n")).collect();
        return print_text(&format!("Nothing is missing: there is nothing to submit.\n{waiting}"));
    }
    prove(&context, &to_play, arguments.fresh)?;
    // A dry run leaves nothing behind.
    let scratch =
        arguments.dry_run.then(|| Scratch::new("retile-dry-run-")).transpose().map_err(Failure::io)?;
    let copies = scratch.as_ref().map_or_else(|| workplace.clone(), |scratch| Workplace::new(scratch.path()));
    let prepared = prepare(&context, (&to_play, &studies), arguments, &copies);
    let (submission, seconds) = prepared.inspect_err(|_| remove(copies.root()))?;
    let mut round = Round {
        round: 1,
        shards: (0..submission.shards.len()).collect(),
        request: submission.request.clone(),
        array_size: slurm::array_size(),
    };
    print_text(&offer(&workplace, &submission, &round, seconds))?;
    print_text(&offer_of_studies(&workplace, &submission))?;
    if arguments.dry_run {
        return print_text("Nothing is submitted: this is a dry run.\n");
    }
    match confirm("Submit this?", arguments.yes) {
        Ok(true) => {}
        declined => {
            remove(workplace.root());
            return declined.and_then(|_| print_text("Nothing is submitted.\n"));
        }
    }
    send(&workplace, &submission, &mut round)?;
    drop(lock);
    if !arguments.wait {
        return print_text(
            "`pipeline cluster status` shows how it gets on, and `pipeline cluster collect` puts the records together.\n",
        );
    }
    let standing = wait::wait(&workplace, &submission)?;
    print_text(&words::text(&workplace, &submission, &standing))?;
    let _lock = context.layout.lock()?;
    collect::put_together(&workplace, &submission, &context.layout, false, false)
}

/// Fails where something is submitted from here already, and says how it stands.
fn refuse_second(workplace: &Workplace) -> Result<(), Failure> {
    let Some(submission) = Submission::read(workplace)? else {
        // What a submission has left that was killed on its way.
        remove(workplace.root());
        return Ok(());
    };
    let standing = Standing::look(workplace, &submission)?;
    Err(Failure::check(format!(
        "something is submitted from here already. {}Collect it with `pipeline cluster collect`, submit what failed with `pipeline \
         cluster retry`, or drop it with `pipeline cluster cancel`",
        words::summary(&standing)
    )))
}

/// The studies that are named and not whole. What a paper's name means are its experiments alone: a study takes a chain of arrays, and is
/// asked for by its own name.
fn named_studies(context: &Context, selection: &Selection) -> Result<Vec<PlannedStudy>, Failure> {
    let named: Vec<String> = selection.names.iter().filter(|name| context.is_study(name)).cloned().collect();
    if named.is_empty() {
        return Ok(Vec::new());
    }
    if selection.is_fresh {
        let text =
            "--fresh is for experiments: a study that is whole is run again with `pipeline study --fresh`";
        return Err(Failure::usage(text));
    }
    let plan = context.plan_studies(&Selection { names: named, ..Selection::default() })?;
    require_all(&plan.unplanned)?;
    Ok(plan.studies.into_iter().filter(|planned| !planned.is_whole()).collect())
}

/// Plays a stored game again of experiments whose stored games are of another plugin file, before others are added to them.
fn prove(context: &Context, to_play: &[&Planned], is_fresh: bool) -> Result<(), Failure> {
    for planned in to_play.iter().filter(|planned| planned.is_of_other_plugin && !is_fresh) {
        if let Some(difference) = run::disproof(planned, &context.launcher)? {
            return Err(Failure::agent(format!(
                "{}: its agent is not the one that played the stored games, though its signature is the same: {difference}; give \
                 the agent another version, or play all games again with --fresh",
                planned.key
            )));
        }
    }
    Ok(())
}

/// Copies everything, sees what games take, and cuts them into shards. Also gives what all take, in seconds of a processor.
fn prepare(
    context: &Context,
    (to_play, studies): (&[&Planned], &[PlannedStudy]),
    arguments: &cli::Submit,
    copies: &Workplace,
) -> Result<(Submission, f64), Failure> {
    let mut submission = skeleton(context, (to_play, studies), arguments, copies)?;
    let costs = costs(context, &submission, to_play, copies)?;
    let missing: Vec<Option<Missing>> = submission
        .experiments
        .iter()
        .zip(&costs)
        .map(|(sent, cost)| cost.map(|cost| Missing { games: sent.games - sent.first, cost }))
        .collect();
    let known: f64 = missing.iter().flatten().map(Missing::seconds).sum();
    let length = length(arguments, known);
    // A game that takes longer than anybody waited for it is a shard of its own.
    let missing: Vec<Missing> = missing
        .into_iter()
        .zip(&submission.experiments)
        .map(|(missing, sent)| {
            let each = length.as_secs_f64() * f64::from(arguments.cores);
            missing
                .unwrap_or(Missing { games: sent.games - sent.first, cost: Cost { mean: each, high: each } })
        })
        .collect();
    let cuts = cut(&missing, arguments.cores, length);
    for (sent, parts) in submission.experiments.iter_mut().zip(&cuts.parts) {
        sent.parts = *parts;
    }
    submission.shards = cuts.shards;
    let limit =
        arguments.time.unwrap_or(if studies.is_empty() { cuts.limit } else { cuts.limit.max(STUDY_LIMIT) });
    let longest = missing.iter().map(|missing| missing.cost.high).fold(0.0, f64::max);
    submission.request.limit_seconds = limit.as_secs();
    submission.request.warning_seconds = warning(limit, Duration::from_secs_f64(longest)).as_secs().max(1);
    Ok((submission, missing.iter().map(Missing::seconds).sum()))
}

/// What is sent, before it is cut into shards.
fn skeleton(
    context: &Context,
    (to_play, studies): (&[&Planned], &[PlannedStudy]),
    arguments: &cli::Submit,
    copies: &Workplace,
) -> Result<Submission, Failure> {
    let program_sha256 = copy_program(copies)?;
    let mut plugins = Copies::default();
    let mut experiments = Vec::new();
    for planned in to_play {
        let place = plugins.place_of(&planned.plugin, copies)?;
        experiments.push(SentExperiment::of(planned, place, arguments.fresh));
    }
    let mut sent_studies = Vec::new();
    for planned in studies {
        plugins.place_of(&planned.plugin, copies)?;
        let shortest = arguments.shard_time.unwrap_or(SHORTEST);
        let parts = study::parts(planned, arguments.cores, shortest, slurm::array_size());
        let batches = planned.study.method.most_batches();
        sent_studies.push(SentStudy { key: planned.key.clone(), parts, batches });
    }
    if !studies.is_empty() {
        copy_for_studies(context, arguments, copies)?;
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
    let (host, moment) = (copies.root().display(), crate::cluster::attempt::now());
    let id = sha256(format!("{host} {moment} {}", std::process::id()))[..8].to_owned();
    Ok(Submission {
        form: FORM,
        id,
        program_sha256,
        commit: origin.commit,
        dirty: origin.dirty,
        is_fresh: arguments.fresh,
        request,
        plugins: plugins.sent,
        experiments,
        shards: Vec::new(),
        studies: sent_studies,
    })
}

/// The plugins that are copied, each once.
#[derive(Default)]
struct Copies {
    files: Vec<PathBuf>,
    sent: Vec<SentPlugin>,
}

impl Copies {
    /// The place of a plugin in the list, which is copied where it is not yet.
    fn place_of(&mut self, plugin: &PluginEntry, copies: &Workplace) -> Result<usize, Failure> {
        if let Some(place) = self.files.iter().position(|file| *file == plugin.file) {
            return Ok(place);
        }
        self.sent.push(copy_plugin(copies, self.files.len(), plugin)?);
        self.files.push(plugin.file.clone());
        Ok(self.files.len() - 1)
    }
}

/// Copies what the parts of a study read: the manifests, and what is known of signatures.
fn copy_for_studies(context: &Context, arguments: &cli::Submit, copies: &Workplace) -> Result<(), Failure> {
    let own = arguments.chosen.names.iter().map(PathBuf::from).filter(|file| file.is_file());
    let folder = fs::read_dir(&arguments.places.configs).into_iter().flatten().flatten();
    let manifests = folder.map(|entry| entry.path()).chain(own);
    for file in manifests.filter(|file| file.extension().is_some_and(|extension| extension == "toml")) {
        if let Some(name) = file.file_name() {
            copy(&file, &copies.configs().join(name))?;
        }
    }
    let (signatures, copied) = (context.layout.signatures(), study::layout(copies).signatures());
    if signatures.is_file() {
        copy(&signatures, &copied)?;
    }
    Ok(())
}

/// What games take: from those that were timed before, or from a pilot. None where not even a pilot tells.
fn costs(
    context: &Context,
    submission: &Submission,
    to_play: &[&Planned],
    copies: &Workplace,
) -> Result<Vec<Option<Cost>>, Failure> {
    let mut costs = Vec::new();
    for planned in to_play {
        costs.push(Cost::of(&read_timing(&context.layout.timing(&planned.key, None))?));
    }
    let untimed: Vec<usize> = (0..costs.len()).filter(|&place| costs[place].is_none()).collect();
    if untimed.is_empty() {
        return Ok(costs);
    }
    note(format_args!(
        "{} never timed: a few games are played here first, for {} s at most",
        match untimed.len() as u64 {
            1 => "1 experiment was".to_owned(),
            count => format!("{} were", counted(count, "experiment")),
        },
        pilot::PATIENCE.as_secs() * untimed.len().div_ceil(super::super::context::processors()) as u64
    ));
    let flown = pilot::fly(submission, &untimed, copies)?;
    remove(&copies.root().join("pilot"));
    for (place, cost) in untimed.into_iter().zip(flown) {
        if cost.is_none() {
            let key = &submission.experiments[place].key;
            note(format_args!("{key}: no game was over in that time: each is a shard of its own"));
        }
        costs[place] = cost;
    }
    Ok(costs)
}

/// How long a shard should take.
fn length(arguments: &cli::Submit, seconds: f64) -> Duration {
    let wanted = arguments.shard_time;
    let length = wanted.unwrap_or_else(|| shard_time(seconds, arguments.cores, arguments.at_most));
    arguments.time.map_or(length, |limit| length.min(limit.mul_f64(SHARE_OF_LIMIT)))
}

/// The script, what it is about to do, and what that may take.
fn offer(workplace: &Workplace, submission: &Submission, round: &Round, seconds: f64) -> String {
    if submission.shards.is_empty() {
        return String::new();
    }
    let (shards, request) = (submission.shards.len() as u64, &submission.request);
    let longest = submission.shards.iter().map(|shard| shard.seconds).max().unwrap_or(0);
    let arrays: Vec<String> = round
        .arrays()
        .into_iter()
        .map(|array| {
            let options = round.options(&submission.id, array, Some("<the one before>"));
            let script = workplace.round(round.round).join("array.sh");
            format!("sbatch {} {} {}\n", options.join(" "), script.display(), array.first)
        })
        .collect();
    format!(
        "{}\n{}\n{} of {} in {}, each of about {} at most with {} and {}; about {} core hours in all.\n",
        round.script(workplace, &submission.id),
        arrays.concat(),
        counted(submission.games(), "game"),
        counted(submission.experiments.len() as u64, "experiment"),
        counted(shards, "shard"),
        duration(longest.max(1) as f64),
        limit_words(request),
        memory_words(request),
        hours(seconds / 3600.0),
    )
}

/// The scripts of studies, and what each is about to do.
fn offer_of_studies(workplace: &Workplace, submission: &Submission) -> String {
    let of = |(place, sent): (usize, &SentStudy)| {
        let request = &submission.request;
        format!(
            "{}\nStudy {}: a chain of {}, one for each batch, in {} with {} and {} each.\n",
            study::script_of(workplace, request, submission, place),
            sent.key,
            counted(study::links(sent), "array"),
            counted(sent.parts, "part"),
            limit_words(request),
            memory_words(request),
        )
    };
    submission.studies.iter().enumerate().map(of).collect()
}

/// The time limit in words.
pub(super) fn limit_words(request: &Request) -> String {
    let minutes = request.limit_seconds.div_ceil(60).max(1);
    format!("a time limit of {}", duration((minutes * 60) as f64))
}

/// The memory in words.
pub(super) fn memory_words(request: &Request) -> String {
    match Submission::memory_mib(request) {
        Some(memory) => format!("{memory} MiB of memory"),
        None => "as much memory as the site gives".to_owned(),
    }
}

/// Writes everything down, and submits it. Where nothing is submitted, nothing is left.
fn send(workplace: &Workplace, submission: &Submission, round: &mut Round) -> Result<(), Failure> {
    workplace.write_json(&workplace.submission(), submission)?;
    // What cannot be read here cannot be read on a node either.
    Submission::read(workplace).inspect_err(|_| remove(workplace.root()))?;
    match send_all(workplace, submission, round) {
        Ok(jobs) => print_text(&format!("Submitted as job {}.\n", jobs.join(", "))),
        Err(error) => {
            if matches!(error, SendError::Slurm { sent: 0, .. }) {
                remove(workplace.root());
                return Err(error.into());
            }
            Err(Failure::from(error).and("; `pipeline cluster retry` submits the others when there is room"))
        }
    }
}

fn send_all(
    workplace: &Workplace,
    submission: &Submission,
    round: &mut Round,
) -> Result<Vec<String>, SendError> {
    let mut jobs = Vec::new();
    if !round.shards.is_empty() {
        round.write(workplace, &submission.id)?;
        jobs = round.submit(workplace, &submission.id)?;
    }
    for place in 0..submission.studies.len() {
        match study::submit_chain(workplace, &submission.request, submission, place) {
            Ok(chain) => jobs.extend(chain),
            Err(SendError::Slurm { all, source, .. }) if !jobs.is_empty() => {
                return Err(SendError::Slurm { sent: jobs.len(), all, source });
            }
            Err(error) => return Err(error),
        }
    }
    Ok(jobs)
}

/// Removes a folder of ours, if it is there.
fn remove(folder: &Path) {
    let _ = fs::remove_dir_all(folder);
}
