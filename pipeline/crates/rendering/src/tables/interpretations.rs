//! Every paper under each of its interpretations.

use super::{Cell, Table};
use verdict::{Reading, Summary};

const CAPTION: &str = "An interpretation decides all that a paper leaves open, at once. Statements are numbers and orders of the paper that games can test, \
                       each counted once; those that rest on time are left out. Missed: our number is higher or lower, or the order is the opposite. \
                       Without games: not played, or not usable. Not covered: the interpretation says nothing about it. Missed by chance: how many would be, at most, if all \
                       were true. The best misses or leaves out the fewest; of equals it has the fewest undecided.";

/// What the table is called.
pub const INTERPRETATIONS: &str = "interpretations";

/// The table; none where no paper says anything that games can test.
#[must_use]
pub fn interpretations(summary: &Summary) -> Option<Table> {
    if summary.readings.is_empty() {
        return None;
    }
    let header = [
        "Paper",
        "Interpretation",
        "Best",
        "Statements tested",
        "Missed",
        "Undecided",
        "Without games",
        "Not covered",
        "Missed by chance",
    ];
    let mut rows = Vec::new();
    for (paper, readings) in &summary.readings {
        for reading in &readings.interpretations {
            rows.push(row(paper, reading, std::ptr::eq(reading, readings.best())));
        }
    }
    let best = Reading { name: "the best of each".to_owned(), ..summary.best.clone() };
    rows.push(row("all", &best, false));
    Some(Table {
        id: INTERPRETATIONS.to_owned(),
        title: "Interpretations".to_owned(),
        caption: CAPTION.to_owned(),
        header: header.map(str::to_owned).to_vec(),
        rows,
    })
}

fn row(paper: &str, reading: &Reading, is_best: bool) -> Vec<Cell> {
    let counts = [reading.covered, reading.missed, reading.undecided, reading.untested, reading.not_covered];
    let mut row = vec![
        Cell::Text(paper.to_owned()),
        Cell::Text(reading.name.clone()),
        Cell::Text(if is_best { "best" } else { "" }.to_owned()),
    ];
    row.extend(counts.map(Cell::Count));
    row.push(Cell::Text(format!("{:.1}", reading.expected)));
    row
}
