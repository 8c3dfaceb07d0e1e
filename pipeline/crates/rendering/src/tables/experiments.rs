//! Every experiment of a paper: games, scores and tiles.

use super::{Cell, ReportInput, Table, remarks, set_name};
use crate::settings::settings;
use manifest::{Metric, Paper, Quantity, Statistic, Variant};
use stats::{Sample, iqm};
use text::Scale;
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
            (remarks::HEADING, &|(experiment, games)| remarks::cell(experiment, games)),
        ],
    );
    table.header.extend(score_header());
    for (row, (_, games)) in table.rows.iter_mut().zip(input.played(paper)) {
        row.extend(score_cells(games));
    }
    let caption = "Brackets show 95 % intervals. Form: as written in the paper, or as its program behaves. Settings: \
                   parameters and budget beyond the agent's defaults, as the command line takes them.";
    table.of_paper(paper, "experiments", "all experiments", caption).map(remarks::explained)
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
