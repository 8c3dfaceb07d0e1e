//! The comparison of methods of several papers on one game: the best first.

use super::experiments::{REMARK, explained, remark, score_cells, score_header};
use super::trainings::{COST_HEADER, cost_cells};
use super::{Cell, ReportInput, Table};
use crate::comparison::{entries, leaders};
use crate::settings::settings;
use manifest::Paper;

const CAPTION: &str = "The same rules and start for all; highest mean score first. Brackets show 95 % intervals. Settings: parameters, files and \
    budget beyond the agent's defaults, as the command line takes them: `pipeline eval AGENT,NAME=VALUE,…` plays a row again. Rank: the places \
    that a method may have, with 95 % confidence for each.";

/// What is said where some of them learned.
const LEARNED: &str = " Training: what it cost to learn the weights that a method plays with; empty where it learned nothing. Its CPU time belongs to \
    the machine that trained.";

/// The table; none if nothing was played.
pub(super) fn table(input: ReportInput<'_>, paper: &Paper) -> Option<Table> {
    let entries = entries(input, paper);
    let mut table = Table::of(
        &entries,
        &[
            ("Method", &|entry| Cell::words(entry.experiment.method())),
            ("Agent", &|entry| Cell::words(&entry.games.identity.agent)),
            ("Settings", &|entry| Cell::words(settings(entry.experiment, &entry.games.identity))),
            ("Games", &|entry| Cell::Count(entry.games.outcomes.len() as u64)),
            ("Rank from", &|entry| Cell::Count(entry.rank.best as u64)),
            ("Rank to", &|entry| Cell::Count(entry.rank.worst as u64)),
            (REMARK, &|entry| remark(entry.experiment, entry.games)),
        ],
    );
    table.append(score_header(), entries.iter().map(|entry| score_cells(entry.games)));
    let costs = entries.iter().map(|entry| cost_cells(input, entry.games));
    table.append(COST_HEADER.map(str::to_owned), costs);
    let caption = format!("{} {CAPTION}", leaders(&entries)).trim_start().to_owned();
    let mut table = table.named(&paper.id, &paper.citation.title, caption)?;
    if COST_HEADER.map(|heading| table.keep_if_filled(heading))[0] {
        table.caption.push_str(LEARNED);
    }
    Some(explained(table))
}
