//! Trainings of all papers: what was learned from how many games, what it cost, and its file of weights.

use super::{Cell, ReportInput, Table};
use crate::trainings::{Stretch, TrainingView, cost_of, cpu_time};
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

/// The table; none if nothing was trained.
pub(super) fn table(input: ReportInput<'_>) -> Option<Table> {
    let name = |view: &TrainingView<'_>| match view.staleness() {
        Some(stale) => format!("{} ({stale})", view.key()),
        None => view.key(),
    };
    let mean = |last: Stretch| Cell::Count(last.mean.round() as u64);
    let won = |last: Stretch| Cell::Published(Scale::Share.text(last.won), last.won);
    let table = Table::of(
        input.trainings,
        &[
            ("Training", &|view| Cell::words(name(view))),
            ("Agent", &|view| Cell::words(&view.training.agent)),
            ("Games", &|view| Cell::Count(view.cost().games)),
            ("Moves", &|view| Cell::Count(view.cost().moves)),
            ("CPU time", &|view| time(&view.cost())),
            ("Mean score at the end", &|view| view.last().map_or(Cell::Empty, mean)),
            ("Reaches 2048 at the end", &|view| view.last().map_or(Cell::Empty, won)),
            ("Artefact", &|view| {
                Cell::words(view.artefact().sha256.chars().take(DIGITS).collect::<String>())
            }),
            ("Bytes", &|view| Cell::Count(view.artefact().raw_bytes)),
            ("Bytes packed", &|view| Cell::Count(view.artefact().packed_bytes)),
        ],
    );
    table.named(TRAININGS, "What was trained, and what it cost", CAPTION)
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
