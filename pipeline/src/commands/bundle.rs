//! `pipeline bundle`: the results of a commit in one file.

use platform::{ConfinedPath, atomic};
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Instant;

use indicatif::HumanBytes;
use serde_json::json;

use super::context::{Context, papers};
use super::verify::{VerifyOutcome, job_files};
use super::{Failure, print_result};
use crate::cli;
use crate::output::require_none;
use crate::plan::Selection;
use bundle::archive::{PackedArchive, pack};
use bundle::{BundleError, BundleInput, BundledJob, Repository, Statement, render_again};
use jobs::{Key, StoredContext, Words};
use manifest::Paper;
use project::{Project, kinds};
use records::{EXPERIMENT, Index, Layout};
use text::counted;
use trainings::Artefacts;
use verdict::StoredVerdicts;

pub(crate) fn bundle(arguments: &cli::BundleArgs) -> Result<(), Failure> {
    let start = Instant::now();
    let places = &arguments.places;
    let papers = Project::resolve(papers(places, &[])?, &Layout::new(&places.out), |_| None).papers;
    let layout = Layout::new(&places.out);
    let repository = Repository::around(&places.configs)?;
    if !arguments.allow_dirty {
        require_none(
            &format!("{}: these files differ from the commit", repository.root.display()),
            &repository.changes,
            "\nCommit them, or bundle them with --allow-dirty: the bundle will say so.",
        )?;
    }
    let epoch = epoch(&repository)?;
    let _lock = layout.lock()?;
    let not_current = require_current(arguments)?;
    let artefacts = Artefacts::new(&places.loading.artefacts);
    let jobs = require_verified(&papers, &layout, &artefacts)?;
    require_manifests(&papers, &layout)?;
    let rendered = require_rendered(&papers, &layout)?;
    let checked = start.elapsed();

    let statement = Statement::new(&repository.commit, epoch, repository.changes.clone(), not_current);
    let making = BundleInput {
        repository: &repository,
        configs: &places.configs,
        papers: &papers,
        layout: &layout,
        jobs: &jobs,
        rendered: &rendered,
        artefacts: &artefacts,
        with_artefacts: !arguments.without_artefacts,
        statement,
    };
    let (contents, statement) = making.contents()?;
    ConfinedPath::root(&arguments.to)
        .make_folder()
        .map_err(BundleError::io(&arguments.to, "make the folder"))?;
    let file = arguments.to.join(format!("{}.tar.zst", statement.name));
    let packed = pack(&contents, &statement.name, statement.epoch, &file)?;
    write_checksum(&file, &packed)?;
    let files = contents.iter().count();
    let seconds = start.elapsed().as_secs_f64();
    let json = json!({
        "file": file, "sha256": packed.sha256, "bytes": packed.bytes, "files": files, "seconds": seconds,
        "statement": statement,
    });
    let summary = format!(
        "{}\nSHA-256 {}\n{}, {}, {}; {:.1} s, of which {:.1} s for checks.\n",
        file.display(),
        packed.sha256,
        counted(files as u64, "file"),
        HumanBytes(packed.bytes),
        counted(statement.games, "game"),
        seconds,
        checked.as_secs_f64()
    );
    let warnings = statement.warnings().into_iter().map(|warning| warning + "\n");
    print_result(arguments.json, &json, || summary + &warnings.collect::<String>())
}

/// The time of all files of the bundle.
fn epoch(repository: &Repository) -> Result<u64, Failure> {
    match std::env::var("SOURCE_DATE_EPOCH") {
        Err(_) => Ok(repository.commit_time),
        Ok(text) => Ok(text.parse().map_err(|_| {
            BundleError::Usage(format!(
                "SOURCE_DATE_EPOCH is `{text}`: it must be a number of seconds since 1970"
            ))
        })?),
    }
}

/// Asks the agents whether the records are theirs, and gives what is wrong where that is allowed.
fn require_current(arguments: &cli::BundleArgs) -> Result<Vec<String>, Failure> {
    let context = Context::load(&arguments.places, &[])?;
    let selection = Selection { with_extra: true, ..Selection::default() };
    let mut outcome = VerifyOutcome::default();
    match context.plan_jobs(&selection) {
        Ok(plan) => {
            outcome.note_unplanned(&plan);
            outcome.require_current(&plan);
        }
        Err(failure) if failure.may_pass() => return Err(failure),
        Err(failure) => outcome.not_current.push(failure.message().to_owned()),
    }
    let not_current = outcome.problems();
    if !arguments.allow_stale {
        require_none(
            "the records do not match this commit's manifests and agents",
            &not_current,
            "\nPlay them, or bundle what is there with --allow-stale: the bundle will say so.",
        )?;
    }
    Ok(not_current)
}

/// Replays every game and follows every trial that goes into the bundle. What fails is no record of a game
/// and no search, so nothing allows it.
fn require_verified(
    papers: &[Paper],
    layout: &Layout,
    artefacts: &Artefacts,
) -> Result<Vec<BundledJob>, Failure> {
    let index = Index::read(layout)?;
    let mut files = job_files(layout.root())?;
    // Other records of the folder do not go into the bundle.
    let indexed: BTreeSet<ConfinedPath> =
        index.experiments.values().map(|entry| layout.records(&entry.records, None)).collect();
    files.retain(|path| indexed.contains(path) || !EXPERIMENT.is_place(path));
    let mut outcome = VerifyOutcome::default();
    let artefacts = Some(artefacts.folder().clone());
    outcome.check(&files, &StoredContext { artefacts, ..StoredContext::of(papers) });
    outcome.allow_stale();
    require_none("the records are damaged", &outcome.problems(), "")?;
    Ok(bundled(&index, layout, &outcome))
}

/// The jobs whose files were verified: the experiments of the index, and the others that are not stale.
fn bundled(index: &Index, layout: &Layout, outcome: &VerifyOutcome) -> Vec<BundledJob> {
    let checked = outcome.checked();
    let job = |words: &'static Words, key: Key, file: ConfinedPath| {
        let stored = checked.get(file.path())?.stored.clone();
        Some(BundledJob { words, key, file, stored })
    };
    let experiments = index
        .experiments
        .iter()
        .filter_map(|(key, entry)| job(&EXPERIMENT, key.parse().ok()?, layout.records(&entry.records, None)));
    let others = kinds().into_iter().skip(1).flat_map(|kind| {
        let words = kind.words();
        let keys = checked.values().filter_map(|file| file.stored.key.parse::<Key>().ok());
        keys.collect::<BTreeSet<Key>>().into_iter().map(move |key| (words, key))
    });
    let others = others.filter_map(|(words, key)| {
        let file = words.path(layout.root(), &key);
        job(words, key, file)
    });
    experiments.chain(others).collect()
}

/// A bundle has the manifest of all that is in it: without one, nobody could judge the games, or the
/// verdicts.
fn require_manifests(papers: &[Paper], layout: &Layout) -> Result<(), Failure> {
    let index = Index::read(layout)?;
    let context = StoredContext::of(papers);
    let is_listed = |key: &String| key.parse().is_ok_and(|key| context.lists(&EXPERIMENT, &key));
    let unknown = index.experiments.keys().filter(|key| !is_listed(key));
    let mut lines: Vec<String> = unknown.map(|key| format!("the records of {key}")).collect();
    let kept = StoredVerdicts::read(&layout.claims(), papers)?;
    for path in job_files(layout.root())? {
        let kind = kinds()[1..].iter().map(|kind| kind.words()).find(|words| words.is_place(&path));
        let key = kind.and_then(|words| Some((words, words.key_at(&path)?)));
        let orphan = key.filter(|(words, key)| !context.lists(words, key));
        lines.extend(orphan.map(|(words, key)| format!("{} of {key}", words.file)));
    }
    lines.extend(kept.papers().into_iter().map(|paper| format!("the verdicts on {paper}")));
    let remedy = format!(
        "\nBundle a separate results folder, made with --out; or add the manifests; or remove these records, and {} with these \
         verdicts, and run `pipeline reproduce` to make the rest again.",
        layout.claims().display()
    );
    require_none(
        &format!("{}: no manifest covers what is stored here", layout.root().display()),
        &lines,
        &remedy,
    )
}

/// Renders everything again, and returns the files.
fn require_rendered(papers: &[Paper], layout: &Layout) -> Result<Vec<String>, Failure> {
    let (files, differing) = render_again(papers, layout)?;
    let what = format!("{}: these files differ from what the records give", layout.root().display());
    require_none(&what, &differing, "\nRun `pipeline render` to make them again, and commit them.")?;
    Ok(files)
}

/// Writes the checksum beside the bundle, as `sha256sum` would.
fn write_checksum(file: &Path, packed: &PackedArchive) -> Result<(), Failure> {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let beside = file.with_file_name(format!("{name}.sha256"));
    atomic::write(&ConfinedPath::file(&beside), format!("{}  {name}\n", packed.sha256).as_bytes())?;
    Ok(())
}
