//! Remarks: what a reader must know of an experiment's games before any number of theirs. Most tables have
//! none, and no column for them.

use super::{Cell, Table};
use manifest::Experiment;
use text::counted;
use verdict::evidence::Games;

/// The heading of the column.
pub(super) const HEADING: &str = "Remark";

const CAPTION: &str = " Stale games are not those that the manifest asks for, and no claim is judged by them. A game that ended by a fault \
    of the agent counts with the score that it had reached.";

/// What is to be said of an experiment's games: that they are stale, and how many a fault ended.
pub(super) fn cell(experiment: &Experiment, games: &Games) -> Cell {
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
    if table.keep_if_filled(HEADING) {
        table.caption.push_str(CAPTION);
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
            header: ["Games", HEADING, "Mean"].map(str::to_owned).to_vec(),
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
