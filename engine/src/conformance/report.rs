//! What came of the suite: each step with what was seen, or what is wrong and how to mend it.

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
    #[must_use]
    pub fn passed(&self) -> bool {
        self.steps.iter().all(|step| step.outcome.is_ok())
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, Step { demand, outcome }) in (1..).zip(&self.steps) {
            match outcome {
                Ok(seen) => writeln!(f, "{number}. passed  {demand}: {seen}")?,
                Err(Finding { seen, remedy }) => {
                    writeln!(f, "{number}. FAILED  {demand}: {seen}\n           remedy: {remedy}")?;
                }
            }
        }
        Ok(())
    }
}
