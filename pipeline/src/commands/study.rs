//! `pipeline study`: run or resume searches for better parameters, and play their winners again.

use serde_json::json;

use super::context::{Context, paper_names, require_kind, require_no_given_up};
use super::study_winners::{StudyWinners, played_again};
use super::{Failure, print_json, print_text, run};
use crate::cli;
use crate::job::STUDY;
use crate::plan::StudyPlan;
use crate::plan::{Determinism, Selection};
use crate::run::RunReport;
use crate::study::{StudiesReport, StudyDone};
use text::{counted, thousands};

pub(crate) fn study(arguments: &cli::Study) -> Result<(), Failure> {
    let mut context = Context::load(&arguments.places, &arguments.names)?;
    let _lock = context.lock(arguments.shard.is_some())?;
    let names = paper_names(&arguments.names);
    require_kind(&context.project.papers, &names, &STUDY)?;
    let selection = Selection {
        names,
        with_extra: arguments.extra,
        is_fresh: arguments.fresh,
        shard: arguments.shard,
        determinism: Determinism::Required,
        ..Selection::default()
    };
    let plan = context.plan_studies(&selection)?;
    let report = context.run_studies(&plan, &arguments.playing, arguments.fresh, arguments.shard)?;
    context.resolve_again();
    let is_over = outcome(&report).is_ok() && arguments.shard.is_none();
    let winners = match is_over && !arguments.no_winners {
        true => play_winners(&context, &report, arguments)?,
        false => None,
    };
    let found = played_again(&context, &plan, &report)?;
    if arguments.playing.json {
        print_json(&json!({
            "studies": report.studies,
            "interrupted": report.interrupted,
            "winners": found,
            "run": winners,
        }))?;
    } else {
        print_text(&told(arguments, &plan, &report, &found, winners.as_ref()))?;
    }
    outcome(&report)?;
    winners.as_ref().map_or(Ok(()), run::outcome)
}

/// Plays the winners of the studies that are whole, and the defaults beside them.
fn play_winners(
    context: &Context,
    report: &StudiesReport,
    arguments: &cli::Study,
) -> Result<Option<RunReport>, Failure> {
    let whole = report.studies.iter().filter(|done| done.file.is_some());
    let names: Vec<String> = whole.map(|done| done.study.clone()).collect();
    if names.is_empty() {
        return Ok(None);
    }
    let looking = Selection { names, ..Selection::default() };
    let selection = Selection { determinism: Determinism::Required, ..looking.clone() };
    let plan = context.plan(&selection)?;
    let run = context.run(&plan, &arguments.playing, false)?;
    context.update_index(&context.plan(&looking)?)?;
    Ok(Some(run))
}

/// What was done, for people.
fn told(
    arguments: &cli::Study,
    plan: &StudyPlan,
    report: &StudiesReport,
    found: &[StudyWinners],
    winners: Option<&RunReport>,
) -> String {
    let mut text = summary(report, plan);
    found.iter().for_each(|found| text.push_str(&found.text()));
    if report.interrupted {
        text.push_str("Stopped before the end. Run the same command again to continue.\n");
    }
    if found.is_empty() {
        return text;
    }
    let names: Vec<&str> = found.iter().map(|found| found.study.as_str()).collect();
    let next = match winners {
        None if arguments.shard.is_some() || arguments.no_winners => {
            format!(
                "`pipeline run {}` plays the winners again on games that the study never saw.\n",
                names.join(" ")
            )
        }
        _ => "`pipeline render` draws what was found.\n".to_owned(),
    };
    text + &next
}

/// What became of each study, for people.
pub(super) fn summary(report: &StudiesReport, plan: &StudyPlan) -> String {
    let played: u64 = report.studies.iter().map(|done| done.played).sum();
    let mut text = match (played, plan.studies.len()) {
        _ if report.studies.iter().any(|done| done.failure.is_some()) => String::new(),
        (0, 0) => "There are no studies in the selected set.\n".to_owned(),
        (0, count) if report.studies.iter().all(|done| done.file.is_some()) => match count {
            1 => "The study is complete; nothing was played.\n".to_owned(),
            _ => format!("All {count} studies are complete; nothing was played.\n"),
        },
        _ => format!("Played {}.\n", counted(played, "trial")),
    };
    let is_news = |done: &&StudyDone| done.played > 0 || done.file.is_none() || done.same_as_stored.is_some();
    report.studies.iter().filter(is_news).for_each(|done| text.push_str(&line(done)));
    text
}

fn line(done: &StudyDone) -> String {
    let StudyDone { study, trials, batches, played, copied, faults, .. } = done;
    if let Some(missing) = &done.missing {
        return format!("  {study}: not run, {missing}\n");
    }
    let (trials, batches) =
        (counted(*trials, "trial"), counted((*batches).into(), "batch").replace("batchs", "batches"));
    let mut text = format!("  {study}: {trials} in {batches}, {} played now", thousands(*played as f64));
    if *copied > 0 {
        text.push_str(&format!(", {} repeated others", thousands(*copied as f64)));
    }
    if !faults.is_empty() {
        text.push_str(&format!(", {} faulted", faults.len()));
    }
    match (&done.file, &done.digest, &done.waiting) {
        (Some(file), Some(digest), _) => text.push_str(&format!("; {} digest {digest}", file.display())),
        (_, _, Some(waiting)) => {
            let parts: Vec<String> =
                waiting.parts.iter().map(|part| format!("{part}/{}", waiting.of)).collect();
            text.push_str(&format!(
                "; batch {} waits for {} of part {}",
                waiting.batch,
                counted(waiting.trials, "trial"),
                parts.join(" and ")
            ));
        }
        _ if done.failure.is_some() => text.push_str("; given up"),
        _ => text.push_str("; kept in the journal"),
    }
    if let Some(trial) = done.proven_by_trial {
        text.push_str(&format!("; trial {trial}, played again with another plugin file, came out the same"));
    }
    match done.same_as_stored {
        Some(true) => text.push_str("; the same trials as before"),
        Some(false) => text.push_str("; different trials than before"),
        None => {}
    }
    text + "\n"
}

/// Success, unless too many trials faulted, something was found that should never be, or the studies were stopped.
pub(super) fn outcome(report: &StudiesReport) -> Result<(), Failure> {
    require_no_given_up(
        report.studies.iter().filter_map(|done| Some((done.failure.as_deref()?, done.missing.as_ref()))),
    )?;
    if let Some(done) = report.studies.iter().find(|done| done.stopped_by_faults) {
        return Err(Failure::agent(format!(
            "{}: {} faulted, more than its `fault_share` allows: it was stopped, and all trials so far are kept; fix the agent and \
             raise its version, narrow the space, or raise `fault_share`",
            done.study,
            counted(done.faults.len() as u64, "trial")
        )));
    }
    if let Some((done, alarm)) = report.studies.iter().find_map(|done| Some((done, done.alarms.first()?))) {
        return Err(Failure::check(format!("{}: {alarm}", done.study)));
    }
    if report.interrupted {
        return Err(Failure::check("stopped before the end"));
    }
    Ok(())
}
