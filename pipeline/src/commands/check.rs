//! `pipeline check`: the agents of a plugin, put through the conformance suite.

use std::fmt::Write as _;
use std::time::Duration;

use serde::Serialize;

use super::{Failure, print_json, print_text};
use crate::cli;
use crate::worker::protocol::CheckedStep;
use crate::worker::{Launcher, Limits};

/// How long the suite may take for one agent.
const LIMIT: Duration = Duration::from_secs(600);

/// What came of one agent.
#[derive(Serialize)]
struct Checked {
    agent: String,
    steps: Vec<CheckedStep>,
}

pub(crate) fn check(arguments: &cli::Check) -> Result<(), Failure> {
    let mut worker = plain_launcher()?.start().map_err(Failure::io)?;
    let agents = worker.open(&arguments.plugin)?;
    let ids: Vec<String> = agents.into_iter().map(|agent| agent.id).collect();
    if let Some(id) = arguments.agent.as_ref().filter(|id| !ids.contains(id)) {
        let plugin = arguments.plugin.display();
        return Err(Failure::usage(format!("{plugin}: has no agent `{id}`; it has: {}", ids.join(", "))));
    }
    let chosen = ids.into_iter().filter(|id| arguments.agent.as_ref().is_none_or(|agent| agent == id));
    let checked = chosen.map(|agent| check_agent(arguments, agent)).collect::<Result<Vec<_>, _>>()?;
    if arguments.json {
        print_json(&checked)?;
    } else {
        print_text(&checked.iter().map(text).collect::<String>())?;
    }
    let failed = checked.iter().flat_map(|checked| &checked.steps).filter(|step| !step.passed).count();
    if failed > 0 { Err(Failure::check(format!("{failed} steps failed"))) } else { Ok(()) }
}

fn plain_launcher() -> Result<Launcher, Failure> {
    Launcher::of_this_program(Limits::default()).map_err(Failure::io)
}

/// Checks one agent in a worker of its own, whose standard output is watched until it has ended.
fn check_agent(arguments: &cli::Check, agent: String) -> Result<Checked, Failure> {
    let stdout = tempfile::NamedTempFile::new().map_err(Failure::io)?;
    let mut launcher = plain_launcher()?;
    launcher.limits.stdout_to = Some(stdout.path().to_owned());
    let mut worker = launcher.start().map_err(Failure::io)?;
    worker.open(&arguments.plugin)?;
    let params = arguments.params.iter().cloned().collect();
    let mut steps = worker.check(&agent, params, arguments.moves, None, LIMIT)?;
    worker.finish();
    let printed = stdout.as_file().metadata().map_err(Failure::io)?.len();
    steps.push(CheckedStep {
        demand: "writes nothing to standard output".to_owned(),
        passed: printed == 0,
        seen: format!("{printed} bytes"),
        remedy: (printed > 0).then(|| "use the host's log callback, or standard error".to_owned()),
    });
    Ok(Checked { agent, steps })
}

fn text(checked: &Checked) -> String {
    let mut text = format!("{}\n", checked.agent);
    for (number, step) in (1..).zip(&checked.steps) {
        let verdict = if step.passed { "passed" } else { "FAILED" };
        let _ = writeln!(text, "  {number}. {verdict}  {}: {}", step.demand, step.seen);
        if let Some(remedy) = &step.remedy {
            let _ = writeln!(text, "             remedy: {remedy}");
        }
    }
    text
}
