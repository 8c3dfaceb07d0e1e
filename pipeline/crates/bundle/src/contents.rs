//! What is in a bundle: manifests, results and source as they are, and beside them what describes them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::metadata::CitationFile;
use super::places::{ZENODO, misplaced};
use super::{
    BundleError, CHECKSUMS, OpenBundle, Repository, STATEMENT, Statement, checksums, readme, ro_crate,
};
use jobs::{Key, StoredJob, Words};
use manifest::Paper;
use platform::ConfinedPath;
use platform::hash::sha256_of;
use records::{Index, Layout, sums};
use serde_json::Value;
use trainings::artefacts::is_sha256;
use trainings::{Artefacts, LARGEST_COMMITTED};

/// The folder of the files that agents load.
pub const ARTEFACTS: &str = "artefacts";
/// The folder of the manifests.
pub const CONFIGS: &str = "paper-configs";
/// The folder of the results.
pub const RESULTS: &str = "results";
/// The folder of the source.
pub const SOURCE: &str = "source";

/// The files of a bundle, by name.
#[derive(Debug, Default)]
pub struct Contents {
    items: BTreeMap<String, BundledFile>,
}

/// A file of a bundle.
#[derive(Debug)]
pub struct BundledFile {
    content: FileContent,
    /// Whether it is a program.
    pub is_executable: bool,
}

#[derive(Debug)]
enum FileContent {
    Bytes(Vec<u8>),
    File(ConfinedPath),
    /// A source file or a manifest. Links in the repository belong to its owner, and are followed.
    Named(PathBuf),
}

impl BundledFile {
    /// Opens the content, and returns its size with a reader. A bundle's file may be large, so it is never
    /// read all at once.
    pub fn open(&self) -> Result<(u64, Box<dyn Read + '_>), BundleError> {
        match &self.content {
            FileContent::Bytes(bytes) => Ok((bytes.len() as u64, Box::new(&**bytes))),
            FileContent::File(path) => self.opened(path.open()),
            FileContent::Named(path) => self.opened(File::open(path)),
        }
    }

    fn opened(&self, file: io::Result<File>) -> Result<(u64, Box<dyn Read + '_>), BundleError> {
        let sized = file.and_then(|file| Ok((file.metadata()?.len(), file)));
        let (size, file) = sized.map_err(BundleError::io(self.path(), "read the file"))?;
        Ok((size, Box::new(file)))
    }

    /// The SHA-256 of the content.
    pub fn sha256(&self) -> Result<String, BundleError> {
        sha256_of(self.open()?.1).map_err(BundleError::io(self.path(), "read the file"))
    }

    fn path(&self) -> &Path {
        match &self.content {
            FileContent::Bytes(_) => Path::new(""),
            FileContent::File(path) => path.path(),
            FileContent::Named(path) => path,
        }
    }
}

impl Contents {
    /// The files of an unpacked bundle.
    pub fn of_bundle(bundle: &OpenBundle) -> Result<Self, BundleError> {
        let mut contents = Self::default();
        for name in &bundle.files {
            let path = bundle.folder.join(name);
            let is_executable =
                path.is_executable().map_err(BundleError::io(path.path(), "read the file"))?;
            contents.add(name, FileContent::File(path), is_executable);
        }
        Ok(contents)
    }

    /// The files by name, sorted.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &BundledFile)> {
        self.items.iter().map(|(name, item)| (name.as_str(), item))
    }

    /// Whether there is a file of this name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.items.contains_key(name)
    }

    fn add(&mut self, name: impl Into<String>, content: FileContent, is_executable: bool) {
        self.items.insert(name.into(), BundledFile { content, is_executable });
    }

    fn add_text(&mut self, name: &str, text: String) {
        self.add(name, FileContent::Bytes(text.into_bytes()), false);
    }
}

/// A job whose file goes into a bundle.
#[derive(Debug)]
pub struct BundledJob {
    /// The words for its kind.
    pub words: &'static Words,
    /// The job. Experiments of equal identity share one file.
    pub key: Key,
    /// Its file.
    pub file: ConfinedPath,
    /// What the file says of itself.
    pub stored: StoredJob,
}

impl BundledJob {
    /// The SHA-256 of the files that the agent loads.
    pub(super) fn loaded(&self) -> impl Iterator<Item = (&String, &str)> {
        let files = self.stored.identity.part("files").and_then(Value::as_object);
        files.into_iter().flatten().filter_map(|(role, sha256)| Some((role, sha256.as_str()?)))
    }
}

/// What a bundle is made from.
#[derive(Debug)]
pub struct BundleInput<'a> {
    /// Where the source is.
    pub repository: &'a Repository,
    /// The folder of the manifests.
    pub configs: &'a Path,
    /// What they say.
    pub papers: &'a [Paper],
    /// Where the results are.
    pub layout: &'a Layout,
    /// The jobs that were verified.
    pub jobs: &'a [BundledJob],
    /// Verdicts, tables, figures and report: the names in the results folder of all that is rendered.
    pub rendered: &'a [String],
    /// Where the files of agents are kept.
    pub artefacts: &'a Artefacts,
    /// Whether they come along, as far as they are small enough for git.
    pub with_artefacts: bool,
    /// What the bundle says of itself.
    pub statement: Statement,
}

impl BundleInput<'_> {
    /// Brings everything together.
    pub fn contents(mut self) -> Result<(Contents, Statement), BundleError> {
        let index = Index::read(self.layout)?;
        self.statement.count(&index, self.jobs.iter().map(|job| (job.words.kind, job.stored.rows)));
        let mut contents = Contents::default();
        self.add_configs(&mut contents)?;
        self.add_results(&mut contents);
        self.add_artefacts(&mut contents)?;
        self.add_sums(&mut contents)?;
        self.statement.left_out = self.add_source(&mut contents)?;
        self.add_descriptions(&mut contents)?;
        let sums = checksums::text(&contents)?;
        contents.add_text(CHECKSUMS, sums);
        Ok((contents, self.statement))
    }

    fn add_configs(&self, contents: &mut Contents) -> Result<(), BundleError> {
        let failed = || BundleError::io(self.configs, "read the folder");
        for entry in fs::read_dir(self.configs).map_err(failed())? {
            let path = entry.map_err(failed())?.path();
            let name =
                path.file_name().and_then(|name| name.to_str()).map(|name| format!("{CONFIGS}/{name}"));
            if let Some(name) = name.filter(|name| misplaced(name).is_none()) {
                contents.add(name, FileContent::Named(path), false);
            }
        }
        Ok(())
    }

    /// The files of the jobs, their times, and what is rendered from them; other files of the folder are not
    /// results.
    fn add_results(&self, contents: &mut Contents) {
        let mut paths = vec![self.layout.index(), self.layout.root().join("README.md")];
        for job in self.jobs {
            let key = job.words.key_at(&job.file);
            paths.extend(key.map(|key| self.layout.timing(&key, None)));
            paths.push(job.file.clone());
        }
        paths.extend(self.rendered.iter().map(|name| self.layout.root().join(name)));
        for path in paths.into_iter().filter(|path| path.exists()) {
            if let Ok(name) = path.path().strip_prefix(self.layout.root().path()) {
                contents.add(format!("{RESULTS}/{}", name.display()), FileContent::File(path.clone()), false);
            }
        }
    }

    /// The files that agents load and those that jobs gave. Files that are too large for git are only named.
    fn add_artefacts(&mut self, contents: &mut Contents) -> Result<(), BundleError> {
        let loaded = self.jobs.iter().flat_map(|job| self.loaded(job));
        let given = self.jobs.iter().filter_map(|job| job.stored.artefact.as_deref());
        for sha256 in loaded.chain(given).collect::<BTreeSet<_>>() {
            match self.artefacts.packed_bytes(sha256) {
                Ok(bytes) if self.with_artefacts && bytes <= LARGEST_COMMITTED => {
                    let file = FileContent::File(self.artefacts.path(sha256));
                    contents.add(format!("{ARTEFACTS}/{sha256}"), file, false);
                    self.statement.artefacts += 1;
                }
                Err(error) if !error.is_missing() => return Err(error.into()),
                Ok(_) | Err(_) => self.statement.artefacts_left_out.push(sha256.to_owned()),
            }
        }
        Ok(())
    }

    /// The files that an agent loads and that a manifest names: others are a program's own.
    fn loaded<'b>(&self, job: &'b BundledJob) -> Vec<&'b str> {
        let paper = self.papers.iter().find(|paper| paper.id == job.key.paper);
        let experiment = paper.and_then(|paper| paper.experiment(&job.key.id));
        let is_named = |role: &String| experiment.is_some_and(|one| one.files.contains_key(role));
        job.loaded().filter(|(role, _)| is_named(role)).map(|(_, sha256)| sha256).collect()
    }

    /// The list of hashes, as far as it is of files that are in the bundle: of each of them, and as it is.
    fn add_sums(&self, contents: &mut Contents) -> Result<(), BundleError> {
        let Some(mut sums) = sums::read(self.layout)? else { return Ok(()) };
        sums.retain(|name, _| contents.items.contains_key(&format!("{RESULTS}/{name}")));
        let is_result = |(name, item)| Some((str::strip_prefix(name, RESULTS)?.strip_prefix('/')?, item));
        for (name, item) in contents.iter().filter_map(is_result) {
            if sums.get(name) != Some(&item.sha256()?) {
                let reason = format!(
                    "it has no hash of {name} as it is now; run `pipeline render` to write the list again"
                );
                return Err(BundleError::form(self.layout.sums().path(), reason));
            }
        }
        contents.add_text(&format!("{RESULTS}/{CHECKSUMS}"), sums::text(&sums));
        Ok(())
    }

    /// Adds the source, and gives the names of files that have no place in a bundle, such as
    /// `.cargo/config.toml`.
    fn add_source(&self, contents: &mut Contents) -> Result<Vec<String>, BundleError> {
        let mut left_out = Vec::new();
        let root = &self.repository.root;
        let [results, artefacts] = [self.layout.root(), self.artefacts.folder()]
            .map(|folder| folder.path().canonicalize().unwrap_or_else(|_| folder.path().to_owned()));
        let is_artefact = |path: &Path| {
            let name = path.strip_prefix(&artefacts).ok().and_then(Path::to_str);
            name.is_some_and(is_sha256)
        };
        for (name, is_executable) in self.repository.files()? {
            let (path, place) = (root.join(&name), format!("{SOURCE}/{name}"));
            match misplaced(&place) {
                _ if path.starts_with(&results) => {}
                // They have a place of their own, or were to be left out.
                _ if is_artefact(&path) => {}
                Some(_) => left_out.push(name),
                None => contents.add(place, FileContent::Named(path), is_executable),
            }
        }
        Ok(left_out)
    }

    fn add_descriptions(&self, contents: &mut Contents) -> Result<(), BundleError> {
        let citation = CitationFile::read(&self.repository.root.join("CITATION.cff"))?;
        contents.add_text(STATEMENT, json(&serde_json::to_value(&self.statement)));
        contents.add_text("CITATION.cff", citation.of_bundle(&self.statement));
        contents.add_text(ZENODO, json(&Ok(citation.zenodo(&self.statement, self.papers))));
        contents.add_text("README.md", readme::text(&self.statement, self.papers, self.jobs));
        let described = ro_crate::CrateInput {
            statement: &self.statement,
            citation: &citation,
            papers: self.papers,
            jobs: self.jobs,
        };
        let metadata = described.metadata(contents)?;
        contents.add_text(ro_crate::METADATA, json(&Ok(metadata)));
        Ok(())
    }
}

fn json(value: &serde_json::Result<Value>) -> String {
    let value = value.as_ref().expect("plain data is JSON");
    format!("{value:#}\n")
}
