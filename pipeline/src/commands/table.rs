//! Tables for the terminal: aligned columns under a header.

use rendering::tables::{Cell, Table};

/// Lays rows out under a header; columns of numbers are aligned to the right.
pub(super) fn table(header: &[&str], rows: &[Vec<String>]) -> String {
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        // A cell may come from somebody else, and no larger width can be formatted.
        cells.chain([header[column].chars().count()]).max().unwrap_or(0).min(u16::MAX.into())
    };
    let widths: Vec<usize> = (0..header.len()).map(width).collect();
    let is_number = |column: usize| {
        let digits = |cell: &str| cell.chars().all(|letter| letter.is_ascii_digit());
        !rows.is_empty() && rows.iter().all(|row| digits(&row[column]))
    };
    let numbers: Vec<bool> = (0..header.len()).map(is_number).collect();
    let line = |cells: &[String]| {
        let padded = cells.iter().zip(&widths).zip(&numbers).map(|((cell, &width), &is_number)| {
            if is_number { format!("{cell:>width$}") } else { format!("{cell:<width$}") }
        });
        let text: Vec<String> = padded.collect();
        format!("{}\n", text.join("  ").trim_end())
    };
    let header: Vec<String> = header.iter().map(|&title| title.to_owned()).collect();
    std::iter::once(line(&header)).chain(rows.iter().map(|row| line(row))).collect()
}

/// A table of the results, for the terminal.
pub(super) fn grid(of: &Table) -> String {
    let header: Vec<&str> = of.header.iter().map(String::as_str).collect();
    let rows: Vec<Vec<String>> = of.rows.iter().map(|row| row.iter().map(Cell::text).collect()).collect();
    table(&header, &rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_of_any_length_is_shown() {
        let long = "x".repeat(100_000);
        assert_eq!(
            table(&["a", "b"], &[vec![long.clone(), "c".to_owned()]]).lines().nth(1),
            Some(&*(long + "  c"))
        );
    }

    #[test]
    fn numbers_stand_to_the_right_and_words_to_the_left() {
        let rows = [vec!["a".to_owned(), "5".to_owned()], vec!["long".to_owned(), "100".to_owned()]];
        assert_eq!(table(&["name", "n"], &rows), "name    n\na       5\nlong  100\n");
    }
}
