//! What every agent must pass, whatever language it is written in.
//!
//! The suite drives an agent through the C boundary as the pipeline does. Each step passes with what was
//! seen, or fails with what was seen and how to mend it. Only the process around it can see that nothing is
//! written to standard output: `pipeline check` adds that step.

mod demands;
mod remedy;
mod report;
mod rule_sets;
mod subject;
mod transcript;

use std::cell::RefCell;

use serde_json::{Map, Value};

pub use remedy::{ANSWER, Remedy, SEED};
pub use report::{Finding, Report, Step};
pub use rule_sets::{adversarial_rule_sets, rule_sets};
use subject::Subject;
pub use subject::small_budgets;

use crate::abi::host::{AgentInfo, Plugin};
use crate::agent::Budget;

/// How much of an agent is looked at.
#[derive(Clone, Debug)]
pub struct Options {
    /// The parameters with which the agent plays; those left out have their defaults.
    pub params: Map<String, Value>,
    /// The most moves of a game; slow agents want fewer.
    pub moves: u32,
    /// The budget to play with; absent: a small one that the agent takes.
    pub budget: Option<Budget>,
}

impl Default for Options {
    fn default() -> Self {
        Self { params: Map::new(), moves: 200, budget: None }
    }
}

/// What is asked of an agent, in the order of the steps.
pub const DEMANDS: [&str; 8] = [
    "describes itself",
    "validates its parameters",
    "refuses rules that it cannot model",
    "plays legal moves only",
    "same seed, same game",
    "game 7 alone equals game 7 after games 0 to 6",
    "keeps its budget",
    "decides the same on the frozen positions",
];

/// Puts one agent of a plugin through all steps.
pub fn check(plugin: &Plugin, agent: &AgentInfo, options: &Options) -> Report {
    let mut report = Report::default();
    check_with(plugin, agent, options, |event| report.steps.extend(event.step()));
    report
}

/// What happens while an agent is put through the steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// It decided something.
    Decided,
    /// A step is done.
    Step(Step),
}

impl Event {
    /// The step that is done, if it is one.
    pub fn step(self) -> Option<Step> {
        match self {
            Self::Decided => None,
            Self::Step(step) => Some(step),
        }
    }
}

/// The same, reporting each decision and each step at once: the agent may take the process down in the next.
pub fn check_with(plugin: &Plugin, agent: &AgentInfo, options: &Options, mut on_event: impl FnMut(Event)) {
    let subject = Subject { plugin, agent, options, on_event: RefCell::new(&mut on_event) };
    type Demanded = fn(&Subject<'_>) -> Result<String, Finding>;
    let steps: [Demanded; DEMANDS.len()] = [
        |subject| subject.describes_itself(),
        |subject| subject.validates_parameters(),
        |subject| subject.refuses_unknown_rules(),
        |subject| subject.plays_legal_moves(),
        |subject| subject.repeats_itself(),
        |subject| subject.forgets_earlier_games(),
        |subject| subject.keeps_its_budget(),
        |subject| subject.has_a_signature(),
    ];
    for (demand, step) in DEMANDS.into_iter().zip(steps) {
        let outcome = step(&subject);
        subject.report(Event::Step(Step { demand, outcome }));
    }
}
