//! Experiments whose agents load weights that have not been trained yet.

use engine::abi::host::TrainingInfo;
use jobs::{Blocked, Key};
use manifest::{Experiment, FileSource, Paper};

use crate::{StoredTrainings, TRAINING};

/// The experiments of a paper that wait for a training. `info` describes how an agent learns, if the agent is
/// at hand.
pub fn blocked<'a>(
    paper: &Paper,
    stored: &StoredTrainings,
    info: impl Fn(&str) -> Option<&'a TrainingInfo>,
) -> Vec<Blocked> {
    let waits = |experiment: &Experiment| {
        experiment.files.values().find_map(|source| {
            let FileSource::Training(by) = source else { return None };
            let reason = stored.sha256(source, &info).err()?;
            Some(Blocked {
                job: Key::new(&paper.id, &experiment.id),
                kind: &TRAINING,
                by: by.clone(),
                reason,
            })
        })
    };
    paper.experiments.iter().filter_map(waits).collect()
}

#[cfg(test)]
mod tests {
    use jobs::Unavailable;
    use records::Layout;

    use super::*;
    use crate::fixtures::{curve, header, info};
    use crate::store;

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
        let blocked = || {
            let papers = manifest::load_folder(folder.path()).unwrap();
            blocked(&papers[0], &StoredTrainings::read(&papers, &layout), |_| Some(&info))
        };
        let found = blocked();
        assert_eq!(found.len(), 1);
        let Blocked { job, kind, by, reason } = &found[0];
        assert_eq!(
            (job.to_string(), kind.kind, by.to_string()),
            ("p/learned".into(), "training", "p/t".into())
        );
        assert_eq!(*reason, Unavailable::NotRun);
        store::write(&layout.training(&"p/t".parse().unwrap()), &header(&"aa".repeat(32)), &curve()).unwrap();
        assert_eq!(blocked(), []);
    }
}
