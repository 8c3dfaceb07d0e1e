//! `pipeline reproduce`: the main job, from manifests to verified records.

use std::path::{Path, PathBuf};

use engine::agent::Budget;
use serde_json::json;

use super::context::{Context, jobs, paper_names};
use super::run::{outcome, summary};
use super::verify::{Outcome, records_files};
use super::{Failure, plan, print_json, print_text};
use crate::cli::{self, Places};
use crate::layout::Layout;
use crate::manifest::Experiment;
use crate::plan::{Plan, Selection};
use crate::run::Report;
use crate::verify::Sample;

/// How much of each experiment is played again: enough to notice an agent that has changed, and quick.
const AGAIN: Sample = Sample { games: 1, moves: Some(200) };
/// The games of each experiment in a smoke reproduction.
const SMOKE_GAMES: u64 = 3;

pub(crate) fn reproduce(arguments: &cli::Reproduce) -> Result<(), Failure> {
    let scratch = Scratch::for_smoke(arguments)?;
    let mut context = Context::load(scratch.places(arguments), &arguments.names)?;
    if arguments.smoke {
        context.papers.iter_mut().flat_map(|paper| &mut paper.experiments).for_each(make_small);
    }
    let _lock = context.layout.lock()?;
    let names = paper_names(&arguments.names);
    let (with_extra, is_fresh) = (arguments.extra, arguments.fresh);
    let selection = Selection { names, with_extra, is_fresh, ..Selection::default() };
    let plan = context.plan(&selection)?;
    announce(arguments, &plan, &context.layout);
    let report = context.run(&plan, &arguments.playing, arguments.fresh, None)?;
    let mut verified = Outcome::default();
    if !report.interrupted {
        let current = context.plan(&selection)?;
        let everything = context.layout.root().join("records");
        let is_all = arguments.names.is_empty() && everything.is_dir();
        verified.replay(&if is_all { records_files(&[everything])? } else { files(&current) });
        verified.recompute(&current, &context.launcher, AGAIN)?;
    }
    tell(arguments, &plan, &report, &verified)?;
    outcome(&report)?;
    verified.into_result()
}

/// The folder of a smoke reproduction; it is gone when the command ends, unless the user named it.
struct Scratch {
    places: Option<Places>,
    _folder: Option<tempfile::TempDir>,
}

impl Scratch {
    fn for_smoke(arguments: &cli::Reproduce) -> Result<Self, Failure> {
        let out = &arguments.places.out;
        let is_named = out.as_path() != Path::new("results");
        if arguments.smoke && is_named && out.join("records").exists() {
            let out = out.display();
            return Err(Failure::usage(format!(
                "{out}: there are records in it, and a smoke reproduction would replace them; leave --out away, or name an \
                 empty folder"
            )));
        }
        if !arguments.smoke || is_named {
            return Ok(Self { places: None, _folder: None });
        }
        let folder = tempfile::Builder::new().prefix("retile-smoke-").tempdir().map_err(Failure::io)?;
        let places = Places { out: folder.path().to_owned(), ..arguments.places.clone() };
        Ok(Self { places: Some(places), _folder: Some(folder) })
    }

    fn places<'a>(&'a self, arguments: &'a cli::Reproduce) -> &'a Places {
        self.places.as_ref().unwrap_or(&arguments.places)
    }
}

/// A few games under a small budget: enough to see that everything works.
fn make_small(experiment: &mut Experiment) {
    experiment.games = experiment.games.min(SMOKE_GAMES);
    experiment.budget = match experiment.budget {
        Budget::None => Budget::None,
        Budget::Plies(plies) => Budget::Plies(plies.min(2)),
        Budget::Nodes(nodes) => Budget::Nodes(nodes.min(100)),
        Budget::Playouts(playouts) => Budget::Playouts(playouts.min(10)),
        Budget::TimeNs(time_ns) => Budget::TimeNs(time_ns.min(1_000_000)),
    };
}

fn announce(arguments: &cli::Reproduce, planned: &Plan, layout: &Layout) {
    if arguments.playing.json || arguments.playing.quiet {
        return;
    }
    if arguments.smoke {
        eprintln!(
            "Smoke reproduction: at most {SMOKE_GAMES} games of each experiment, with small budgets, in {}. It shows that all \
             works, and nothing about the papers; results/ is not touched.",
            layout.root().display()
        );
    }
    eprint!("{}", plan::text(planned, jobs(&arguments.playing)));
}

/// The records files of a plan that are there.
fn files(plan: &Plan) -> Vec<PathBuf> {
    plan.experiments.iter().map(|planned| planned.path.clone()).filter(|path| path.exists()).collect()
}

fn tell(arguments: &cli::Reproduce, plan: &Plan, report: &Report, verified: &Outcome) -> Result<(), Failure> {
    if arguments.playing.json {
        return print_json(&json!({"smoke": arguments.smoke, "run": report, "verified": verified}));
    }
    let played = summary(report, plan.experiments.len());
    if report.interrupted {
        return print_text(&played);
    }
    let again = match (arguments.smoke, arguments.fresh) {
        (true, _) => "This was a smoke reproduction; `pipeline reproduce` is the real one.\n",
        (false, true) => "",
        (false, false) => "`pipeline reproduce --fresh` plays every game again and compares.\n",
    };
    print_text(&format!("{played}{}{again}", verified.text()))
}
