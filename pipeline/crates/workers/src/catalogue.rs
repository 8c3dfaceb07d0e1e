//! The catalogue: all agents, and the files that they are in.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use engine::abi::host::AgentInfo;
use serde::Serialize;

use crate::{Launcher, OpenError, WorkerError, WorkerStartError, plugin};

/// The plugins that were found, including those that cannot be opened.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Catalogue {
    /// The plugins that can be opened.
    pub plugins: Vec<Arc<PluginEntry>>,
    /// Those that cannot, with the reason.
    pub broken: Vec<BrokenPlugin>,
}

/// A plugin and its agents.
#[derive(Clone, Debug, Default, Serialize)]
pub struct PluginEntry {
    /// Its file.
    pub file: PathBuf,
    /// The SHA-256 of the file, or of all files that a program's file names.
    pub sha256: String,
    /// The SHA-256 of each data file that its decisions depend on, by role.
    pub files: BTreeMap<String, String>,
    /// Its agents.
    pub agents: Vec<AgentInfo>,
}

/// A file that looks like a plugin and cannot be opened.
#[derive(Clone, Debug, Serialize)]
pub struct BrokenPlugin {
    /// The file.
    pub file: PathBuf,
    /// Why.
    pub reason: String,
}

/// Why the catalogue could not be made.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum CatalogueError {
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error(transparent)]
    Worker(#[from] WorkerStartError),
}

impl Catalogue {
    /// Opens the named files and all plugins of the folders that are searched, each in a worker of its own.
    pub fn discover(launcher: &Launcher, named: &[PathBuf]) -> Result<Self, CatalogueError> {
        let mut files = Vec::new();
        for file in named {
            let unreadable = |source| OpenError::Unreadable { file: file.clone(), source };
            files.push(file.canonicalize().map_err(unreadable)?);
        }
        for found in plugin::find(&plugin::folders())? {
            if !files.iter().any(|file| file.file_name() == found.file_name()) {
                files.push(found);
            }
        }
        Self::of_files(launcher, files)
    }

    /// Opens these files and no others.
    pub fn of_files(launcher: &Launcher, files: Vec<PathBuf>) -> Result<Self, CatalogueError> {
        let mut catalogue = Self::default();
        for file in files {
            catalogue.add(launcher, file)?;
        }
        Ok(catalogue)
    }

    fn add(&mut self, launcher: &Launcher, file: PathBuf) -> Result<(), CatalogueError> {
        let hashed = plugin::sha256(&file).and_then(|sha256| Ok((sha256, plugin::data_sha256(&file)?)));
        let reason = match hashed {
            Err(OpenError::Program(error)) => error.to_string(),
            hashed => {
                let (sha256, files) = hashed?;
                match launcher.start()?.open(&file) {
                    Ok(agents) => {
                        self.plugins.push(Arc::new(PluginEntry { file, sha256, files, agents }));
                        return Ok(());
                    }
                    Err(WorkerError::Refused(reason)) => reason,
                    Err(error) => format!("{}: cannot be opened: {error}", file.display()),
                }
            }
        };
        self.broken.push(BrokenPlugin { file, reason });
        Ok(())
    }

    /// The agent with this id, and the first plugin that has it.
    pub fn find(&self, id: &str) -> Option<(&Arc<PluginEntry>, &AgentInfo)> {
        let mut all =
            self.plugins.iter().flat_map(|plugin| plugin.agents.iter().map(move |agent| (plugin, agent)));
        all.find(|(_, agent)| agent.id == id)
    }

    /// All agents of all plugins.
    pub fn agents(&self) -> Vec<AgentInfo> {
        self.plugins.iter().flat_map(|plugin| plugin.agents.iter().cloned()).collect()
    }

    /// Ids that two plugins have, with both files.
    pub fn clashes(&self) -> Vec<(String, PathBuf, PathBuf)> {
        let mut clashes = Vec::new();
        for (place, plugin) in self.plugins.iter().enumerate() {
            for agent in &plugin.agents {
                let earlier = self.plugins[..place].iter();
                let mut same = earlier.filter(|other| other.agents.iter().any(|known| known.id == agent.id));
                if let Some(other) = same.next() {
                    clashes.push((agent.id.clone(), other.file.clone(), plugin.file.clone()));
                }
            }
        }
        clashes
    }
}
