//! `pipeline reproduce`: the main job, from manifests to verified records.

use std::path::{Path, PathBuf};

use engine::agent::Budget;
use serde_json::json;

use super::claims::counts;
use super::context::{Context, jobs, paper_names};
use super::protect::protect;
use super::render::{left_out, open_findings, require_carried};
use super::reproduce_from::reproduce_from;
use super::run::{outcome, summary};
use super::table::table;
use super::verify::{VerifyOutcome, fresh_seed, records_files};
use super::{Failure, json_text, plan, print_text};
use crate::cli::{self, Places};
use crate::plan::{Plan, Selection};
use crate::recompute::{Count, Sample};
use crate::run::Report;
use manifest::{Experiment, Paper};
use records::layout::Layout;
use records::sums::Scope;
use rendering::everything::{Rendered, render_everything};
use rendering::tables::Cell;
use surroundings::console::note;
use surroundings::scratch;

/// How many moves of a game of each experiment are played again: enough to notice an agent that has changed, and quick.
const AGAIN_MOVES: u32 = 200;
/// The games of each experiment in a smoke reproduction.
const SMOKE_GAMES: u64 = 3;

pub(crate) fn reproduce(arguments: &cli::Reproduce) -> Result<(), Failure> {
    if let Some(bundle) = &arguments.from {
        return reproduce_from(bundle, arguments);
    }
    let scratch = Scratch::for_smoke(arguments)?;
    let mut context = Context::load(scratch.places(arguments), &arguments.names)?;
    if arguments.smoke {
        context.papers.iter_mut().for_each(make_small);
    }
    let _lock = context.layout.lock()?;
    let names = paper_names(&arguments.names);
    let (with_extra, is_fresh) = (arguments.extra, arguments.fresh);
    let selection = Selection { names, with_extra, is_fresh, ..Selection::default() };
    let plan = context.plan(&selection)?;
    announce(arguments, &plan, &scratch);
    let report = context.run(&plan, &arguments.playing, arguments.fresh, None)?;
    if report.interrupted {
        print_text(&scratch.hidden(&told_of_interrupted(arguments, &plan, &report)?))?;
        return outcome(&report);
    }
    let current = context.plan(&selection)?;
    let verified = verify(&context, &current, arguments.names.is_empty())?;
    context.update_index(&current)?;
    let published = render_everything(&context.papers, &context.layout)?;
    protect(&context.layout, Scope::All)?;
    let done = Done { plan: &plan, report: &report, verified: &verified, published: &published };
    print_text(&scratch.hidden(&told(arguments, &context.layout, &done)?))?;
    outcome(&report)?;
    verified.into_result()?;
    require_carried(&published.fallen)
}

/// Replays what is stored, all of it or only what is planned, and plays a little of each experiment again.
fn verify(context: &Context, plan: &Plan, is_all: bool) -> Result<VerifyOutcome, Failure> {
    let mut verified = VerifyOutcome::default();
    let everything = context.layout.root().join("records");
    let files = if is_all && everything.is_dir() { records_files(&[everything])? } else { files(plan) };
    verified.replay(&files);
    let again = Sample { games: Count::Some(1), moves: Some(AGAIN_MOVES), seed: fresh_seed() };
    verified.recompute(plan, &context.launcher, again)?;
    Ok(verified)
}

/// The folder of a smoke reproduction; it is gone when the command ends, unless the user named it.
struct Scratch {
    places: Option<Places>,
    folder: Option<scratch::Scratch>,
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
        if !arguments.smoke || is_named {
            return Ok(Self { places: None, folder: None });
        }
        let folder = scratch::Scratch::new("retile-smoke-").map_err(Failure::io)?;
        let places = Places { out: folder.path().to_owned(), ..arguments.places.clone() };
        Ok(Self { places: Some(places), folder: Some(folder) })
    }

    fn places<'a>(&'a self, arguments: &'a cli::Reproduce) -> &'a Places {
        self.places.as_ref().unwrap_or(&arguments.places)
    }

    /// A text without the path of a folder that nobody will find: its files are named by their places in it.
    fn hidden(&self, text: &str) -> String {
        match &self.folder {
            Some(folder) => text.replace(&format!("{}/", folder.path().display()), ""),
            None => text.to_owned(),
        }
    }
}

/// A few games under a small budget: enough to see that everything works. Nothing is found by them.
fn make_small(paper: &mut Paper) {
    paper.experiments.iter_mut().for_each(make_experiment_small);
    paper.findings.clear();
    paper.account = None;
}

fn make_experiment_small(experiment: &mut Experiment) {
    experiment.games = experiment.games.min(SMOKE_GAMES);
    experiment.budget = match experiment.budget {
        Budget::None => Budget::None,
        Budget::Plies(plies) => Budget::Plies(plies.min(2)),
        Budget::Nodes(nodes) => Budget::Nodes(nodes.min(100)),
        Budget::Playouts(playouts) => Budget::Playouts(playouts.min(10)),
        Budget::TimeNs(time_ns) => Budget::TimeNs(time_ns.min(1_000_000)),
    };
}

fn announce(arguments: &cli::Reproduce, planned: &Plan, scratch: &Scratch) {
    if arguments.playing.json || arguments.playing.quiet {
        return;
    }
    if arguments.smoke {
        let place = match &scratch.folder {
            Some(_) => "a scratch folder, which is removed at the end".to_owned(),
            None => arguments.places.out.display().to_string(),
        };
        note(format_args!(
            "Smoke reproduction: at most {SMOKE_GAMES} games of each experiment, with small budgets, in {place}. It shows that everything works, \
         but nothing about the papers; results/ is not touched."
        ));
    }
    note(plan::text(planned, jobs(&arguments.playing)).trim_end());
}

/// The records files of a plan that are there.
fn files(plan: &Plan) -> Vec<PathBuf> {
    plan.experiments.iter().map(|planned| planned.path.clone()).filter(|path| path.exists()).collect()
}

/// What a reproduction did.
struct Done<'a> {
    plan: &'a Plan,
    report: &'a Report,
    verified: &'a VerifyOutcome,
    published: &'a Rendered,
}

fn told_of_interrupted(arguments: &cli::Reproduce, plan: &Plan, report: &Report) -> Result<String, Failure> {
    if arguments.playing.json {
        return json_text(&json!({"smoke": arguments.smoke, "run": report}));
    }
    Ok(summary(report, plan.experiments.len()))
}

fn told(arguments: &cli::Reproduce, layout: &Layout, done: &Done<'_>) -> Result<String, Failure> {
    let Done { plan, report, verified, published } = done;
    if arguments.playing.json {
        return json_text(&json!({
            "smoke": arguments.smoke,
            "run": report,
            "verified": verified,
            "verdicts": published.summary,
            "report": layout.report(),
            "left_out": published.left_out,
            "open_findings": published.open,
            "fallen_findings": published.fallen,
        }));
    }
    let mut text = format!("{}{}", summary(report, plan.experiments.len()), verified.text());
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

/// What there is to look at: the comparison of the papers, the numbers of verdicts, and where the rest is.
fn look(published: &Rendered, layout: &Layout) -> String {
    let mut text = String::new();
    if let Some(comparison) = &published.comparison {
        let columns = ["Method", "Games", "Mean score", "Reaches 2048", "Largest tile"];
        let at = |name: &str| comparison.header.iter().position(|heading| heading == name);
        let places: Vec<usize> = columns.iter().filter_map(|name| at(name)).collect();
        let cells = |row: &Vec<Cell>| places.iter().map(|&place| row[place].text()).collect();
        let rows: Vec<Vec<String>> = comparison.rows.iter().map(cells).collect();
        text.push_str(&format!("\n{}\n{}\n", comparison.title, table(&columns, &rows)));
    }
    text.push_str(&counts(&published.summary));
    text.push_str(&format!(
        "\n`pipeline claims` lists them; {} files below {} show them; start with {}.\n",
        published.files.len(),
        layout.root().display(),
        layout.report().display()
    ));
    text.push_str(&left_out(published));
    text.push_str(&open_findings(&published.open));
    text
}
