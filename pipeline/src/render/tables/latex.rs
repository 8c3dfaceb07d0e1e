//! Tables as LaTeX, with the rules of the booktabs package; `\input` takes them as they are.

use super::{Cell, Table};

pub(super) fn write(table: &Table) -> String {
    let columns: String = (0..table.header.len())
        .map(|column| if table.rows.iter().any(|row| row[column].number().is_some()) { 'r' } else { 'l' })
        .collect();
    let header: Vec<String> = table.header.iter().map(|heading| escape(heading)).collect();
    let rows: String = table.rows.iter().map(|row| line(&row.iter().map(cell).collect::<Vec<_>>())).collect();
    format!(
        "% needs \\usepackage{{booktabs}}\n\\begin{{table}}\n\\centering\n\\caption{{{}. {}}}\n\\label{{tab:{}}}\n\
         \\begin{{tabular}}{{{columns}}}\n\\toprule\n{}\\midrule\n{rows}\\bottomrule\n\\end{{tabular}}\n\\end{{table}}\n",
        escape(&table.title),
        escape(&table.caption),
        table.id,
        line(&header),
    )
}

fn cell(cell: &Cell) -> String {
    escape(&cell.text())
}

fn line(cells: &[String]) -> String {
    format!("{} \\\\\n", cells.join(" & "))
}

/// The text with all that means something else in LaTeX written as itself.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => escaped.extend(['\\', letter]),
            '~' => escaped.push_str("\\textasciitilde{}"),
            '^' => escaped.push_str("\\textasciicircum{}"),
            '\\' => escaped.push_str("\\textbackslash{}"),
            '<' => escaped.push_str("$<$"),
            '>' => escaped.push_str("$>$"),
            '×' => escaped.push_str("$\\times$"),
            '−' => escaped.push_str("$-$"),
            '∞' => escaped.push_str("$\\infty$"),
            'µ' => escaped.push_str("$\\mu$"),
            '²' => escaped.push_str("$^2$"),
            '³' => escaped.push_str("$^3$"),
            '⁴' => escaped.push_str("$^4$"),
            '⁵' => escaped.push_str("$^5$"),
            '\n' => escaped.push(' '),
            other => escaped.push(other),
        }
    }
    escaped
}
