//! Winners: the experiments that play a study's best points again get their parameters from the stored study.

use manifest::{Experiment, Paper, Study};
use records::key::Key;
use serde_json::{Map, Value};

use crate::outcome::winners;
use crate::stored::{ReadStudy, StoredStudies};

/// An experiment that cannot be played yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// The experiment.
    pub experiment: Key,
    /// The study whose winner it plays.
    pub study: Key,
    /// Why that is not known.
    pub reason: Reason,
}

/// Why a winner is not known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The study has not been run to its end.
    NotRun,
    /// Its file cannot be used: it is damaged, or of another study than the manifest asks for.
    Unusable(String),
    /// The study has fewer winners than are played again.
    Fewer,
}

/// Gives the winners' experiments of all papers their parameters, and takes those out that cannot be played yet.
pub fn settle(papers: &mut [Paper], stored: &StoredStudies) -> Vec<Waiting> {
    papers.iter_mut().flat_map(|paper| settle_paper(paper, stored)).collect()
}

fn settle_paper(paper: &mut Paper, stored: &StoredStudies) -> Vec<Waiting> {
    let mut waiting = Vec::new();
    for read in stored.of_paper(&paper.id) {
        let params = winners_params(read);
        for experiment in &mut paper.experiments {
            let Some(place) = place_in(experiment, &read.study) else { continue };
            let found = params.as_ref().map(|params| params.get(place - 1));
            match found {
                Ok(Some(params)) => experiment.params.clone_from(params),
                Ok(None) => waiting.push(wait(experiment, read, Reason::Fewer)),
                Err(reason) => waiting.push(wait(experiment, read, reason.clone())),
            }
        }
    }
    let waits = |experiment: &Experiment| {
        waiting.iter().any(|waiting| waiting.experiment.experiment == experiment.id)
    };
    paper.experiments.retain(|experiment| !waits(experiment));
    waiting
}

/// Which of the study's winners an experiment plays, from 1.
fn place_in(experiment: &Experiment, study: &Study) -> Option<usize> {
    experiment.winner.as_ref().filter(|winner| winner.study == study.id).map(|winner| winner.place)
}

fn wait(experiment: &Experiment, read: &ReadStudy, reason: Reason) -> Waiting {
    let experiment = Key { paper: read.key.paper.clone(), experiment: experiment.id.clone() };
    Waiting { experiment, study: read.key.clone(), reason }
}

/// The parameters of those that won a stored study, best first.
fn winners_params(read: &ReadStudy) -> Result<Vec<Map<String, Value>>, Reason> {
    match &read.stored {
        Ok(Some(stored)) => {
            let winners = winners(&read.study, &stored.rows);
            Ok(winners.iter().map(|winner| read.study.params_at(winner.point)).collect())
        }
        Ok(None) => Err(Reason::NotRun),
        Err(error) => Err(Reason::Unusable(surroundings::errors::chain(error))),
    }
}

#[cfg(test)]
mod tests {
    use records::layout::Layout;
    use search::Rating;
    use serde_json::json;

    use super::*;
    use crate::store::{self, StudyHeader};
    use crate::testing::{identity, run, study};

    const PAPER: &str = r#"
        [citation]
        title = "T"
        authors = ["A"]
        [[experiment]]
        id = "s-best-1"
        agent = "a"
        games = 10
        [[experiment]]
        id = "s-best-2"
        agent = "a"
        games = 10
        [[experiment]]
        id = "other"
        agent = "a"
        games = 10
    "#;

    fn paper(study: &Study) -> Paper {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("p.toml");
        std::fs::write(&file, PAPER).unwrap();
        let mut paper = manifest::load(&file).unwrap();
        for (place, experiment) in (1..=2).zip(&mut paper.experiments) {
            experiment.winner = Some(manifest::Winner { study: study.id.clone(), place });
        }
        paper.studies.push(study.clone());
        paper
    }

    fn settled(papers: &mut [Paper], layout: &Layout) -> Vec<Waiting> {
        let stored = StoredStudies::read(papers, layout);
        settle(papers, &stored)
    }

    fn ids(paper: &Paper) -> Vec<&str> {
        paper.experiments.iter().map(|experiment| experiment.id.as_str()).collect()
    }

    #[test]
    fn winners_wait_for_their_study_and_then_have_its_parameters() {
        let folder = tempfile::tempdir().unwrap();
        let layout = Layout::new(folder.path());
        let study = study(Rating::Once);
        let mut papers = [paper(&study)];
        let waiting = settled(&mut papers, &layout);
        assert_eq!(waiting.iter().map(|waiting| &waiting.reason).collect::<Vec<_>>(), [&Reason::NotRun; 2]);
        assert_eq!(ids(&papers[0]), ["other"]);
        let key = Key { paper: "p".to_owned(), experiment: "s".to_owned() };
        let rows = run(&study);
        let header = StudyHeader {
            study: key.to_string(),
            identity: identity(&study),
            manifest: json!({}),
            provenance: Vec::new(),
        };
        store::write(&layout.study(&key), &study, &header, &rows).unwrap();
        let mut papers = [paper(&study)];
        assert_eq!(settled(&mut papers, &layout), []);
        let best = &winners(&study, &rows)[0];
        assert_eq!(papers[0].experiments[0].params, study.params_at(best.point));
        assert_eq!(papers[0].experiments[0].params["fixed"], json!(1));
        assert!(papers[0].experiments[0].params["choice"].is_string());
    }

    #[test]
    fn a_damaged_study_keeps_its_winners_waiting_and_says_why() {
        let folder = tempfile::tempdir().unwrap();
        let layout = Layout::new(folder.path());
        let study = study(Rating::Once);
        let key = Key { paper: "p".to_owned(), experiment: "s".to_owned() };
        std::fs::create_dir_all(layout.study(&key).parent().unwrap().path()).unwrap();
        std::fs::write(layout.study(&key).path(), "no parquet").unwrap();
        let mut papers = [paper(&study)];
        let waiting = settled(&mut papers, &layout);
        assert!(
            matches!(&waiting[0].reason, Reason::Unusable(told) if told.contains("s.parquet")),
            "{waiting:?}"
        );
    }
}
