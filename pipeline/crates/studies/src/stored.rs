//! The stored studies of papers, read once for all who need them: winners take their parameters from them,
//! verdicts and figures their trials. Reading checks every mean against the games behind it, which takes
//! seconds for some thousand trials.

use jobs::{Key, StoreError};
use manifest::{Paper, Study};
use platform::threads;
use records::Layout;

use crate::{StoredStudy, store};

/// The studies of some papers, as they are stored.
#[derive(Debug, Default)]
pub struct StoredStudies(pub Vec<ReadStudy>);

/// A study, and what is stored of it.
#[derive(Debug)]
pub struct ReadStudy {
    /// Paper and study.
    pub key: Key,
    /// The study as its manifest has it.
    pub study: Study,
    /// Its trials; `None` if it has not been run to its end.
    pub stored: Result<Option<StoredStudy>, StoreError>,
}

impl StoredStudies {
    /// Reads the studies of papers. A file that cannot be used is no failure yet: who needs it tells what is
    /// wrong.
    pub fn read(papers: &[Paper], layout: &Layout) -> Self {
        let of_paper = |paper: &'_ Paper| -> Vec<(Key, Study)> {
            let key = |study: &Study| Key::new(&paper.id, &study.id);
            paper.studies.iter().map(|study| (key(study), study.clone())).collect()
        };
        let wanted: Vec<(Key, Study)> = papers.iter().flat_map(of_paper).collect();
        let found = threads::map(&wanted, |(key, study)| store::read(&layout.study(key), study));
        let read = |((key, study), stored)| ReadStudy { key, study, stored };
        Self(wanted.into_iter().zip(found).map(read).collect())
    }

    /// Those of one paper, in the order of its manifest.
    pub fn of_paper(&self, paper: &str) -> impl Iterator<Item = &ReadStudy> {
        self.0.iter().filter(move |read| read.key.paper == paper)
    }
}
