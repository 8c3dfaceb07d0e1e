//! `pipeline run`: play what is missing or stale.

use super::context::{Context, require_no_given_up, selection};
use super::{Failure, print_json, print_text};
use crate::cli;
use crate::plan::{Determinism, Selection};
use crate::run::RunReport;
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
        let waiting: String = context.waiting(&selection).iter().map(|one| format!("{one}.\n")).collect();
        let marked = plan.jobs.iter().filter(|planned| planned.is_marked());
        let marked: String = marked
            .map(|planned| format!("{}: marked as not repeatable: nondeterministic.\n", planned.key))
            .collect();
        let text = report.text(plan.jobs.len());
        print_text(&format!("{text}{}{marked}{waiting}", report.advice()))?;
    }
    outcome(&report)
}

/// What to do about faults.
pub(super) struct Advice {
    /// Where there were too many: how many are, what was done, and the remedy.
    pub(super) too_many: &'static str,
    /// Where there were some: what says more.
    pub(super) some: &'static str,
}

/// What to do about the faults of jobs that a manifest describes.
const OF_MANIFESTS: Advice = Advice {
    too_many: "more than its `fault_share` allows: it was stopped, and what was played is kept; fix the agent and raise its version, or raise `fault_share`",
    some: "their records say how",
};

/// Success, unless an agent faulted, something was found that must never be, or the run was stopped.
pub(super) fn outcome(report: &RunReport) -> Result<(), Failure> {
    outcome_with(report, &OF_MANIFESTS)
}

/// The same, with other advice.
pub(super) fn outcome_with(report: &RunReport, advice: &Advice) -> Result<(), Failure> {
    let jobs = &report.jobs;
    require_no_given_up(jobs.iter().filter_map(|job| Some((job.failure.as_deref()?, job.missing.as_ref()))))?;
    if let Some(job) = jobs.iter().find(|job| job.stopped_by_faults) {
        let rows = counted(job.faults.len() as u64, report.words.row);
        return Err(Failure::agent(format!("{}: {rows} ended by a fault, {}", job.job, advice.too_many)));
    }
    if let Some((job, alarm)) = jobs.iter().find_map(|job| Some((job, job.alarms.first()?))) {
        return Err(Failure::check(format!("{}: {alarm}", job.job)));
    }
    let faults: usize = jobs.iter().map(|job| job.faults.len()).sum();
    if faults > 0 && !report.are_faults_tolerated {
        let games = if faults == 1 { "1 game was".to_owned() } else { format!("{faults} games were") };
        return Err(Failure::agent(format!("{games} ended by an agent's fault; {}", advice.some)));
    }
    match report.interrupted {
        true => Err(Failure::check("stopped before the end")),
        false => Ok(()),
    }
}
