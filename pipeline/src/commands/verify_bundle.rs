//! `pipeline verify BUNDLE`: a bundle, checked with nothing but itself.

use std::path::Path;

use super::{Failure, print_json, print_text};
use crate::bundle::{Checked, check, check_archive};
use crate::format::thousands;

/// The most problems that are told to people: where an archive is cut off, every file behind the cut is missing.
const MOST_PROBLEMS: usize = 10;

pub(super) fn verify_bundle(path: &Path, is_json: bool) -> Result<(), Failure> {
    let checked = if path.is_dir() { check(path)? } else { check_archive(path)? };
    if is_json {
        print_json(&checked)?;
    } else {
        print_text(&text(path, &checked))?;
    }
    match checked.problems.len() {
        0 => Ok(()),
        1 => Err(Failure::check("1 problem was found")),
        count => Err(Failure::check(format!("{count} problems were found"))),
    }
}

fn text(path: &Path, checked: &Checked) -> String {
    let count = |count: u64| thousands(count as f64);
    let games: u64 = checked.records.iter().map(|file| file.games).sum();
    let moves: u64 = checked.records.iter().map(|file| file.moves).sum();
    let mut lines = Vec::new();
    if let Some(statement) = &checked.statement {
        lines.push(format!("{}: commit {}, {}", path.display(), statement.commit, statement.day()));
        lines.extend(statement.warnings());
    }
    if let Some(sha256) = &checked.sha256 {
        lines.push(format!("SHA-256 {sha256}: compare it with the published one."));
    }
    lines.push(format!("Checksums: {} files.", count(checked.files as u64)));
    lines.push(format!(
        "Replayed {} games ({} moves) in {} files.",
        count(games),
        count(moves),
        count(checked.records.len() as u64)
    ));
    lines.push(match checked.rendered {
        0 => "Not rendered anew: files are damaged.".to_owned(),
        made => {
            format!("Rendered anew: {} files of verdicts, tables, figures and report.", count(made as u64))
        }
    });
    if checked.statement.is_some() && checked.sha256.is_some() && checked.is_as_packed.is_none() {
        lines.push(
            "Not packed once more to compare: another zstd made this bundle, or there are problems."
                .to_owned(),
        );
    }
    lines.push(
        "Signatures are not computed again: that takes the agents. `pipeline reproduce --from` plays the games again with them."
            .to_owned(),
    );
    lines.extend(checked.problems.iter().take(MOST_PROBLEMS).map(|problem| format!("  {problem}")));
    if checked.problems.len() > MOST_PROBLEMS {
        lines.push(format!("  and {} more, which --json lists", checked.problems.len() - MOST_PROBLEMS));
    }
    if checked.problems.is_empty() {
        lines.push("All as stored.".to_owned());
    } else if checked.problems.iter().any(|problem| problem.contains("made anew")) {
        lines.push("Another version of the program may render otherwise: the bundle's own is in its folder `source`.".to_owned());
    }
    format!("{}\n", lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bundle_that_is_cut_off_is_told_in_a_few_lines() {
        let problems = (0..800).map(|file| format!("{file}: it is missing")).collect();
        let text = text(Path::new("b.tar.zst"), &Checked { problems, ..Checked::default() });
        assert!(text.lines().count() < 20 && text.contains("  9: it is missing\n  and 790 more"), "{text}");
    }
}
