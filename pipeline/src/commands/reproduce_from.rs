//! `pipeline reproduce --from`: the games of a bundle, played again, and compared with it.
//!
//! The agents are those at hand. Those of the bundle are used only where the user trusts it, since building and loading them runs
//! its code.

use std::path::{Path, PathBuf};
use std::process::Command;

use engine::agent::Budget;
use serde::Serialize;

use super::context::{Context, paper_names};
use super::table::table;
use super::unbundle::{Unbundle, require_none};
use super::{Failure, print_json, print_text};
use crate::bundle::contents::{CONFIGS, SOURCE};
use crate::bundle::{checksum_problems, files, results};
use crate::cli::{self, Places};
use crate::index::{Entry, Index};
use crate::layout::{Key, Layout};
use crate::manifest::{self, Paper};
use crate::plan::{Plan, Planned, Selection};
use crate::plugin;
use crate::run::difference;
use crate::store::{RecordsReader, StoreError};

/// What came of one experiment.
#[derive(Serialize)]
struct Compared {
    experiment: Key,
    /// How many games were compared.
    games: u64,
    /// The digest in the bundle.
    stored_digest: String,
    /// The digest of what was played: equal where all games were, and none differs.
    played_digest: String,
    /// The first game that differs, if one does.
    difference: Option<String>,
    /// The parts of the identity that are not as in the bundle.
    identity: Vec<String>,
}

pub(super) fn reproduce_from(bundle: &Path, arguments: &cli::Reproduce) -> Result<(), Failure> {
    let opened = Opened::open(bundle)?;
    let stored = results(&opened.folder);
    let index = Index::read(&stored)?;
    let (papers, skipped) = papers(&opened.folder, &index, arguments)?;
    let scratch = tempfile::Builder::new().prefix("retile-from-").tempdir().map_err(Failure::io)?;
    let is_named = arguments.places.out.as_path() != Path::new("results");
    let out = if is_named { arguments.places.out.clone() } else { scratch.path().to_owned() };
    let places = Places { configs: opened.folder.join(CONFIGS), out, ..arguments.places.clone() };
    let places = if arguments.trust { with_plugins_of(&opened.folder, places)? } else { places };
    let mut context = Context::load(&places, &[])?;
    context.papers = papers;
    let _lock = context.layout.lock()?;
    let selection =
        Selection { names: paper_names(&arguments.names), with_extra: true, ..Selection::default() };
    let plan = context.plan(&selection)?;
    let report = context.run(&plan, &arguments.playing, false, None)?;
    if report.interrupted || report.experiments.iter().any(|done| done.records.is_none()) {
        return super::run::outcome(&report);
    }
    let compared = compare_all(&plan, &stored, &index)?;
    tell(bundle, arguments, &compared, &skipped)
}

/// A bundle as a folder, its checksums being right.
struct Opened {
    folder: PathBuf,
    _unbundled: Option<Unbundle>,
}

impl Opened {
    fn open(bundle: &Path) -> Result<Self, Failure> {
        if bundle.is_dir() {
            require_none(bundle, &checksum_problems(bundle, &files(bundle)?)?)?;
            return Ok(Self { folder: bundle.to_owned(), _unbundled: None });
        }
        let unbundled = Unbundle::unpack(bundle, &std::env::temp_dir())?;
        Ok(Self { folder: unbundled.folder(), _unbundled: Some(unbundled) })
    }
}

/// The bundle's papers with the experiments that have records, as many games as there are; and the experiments that no run repeats.
fn papers(
    folder: &Path,
    index: &Index,
    arguments: &cli::Reproduce,
) -> Result<(Vec<Paper>, Vec<Key>), Failure> {
    let mut papers = manifest::load_folder(&folder.join(CONFIGS))?;
    let mut skipped = Vec::new();
    for paper in &mut papers {
        let id = paper.id.clone();
        paper.experiments.retain_mut(|experiment| {
            let key = Key { paper: id.clone(), experiment: experiment.id.clone() };
            let Some(entry) = index.entry(&key) else { return false };
            experiment.games = arguments.games.unwrap_or(u64::MAX).min(entry.games);
            let is_timed = matches!(experiment.budget, Budget::TimeNs(_));
            skipped.extend(is_timed.then_some(key));
            !is_timed
        });
    }
    Ok((papers, skipped))
}

/// Builds the agents of a bundle, and adds them to the plugins.
fn with_plugins_of(folder: &Path, mut places: Places) -> Result<Places, Failure> {
    let source = folder.join(SOURCE);
    let mut cargo = Command::new("cargo");
    cargo.args([
        "build",
        "--release",
        "--locked",
        "--workspace",
        "--exclude",
        "pipeline",
        "--target-dir",
        "target",
    ]);
    let status = cargo.current_dir(&source).status().map_err(Failure::io)?;
    if !status.success() {
        let text = "the agents of the bundle cannot be built; without --trust, those at hand are used";
        return Err(Failure::check(format!("{}: {text}", source.display())));
    }
    places.loading.plugins.extend(plugin::find(&[vec![source.join("target").join("release")]])?);
    Ok(places)
}

fn compare_all(plan: &Plan, stored: &Layout, index: &Index) -> Result<Vec<Compared>, Failure> {
    let mut compared = Vec::new();
    for planned in &plan.experiments {
        for key in planned.also_for.iter().chain([&planned.key]) {
            if let Some(entry) = index.entry(key) {
                compared.push(compare(key, planned, stored, entry)?);
            }
        }
    }
    Ok(compared)
}

fn compare(key: &Key, planned: &Planned, stored: &Layout, entry: &Entry) -> Result<Compared, StoreError> {
    let mut in_bundle = RecordsReader::open(&stored.records(&entry.records, None))?;
    let mut played = RecordsReader::open(&planned.path)?;
    let identity = in_bundle.summary.header.identity.differences(&planned.identity);
    let played_digest = played.summary.digest.clone();
    let mut compared = Compared {
        experiment: key.clone(),
        games: 0,
        stored_digest: entry.digest.clone(),
        played_digest,
        difference: None,
        identity: identity.into_iter().map(|part| part.component).collect(),
    };
    for (one, other) in in_bundle.games().zip(played.games()) {
        compared.games += 1;
        compared.difference = difference(&one?, &other?);
        if compared.difference.is_some() {
            break;
        }
    }
    Ok(compared)
}

impl Compared {
    fn outcome(&self) -> String {
        let games = match &self.difference {
            Some(difference) => difference.clone(),
            None if self.stored_digest == self.played_digest => "the same, all of them".to_owned(),
            None => "the same".to_owned(),
        };
        match self.identity.join(", ") {
            parts if parts.is_empty() => games,
            parts => format!("{games}; another identity: {parts}"),
        }
    }
}

fn tell(
    bundle: &Path,
    arguments: &cli::Reproduce,
    compared: &[Compared],
    skipped: &[Key],
) -> Result<(), Failure> {
    let differing = compared.iter().filter(|experiment| experiment.difference.is_some()).count();
    if arguments.playing.json {
        print_json(&serde_json::json!({"experiments": compared, "not_repeatable": skipped}))?;
    } else {
        let row = |experiment: &Compared| {
            vec![experiment.experiment.to_string(), experiment.games.to_string(), experiment.outcome()]
        };
        let rows: Vec<Vec<String>> = compared.iter().map(row).collect();
        let mut text = table(&["experiment", "games", "compared with the bundle"], &rows);
        if !skipped.is_empty() {
            let names: Vec<String> = skipped.iter().map(ToString::to_string).collect();
            text.push_str(&format!("Not played, being under a wall-clock budget: {}.\n", names.join(", ")));
        }
        print_text(&text)?;
    }
    if differing == 0 {
        return Ok(());
    }
    let all = compared.len();
    Err(Failure::check(format!("{}: {differing} of {all} experiments came out different", bundle.display())))
}
