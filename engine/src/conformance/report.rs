//! The result of the suite: each step with what was seen, or what is wrong and how to mend it.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The result of one step of the suite.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepResult {
    /// What the step demands of the agent.
    pub demand: String,
    /// Whether it passed.
    pub passed: bool,
    /// The game and the move at which it failed, if it was in a game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// What was seen.
    pub seen: String,
    /// How to mend it, if it failed.
    pub remedy: Option<String>,
}

impl StepResult {
    /// The result of a step with this outcome.
    pub fn new(demand: &str, outcome: Result<String, Finding>) -> Self {
        let demand = demand.to_owned();
        match outcome {
            Ok(seen) => Self { demand, passed: true, place: None, seen, remedy: None },
            Err(Finding { place, seen, remedy }) => {
                Self { demand, passed: false, place, seen, remedy: Some(remedy.to_owned()) }
            }
        }
    }
}

/// What is wrong with an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// In which game and at which move, if it is a game's.
    pub place: Option<String>,
    /// What the suite saw.
    pub seen: String,
    /// How to mend it.
    pub remedy: &'static str,
}

/// All steps, in their order.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The steps that were taken.
    pub steps: Vec<StepResult>,
}

impl Report {
    /// Whether no step failed.
    pub fn passed(&self) -> bool {
        self.steps.iter().all(|step| step.passed)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, StepResult { demand, place, seen, remedy, .. }) in (1..).zip(&self.steps) {
            match remedy {
                None => writeln!(f, "{number}. passed  {demand}: {seen}")?,
                Some(remedy) => {
                    let place = place.as_ref().map_or_else(String::new, |place| format!("{place}: "));
                    writeln!(f, "{number}. FAILED  {demand}: {place}{seen}\n           remedy: {remedy}")?;
                }
            }
        }
        Ok(())
    }
}
