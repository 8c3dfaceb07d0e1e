//! The end of a study: its trials become one file, and the journals go.

use jobs::Canonical as _;
use std::io;

use super::journal::{FinishedTrial, TrialJournal, read_all};
use super::study_run::StudyRun;
use crate::job::STUDY;
use crate::journal::JournalEntry as _;
use crate::run::{RowComparison, RunError, StoredFile};
use records::store::write_timing;
use records::{GameTiming, Provenance};
use studies::{StudyHeader, TrialRow, store};

impl StudyRun<'_> {
    /// Writes the complete study's file and the cost of its trials, and removes the journals.
    pub(super) fn finish(&self) -> Result<StoredFile, RunError> {
        let (planned, is_fresh) = (self.planned, self.options.is_fresh);
        let journals = read_all(self.layout, planned, is_fresh)?;
        let comparison = if is_fresh { self.compare()? } else { RowComparison::Nothing };
        let path = comparison.target(&planned.path);
        let mut provenance: Vec<Provenance> =
            journals.iter().flat_map(TrialJournal::origins).cloned().collect();
        if provenance.is_empty() {
            provenance.push(self.origin.clone());
        }
        let header = StudyHeader {
            study: planned.key.to_string(),
            identity: planned.identity.stored(),
            manifest: serde_json::to_value(&planned.study).unwrap_or_default(),
            provenance,
        };
        let digest = store::write(&path, &planned.study, &header, &self.complete.rows)?;
        if !comparison.is_different() {
            write_timing(&self.layout.timing(&planned.key, None), &self.timings())?;
        }
        journals.into_iter().try_for_each(remove)?;
        Ok(comparison.into_file(path, digest, STUDY.stored))
    }

    /// What each batch cost, under its number: a study has too many trials to keep the time of each.
    fn timings(&self) -> Vec<GameTiming> {
        let timing = |batch: &[TrialRow]| {
            let trials =
                batch.iter().filter_map(|row| self.journalled.get(&row.trial)).map(FinishedTrial::timing);
            let none = GameTiming { game: batch[0].batch.into(), cpu_ns: 0, wall_ns: 0 };
            trials.fold(none, |sum, trial| GameTiming {
                game: sum.game,
                cpu_ns: sum.cpu_ns + trial.cpu_ns,
                wall_ns: sum.wall_ns + trial.wall_ns,
            })
        };
        self.complete.rows.chunk_by(|one, next| one.batch == next.batch).map(timing).collect()
    }

    /// Compares the trials with stored ones of the same identity, up to the first difference.
    fn compare(&self) -> Result<RowComparison, RunError> {
        if !self.planned.status.is_complete() {
            return Ok(RowComparison::Nothing);
        }
        let Some(stored) = store::read(&self.planned.path, &self.planned.study)? else {
            return Ok(RowComparison::Nothing);
        };
        let mut pairs = stored.rows.iter().zip(&self.complete.rows);
        let (before, now) = (stored.rows.len(), self.complete.rows.len());
        Ok(match pairs.find(|(stored, played)| stored != played) {
            Some((row, _)) => RowComparison::Different(format!(
                "trial {}, which came out otherwise than it is stored",
                row.trial
            )),
            None if before != now => {
                RowComparison::Different(format!("{before} trials are stored, {now} were played"))
            }
            None => RowComparison::Same,
        })
    }
}

/// Removes a journal. Another part may have removed it at the same moment, since both completed the study.
pub(super) fn remove(journal: TrialJournal) -> Result<(), RunError> {
    match journal.remove() {
        Err(error) if error.source.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => Ok(removed?),
    }
}
