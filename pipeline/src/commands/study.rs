//! `pipeline study`: run or resume searches for better parameters, and play their winners again: the score of
//! each in its study, and on games that the study never saw.

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::context::{Context, require_kind, selection};
use super::run::outcome;
use super::{Failure, print_result, table};
use crate::cli;
use crate::plan::{Determinism, Plan, PlannedStudy, Selection};
use crate::run::RunReport;
use jobs::Key;
use manifest::Objective;
use records::{Index, IndexError, RecordsReader, RecordsSummary};
use stats::{Estimate, Sample};
use studies::outcome::winners;
use studies::{Contender, Studies, store};
use text::Scale;

pub(crate) fn study(arguments: &cli::StudyArgs) -> Result<(), Failure> {
    let mut context = Context::load(&arguments.places, &arguments.jobs.names)?;
    let _lock = context.lock(arguments.shard.is_some())?;
    let (shard, determinism) = (arguments.shard, Determinism::Required);
    let selection = Selection { shard, determinism, ..selection(&arguments.jobs) };
    require_kind(&context.project.papers, &selection.names, &Studies)?;
    let plan = context.plan_of::<Studies>(&selection)?;
    let report = context.run_jobs(&Studies, &plan, &arguments.playing, |options| {
        (options.is_fresh, options.shard) = (arguments.jobs.fresh, arguments.shard);
    })?;
    context.resolve_again();
    let is_over = outcome(&report).is_ok() && arguments.shard.is_none();
    let winners = match is_over && !arguments.no_winners {
        true => play_winners(&context, &report, arguments)?,
        false => None,
    };
    let found = played_again(&context, &plan, &report)?;
    let json = json!({
        "studies": report.to_json(), "interrupted": report.interrupted, "winners": found, "run": winners,
    });
    print_result(arguments.playing.json, &json, || {
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
        report.text(plan.jobs.len()) + &tables + &report.advice() + &next
    })?;
    outcome(&report)?;
    winners.as_ref().map_or(Ok(()), outcome)
}

/// Plays the winners of the complete studies, and the defaults beside them.
fn play_winners(
    context: &Context,
    report: &RunReport,
    arguments: &cli::StudyArgs,
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

/// The winners of one study.
#[derive(Debug, Serialize)]
struct StudyWinners {
    /// The study, as `paper/study`.
    study: String,
    with_cost: bool,
    winners: Vec<PlayedWinner>,
}

/// A winner, or the agent's default beside them.
#[derive(Debug, Serialize)]
struct PlayedWinner {
    /// The experiment that plays it again.
    experiment: String,
    /// What was searched.
    params: Map<String, Value>,
    /// Its mean score in the study; none for the default.
    in_study: Option<Estimate>,
    /// What a move cost in the study; none for the default.
    cost: Option<Estimate>,
    /// Its mean score on games that the study never saw, as far as they are played.
    held_out: Option<Estimate>,
}

/// The winners of all complete studies of a report.
fn played_again(
    context: &Context,
    plan: &Plan<PlannedStudy>,
    report: &RunReport,
) -> Result<Vec<StudyWinners>, Failure> {
    let is_complete = |planned: &&PlannedStudy| {
        let key = planned.key.to_string();
        report.jobs.iter().any(|job| job.job == key && job.file.is_some())
    };
    let complete = plan.jobs.iter().filter(is_complete);
    complete.filter_map(|planned| of_study(context, planned).transpose()).collect()
}

fn of_study(context: &Context, planned: &PlannedStudy) -> Result<Option<StudyWinners>, Failure> {
    let study = &planned.study;
    let Some(stored) = store::read(&planned.path, study)? else { return Ok(None) };
    let mut played = Vec::new();
    for (winner, place) in winners(study, &stored.rows).iter().zip(1..) {
        let experiment = study.winner_id(place);
        played.push(PlayedWinner {
            params: searched(planned, winner),
            in_study: winner.score(),
            cost: winner.cost(),
            held_out: held_out(context, planned, &experiment)?,
            experiment,
        });
    }
    let experiment = study.default_id();
    let held_out = held_out(context, planned, &experiment)?;
    played.push(PlayedWinner { experiment, params: Map::new(), in_study: None, cost: None, held_out });
    let with_cost = study.objectives.contains(&Objective::Cost);
    Ok(Some(StudyWinners { study: planned.key.to_string(), with_cost, winners: played }))
}

/// The parameters of a winner that were searched.
fn searched(planned: &PlannedStudy, winner: &Contender<'_>) -> Map<String, Value> {
    let mut params = planned.study.params_at(winner.point);
    let dimensions = planned.study.space.dimensions();
    params.retain(|name, _| dimensions.iter().any(|dimension| dimension.name == *name));
    params
}

/// The mean score of an experiment's games; `None` if there are none, or they were played with other
/// parameters.
fn held_out(context: &Context, planned: &PlannedStudy, id: &str) -> Result<Option<Estimate>, Failure> {
    let key = Key::new(&planned.key.paper, id);
    let paper = context.project.papers.iter().find(|paper| paper.id == key.paper);
    let Some(experiment) = paper.and_then(|paper| paper.experiment(id)) else { return Ok(None) };
    // Experiments of equal identity share their records.
    let index = match Index::read(&context.layout) {
        Err(IndexError::Missing { .. }) => return Ok(None),
        index => index?,
    };
    let Some(entry) = index.entry(&key) else { return Ok(None) };
    let path = context.layout.records(&entry.records, None);
    let Some(stored) = RecordsSummary::read(&path)? else { return Ok(None) };
    let is_its =
        experiment.params.iter().all(|(name, value)| stored.header.identity.params.get(name) == Some(value));
    if !is_its {
        return Ok(None);
    }
    let outcomes = RecordsReader::open(&path)?.outcomes()?;
    let scores = outcomes.iter().map(|outcome| f64::from(outcome.score));
    Ok(Sample::new(scores).ok().map(|sample| stats::mean(&sample)))
}

impl StudyWinners {
    /// A short table, for people.
    fn text(&self) -> String {
        let mut header = vec!["winner", "in the study", "on new games"];
        if self.with_cost {
            header.push("cost of a move");
        }
        header.push("parameters");
        let row = |winner: &PlayedWinner| {
            let mut cells = vec![winner.experiment.clone(), cell(winner.in_study), cell(winner.held_out)];
            if self.with_cost {
                cells.push(cell(winner.cost));
            }
            cells.push(params(&winner.params));
            cells
        };
        let table = table(&header, self.winners.iter().map(row));
        format!("\n{}: mean scores with 95 % intervals\n{table}", self.study)
    }
}

fn cell(estimate: Option<Estimate>) -> String {
    let Some(estimate) = estimate else { return "–".to_owned() };
    let interval = Scale::Points.interval(estimate.low, estimate.high);
    format!("{} ({interval}, n = {})", Scale::Points.text(estimate.point), estimate.n)
}

fn params(params: &Map<String, Value>) -> String {
    if params.is_empty() {
        return "the agent's own".to_owned();
    }
    let pairs: Vec<String> = params.iter().map(|(name, value)| format!("{name}={value}")).collect();
    pairs.join(" ")
}
