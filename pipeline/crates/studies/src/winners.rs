//! Winners: the experiments that play a study's best points again get their parameters from the stored study.

use manifest::{Experiment, Paper, Study};
use records::key::Key;
use records::layout::Layout;
use search::Point;

use crate::error::StudyError;
use crate::outcome::winners;
use crate::store;

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
pub fn settle(papers: &mut [Paper], layout: &Layout) -> Vec<Waiting> {
    papers.iter_mut().flat_map(|paper| settle_paper(paper, layout)).collect()
}

fn settle_paper(paper: &mut Paper, layout: &Layout) -> Vec<Waiting> {
    let mut waiting = Vec::new();
    for study in &paper.studies {
        let key = Key { paper: paper.id.clone(), experiment: study.id.clone() };
        let points = stored_winners(study, &layout.study(&key));
        for experiment in &mut paper.experiments {
            if let Some(place) = place_in(experiment, study)
                && let Err(reason) = settle_one(experiment, study, place, &points)
            {
                let experiment = Key { paper: paper.id.clone(), experiment: experiment.id.clone() };
                waiting.push(Waiting { experiment, study: key.clone(), reason });
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

fn settle_one(
    experiment: &mut Experiment,
    study: &Study,
    place: usize,
    points: &Result<Option<Vec<Point>>, StudyError>,
) -> Result<(), Reason> {
    let points = match points {
        Ok(Some(points)) => points,
        Ok(None) => return Err(Reason::NotRun),
        Err(error) => return Err(Reason::Unusable(surroundings::errors::chain(error))),
    };
    let point = points.get(place - 1).ok_or(Reason::Fewer)?;
    experiment.params = study.params_at(point);
    Ok(())
}

/// The points that won a stored study, best first; none where it has not been run to its end.
fn stored_winners(study: &Study, path: &std::path::Path) -> Result<Option<Vec<Point>>, StudyError> {
    let stored = store::read(path, study)?;
    Ok(stored
        .map(|stored| winners(study, &stored.rows).into_iter().map(|winner| winner.point.clone()).collect()))
}

#[cfg(test)]
mod tests {
    use search::Rating;
    use serde_json::json;

    use super::*;
    use crate::store::StudyHeader;
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

    fn ids(paper: &Paper) -> Vec<&str> {
        paper.experiments.iter().map(|experiment| experiment.id.as_str()).collect()
    }

    #[test]
    fn winners_wait_for_their_study_and_then_have_its_parameters() {
        let folder = tempfile::tempdir().unwrap();
        let layout = Layout::new(folder.path());
        let study = study(Rating::Once);
        let mut papers = [paper(&study)];
        let waiting = settle(&mut papers, &layout);
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
        assert_eq!(settle(&mut papers, &layout), []);
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
        std::fs::create_dir_all(layout.study(&key).parent().unwrap()).unwrap();
        std::fs::write(layout.study(&key), "no parquet").unwrap();
        let mut papers = [paper(&study)];
        let waiting = settle(&mut papers, &layout);
        assert!(
            matches!(&waiting[0].reason, Reason::Unusable(told) if told.contains("s.parquet")),
            "{waiting:?}"
        );
    }
}
