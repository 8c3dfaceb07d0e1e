//! Checking a bundle against itself: checksums, the cheap check of every job, the artefacts, and everything
//! rendered again.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Read as _;
use std::path::Path;

use serde::Serialize;

use super::archive::UnpackedArchive;
use super::checksums::Checksums;
use super::consistency::{index_problems, inside, statement_problems};
use super::contents::{ARTEFACTS, CONFIGS, RESULTS};
use super::listing::parquet;
use super::statement::zstd_version;
use super::{BundleError, CHECKSUMS, Contents, Listing, STATEMENT, Statement, archive, render_again};
use jobs::{CheckedJob, StoredContext};
use platform::confined::ConfinedPath;
use platform::hash::file_sha256;
use platform::scratch::Scratch;
use project::kinds;
use records::layout::Layout;
use trainings::Artefacts;

/// The first bytes of a zstd frame.
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// What came of checking a bundle.
#[derive(Clone, Debug, Default, Serialize)]
pub struct BundleCheck {
    /// What the bundle says of itself, if that can be read.
    pub statement: Option<Statement>,
    /// The SHA-256 of the bundle's file; none where it is a folder.
    pub sha256: Option<String>,
    /// Whether the file is, byte for byte, what packing its contents gives; none where that was not compared.
    pub is_as_packed: Option<bool>,
    /// Whether it is that without compression, which every version of zstd can tell; none where that was not
    /// compared.
    pub is_same_tar: Option<bool>,
    /// Why the file was not compared byte for byte with what packing its contents gives, where it was not.
    pub not_compared: Option<String>,
    /// How many files have a checksum.
    pub files: usize,
    /// The files of each kind of job that were checked, by the folder of the kind.
    #[serde(flatten)]
    pub jobs: BTreeMap<&'static str, Vec<CheckedJob>>,
    /// How many artefacts have the content that they are named after.
    pub artefacts: u64,
    /// How many files were rendered anew.
    pub rendered: usize,
    /// All that is wrong, each with the file that it is in.
    pub problems: Vec<String>,
}

/// Whether a path is a bundle, packed or unpacked.
pub fn is_bundle(path: &Path) -> bool {
    if path.is_dir() {
        return path.join(STATEMENT).is_file() && path.join(CHECKSUMS).is_file();
    }
    // A pipe would keep us waiting.
    if !path.is_file() {
        return false;
    }
    let mut start = [0; 4];
    let is_zstd = File::open(path).and_then(|mut file| file.read_exact(&mut start)).is_ok() && start == ZSTD;
    is_zstd || path.to_string_lossy().ends_with(".tar.zst")
}

/// The results folder of an unpacked bundle.
pub fn results(folder: &ConfinedPath) -> Layout {
    Layout::below(&folder.join(RESULTS))
}

/// Unpacks a bundle into a scratch folder and checks it.
pub fn check_archive(bundle: &Path) -> Result<BundleCheck, BundleError> {
    let cannot = || BundleError::io(bundle, "unpack the bundle");
    let scratch = Scratch::new("retile-check-").map_err(cannot())?;
    let folder = ConfinedPath::root(scratch.path());
    let unpacked = archive::unpack(bundle, &folder)?;
    let sha256 = file_sha256(bundle).map_err(BundleError::io(bundle, "read the bundle"))?;
    let mut checked = BundleCheck { sha256: Some(sha256.clone()), ..BundleCheck::default() };
    checked.problems.extend(unpacked.damage.as_ref().map(ToString::to_string));
    checked.problems.extend(beside(bundle, &sha256));
    checked.look_at(&folder, &unpacked.files);
    checked.pack_again(&folder, &unpacked)?;
    Ok(checked)
}

/// More than a line with a checksum has.
const MOST_BESIDE: u64 = 4096;

/// Compares with the checksum that stands beside a bundle, if one does.
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

/// Checks an unpacked bundle.
pub fn check(folder: &ConfinedPath) -> Result<BundleCheck, BundleError> {
    let listing = Listing::of(folder)?;
    let mut checked = BundleCheck { problems: listing.problems, ..BundleCheck::default() };
    checked.look_at(folder, &listing.files);
    Ok(checked)
}

/// The files of an unpacked bundle, sorted, but for what building its source leaves there.
pub fn files(folder: &ConfinedPath) -> Result<Vec<String>, BundleError> {
    Ok(Listing::of(folder)?.files)
}

/// The problems in the index, records, studies, trainings and artefacts of an unpacked bundle.
///
/// A footer can state any number of games, so all games are replayed, which counts them. Trials determine the
/// winners, so they are verified. Agents load the artefacts, so those are checked too.
pub fn record_problems(folder: &ConfinedPath, files: &[String]) -> Vec<String> {
    let mut checked = BundleCheck { problems: index_problems(folder, files), ..BundleCheck::default() };
    if checked.problems.is_empty() {
        checked.check_jobs(folder, files);
    }
    checked.problems
}

impl BundleCheck {
    fn look_at(&mut self, folder: &ConfinedPath, files: &[String]) {
        match Statement::read(folder, files) {
            Ok(statement) => self.statement = Some(statement),
            Err(error) => self.problem(folder, &error),
        }
        match Checksums::read(folder, files) {
            Ok(sums) => {
                self.files = sums.len();
                self.problems.extend(sums.problems(folder, files));
            }
            Err(error) => self.problem(folder, &error),
        }
        self.check_jobs(folder, files);
        // An index may name files that the bundle does not have.
        if self.problems.is_empty() {
            self.problems = index_problems(folder, files);
        }
        if self.problems.is_empty() {
            let problems_of = |statement: &Statement| statement_problems(statement, folder, self);
            let problems = self.statement.iter().flat_map(problems_of).collect();
            self.problems = problems;
            self.render(folder, files);
        }
    }

    /// Packs what was unpacked once more, and compares: some bits of an archive mean nothing, and only this
    /// notices when one of them is flipped. Without compression that can always be done; with it, only by the
    /// zstd that compressed the bundle.
    fn pack_again(&mut self, folder: &ConfinedPath, unpacked: &UnpackedArchive) -> Result<(), BundleError> {
        let Some(statement) = self.statement.as_ref().filter(|_| self.problems.is_empty()) else {
            self.not_compared = Some("there are problems".to_owned());
            return Ok(());
        };
        let contents = Contents::of_folder(folder, &unpacked.files)?;
        let again = archive::as_packed(&contents, &statement.name, statement.epoch)?;
        let [theirs, ours] = [statement.zstd.clone(), zstd_version()];
        self.is_same_tar = Some(unpacked.tar_sha256.as_ref() == Some(&again.tar_sha256));
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
    fn check_jobs(&mut self, folder: &ConfinedPath, files: &[String]) {
        let artefacts = Artefacts::below(&folder.join(ARTEFACTS));
        for name in files.iter().filter_map(|name| name.strip_prefix(ARTEFACTS)?.strip_prefix('/')) {
            match artefacts.check(name) {
                Ok(_) => self.artefacts += 1,
                Err(error) => self.problem(folder, &error),
            }
        }
        let has_others = kinds()[1..].iter().any(|kind| parquet(files, kind.words().folder).next().is_some());
        let papers = match has_others.then(|| manifest::load_folder(folder.join(CONFIGS).path())) {
            Some(Err(error)) => return self.problem(folder, &error),
            papers => papers.and_then(Result::ok).unwrap_or_default(),
        };
        let artefacts = Some(folder.join(ARTEFACTS));
        let context = StoredContext { artefacts, may_lack_artefacts: true, ..StoredContext::of(&papers) };
        for kind in kinds() {
            let before = self.problems.len();
            for name in parquet(files, kind.words().folder) {
                match kind.check(&folder.join(name), &context) {
                    Ok(Some(checked)) => {
                        let checked = CheckedJob { file: name.into(), ..checked };
                        self.problems.extend(checked.problem_lines());
                        self.jobs.entry(kind.words().folder).or_default().push(checked);
                    }
                    Ok(None) => {
                        let kind = kind.words().kind;
                        self.problems.push(format!("{name}: no manifest of the bundle has this {kind}"));
                    }
                    Err(error) => self.problem(folder, &error),
                }
            }
            if self.problems.len() > before {
                return;
            }
        }
    }

    /// Renders everything anew. Identities and digests are compared with the index on the way.
    fn render(&mut self, folder: &ConfinedPath, files: &[String]) {
        let papers = match manifest::load_folder(folder.join(CONFIGS).path()) {
            Ok(papers) => papers,
            Err(error) => return self.problem(folder, &error),
        };
        match render_again(&papers, &results(folder)) {
            Err(error) => self.problem(folder, &error),
            Ok(rendered) => {
                self.rendered = rendered.files.len();
                let differing = rendered.differing.iter();
                self.problems.extend(differing.map(|name| {
                    format!("{RESULTS}/{name}: it differs from what is made again from the records")
                }));
                let is_made = |name: &str| rendered.files.iter().any(|made| made == name);
                let of_rendering = ["tables/", "figures/", "report/"];
                let stored = files.iter().filter_map(|name| name.strip_prefix("results/"));
                let more = stored
                    .filter(|name| of_rendering.iter().any(|part| name.starts_with(part)) && !is_made(name));
                self.problems
                    .extend(more.map(|name| format!("{RESULTS}/{name}: it is not made from the records")));
            }
        }
    }

    /// Notes an error and its causes, with names from the bundle's folder.
    fn problem(&mut self, folder: &ConfinedPath, error: &dyn std::error::Error) {
        self.problems.push(inside(folder, error));
    }
}
