//! Where a paper's experiments stand, by id: a paper with thousands of them is asked for one after the other.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::Experiment;

/// The places of experiments by id, noted when one is first asked for. It says nothing that the experiments
/// do not say, so any two of them are equal.
#[derive(Debug, Default)]
pub struct Lookup(OnceLock<BTreeMap<String, usize>>);

impl Lookup {
    /// The first of the experiments with this id.
    pub(super) fn find<'a>(&self, experiments: &'a [Experiment], id: &str) -> Option<&'a Experiment> {
        let places = self.0.get_or_init(|| {
            // From the last to the first, so that of two with one id the first stays.
            experiments.iter().enumerate().rev().map(|(place, known)| (known.id.clone(), place)).collect()
        });
        let noted = places.get(id).and_then(|&place| experiments.get(place)).filter(|known| known.id == id);
        // Experiments may have come or gone since they were noted.
        noted.or_else(|| experiments.iter().find(|known| known.id == id))
    }
}

impl Clone for Lookup {
    /// A copy may be changed, and notes its own.
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl PartialEq for Lookup {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    #[test]
    fn experiments_are_found_by_id_also_after_some_have_come_or_gone() {
        let mut text = "[citation]\ntitle = \"T\"\nauthors = [\"A\"]\nyear = 2026\n".to_owned();
        for id in ["a", "b", "c"] {
            text.push_str(&format!("[[experiment]]\nid = \"{id}\"\nagent = \"random\"\ngames = 1\n"));
        }
        let mut paper = crate::check::paper(Path::new("p.toml"), "p".to_owned(), &text).unwrap();
        let found = |paper: &crate::Paper| {
            ["a", "b", "c", "d"]
                .map(|id| paper.experiment(id).map(|found| found.id.clone()).unwrap_or_default())
        };
        assert_eq!(found(&paper), ["a", "b", "c", ""]);
        let first = paper.experiments.remove(0);
        assert_eq!(found(&paper), ["", "b", "c", ""]);
        paper.experiments.push(crate::Experiment { id: "d".to_owned(), ..first });
        assert_eq!(found(&paper), ["", "b", "c", "d"]);
        assert_eq!(paper.clone(), paper);
    }
}
