//! The end of an experiment: stored games and journalled games become one records file.

use super::RunError;
use super::report::{RowComparison, StoredFile};
use crate::journal::Journal;
use crate::plan::PlannedExperiment;
use jobs::Status;
use platform::ConfinedPath;
use records::store::{read_timing, write_timing};
use records::{
    Divergence, DivergenceKind, GameRecord, Header, Layout, Provenance, RecordsReader, RecordsSummary,
    RecordsWriter, StoreError,
};

/// Writes the records file and removes the journal.
pub(crate) fn finish(
    planned: &PlannedExperiment,
    layout: &Layout,
    is_fresh: bool,
    journal: Journal,
    origin: &Provenance,
) -> Result<StoredFile, RunError> {
    let comparison = if is_fresh { compare(planned, &journal)? } else { RowComparison::Nothing };
    let path = comparison.target(&planned.path);
    // Records that are the same replace the stored ones: times are measured anew, and stand beside what
    // played.
    let is_same_identity = matches!(planned.status, Status::Partial { .. } | Status::Complete { .. });
    let keeps_stored = !comparison.is_different() && is_same_identity;
    let mut writer = RecordsWriter::create(&path)?;
    let stored = if keeps_stored { Some(RecordsReader::open(&planned.path)?) } else { None };
    let provenance = write_games(&mut writer, stored, is_fresh, &journal, origin)?;
    let digest = writer.finish(&Header {
        experiment: planned.key.to_string(),
        identity: planned.identity.clone(),
        second_signature: planned.second_signature.clone(),
        manifest: serde_json::to_value(&planned.experiment).unwrap_or_default(),
        provenance,
        shard: planned.shard,
    })?;
    if !comparison.is_different() {
        write_timings(&layout.timing(&planned.key, planned.shard), &journal, keeps_stored)?;
    }
    journal.remove()?;
    Ok(comparison.into_file(path, digest, "records"))
}

/// Writes stored and journalled games in their order, and returns where they come from.
fn write_games(
    writer: &mut RecordsWriter,
    stored: Option<RecordsReader>,
    is_fresh: bool,
    journal: &Journal,
    origin: &Provenance,
) -> Result<Vec<Provenance>, RunError> {
    let mut provenance = Vec::new();
    let mut fresh = journal.games().peekable();
    let mut has_new_games = false;
    let mut add = |writer: &mut RecordsWriter, game: u64| -> Result<(), RunError> {
        has_new_games = true;
        Ok(writer.push(&journal.read(game)?.record)?)
    };
    if let Some(mut stored) = stored {
        let theirs = stored.summary.header.provenance.clone();
        for record in stored.games() {
            let record = record?;
            while let Some(game) = fresh.next_if(|&game| game < record.game) {
                add(writer, game)?;
            }
            // Games are in both places if they were played again, or if a run was killed between rename and
            // removal.
            match fresh.next_if_eq(&record.game) {
                Some(game) if is_fresh => add(writer, game)?,
                _ => {
                    writer.push(&record)?;
                    provenance.clone_from(&theirs);
                }
            }
        }
    }
    for game in fresh {
        add(writer, game)?;
    }
    // If a run was killed at its very end, the journal has no new games: all come from where they came
    // before.
    if has_new_games {
        provenance.extend(journal.origins().cloned());
        // A journal from before its titles said where games come from.
        if journal.origins().next().is_none() {
            provenance.push(origin.clone());
        }
    }
    Ok(provenance)
}

fn write_timings(path: &ConfinedPath, journal: &Journal, keeps_stored: bool) -> Result<(), RunError> {
    let mut timings = if keeps_stored { read_timing(path)? } else { Vec::new() };
    timings.retain(|timing| !journal.contains(timing.game));
    timings.extend(journal.timings());
    timings.sort_unstable_by_key(|timing| timing.game);
    Ok(write_timing(path, &timings)?)
}

/// Compares fresh records with stored ones of the same identity, up to the first game that differs.
fn compare(planned: &PlannedExperiment, journal: &Journal) -> Result<RowComparison, RunError> {
    let stored = match RecordsSummary::read(&planned.path) {
        Ok(Some(stored)) => stored,
        Ok(None) => return Ok(RowComparison::Nothing),
        Err(StoreError::Io { .. }) if !planned.path.exists() => return Ok(RowComparison::Nothing),
        Err(error) => return Err(error.into()),
    };
    // Games repeat neither under a wall-clock budget nor with a nondeterministic agent.
    if !planned.differences(&stored.header).is_empty() || !planned.repeats() {
        return Ok(RowComparison::Nothing);
    }
    for record in RecordsReader::open(&planned.path)?.games() {
        let record = record?;
        if journal.contains(record.game) {
            let fresh = journal.read(record.game)?.record;
            if let Some(difference) = difference(&record, &fresh) {
                return Ok(RowComparison::Different(difference));
            }
        }
    }
    Ok(RowComparison::Same)
}

/// In what two records of one game differ, `nodes` apart.
pub(crate) fn difference(stored: &GameRecord, played: &GameRecord) -> Option<String> {
    let Divergence { game, parting } = stored.divergence(played)?;
    Some(match parting {
        DivergenceKind::Move { number, one, other } => {
            format!("game {game}, move {number}: {one} is stored, {other} was played")
        }
        DivergenceKind::Tile { number } => {
            format!("game {game}, move {number}: another tile is stored than was placed after it")
        }
        DivergenceKind::Length { one, other } => {
            format!("game {game}: {one} moves are stored, {other} were played, identical as far as both go")
        }
        DivergenceKind::Outcome { one: (score, ending), other: (played_score, played_ending) } => format!(
            "game {game}: stored score {score} and ending {ending}, played score {played_score} and ending {played_ending}"
        ),
    })
}
