//! `catalogue.parquet`: every experiment in a row, with what it plays, the file that holds its records and
//! what these come to, so that nobody has to know that experiments with one identity share a file. Any reader
//! of Parquet can have it.

use jobs::identity::Canonical as _;
use std::collections::BTreeSet;

use engine::agent::Budget;
use manifest::{Experiment, Metric, Paper, Quantity, Statistic};
use polars::prelude::{BooleanChunked, Column, DataFrame, IntoColumn, NamedFrom as _, Series};
use records::index::Index;
use records::layout::Layout;
use records::store::{Extent, SealedTable, StoreError};
use serde::Serialize;
use serde_json::{Map, Value, json};
use stats::{Estimate, Sample, mean};
use text::rounded;
use verdict::evidence::Games;

use crate::settings;
use crate::tables::ReportInput;
use platform::confined::ConfinedPath;

/// The version of the file's form.
const FORM: &str = "1";
/// The tiles whose rates are in it.
const TILES: [u32; 6] = [512, 1024, 2048, 4096, 8192, 16384];
/// The columns that belong to a machine.
const TIMING: [&str; 4] = ["cpu_ns_per_move", "cpu_ns_per_move_low", "cpu_ns_per_move_high", "timed_games"];
const TIMING_NOTE: &str = "CPU time of the agent's thread for a move, the mean over games with its 95 % interval, in nanoseconds. It belongs \
                           to the machines that are named here: no gate and no comparison of bytes between machines rests on it.";

/// An experiment of a paper, with its games.
type Row<'a> = (&'a Paper, &'a Experiment, &'a Games);

/// Writes the catalogue; none where nothing was played. Of papers that are not loaded, the rows stay that it
/// had of them.
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
    let is_right = |(key, identity, digest, records, games): &Stated| {
        index.experiments.get(key).is_some_and(|entry| {
            let file = format!("records/{}.parquet", entry.records);
            (&entry.identity, &entry.digest, &file, entry.games) == (identity, digest, records, *games)
        })
    };
    let wrong = rows.iter().filter(|row| !is_right(row));
    wrong
        .map(|(key, ..)| {
            at(&format!(
                "its row `{}` differs from the index; `pipeline render` writes it again",
                platform::plain::line(key)
            ))
        })
        .collect()
}

/// What a row says that the index says too: key, identity, digest, file and games.
type Stated = (String, String, String, String, u64);

fn stated(frame: &DataFrame) -> Option<Vec<Stated>> {
    let texts = |name: &str| {
        let column = frame.column(name).ok()?.str().ok()?;
        Some(column.iter().map(|text| text.unwrap_or_default().to_owned()).collect::<Vec<_>>())
    };
    let [papers, experiments, identities, digests, files] =
        ["paper", "experiment", "identity", "digest", "records"].map(texts);
    let (papers, experiments, identities, digests, files) =
        (papers?, experiments?, identities?, digests?, files?);
    let games = frame.column("games").ok()?.u64().ok()?;
    let row = |(place, games): (usize, Option<u64>)| {
        let key = format!("{}/{}", papers[place], experiments[place]);
        (
            key,
            identities[place].clone(),
            digests[place].clone(),
            files[place].clone(),
            games.unwrap_or_default(),
        )
    };
    Some(games.iter().enumerate().map(row).collect())
}

/// The columns: what each experiment is, where its records are, and what they come to.
fn columns(rows: &[Row<'_>]) -> Vec<Column> {
    let text = |name: &str, of: fn(&Row<'_>) -> Option<String>| {
        Series::new(name.into(), rows.iter().map(of).collect::<Vec<_>>()).into_column()
    };
    let count = |name: &str, of: fn(&Row<'_>) -> Option<u64>| {
        Series::new(name.into(), rows.iter().map(of).collect::<Vec<_>>()).into_column()
    };
    let flag = |name: &str, of: fn(&Row<'_>) -> bool| {
        Series::new(name.into(), rows.iter().map(of).collect::<Vec<_>>()).into_column()
    };
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
    columns.push(Series::new("timed_games".into(), timed.collect::<Vec<_>>()).into_column());
    columns
}

fn metric(metric: Metric, games: &Games) -> Option<Estimate> {
    metric.estimate(games).ok()
}

/// The columns of a number and of the ends of its interval, rounded to the digits that are the same
/// everywhere.
fn estimates(rows: &[Row<'_>], name: &str, of: impl Fn(&Games) -> Option<Estimate>) -> [Column; 3] {
    let estimates: Vec<Option<Estimate>> = rows.iter().map(|(.., games)| of(games)).collect();
    let column = |name: String, part: fn(&Estimate) -> f64| {
        let finite =
            |estimate: &Option<Estimate>| estimate.as_ref().map(part).filter(|value| value.is_finite());
        let values: Vec<Option<f64>> =
            estimates.iter().map(|estimate| finite(estimate).map(rounded)).collect();
        Series::new(name.into(), values).into_column()
    };
    [
        column(name.to_owned(), |estimate| estimate.point),
        column(format!("{name}_low"), |estimate| estimate.low),
        column(format!("{name}_high"), |estimate| estimate.high),
    ]
}

/// A value of an enum, as a manifest writes it.
fn word(value: &impl Serialize) -> Option<String> {
    serde_json::to_value(value).ok()?.as_str().map(str::to_owned)
}

const fn budget_kind(budget: Budget) -> Option<&'static str> {
    match budget {
        Budget::None => None,
        Budget::Plies(_) => Some("plies"),
        Budget::Nodes(_) => Some("nodes"),
        Budget::Playouts(_) => Some("playouts"),
        Budget::TimeNs(_) => Some("time-ns"),
    }
}

/// What the file says of itself.
fn metadata(input: ReportInput<'_>) -> Vec<(String, String)> {
    let all = input.papers.iter().flat_map(|paper| input.with_games(paper));
    let machines: BTreeSet<&str> =
        all.flat_map(|(_, games)| &games.provenance).map(|made| made.cpu.as_str()).collect();
    let timing = json!({"columns": TIMING, "machines": machines, "note": TIMING_NOTE});
    let columns: Map<String, Value> =
        COLUMNS.iter().map(|(name, text)| ((*name).to_owned(), Value::from(*text))).collect();
    [
        ("retile.catalogue", FORM.to_owned()),
        ("retile.columns", Value::from(columns).to_string()),
        ("retile.timing", timing.to_string()),
    ]
    .map(|(key, value)| (key.to_owned(), value))
    .to_vec()
}

/// What the columns mean; those of an interval are named by their number.
const COLUMNS: [(&str, &str); 31] = [
    ("paper", "the manifest that has the experiment"),
    ("experiment", "its id within the paper"),
    ("method", "what tables and figures call it"),
    ("form", "as-written or as-released, where the paper's text and program differ"),
    ("set", "default, or extra: played only when asked for"),
    (
        "role",
        "play; measurement: of nodes or time, its scores mean nothing; winner: of a study, on unseen games",
    ),
    ("agent", "the agent's id"),
    ("agent_version", "its version"),
    ("settings", "parameters and budget that the manifest gives, as the command line writes them"),
    ("spec", "agent and settings in one word"),
    ("params", "all parameters, defaults included, as JSON"),
    ("budget_kind", "what a move may use: plies, nodes, playouts or time-ns; null without a budget"),
    ("budget", "how much of it"),
    ("rules", "the rules of the game, as JSON"),
    ("seed", "the master seed, in hexadecimal"),
    ("identity", "the SHA-256 of all that determines the games"),
    ("digest", "the SHA-256 of the games"),
    ("records", "the file of its games, from the results folder; experiments with one identity share it"),
    ("timing", "the file of what they cost, likewise"),
    ("repeatable", "false where the budget is wall time"),
    ("stale", "true where the manifest now asks for other games"),
    ("games", "how many games"),
    ("faults", "how many of them a fault of the agent ended"),
    ("score_mean", "the mean score; _low and _high: its 95 % interval, null where the games do not bound it"),
    ("score_median", "the median score, likewise"),
    ("score_sd", "the standard deviation of the score, likewise"),
    (
        "reach_2048",
        "the share of games that reach the tile, with Wilson's interval; likewise for other tiles",
    ),
    ("largest_tile", "the largest tile of all games"),
    ("nodes_per_move", "the mean over games of nodes for a move; null where the agent counts none"),
    ("cpu_ns_per_move", "see retile.timing"),
    ("timed_games", "the games with a measured time"),
];
