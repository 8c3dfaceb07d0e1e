//! `pipeline cluster submit`: cut what is missing into shards, and submit them as an array.

use super::super::context::{Context, require_all, selection};
use super::super::{Failure, print_text};
use super::offer::{jobs as jobs_in_words, offer, offer_of_studies};
use super::prepare::prepare;
use super::{confirm, wait, words, workplace};
use crate::cli;
use crate::cluster::sending::{Round, SendError};
use crate::cluster::slurm;
use crate::cluster::standing::Standing;
use crate::cluster::study;
use crate::cluster::submission::Submission;
use crate::cluster::workplace::Workplace;
use crate::plan::PlannedStudy;
use crate::plan::{Determinism, Planned, Selection};
use crate::run;
use platform::confined::ConfinedPath;
use platform::console::note;
use platform::scratch::Scratch;
use records::layout::Layout;

pub(super) fn submit(arguments: &cli::Submit) -> Result<(), Failure> {
    // Checked first, so that nothing is written if jobs cannot work in this folder.
    let workplace = workplace(&Layout::new(&arguments.places.out))?;
    let context = Context::load(&arguments.places, &arguments.chosen.names)?;
    let lock = context.layout.lock()?;
    refuse_second(&workplace)?;
    let determinism = Determinism::unless(arguments.nondeterministic);
    let selection = Selection { is_fresh: arguments.fresh, determinism, ..selection(&arguments.chosen) };
    let plan = context.plan(&selection)?;
    for unplanned in &plan.blocked {
        let why = if unplanned.missing.is_some() { unplanned.state() } else { unplanned.reason.clone() };
        note(format_args!("{}: left out: {why}", unplanned.key));
    }
    let to_play: Vec<&Planned> = plan.jobs.iter().filter(|planned| planned.to_play > 0).collect();
    let studies = named_studies(&context, &selection)?;
    if to_play.is_empty() && studies.is_empty() {
        require_all(&plan.blocked)?;
        let waiting: String = context.waiting(&selection).iter().map(|one| format!("{one}.\n")).collect();
        return print_text(&format!("Nothing is missing: there is nothing to submit.\n{waiting}"));
    }
    prove(&context, &to_play, arguments.fresh)?;
    // A dry run leaves no work folder behind.
    let scratch =
        arguments.dry_run.then(|| Scratch::new("retile-dry-run-")).transpose().map_err(Failure::io)?;
    let copies = scratch
        .as_ref()
        .map_or_else(|| workplace.clone(), |scratch| Workplace::new(ConfinedPath::root(scratch.path())));
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
    wait::to_the_end(&workplace, &submission, &context.layout)
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
        "something is submitted from here already:\n{}Collect it with `pipeline cluster collect`, submit what failed with `pipeline \
         cluster retry`, or drop it with `pipeline cluster cancel`.",
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
    let determinism = Determinism::Required;
    let plan = context.plan_studies(&Selection { names: named, determinism, ..Selection::default() })?;
    require_all(&plan.blocked)?;
    Ok(plan.jobs.into_iter().filter(|planned| !planned.status.is_complete()).collect())
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

/// Writes everything down, and submits it. Where nothing is submitted, nothing is left.
fn send(workplace: &Workplace, submission: &Submission, round: &mut Round) -> Result<(), Failure> {
    submission.write(workplace)?;
    // What cannot be read here cannot be read on a node either.
    Submission::read(workplace).inspect_err(|_| remove(workplace.root()))?;
    match send_all(workplace, submission, round) {
        Ok(jobs) => print_text(&format!("Submitted as {}.\n", jobs_in_words(&jobs))),
        Err(error) => {
            if matches!(error, SendError::Slurm { sent: 0, .. }) {
                remove(workplace.root());
                return Err(error.into());
            }
            Err(later(error))
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

/// What was not submitted now can be later.
pub(super) fn later(error: SendError) -> Failure {
    Failure::from(error).and("; `pipeline cluster retry` submits the others when there is room")
}

/// Removes a folder of ours, if it is there.
pub(super) fn remove(folder: &ConfinedPath) {
    let _ = folder.remove_all();
}
