//! Tables for the terminal: aligned columns under a header.

use super::{Cell, Table};

/// Lays rows out under a header; columns of whole numbers are aligned to the right.
pub(super) fn write(table: &Table) -> String {
    let rows: Vec<Vec<String>> = table.rows.iter().map(|row| row.iter().map(Cell::text).collect()).collect();
    let column = |column: usize| {
        let cells = || rows.iter().map(move |row| row[column].as_str());
        let widths = cells().chain([table.header[column].as_str()]).map(|cell| cell.chars().count());
        let is_number = |cell: &str| cell.chars().all(|letter| letter.is_ascii_digit());
        // A cell may come from somebody else, and no larger width can be formatted.
        (widths.max().unwrap_or(0).min(u16::MAX.into()), !rows.is_empty() && cells().all(is_number))
    };
    let columns: Vec<(usize, bool)> = (0..table.header.len()).map(column).collect();
    let line = |cells: &[String]| {
        let padded = cells.iter().zip(&columns).map(|(cell, &(width, is_number))| {
            if is_number { format!("{cell:>width$}") } else { format!("{cell:<width$}") }
        });
        format!("{}\n", padded.collect::<Vec<_>>().join("  ").trim_end())
    };
    std::iter::once(&table.header).chain(&rows).map(|cells| line(cells)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(header: &[&str], rows: &[&[&str]]) -> String {
        let rows: Vec<Vec<String>> =
            rows.iter().map(|row| row.iter().map(|&cell| cell.to_owned()).collect()).collect();
        write(&Table::of_texts(header, rows))
    }

    #[test]
    fn a_cell_of_any_length_is_shown() {
        let long = "x".repeat(100_000);
        assert_eq!(written(&["a", "b"], &[&[&long, "c"]]).lines().nth(1), Some(&*(long + "  c")));
    }

    #[test]
    fn numbers_stand_to_the_right_and_words_to_the_left() {
        let text = written(&["name", "n"], &[&["a", "5"], &["long", "100"]]);
        assert_eq!(text, "name    n\na       5\nlong  100\n");
    }
}
