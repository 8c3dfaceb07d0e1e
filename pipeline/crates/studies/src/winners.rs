//! Winners: the experiments that play a study's best points again get their parameters from the stored study.

use jobs::{Blocked, Key, Unavailable};
use manifest::Paper;
use serde_json::{Map, Value};

use crate::outcome::winners;
use crate::{ReadStudy, STUDY, StoredStudies};

/// Gives the experiments that play a study's winners their parameters, and returns those that must wait.
pub fn resolve(paper: &mut Paper, stored: &StoredStudies) -> Vec<Blocked> {
    let mut blocked = Vec::new();
    for read in stored.of_paper(&paper.id) {
        let params = winners_params(read);
        for experiment in &mut paper.experiments {
            let Some(winner) = experiment.winner.as_ref().filter(|winner| winner.study == read.study.id)
            else {
                continue;
            };
            let reason = match params.as_ref().map(|params| params.get(winner.place - 1)) {
                Ok(Some(params)) => {
                    experiment.params.clone_from(params);
                    continue;
                }
                Ok(None) => Unavailable::FewerWinners,
                Err(reason) => reason.clone(),
            };
            let job = Key::new(&paper.id, &experiment.id);
            blocked.push(Blocked { job, kind: &STUDY, by: read.key.clone(), reason });
        }
    }
    blocked
}

/// The parameters of a study's winners, best first.
fn winners_params(read: &ReadStudy) -> Result<Vec<Map<String, Value>>, Unavailable> {
    let stored = Unavailable::or_stored(&read.stored)?;
    let winners = winners(&read.study, &stored.rows);
    Ok(winners.iter().map(|winner| read.study.params_at(winner.point)).collect())
}

#[cfg(test)]
mod tests {
    use manifest::Study;
    use records::Layout;
    use search::Rating;
    use serde_json::json;

    use super::*;
    use crate::fixtures::{header, run, study};
    use crate::store;

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

    fn resolved(paper: &mut Paper, layout: &Layout) -> Vec<Unavailable> {
        let stored = StoredStudies::read(std::slice::from_ref(paper), layout);
        resolve(paper, &stored).into_iter().map(|blocked| blocked.reason).collect()
    }

    #[test]
    fn winners_wait_for_their_study_and_then_have_its_parameters() {
        let folder = tempfile::tempdir().unwrap();
        let layout = Layout::new(folder.path());
        let study = study(Rating::Once);
        let mut waiting = paper(&study);
        assert_eq!(resolved(&mut waiting, &layout), [Unavailable::NotRun, Unavailable::NotRun]);
        let key = Key::new("p", "s");
        let rows = run(&study);
        store::write(&layout.study(&key), &study, &header(&study), &rows).unwrap();
        let mut paper = paper(&study);
        assert_eq!(resolved(&mut paper, &layout), []);
        let best = &winners(&study, &rows)[0];
        let params = &paper.experiments[0].params;
        assert_eq!(*params, study.params_at(best.point));
        assert_eq!(params["fixed"], json!(1));
        assert!(params["choice"].is_string());
    }

    #[test]
    fn a_damaged_study_keeps_its_winners_waiting_and_says_why() {
        let folder = tempfile::tempdir().unwrap();
        let layout = Layout::new(folder.path());
        let study = study(Rating::Once);
        let key = Key::new("p", "s");
        std::fs::create_dir_all(layout.study(&key).parent().unwrap().path()).unwrap();
        std::fs::write(layout.study(&key).path(), "no parquet").unwrap();
        let reasons = resolved(&mut paper(&study), &layout);
        assert!(
            matches!(&reasons[0], Unavailable::Unusable(reason) if reason.contains("s.parquet")),
            "{reasons:?}"
        );
    }
}
