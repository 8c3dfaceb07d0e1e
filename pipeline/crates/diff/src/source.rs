//! Where the two sides of a diff come from: a revision, a folder, a bundle, or what lies in the work tree.

use std::any::Any;
use std::path::{Path, PathBuf};

use super::git::RevisionReader;
use bundle::contents::CONFIGS;
use bundle::{BundleError, OpenBundle, is_bundle};
use manifest::{self, Paper};
use platform::errors::chain;
use platform::{ConfinedPath, Scratch, plain};
use project::{Project, kinds};
use records::{Index, IndexError, Layout};
use studies::StoredStudies;
use verdict::evidence::Evidence;

/// The folders of the work tree, which revisions have at the same place.
#[derive(Clone, Copy, Debug)]
pub struct WorkTree<'a> {
    /// The results.
    pub results: &'a Path,
    /// The manifests.
    pub configs: &'a Path,
}

/// One side: results and the manifests that belong to them.
#[derive(Debug)]
pub struct Side {
    /// Its label.
    pub label: String,
    /// The commit, if it is a revision.
    pub commit: Option<String>,
    /// Its results.
    pub layout: Layout,
    /// The games in them.
    pub evidence: Evidence,
    /// Whether its experiments are known by the names of their records files alone, since it has no index.
    pub lacks_index: bool,
    /// Its manifests, or why they cannot be read. Its games can be compared all the same.
    pub papers: Result<Vec<Paper>, String>,
    /// The folder that it was unpacked into, which is removed with it.
    _unpacked: Option<Box<dyn Any + Send + Sync>>,
}

/// Why a side cannot be compared.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// Another name or another folder helps.
    #[error("{0}")]
    Usage(String),
    /// A bundle is damaged.
    #[error("{0}")]
    Damaged(String),
    /// A bundle cannot be unpacked.
    #[error(transparent)]
    Bundle(#[from] BundleError),
}

impl Side {
    /// The side that a name means: a folder, a bundle, or else a revision. Files that are the same on the
    /// other side, if there is one already, are not decoded again.
    pub fn named(name: &str, tree: WorkTree<'_>, other: Option<&Self>) -> Result<Self, SourceError> {
        match Path::new(name) {
            path if is_bundle(path) => Self::bundle(name, path, other),
            path if path.is_dir() => Self::folder(name, path, other),
            path if path.is_file() => {
                Err(SourceError::Usage(format!("{name}: this file is neither a results folder nor a bundle")))
            }
            _ => Self::revision(name, &std::env::current_dir().unwrap_or_default(), tree, other),
        }
    }

    /// What lies in the work tree, likewise.
    pub fn work_tree(tree: WorkTree<'_>, other: Option<&Self>) -> Result<Self, SourceError> {
        Self::read("work tree".to_owned(), Layout::new(tree.results), Some(tree.configs.to_owned()), other)
    }

    /// A results folder, or one that holds such a folder as `results`. Manifests are looked for beside the
    /// results.
    fn folder(name: &str, path: &Path, other: Option<&Self>) -> Result<Self, SourceError> {
        let inner = path.join("results");
        let is_around = inner.is_dir() && !Layout::new(path).index().is_file();
        let results = if is_around { inner } else { path.to_owned() };
        let whole = results.canonicalize().unwrap_or_else(|_| results.clone());
        let configs = whole.parent().map(|around| around.join(CONFIGS)).filter(|folder| folder.is_dir());
        Self::read(name.to_owned(), Layout::new(results), configs, other)
    }

    /// A bundle, packed or unpacked. If something of it cannot be read, it is damaged.
    fn bundle(name: &str, path: &Path, other: Option<&Self>) -> Result<Self, SourceError> {
        let damaged = |problem: &str| {
            let (path, problem) = (path.display(), plain::line(problem));
            SourceError::Damaged(format!(
                "{path}: the bundle is damaged: {problem}; `pipeline verify` lists everything that is wrong with it"
            ))
        };
        let bundle = OpenBundle::open(path)?;
        let mut problems = bundle.file_problems()?;
        if problems.is_empty() {
            problems = bundle.index_problems();
        }
        if let Some(problem) = problems.first() {
            return Err(damaged(problem));
        }
        let configs = bundle.folder.join(CONFIGS).path().to_owned();
        let side = Self::read(name.to_owned(), bundle.results(), Some(configs), other);
        let side = side.map_err(|error| damaged(&error.to_string()))?;
        Ok(Self { _unpacked: Some(Box::new(bundle)), ..side })
    }

    /// The results of a revision of the repository around a folder, written into a scratch folder.
    pub(super) fn revision(
        name: &str,
        here: &Path,
        tree: WorkTree<'_>,
        other: Option<&Self>,
    ) -> Result<Self, SourceError> {
        let repository = RevisionReader::around(here, name)?;
        let commit = repository.commit(name)?;
        let short = &commit[..commit.len().min(7)];
        let label = if commit.starts_with(name) { short.to_owned() } else { format!("{name} ({short})") };
        let (results, configs) = (repository.inside(tree.results)?, repository.inside(tree.configs)?);
        let folder = Scratch::new("retile-diff-")
            .map_err(|error| SourceError::Usage(format!("cannot create a temporary folder: {error}")))?;
        let root = ConfinedPath::root(folder.path());
        let (target, manifests) = (root.join("results"), root.join(CONFIGS));
        // Its verdicts too, for manifests that only the program of that time can read.
        let folders = kinds().into_iter().map(|kind| kind.words().folder);
        for part in folders.chain(["timing", "index.json", "claims.json"]) {
            repository.write(&commit, &format!("{results}/{part}"), &target.join(part))?;
        }
        let has_configs = repository.write(&commit, &configs, &manifests)?;
        let configs = has_configs.then(|| manifests.path().to_owned());
        let side = Self::read(label, Layout::below(&target), configs, other)?;
        Ok(Self { commit: Some(commit), _unpacked: Some(Box::new(folder)), ..side })
    }

    fn read(
        label: String,
        layout: Layout,
        configs: Option<PathBuf>,
        other: Option<&Self>,
    ) -> Result<Self, SourceError> {
        // Manifests that an older or newer program wrote may be none to this one.
        let manifests = match configs {
            Some(folder) => manifest::load_folder(&folder).map_err(|error| error.to_string()),
            None => Err("there are no manifests beside the results".to_owned()),
        };
        let (papers, stored) = match manifests {
            Ok(manifests) => {
                let Project { papers, studies, .. } = Project::resolve(manifests, &layout, |_| None);
                (Ok(papers), studies)
            }
            Err(error) => (Err(error), StoredStudies::default()),
        };
        let failed = |error: &dyn std::error::Error| SourceError::Usage(format!("{label}: {}", chain(error)));
        // Results that are older than the index are known by their records files.
        let (index, lacks_index) = match Index::read(&layout) {
            Err(IndexError::Missing { .. }) => (Index::of_records(&layout), true),
            index => (index, false),
        };
        let index = index.map_err(|error| failed(&error))?;
        let has_others =
            || kinds()[1..].iter().any(|kind| layout.root().join(kind.words().folder).is_folder());
        if lacks_index && index.experiments.is_empty() && !has_others() {
            return Err(SourceError::Usage(format!(
                "{label}: it holds no results: there is no index.json, and no records; run `pipeline reproduce` to make both"
            )));
        }
        let known = Evidence::default();
        let known = other.map_or(&known, |other| &other.evidence);
        let evidence = Evidence::of_index(&layout, &index, known)
            .and_then(|evidence| evidence.with_studies(stored, &layout))
            .map_err(|error| failed(&error))?;
        Ok(Self { label, commit: None, layout, evidence, lacks_index, papers, _unpacked: None })
    }
}
