//! `pipeline check`: the agents of a plugin, put through the conformance suite.

use std::fmt::Write as _;
use std::time::Duration;

use engine::conformance::DEMANDS;
use serde::Serialize;

use super::style::Style;
use super::{Failure, print_json, print_text};
use crate::cli;
use surroundings::plain::paragraph;
use surroundings::scratch::ScratchFile;
use verdict::format::counted;
use workers::worker::protocol::CheckedStep;
use workers::worker::{Launcher, Limits, WorkerError};

/// How long one step of the suite may take.
const LIMIT: Duration = Duration::from_secs(600);
/// What the worker adds to the suite's own demands.
const SPEED: &str = "moves a second";

/// What came of one agent.
#[derive(Serialize)]
struct Checked {
    agent: String,
    steps: Vec<CheckedStep>,
    /// The demands that were not come to, since the agent took its process down before.
    not_reached: Vec<&'static str>,
}

pub(crate) fn check(arguments: &cli::Check) -> Result<(), Failure> {
    let mut worker = plain_launcher()?.start()?;
    let agents = worker.open(&arguments.plugin)?;
    worker.finish();
    let ids: Vec<String> = agents.into_iter().map(|agent| agent.id).collect();
    if let Some(id) = arguments.agent.as_ref().filter(|id| !ids.contains(id)) {
        let plugin = arguments.plugin.display();
        return Err(Failure::usage(format!("{plugin}: has no agent `{id}`; known: {}", ids.join(", "))));
    }
    let chosen = ids.into_iter().filter(|id| arguments.agent.as_ref().is_none_or(|agent| agent == id));
    let checked = chosen.map(|agent| check_agent(arguments, agent)).collect::<Result<Vec<_>, _>>()?;
    if arguments.json {
        print_json(&checked)?;
    } else {
        let style = Style::of_stdout();
        print_text(&checked.iter().map(|checked| text(checked, style)).collect::<String>())?;
    }
    let failed = checked.iter().flat_map(|checked| &checked.steps).filter(|step| !step.passed).count();
    if failed > 0 {
        Err(Failure::check(format!("{} failed", counted(failed as u64, "step"))))
    } else {
        Ok(())
    }
}

fn plain_launcher() -> Result<Launcher, Failure> {
    Launcher::of_this_program(Limits::default()).map_err(Failure::io)
}

/// Checks one agent in a worker of its own, whose end and whose standard output are steps too.
fn check_agent(arguments: &cli::Check, agent: String) -> Result<Checked, Failure> {
    let stdout = ScratchFile::new().map_err(Failure::io)?;
    let mut launcher = plain_launcher()?;
    launcher.limits.stdout_to = Some(stdout.path().to_owned());
    let mut worker = launcher.start()?;
    worker.open(&arguments.plugin)?;
    let params = arguments.params.iter().cloned().collect();
    let mut steps = Vec::new();
    let outcome = worker.check(&agent, params, arguments.moves, None, LIMIT, |step| steps.push(step));
    let mut not_reached = Vec::new();
    match outcome {
        Ok(()) => steps.push(clean_end(worker.finish().is_some_and(|status| status.success()))),
        Err(WorkerError::Faulted(fault)) => {
            let mut demands = DEMANDS.into_iter().chain([SPEED]).skip(steps.len());
            steps.push(CheckedStep {
                demand: demands.next().unwrap_or(SPEED).to_owned(),
                passed: false,
                seen: fault.to_string(),
                remedy: Some(
                    "make sure that the agent never crashes, exits or loops forever: that ends the game"
                        .to_owned(),
                ),
            });
            not_reached = demands.collect();
        }
        Err(other) => return Err(other.into()),
    }
    let printed = stdout.as_file().metadata().map_err(Failure::io)?.len();
    steps.push(CheckedStep {
        demand: "writes nothing to standard output".to_owned(),
        passed: printed == 0,
        seen: format!("{printed} bytes"),
        remedy: (printed > 0).then(|| "use the host's log callback, or standard error".to_owned()),
    });
    Ok(Checked { agent, steps, not_reached })
}

fn clean_end(is_clean: bool) -> CheckedStep {
    let seen = if is_clean { "all agents destroyed, exit code 0" } else { "it had to be killed, or failed" };
    CheckedStep {
        demand: "its process ends cleanly".to_owned(),
        passed: is_clean,
        seen: seen.to_owned(),
        remedy: (!is_clean)
            .then(|| "let destroy return, and leave no thread that blocks the exit".to_owned()),
    }
}

fn text(checked: &Checked, style: Style) -> String {
    let Style { bold, dim, red, green, plain } = style;
    let mut text = format!("{bold}{}{plain}\n", checked.agent);
    for (number, step) in (1..).zip(&checked.steps) {
        let verdict =
            if step.passed { format!("{green}passed{plain}") } else { format!("{red}FAILED{plain}") };
        let _ = writeln!(text, "  {number:>2}. {verdict}  {}: {}", step.demand, paragraph(&step.seen));
        if let Some(remedy) = &step.remedy {
            let _ = writeln!(text, "              remedy: {remedy}");
        }
    }
    if !checked.not_reached.is_empty() {
        let _ = writeln!(text, "      {dim}not reached: {}{plain}", checked.not_reached.join(", "));
    }
    text
}
