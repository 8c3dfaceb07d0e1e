//! The comparison of methods of several papers on one game: the best first.

use super::experiments::{score_cells, score_header};
use super::trainings::{COST_HEADER, cost_cells};
use super::{Cell, Material, Table, remarks};
use crate::comparison::{Entry, entries, leaders};
use crate::settings::settings;
use crate::trainings::cost_of;
use manifest::Paper;

const CAPTION: &str = "The same rules and start for all; highest mean score first. Brackets show 95 % intervals. Settings: parameters, files and \
    budget beyond the agent's defaults, as the command line takes them: `pipeline eval AGENT,NAME=VALUE,…` plays a row again. Rank: the places \
    that a method may have, with 95 % confidence for each.";

/// What is said where some of them learned.
const LEARNED: &str = " Training: what it cost to learn the weights that a method plays with; empty where it learned nothing. Its CPU time belongs to \
    the machine that trained.";

/// The table; none where nothing was played.
pub(super) fn table(material: Material<'_>, paper: &Paper) -> Option<Table> {
    let entries = entries(material, paper);
    if entries.is_empty() {
        return None;
    }
    let mut header: Vec<String> =
        ["Method", "Agent", "Settings", "Games", "Rank from", "Rank to", remarks::HEADING]
            .map(str::to_owned)
            .to_vec();
    header.extend(score_header());
    let has_learned = entries.iter().any(|entry| cost_of(material.trainings, entry.games).is_some());
    let mut rows: Vec<Vec<Cell>> = entries.iter().map(row).collect();
    let mut caption = format!("{} {CAPTION}", leaders(&entries));
    if has_learned {
        header.extend(COST_HEADER.map(str::to_owned));
        let costs = entries.iter().map(|entry| cost_cells(material, entry.games));
        rows.iter_mut().zip(costs).for_each(|(row, cost)| row.extend(cost));
        caption.push_str(LEARNED);
    }
    Some(remarks::settle(Table {
        id: paper.id.clone(),
        title: paper.citation.title.clone(),
        caption: caption.trim_start().to_owned(),
        header,
        rows,
    }))
}

fn row(entry: &Entry<'_>) -> Vec<Cell> {
    let Entry { experiment, games, rank, .. } = entry;
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
    row
}
