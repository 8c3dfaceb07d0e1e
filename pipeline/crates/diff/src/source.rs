//! Where the two sides of a diff come from: a revision, a folder, a bundle, or what lies in the work tree.

use std::path::{Path, PathBuf};

use super::git::{GitError, RevisionReader};
use bundle::contents::CONFIGS;
use bundle::{BundleError, Listing, archive, checksum_problems, index_problems, is_bundle, results};
use manifest::{self, ManifestError, Paper};
use platform::confined::ConfinedPath;
use platform::plain;
use platform::scratch::Scratch;
use project::{Project, kinds};
use records::index::{Index, IndexError};
use records::layout::Layout;
use studies::StoredStudies;
use verdict::evidence::{Evidence, EvidenceError};

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
    /// What it is called.
    pub label: String,
    /// The commit, where it is a revision.
    pub commit: Option<String>,
    /// Its results.
    pub layout: Layout,
    /// The games in them.
    pub evidence: Evidence,
    /// Whether its experiments are known by the names of their records files alone, since it has no index.
    pub lacks_index: bool,
    /// Its manifests, or why there are none.
    pub papers: Result<Vec<Paper>, NoPapers>,
    /// Holds what was unpacked, as long as the side is looked at.
    _unpacked: Option<Scratch>,
}

/// Why a side has no manifests. Its games can be compared all the same.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum NoPapers {
    #[error("there are no manifests beside the results")]
    Absent,
    // What an older or newer program wrote may be no manifest to this one.
    #[error(transparent)]
    Unreadable(#[from] ManifestError),
}

/// Why a side cannot be looked at.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum SourceError {
    #[error(transparent)]
    Git(#[from] GitError),
    #[error(
        "{label}: it holds no results: there is no index.json, and no records; run `pipeline reproduce` to make both"
    )]
    NoResults { label: String },
    #[error("{}: this file is neither a results folder nor a bundle", path.display())]
    File { path: PathBuf },
    #[error("{}: the bundle cannot be unpacked: {source}", path.display())]
    Bundle { path: PathBuf, source: Box<BundleError> },
    #[error("{}: the bundle is damaged: {}; `pipeline verify` lists everything that is wrong with it", path.display(), plain::line(problem))]
    Damaged { path: PathBuf, problem: String },
    #[error("cannot create a temporary folder")]
    Temporary(#[source] std::io::Error),
    #[error("{label}: {source}")]
    Evidence { label: String, source: EvidenceError },
}

/// Fails where there is something wrong with a bundle.
fn require_none(path: &Path, problems: &[String]) -> Result<(), SourceError> {
    let damaged = |problem: &String| SourceError::Damaged { path: path.to_owned(), problem: problem.clone() };
    problems.first().map_or(Ok(()), |problem| Err(damaged(problem)))
}

impl Side {
    /// The side that a name means: a folder, a bundle, or else a revision. Of files that are the same on the
    /// other side, where there is one already, nothing is decoded again.
    pub fn named(name: &str, tree: WorkTree<'_>, other: Option<&Self>) -> Result<Self, SourceError> {
        let path = Path::new(name);
        if path.is_dir() {
            Self::folder(name, path, other)
        } else if path.is_file() {
            Self::bundle(name, path, other)
        } else {
            let here = std::env::current_dir().map_err(SourceError::Temporary)?;
            Self::revision(name, &here, tree, other)
        }
    }

    /// What lies in the work tree, likewise.
    pub fn work_tree(tree: WorkTree<'_>, other: Option<&Self>) -> Result<Self, SourceError> {
        Self::read("work tree".to_owned(), Layout::new(tree.results), Some(tree.configs.to_owned()), other)
    }

    /// A folder of results, or one that holds such a folder as `results`. Manifests are looked for beside the
    /// results.
    fn folder(name: &str, path: &Path, other: Option<&Self>) -> Result<Self, SourceError> {
        if is_bundle(path) {
            let broken = |source| SourceError::Bundle { path: path.to_owned(), source: Box::new(source) };
            let listing = Listing::of(&ConfinedPath::root(path)).map_err(broken)?;
            require_none(path, &listing.problems)?;
            return Self::unpacked(name, (path, &ConfinedPath::root(path)), &listing.files, other);
        }
        let inner = path.join("results");
        let is_around = inner.is_dir() && !Layout::new(path).index().is_file();
        let results = if is_around { inner } else { path.to_owned() };
        let whole = results.canonicalize().unwrap_or_else(|_| results.clone());
        let configs =
            whole.parent().map(|around| around.join("paper-configs")).filter(|folder| folder.is_dir());
        Self::read(name.to_owned(), Layout::new(results), configs, other)
    }

    /// A bundle, unpacked into a temporary folder.
    fn bundle(name: &str, path: &Path, other: Option<&Self>) -> Result<Self, SourceError> {
        if !path.to_string_lossy().ends_with(".tar.zst") {
            return Err(SourceError::File { path: path.to_owned() });
        }
        let folder = Scratch::new("retile-diff-").map_err(SourceError::Temporary)?;
        let broken = |source| SourceError::Bundle { path: path.to_owned(), source: Box::new(source) };
        let unpacked = archive::unpack(path, &ConfinedPath::root(folder.path())).map_err(broken)?;
        let damage: Vec<String> = unpacked.damage.iter().map(ToString::to_string).collect();
        require_none(path, &damage)?;
        let mut side =
            Self::unpacked(name, (path, &ConfinedPath::root(folder.path())), &unpacked.files, other)?;
        side._unpacked = Some(folder);
        Ok(side)
    }

    /// The bundle at a path, unpacked in a folder with these files. What cannot be read of it is damaged.
    fn unpacked(
        name: &str,
        (path, folder): (&Path, &ConfinedPath),
        files: &[String],
        other: Option<&Self>,
    ) -> Result<Self, SourceError> {
        let broken = |source| SourceError::Bundle { path: path.to_owned(), source: Box::new(source) };
        require_none(path, &checksum_problems(folder, files).map_err(broken)?)?;
        require_none(path, &index_problems(folder, files))?;
        Self::read(name.to_owned(), results(folder), Some(folder.join(CONFIGS).path().to_owned()), other)
            .map_err(|error| SourceError::Damaged { path: path.to_owned(), problem: error.to_string() })
    }

    /// The results that a revision of the repository around a folder has, written into a temporary one.
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
        let folder = Scratch::new("retile-diff-").map_err(SourceError::Temporary)?;
        let root = ConfinedPath::root(folder.path());
        let target = root.join("results");
        // Its verdicts too, for manifests that only the program of that time can read.
        for name in ["index.json", "claims.json"] {
            let path = format!("{results}/{name}");
            if repository.has(&commit, &path)? {
                repository.write_file(&commit, &path, &target.join(name))?;
            }
        }
        let folders = kinds().into_iter().map(|kind| kind.words().folder);
        for part in folders.chain(["timing"]) {
            let path = format!("{results}/{part}");
            if repository.has(&commit, &path)? {
                repository.write_folder(&commit, &path, &target.join(part))?;
            }
        }
        let has_configs = repository.has(&commit, &configs)?;
        let manifests = root.join("paper-configs");
        if has_configs {
            repository.write_folder(&commit, &configs, &manifests)?;
        }
        let mut side = Self::read(
            label,
            Layout::below(&target),
            has_configs.then(|| manifests.path().to_owned()),
            other,
        )?;
        side.commit = Some(commit);
        side._unpacked = Some(folder);
        Ok(side)
    }

    fn read(
        label: String,
        layout: Layout,
        configs: Option<PathBuf>,
        other: Option<&Self>,
    ) -> Result<Self, SourceError> {
        let manifests = match configs {
            Some(folder) => manifest::load_folder(&folder).map_err(NoPapers::from),
            None => Err(NoPapers::Absent),
        };
        let (papers, stored) = match manifests {
            Ok(manifests) => {
                let Project { papers, studies, .. } = Project::resolve(manifests, &layout, |_| None);
                (Ok(papers), studies)
            }
            Err(error) => (Err(error), StoredStudies::default()),
        };
        let failed = |source| SourceError::Evidence { label: label.clone(), source };
        let (index, lacks_index) = index(&layout).map_err(|error| failed(error.into()))?;
        let has_others =
            || kinds()[1..].iter().any(|kind| layout.root().join(kind.words().folder).is_folder());
        if lacks_index && index.experiments.is_empty() && !has_others() {
            return Err(SourceError::NoResults { label });
        }
        let known = Evidence::default();
        let known = other.map_or(&known, |other| &other.evidence);
        let evidence = Evidence::of_index(&layout, &index, known)
            .and_then(|evidence| evidence.with_studies(stored, &layout))
            .map_err(failed)?;
        Ok(Self { label, commit: None, layout, evidence, lacks_index, papers, _unpacked: None })
    }
}

/// The index of a results folder, or what its records say where it is older than the index; and whether that
/// is so.
fn index(layout: &Layout) -> Result<(Index, bool), IndexError> {
    match Index::read(layout) {
        Err(IndexError::Missing { .. }) => Ok((Index::of_records(layout)?, true)),
        index => Ok((index?, false)),
    }
}
