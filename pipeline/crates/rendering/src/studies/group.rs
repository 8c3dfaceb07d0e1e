//! Studies that are shown together: those that search the same parameters of the same agent for the same
//! objectives, under the same budget. They share their figures.

use manifest::Study;
use search::Importance;

use super::StudyView;

/// Studies of one kind.
#[derive(Clone, Debug)]
pub struct StudyGroup<'a> {
    /// What its figures are called, after the paper: what the studies' ids have in common.
    pub id: String,
    /// What the studies' names have in common.
    pub title: String,
    /// The studies, in the manifest's order.
    pub studies: Vec<&'a StudyView<'a>>,
}

impl<'a> StudyGroup<'a> {
    /// The groups of a paper's studies, in the manifest's order.
    pub fn of_paper(studies: &'a [StudyView<'a>], paper: &str) -> Vec<Self> {
        let mut groups: Vec<Vec<&StudyView<'a>>> = Vec::new();
        for study in studies.iter().filter(|study| study.paper.id == paper) {
            match groups.iter_mut().find(|group| are_alike(group[0].study, study.study)) {
                Some(group) => group.push(study),
                None => groups.push(vec![study]),
            }
        }
        let mut named: Vec<Self> = Vec::new();
        for studies in groups {
            // Those that were not run have a say too: names stay as they are when they are.
            let paper = studies[0].paper;
            let alike: Vec<&Study> =
                paper.studies.iter().filter(|study| are_alike(studies[0].study, study)).collect();
            let mut group = Self { id: common_id(&alike), title: common_name(&alike), studies };
            let taken = named.iter().filter(|other| other.id == group.id).count();
            if taken > 0 {
                group.id = format!("{}-{}", group.id, taken + 1);
            }
            named.push(group);
        }
        named
    }

    /// The first of them, which stands for what all have in common.
    pub fn first(&self) -> &'a StudyView<'a> {
        self.studies[0]
    }

    /// What a study is called among the others.
    pub fn label(&self, study: &StudyView<'_>) -> String {
        let rest = study.study.name().strip_prefix(self.title.as_str()).unwrap_or_default();
        let rest = rest.trim_start_matches([',', ' ']);
        if self.studies.len() == 1 || rest.is_empty() {
            study.study.name().to_owned()
        } else {
            rest.to_owned()
        }
    }

    /// What their batches are called: "iteration" and "iterations".
    pub fn batches(&self) -> (&'static str, &'static str) {
        let name = self.first().study.method.facts().batch_words;
        let is_shared = self.studies.iter().all(|study| study.study.method.facts().batch_words == name);
        if is_shared { name } else { ("batch", "batches") }
    }

    /// How much each parameter matters for each objective, by the trials of all of them.
    pub fn importance(&self) -> Vec<Vec<Importance>> {
        let study = self.first().study;
        let trials: Vec<_> = self
            .studies
            .iter()
            .flat_map(|searched| searched.rows())
            .map(|row| row.to_trial(&study.objectives))
            .collect();
        let of = |objective: usize| search::importance(&study.space, &trials, objective, study.seed);
        (0..study.objectives.len()).map(of).collect()
    }
}

fn are_alike(one: &Study, other: &Study) -> bool {
    one.agent == other.agent
        && one.budget == other.budget
        && one.params == other.params
        && one.space == other.space
        && one.choices == other.choices
        && one.objectives == other.objectives
        && one.rules == other.rules
}

/// What the ids begin with, in whole words.
fn common_id(studies: &[&Study]) -> String {
    let ids: Vec<&str> = studies.iter().map(|study| study.id.as_str()).collect();
    let common = common_words(&ids, "-");
    if common.is_empty() { "studies".to_owned() } else { common }
}

/// What the names begin with, in whole phrases; that of the agent where they have nothing in common.
fn common_name(studies: &[&Study]) -> String {
    let names: Vec<&str> = studies.iter().map(|study| study.name()).collect();
    let common = common_words(&names, ", ");
    if common.is_empty() { studies[0].agent.clone() } else { common }
}

/// The words that all texts begin with.
fn common_words(texts: &[&str], between: &str) -> String {
    let mut common: Vec<&str> = texts[0].split(between).collect();
    for text in &texts[1..] {
        let same = common.iter().zip(text.split(between)).take_while(|(one, other)| **one == *other).count();
        common.truncate(same);
    }
    common.join(between)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_names_have_in_common_ends_with_a_word() {
        let of = |texts: &[&str]| common_words(texts, "-");
        assert_eq!(of(&["genetic-final-2", "genetic-final-2-robust"]), "genetic-final-2");
        assert_eq!(of(&["front-bayes-1", "front-bayes-2", "front-nsga-1"]), "front");
        assert_eq!(of(&["bayes-1", "nsga-1"]), "");
        assert_eq!(of(&["alone"]), "alone");
        let names = ["Final heuristics, two layers, as released", "Final heuristics, two layers, robust"];
        assert_eq!(common_words(&names, ", "), "Final heuristics, two layers");
    }
}
