//! The stored trainings of papers, read once for all who need them, and which file an experiment's agent
//! loads.

use engine::abi::host::TrainingInfo;
use jobs::{Key, StoreError, Unavailable};
use manifest::{FileSource, Paper, Training};
use platform::threads;
use records::Layout;

use crate::{StoredTraining, store};

/// The trainings of some papers, as they are stored.
#[derive(Debug, Default)]
pub struct StoredTrainings(Vec<ReadTraining>);

/// A training, and what is stored of it.
#[derive(Debug)]
pub struct ReadTraining {
    /// Paper and training.
    pub key: Key,
    /// The training as its manifest has it.
    pub training: Training,
    /// The result; `None` if it has not run to its end.
    pub stored: Result<Option<StoredTraining>, StoreError>,
}

impl ReadTraining {
    /// The SHA-256 of the file that it gives: what its manifest says, or else what is stored, if that is the
    /// training that the manifest asks for. The agent, where it is at hand, says what it would learn today.
    pub fn sha256(&self, info: Option<&TrainingInfo>) -> Result<String, Unavailable> {
        match &self.training.sha256 {
            Some(sha256) => Ok(sha256.clone()),
            None => self.current(info).map(|stored| stored.header.artefact.sha256.clone()),
        }
    }

    /// What is stored, if it is the training that the manifest asks for.
    pub fn current(&self, info: Option<&TrainingInfo>) -> Result<&StoredTraining, Unavailable> {
        let stored = Unavailable::or_stored(&self.stored)?;
        let differences = stored.header.identity.differences_from(&self.training, info);
        if differences.is_empty() { Ok(stored) } else { Err(Unavailable::Stale(differences)) }
    }
}

impl StoredTrainings {
    /// Reads the trainings of papers. A file that cannot be used is no failure yet: who needs it tells what
    /// is wrong.
    pub fn read(papers: &[Paper], layout: &Layout) -> Self {
        let of_paper = |paper: &'_ Paper| -> Vec<(Key, Training)> {
            let key = |training: &Training| Key::new(&paper.id, &training.id);
            paper.trainings.iter().map(|training| (key(training), training.clone())).collect()
        };
        let wanted: Vec<(Key, Training)> = papers.iter().flat_map(of_paper).collect();
        let found = threads::map(&wanted, |(key, _)| store::read(&layout.training(key)));
        let read = |((key, training), stored)| ReadTraining { key, training, stored };
        Self(wanted.into_iter().zip(found).map(read).collect())
    }

    /// All of them, in the order of the manifests.
    pub fn iter(&self) -> impl Iterator<Item = &ReadTraining> {
        self.0.iter()
    }

    /// One of them.
    pub fn find(&self, key: &Key) -> Option<&ReadTraining> {
        self.0.iter().find(|read| read.key == *key)
    }

    /// The SHA-256 of the file that has a role. `info` tells of an agent how it is trained, where it is at
    /// hand.
    pub fn sha256<'a>(
        &self,
        source: &FileSource,
        info: impl Fn(&str) -> Option<&'a TrainingInfo>,
    ) -> Result<String, Unavailable> {
        match source {
            FileSource::Sha256(sha256) => Ok(sha256.clone()),
            FileSource::Training(key) => {
                let read = self.find(key).ok_or(Unavailable::NotListed)?;
                read.sha256(info(&read.training.agent))
            }
        }
    }
}

impl IntoIterator for StoredTrainings {
    type Item = ReadTraining;
    type IntoIter = std::vec::IntoIter<ReadTraining>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{curve, header, info, training};

    const PAPER: &str = "[citation]\ntitle = \"T\"\nauthors = [\"A\"]\n";

    fn paper(training: Training) -> Paper {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("p.toml");
        std::fs::write(&file, PAPER).unwrap();
        Paper { trainings: vec![training], ..manifest::load(&file).unwrap() }
    }

    fn source(text: &str) -> FileSource {
        text.parse().unwrap()
    }

    #[test]
    fn a_file_is_known_by_its_hash_by_the_manifest_or_by_what_is_stored() {
        let folder = tempfile::tempdir().unwrap();
        let layout = Layout::new(folder.path());
        let (info, hash) = (info(), "ab".repeat(32));
        let of = |training: Training, text: &str| {
            let papers = [paper(training)];
            StoredTrainings::read(&papers, &layout)
                .sha256(&source(text), |agent| (agent == "a").then_some(&info))
        };
        assert_eq!(of(training(), &hash), Ok(hash.clone()));
        assert_eq!(of(training(), "p/t"), Err(Unavailable::NotRun));
        assert_eq!(of(training(), "p/other"), Err(Unavailable::NotListed));
        let pinned = Training { sha256: Some(hash.clone()), ..training() };
        assert_eq!(of(pinned, "p/t"), Ok(hash.clone()), "before anything is stored");
        let path = layout.training(&"p/t".parse().unwrap());
        store::write(&path, &header(&hash), &curve()).unwrap();
        assert_eq!(of(training(), "p/t"), Ok(hash));
        let Err(Unavailable::Stale(differences)) = of(Training { seed: 8, ..training() }, "p/t") else {
            panic!("another seed is another training");
        };
        assert_eq!(differences[0].component, "seed");
        std::fs::write(path.path(), "no parquet").unwrap();
        let told = of(training(), "p/t");
        assert!(matches!(&told, Err(Unavailable::Unusable(told)) if told.contains("t.parquet")), "{told:?}");
    }
}
