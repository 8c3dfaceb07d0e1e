//! `pipeline run`: play what is missing or stale.

use super::context::{Context, require_no_given_up, selection};
use super::{Failure, print_json, print_text};
use crate::cli;
use crate::plan::{Determinism, Selection};
use crate::run::{Done, RunReport};
use text::counted;

pub(crate) fn run(arguments: &cli::Run) -> Result<(), Failure> {
    let context = Context::load(&arguments.places, &arguments.chosen.names)?;
    let _lock = context.layout.lock()?;
    let (shard, is_fresh) = (arguments.shard, arguments.fresh);
    let determinism = Determinism::unless(arguments.nondeterministic);
    let selection = Selection { shard, is_fresh, determinism, ..selection(&arguments.chosen) };
    let plan = context.plan(&selection)?;
    let report = context.run(&plan, &arguments.playing, is_fresh)?;
    if shard.is_none() {
        context.update_index(&plan)?;
    }
    if arguments.playing.json {
        print_json(&report)?;
    } else {
        let waiting = context.waiting(&selection);
        let waiting: String = waiting.iter().map(|waiting| format!("{waiting}.\n")).collect();
        let marked = plan.experiments.iter().filter(|planned| planned.is_marked());
        let marked =
            marked.map(|planned| format!("{}: marked as not repeatable: nondeterministic.\n", planned.key));
        print_text(&(summary(&report, plan.experiments.len()) + &marked.collect::<String>() + &waiting))?;
    }
    outcome(&report)
}

/// What was played, for people.
pub(super) fn summary(report: &RunReport, planned: usize) -> String {
    let played: u64 = report.experiments.iter().map(|done| done.played).sum();
    let mut text = match (played, planned) {
        (0, 0) if report.experiments.is_empty() => {
            "There are no experiments in the selected set.\n".to_owned()
        }
        (0, _) if report.experiments.iter().all(|done| done.records.is_some()) => match planned {
            1 => "The experiment is complete; nothing was played.\n".to_owned(),
            _ => format!("All {planned} experiments are complete; nothing was played.\n"),
        },
        _ => format!("Played {}.\n", counted(played, "game")),
    };
    let is_news = |done: &&Done| done.played > 0 || done.records.is_none();
    report.experiments.iter().filter(is_news).for_each(|done| text.push_str(&line(done)));
    text.push_str(&proofs(report));
    text.push_str(&comparison(report));
    if report.interrupted {
        text.push_str("Stopped before the end. Run the same command again to continue.\n");
    }
    text
}

/// How many experiments were shown to have the same agent in another plugin file.
fn proofs(report: &RunReport) -> String {
    match report.experiments.iter().filter(|done| done.proven_by_game.is_some()).count() as u64 {
        0 => String::new(),
        count => format!(
            "{} with another plugin file than before: a stored game of each, played again, came out the same.\n",
            counted(count, "experiment")
        ),
    }
}

/// Whether what was played again came out as it was stored.
fn comparison(report: &RunReport) -> String {
    let with =
        |is_same: bool| report.experiments.iter().filter(move |done| done.same_as_stored == Some(is_same));
    let same = with(true).count() as u64;
    let others: Vec<&str> = with(false).map(|done| done.experiment.as_str()).collect();
    match (same, &others[..]) {
        (0, []) => String::new(),
        (_, []) => format!("{} gave the same games as before.\n", counted(same, "experiment")),
        (_, others) => format!(
            "{} gave the same games as before; {} gave different ones: {}.\n",
            counted(same, "experiment"),
            others.len(),
            others.join(", ")
        ),
    }
}

fn line(done: &Done) -> String {
    let Done { experiment, played, journalled, faults, .. } = done;
    let faults = match faults.len() {
        0 => String::new(),
        count => format!(", {count} of them ended by a fault"),
    };
    if let Some(missing) = &done.missing {
        return format!("  {experiment}: not played, {missing}\n");
    }
    match (&done.records, &done.digest) {
        (Some(records), Some(digest)) => {
            format!("  {experiment}: {played} played{faults}; {} digest {digest}\n", records.display())
        }
        _ => {
            let given_up = if done.failure.is_some() { "given up, " } else { "" };
            format!("  {experiment}: {given_up}{played} played{faults}; {journalled} in the journal\n")
        }
    }
}

/// What to do about faults.
pub(super) struct Advice {
    /// Where there were too many: how many are, what was done, and the remedy.
    pub(super) too_many: &'static str,
    /// Where there were some: what says more.
    pub(super) some: &'static str,
}

/// What to do about the faults of an experiment that a manifest describes.
const OF_MANIFESTS: Advice = Advice {
    too_many: "more than its `fault_share` allows: it was stopped, and all games so far are kept; fix the agent and raise its version, or raise `fault_share`",
    some: "their records say how",
};

/// Success, unless an agent faulted or something was found that should never be.
pub(super) fn outcome(report: &RunReport) -> Result<(), Failure> {
    outcome_with(report, &OF_MANIFESTS)
}

/// The same, with other advice.
pub(super) fn outcome_with(report: &RunReport, advice: &Advice) -> Result<(), Failure> {
    require_no_given_up(
        report.experiments.iter().filter_map(|done| Some((done.failure.as_deref()?, done.missing.as_ref()))),
    )?;
    let stopped = report.experiments.iter().find(|done| done.stopped_by_faults);
    if let Some(done) = stopped {
        return Err(Failure::agent(format!(
            "{}: {} ended by a fault, {}",
            done.experiment,
            counted(done.faults.len() as u64, "game"),
            advice.too_many
        )));
    }
    if let Some((done, alarm)) = report.experiments.iter().find_map(|done| Some((done, done.alarms.first()?)))
    {
        return Err(Failure::check(format!("{}: {alarm}", done.experiment)));
    }
    let faults: usize = report.experiments.iter().map(|done| done.faults.len()).sum();
    if faults > 0 {
        let games = if faults == 1 { "1 game was".to_owned() } else { format!("{faults} games were") };
        return Err(Failure::agent(format!("{games} ended by an agent's fault; {}", advice.some)));
    }
    if report.interrupted {
        return Err(Failure::check("stopped before the end"));
    }
    Ok(())
}
