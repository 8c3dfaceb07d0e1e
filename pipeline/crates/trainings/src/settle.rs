//! Experiments whose agents need what has not been learned yet: they wait, as winners wait for their studies.

use engine::abi::host::TrainingInfo;
use manifest::{Experiment, FileSource, Paper, TrainingKey};
use records::key::Key;

use crate::stored::{StoredTrainings, Unknown};

/// An experiment that cannot be played before a training is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Untrained {
    /// The experiment.
    pub experiment: Key,
    /// The training that gives its agent a file.
    pub training: TrainingKey,
    /// Why it is not known which.
    pub reason: Unknown,
}

/// Takes the experiments out of all papers that cannot be played yet. `info` tells of an agent how it is trained, where it is at hand.
pub fn settle<'a>(
    papers: &mut [Paper],
    stored: &StoredTrainings,
    info: impl Fn(&str) -> Option<&'a TrainingInfo>,
) -> Vec<Untrained> {
    let mut untrained = Vec::new();
    for paper in papers {
        let of = |experiment: &Experiment| {
            let lacking = |source: &FileSource| match source {
                FileSource::Sha256(_) => None,
                FileSource::Training(key) => Some((key.clone(), stored.sha256(source, &info).err()?)),
            };
            let (training, reason) = experiment.files.values().find_map(lacking)?;
            let experiment = Key { paper: paper.id.clone(), experiment: experiment.id.clone() };
            Some(Untrained { experiment, training, reason })
        };
        let (mut waiting, mut ready) = (Vec::new(), Vec::new());
        for experiment in std::mem::take(&mut paper.experiments) {
            match of(&experiment) {
                Some(one) => waiting.push(one),
                None => ready.push(experiment),
            }
        }
        paper.experiments = ready;
        untrained.extend(waiting);
    }
    untrained
}

#[cfg(test)]
mod tests {
    use records::layout::Layout;

    use super::*;
    use crate::store;
    use crate::testing::{curve, header, info};

    const PAPER: &str = r#"
        [citation]
        title = "T"
        authors = ["A"]
        [[training]]
        id = "t"
        agent = "a"
        params = { alpha = 0.5 }
        games = 2500
        seed = 7
        [[experiment]]
        id = "learned"
        agent = "a"
        games = 10
        files = { weights = "t" }
        [[experiment]]
        id = "by-hash"
        agent = "a"
        games = 10
        files = { weights = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff" }
        [[experiment]]
        id = "plain"
        agent = "b"
        games = 10
    "#;

    #[test]
    fn experiments_wait_for_their_training_and_the_others_do_not() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("p.toml"), PAPER).unwrap();
        let (layout, info) = (Layout::new(folder.path().join("results")), info());
        let settled = || {
            let mut papers = manifest::load_folder(folder.path()).unwrap();
            let stored = StoredTrainings::read(&papers, &layout);
            let untrained = settle(&mut papers, &stored, |_| Some(&info));
            let ids: Vec<String> = papers[0].experiments.iter().map(|left| left.id.clone()).collect();
            (untrained, ids)
        };
        let (untrained, left) = settled();
        assert_eq!(left, ["by-hash", "plain"]);
        assert_eq!(untrained.len(), 1);
        let Untrained { experiment, training, reason } = &untrained[0];
        assert_eq!((experiment.to_string(), training.to_string()), ("p/learned".into(), "p/t".into()));
        assert_eq!(*reason, Unknown::NotRun);
        store::write(&layout.training(&"p/t".parse().unwrap()), &header(&"aa".repeat(32)), &curve()).unwrap();
        assert_eq!(settled(), (vec![], vec!["learned".into(), "by-hash".into(), "plain".into()]));
    }
}
