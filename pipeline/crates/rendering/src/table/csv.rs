//! Tables as CSV (RFC 4180), for programs: an estimate takes four columns, its point, the ends of its
//! interval and n.

use super::{Cell, Table};
use platform::plain;
use stats::Estimate;
use text::rounded;

pub(super) fn write(table: &Table) -> String {
    let wide: Vec<bool> = (0..table.header.len()).map(|column| has_estimates(table, column)).collect();
    let mut header = Vec::new();
    for (heading, &wide) in table.header.iter().zip(&wide) {
        header.push(heading.clone());
        if wide {
            header.extend(["low", "high", "n"].map(|part| format!("{heading} {part}")));
        }
    }
    let mut text = line(&header);
    for row in &table.rows {
        let cells = row.iter().zip(&wide).flat_map(|(cell, &wide)| fields(cell, wide));
        text.push_str(&line(&cells.collect::<Vec<_>>()));
    }
    text
}

fn has_estimates(table: &Table, column: usize) -> bool {
    table.rows.iter().any(|row| matches!(row[column], Cell::Estimate(..) | Cell::Counted(..) | Cell::Time(_)))
}

fn fields(cell: &Cell, wide: bool) -> Vec<String> {
    let mut fields = match cell {
        Cell::Estimate(estimate, _) | Cell::Counted(estimate, _) | Cell::Time(estimate) => {
            let Estimate { point, low, high, n, .. } = *estimate;
            return vec![number(point), number(low), number(high), n.to_string()];
        }
        Cell::Count(count) => vec![count.to_string()],
        Cell::Published(_, value) => vec![number(*value)],
        other => vec![literal(&other.text())],
    };
    if wide {
        fields.resize(4, String::new());
    }
    fields
}

/// A number without the digits that mean nothing; nothing where an interval has no end.
fn number(value: f64) -> String {
    if value.is_finite() { rounded(value).to_string() } else { String::new() }
}

pub(crate) fn line(fields: &[String]) -> String {
    let quoted: Vec<String> = fields.iter().map(|field| quote(field)).collect();
    format!("{}\n", quoted.join(","))
}

/// A text that a spreadsheet takes for text. One that begins like a formula, and is no signed number with its
/// unit, gets an apostrophe.
pub(crate) fn literal(text: &str) -> String {
    let is_measure = |letter: char| letter.is_alphanumeric() || " .,%".contains(letter);
    let is_formula = match text.chars().next() {
        Some('=' | '@' | '\t' | '\r') => true,
        Some(sign @ ('+' | '-')) => !text[sign.len_utf8()..].chars().all(is_measure),
        _ => false,
    };
    if is_formula { format!("'{}", plain::text(text)) } else { plain::text(text).into_owned() }
}

fn quote(field: &str) -> String {
    if field.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_is_a_formula() {
        for formula in ["=1+1", "@SUM(A1)", "+cmd|' /C calc'!A0", "-2+3+cmd|' /C calc'!A0", "\t=1"] {
            assert!(literal(formula).starts_with('\''), "{formula}");
        }
        for text in ["+48.2 percentage points", "-1.98 SD", "1 = 1", "", "−3"] {
            assert_eq!(literal(text), text);
        }
    }
}
