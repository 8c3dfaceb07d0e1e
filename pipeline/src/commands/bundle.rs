//! `pipeline bundle`: the results of a commit in one file.

use platform::confined::ConfinedPath;
use std::path::Path;
use std::time::Instant;

use indicatif::HumanBytes;
use serde_json::json;

use super::context::{Context, papers};
use super::verify::records_files;
use super::verify_outcome::VerifyOutcome;
use super::verify_studies::stored_studies;
use super::verify_trainings::stored_trainings;
use super::{Failure, print_json, print_text};
use crate::cli;
use crate::plan::Selection;
use bundle::archive::{PackedArchive, pack};
use bundle::{BundleError, BundleInput, Repository, Statement, render_again};
use jobs::StoredContext;
use manifest::Paper;
use platform::atomic;
use platform::plain;
use project::Project;
use records::index::Index;
use records::layout::Layout;
use studies::STUDY;
use text::counted;
use trainings::Artefacts;
use trainings::TRAINING;
use verdict::StoredVerdicts;

pub(crate) fn bundle(arguments: &cli::Bundle) -> Result<(), Failure> {
    let start = Instant::now();
    let places = &arguments.places;
    let papers = Project::resolve(papers(places, &[])?, &Layout::new(&places.out), |_| None).papers;
    let layout = Layout::new(&places.out);
    let repository = Repository::around(&places.configs)?;
    require_clean(&repository, arguments)?;
    let epoch = epoch(&repository)?;
    let _lock = layout.lock()?;
    let not_current = require_current(arguments)?;
    let artefacts = Artefacts::new(&places.loading.artefacts);
    require_verified(&papers, &layout, &artefacts)?;
    require_manifests(&papers, &layout)?;
    let rendered = require_rendered(&papers, &layout)?;
    let checked = start.elapsed();

    let statement = Statement::new(&repository.commit, epoch, repository.changes.clone(), not_current);
    let making = BundleInput {
        repository: &repository,
        configs: &places.configs,
        papers: &papers,
        layout: &layout,
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
    if arguments.json {
        return print_json(&json!({
            "file": file, "sha256": packed.sha256, "bytes": packed.bytes, "files": files, "seconds": seconds,
            "statement": statement,
        }));
    }
    let mut text = format!(
        "{}\nSHA-256 {}\n{}, {}, {}; {:.1} s, of which {:.1} s for checks.\n",
        file.display(),
        packed.sha256,
        counted(files as u64, "file"),
        HumanBytes(packed.bytes),
        counted(statement.games, "game"),
        seconds,
        checked.as_secs_f64()
    );
    statement.warnings().iter().for_each(|warning| text.push_str(&format!("{warning}\n")));
    print_text(&text)
}

/// The time of all files of the bundle.
fn epoch(repository: &Repository) -> Result<u64, Failure> {
    match std::env::var("SOURCE_DATE_EPOCH") {
        Err(_) => Ok(repository.commit_time),
        Ok(text) => Ok(text.parse().map_err(|_| BundleError::Epoch { text })?),
    }
}

fn require_clean(repository: &Repository, arguments: &cli::Bundle) -> Result<(), Failure> {
    if repository.changes.is_empty() || arguments.allow_dirty {
        return Ok(());
    }
    Err(Failure::check(format!(
        "{}: these files differ from the commit:{}\nCommit them, or bundle them with --allow-dirty: the bundle will say so.",
        repository.root.display(),
        listed(&repository.changes)
    )))
}

/// Asks the agents whether the records are theirs, and gives what is wrong where that is allowed.
fn require_current(arguments: &cli::Bundle) -> Result<Vec<String>, Failure> {
    let context = Context::load(&arguments.places, &[])?;
    let selection = Selection { with_extra: true, ..Selection::default() };
    let mut outcome = VerifyOutcome::default();
    match context.plan(&selection).and_then(|plan| Ok((plan, context.plan_studies(&selection)?))) {
        Ok((plan, studies)) => {
            outcome.require_current(&plan);
            outcome.studies.require_current(&studies);
            outcome.studies.note_unplanned(&studies);
            outcome
                .trainings
                .require_current(&context.project.trainings, |agent| context.training_info(agent));
        }
        Err(failure) if failure.may_pass() => return Err(failure),
        Err(failure) => outcome.not_current.push(failure.message().to_owned()),
    }
    let not_current = outcome.problems();
    if not_current.is_empty() || arguments.allow_stale {
        return Ok(not_current);
    }
    Err(Failure::check(format!(
        "the records do not match this commit's manifests and agents:{}\nPlay them, or bundle what is there with --allow-stale: \
         the bundle will say so.",
        listed(&not_current)
    )))
}

/// Replays every game and follows every trial that goes into the bundle. What fails is no record of a game and no search, so nothing
/// allows it.
fn require_verified(papers: &[Paper], layout: &Layout, artefacts: &Artefacts) -> Result<(), Failure> {
    let index = Index::read(layout)?;
    let files: Vec<ConfinedPath> =
        index.experiments.values().map(|entry| layout.records(&entry.records, None)).collect();
    let mut outcome = VerifyOutcome::default();
    outcome.replay(&records_files(&files)?);
    outcome.studies.check(&stored_studies(layout)?, papers);
    outcome.studies.allow_stale();
    outcome.trainings.check(&stored_trainings(layout)?, Some(artefacts));
    let problems = outcome.problems();
    if problems.is_empty() {
        return Ok(());
    }
    Err(Failure::check(format!("the records are damaged:{}", listed(&problems))))
}

/// A bundle has the manifest of all that is in it: without one, nobody could judge the games, or the verdicts.
fn require_manifests(papers: &[Paper], layout: &Layout) -> Result<(), Failure> {
    let index = Index::read(layout)?;
    let has = |(paper, experiment): (&str, &str)| {
        papers.iter().any(|known| known.id == paper && known.experiment(experiment).is_some())
    };
    let unknown = index.experiments.keys().filter(|key| !key.split_once('/').is_some_and(has));
    let mut lines: Vec<String> = unknown.map(|key| format!("the records of {key}")).collect();
    let kept = StoredVerdicts::read(&layout.claims(), papers)?;
    let context = StoredContext::of(papers);
    for (words, paths) in [(&STUDY, stored_studies(layout)?), (&TRAINING, stored_trainings(layout)?)] {
        let keys = paths.iter().filter_map(|path| words.key_at(path));
        let orphans = keys.filter(|key| !context.lists(words, key));
        lines.extend(orphans.map(|key| format!("{} of {} {key}", words.stored, words.kind)));
    }
    lines.extend(kept.papers().into_iter().map(|paper| format!("the verdicts on {paper}")));
    if lines.is_empty() {
        return Ok(());
    }
    Err(Failure::check(format!(
        "{}: no manifest covers what is stored here:{}\nBundle a separate results folder, made with --out; or add the manifests; or remove these \
         records, and {} with these verdicts, and run `pipeline reproduce` to make the rest again.",
        layout.root().display(),
        listed(&lines),
        layout.claims().display()
    )))
}

/// Renders everything anew, and gives the files.
fn require_rendered(papers: &[Paper], layout: &Layout) -> Result<Vec<String>, Failure> {
    let rendered = render_again(papers, layout)?;
    if rendered.differing.is_empty() {
        return Ok(rendered.files);
    }
    Err(Failure::check(format!(
        "{}: these files differ from what the records give:{}\nRun `pipeline render` to make them again, and commit them.",
        layout.root().display(),
        listed(&rendered.differing)
    )))
}

/// The most lines of a list of problems.
const MOST_LINES: usize = 20;

fn listed(lines: &[String]) -> String {
    let more = lines.len().saturating_sub(MOST_LINES);
    let rest = (more > 0).then(|| format!("\n  and {more} more"));
    lines.iter().take(MOST_LINES).map(|line| format!("\n  {}", plain::line(line))).chain(rest).collect()
}

/// Writes the checksum beside the bundle, as `sha256sum` would.
fn write_checksum(file: &Path, packed: &PackedArchive) -> Result<(), Failure> {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let beside = file.with_file_name(format!("{name}.sha256"));
    atomic::write(&ConfinedPath::file(&beside), format!("{}  {name}\n", packed.sha256).as_bytes())?;
    Ok(())
}
