//! `pipeline check`: the agents of a plugin, put through the conformance suite. Each step is told as soon as it is done.

mod outcome;
mod step_progress;
mod subjects;

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use engine::Rules;
use engine::conformance::{DEMANDS, SEED, small_budgets};

use super::context::launcher;
use super::{Failure, print_json, print_text};
use crate::cli;
use crate::output::style::Style;
use crate::progress::Display;
use crate::signatures::{Probing, Signee, probe_twice};
use outcome::{Checked, ToldStep};
use platform::scratch::ScratchFile;
use step_progress::StepProgress;
use subjects::{Subject, subjects};
use text::counted;
use workers::bridge::Program;
use workers::catalogue::PluginEntry;
use workers::worker::protocol::{CheckSetup, StepResult};
use workers::worker::{CheckEvent, Worker, WorkerError};

/// What the worker adds to the suite's own demands.
const SPEED: &str = "moves a second";

pub(crate) fn check(arguments: &cli::Check) -> Result<(), Failure> {
    let subjects = subjects(arguments)?;
    if !arguments.json {
        print_text(&format!(
            "Each step may take up to {} s; --limit sets another limit.\n",
            arguments.limit
        ))?;
    }
    let checked =
        subjects.iter().map(|subject| check_agent(arguments, subject)).collect::<Result<Vec<_>, _>>()?;
    if arguments.json {
        print_json(&checked)?;
    }
    match checked.iter().map(Checked::failed).sum() {
        0 => Ok(()),
        failed => Err(Failure::check(format!("{} failed", counted(failed, "step")))),
    }
}

/// Checks one agent in a worker of its own, whose end and whose standard output are steps too.
fn check_agent(arguments: &cli::Check, subject: &Subject) -> Result<Checked, Failure> {
    let stdout = ScratchFile::new().map_err(Failure::io)?;
    let mut launcher = launcher(arguments.places.loading.memory)?;
    launcher.limits.stdout_to = Some(stdout.path().path().to_owned());
    let mut worker = launcher.start()?;
    worker.open(&subject.file)?;
    let mut teller = Teller::new(arguments, &subject.agent.id)?;
    let ended = teller.take_steps(&mut worker, subject)?;
    if ended {
        teller.tell(clean_end(worker.finish().is_some_and(|status| status.success())), "")?;
    }
    let printed = stdout.as_file().metadata().map_err(Failure::io)?.len();
    teller.tell(clean_output(printed, &subject.file), "")?;
    if ended && let Some(step) = two_processes(arguments, subject)? {
        teller.tell(step, "")?;
    }
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
    fn take_steps(&mut self, worker: &mut Worker, subject: &Subject) -> Result<bool, Failure> {
        let cli::Check { moves, limit, json, .. } = self.arguments;
        let limit = Duration::from_secs(*limit);
        let mut progress = StepProgress::new(Display::fitting(*json), limit, *moves);
        let mut told = Ok(());
        let (agent, params, files) =
            (subject.agent.id.clone(), subject.params.clone(), subject.files.clone());
        let setup = CheckSetup { agent, params, moves: *moves, budget: subject.budget, files };
        let outcome = worker.check(setup, limit, |event| match event {
            CheckEvent::Decided(decisions) => progress.decided(self.checked.next_demand(), decisions),
            CheckEvent::Step { step, stderr } => {
                progress.next_step();
                told = std::mem::replace(&mut told, Ok(())).and(self.tell(step, &stderr));
            }
        });
        told?;
        match outcome {
            Ok(()) => Ok(true),
            Err(WorkerError::Faulted(fault)) => {
                let demand = self.checked.next_demand();
                let step = progress.broken_off(demand, &fault);
                progress.next_step();
                let said = worker.take_stderr();
                self.tell(step, &said)?;
                self.checked.not_reached = demands().skip(self.checked.steps.len()).collect();
                Ok(false)
            }
            Err(other) => Err(other.into()),
        }
    }

    /// Tells of a step that is done, and of what was written to standard error in it.
    fn tell(&mut self, step: StepResult, said: &str) -> Result<(), Failure> {
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

/// Whether the agent decides the same in two processes, which no single worker can see. `None` if it fails
/// there, which earlier steps show.
fn two_processes(arguments: &cli::Check, subject: &Subject) -> Result<Option<StepResult>, Failure> {
    let Subject { file, agent, params, files, budget } = subject;
    let plugin = &PluginEntry {
        file: file.clone(),
        sha256: String::new(),
        files: BTreeMap::new(),
        agents: Vec::new(),
    };
    let Some(budget) = budget.or_else(|| small_budgets(agent).first().copied()) else { return Ok(None) };
    let (agent, rules, move_limit) =
        (agent.id.as_str(), &Rules::default(), Duration::from_secs(arguments.limit));
    let signee = Signee { plugin, agent, rules, params, files, budget, move_limit };
    let probed = probe_twice(&launcher(arguments.places.loading.memory)?, &[&signee])?.pop();
    let (seen, passed) = match probed {
        Some(Probing::Same(positions)) => (counted(positions as u64, "position"), true),
        Some(Probing::Different(two)) => (two.to_string(), false),
        Some(Probing::Failed) | None => return Ok(None),
    };
    let remedy = (!passed).then(|| SEED.words_of(Program::is_one(file)).to_owned());
    let demand = "decides the same in two processes".to_owned();
    Ok(Some(StepResult { demand, passed, place: None, seen, remedy }))
}

fn clean_end(is_clean: bool) -> StepResult {
    let seen = if is_clean { "all agents destroyed, exit code 0" } else { "it had to be killed, or failed" };
    StepResult {
        demand: "its process ends cleanly".to_owned(),
        passed: is_clean,
        place: None,
        seen: seen.to_owned(),
        remedy: (!is_clean)
            .then(|| "let destroy return, and leave no thread that blocks the exit".to_owned()),
    }
}

fn clean_output(printed: u64, plugin: &Path) -> StepResult {
    let remedy = if Program::is_one(plugin) {
        r#"write notes to standard error, or as {"type":"log","line":"…"}"#
    } else {
        "use the host's log callback, or standard error"
    };
    StepResult {
        demand: "writes nothing to standard output".to_owned(),
        passed: printed == 0,
        place: None,
        seen: counted(printed, "byte"),
        remedy: (printed > 0).then(|| remedy.to_owned()),
    }
}
