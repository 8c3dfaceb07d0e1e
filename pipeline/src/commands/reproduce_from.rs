//! `pipeline reproduce --from`: the games of a bundle, played again, and compared with it.
//!
//! The agents are those at hand. The bundle's are used only if the user trusts it, since building and loading
//! them runs its code. Nothing else of a bundle is ever run: no repository is looked for in its folder, and
//! its numbers are checked against its records before any game is planned.

use jobs::{Canonical as _, Key, StoreError, StoredContext};
use platform::{ConfinedPath, Scratch, plain};
use std::path::Path;
use std::process::Command;

use serde_json::{Map, Value, json};

use super::context::{Context, paper_names, require_no_given_up};
use super::failure::chain;
use super::run::outcome;
use super::unbundle::require_undamaged;
use super::{Failure, print_result, table};
use crate::cli::{self, Places};
use crate::job::{EXPERIMENT, Words};
use crate::kinds::{self, Kind};
use crate::plan::Selection;
use crate::run::{JobResult, RunReport};
use bundle::contents::{ARTEFACTS, CONFIGS, SOURCE};
use bundle::{OpenBundle, is_bundle};
use manifest::limits::MOST_GAMES;
use project::Project;
use records::{Index, RecordsSummary};
use trainings::Artefacts;
use workers::plugin;

/// A job of the bundle, compared with what was played now.
struct ComparedJob {
    words: &'static Words,
    job: Key,
    /// How many rows were played.
    rows: u64,
    /// The digest in the bundle.
    stored_digest: String,
    /// The digest of what was played: equal if all rows were, and none differs.
    played_digest: String,
    /// The first row that differs, if one does.
    difference: Option<String>,
    /// The parts of the identity that are not as in the bundle.
    identity: Vec<String>,
}

pub(super) fn reproduce_from(path: &Path, arguments: &cli::ReproduceArgs) -> Result<(), Failure> {
    let bundle = open(path)?;
    let index = Index::read(&bundle.results())?;
    let (project, mut not_repeatable) = repeatable(&bundle, &index, arguments)?;
    let names = paper_names(&arguments.jobs.names);
    let is_named = |key: &Key| {
        names.is_empty() || names.iter().any(|name| *name == key.paper || *name == key.to_string())
    };
    not_repeatable.retain(is_named);
    let scratch = Scratch::new("retile-from-").map_err(Failure::io)?;
    let context = context(&bundle, project, arguments, scratch.path())?;
    let _lock = context.layout.lock()?;
    let (mut reports, mut compared) = (Vec::new(), Vec::new());
    for kind in kinds::all() {
        // A study or a training may take longer than all experiments, and runs only by its own name.
        let is_experiment = kind.words() == &EXPERIMENT;
        let names = if is_experiment { names.clone() } else { context.names_of(kind, &names) };
        if is_experiment || !names.is_empty() {
            let selection = Selection { names, with_extra: true, ..Selection::default() };
            let (report, jobs) = run_kind(&context, kind, &selection, (&bundle, &index), arguments)?;
            let is_given_up = |job: &JobResult| job.file.is_none() && job.missing.is_none();
            if report.interrupted || report.jobs.iter().any(is_given_up) {
                return outcome(&report);
            }
            reports.push(report);
            compared.extend(jobs);
        }
    }
    print_outcome(path, arguments, &compared, &not_repeatable)?;
    // Faults of agents are in the bundle's games too, and are compared like all else.
    let missing = reports.iter().flat_map(|report| &report.jobs).filter(|job| job.missing.is_some());
    require_no_given_up(missing.filter_map(|job| Some((job.failure.as_deref()?, job.missing.as_ref()))))
}

/// Opens a bundle. Its checksums must be right, and its records must hold as many games as its index says.
fn open(path: &Path) -> Result<OpenBundle, Failure> {
    if path.is_dir() && !is_bundle(path) {
        let text = "it is not an unpacked bundle, which would have bundle.json and SHA256SUMS";
        return Err(Failure::usage(format!("{}: {text}", path.display())));
    }
    let bundle = OpenBundle::open(path)?;
    require_undamaged(path, &bundle.file_problems()?)?;
    require_undamaged(path, &bundle.record_problems())?;
    Ok(bundle)
}

/// The context in which a bundle's jobs are run: with its manifests, its artefacts unless it was packed
/// without them, and its agents if the user trusts it.
fn context(
    bundle: &OpenBundle,
    project: Project,
    arguments: &cli::ReproduceArgs,
    scratch: &Path,
) -> Result<Context, Failure> {
    let folder = bundle.folder.path();
    let is_named = arguments.places.out.as_path() != Path::new("results");
    let out = if is_named { arguments.places.out.clone() } else { scratch.to_owned() };
    let mut places = Places { configs: folder.join(CONFIGS), out, ..arguments.places.clone() };
    if arguments.trust {
        build_agents(&folder.join(SOURCE), &mut places)?;
    }
    let artefacts = match folder.join(ARTEFACTS) {
        folder if folder.is_dir() => Artefacts::new(folder).unpacked_to(scratch.join(ARTEFACTS)),
        _ => Artefacts::new(&places.loading.artefacts),
    };
    Ok(Context::load(&places, &[])?.of_others(project).with_artefacts(artefacts))
}

/// The bundle's papers with the experiments that have records, as many games as there are; and the
/// experiments that no run repeats.
fn repeatable(
    bundle: &OpenBundle,
    index: &Index,
    arguments: &cli::ReproduceArgs,
) -> Result<(Project, Vec<Key>), Failure> {
    // Manifests that cannot be read are a fault of the bundle, not of its user.
    let damaged = |error| Failure::check(format!("the bundle is damaged: {}", plain::line(&chain(&error))));
    let manifests = manifest::load_folder(bundle.folder.join(CONFIGS).path()).map_err(damaged)?;
    let mut project = Project::resolve(manifests, &bundle.results(), |_| None);
    let mut skipped = Vec::new();
    for paper in &mut project.papers {
        for mut experiment in std::mem::take(&mut paper.experiments) {
            let key = Key::new(&paper.id, &experiment.id);
            let Some(entry) = index.entry(&key) else { continue };
            experiment.games = arguments.games.unwrap_or(MOST_GAMES).min(entry.games);
            let records = RecordsSummary::read(&bundle.results().records(&entry.records, None))?;
            match records.is_some_and(|records| records.header.identity.signature.is_some()) {
                true => paper.experiments.push(experiment),
                false => skipped.push(key),
            }
        }
    }
    Ok((project, skipped))
}

/// Builds the agents of a bundle, and adds them to the plugins.
fn build_agents(source: &Path, places: &mut Places) -> Result<(), Failure> {
    let mut cargo = Command::new("cargo");
    cargo.args("build --release --locked --workspace --exclude pipeline --target-dir target".split(' '));
    let status = cargo.current_dir(source).status().map_err(Failure::io)?;
    if !status.success() {
        let text = "the bundle's agents cannot be built; without --trust, your own are used";
        return Err(Failure::check(format!("{}: {text}", source.display())));
    }
    places.loading.plugins.extend(plugin::find(&[vec![source.join("target").join("release")]])?);
    Ok(())
}

/// Runs the selected jobs of a kind, and compares them with the bundle's. Experiments of equal identity share
/// their games, and only the selected ones are compared.
fn run_kind(
    context: &Context,
    kind: &'static dyn Kind,
    selection: &Selection,
    (bundle, index): (&OpenBundle, &Index),
    arguments: &cli::ReproduceArgs,
) -> Result<(RunReport, Vec<ComparedJob>), Failure> {
    let words = kind.words();
    let plan = context.plan_kind(kind, selection)?;
    let is_selected = |key: &&Key| {
        context.project.papers.iter().filter(|paper| paper.id == key.paper).any(|paper| {
            let mut listed = kind.listed(paper).into_iter();
            listed.any(|job| job.id == key.id && selection.takes(paper, job))
        })
    };
    let in_bundle = |key: &Key| match index.entry(key) {
        Some(entry) if words == &EXPERIMENT => bundle.results().records(&entry.records, None),
        _ => words.path(bundle.results().root(), key),
    };
    let pairs = plan.jobs.iter().flat_map(|job| {
        let keys = job.also_for().iter().chain([job.key()]).filter(is_selected);
        keys.map(|key| (key, in_bundle(key), job.path()))
    });
    let pairs: Vec<(&Key, ConfinedPath, &ConfinedPath)> = pairs.collect();
    if let Some((key, ..)) = pairs.iter().find(|(_, stored, _)| !stored.exists()) {
        let Words { kind, stored, .. } = words;
        return Err(Failure::usage(format!("the bundle has no {stored} of {kind} {key}")));
    }
    let report = context.run_jobs(kind, &plan, &arguments.playing, |_| ())?;
    let papers = StoredContext::of(&context.project.papers);
    let compared =
        pairs.into_iter().map(|(key, stored, played)| compare(kind, key, &papers, &stored, played));
    let compared: Vec<Option<ComparedJob>> = compared.collect::<Result<_, _>>()?;
    Ok((report, compared.into_iter().flatten().collect()))
}

/// Compares what was played with what the bundle has.
fn compare(
    kind: &dyn Kind,
    key: &Key,
    papers: &StoredContext<'_>,
    in_bundle: &ConfinedPath,
    played: &ConfinedPath,
) -> Result<Option<ComparedJob>, StoreError> {
    let (Some(stored), Some(now)) = (kind.read(in_bundle)?, kind.read(played)?) else { return Ok(None) };
    let difference = match stored.digest == now.digest {
        true => None,
        false => kind.first_difference((in_bundle, papers), (played, papers))?,
    };
    let identity = stored.identity.differences(&now.identity);
    Ok(Some(ComparedJob {
        words: kind.words(),
        job: key.clone(),
        rows: now.rows,
        stored_digest: stored.digest,
        played_digest: now.digest,
        difference: difference.map(|difference| difference.text),
        identity: identity.into_iter().map(|part| part.component).collect(),
    }))
}

impl ComparedJob {
    fn outcome(&self) -> String {
        let rows = match &self.difference {
            Some(difference) => plain::line(difference),
            None if self.stored_digest == self.played_digest => format!("all {}s identical", self.words.row),
            None => "identical, as far as played".to_owned(),
        };
        match self.identity.join(", ") {
            parts if parts.is_empty() => rows,
            parts => format!("{rows}; different identity: {}", plain::line(&parts)),
        }
    }

    fn to_json(&self) -> Value {
        let Words { kind, row, .. } = self.words;
        json!({
            *kind: self.job,
            format!("{row}s"): self.rows,
            "stored_digest": self.stored_digest,
            "played_digest": self.played_digest,
            "difference": self.difference,
            "identity": self.identity,
        })
    }
}

fn print_outcome(
    bundle: &Path,
    arguments: &cli::ReproduceArgs,
    compared: &[ComparedJob],
    not_repeatable: &[Key],
) -> Result<(), Failure> {
    let mut json = Map::from_iter([("not_repeatable".to_owned(), json!(not_repeatable))]);
    let (mut text, mut differing) = (String::new(), Vec::new());
    for words in kinds::all().iter().map(|kind| kind.words()) {
        let jobs: Vec<&ComparedJob> = compared.iter().filter(|job| job.words == words).collect();
        json.insert(words.kinds.to_owned(), jobs.iter().map(|job| job.to_json()).collect());
        if !jobs.is_empty() {
            let header = [words.kind, &format!("{}s", words.row), "compared with the bundle"];
            let row = |job: &&ComparedJob| vec![job.job.to_string(), job.rows.to_string(), job.outcome()];
            text += &table(&header, jobs.iter().map(row));
        }
        let count = jobs.iter().filter(|job| job.difference.is_some()).count();
        if count > 0 {
            differing.push(format!("{count} of {} {} gave other results", jobs.len(), words.kinds));
        }
    }
    if !not_repeatable.is_empty() {
        let names: Vec<String> = not_repeatable.iter().map(ToString::to_string).collect();
        text += &format!("Not played, because no run repeats them: {}.\n", names.join(", "));
    }
    print_result(arguments.playing.json, &json, || text)?;
    match differing.is_empty() {
        true => Ok(()),
        false => Err(Failure::check(format!("{}: {}", bundle.display(), differing.join("; ")))),
    }
}
