//! Every experiment of a paper: games, scores and tiles; what a move costs, which belongs to one machine and
//! stands in no other table; and remarks, what a reader must know of an experiment's games before any number
//! of theirs. Most tables have none, and no column for them.

use super::{Cell, ReportInput, Table, set_name};
use crate::settings::settings;
use manifest::{Experiment, Metric, Paper, Quantity, Statistic, Variant};
use stats::{Sample, iqm, mean};
use text::{Scale, counted};
use verdict::evidence::Games;

/// The tiles whose rates are shown.
pub(super) const TILES: [u32; 4] = [1024, 2048, 4096, 8192];

/// The table; none if nothing was played.
pub(super) fn table(input: ReportInput<'_>, paper: &Paper) -> Option<Table> {
    let words = |text: &str| if text.is_empty() { Cell::Empty } else { Cell::words(text) };
    let mut table = Table::of(
        input.played(paper),
        &[
            ("Experiment", &|(experiment, _)| words(&experiment.id)),
            ("Method", &|(experiment, _)| words(experiment.method())),
            ("Form", &|(experiment, _)| words(experiment.variant.map_or("", Variant::words))),
            ("Agent", &|(_, games)| words(&games.identity.agent)),
            ("Settings", &|(experiment, games)| words(&settings(experiment, &games.identity))),
            ("Set", &|(experiment, _)| words(set_name(experiment.set))),
            ("Games", &|(_, games)| Cell::Count(games.outcomes.len() as u64)),
            (REMARK, &|(experiment, games)| remark(experiment, games)),
        ],
    );
    table.append(score_header(), input.played(paper).map(|(_, games)| score_cells(games)));
    let caption = "Brackets show 95 % intervals. Form: as written in the paper, or as its program behaves. Settings: \
                   parameters and budget beyond the agent's defaults, as the command line takes them.";
    table.of_paper(paper, "experiments", "all experiments", caption).map(explained)
}

/// The headings of the columns that [`score_cells`] fills.
pub(crate) fn score_header() -> Vec<String> {
    let mut header = ["Mean score", "Median score", "Highest score"].map(str::to_owned).to_vec();
    header.extend(TILES.map(|tile| format!("Reaches {tile}")));
    header.extend(["Largest tile", "Interquartile mean", "Standard deviation"].map(str::to_owned));
    header
}

/// Scores and tiles of an experiment's games.
pub(crate) fn score_cells(games: &Games) -> Vec<Cell> {
    let score = |statistic| Metric::summary(Quantity::SCORE, statistic);
    let cell = |metric: Metric| {
        metric.estimate(games).map_or(Cell::Empty, |estimate| Cell::Estimate(estimate, metric.scale()))
    };
    let mut cells = vec![cell(score(Statistic::Mean)), cell(score(Statistic::Median))];
    let highest = |value: fn(&records::record::Outcome) -> u32| {
        games.outcomes.iter().map(value).max().map_or(Cell::Empty, |most| Cell::Count(u64::from(most)))
    };
    cells.push(highest(|outcome| outcome.score));
    cells.extend(TILES.map(|tile| cell(Metric::reach(tile))));
    cells.push(highest(|outcome| outcome.max_tile));
    let interquartile = Sample::new(games.scores()).map(|scores| Cell::Estimate(iqm(&scores), Scale::Points));
    cells.extend([interquartile.unwrap_or(Cell::Empty), cell(score(Statistic::Sd))]);
    cells
}

/// The table; none if nothing was timed.
pub(super) fn timing(input: ReportInput<'_>, paper: &Paper) -> Option<Table> {
    let rows = input.without_winners(paper).filter_map(|(experiment, games)| {
        Some((experiment, games, Sample::new(games.cpu_ns_per_move()).ok()?))
    });
    let nodes = |games: &Games| {
        let nodes = Metric::summary(Quantity::NODES, Statistic::Mean).estimate(games).ok();
        nodes.filter(|estimate| estimate.point > 0.0)
    };
    let table = Table::of(
        rows,
        &[
            ("Experiment", &|(experiment, ..)| Cell::words(&experiment.id)),
            ("Games", &|(.., times)| Cell::Count(times.n())),
            (REMARK, &|(experiment, games, _)| remark(experiment, games)),
            ("CPU time per move", &|(.., times)| Cell::Time(mean(times))),
            ("Nodes per move", &|(_, games, _)| Cell::estimate(nodes(games), Scale::Points)),
        ],
    );
    let caption = format!(
        "CPU time of the agent's thread, on {}. Brackets show 95 % intervals of the mean over games. Games: those \
         with a time per move; a game without a legal first move has none.",
        machines(input, paper)
    );
    table.of_paper(paper, "timing", "what a move costs", caption).map(explained)
}

fn machines(input: ReportInput<'_>, paper: &Paper) -> String {
    let mut names: Vec<&str> = input
        .without_winners(paper)
        .flat_map(|(_, games)| games.provenance.iter().map(|provenance| provenance.cpu.as_str()))
        .collect();
    names.sort_unstable();
    names.dedup();
    // They become part of a caption, which is inserted into Markdown unchanged.
    platform::plain::markdown(&names.join(" and "))
}

/// The heading of the column.
pub(super) const REMARK: &str = "Remark";

const REMARK_CAPTION: &str = " Stale games are not those that the manifest asks for, and no claim is judged by them. A game that ended by a fault \
    of the agent counts with the score that it had reached.";

/// What is to be said of an experiment's games: that they are stale, and how many a fault ended.
pub(super) fn remark(experiment: &Experiment, games: &Games) -> Cell {
    let stale = verdict::stale_note(experiment, games)
        .map(|instead| format!("stale: the manifest asks for {instead}"));
    let faults = match games.faults() {
        0 => None,
        faults => Some(format!("{} ended by a fault", counted(faults, "game"))),
    };
    let remarks: Vec<String> = stale.into_iter().chain(faults).collect();
    if remarks.is_empty() { Cell::Empty } else { Cell::Text(remarks.join("; ")) }
}

/// Takes the column out where it is empty, and explains it where it is not.
pub(super) fn explained(mut table: Table) -> Table {
    if table.keep_if_filled(REMARK) {
        table.caption.push_str(REMARK_CAPTION);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn explained_with(remarks: [Cell; 2]) -> Table {
        let row = |remark| vec![Cell::Count(1), remark, Cell::Count(2)];
        explained(Table {
            id: String::new(),
            title: String::new(),
            caption: "As ever.".to_owned(),
            header: ["Games", REMARK, "Mean"].map(str::to_owned).to_vec(),
            rows: remarks.map(row).to_vec(),
        })
    }

    #[test]
    fn a_table_without_remarks_has_no_column_for_them() {
        let table = explained_with([Cell::Empty, Cell::Empty]);
        assert_eq!(
            (table.header, table.caption),
            (vec!["Games".to_owned(), "Mean".to_owned()], "As ever.".to_owned())
        );
        assert!(table.rows.iter().all(|row| *row == [Cell::Count(1), Cell::Count(2)]));
    }

    #[test]
    fn a_remark_keeps_the_column_and_is_explained() {
        let table = explained_with([Cell::Empty, Cell::Text("stale".to_owned())]);
        assert_eq!((table.header.len(), table.rows[0].len()), (3, 3));
        assert!(table.caption.starts_with("As ever. Stale games are"), "{}", table.caption);
    }
}
