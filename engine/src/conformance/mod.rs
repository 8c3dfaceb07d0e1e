//! What every agent must pass, whatever language it is written in.
//!
//! The suite drives an agent through the C boundary as the pipeline does. Each step passes with what was
//! seen, or fails with what was seen and how to mend it. Only the process around it can see that nothing is
//! written to standard output: `pipeline check` adds that step.

mod demands;
mod remedy;
mod report;
mod rule_sets;
mod tested_agent;

use std::cell::RefCell;

use serde_json::{Map, Value};

pub use remedy::{ANSWER, Remedy, SEED};
pub use report::{Finding, Report, StepResult};
pub use rule_sets::{adversarial_rule_sets, rule_sets};
use tested_agent::TestedAgent;
pub use tested_agent::small_budgets;

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
    check_with(plugin, agent, options, |step| report.steps.extend(step));
    report
}

/// The same, reporting each step at once, since the agent may take the process down in the next; and `None`
/// after each decision.
pub fn check_with(
    plugin: &Plugin,
    agent: &AgentInfo,
    options: &Options,
    mut report: impl FnMut(Option<StepResult>),
) {
    let tested = TestedAgent { plugin, agent, options, report: RefCell::new(&mut report) };
    let steps = [
        TestedAgent::describes_itself,
        TestedAgent::validates_parameters,
        TestedAgent::refuses_unknown_rules,
        TestedAgent::plays_legal_moves,
        TestedAgent::repeats_itself,
        TestedAgent::forgets_earlier_games,
        TestedAgent::keeps_its_budget,
        TestedAgent::has_a_signature,
    ];
    for (demand, step) in DEMANDS.into_iter().zip(steps) {
        tested.report(Some(StepResult::new(demand, step(&tested))));
    }
}
