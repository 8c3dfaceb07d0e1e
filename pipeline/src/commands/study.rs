//! `pipeline study`: run or resume searches for better parameters, and play their winners again.

use serde_json::json;

use super::context::{Context, paper_names, require_kind};
use super::run::outcome;
use super::study_winners::{StudyWinners, played_again};
use super::{Failure, print_json, print_text};
use crate::cli;
use crate::job::STUDY;
use crate::plan::{Determinism, Selection};
use crate::run::RunReport;
use studies::Studies;

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
    let plan = context.plan_of::<Studies>(&selection)?;
    let report = context.run_jobs(&Studies, &plan, &arguments.playing, |options| {
        (options.is_fresh, options.shard) = (arguments.fresh, arguments.shard);
    })?;
    context.resolve_again();
    let is_over = outcome(&report).is_ok() && arguments.shard.is_none();
    let winners = match is_over && !arguments.no_winners {
        true => play_winners(&context, &report, arguments)?,
        false => None,
    };
    let found = played_again(&context, &plan, &report)?;
    if arguments.playing.json {
        print_json(&json!({
            "studies": report.to_json(),
            "interrupted": report.interrupted,
            "winners": found,
            "run": winners,
        }))?;
    } else {
        let tables: String = found.iter().map(StudyWinners::text).collect();
        let next = match (&found[..], &winners) {
            ([], _) => String::new(),
            (_, None) if arguments.shard.is_some() || arguments.no_winners => {
                let names: Vec<&str> = found.iter().map(|found| found.study.as_str()).collect();
                let names = names.join(" ");
                format!("`pipeline run {names}` plays the winners again on games that the study never saw.\n")
            }
            _ => "`pipeline render` draws what was found.\n".to_owned(),
        };
        print_text(&(report.text(plan.jobs.len()) + &tables + &report.advice() + &next))?;
    }
    outcome(&report)?;
    winners.as_ref().map_or(Ok(()), outcome)
}

/// Plays the winners of the complete studies, and the defaults beside them.
fn play_winners(
    context: &Context,
    report: &RunReport,
    arguments: &cli::Study,
) -> Result<Option<RunReport>, Failure> {
    let complete = report.jobs.iter().filter(|job| job.file.is_some());
    let names: Vec<String> = complete.map(|job| job.job.clone()).collect();
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
