//! Every paper under each of its interpretations.

use super::{Cell, Table};
use verdict::{Reading, Summary};

const CAPTION: &str = "An interpretation decides all that a paper leaves open, at once. Statements are numbers and orders of the paper that games can test, \
                       each counted once; those that rest on time are left out. Missed: our number is higher or lower, or the order is the opposite. \
                       Without games: not played, or not usable. Not covered: the interpretation says nothing about it. Missed by chance: how many would be, at most, if all \
                       were true. The best misses or leaves out the fewest; of equals it has the fewest undecided.";

/// What the table is called.
pub const INTERPRETATIONS: &str = "interpretations";

/// The table; none if no paper says anything that games can test.
pub fn interpretations(summary: &Summary) -> Option<Table> {
    let best = Reading { name: "the best of each".to_owned(), ..summary.best.clone() };
    let mut rows: Vec<(&str, &Reading, bool)> = Vec::new();
    for (paper, readings) in &summary.readings {
        let is_best = |reading| std::ptr::eq(reading, readings.best());
        rows.extend(
            readings.interpretations.iter().map(|reading| (paper.as_str(), reading, is_best(reading))),
        );
    }
    if !rows.is_empty() {
        rows.push(("all", &best, false));
    }
    let table = Table::of(
        rows,
        &[
            ("Paper", &|(paper, ..)| Cell::words(*paper)),
            ("Interpretation", &|(_, reading, _)| Cell::words(&reading.name)),
            ("Best", &|(.., is_best)| Cell::words(if *is_best { "best" } else { "" })),
            ("Statements tested", &|(_, reading, _)| Cell::Count(reading.covered)),
            ("Missed", &|(_, reading, _)| Cell::Count(reading.missed)),
            ("Undecided", &|(_, reading, _)| Cell::Count(reading.undecided)),
            ("Without games", &|(_, reading, _)| Cell::Count(reading.untested)),
            ("Not covered", &|(_, reading, _)| Cell::Count(reading.not_covered)),
            ("Missed by chance", &|(_, reading, _)| Cell::words(format!("{:.1}", reading.expected))),
        ],
    );
    table.named(INTERPRETATIONS, "Interpretations", CAPTION)
}
