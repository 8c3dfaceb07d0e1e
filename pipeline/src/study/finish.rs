//! The end of a study: its trials become one file, and the journals go.

use jobs::identity::Canonical as _;
use std::collections::BTreeMap;
use std::io;

use super::RunStudyError;
use super::journal::{FinishedTrial, TrialJournal};
use crate::journal::Entry as _;
use crate::plan::PlannedStudy;
use platform::confined::ConfinedPath;
use records::layout::Layout;
use records::provenance::Provenance;
use records::record::GameTiming;
use records::store::write_timing;
use studies::TrialRow;
use studies::store::{self, StudyHeader};

/// The file that came of a study.
pub(super) struct Finished {
    pub(super) path: ConfinedPath,
    pub(super) digest: String,
    /// Whether trials that were played again are as they were stored; none where there was nothing to compare.
    pub(super) same_as_stored: Option<bool>,
    pub(super) alarm: Option<String>,
}

/// All that a whole study is made of.
pub(super) struct Whole<'a> {
    pub(super) planned: &'a PlannedStudy,
    pub(super) layout: &'a Layout,
    pub(super) rows: &'a [TrialRow],
    pub(super) there: &'a BTreeMap<u64, FinishedTrial>,
    pub(super) journals: Vec<TrialJournal>,
    pub(super) is_fresh: bool,
}

impl Whole<'_> {
    /// Writes the study's file and what its trials cost, and removes the journals.
    pub(super) fn finish(self, origin: &Provenance) -> Result<Finished, RunStudyError> {
        let planned = self.planned;
        let compared = if self.is_fresh { self.compare()? } else { None };
        let is_other = matches!(compared, Some(Some(_)));
        // Trials that contradict the stored ones do not replace them.
        let path = match is_other {
            true => planned.path.with_extension("differs.parquet"),
            false => planned.path.clone(),
        };
        let mut provenance: Vec<Provenance> = Vec::new();
        for journal in &self.journals {
            provenance.extend(journal.origins().cloned());
        }
        if provenance.is_empty() {
            provenance.push(origin.clone());
        }
        let header = StudyHeader {
            study: planned.key.to_string(),
            identity: planned.identity.stored(),
            manifest: serde_json::to_value(&planned.study).unwrap_or_default(),
            provenance,
        };
        let digest = store::write(&path, &planned.study, &header, self.rows)?;
        if !is_other {
            write_timing(&self.layout.timing(&planned.key, None), &self.timings())?;
        }
        for journal in self.journals {
            remove(journal)?;
        }
        let alarm = compared.clone().flatten().map(|difference| {
            let new = path.display();
            format!(
                "same identity, different trials: {difference}; the stored file is kept, the new one is {new}"
            )
        });
        Ok(Finished { path, digest, same_as_stored: compared.map(|other| other.is_none()), alarm })
    }

    /// What each batch cost, under its number: a study has too many trials to keep the time of each.
    fn timings(&self) -> Vec<GameTiming> {
        let timing = |batch: &[TrialRow]| {
            let trials = batch.iter().filter_map(|row| self.there.get(&row.trial)).map(FinishedTrial::timing);
            let none = GameTiming { game: batch[0].batch.into(), cpu_ns: 0, wall_ns: 0 };
            trials.fold(none, |sum, trial| GameTiming {
                game: sum.game,
                cpu_ns: sum.cpu_ns + trial.cpu_ns,
                wall_ns: sum.wall_ns + trial.wall_ns,
            })
        };
        self.rows.chunk_by(|one, next| one.batch == next.batch).map(timing).collect()
    }

    /// The first difference from stored trials of the same identity, if there is one; none where there are no such trials.
    fn compare(&self) -> Result<Option<Option<String>>, RunStudyError> {
        if !self.planned.status.is_complete() {
            return Ok(None);
        }
        let Some(stored) = store::read(&self.planned.path, &self.planned.study)? else { return Ok(None) };
        let differs = stored.rows.iter().zip(self.rows).find(|(stored, played)| stored != played);
        let lengths = || {
            let (stored, played) = (stored.rows.len(), self.rows.len());
            (stored != played).then(|| format!("{stored} trials are stored, {played} were played"))
        };
        let told =
            |row: &TrialRow| format!("trial {}, which came out otherwise than it is stored", row.trial);
        Ok(Some(differs.map(|(stored, _)| told(stored)).or_else(lengths)))
    }
}

/// Removes a journal. Another part may have done so at the same moment: both have seen the study whole.
pub(super) fn remove(journal: TrialJournal) -> Result<(), RunStudyError> {
    match journal.remove() {
        Err(error) if error.source.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => Ok(removed?),
    }
}
