//! Rows of texts under a header, for the terminal.

use rendering::tables::Table;

/// Lays rows out under a header; columns of whole numbers are aligned to the right.
pub(crate) fn table(header: &[&str], rows: &[Vec<String>]) -> String {
    Table::of_texts(header, rows).terminal()
}
