//! `pipeline check`: the agents of a plugin, put through the conformance suite. Each step is told as soon as it is done.

mod outcome;
mod waiting;

use std::path::Path;
use std::time::Duration;

use engine::abi::host::AgentInfo;
use engine::agent::Budget;
use engine::conformance::DEMANDS;

use super::style::Style;
use super::{Failure, print_json, print_text};
use crate::cli;
use manifest::check_budget;
use outcome::{Checked, ToldStep, stderr_lines};
use surroundings::scratch::ScratchFile;
use verdict::format::counted;
use waiting::Waiting;
use workers::bridge::Program;
use workers::worker::protocol::CheckedStep;
use workers::worker::{CheckEvent, Launcher, Limits, Worker, WorkerError};

/// What the worker adds to the suite's own demands.
const SPEED: &str = "moves a second";

pub(crate) fn check(arguments: &cli::Check) -> Result<(), Failure> {
    let agents = agents(&arguments.plugin)?;
    let ids: Vec<&str> = agents.iter().map(|agent| agent.id.as_str()).collect();
    if let Some(id) = arguments.agent.as_ref().filter(|id| !ids.contains(&id.as_str())) {
        let plugin = arguments.plugin.display();
        return Err(Failure::usage(format!("{plugin}: has no agent `{id}`; known: {}", ids.join(", "))));
    }
    let is_chosen = |agent: &&AgentInfo| arguments.agent.as_ref().is_none_or(|id| *id == agent.id);
    let chosen: Vec<&AgentInfo> = agents.iter().filter(is_chosen).collect();
    chosen.iter().try_for_each(|agent| require_budget(agent, arguments.budget))?;
    if !arguments.json {
        print_text(&format!(
            "Each step may take up to {} s; --limit sets another limit.\n",
            arguments.limit
        ))?;
    }
    let checked =
        chosen.into_iter().map(|agent| check_agent(arguments, agent)).collect::<Result<Vec<_>, _>>()?;
    if arguments.json {
        print_json(&checked)?;
    }
    match checked.iter().map(Checked::failed).sum() {
        0 => Ok(()),
        failed => Err(Failure::check(format!("{} failed", counted(failed, "step")))),
    }
}

fn plain_launcher() -> Result<Launcher, Failure> {
    Launcher::of_this_program(Limits::default()).map_err(Failure::io)
}

/// The agents of a plugin. What a program that cannot be used has written to standard error is told whole: its last line seldom says where.
fn agents(plugin: &Path) -> Result<Vec<AgentInfo>, Failure> {
    let mut worker = plain_launcher()?.start()?;
    match worker.open(plugin) {
        Ok(agents) => {
            worker.finish();
            Ok(agents)
        }
        Err(error) => Err(Failure::from(error).and(&stderr_lines(&worker.said(), "  "))),
    }
}

/// Fails where an agent cannot be checked under a budget.
fn require_budget(agent: &AgentInfo, budget: Option<Budget>) -> Result<(), Failure> {
    let Some(budget) = budget else { return Ok(()) };
    if matches!(budget, Budget::TimeNs(_)) {
        let text = "the suite plays games twice, and no two are the same under a budget of time: give --budget plies=N, nodes=N or playouts=N";
        return Err(Failure::usage(text));
    }
    check_budget(agent, budget)
        .map_or(Ok(()), |mismatch| Err(Failure::usage(format!("{}: {mismatch}", agent.id))))
}

/// Checks one agent in a worker of its own, whose end and whose standard output are steps too.
fn check_agent(arguments: &cli::Check, agent: &AgentInfo) -> Result<Checked, Failure> {
    let stdout = ScratchFile::new().map_err(Failure::io)?;
    let mut launcher = plain_launcher()?;
    launcher.limits.stdout_to = Some(stdout.path().to_owned());
    let mut worker = launcher.start()?;
    worker.open(&arguments.plugin)?;
    let mut teller = Teller::new(arguments, &agent.id)?;
    let ended = teller.take_steps(&mut worker)?;
    if ended {
        teller.tell(clean_end(worker.finish().is_some_and(|status| status.success())), "")?;
    }
    let printed = stdout.as_file().metadata().map_err(Failure::io)?.len();
    teller.tell(clean_output(printed, &arguments.plugin), "")?;
    teller.finish()
}

/// Takes an agent through the suite, and tells of it.
struct Teller<'a> {
    arguments: &'a cli::Check,
    style: Style,
    checked: Checked,
}

impl<'a> Teller<'a> {
    fn new(arguments: &'a cli::Check, agent: &str) -> Result<Self, Failure> {
        let style = Style::of_stdout();
        if !arguments.json {
            print_text(&format!("{}{agent}{}\n", style.bold, style.plain))?;
        }
        Ok(Self { arguments, style, checked: Checked::new(agent) })
    }

    /// Whether the worker lives to the end of the suite.
    fn take_steps(&mut self, worker: &mut Worker) -> Result<bool, Failure> {
        let cli::Check { params, moves, budget, limit, json, .. } = self.arguments;
        let limit = Duration::from_secs(*limit);
        let mut waiting = Waiting::new(*json, limit, *moves);
        let mut told = Ok(());
        let agent = self.checked.agent.clone();
        let params = params.iter().cloned().collect();
        let outcome = worker.check((&agent, params), (*moves, *budget), limit, |event| match event {
            CheckEvent::Decided(decisions) => waiting.decided(self.checked.next_demand(), decisions),
            CheckEvent::Step { step, stderr } => {
                waiting.step_is_done();
                told = std::mem::replace(&mut told, Ok(())).and(self.tell(step, &stderr));
            }
        });
        told?;
        match outcome {
            Ok(()) => Ok(true),
            Err(WorkerError::Faulted(fault)) => {
                let demand = self.checked.next_demand();
                let step = waiting.broken_off(demand, &fault);
                waiting.step_is_done();
                let said = worker.said();
                self.tell(step, &said)?;
                self.checked.not_reached = demands().skip(self.checked.steps.len()).collect();
                Ok(false)
            }
            Err(other) => Err(other.into()),
        }
    }

    /// Tells of a step that is done, and of what was written to standard error in it.
    fn tell(&mut self, step: CheckedStep, said: &str) -> Result<(), Failure> {
        let step = ToldStep::after(&self.checked.steps, step, said);
        let text = step.text(self.checked.steps.len() + 1, self.style);
        self.checked.steps.push(step);
        if self.arguments.json { Ok(()) } else { print_text(&text) }
    }

    fn finish(self) -> Result<Checked, Failure> {
        if !self.arguments.json {
            print_text(&self.checked.rest(self.style))?;
        }
        Ok(self.checked)
    }
}

/// All demands, in the order of the steps.
fn demands() -> impl Iterator<Item = &'static str> {
    DEMANDS.into_iter().chain([SPEED])
}

fn clean_end(is_clean: bool) -> CheckedStep {
    let seen = if is_clean { "all agents destroyed, exit code 0" } else { "it had to be killed, or failed" };
    CheckedStep {
        demand: "its process ends cleanly".to_owned(),
        passed: is_clean,
        place: None,
        seen: seen.to_owned(),
        remedy: (!is_clean)
            .then(|| "let destroy return, and leave no thread that blocks the exit".to_owned()),
    }
}

fn clean_output(printed: u64, plugin: &Path) -> CheckedStep {
    let remedy = if Program::is_one(plugin) {
        r#"write notes to standard error, or as {"type":"log","line":"…"}"#
    } else {
        "use the host's log callback, or standard error"
    };
    CheckedStep {
        demand: "writes nothing to standard output".to_owned(),
        passed: printed == 0,
        place: None,
        seen: counted(printed, "byte"),
        remedy: (printed > 0).then(|| remedy.to_owned()),
    }
}
