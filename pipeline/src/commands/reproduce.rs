//! `pipeline reproduce`: the main job, from manifests to verified records.

use std::path::Path;

use serde_json::{Map, Value, json};

use super::checksums::write_checksums;
use super::claims::counts;
use super::context::{Context, jobs, paper_names, require_all};
use super::render::{left_out, open_findings, require_carried};
use super::reproduce_from::reproduce_from;
use super::run::outcome;
use super::smoke::{SMOKE_GAMES, make_small};
use super::table::table;
use super::train;
use super::verify::{VerifyOutcome, fresh_seed, job_files};
use super::{Failure, json_text, plan, print_text};
use crate::cli::{self, ARTEFACTS, Loading, Places};
use crate::job::EXPERIMENT;
use crate::kinds::{JobPlan, Kind};
use crate::plan::{Determinism, Plan, Selection};
use crate::recompute::{Count, Sampling};
use crate::run::{Options, RunReport};
use jobs::Key;
use jobs::StoredContext;
use platform::confined::ConfinedPath;
use platform::console::note;
use platform::scratch;
use records::Experiments;
use records::layout::Layout;
use records::sums::Scope;
use rendering::render::{self, RenderSummary};
use rendering::tables::Cell;
use studies::Studies;
use text::counted;
use trainings::{Cost, Trainings};

/// How many moves of a game of each experiment are played again: enough to notice an agent that has changed,
/// and quick.
const AGAIN_MOVES: u32 = 200;

pub(crate) fn reproduce(arguments: &cli::Reproduce) -> Result<(), Failure> {
    if let Some(bundle) = &arguments.from {
        return reproduce_from(bundle, arguments);
    }
    let scratch = Scratch::for_smoke(arguments)?;
    let mut context = Context::load(scratch.places(arguments), &arguments.names)?;
    if arguments.smoke {
        context.change_papers(make_small);
    }
    let _lock = context.layout.lock()?;
    let names = paper_names(&arguments.names);
    let (with_extra, is_fresh) = (arguments.extra, arguments.fresh);
    let determinism = Determinism::unless(arguments.nondeterministic);
    // What is stored afterwards is looked at as it is, fresh or not.
    let looking = Selection { names, with_extra, ..Selection::default() };
    let selection = Selection { is_fresh, determinism, ..looking.clone() };
    announce_smoke(arguments, &scratch);
    let stages = run_stages(&mut context, &selection, arguments)?;
    if stages.iter().any(|stage| stage.report.interrupted) {
        print_text(&scratch.hidden(&interrupted_text(arguments, &stages)?))?;
        return stages.iter().try_for_each(|stage| outcome(&stage.report));
    }
    let current = context.plan(&looking)?;
    let verified = verify(&context, &current, &looking)?;
    context.update_index(&current)?;
    let published = render::render(&context.project.papers, &context.layout, &context.layout)?;
    write_checksums(&context.layout, Scope::All)?;
    let waiting = context.waiting(&selection);
    let result = Reproduction { stages, verified, published, waiting };
    print_text(&scratch.hidden(&result.text(arguments, &context.layout)?))?;
    result.stages.iter().try_for_each(|stage| outcome(&stage.report))?;
    result.verified.into_result()?;
    require_carried(&result.published.fallen)
}

/// Runs trainings if they are asked for, then studies, then the experiments that play their winners; stops if
/// one is interrupted.
fn run_stages(
    context: &mut Context,
    selection: &Selection,
    arguments: &cli::Reproduce,
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
        arguments: &cli::Reproduce,
    ) -> Result<Self, Failure> {
        let plan = context.plan_kind(kind, selection)?;
        announce(arguments, &plan::table_of(kind.words(), &plan, jobs(&arguments.playing)));
        let set = |options: &mut Options<'_>| options.is_fresh = arguments.fresh;
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

fn interrupted_text(arguments: &cli::Reproduce, stages: &[Stage]) -> Result<String, Failure> {
    if arguments.playing.json {
        let mut fields = Map::from_iter([("smoke".to_owned(), json!(arguments.smoke))]);
        fields.extend(stages.iter().map(|stage| (stage.field.to_owned(), json!(stage.report))));
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
    let planned = || {
        let paths = studies.jobs.iter().map(|planned| planned.path.clone());
        paths.filter(|path| path.exists()).chain(files(plan)).collect()
    };
    let is_all = selection.names.is_empty();
    let files = if is_all { job_files(context.layout.root())? } else { planned() };
    let artefacts = Some(context.artefacts.folder().clone());
    verified.check(&files, &StoredContext { artefacts, ..StoredContext::of(&context.project.papers) });
    verified.allow_stale();
    let again = Sampling { games: Count::Some(1), moves: Some(AGAIN_MOVES), seed: fresh_seed() };
    context.with_run_context(|run| {
        verified.recompute(&Experiments, &plan.jobs, run, again)?;
        verified.recompute(&Studies, &studies.jobs, run, again)
    })?;
    Ok(verified)
}

/// The folder of a smoke reproduction; it is gone when the command ends, unless the user named it.
struct Scratch {
    places: Option<Places>,
    folder: Option<scratch::Scratch>,
    /// Whether the results are in it, and not where the user said.
    is_hidden: bool,
}

impl Scratch {
    fn for_smoke(arguments: &cli::Reproduce) -> Result<Self, Failure> {
        let out = &arguments.places.out;
        let is_named = out.as_path() != Path::new("results");
        if arguments.smoke && is_named && out.join("records").exists() {
            let out = out.display();
            return Err(Failure::usage(format!(
                "{out}: there are records in it, and a smoke reproduction would replace them; omit --out, or name an empty \
                 folder"
            )));
        }
        if !arguments.smoke {
            return Ok(Self { places: None, folder: None, is_hidden: false });
        }
        let folder = scratch::Scratch::new("retile-smoke-").map_err(Failure::io)?;
        // What is learned in a few games is thrown away, wherever the results go.
        let loading =
            Loading { artefacts: folder.path().join(ARTEFACTS), ..arguments.places.loading.clone() };
        let out = if is_named { out.clone() } else { folder.path().join("results") };
        let places = Places { out, loading, ..arguments.places.clone() };
        Ok(Self { places: Some(places), folder: Some(folder), is_hidden: !is_named })
    }

    fn places<'a>(&'a self, arguments: &'a cli::Reproduce) -> &'a Places {
        self.places.as_ref().unwrap_or(&arguments.places)
    }

    /// A text without the path of a folder that nobody will find: its files are named by their places in it.
    fn hidden(&self, text: &str) -> String {
        match &self.folder {
            Some(folder) => {
                let folder = folder.path().display();
                text.replace(&format!("{folder}/results/"), "").replace(&format!("{folder}/"), "")
            }
            None => text.to_owned(),
        }
    }
}

fn announce_smoke(arguments: &cli::Reproduce, scratch: &Scratch) {
    if !arguments.smoke {
        return;
    }
    let place = match scratch.is_hidden {
        true => "a scratch folder, which is removed at the end".to_owned(),
        false => arguments.places.out.display().to_string(),
    };
    announce(
        arguments,
        &format!(
            "Smoke reproduction: at most {SMOKE_GAMES} games of each experiment, with small budgets, in {place}. It shows that everything works, \
         but nothing about the papers; results/ is not touched."
        ),
    );
}

fn announce(arguments: &cli::Reproduce, text: &str) {
    if !arguments.playing.json && !arguments.playing.quiet && !text.is_empty() {
        note(text.trim_end());
    }
}

/// The records files of a plan that are there.
fn files(plan: &Plan) -> Vec<ConfinedPath> {
    plan.jobs.iter().map(|planned| planned.path.clone()).filter(|path| path.exists()).collect()
}

/// What a reproduction did.
struct Reproduction {
    stages: Vec<Stage>,
    verified: VerifyOutcome,
    published: RenderSummary,
    waiting: Vec<String>,
}

impl Reproduction {
    fn text(&self, arguments: &cli::Reproduce, layout: &Layout) -> Result<String, Failure> {
        let Self { stages, verified, published, waiting } = self;
        if arguments.playing.json {
            let Value::Object(mut fields) = json!({
                "smoke": arguments.smoke,
                "waiting": waiting,
                "verified": verified.json(),
                "verdicts": published.summary,
                "report": layout.report(),
                "left_out": published.left_out,
                "open_findings": published.open,
                "fallen_findings": published.fallen,
            }) else {
                unreachable!("it is an object")
            };
            fields.extend(stages.iter().map(|stage| (stage.field.to_owned(), json!(stage.report))));
            return json_text(&fields);
        }
        let mut text: String = stages.iter().map(Stage::text).collect();
        text.push_str(&verified.text());
        text.extend(waiting.iter().map(|waiting| format!("{waiting}.\n")));
        if arguments.smoke {
            text.push_str("This was a smoke reproduction; `pipeline reproduce` is the real one.\n");
            return Ok(text);
        }
        text.push_str(&look(published, layout));
        if !arguments.fresh {
            text.push_str("`pipeline reproduce --fresh` plays every game again and compares.\n");
        }
        Ok(text)
    }
}

/// What there is to look at: the comparison of the papers, the numbers of verdicts, and where the rest is.
fn look(published: &RenderSummary, layout: &Layout) -> String {
    let mut text = String::new();
    if let Some(comparison) = &published.comparison {
        // What learning cost is a column only where something was learned.
        const COLUMNS: [&str; 6] =
            ["Method", "Games", "Mean score", "Reaches 2048", "Largest tile", "Training games"];
        let at = |name: &str| comparison.header.iter().position(|heading| heading == name);
        let (columns, places): (Vec<&str>, Vec<usize>) =
            COLUMNS.into_iter().filter_map(|name| Some((name, at(name)?))).unzip();
        let cells = |row: &Vec<Cell>| places.iter().map(|&place| row[place].text()).collect();
        let rows: Vec<Vec<String>> = comparison.rows.iter().map(cells).collect();
        text.push_str(&format!("\n{}\n{}\n", comparison.title, table(&columns, &rows)));
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
