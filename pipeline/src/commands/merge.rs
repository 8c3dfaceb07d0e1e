//! `pipeline merge`: the parts of experiments become whole records files, whole ones are taken over, and the parts of studies are brought
//! where their next run takes them up. What cannot be merged keeps nothing else back, and is left as it is.

mod found;

use super::checksums::write_checksums;
use super::failure::chain;
use super::verify_studies::is_study;
use super::{Failure, print_text};
use crate::cli;
use crate::study::{Gathered, gather};
use found::Found;
use jobs::{StoredContext, StoredKind as _};
use platform::atomic;
use platform::confined::ConfinedPath;
use records::index::{Index, IndexEntry};
use records::layout::Layout;
use records::merge::{self, MergeError};
use records::replay_file;
use records::store::Shard;
use records::sums::Scope;
use studies::{STUDY, Studies};
use text::counted;

pub(crate) fn merge(arguments: &cli::Merge) -> Result<(), Failure> {
    let layout = Layout::new(&arguments.out);
    let _lock = layout.lock()?;
    let named = arguments.parts.iter().filter(|part| !part.is_dir());
    named.clone().try_for_each(|part| refuse_study(&ConfinedPath::file(part), &layout))?;
    let Found { parts, wholes, journals, studies, unfinished, mut failures } =
        Found::in_all(&arguments.parts)?;
    let mut text = String::new();
    let mut keep = |merged: Result<String, Failure>| match merged {
        Ok(line) => text.push_str(&line),
        Err(failure) => failures.push(failure),
    };
    journals.iter().for_each(|journal| keep(gather_one(journal, &layout)));
    studies.iter().for_each(|study| keep(take_study(study, &layout)));
    wholes.iter().for_each(|file| keep(take_whole(file, &layout)));
    parts.values().for_each(|parts| keep(merge_parts(parts, &layout)));
    for journal in &unfinished {
        text.push_str(&format!("{}: passed over, since its run is not finished\n", journal.display()));
    }
    if text.is_empty() && failures.is_empty() {
        let text = "there is nothing to merge: no records, no studies and no journals of their parts";
        return Err(Failure::usage(text));
    }
    if layout.index().exists() {
        write_checksums(&layout, Scope::Played)?;
    }
    print_text(&text)?;
    Failure::of_all(failures)
}

/// Merges the parts of one experiment.
fn merge_parts(parts: &[ConfinedPath], layout: &Layout) -> Result<String, Failure> {
    parts.iter().try_for_each(replay)?;
    let merged = merge::merge(parts, layout)?;
    Index::enter(layout, merged.clone())?;
    let IndexEntry { records, games, digest, .. } = merged;
    let (games, parts) = (counted(games, "game"), counted(parts.len() as u64, "part"));
    Ok(format!("{records}: {games} from {parts}; digest {digest}\n"))
}

/// Takes the records of a whole experiment over.
fn take_whole(file: &ConfinedPath, layout: &Layout) -> Result<String, Failure> {
    replay(file)?;
    let (taken, is_new) = merge::take_whole(file, layout)?;
    Index::enter(layout, taken.clone())?;
    let IndexEntry { records, games, digest, .. } = taken;
    let there = if is_new { "" } else { ", there already" };
    Ok(format!("{records}: {} of a whole experiment{there}; digest {digest}\n", counted(games, "game")))
}

/// Replays games, which come from other machines, before they are stored among others.
fn replay(file: &ConfinedPath) -> Result<(), Failure> {
    let replayed = replay_file(file).map_err(MergeError::from)?;
    let Some(problem) = replayed.problems.first() else { return Ok(()) };
    let remedy = "the file is left unchanged: copy it again from the machine that played it";
    Err(Failure::check(format!("{}: {problem}; {remedy}", file.display())))
}

/// Brings the journal of a study's part into the results folder.
fn gather_one(journal: &ConfinedPath, layout: &Layout) -> Result<String, Failure> {
    let Gathered { key, part: Shard { part, of, .. }, trials, path } = gather(journal, layout)?;
    let (trials, path) = (counted(trials as u64, "trial"), path.display());
    Ok(format!("{key}: {trials} of part {part}/{of} in {path}; `pipeline study {key}` takes them up\n"))
}

/// Takes a whole study over, if its seal is whole and no other is there.
fn take_study(file: &ConfinedPath, layout: &Layout) -> Result<String, Failure> {
    let unusable = |error: &dyn std::error::Error| {
        Failure::check(format!(
            "{}; it was left as it is: copy it once more from where it was run",
            chain(error)
        ))
    };
    Studies.check(file, &StoredContext::default()).map_err(|error| unusable(&error))?;
    let key = STUDY.key_at(file).ok_or_else(|| Failure::check(file.display()))?;
    let target = layout.study(&key);
    let (bytes, stored) = (file.read(u64::MAX).map_err(Failure::io)?, target.read(u64::MAX).ok());
    match stored {
        Some(stored) if stored == bytes => Ok(format!("study {}: there already\n", key)),
        Some(_) => Err(Failure::check(format!(
            "{}: there is already another file of this study, {}: compare them with `pipeline verify`, and move one of them away",
            file.display(),
            target.display()
        ))),
        None => {
            atomic::write(&target, &bytes)?;
            Ok(format!("study {}: taken over whole\n", key))
        }
    }
}

/// Fails for the file of a study that is named as a part: it is whole by itself.
fn refuse_study(part: &ConfinedPath, layout: &Layout) -> Result<(), Failure> {
    let Some(key) = STUDY.key_at(part).filter(|_| is_study(part)) else { return Ok(()) };
    Err(Failure::usage(format!(
        "{}: this is a whole study, not a part of one: copy it to {}; parts of a study are STUDY.part-M-of-N.journal",
        part.display(),
        layout.study(&key).display()
    )))
}
