//! `pipeline reproduce --from`: the games of a bundle, played again, and compared with it.
//!
//! The agents are those at hand. Those of the bundle are used only where the user trusts it, since building
//! and loading them runs its code. Nothing else of a bundle is ever run: no repository is looked for in its
//! folder, and its numbers are held against its records before any game is planned.

use jobs::identity::Canonical as _;
use platform::confined::ConfinedPath;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Map, Value, json};

use super::context::{Context, paper_names, require_no_given_up};
use super::failure::chain;
use super::run::outcome;
use super::table::table;
use super::unbundle::{Unbundle, require_none};
use super::{Failure, print_json, print_text};
use crate::cli::{self, Places};
use crate::job::{EXPERIMENT, Job, Words};
use crate::kinds::{self, Kind};
use crate::plan::{Plan, Selection, listed};
use crate::run::JobResult;
use bundle::contents::{ARTEFACTS, CONFIGS, SOURCE};
use bundle::{Listing, checksum_problems, is_bundle, record_problems, results};
use jobs::{Key, StoreError, StoredContext};
use manifest::limits::MOST_GAMES;
use manifest::{self, Experiment, Paper};
use platform::plain;
use platform::scratch::Scratch;
use project::Project;
use records::Experiments;
use records::index::Index;
use records::layout::Layout;
use records::store::RecordsSummary;
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

pub(super) fn reproduce_from(bundle: &Path, arguments: &cli::Reproduce) -> Result<(), Failure> {
    let opened = Opened::open(bundle)?;
    let stored = results(&ConfinedPath::root(&opened.folder));
    let index = Index::read(&stored)?;
    let (project, skipped) = papers(&opened.folder, &index, arguments)?;
    let selection =
        Selection { names: paper_names(&arguments.names), with_extra: true, ..Selection::default() };
    let asked = Asked::of(&project.papers, &selection);
    let scratch = Scratch::new("retile-from-").map_err(Failure::io)?;
    let is_named = arguments.places.out.as_path() != Path::new("results");
    let out = if is_named { arguments.places.out.clone() } else { scratch.path().to_owned() };
    let places = Places { configs: opened.folder.join(CONFIGS), out, ..arguments.places.clone() };
    let places = if arguments.trust { with_plugins_of(&opened.folder, places)? } else { places };
    let context = Context::load(&places, &[])?.of_others(project);
    let context = context.with_artefacts(artefacts_of(&opened.folder, &arguments.places, scratch.path()));
    let _lock = context.layout.lock()?;
    let plan = context.plan(&selection)?;
    let others = run_named(&context, &stored, arguments)?;
    let report = context.run(&plan, &arguments.playing, false)?;
    let is_given_up = |job: &JobResult| job.file.is_none() && job.missing.is_none();
    if report.interrupted || report.jobs.iter().any(is_given_up) {
        return outcome(&report);
    }
    let experiments = compare_experiments(&context, &plan, &stored, &index, &asked)?;
    let not_repeatable = skipped.into_iter().filter(|key| asked.has_skipped(key)).collect();
    print_outcome(bundle, arguments, &Comparison { experiments, others, not_repeatable })?;
    // Faults of agents are in the bundle's games too, and are compared like all else.
    let missing = report.jobs.iter().filter(|job| job.missing.is_some());
    require_no_given_up(missing.filter_map(|job| Some((job.failure.as_deref()?, job.missing.as_ref()))))
}

/// The artefacts of a bundle, unpacked where nothing is kept; one's own where it was packed without them.
fn artefacts_of(bundle: &Path, places: &Places, scratch: &Path) -> Artefacts {
    let folder = bundle.join(ARTEFACTS);
    match folder.is_dir() {
        true => Artefacts::new(folder).unpacked_to(scratch.join(ARTEFACTS)),
        false => Artefacts::new(&places.loading.artefacts),
    }
}

/// What was asked for. Experiments that share their games with these are none of it.
struct Asked {
    names: Vec<String>,
    experiments: BTreeSet<Key>,
}

impl Asked {
    fn of(papers: &[Paper], selection: &Selection) -> Self {
        let of_paper = |paper: &'_ Paper| -> Vec<Key> {
            let taken = listed::<Experiment>(paper).into_iter().filter(|one| selection.takes(paper, *one));
            taken.map(|one| Key::new(&paper.id, one.id)).collect()
        };
        let experiments = papers.iter().flat_map(of_paper).collect();
        Self { names: selection.names.clone(), experiments }
    }

    /// Whether one that no run repeats, and that is not among the experiments for that reason, was asked for.
    fn has_skipped(&self, key: &Key) -> bool {
        let is_named = |name: &String| *name == key.paper || *name == key.to_string();
        self.names.is_empty() || self.names.iter().any(is_named)
    }
}

/// A bundle as a folder: its checksums are right, and its records are as many games as its index says.
struct Opened {
    folder: PathBuf,
    _unbundled: Option<Unbundle>,
}

impl Opened {
    fn open(bundle: &Path) -> Result<Self, Failure> {
        if bundle.is_dir() {
            if !is_bundle(bundle) {
                let text = "it is not an unpacked bundle, which would have bundle.json and SHA256SUMS";
                return Err(Failure::usage(format!("{}: {text}", bundle.display())));
            }
            let Listing { files, problems, .. } = Listing::of(&ConfinedPath::root(bundle))?;
            require_none(bundle, &problems)?;
            require_none(bundle, &checksum_problems(&ConfinedPath::root(bundle), &files)?)?;
            require_none(bundle, &record_problems(&ConfinedPath::root(bundle), &files))?;
            return Ok(Self { folder: bundle.to_owned(), _unbundled: None });
        }
        let unbundled = Unbundle::unpack(bundle, &std::env::temp_dir())?;
        require_none(
            bundle,
            &record_problems(&ConfinedPath::root(unbundled.folder()), &unbundled.unpacked.files),
        )?;
        Ok(Self { folder: unbundled.folder(), _unbundled: Some(unbundled) })
    }
}

/// The bundle's papers with the experiments that have records, as many games as there are; and the
/// experiments that no run repeats.
fn papers(folder: &Path, index: &Index, arguments: &cli::Reproduce) -> Result<(Project, Vec<Key>), Failure> {
    // Manifests that cannot be read are a fault of the bundle, not of whoever uses it.
    let damaged = |error| Failure::check(format!("the bundle is damaged: {}", plain::line(&chain(&error))));
    let manifests = manifest::load_folder(&folder.join(CONFIGS)).map_err(damaged)?;
    let mut project = Project::resolve(manifests, &results(&ConfinedPath::root(folder)), |_| None);
    let mut skipped = Vec::new();
    for paper in &mut project.papers {
        let mut repeated = Vec::new();
        for mut experiment in std::mem::take(&mut paper.experiments) {
            let key = Key::new(&paper.id, &experiment.id);
            let Some(entry) = index.entry(&key) else { continue };
            experiment.games = arguments.games.unwrap_or(MOST_GAMES).min(entry.games);
            let records =
                RecordsSummary::read(&results(&ConfinedPath::root(folder)).records(&entry.records, None))?;
            match records.is_some_and(|records| records.header.identity.signature.is_some()) {
                true => repeated.push(experiment),
                false => skipped.push(key),
            }
        }
        paper.experiments = repeated;
    }
    Ok((project, skipped))
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
        let text = "the bundle's agents cannot be built; without --trust, your own are used";
        return Err(Failure::check(format!("{}: {text}", source.display())));
    }
    places.loading.plugins.extend(plugin::find(&[vec![source.join("target").join("release")]])?);
    Ok(places)
}

fn compare_experiments(
    context: &Context,
    plan: &Plan,
    stored: &Layout,
    index: &Index,
    asked: &Asked,
) -> Result<Vec<ComparedJob>, Failure> {
    let mut compared = Vec::new();
    for planned in &plan.jobs {
        let keys = planned.also_for.iter().chain([&planned.key]);
        for key in keys.filter(|key| asked.experiments.contains(key)) {
            if let Some(entry) = index.entry(key) {
                let in_bundle = stored.records(&entry.records, None);
                compared.extend(compare(context, &Experiments, key, &in_bundle, &planned.path)?);
            }
        }
    }
    Ok(compared)
}

/// Runs the named jobs of other kinds again, and compares them with the bundle's.
fn run_named(
    context: &Context,
    stored: &Layout,
    arguments: &cli::Reproduce,
) -> Result<Vec<ComparedJob>, Failure> {
    let mut compared = Vec::new();
    for kind in kinds::all().into_iter().filter(|kind| kind.words() != &EXPERIMENT) {
        let names = context.names_of(kind, &arguments.names);
        if names.is_empty() {
            continue;
        }
        let plan = context.plan_kind(kind, &Selection { names, with_extra: true, ..Selection::default() })?;
        let root = context.layout.root().path();
        let in_bundle = |job: &dyn Job| {
            let name = job.path().path().strip_prefix(root).unwrap_or(Path::new("")).to_string_lossy();
            stored.root().join(name.as_ref())
        };
        if let Some(job) = plan.jobs.iter().find(|job| !in_bundle(job.as_ref()).exists()) {
            let Words { kind, stored, .. } = kind.words();
            return Err(Failure::usage(format!("the bundle has no {stored} of {kind} {}", job.key())));
        }
        let report = context.run_jobs(kind, &plan, &arguments.playing, |_| ())?;
        outcome(&report)?;
        for job in &plan.jobs {
            compared.extend(compare(context, kind, job.key(), &in_bundle(job.as_ref()), job.path())?);
        }
    }
    Ok(compared)
}

/// Compares what was played with what the bundle has.
fn compare(
    context: &Context,
    kind: &dyn Kind,
    key: &Key,
    in_bundle: &ConfinedPath,
    played: &ConfinedPath,
) -> Result<Option<ComparedJob>, StoreError> {
    let (Some(stored), Some(now)) = (kind.read(in_bundle)?, kind.read(played)?) else { return Ok(None) };
    let papers = StoredContext::of(&context.project.papers);
    let difference = match stored.digest == now.digest {
        true => None,
        false => kind.first_difference((in_bundle, &papers), (played, &papers))?,
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

/// All that was compared.
struct Comparison {
    experiments: Vec<ComparedJob>,
    /// Jobs of other kinds, which are run if they are named.
    others: Vec<ComparedJob>,
    /// Experiments whose games no run repeats.
    not_repeatable: Vec<Key>,
}

fn print_outcome(bundle: &Path, arguments: &cli::Reproduce, compared: &Comparison) -> Result<(), Failure> {
    let Comparison { experiments, others, not_repeatable } = compared;
    let by_kind: Vec<(&'static Words, Vec<&ComparedJob>)> = kinds::all()
        .iter()
        .map(|kind| kind.words())
        .map(|words| (words, experiments.iter().chain(others).filter(|job| job.words == words).collect()))
        .collect();
    if arguments.playing.json {
        let jobs = by_kind.iter().map(|(words, jobs)| {
            (words.kinds.to_owned(), jobs.iter().map(|job| job.to_json()).collect::<Value>())
        });
        let skipped = ("not_repeatable".to_owned(), json!(not_repeatable));
        print_json(&jobs.chain([skipped]).collect::<Map<_, _>>())?;
    } else {
        let mut text = String::new();
        for (Words { kind, row, .. }, jobs) in &by_kind {
            let row_of = |job: &&ComparedJob| vec![job.job.to_string(), job.rows.to_string(), job.outcome()];
            let rows: Vec<Vec<String>> = jobs.iter().map(row_of).collect();
            if !rows.is_empty() {
                text.push_str(&table(&[kind, &format!("{row}s"), "compared with the bundle"], &rows));
            }
        }
        if !not_repeatable.is_empty() {
            let names: Vec<String> = not_repeatable.iter().map(ToString::to_string).collect();
            text.push_str(&format!("Not played, because no run repeats them: {}.\n", names.join(", ")));
        }
        print_text(&text)?;
    }
    let differing = by_kind.iter().filter_map(|(words, jobs)| {
        let count = jobs.iter().filter(|job| job.difference.is_some()).count();
        let all = jobs.len();
        (count > 0).then(|| format!("{count} of {all} {} came out different", words.kinds))
    });
    let differing: Vec<String> = differing.collect();
    match differing.is_empty() {
        true => Ok(()),
        false => Err(Failure::check(format!("{}: {}", bundle.display(), differing.join("; ")))),
    }
}
