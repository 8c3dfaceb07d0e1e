//! `pipeline run`: run experiments, and jobs of any kind by name.

use super::context::{Context, require_no_given_up, selection};
use super::{Failure, print_json, print_text};
use crate::cli;
use crate::job::EXPERIMENT;
use crate::kinds::{self, Kind as _};
use crate::plan::{Determinism, Selection};
use crate::run::RunReport;
use records::Experiments;
use serde_json::{Map, json};
use text::{counted, counted_verb};

pub(crate) fn run(arguments: &cli::RunArgs) -> Result<(), Failure> {
    let mut context = Context::load(&arguments.places, &arguments.jobs.names)?;
    let _lock = context.layout.lock()?;
    let (games, shard, is_fresh) = (arguments.games, arguments.shard, arguments.jobs.fresh);
    let determinism = Determinism::unless(arguments.nondeterministic);
    let selection = Selection { games, shard, determinism, ..selection(&arguments.jobs) };
    let others = run_others(&mut context, &selection, arguments)?;
    let plan = context.plan(&selection)?;
    let report = context.run(&plan, &arguments.playing, is_fresh)?;
    if shard.is_none() {
        context.update_index(&plan)?;
    }
    if arguments.playing.json {
        let mut fields = Map::from_iter([("interrupted".to_owned(), json!(report.interrupted))]);
        for report in others.iter().map(|(report, _)| report).chain([&report]) {
            fields.insert(report.words.kinds.to_owned(), json!(report.to_json()));
        }
        print_json(&fields)?;
    } else {
        let waiting: String = context.waiting(&selection).iter().map(|one| format!("{one}.\n")).collect();
        let marked = plan.jobs.iter().filter(|planned| planned.is_marked());
        let marked: String = marked
            .map(|planned| format!("{}: marked as not repeatable: nondeterministic.\n", planned.key))
            .collect();
        let mut text: String =
            others.iter().map(|(report, planned)| report.text(*planned) + &report.advice()).collect();
        if !plan.is_empty() || others.is_empty() {
            text.push_str(&(report.text(plan.jobs.len()) + &report.advice()));
        }
        print_text(&format!("{text}{marked}{waiting}"))?;
    }
    others.iter().try_for_each(|(report, _)| outcome(report))?;
    outcome(&report)
}

/// Runs the named jobs of other kinds first: experiments may wait for them. The name of a study whose winners
/// are experiments means these.
fn run_others(
    context: &mut Context,
    selection: &Selection,
    arguments: &cli::RunArgs,
) -> Result<Vec<(RunReport, usize)>, Failure> {
    let mut reports = Vec::new();
    let is_winners = |name: &String| {
        let papers = context.project.papers.iter();
        let mut listed = papers.flat_map(|paper| {
            Experiments
                .listed(paper)
                .into_iter()
                .filter_map(|job| Some(format!("{}/{}", paper.id, job.with?)))
        });
        listed.any(|study| study == *name)
    };
    let named: Vec<String> = selection.names.iter().filter(|name| !is_winners(name)).cloned().collect();
    for kind in kinds::all().into_iter().filter(|kind| kind.words() != &EXPERIMENT) {
        let names = context.names_of(kind, &named);
        if names.is_empty() {
            continue;
        }
        let plan = context.plan_kind(kind, &Selection { names, ..selection.clone() })?;
        let report = context.run_jobs(kind, &plan, &arguments.playing, |options| {
            (options.is_fresh, options.shard) = (selection.is_fresh, selection.shard);
        })?;
        reports.push((report, plan.jobs.len()));
    }
    if !reports.is_empty() {
        context.resolve_again();
    }
    Ok(reports)
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
    too_many: "more than its `fault_share` allows: it was stopped, and all games so far are kept; fix the agent and raise its version, or raise `fault_share`",
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
        let games = counted_verb(faults as u64, "game", ["was", "were"]);
        return Err(Failure::agent(format!("{games} ended by an agent's fault; {}", advice.some)));
    }
    match report.interrupted {
        true => Err(Failure::check("stopped before the end")),
        false => Ok(()),
    }
}
