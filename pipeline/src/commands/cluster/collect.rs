//! `pipeline cluster collect`: what is complete becomes records.

use serde_json::{Value, json};

use super::super::checksums::write_checksums;
use super::super::context::bar;
use super::super::{Failure, print_json, print_text};
use super::{cancel, submitted};
use crate::cli;
use crate::cluster::collect::{CollectError, Collected};
use crate::cluster::sending::copy_confined;
use crate::cluster::slurm;
use crate::cluster::study;
use crate::cluster::submission::{SentStudy, Submission};
use crate::cluster::workplace::Workplace;
use jobs::Key;
use jobs::StoredJob;
use records::index::Index;
use records::layout::Layout;
use records::sums::Scope;
use text::counted;

pub(super) fn collect(arguments: &cli::Collect) -> Result<(), Failure> {
    let layout = Layout::new(&arguments.out);
    // First, so that a folder that is not there is not made.
    submitted(&layout)?;
    let _lock = layout.lock()?;
    let (workplace, submission) = submitted(&layout)?;
    put_together(&workplace, &submission, &layout, arguments.keep, arguments.json)
}

/// Puts together what is complete, and says what is not.
pub(super) fn put_together(
    workplace: &Workplace,
    submission: &Submission,
    layout: &Layout,
    is_kept: bool,
    is_json: bool,
) -> Result<(), Failure> {
    let progress = bar(submission.experiments.len() as u64, "experiments put together");
    let collected = crate::cluster::collect::collect(workplace, submission, layout, |_| progress.inc(1));
    progress.finish_and_clear();
    let entered: Vec<_> = collected
        .iter()
        .filter_map(|(_, collected)| collected.as_ref().ok())
        .filter(|collected| collected.alarm.is_none())
        .map(|collected| (collected.keys.clone(), collected.entry.clone()))
        .collect();
    if !entered.is_empty() {
        Index::update(layout, &entered)?;
        write_checksums(layout, Scope::Played)?;
    }
    let (taken, missing) = take_studies(workplace, submission, layout)?;
    let is_whole = collected.iter().all(|(_, collected)| collected.is_ok()) && missing.is_empty();
    if is_whole && !is_kept {
        // Such as the rest of a study's chain: what it would run is about to be removed.
        if let Some(queue) = slurm::queue() {
            cancel::end_jobs(workplace, submission, &queue)?;
        }
        workplace.remove().map_err(Failure::io)?;
    }
    match is_json {
        true => {
            print_json(&collected.iter().map(row).chain(taken.iter().map(study_row)).collect::<Vec<_>>())?
        }
        false => print_text(&text(&collected, &taken, is_whole && !is_kept))?,
    }
    let failures = outcome(&collected).err().into_iter().chain(missing);
    Failure::of_all(failures.collect())
}

/// Takes the studies over that are whole, and gives them, and what keeps the others back.
fn take_studies(
    workplace: &Workplace,
    submission: &Submission,
    layout: &Layout,
) -> Result<(Vec<Key>, Vec<Failure>), Failure> {
    let (mut taken, mut missing) = (Vec::new(), Vec::new());
    let from = study::layout(workplace);
    for SentStudy { key, .. } in &submission.studies {
        if !from.study(key).is_file() {
            missing.push(Failure::check(format!(
                "{key}: the study is not whole; `pipeline cluster status` says more"
            )));
            continue;
        }
        let stored = studies::store::summary(&layout.study(key))?;
        let found = studies::store::summary(&from.study(key))?;
        let is_other = |found: &StoredJob| found.key != key.to_string();
        if found.as_ref().is_some_and(is_other) {
            missing.push(Failure::check(format!("{}: it holds another study", from.study(key).display())));
            continue;
        }
        let (stored, found) =
            (stored.map(|one| (one.identity, one.digest)), found.map(|one| (one.identity, one.digest)));
        match (stored, found) {
            (Some((identity, digest)), Some((found, other))) if identity == found && digest != other => {
                missing.push(Failure::check(format!(
                    "{key}: other trials of the same study are stored already; move {} away if they are wrong",
                    layout.study(key).display()
                )));
            }
            _ => {
                copy_confined(&from.study(key), &layout.study(key))?;
                copy_confined(&from.timing(key, None), &layout.timing(key, None))?;
                taken.push(key.clone());
            }
        }
    }
    if !taken.is_empty() {
        write_checksums(layout, Scope::Played)?;
    }
    Ok((taken, missing))
}

fn study_row(key: &Key) -> Value {
    json!({ "study": key, "taken": true })
}

fn row((key, collected): &(Key, Result<Collected, CollectError>)) -> Value {
    match collected {
        Ok(Collected { entry, played, faults, same_as_stored, alarm, .. }) => json!({
            "experiment": key, "games": entry.games, "played": played, "faults": faults, "digest": entry.digest,
            "same_as_stored": same_as_stored, "alarm": alarm,
        }),
        Err(error) => json!({ "experiment": key, "failure": platform::errors::chain(error) }),
    }
}

fn text(collected: &[(Key, Result<Collected, CollectError>)], taken: &[Key], is_removed: bool) -> String {
    let mut text = String::new();
    for (key, collected) in collected {
        let Ok(Collected { entry, played, same_as_stored, .. }) = collected else { continue };
        let same = if *same_as_stored == Some(true) { "; the same games as before" } else { "" };
        text.push_str(&format!("  {key}: {} played; digest {}{same}\n", played, entry.digest));
    }
    let whole = collected.iter().filter(|(_, collected)| collected.is_ok()).count() as u64;
    let games: u64 =
        collected.iter().filter_map(|(_, collected)| Some(collected.as_ref().ok()?.played)).sum();
    if whole == 0 && !collected.is_empty() {
        text.insert_str(0, "No experiment is complete yet.\n");
    } else if !collected.is_empty() {
        let (games, whole) = (counted(games, "game"), counted(whole, "experiment"));
        text.insert_str(0, &format!("Collected {games} of {whole}.\n"));
    }
    for study in taken {
        text.push_str(&format!(
            "Study {study} is whole; `pipeline cluster submit {study}`, or `pipeline run {study}`, plays its winners again.\n"
        ));
    }
    if is_removed {
        text.push_str("Everything is in the results; the work folder is removed.\n");
    }
    text
}

/// Success, unless something is missing, or should never be, or an agent faulted.
fn outcome(collected: &[(Key, Result<Collected, CollectError>)]) -> Result<(), Failure> {
    let failures = collected.iter().filter_map(|(key, collected)| {
        Some(Failure::of_error(collected.as_ref().err()?).of(&key.to_string()))
    });
    Failure::of_all(failures.collect())?;
    let done = || collected.iter().filter_map(|(key, collected)| Some((key, collected.as_ref().ok()?)));
    if let Some((key, alarm)) = done().find_map(|(key, one)| Some((key, one.alarm.as_ref()?))) {
        return Err(Failure::check(format!("{key}: {alarm}")));
    }
    match done().map(|(_, collected)| collected.faults).sum::<u64>() {
        0 => Ok(()),
        1 => Err(Failure::agent("1 game was ended by an agent's fault; its record says how")),
        faults => Err(Failure::agent(format!(
            "{faults} games were ended by an agent's fault; their records say how"
        ))),
    }
}
