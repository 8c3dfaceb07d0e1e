//! `pipeline reproduce`: the main job, from manifests to verified records.

use std::path::Path;

use engine::agent::Budget;
use manifest::Paper;
use serde_json::json;

use super::checksums::write_checksums;
use super::claims::counts;
use super::context::{Context, jobs, require_all, selection};
use super::render::{left_out, open_findings, require_carried};
use super::reproduce_from::reproduce_from;
use super::run::outcome;
use super::table;
use super::train;
use super::verify::{VerifyOutcome, fresh_seed, job_files};
use super::{Failure, json_text, plan, print_text};
use crate::cli::{self, ARTEFACTS, AgentOptions, Places};
use crate::job::EXPERIMENT;
use crate::kinds::{JobPlan, Kind};
use crate::plan::{Determinism, Plan, Selection};
use crate::recompute::Sampling;
use crate::run::{Options, RunReport};
use jobs::{Key, StoredContext};
use platform::Scratch;
use platform::console::note;
use records::{Experiments, Layout, Scope};
use rendering::render::{self, RenderSummary};
use rendering::tables::Cell;
use studies::Studies;
use text::counted;
use trainings::{Cost, Trainings};

/// How many moves of a game of each experiment are played again: enough to notice an agent that has changed,
/// and quick.
const AGAIN_MOVES: u32 = 200;

pub(crate) fn reproduce(arguments: &cli::ReproduceArgs) -> Result<(), Failure> {
    if let Some(bundle) = &arguments.from {
        return reproduce_from(bundle, arguments);
    }
    let smoke = arguments.smoke.then(|| Smoke::new(arguments)).transpose()?;
    let places = smoke.as_ref().map_or(&arguments.places, |smoke| &smoke.places);
    let mut context = Context::load(places, &arguments.jobs.names)?;
    if let Some(smoke) = &smoke {
        context.change_papers(make_small);
        announce(arguments, &smoke.announcement());
    }
    let print = |text: String| print_text(&smoke.as_ref().map_or(text.clone(), |smoke| smoke.hide(&text)));
    let _lock = context.layout.lock()?;
    let determinism = Determinism::unless(arguments.nondeterministic);
    let selection = Selection { determinism, ..selection(&arguments.jobs) };
    // The results are looked at as they are, fresh or not.
    let looking = Selection { is_fresh: false, determinism: Determinism::default(), ..selection.clone() };
    let stages = run_stages(&mut context, &selection, arguments)?;
    if stages.iter().any(|stage| stage.report.interrupted) {
        print(interrupted_text(arguments, &stages)?)?;
        return stages.iter().try_for_each(|stage| outcome(&stage.report));
    }
    let current = context.plan(&looking)?;
    let verified = verify(&context, &current, &looking)?;
    context.update_index(&current)?;
    let published = render::render(&context.project.papers, &context.layout, &context.layout)?;
    write_checksums(&context.layout, Scope::All)?;
    let waiting = context.waiting(&selection);
    print(report(arguments, &context.layout, &stages, &verified, &published, &waiting)?)?;
    stages.iter().try_for_each(|stage| outcome(&stage.report))?;
    verified.into_result()?;
    require_carried(&published.fallen)
}

/// Runs trainings if they are asked for, then studies, then the experiments that play their winners; stops if
/// one is interrupted.
fn run_stages(
    context: &mut Context,
    selection: &Selection,
    arguments: &cli::ReproduceArgs,
) -> Result<Vec<Stage>, Failure> {
    if arguments.train || arguments.smoke {
        let Stage { plan, report, .. } = Stage::run(context, &Trainings, "trainings", selection, arguments)?;
        require_all(&plan.blocked)?;
        announce(arguments, &(report.text(plan.jobs.len()) + &report.advice()));
        outcome(&report)?;
    } else {
        announce(arguments, &untrained(&context.not_trained(selection)));
    }
    let studies = Stage::run(context, &Studies, "studies", selection, arguments)?;
    if studies.report.interrupted {
        return Ok(vec![studies]);
    }
    Ok(vec![studies, Stage::run(context, &Experiments, "run", selection, arguments)?])
}

/// The jobs of a kind in a reproduction.
struct Stage {
    /// What scripts call it.
    field: &'static str,
    plan: JobPlan,
    report: RunReport,
}

impl Stage {
    /// Plans and runs the selected jobs of a kind, and resolves the project with their results.
    fn run(
        context: &mut Context,
        kind: &dyn Kind,
        field: &'static str,
        selection: &Selection,
        arguments: &cli::ReproduceArgs,
    ) -> Result<Self, Failure> {
        let plan = context.plan_kind(kind, selection)?;
        announce(arguments, &plan::table_of(kind.words(), &plan, jobs(&arguments.playing)));
        let set = |options: &mut Options<'_>| options.is_fresh = arguments.jobs.fresh;
        let report = context.run_jobs(kind, &plan, &arguments.playing, set)?;
        if kind.words() != &EXPERIMENT {
            context.resolve_again();
        }
        Ok(Self { field, plan, report })
    }

    /// What was done, for people; nothing if no job is selected, unless these are experiments.
    fn text(&self) -> String {
        match self.plan.is_empty() && self.report.words != &EXPERIMENT {
            true => String::new(),
            false => self.report.text(self.plan.jobs.len()),
        }
    }
}

fn interrupted_text(arguments: &cli::ReproduceArgs, stages: &[Stage]) -> Result<String, Failure> {
    if arguments.playing.json {
        let mut fields = json!({"smoke": arguments.smoke});
        stages.iter().for_each(|stage| fields[stage.field] = json!(stage.report));
        return json_text(&fields);
    }
    Ok(stages.iter().map(|stage| stage.text() + &stage.report.advice()).collect())
}

/// Trainings that are not done, and what they would take.
fn untrained(trainings: &[(Key, u64, Option<Cost>)]) -> String {
    if trainings.is_empty() {
        return String::new();
    }
    let line = |(key, games, cost): &(Key, u64, Option<Cost>)| {
        format!("\n  {}", train::would_take(key, *games, cost.as_ref()))
    };
    let what = counted(trainings.len() as u64, "training");
    let lines: String = trainings.iter().map(line).collect();
    format!("{what} not done; `pipeline reproduce --train` or `pipeline train` runs what is missing:{lines}")
}

/// Verifies what is stored, all of it or only what is planned, and plays a little of each experiment and
/// study again.
fn verify(context: &Context, plan: &Plan, selection: &Selection) -> Result<VerifyOutcome, Failure> {
    let mut verified = VerifyOutcome::default();
    let studies = context.plan_of::<Studies>(selection)?;
    let files = match selection.names.is_empty() {
        true => job_files(context.layout.root())?,
        false => {
            let paths = studies.jobs.iter().map(|planned| &planned.path);
            let paths = paths.chain(plan.jobs.iter().map(|planned| &planned.path));
            paths.filter(|path| path.exists()).cloned().collect()
        }
    };
    let artefacts = Some(context.artefacts.folder().clone());
    verified.check(&files, &StoredContext { artefacts, ..StoredContext::of(&context.project.papers) });
    verified.allow_stale();
    let again = Sampling { games: 1, moves: Some(AGAIN_MOVES), seed: fresh_seed() };
    context.with_run_context(|run| {
        verified.recompute(&Experiments, &plan.jobs, run, again)?;
        verified.recompute(&Studies, &studies.jobs, run, again)
    })?;
    Ok(verified)
}

/// A smoke reproduction: its scratch folder, which is removed at the end, and the places in it.
struct Smoke {
    folder: Scratch,
    places: Places,
    /// Whether the results are in the scratch folder, and not in a folder that the user named.
    is_hidden: bool,
}

impl Smoke {
    fn new(arguments: &cli::ReproduceArgs) -> Result<Self, Failure> {
        let out = &arguments.places.out;
        let is_hidden = out.as_path() == Path::new("results");
        if !is_hidden && out.join("records").exists() {
            let out = out.display();
            return Err(Failure::usage(format!(
                "{out}: there are records in it, and a smoke reproduction would replace them; omit --out, or name an empty \
                 folder"
            )));
        }
        let folder = Scratch::new("retile-smoke-").map_err(Failure::io)?;
        // Weights from a few games are thrown away, wherever the results go.
        let artefacts = folder.path().join(ARTEFACTS);
        let loading = AgentOptions { artefacts, ..arguments.places.loading.clone() };
        let out = if is_hidden { folder.path().join("results") } else { out.clone() };
        let places = Places { out, loading, ..arguments.places.clone() };
        Ok(Self { folder, places, is_hidden })
    }

    fn announcement(&self) -> String {
        let place = match self.is_hidden {
            true => "a scratch folder, which is removed at the end".to_owned(),
            false => self.places.out.display().to_string(),
        };
        format!(
            "Smoke reproduction: at most {SMOKE_GAMES} games of each experiment, with small budgets, in {place}. It shows that everything works, \
             but nothing about the papers; results/ is not touched."
        )
    }

    /// A text without the path of the scratch folder: its files are named by their places in it.
    fn hide(&self, text: &str) -> String {
        let folder = self.folder.path().display();
        text.replace(&format!("{folder}/results/"), "").replace(&format!("{folder}/"), "")
    }
}

fn announce(arguments: &cli::ReproduceArgs, text: &str) {
    if !arguments.playing.json && !arguments.playing.quiet && !text.is_empty() {
        note(text.trim_end());
    }
}

/// What a reproduction did.
fn report(
    arguments: &cli::ReproduceArgs,
    layout: &Layout,
    stages: &[Stage],
    verified: &VerifyOutcome,
    published: &RenderSummary,
    waiting: &[String],
) -> Result<String, Failure> {
    if arguments.playing.json {
        let mut fields = json!({
            "smoke": arguments.smoke,
            "waiting": waiting,
            "verified": verified.json(),
            "verdicts": published.summary,
            "report": layout.report(),
            "left_out": published.left_out,
            "open_findings": published.open,
            "fallen_findings": published.fallen,
        });
        stages.iter().for_each(|stage| fields[stage.field] = json!(stage.report));
        return json_text(&fields);
    }
    let mut text: String = stages.iter().map(Stage::text).collect();
    text.push_str(&verified.text());
    text.extend(waiting.iter().map(|waiting| format!("{waiting}.\n")));
    if arguments.smoke {
        return Ok(text + "This was a smoke reproduction; `pipeline reproduce` is the real one.\n");
    }
    text.push_str(&look(published, layout));
    if !arguments.jobs.fresh {
        text.push_str("`pipeline reproduce --fresh` plays every game again and compares.\n");
    }
    Ok(text)
}

/// The comparison of the papers, the numbers of verdicts, and where the rest is.
fn look(published: &RenderSummary, layout: &Layout) -> String {
    let mut text = String::new();
    if let Some(comparison) = &published.comparison {
        // The cost of training is a column only if something was trained.
        const COLUMNS: [&str; 6] =
            ["Method", "Games", "Mean score", "Reaches 2048", "Largest tile", "Training games"];
        let at = |name: &str| comparison.header.iter().position(|heading| heading == name);
        let (columns, places): (Vec<&str>, Vec<usize>) =
            COLUMNS.into_iter().filter_map(|name| Some((name, at(name)?))).unzip();
        let cells = |row: &Vec<Cell>| places.iter().map(|&place| row[place].text()).collect();
        let table = table(&columns, comparison.rows.iter().map(cells));
        text.push_str(&format!("\n{}\n{table}\n", comparison.title));
    }
    text.push_str(&counts(&published.summary));
    text.push_str(&format!(
        "\n`pipeline claims` lists them; {} below {} show them; start with {}.\n",
        counted(published.files.len() as u64, "file"),
        layout.root().display(),
        layout.report().display()
    ));
    text.push_str(&left_out(published));
    text.push_str(&open_findings(&published.open));
    text
}

/// The games of each experiment in a smoke reproduction.
const SMOKE_GAMES: u64 = 3;

/// The games of each training in a smoke reproduction, and of each row of its learning curve.
const SMOKE_TRAINING: (u64, u64) = (20, 5);

/// A few games under a small budget: enough to see that everything works. Nothing is found by them.
fn make_small(paper: &mut Paper) {
    for experiment in &mut paper.experiments {
        experiment.games = experiment.games.min(SMOKE_GAMES);
        experiment.budget = small(experiment.budget);
    }
    for study in &mut paper.studies {
        study.budget = small(study.budget);
        study.evaluation.games = 1;
        study.method = study.method.smoke_sized();
    }
    for training in &mut paper.trainings {
        (training.games, training.curve_every) = (training.games.min(SMOKE_TRAINING.0), SMOKE_TRAINING.1);
        // Its weights are others than the manifest states.
        training.sha256 = None;
    }
    paper.findings.clear();
    paper.account = None;
}

fn small(budget: Budget) -> Budget {
    match budget {
        Budget::None => Budget::None,
        // Some searches end with a move of their own, and so take odd numbers alone.
        Budget::Plies(plies) => Budget::Plies(plies.min(2 + plies % 2)),
        Budget::Nodes(nodes) => Budget::Nodes(nodes.min(100)),
        Budget::Playouts(playouts) => Budget::Playouts(playouts.min(10)),
        Budget::TimeNs(time_ns) => Budget::TimeNs(time_ns.min(1_000_000)),
    }
}
