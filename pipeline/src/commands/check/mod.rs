//! `pipeline check`: the agents of a plugin, put through the conformance suite. Each step is printed as soon
//! as it is done.

mod outcome;
mod step_progress;
mod subjects;

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use engine::Rules;
use engine::conformance::{DEMANDS, SEED, StepResult, small_budgets};

use super::context::launcher;
use super::{Failure, print_json, print_text};
use crate::cli;
use crate::output::style::Style;
use crate::progress::Display;
use crate::signatures::{AgentSetup, Probing, probe_twice};
use outcome::{AgentReport, ReportedStep};
use platform::ScratchFile;
use step_progress::StepProgress;
use subjects::{CheckedAgent, subjects};
use text::counted;
use workers::{CheckEvent, CheckSetup, PluginEntry, Program, Worker, WorkerError};

/// What the worker adds to the suite's own demands.
const SPEED: &str = "moves a second";

pub(crate) fn check(arguments: &cli::CheckArgs) -> Result<(), Failure> {
    let subjects = subjects(arguments)?;
    if !arguments.json {
        let limit = arguments.limit;
        print_text(&format!("Each step may take up to {limit} s; --limit sets another limit.\n"))?;
    }
    let check = |subject| check_agent(arguments, subject);
    let reports = subjects.iter().map(check).collect::<Result<Vec<_>, _>>()?;
    if arguments.json {
        print_json(&reports)?;
    }
    match reports.iter().map(AgentReport::failed).sum() {
        0 => Ok(()),
        failed => Err(Failure::check(format!("{} failed", counted(failed, "step")))),
    }
}

/// Checks one agent in a worker of its own, whose end and whose standard output are steps too.
fn check_agent(arguments: &cli::CheckArgs, subject: &CheckedAgent) -> Result<AgentReport, Failure> {
    let stdout = ScratchFile::new().map_err(Failure::io)?;
    let mut launcher = launcher(arguments.places.loading.memory)?;
    launcher.limits.stdout_to = Some(stdout.path().path().to_owned());
    let mut worker = launcher.start()?;
    worker.open(&subject.file)?;
    let mut reporter = Reporter { arguments, report: AgentReport::new(&subject.agent.id) };
    let Style { bold, plain, .. } = Style::of_stdout();
    reporter.print(&format!("{bold}{}{plain}\n", subject.agent.id))?;
    let ended = reporter.take_steps(&mut worker, subject)?;
    if ended {
        reporter.add(clean_end(worker.finish().is_some_and(|status| status.success())), "")?;
    }
    let printed = stdout.as_file().metadata().map_err(Failure::io)?.len();
    reporter.add(clean_output(printed, &subject.file), "")?;
    if ended && let Some(step) = two_processes(arguments, subject)? {
        reporter.add(step, "")?;
    }
    reporter.print(&reporter.report.rest(Style::of_stdout()))?;
    Ok(reporter.report)
}

/// Takes an agent through the suite, and prints each step.
struct Reporter<'a> {
    arguments: &'a cli::CheckArgs,
    report: AgentReport,
}

impl Reporter<'_> {
    /// Whether the worker lives to the end of the suite.
    fn take_steps(&mut self, worker: &mut Worker, subject: &CheckedAgent) -> Result<bool, Failure> {
        let cli::CheckArgs { moves, limit, json, .. } = self.arguments;
        let limit = Duration::from_secs(*limit);
        let mut progress = StepProgress::new(Display::fitting(*json), limit, *moves);
        let mut printed = Ok(());
        let (agent, params, files) =
            (subject.agent.id.clone(), subject.params.clone(), subject.files.clone());
        let setup = CheckSetup { agent, params, moves: *moves, budget: subject.budget, files };
        let outcome = worker.check(setup, limit, |event| match event {
            CheckEvent::Decided(decisions) => progress.decided(self.report.next_demand(), decisions),
            CheckEvent::Step { step, stderr } => {
                progress.next_step();
                printed = std::mem::replace(&mut printed, Ok(())).and(self.add(step, &stderr));
            }
        });
        printed?;
        match outcome {
            Ok(()) => Ok(true),
            Err(WorkerError::Faulted(fault)) => {
                let step = progress.broken_off(self.report.next_demand(), &fault);
                progress.next_step();
                self.add(step, &worker.take_stderr())?;
                self.report.not_reached = demands().skip(self.report.steps.len()).collect();
                Ok(false)
            }
            Err(other) => Err(other.into()),
        }
    }

    /// Adds a step with the standard error of the agent in it.
    fn add(&mut self, step: StepResult, stderr: &str) -> Result<(), Failure> {
        let step = ReportedStep::after(&self.report.steps, step, stderr);
        let text = step.text(self.report.steps.len() + 1, Style::of_stdout());
        self.report.steps.push(step);
        self.print(&text)
    }

    fn print(&self, text: &str) -> Result<(), Failure> {
        if self.arguments.json { Ok(()) } else { print_text(text) }
    }
}

/// A step that needs a remedy if it failed.
fn step(demand: &str, passed: bool, seen: String, remedy: &str) -> StepResult {
    let remedy = (!passed).then(|| remedy.to_owned());
    StepResult { demand: demand.to_owned(), passed, place: None, seen, remedy }
}

/// All demands, in the order of the steps.
fn demands() -> impl Iterator<Item = &'static str> {
    DEMANDS.into_iter().chain([SPEED])
}

/// Whether the agent decides the same in two processes, which no single worker can see. `None` if it fails
/// there, which earlier steps show.
fn two_processes(arguments: &cli::CheckArgs, subject: &CheckedAgent) -> Result<Option<StepResult>, Failure> {
    let CheckedAgent { file, agent, params, files, budget } = subject;
    let plugin = &PluginEntry {
        file: file.clone(),
        sha256: String::new(),
        files: BTreeMap::new(),
        agents: Vec::new(),
    };
    let Some(budget) = budget.or_else(|| small_budgets(agent).first().copied()) else { return Ok(None) };
    let (agent, rules, move_limit) =
        (agent.id.as_str(), &Rules::default(), Duration::from_secs(arguments.limit));
    let setup = AgentSetup { plugin, agent, rules, params, files, budget, move_limit };
    let probed = probe_twice(&launcher(arguments.places.loading.memory)?, &[&setup])?.pop();
    let (seen, passed) = match probed {
        Some(Probing::Same(positions)) => (counted(positions as u64, "position"), true),
        Some(Probing::Different(two)) => (two.to_string(), false),
        Some(Probing::Failed) | None => return Ok(None),
    };
    let remedy = SEED.words_of(Program::is_one(file));
    Ok(Some(step("decides the same in two processes", passed, seen, remedy)))
}

fn clean_end(is_clean: bool) -> StepResult {
    let seen = if is_clean { "all agents destroyed, exit code 0" } else { "it had to be killed, or failed" };
    let remedy = "let destroy return, and leave no thread that blocks the exit";
    step("its process ends cleanly", is_clean, seen.to_owned(), remedy)
}

fn clean_output(printed: u64, plugin: &Path) -> StepResult {
    let remedy = match Program::is_one(plugin) {
        true => r#"write notes to standard error, or as {"type":"log","line":"…"}"#,
        false => "use the host's log callback, or standard error",
    };
    step("writes nothing to standard output", printed == 0, counted(printed, "byte"), remedy)
}
