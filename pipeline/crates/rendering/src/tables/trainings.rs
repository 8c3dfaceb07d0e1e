//! Trainings of all papers: what was learned from how many games, what it cost, and the file that came of it.

use super::{Cell, ReportInput, Table};
use crate::trainings::{TrainingView, cost_of, cpu_time};
use ::trainings::Cost;
use text::Scale;
use verdict::evidence::Games;

/// What the table of all papers' trainings is called.
pub const TRAININGS: &str = "trainings";

const CAPTION: &str = "Mean score and share that reaches 2048: of the last tenth of the training games, in which the agent still learned; what it plays \
    like with the weights that came of it, experiments say. CPU time belongs to the machine that trained. Artefact: the first digits of \
    the SHA-256 of the file of weights, and its size as it is and as it is kept.";

/// How many digits of a hash are shown.
const DIGITS: usize = 16;

/// The table; none where nothing was trained.
pub(super) fn table(input: ReportInput<'_>) -> Option<Table> {
    let header = [
        "Training",
        "Agent",
        "Games",
        "Moves",
        "CPU time",
        "Mean score at the end",
        "Reaches 2048 at the end",
        "Artefact",
        "Bytes",
        "Bytes packed",
    ];
    let rows: Vec<Vec<Cell>> = input.trainings.iter().map(row).collect();
    (!rows.is_empty()).then(|| Table {
        id: TRAININGS.to_owned(),
        title: "What was trained, and what it cost".to_owned(),
        caption: CAPTION.to_owned(),
        header: header.map(str::to_owned).to_vec(),
        rows,
    })
}

fn row(view: &TrainingView<'_>) -> Vec<Cell> {
    let (last, cost, artefact) = (view.last(), view.cost(), view.artefact());
    let share = |share: f64| Cell::Published(Scale::Share.text(share), share);
    vec![
        Cell::Text(view.staleness().map_or_else(|| view.key(), |stale| format!("{} ({stale})", view.key()))),
        Cell::Text(view.training.agent.clone()),
        Cell::Count(cost.games),
        Cell::Count(cost.moves),
        time(&cost),
        last.map_or(Cell::Empty, |last| Cell::Count(last.mean.round() as u64)),
        last.map_or(Cell::Empty, |last| share(last.won)),
        Cell::Text(artefact.sha256.chars().take(DIGITS).collect()),
        Cell::Count(artefact.raw_bytes),
        Cell::Count(artefact.packed_bytes),
    ]
}

/// The CPU time, which programs read in seconds.
fn time(cost: &Cost) -> Cell {
    Cell::Published(cpu_time(cost), cost.cpu_ns as f64 / 1e9)
}

/// The headings of what learning cost, in a table of methods of which some learned.
pub(super) const COST_HEADER: [&str; 3] = ["Training games", "Training moves", "Training CPU time"];

/// What learning cost for such a table: nothing where a method did not learn.
pub(super) fn cost_cells(input: ReportInput<'_>, games: &Games) -> [Cell; 3] {
    let Some(cost) = cost_of(input.trainings, games) else {
        return [Cell::Empty, Cell::Empty, Cell::Empty];
    };
    [Cell::Count(cost.games), Cell::Count(cost.moves), time(&cost)]
}
