//! Every experiment of a paper: games, scores and tiles.

use super::{Cell, ReportInput, Table, remarks};
use crate::settings::settings;
use manifest::{Experiment, Metric, Paper, Quantity, Set, Statistic, Variant};
use stats::{Sample, iqm};
use text::Scale;
use verdict::evidence::Games;

/// The tiles whose rates are shown.
pub(super) const TILES: [u32; 4] = [1024, 2048, 4096, 8192];

/// The table; none where nothing was played.
pub(super) fn table(input: ReportInput<'_>, paper: &Paper) -> Option<Table> {
    let rows: Vec<Vec<Cell>> =
        input.played(paper).map(|(experiment, games)| row(experiment, games)).collect();
    if rows.is_empty() {
        return None;
    }
    let mut header: Vec<String> =
        ["Experiment", "Method", "Form", "Agent", "Settings", "Set", "Games", remarks::HEADING]
            .map(str::to_owned)
            .to_vec();
    header.extend(score_header());
    Some(remarks::settle(Table {
        id: format!("{}-experiments", paper.id),
        title: format!("{}: all experiments", paper.citation.title),
        caption: "Brackets show 95 % intervals. Form: as written in the paper, or as its program behaves. Settings: parameters and budget \
                  beyond the agent's defaults, as the command line takes them."
            .to_owned(),
        header,
        rows,
    }))
}

fn row(experiment: &Experiment, games: &Games) -> Vec<Cell> {
    let form = experiment.variant.map_or("", Variant::words);
    let set = match experiment.set {
        Set::Default => "default",
        Set::Extra => "extra",
    };
    let settings = settings(experiment, &games.identity);
    let mut row: Vec<Cell> =
        [&experiment.id, experiment.method(), form, &games.identity.agent, &settings, set]
            .map(|text: &str| if text.is_empty() { Cell::Empty } else { Cell::Text(text.to_owned()) })
            .to_vec();
    row.push(Cell::Count(games.outcomes.len() as u64));
    row.push(remarks::cell(experiment, games));
    row.extend(score_cells(games));
    row
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
