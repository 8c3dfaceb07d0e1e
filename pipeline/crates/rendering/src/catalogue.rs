//! `catalogue.parquet`: every experiment in a row, with what it plays, the file that holds its records and
//! what these come to, so that nobody has to know that experiments with one identity share a file. Any reader
//! of Parquet can have it.

use jobs::Canonical as _;
use std::collections::BTreeSet;

use manifest::{Experiment, Metric, Paper, Quantity, Statistic};
use polars::prelude::{BooleanChunked, Column, DataFrame, IntoColumn, NamedFrom, Series, StringChunked};
use records::{Extent, Index, Layout, SealedTable, StoreError};
use serde::Serialize;
use serde_json::{Value, json};
use stats::{Estimate, Sample, mean};
use text::rounded;
use verdict::evidence::Games;

use crate::settings::{self, budget_kind};
use crate::tables::ReportInput;
use platform::ConfinedPath;

/// The version of the file's form.
const FORM: &str = "1";
/// The tiles whose rates are in it.
const TILES: [u32; 6] = [512, 1024, 2048, 4096, 8192, 16384];
/// The columns that belong to a machine.
const TIMING: [&str; 4] = ["cpu_ns_per_move", "cpu_ns_per_move_low", "cpu_ns_per_move_high", "timed_games"];
const TIMING_NOTE: &str = "CPU time of the agent's thread for a move, the mean over games with its 95 % interval, in nanoseconds. It belongs \
                           to the machines that are named here: no gate and no comparison of bytes between machines rests on it.";

/// What the columns mean, as JSON; those of an interval are named by their number.
const COLUMNS: &str = include_str!("catalogue.json");

/// An experiment of a paper, with its games.
type Row<'a> = (&'a Paper, &'a Experiment, &'a Games);

/// Writes the catalogue; none if nothing was played. The rows of papers that are not loaded stay as
/// they are.
pub fn write(
    layout: &Layout,
    input: ReportInput<'_>,
    left_out: &BTreeSet<String>,
) -> Result<Option<ConfinedPath>, StoreError> {
    let path = layout.catalogue();
    let of_paper = |paper| input.with_games(paper).map(move |(experiment, games)| (paper, experiment, games));
    let rows: Vec<Row<'_>> = input.papers.iter().flat_map(of_paper).collect();
    if rows.is_empty() {
        return Ok(None);
    }
    let failed = || StoreError::parquet(&path, "build the columns");
    let mut frame = DataFrame::new(rows.len(), columns(&rows)).map_err(failed())?;
    if let Some(kept) = kept(&path, left_out, &frame) {
        frame.vstack_mut(&kept).map_err(failed())?;
        frame.rechunk_mut();
    }
    SealedTable::write(&path, &frame, metadata(input))?;
    Ok(Some(path))
}

/// The rows of papers that are not loaded, if there was a catalogue of the same columns; drawing those papers
/// makes them again.
fn kept(path: &ConfinedPath, left_out: &BTreeSet<String>, like: &DataFrame) -> Option<DataFrame> {
    let frame = SealedTable::read(path).ok()??.frame;
    if left_out.is_empty() || frame.schema() != like.schema() {
        return None;
    }
    let papers = frame.column("paper").ok()?.str().ok()?;
    let is_kept: BooleanChunked =
        papers.iter().map(|paper| paper.is_some_and(|paper| left_out.contains(paper))).collect();
    frame.filter(&is_kept).ok()
}

/// What is wrong with a catalogue: a broken seal, or a row that does not say what the index does. Nothing
/// where there is no catalogue.
pub fn problems(layout: &Layout) -> Vec<String> {
    let path = layout.catalogue();
    let at = |problem: &str| format!("{}: {problem}", path.display());
    let table = match SealedTable::read(&path) {
        Ok(None) => return Vec::new(),
        Ok(Some(table)) if table.sealed == Extent::Whole => table,
        Ok(Some(_)) => return vec![at("it has no seal; `pipeline render` writes it again")],
        Err(error) => return vec![platform::errors::chain(&error)],
    };
    let Ok(index) = Index::read(layout) else { return Vec::new() };
    let Some(rows) = stated(&table.frame) else {
        return vec![at("its columns are not those of a catalogue; `pipeline render` writes it again")];
    };
    let is_right = |row: &CatalogueRow| {
        index.experiments.get(&row.key).is_some_and(|entry| {
            let file = format!("records/{}.parquet", entry.records);
            [&entry.identity, &entry.digest, &file] == row.texts.each_ref() && entry.games == row.games
        })
    };
    let wrong = rows.iter().filter(|row| !is_right(row)).map(|row| platform::plain::line(&row.key));
    wrong
        .map(|key| at(&format!("its row `{key}` differs from the index; `pipeline render` writes it again")))
        .collect()
}

/// What a row says that the index says too: key; identity, digest and file; games.
struct CatalogueRow {
    key: String,
    texts: [String; 3],
    games: u64,
}

fn stated(frame: &DataFrame) -> Option<Vec<CatalogueRow>> {
    let column = |name: &str| frame.column(name).ok()?.str().ok();
    let (papers, experiments) = (column("paper")?, column("experiment")?);
    let [identities, digests, files] = [column("identity")?, column("digest")?, column("records")?];
    let games = frame.column("games").ok()?.u64().ok()?;
    let row = |row: usize| {
        let text = |column: &StringChunked| column.get(row).unwrap_or_default().to_owned();
        CatalogueRow {
            key: format!("{}/{}", text(papers), text(experiments)),
            texts: [identities, digests, files].map(text),
            games: games.get(row).unwrap_or_default(),
        }
    };
    Some((0..frame.height()).map(row).collect())
}

/// The columns: what each experiment is, where its records are, and what they come to.
fn columns(rows: &[Row<'_>]) -> Vec<Column> {
    let text = |name: &str, of: fn(&Row<'_>) -> Option<String>| column(name, rows.iter().map(of));
    let count = |name: &str, of: fn(&Row<'_>) -> Option<u64>| column(name, rows.iter().map(of));
    let flag = |name: &str, of: fn(&Row<'_>) -> bool| column(name, rows.iter().map(of));
    let mut columns = vec![
        text("paper", |(paper, ..)| Some(paper.id.clone())),
        text("experiment", |(_, experiment, _)| Some(experiment.id.clone())),
        text("method", |(_, experiment, _)| Some(experiment.method().to_owned())),
        text("form", |(_, experiment, _)| experiment.variant.as_ref().and_then(word)),
        text("set", |(_, experiment, _)| word(&experiment.set)),
        text("role", |(_, experiment, _)| word(&experiment.role)),
        text("agent", |(.., games)| Some(games.identity.agent.clone())),
        text("agent_version", |(.., games)| Some(games.identity.agent_version.clone())),
        text("settings", |(_, experiment, games)| Some(settings::settings(experiment, &games.identity))),
        text("spec", |(_, experiment, games)| Some(settings::spec(experiment, &games.identity))),
        text("params", |(.., games)| Some(Value::Object(games.identity.params.clone()).to_string())),
        text("budget_kind", |(.., games)| budget_kind(games.identity.budget).map(str::to_owned)),
        count("budget", |(.., games)| {
            budget_kind(games.identity.budget).map(|_| games.identity.budget.amount())
        }),
        text("rules", |(.., games)| serde_json::to_string(&games.identity.rules).ok()),
        text("seed", |(.., games)| Some(games.identity.seed.clone())),
        text("identity", |(.., games)| Some(games.identity.hash())),
        text("digest", |(.., games)| Some(games.digest.clone())),
        text("records", |(.., games)| Some(format!("records/{}.parquet", games.records))),
        text("timing", |(.., games)| {
            (!games.timings.is_empty()).then(|| format!("timing/{}.parquet", games.records))
        }),
        flag("repeatable", |(.., games)| games.identity.signature.is_some()),
        flag("stale", |(_, experiment, games)| verdict::stale_note(experiment, games).is_some()),
        count("games", |(.., games)| Some(games.outcomes.len() as u64)),
        count("faults", |(.., games)| Some(games.faults())),
    ];
    let score = |statistic| move |games: &Games| metric(Metric::summary(Quantity::SCORE, statistic), games);
    columns.extend(estimates(rows, "score_mean", score(Statistic::Mean)));
    columns.extend(estimates(rows, "score_median", score(Statistic::Median)));
    columns.extend(estimates(rows, "score_sd", score(Statistic::Sd)));
    columns.extend([
        count("score_min", |(.., games)| games.outcomes.iter().map(|game| u64::from(game.score)).min()),
        count("score_max", |(.., games)| games.outcomes.iter().map(|game| u64::from(game.score)).max()),
        count("largest_tile", |(.., games)| games.outcomes.iter().map(|game| u64::from(game.max_tile)).max()),
    ]);
    for tile in TILES {
        columns.extend(estimates(rows, &format!("reach_{tile}"), |games| metric(Metric::reach(tile), games)));
    }
    let nodes = |games: &Games| metric(Metric::summary(Quantity::NODES, Statistic::Mean), games);
    columns.extend(estimates(rows, "nodes_per_move", |games| nodes(games).filter(|nodes| nodes.point > 0.0)));
    let times = |games: &Games| Sample::new(games.cpu_ns_per_move()).ok();
    columns.extend(estimates(rows, "cpu_ns_per_move", |games| times(games).as_ref().map(mean)));
    let timed = rows.iter().map(|(.., games)| times(games).as_ref().map(Sample::n));
    columns.push(column("timed_games", timed));
    columns
}

fn column<T>(name: &str, values: impl Iterator<Item = T>) -> Column
where
    Series: NamedFrom<Vec<T>, [T]>,
{
    Series::new(name.into(), values.collect::<Vec<T>>()).into_column()
}

fn metric(metric: Metric, games: &Games) -> Option<Estimate> {
    metric.estimate(games).ok()
}

/// The columns of a number and of the ends of its interval, rounded to the digits that are the same
/// everywhere.
fn estimates(rows: &[Row<'_>], name: &str, of: impl Fn(&Games) -> Option<Estimate>) -> [Column; 3] {
    let estimates: Vec<Option<Estimate>> = rows.iter().map(|(.., games)| of(games)).collect();
    let part = |suffix: &str, part: fn(&Estimate) -> f64| {
        let finite =
            |estimate: &Option<Estimate>| estimate.as_ref().map(part).filter(|value| value.is_finite());
        let values = estimates.iter().map(|estimate| finite(estimate).map(rounded));
        column(&format!("{name}{suffix}"), values)
    };
    [
        part("", |estimate| estimate.point),
        part("_low", |estimate| estimate.low),
        part("_high", |estimate| estimate.high),
    ]
}

/// A value of an enum, as a manifest writes it.
fn word(value: &impl Serialize) -> Option<String> {
    serde_json::to_value(value).ok()?.as_str().map(str::to_owned)
}

/// What the file says of itself.
fn metadata(input: ReportInput<'_>) -> Vec<(String, String)> {
    let all = input.papers.iter().flat_map(|paper| input.with_games(paper));
    let machines: BTreeSet<&str> =
        all.flat_map(|(_, games)| &games.provenance).map(|made| made.cpu.as_str()).collect();
    let timing = json!({"columns": TIMING, "machines": machines, "note": TIMING_NOTE});
    let columns: Value = serde_json::from_str(COLUMNS).unwrap_or_default();
    [
        ("retile.catalogue", FORM.to_owned()),
        ("retile.columns", columns.to_string()),
        ("retile.timing", timing.to_string()),
    ]
    .map(|(key, value)| (key.to_owned(), value))
    .to_vec()
}
