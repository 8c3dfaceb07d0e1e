//! `pipeline merge`: the parts of an experiment become one records file; those of a study are brought where its next run takes them up.

use std::path::{Path, PathBuf};

use super::checksums::write_checksums;
use super::verify_studies::is_study;
use super::{Failure, print_text};
use crate::cli;
use crate::study::{Gathered, gather, is_journal_of_part};
use records::index::{Index, IndexEntry};
use records::layout::Layout;
use records::merge;
use records::sums::Scope;
use studies::check::StudyFile;
use verdict::format::counted;

pub(crate) fn merge(arguments: &cli::Merge) -> Result<(), Failure> {
    let layout = Layout::new(&arguments.out);
    let _lock = layout.lock()?;
    if arguments.parts.iter().any(|part| is_journal_of_part(part)) {
        return gather_all(&arguments.parts, &layout);
    }
    arguments.parts.iter().try_for_each(|part| refuse_study(part, &layout))?;
    let merged = merge::merge(&arguments.parts, &layout)?;
    Index::enter(&layout, merged.clone())?;
    write_checksums(&layout, Scope::Played)?;
    let IndexEntry { records, games, digest, .. } = merged;
    print_text(&format!(
        "{records}: {} from {}; digest {digest}\n",
        counted(games, "game"),
        counted(arguments.parts.len() as u64, "part")
    ))
}

/// Brings the journals of a study's parts into the results folder.
fn gather_all(parts: &[PathBuf], layout: &Layout) -> Result<(), Failure> {
    let mut text = String::new();
    for part in parts {
        let Gathered { key, part: (part, of), trials, path } = gather(part, layout)?;
        let trials = counted(trials as u64, "trial");
        text.push_str(&format!(
            "{key}: {trials} of part {part}/{of} in {}; `pipeline study {key}` takes them up\n",
            path.display()
        ));
    }
    print_text(&text)
}

/// Fails for the file of a study, which is whole by itself.
fn refuse_study(part: &Path, layout: &Layout) -> Result<(), Failure> {
    let Some(file) = StudyFile::at(part).ok().filter(|file| is_study(&file.path)) else { return Ok(()) };
    Err(Failure::usage(format!(
        "{}: this is a whole study, not a part of one: copy it to {}; parts of a study are STUDY.part-M-of-N.journal",
        part.display(),
        layout.study(&file.key).display()
    )))
}
