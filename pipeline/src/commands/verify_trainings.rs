//! `pipeline verify` on trainings: what is wrong with those that are stored, and with the artefacts that they gave.

use platform::confined::ConfinedPath;
use std::path::Path;

use engine::abi::host::TrainingInfo;
use serde::Serialize;

use super::Failure;
use super::context::Context;
use super::failure::chain;
use super::retrain::{Retrained, retrain};
use jobs::Unavailable;
use jobs::{CheckedJob, StoredContext, StoredKind as _};
use manifest::Set;
use platform::threads;
use records::layout::Layout;
use records::tree::Tree;
use text::counted;
use trainings::{Artefacts, ReadTraining, StoredTrainings, TRAINING, Trainings};

/// All that was looked at in trainings.
#[derive(Default, Serialize)]
pub(super) struct VerifiedTrainings {
    /// Those in which nothing is wrong.
    pub(super) checked: Vec<CheckedJob>,
    /// What is wrong with the others, each with its file.
    problems: Vec<String>,
    /// Those that were conducted once more.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    retrained: Vec<Retrained>,
    /// Those that would take too long for that.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    not_retrained: Vec<String>,
}

impl VerifiedTrainings {
    /// Checks trainings against themselves, and against the artefacts that they gave, if those are at hand.
    pub(super) fn check(&mut self, files: &[ConfinedPath], artefacts: Option<&Artefacts>) {
        let artefacts = artefacts.map(|artefacts| artefacts.folder().clone());
        let context = StoredContext { artefacts, ..StoredContext::default() };
        let looked = threads::map(files, |path| Trainings.check(path, &context));
        for checked in looked {
            match checked {
                Ok(checked) => self.checked.extend(checked),
                Err(error) => self.problems.push(chain(&error)),
            }
        }
    }

    /// Notes every training that is not the one of today's manifests and agents, or that has not been conducted.
    pub(super) fn require_current<'a>(
        &mut self,
        stored: &StoredTrainings,
        info: impl Fn(&str) -> Option<&'a TrainingInfo>,
    ) {
        for read in stored.iter() {
            self.problems.extend(not_current(read, info(&read.training.agent)));
        }
    }

    /// Conducts short trainings once more.
    pub(super) fn retrain(&mut self, context: &Context) -> Result<(), Failure> {
        let (retrained, not_retrained) = retrain(context)?;
        self.problems.extend(retrained.iter().filter_map(Retrained::problem));
        (self.retrained, self.not_retrained) = (retrained, not_retrained);
        Ok(())
    }

    /// All problems, one a line.
    pub(super) fn problems(&self) -> impl Iterator<Item = String> {
        self.problems.iter().cloned()
    }

    /// What was checked, a line for people; nothing where there are no trainings.
    pub(super) fn text(&self) -> Option<String> {
        let mut text = checked_words(&self.checked)? + "\n";
        if !self.retrained.is_empty() {
            let same = self.retrained.iter().filter(|retrained| retrained.problem().is_none()).count();
            let of = counted(self.retrained.len() as u64, "training");
            text.push_str(&format!("Ran {of} again: {same} with the same file and learning curve.\n"));
        }
        if !self.not_retrained.is_empty() {
            let names = self.not_retrained.join(", ");
            text.push_str(&format!(
                "Not run again, since it takes long: {names}; `pipeline train --fresh` does.\n"
            ));
        }
        Some(text)
    }
}

/// What is wrong with a training, held against its manifest and, where it is at hand, its agent.
fn not_current(read: &ReadTraining, info: Option<&TrainingInfo>) -> Option<String> {
    let key = read.key.clone();
    match read.current(info) {
        Ok(stored) => {
            let gave = &stored.header.artefact.sha256;
            let asked = read.training.sha256.as_ref().filter(|asked| *asked != gave)?;
            Some(format!("{key}: the manifest says that it gives {asked}, but what is stored gave {gave}"))
        }
        // What is kept for those who ask for it need not be there.
        Err(Unavailable::NotRun) if read.training.set == Set::Extra => None,
        Err(unknown) => Some(unknown.text(&TRAINING, &key)),
    }
}

/// What was checked, in a sentence; nothing where there are no trainings.
pub(super) fn checked_words(trainings: &[CheckedJob]) -> Option<String> {
    (!trainings.is_empty()).then(|| Trainings.summary(trainings))
}

/// The files of all trainings of a results folder.
pub(super) fn stored_trainings(layout: &Layout) -> Result<Vec<ConfinedPath>, Failure> {
    let tree = Tree::of(layout.root()).map_err(Failure::io)?;
    Ok(tree.parquet("trainings").map(|name| layout.root().join(name)).collect())
}

/// Whether a file lies where the trainings of a results folder do.
pub(super) fn is_training(path: &ConfinedPath) -> bool {
    let whole = std::path::absolute(path.path()).unwrap_or_else(|_| path.path().to_owned());
    whole.parent().and_then(Path::parent).is_some_and(|folder| folder.ends_with("trainings"))
}
