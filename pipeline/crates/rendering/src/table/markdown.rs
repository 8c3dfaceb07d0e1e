//! Tables as Markdown, aligned so that they read well as plain text too.

use super::Table;
use platform::plain::markdown as escape;

/// Columns are aligned up to this width. Sentences are wider, on a line that no terminal shows as one; their
/// blanks would be half of the file.
const WIDEST: usize = 48;

pub(super) fn write(table: &Table) -> String {
    format!("## {}\n\n{}\n\n{}", escape(&table.title), table.caption, grid(table))
}

/// The rows under their header, without title and caption.
pub(super) fn grid(table: &Table) -> String {
    let rows: Vec<Vec<String>> =
        table.rows.iter().map(|row| row.iter().map(|cell| escape(&cell.text())).collect()).collect();
    let header: Vec<String> = table.header.iter().map(|heading| escape(heading)).collect();
    let widths: Vec<usize> = (0..header.len())
        .map(|column| {
            let cells = rows.iter().map(|row| row[column].chars().count());
            cells.chain([header[column].chars().count(), 3]).max().unwrap_or(3).min(WIDEST)
        })
        .collect();
    let rights: Vec<bool> = (0..header.len()).map(|column| table.is_numeric(column)).collect();
    let line = |cells: &[String]| {
        let padded: Vec<String> = cells
            .iter()
            .zip(widths.iter().zip(&rights))
            .map(
                |(cell, (&width, &right))| {
                    if right { format!("{cell:>width$}") } else { format!("{cell:<width$}") }
                },
            )
            .collect();
        format!("| {} |\n", padded.join(" | "))
    };
    let rule: Vec<String> = widths
        .iter()
        .zip(&rights)
        .map(|(&width, &right)| if right { format!("{}:", "-".repeat(width - 1)) } else { "-".repeat(width) })
        .collect();
    let body: String = rows.iter().map(|row| line(row)).collect();
    format!("{}{}{body}", line(&header), line(&rule))
}
