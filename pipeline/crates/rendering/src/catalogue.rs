//! `catalogue.parquet`: every experiment in a row, with what it plays, the file that holds its records and what these come to, so that nobody
//! has to know that experiments with one identity share a file. Any reader of Parquet can have it.

use jobs::identity::Canonical as _;
use std::collections::BTreeSet;

use engine::agent::Budget;
use manifest::{Experiment, Metric, Paper, Quantity, Role, Set, Statistic, Variant};
use polars::error::PolarsResult;
use polars::prelude::{BooleanChunked, Column, DataFrame, IntoColumn, NamedFrom as _, Series};
use records::index::Index;
use records::layout::Layout;
use records::store::{Extent, SealedTable, StoreError};
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

/// A value of a row.
enum Field {
    Text(Option<String>),
    Count(Option<u64>),
    Number(Option<f64>),
    Flag(bool),
}

/// A row: its fields with their names, the same ones in every row.
type Row = Vec<(String, Field)>;

/// Writes the catalogue; none where nothing was played. Of papers that are not loaded, the rows stay that it had of them.
///
/// # Errors
/// Where it cannot be written.
pub fn write(
    layout: &Layout,
    input: ReportInput<'_>,
    left_out: &BTreeSet<String>,
) -> Result<Option<ConfinedPath>, StoreError> {
    let path = layout.catalogue();
    let of_paper =
        |paper| input.with_games(paper).map(move |(experiment, games)| row(paper, experiment, games));
    let rows: Vec<Row> = input.papers.iter().flat_map(of_paper).collect();
    if rows.is_empty() {
        return Ok(None);
    }
    let failed = || StoreError::parquet(&path, "build the columns");
    let mut frame = frame(&rows).map_err(failed())?;
    if let Some(kept) = kept(&path, left_out, &frame) {
        frame.vstack_mut(&kept).map_err(failed())?;
        frame.rechunk_mut();
    }
    SealedTable::write(&path, &frame, metadata(input))?;
    Ok(Some(path))
}

/// The rows of papers that are not loaded, if there was a catalogue of the same columns; drawing those papers makes them again.
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

/// What is wrong with a catalogue: a broken seal, or a row that does not say what the index does. Nothing where there is no catalogue.
#[must_use]
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

fn row(paper: &Paper, experiment: &Experiment, games: &Games) -> Row {
    let mut row = Row::new();
    identify(&mut row, paper, experiment, games);
    row.push(("games".to_owned(), Field::Count(Some(games.outcomes.len() as u64))));
    row.push(("faults".to_owned(), Field::Count(Some(games.faults()))));
    let of = |metric: Metric| metric.estimate(games).ok();
    let score = |statistic| of(Metric::summary(Quantity::SCORE, statistic));
    estimate(&mut row, "score_mean", score(Statistic::Mean));
    estimate(&mut row, "score_median", score(Statistic::Median));
    estimate(&mut row, "score_sd", score(Statistic::Sd));
    let largest =
        |value: fn(&records::record::Outcome) -> u32| games.outcomes.iter().map(value).max().map(u64::from);
    let lowest = games.outcomes.iter().map(|outcome| u64::from(outcome.score)).min();
    row.push(("score_min".to_owned(), Field::Count(lowest)));
    row.push(("score_max".to_owned(), Field::Count(largest(|outcome| outcome.score))));
    row.push(("largest_tile".to_owned(), Field::Count(largest(|outcome| outcome.max_tile))));
    for tile in TILES {
        estimate(&mut row, &format!("reach_{tile}"), of(Metric::reach(tile)));
    }
    let nodes = of(Metric::summary(Quantity::NODES, Statistic::Mean)).filter(|nodes| nodes.point > 0.0);
    estimate(&mut row, "nodes_per_move", nodes);
    let times = Sample::new(games.cpu_ns_per_move()).ok();
    estimate(&mut row, "cpu_ns_per_move", times.as_ref().map(mean));
    row.push(("timed_games".to_owned(), Field::Count(times.as_ref().map(Sample::n))));
    row
}

/// What the experiment is, and where its records are.
fn identify(row: &mut Row, paper: &Paper, experiment: &Experiment, games: &Games) {
    let identity = &games.identity;
    let mut text = |name: &str, text: Option<String>| row.push((name.to_owned(), Field::Text(text)));
    text("paper", Some(paper.id.clone()));
    text("experiment", Some(experiment.id.clone()));
    text("method", Some(experiment.method().to_owned()));
    text("form", experiment.variant.map(|variant| form(variant).to_owned()));
    text("set", Some(if experiment.set == Set::Default { "default" } else { "extra" }.to_owned()));
    text("role", Some(role(experiment.role).to_owned()));
    text("agent", Some(identity.agent.clone()));
    text("agent_version", Some(identity.agent_version.clone()));
    text("settings", Some(settings::settings(experiment, identity)));
    text("spec", Some(settings::spec(experiment, identity)));
    text("params", Some(Value::Object(identity.params.clone()).to_string()));
    let (kind, amount) = budget(identity.budget);
    text("budget_kind", kind.map(str::to_owned));
    row.push(("budget".to_owned(), Field::Count(amount)));
    let mut text = |name: &str, text: Option<String>| row.push((name.to_owned(), Field::Text(text)));
    text("rules", serde_json::to_string(&identity.rules).ok());
    text("seed", Some(identity.seed.clone()));
    text("identity", Some(identity.hash()));
    text("digest", Some(games.digest.clone()));
    text("records", Some(format!("records/{}.parquet", games.records)));
    text("timing", (!games.timings.is_empty()).then(|| format!("timing/{}.parquet", games.records)));
    let is_repeatable = identity.signature.is_some();
    row.push(("repeatable".to_owned(), Field::Flag(is_repeatable)));
    row.push(("stale".to_owned(), Field::Flag(verdict::stale_note(experiment, games).is_some())));
}

/// A number and the ends of its interval, rounded to the digits that are the same on every machine.
fn estimate(row: &mut Row, name: &str, estimate: Option<Estimate>) {
    let part = |of: fn(&Estimate) -> f64| {
        Field::Number(estimate.as_ref().map(of).filter(|value| value.is_finite()).map(rounded))
    };
    row.push((name.to_owned(), part(|estimate| estimate.point)));
    row.push((format!("{name}_low"), part(|estimate| estimate.low)));
    row.push((format!("{name}_high"), part(|estimate| estimate.high)));
}

const fn form(variant: Variant) -> &'static str {
    match variant {
        Variant::AsWritten => "as-written",
        Variant::AsReleased => "as-released",
    }
}

const fn role(role: Role) -> &'static str {
    match role {
        Role::Play => "play",
        Role::Measurement => "measurement",
        Role::Winner => "winner",
    }
}

const fn budget(budget: Budget) -> (Option<&'static str>, Option<u64>) {
    match budget {
        Budget::None => (None, None),
        Budget::Plies(count) => (Some("plies"), Some(count)),
        Budget::Nodes(count) => (Some("nodes"), Some(count)),
        Budget::Playouts(count) => (Some("playouts"), Some(count)),
        Budget::TimeNs(count) => (Some("time-ns"), Some(count)),
    }
}

fn frame(rows: &[Row]) -> PolarsResult<DataFrame> {
    let width = rows.first().map_or(0, Vec::len);
    let columns = (0..width).map(|place| column(rows, place));
    DataFrame::new(rows.len(), columns.collect())
}

/// The column of the fields at a place of every row; the first says of what kind it is.
fn column(rows: &[Row], place: usize) -> Column {
    let fields = || rows.iter().map(|row| &row[place].1);
    let name = rows[0][place].0.as_str().into();
    match rows[0][place].1 {
        Field::Text(_) => {
            let texts =
                fields().map(|field| if let Field::Text(text) = field { text.as_deref() } else { None });
            Series::new(name, texts.collect::<Vec<Option<&str>>>())
        }
        Field::Count(_) => {
            let counts = fields().map(|field| if let Field::Count(count) = field { *count } else { None });
            Series::new(name, counts.collect::<Vec<Option<u64>>>())
        }
        Field::Number(_) => {
            let numbers =
                fields().map(|field| if let Field::Number(number) = field { *number } else { None });
            Series::new(name, numbers.collect::<Vec<Option<f64>>>())
        }
        Field::Flag(_) => {
            let flags = fields().map(|field| matches!(field, Field::Flag(true)));
            Series::new(name, flags.collect::<Vec<bool>>())
        }
    }
    .into_column()
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
