//! Checking a bundle against itself: checksums, the cheap check of every job, the artefacts, and everything
//! rendered again.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::Read as _;
use std::path::Path;

use serde::Serialize;

use super::contents::{ARTEFACTS, CONFIGS, RESULTS};
use super::statement::zstd_version;
use super::{BundleError, CHECKSUMS, Contents, OpenBundle, STATEMENT, Statement, archive, checksums};
use engine::abi::host::is_identifier;
use jobs::{CheckedJob, Key, StoredContext};
use manifest::Paper;
use platform::errors::chain;
use platform::hash::file_sha256;
use platform::{ConfinedPath, Scratch};
use project::kinds;
use records::{Index, IndexEntry, Layout, RecordsSummary};
use rendering::render::render;
use trainings::Artefacts;

/// The first bytes of a zstd frame.
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// The outcome of checking a bundle.
#[derive(Clone, Debug, Default, Serialize)]
pub struct BundleCheck {
    /// The bundle's statement about itself, if it can be read.
    pub statement: Option<Statement>,
    /// The SHA-256 of the bundle's file; `None` for a folder.
    pub sha256: Option<String>,
    /// Whether packing the contents again gives the same file, byte for byte; `None` if it was not compared.
    pub is_as_packed: Option<bool>,
    /// The same without compression, which does not depend on the version of zstd.
    pub is_same_tar: Option<bool>,
    /// Why the file was not compared byte for byte, if it was not.
    pub not_compared: Option<String>,
    /// How many files have a checksum.
    pub files: usize,
    /// The files of each kind of job that were checked, by the folder of the kind.
    #[serde(flatten)]
    pub jobs: BTreeMap<&'static str, Vec<CheckedJob>>,
    /// How many artefacts have the content that they are named after.
    pub artefacts: u64,
    /// How many files were rendered again.
    pub rendered: usize,
    /// All problems, each with its file.
    pub problems: Vec<String>,
}

/// Whether a path is a bundle, packed or unpacked.
pub fn is_bundle(path: &Path) -> bool {
    if path.is_dir() {
        return path.join(STATEMENT).is_file() && path.join(CHECKSUMS).is_file();
    }
    // Opening a pipe would block.
    if !path.is_file() {
        return false;
    }
    let mut start = [0; 4];
    let is_zstd = File::open(path).and_then(|mut file| file.read_exact(&mut start)).is_ok() && start == ZSTD;
    is_zstd || path.to_string_lossy().ends_with(".tar.zst")
}

/// Checks a bundle, packed or unpacked.
pub fn check(path: &Path) -> Result<BundleCheck, BundleError> {
    let bundle = OpenBundle::open(path)?;
    let mut checked = BundleCheck { problems: bundle.problems.clone(), ..BundleCheck::default() };
    if bundle.archive.is_some() {
        let sha256 = file_sha256(path).map_err(BundleError::io(path, "read the bundle"))?;
        checked.problems.extend(beside(path, &sha256));
        checked.sha256 = Some(sha256);
    }
    checked.look_at(&bundle);
    if let Some((_, tar_sha256)) = &bundle.archive {
        checked.pack_again(&bundle, tar_sha256.as_ref())?;
    }
    Ok(checked)
}

/// More than a line with a checksum has.
const MOST_BESIDE: u64 = 4096;

/// Compares with the checksum in the file beside a bundle, if there is one.
fn beside(bundle: &Path, sha256: &str) -> Option<String> {
    let mut path = bundle.as_os_str().to_owned();
    path.push(".sha256");
    let text = fs::metadata(&path).ok().filter(|about| about.is_file() && about.len() < MOST_BESIDE);
    let text = text.and_then(|_| fs::read_to_string(&path).ok())?;
    let stated = text.split_whitespace().next().unwrap_or_default();
    (stated != sha256).then(|| {
        format!("{}: it states {stated}, but the bundle's SHA-256 is {sha256}", Path::new(&path).display())
    })
}

impl OpenBundle {
    /// The problems in the index, records, studies, trainings and artefacts.
    ///
    /// A footer can state any number of games, so all games are replayed, which counts them. Trials determine
    /// the winners, so they are verified. Agents load the artefacts, so those are checked too.
    pub fn record_problems(&self) -> Vec<String> {
        let mut checked = BundleCheck { problems: self.index_problems(), ..BundleCheck::default() };
        if checked.problems.is_empty() {
            checked.check_jobs(self);
        }
        checked.problems
    }

    /// The problems in the index. It is a file like any other: it could name records outside of the bundle,
    /// or promise more games than a run could ever play again.
    pub fn index_problems(&self) -> Vec<String> {
        let name = format!("{RESULTS}/index.json");
        if !self.has(&name) {
            return vec![format!("{name}: it is missing")];
        }
        let index = match Index::read(&self.results()) {
            Ok(index) => index,
            Err(error) => return vec![self.problem(&error)],
        };
        let problems = index.experiments.iter().filter_map(|(key, entry)| self.entry_problem(key, entry));
        problems.map(|problem| format!("{name}: {problem}")).collect()
    }

    fn entry_problem(&self, key: &str, entry: &IndexEntry) -> Option<String> {
        let is_plain = |key: &Key| is_identifier(&key.paper) && is_identifier(&key.id);
        if !key.parse().is_ok_and(|key| is_plain(&key)) {
            return Some(format!("`{key}` does not name an experiment"));
        }
        let IndexEntry { records, games, .. } = entry;
        let file = format!("{RESULTS}/records/{records}.parquet");
        let is_there = is_plain(records) && self.has(&file);
        let problem = match is_there.then(|| RecordsSummary::read(&self.folder.join(&file))) {
            None => format!("`records` is `{records}`, which the bundle does not have"),
            Some(Ok(Some(summary))) if summary.games == *games => return None,
            Some(Ok(Some(summary))) => format!("`games` is {games}, but {file} holds {}", summary.games),
            Some(Ok(None)) => format!("{file} is missing"),
            Some(Err(error)) => self.problem(&error),
        };
        Some(format!("experiment `{key}`: {problem}"))
    }
}

impl BundleCheck {
    fn look_at(&mut self, bundle: &OpenBundle) {
        match Statement::read(bundle) {
            Ok(statement) => self.statement = Some(statement),
            Err(error) => self.problems.push(bundle.problem(&error)),
        }
        match checksums::problems(bundle) {
            Ok((files, problems)) => {
                self.files = files;
                self.problems.extend(problems);
            }
            Err(error) => self.problems.push(bundle.problem(&error)),
        }
        self.check_jobs(bundle);
        // An index may name files that the bundle does not have.
        if self.problems.is_empty() {
            self.problems = bundle.index_problems();
        }
        if self.problems.is_empty() {
            self.problems = self.statement_problems(bundle);
            self.render(bundle);
        }
    }

    /// Where the statement differs from the index, the jobs and the artefacts, which must be right.
    fn statement_problems(&self, bundle: &OpenBundle) -> Vec<String> {
        let (Some(statement), Ok(index)) = (&self.statement, Index::read(&bundle.results())) else {
            return Vec::new();
        };
        let mut found = statement.clone();
        found.artefacts = self.artefacts;
        let jobs = kinds().into_iter().flat_map(|kind| {
            let checked = self.jobs.get(kind.words().folder).into_iter().flatten();
            checked.map(move |job| (kind.words().kind, job.stored.rows))
        });
        found.count(&index, jobs);
        let pairs = statement.numbers().into_iter().zip(found.numbers());
        let wrong = pairs.filter(|(stated, found)| stated != found);
        let line = |((key, stated), (_, found))| {
            format!("bundle.json: `{key}` is {stated}, but the results have {found}")
        };
        wrong.map(line).collect()
    }

    /// Packs the files again, and compares: some bits of an archive mean nothing, and only this notices when
    /// one of them is flipped. Without compression that always works; with it, only with the zstd that
    /// compressed the bundle.
    fn pack_again(&mut self, bundle: &OpenBundle, tar_sha256: Option<&String>) -> Result<(), BundleError> {
        let Some(statement) = self.statement.as_ref().filter(|_| self.problems.is_empty()) else {
            self.not_compared = Some("there are problems".to_owned());
            return Ok(());
        };
        let again = archive::as_packed(&Contents::of_bundle(bundle)?, &statement.name, statement.epoch)?;
        let [theirs, ours] = [statement.zstd.clone(), zstd_version()];
        self.is_same_tar = Some(tar_sha256 == Some(&again.tar_sha256));
        if theirs == ours {
            self.is_as_packed = Some(self.sha256.as_ref() == Some(&again.sha256));
        } else {
            self.not_compared = Some(format!(
                "the bundle says that zstd {theirs} compressed it, and this program has zstd {ours}"
            ));
        }
        if [self.is_same_tar, self.is_as_packed].contains(&Some(false)) {
            self.problems.push(
                "the archive differs from what `pipeline bundle` makes of these files, though each file matches its checksum".to_owned(),
            );
        }
        Ok(())
    }

    /// Checks the files of every kind of job by the bundle's own manifests, and every artefact against its
    /// name. After the first kind with problems, others are not checked: damaged files say nothing more.
    fn check_jobs(&mut self, bundle: &OpenBundle) {
        let folder = bundle.folder.join(ARTEFACTS);
        let artefacts = Artefacts::below(&folder);
        for name in bundle.files.iter().filter_map(|name| name.strip_prefix(ARTEFACTS)?.strip_prefix('/')) {
            match artefacts.check(name) {
                Ok(_) => self.artefacts += 1,
                Err(error) => self.problems.push(bundle.problem(&error)),
            }
        }
        let has_others = kinds()[1..].iter().any(|kind| bundle.parquet(kind.words().folder).next().is_some());
        let papers = match has_others.then(|| manifest::load_folder(bundle.folder.join(CONFIGS).path())) {
            Some(Err(error)) => return self.problems.push(bundle.problem(&error)),
            papers => papers.and_then(Result::ok).unwrap_or_default(),
        };
        let context =
            StoredContext { artefacts: Some(folder), may_lack_artefacts: true, ..StoredContext::of(&papers) };
        for kind in kinds() {
            let before = self.problems.len();
            for name in bundle.parquet(kind.words().folder) {
                match kind.check(&bundle.folder.join(name), &context) {
                    Ok(Some(checked)) => {
                        let checked = CheckedJob { file: name.into(), ..checked };
                        self.problems.extend(checked.problem_lines());
                        self.jobs.entry(kind.words().folder).or_default().push(checked);
                    }
                    Ok(None) => {
                        let kind = kind.words().kind;
                        self.problems.push(format!("{name}: no manifest of the bundle has this {kind}"));
                    }
                    Err(error) => self.problems.push(bundle.problem(&error)),
                }
            }
            if self.problems.len() > before {
                return;
            }
        }
    }

    /// Renders everything again. Identities and digests are compared with the index on the way.
    fn render(&mut self, bundle: &OpenBundle) {
        let papers = match manifest::load_folder(bundle.folder.join(CONFIGS).path()) {
            Ok(papers) => papers,
            Err(error) => return self.problems.push(bundle.problem(&error)),
        };
        let (made, differing) = match render_again(&papers, &bundle.results()) {
            Ok(rendered) => rendered,
            Err(error) => return self.problems.push(bundle.problem(&error)),
        };
        self.rendered = made.len();
        self.problems.extend(
            differing
                .iter()
                .map(|name| format!("{RESULTS}/{name}: it differs from what is made again from the records")),
        );
        let is_drawn =
            |name: &str| ["tables/", "figures/", "report/"].iter().any(|part| name.starts_with(part));
        let stored = bundle.files.iter().filter_map(|name| name.strip_prefix("results/"));
        let more = stored.filter(|name| is_drawn(name) && !made.iter().any(|made| made == name));
        self.problems.extend(more.map(|name| format!("{RESULTS}/{name}: it is not made from the records")));
    }
}

/// Renders the records of a results folder in a scratch folder, and compares the files with the stored ones.
/// Returns the names of all files in the results folder, sorted, and of those that differ or are missing.
pub fn render_again(papers: &[Paper], stored: &Layout) -> Result<(Vec<String>, Vec<String>), BundleError> {
    let scratch =
        Scratch::new("retile-render-").map_err(BundleError::io(Path::new("."), "make a scratch folder"))?;
    let again = Layout::new(scratch.path());
    let rendered = render(papers, stored, &again).map_err(|error| BundleError::Damaged(chain(&error)))?;
    let relative =
        |path: &ConfinedPath| path.path().strip_prefix(scratch.path()).ok()?.to_str().map(str::to_owned);
    let files: BTreeSet<String> = rendered.files.iter().filter_map(relative).collect();
    let mut differing = Vec::new();
    for name in &files {
        let path = again.root().join(name);
        let made = path.read(u64::MAX).map_err(BundleError::io(path.path(), "read the file"))?;
        // Reads no more than could match: the stored file may come from somebody else, and may be large.
        if stored.root().join(name).read(made.len() as u64).ok().as_ref() != Some(&made) {
            differing.push(name.clone());
        }
    }
    Ok((files.into_iter().collect(), differing))
}
