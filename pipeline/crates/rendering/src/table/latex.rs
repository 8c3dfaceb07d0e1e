//! Tables as LaTeX, with the rules of the booktabs package; `\input` takes them as they are.

use engine::abi::host::is_plain;

use super::{Cell, Table};

pub(super) fn write(table: &Table) -> String {
    let columns: String =
        (0..table.header.len()).map(|column| if table.is_numeric(column) { 'r' } else { 'l' }).collect();
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
            '\n' | '\t' => escaped.push(' '),
            other if !is_plain(other) => escaped.push(char::REPLACEMENT_CHARACTER),
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every character that LaTeX takes for its own, and what stands for it. Each is also tried between
    /// letters.
    #[test]
    fn every_special_character_is_written_as_itself() {
        let specials = [
            ("&", "\\&"),
            ("%", "\\%"),
            ("$", "\\$"),
            ("#", "\\#"),
            ("_", "\\_"),
            ("{", "\\{"),
            ("}", "\\}"),
            ("~", "\\textasciitilde{}"),
            ("^", "\\textasciicircum{}"),
            ("\\", "\\textbackslash{}"),
            ("<", "$<$"),
            (">", "$>$"),
            ("×", "$\\times$"),
            ("−", "$-$"),
            ("∞", "$\\infty$"),
            ("µ", "$\\mu$"),
            ("²", "$^2$"),
            ("³", "$^3$"),
            ("⁴", "$^4$"),
            ("⁵", "$^5$"),
            ("\n", " "),
            ("\x1b", "\u{fffd}"),
        ];
        for (special, written) in specials {
            assert_eq!(escape(special), written);
            assert_eq!(escape(&format!("a{special}b")), format!("a{written}b"));
        }
        assert_eq!(escape("100 % of $5_000"), "100 \\% of \\$5\\_000");
    }

    #[test]
    fn title_caption_header_and_cells_are_all_escaped() {
        let table = Table {
            id: "t".to_owned(),
            title: "A & B".to_owned(),
            caption: "50 %".to_owned(),
            header: vec!["x_1".to_owned()],
            rows: vec![vec![Cell::Text("\\input{/etc/passwd}".to_owned())]],
        };
        let written = write(&table);
        for part in ["A \\& B. 50 \\%", "x\\_1 \\\\", "\\textbackslash{}input\\{/etc/passwd\\} \\\\"] {
            assert!(written.contains(part), "no {part} in {written}");
        }
    }
}
