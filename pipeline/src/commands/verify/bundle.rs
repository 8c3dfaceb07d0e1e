//! `pipeline verify BUNDLE`: a bundle, checked with nothing but itself.

use std::path::Path;

use super::outcome::problems_found;
use crate::commands::{Failure, print_result};
use ::bundle::{BundleCheck, check};
use platform::plain;
use project::kinds;
use text::counted;

/// The most problems that are told to people: where an archive is cut off, every file behind the cut is
/// missing.
const MOST_PROBLEMS: usize = 10;

pub(super) fn verify_bundle(path: &Path, is_json: bool) -> Result<(), Failure> {
    let checked = check(path)?;
    print_result(is_json, &checked, || text(path, &checked))?;
    problems_found(checked.problems.len())
}

fn text(path: &Path, checked: &BundleCheck) -> String {
    let mut lines = Vec::new();
    if let Some(statement) = &checked.statement {
        lines.push(format!("{}: commit {}, {}", path.display(), statement.commit, statement.day()));
        lines.extend(statement.warnings());
    }
    if let Some(sha256) = &checked.sha256 {
        lines.push(format!("SHA-256 {sha256}: compare it with the published one."));
    }
    lines.push(format!("Checksums: {}.", counted(checked.files as u64, "file")));
    let summaries = kinds().into_iter().filter_map(|kind| {
        let files = checked.jobs.get(kind.words().folder)?;
        (!files.is_empty()).then(|| kind.summary(files))
    });
    lines.extend(summaries);
    lines.extend(left_out(checked));
    lines.push(match checked.rendered {
        0 => "Not rendered again: files are damaged.".to_owned(),
        made => {
            format!(
                "Rendered again: {} of verdicts, tables, figures and report.",
                counted(made as u64, "file")
            )
        }
    });
    lines.push(
        "Signatures are not computed again: that needs the agents. `pipeline reproduce --from` plays the games again with them."
            .to_owned(),
    );
    lines.extend(
        checked.problems.iter().take(MOST_PROBLEMS).map(|problem| format!("  {}", plain::line(problem))),
    );
    if checked.problems.len() > MOST_PROBLEMS {
        lines.push(format!("  and {} more, which --json lists", checked.problems.len() - MOST_PROBLEMS));
    }
    lines.extend(packing(checked));
    if checked.problems.is_empty() {
        lines.push("All as stored.".to_owned());
    } else if checked.problems.iter().any(|problem| problem.contains("made again")) {
        lines.push("Another version of the program may render differently: the bundle's own is in its folder `source`.".to_owned());
    }
    format!("{}\n", lines.join("\n"))
}

/// What is said of artefacts that are not in the bundle; nothing where all are.
fn left_out(checked: &BundleCheck) -> Option<String> {
    let count = checked.statement.as_ref()?.artefacts_left_out.len() as u64;
    (count > 0).then(|| {
        let verb = if count == 1 { "is" } else { "are" };
        format!(
            "{} {verb} not in the bundle, which names {}.",
            counted(count, "artefact"),
            if count == 1 { "it" } else { "them" }
        )
    })
}

/// What packing an archive's files once more shows, and what stays unproven; nothing of a folder, which is no
/// archive.
fn packing(checked: &BundleCheck) -> Option<String> {
    checked.sha256.as_ref()?;
    let reason = plain::line(checked.not_compared.as_deref().unwrap_or_default());
    Some(match (checked.is_as_packed, checked.is_same_tar) {
        (Some(true), _) => "Packed again: the same file, byte for byte.".to_owned(),
        (None, Some(true)) => format!(
            "Packed again: the same archive without compression, so every file, name, mode and time in it is as \
             `pipeline bundle` makes it.\nNOT compared: the compressed bytes, since {reason}. Only the published SHA-256 tells whether this is \
             the published file."
        ),
        (Some(false), _) | (_, Some(false)) => "Packed again: a different file comes out.".to_owned(),
        (None, None) => format!("NOT packed again to compare, since {reason}."),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bundle_that_is_cut_off_is_told_in_a_few_lines() {
        let problems = (0..800).map(|file| format!("{file}: it is missing")).collect();
        let text = text(Path::new("b.tar.zst"), &BundleCheck { problems, ..BundleCheck::default() });
        assert!(text.lines().count() < 20 && text.contains("  9: it is missing\n  and 790 more"), "{text}");
    }
}
