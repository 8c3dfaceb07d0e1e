//! The files that agents load: which one has a role, and where it is. Missing or damaged files are reported
//! before anything is played.

use std::collections::BTreeMap;

use engine::abi::host::TrainingInfo;
use manifest::FileSource;
use trainings::{ArtefactError, Artefacts, StoredTrainings, TRAINING};
use workers::{AgentFile, Catalogue, Files};

/// Finds agents' files.
#[derive(Clone, Copy)]
pub struct AgentFiles<'a> {
    /// The stored trainings of all papers.
    pub trainings: &'a StoredTrainings,
    /// Where the files are kept.
    pub artefacts: &'a Artefacts,
}

/// A file that an agent cannot load.
#[derive(Debug, thiserror::Error)]
#[error("file `{role}`{}: {reason}", which(sha256.as_deref()))]
pub struct FileError {
    /// Its role.
    pub role: String,
    /// The SHA-256 of its content, if that is known.
    pub sha256: Option<String>,
    /// Why not, and the remedy.
    reason: String,
}

fn which(sha256: Option<&str>) -> String {
    sha256.map_or_else(String::new, |sha256| format!(" with the SHA-256 {sha256}"))
}

/// How an agent is trained; `None` if it is not at hand, or cannot be trained.
pub(crate) fn training_info<'a>(catalogue: &'a Catalogue, agent: &str) -> Option<&'a TrainingInfo> {
    catalogue.find(agent).and_then(|(_, agent)| agent.training.as_ref())
}

impl AgentFiles<'_> {
    /// The SHA-256 of each file, by its role, if it is known.
    pub(super) fn hashes(
        &self,
        catalogue: &Catalogue,
        sources: &BTreeMap<String, FileSource>,
    ) -> BTreeMap<String, Option<String>> {
        let hash = |source| self.trainings.sha256(source, |agent| training_info(catalogue, agent)).ok();
        sources.iter().map(|(role, source)| (role.clone(), hash(source))).collect()
    }

    /// The files, each where it lies and with the content that it should have.
    pub(crate) fn find(
        &self,
        catalogue: &Catalogue,
        sources: &BTreeMap<String, FileSource>,
    ) -> Result<Files, FileError> {
        let find = |(role, source): (&String, &FileSource)| {
            let info = |agent: &str| training_info(catalogue, agent);
            let sha256 = self.trainings.sha256(source, info).map_err(|unavailable| {
                let reason = match source {
                    FileSource::Training(training) => unavailable.text(&TRAINING, training),
                    FileSource::Sha256(_) => unreachable!("a hash is known"),
                };
                FileError { role: role.clone(), sha256: None, reason }
            })?;
            match self.artefacts.find(&sha256) {
                Ok(path) => {
                    // A program has another working folder, and a node of a cluster may have.
                    let path = path.absolute().unwrap_or(path);
                    Ok((role.clone(), AgentFile { path, sha256 }))
                }
                Err(error) => {
                    let reason = format!("{error}; {}", remedy(source, &error));
                    Err(FileError { role: role.clone(), sha256: Some(sha256), reason })
                }
            }
        };
        sources.iter().map(find).collect()
    }
}

/// The command that makes or finds a file.
fn remedy(source: &FileSource, error: &ArtefactError) -> String {
    let again = if error.is_missing() { "" } else { " again" };
    match source {
        FileSource::Training(training) => {
            format!("restore it, or make it{again} with `pipeline train {training}`")
        }
        FileSource::Sha256(_) => {
            "restore it, or name the folder that has it with --artefacts; `pipeline artefacts` lists what there is"
                .to_owned()
        }
    }
}
