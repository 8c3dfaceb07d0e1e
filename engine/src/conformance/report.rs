//! The result of the suite: each step with what was seen, or what is wrong and how to mend it.

use std::fmt;

/// One step of the suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// What is asked of the agent.
    pub demand: &'static str,
    /// What was seen, or what is wrong.
    pub outcome: Result<String, Finding>,
}

/// What is wrong with an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// In which game and at which move, where it is a game's.
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
    pub steps: Vec<Step>,
}

impl Report {
    /// Whether no step failed.
    pub fn passed(&self) -> bool {
        self.steps.iter().all(|step| step.outcome.is_ok())
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, Step { demand, outcome }) in (1..).zip(&self.steps) {
            match outcome {
                Ok(seen) => writeln!(f, "{number}. passed  {demand}: {seen}")?,
                Err(Finding { place, seen, remedy }) => {
                    let place = place.as_ref().map_or_else(String::new, |place| format!("{place}: "));
                    writeln!(f, "{number}. FAILED  {demand}: {place}{seen}\n           remedy: {remedy}")?;
                }
            }
        }
        Ok(())
    }
}
