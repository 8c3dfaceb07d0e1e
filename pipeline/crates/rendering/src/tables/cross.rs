//! The comparison of methods of several papers on one game: the best first.

use super::experiments::{score_cells, score_header};
use super::{Cell, Material, Table, remarks};
use crate::settings::settings;
use manifest::Paper;

/// The table; none where nothing was played.
pub(super) fn table(material: Material<'_>, paper: &Paper) -> Option<Table> {
    let guests = material.papers.iter().filter(|other| !other.comparison).flat_map(|other| {
        material
            .played(other)
            .filter(|(experiment, games)| experiment.compared && games.identity.rules == paper.rules)
    });
    let mut rows: Vec<Vec<Cell>> = material
        .played(paper)
        .chain(guests)
        .map(|(experiment, games)| {
            let mut row = vec![
                Cell::Text(experiment.method().to_owned()),
                Cell::Text(games.identity.agent.clone()),
                Cell::Text(settings(experiment, &games.identity)),
                Cell::Count(games.outcomes.len() as u64),
                remarks::cell(experiment, games),
            ];
            row.extend(score_cells(games));
            row
        })
        .collect();
    let mean = |row: &Vec<Cell>| row[5].number().unwrap_or(0.0);
    rows.sort_by(|one, other| mean(other).total_cmp(&mean(one)));
    if rows.is_empty() {
        return None;
    }
    let mut header: Vec<String> =
        ["Method", "Agent", "Settings", "Games", remarks::HEADING].map(str::to_owned).to_vec();
    header.extend(score_header());
    Some(remarks::settle(Table {
        id: paper.id.clone(),
        title: paper.citation.title.clone(),
        caption:
            "The same rules, start and seeds for all; highest mean score first. Brackets show 95 % intervals. Settings: parameters and \
             budget beyond the agent's defaults, as the command line takes them: `pipeline eval AGENT,NAME=VALUE,…` plays a row again."
                .to_owned(),
        header,
        rows,
    }))
}
