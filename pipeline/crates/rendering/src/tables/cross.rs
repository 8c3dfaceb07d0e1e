//! The comparison of methods of several papers on one game: the best first.

use super::experiments::{score_cells, score_header};
use super::trainings::{COST_HEADER, cost_cells};
use super::{Cell, ReportInput, Table, remarks};
use crate::comparison::{ComparedMethod, entries, leaders};
use crate::settings::settings;
use manifest::Paper;

const CAPTION: &str = "The same rules and start for all; highest mean score first. Brackets show 95 % intervals. Settings: parameters, files and \
    budget beyond the agent's defaults, as the command line takes them: `pipeline eval AGENT,NAME=VALUE,…` plays a row again. Rank: the places \
    that a method may have, with 95 % confidence for each.";

/// What is said where some of them learned.
const LEARNED: &str = " Training: what it cost to learn the weights that a method plays with; empty where it learned nothing. Its CPU time belongs to \
    the machine that trained.";

/// The table; none where nothing was played.
pub(super) fn table(input: ReportInput<'_>, paper: &Paper) -> Option<Table> {
    let entries = entries(input, paper);
    if entries.is_empty() {
        return None;
    }
    let first = ["Method", "Agent", "Settings", "Games", "Rank from", "Rank to", remarks::HEADING];
    let header = first.map(str::to_owned).into_iter().chain(score_header());
    let mut table = Table {
        id: paper.id.clone(),
        title: paper.citation.title.clone(),
        caption: format!("{} {CAPTION}", leaders(&entries)).trim_start().to_owned(),
        header: header.chain(COST_HEADER.map(str::to_owned)).collect(),
        rows: entries.iter().map(|entry| row(input, entry)).collect(),
    };
    if COST_HEADER.map(|heading| table.keep_if_filled(heading))[0] {
        table.caption.push_str(LEARNED);
    }
    Some(remarks::explained(table))
}

fn row(input: ReportInput<'_>, entry: &ComparedMethod<'_>) -> Vec<Cell> {
    let ComparedMethod { experiment, games, rank, .. } = entry;
    let mut row = vec![
        Cell::Text(experiment.method().to_owned()),
        Cell::Text(games.identity.agent.clone()),
        Cell::Text(settings(experiment, &games.identity)),
        Cell::Count(games.outcomes.len() as u64),
        Cell::Count(rank.best as u64),
        Cell::Count(rank.worst as u64),
        remarks::cell(experiment, games),
    ];
    row.extend(score_cells(games));
    row.extend(cost_cells(input, games));
    row
}
