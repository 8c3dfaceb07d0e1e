//! The report on an agent's steps, as text and as JSON. A cause that made an earlier step fail is not
//! repeated.

use engine::conformance::StepResult;
use serde::Serialize;

use super::{SPEED, demands};
use crate::output::style::Style;
use platform::plain::{self, paragraph};

/// The steps of one agent.
#[derive(Serialize)]
pub(super) struct AgentReport {
    pub(super) agent: String,
    pub(super) steps: Vec<ReportedStep>,
    /// The demands that were not reached, since the agent took its process down before.
    pub(super) not_reached: Vec<&'static str>,
}

impl AgentReport {
    pub(super) fn new(agent: &str) -> Self {
        Self { agent: agent.to_owned(), steps: Vec::new(), not_reached: Vec::new() }
    }

    /// How many steps failed.
    pub(super) fn failed(&self) -> u64 {
        self.steps.iter().filter(|step| !step.step.passed).count() as u64
    }

    /// The demand of the current step.
    pub(super) fn next_demand(&self) -> &'static str {
        demands().nth(self.steps.len()).unwrap_or(SPEED)
    }

    /// The demands that were not reached.
    pub(super) fn rest(&self, Style { dim, plain, .. }: Style) -> String {
        match &self.not_reached[..] {
            [] => String::new(),
            demands => format!("      {dim}not reached: {}{plain}\n", demands.join(", ")),
        }
    }
}

/// A step as it is reported.
#[derive(Serialize)]
pub(super) struct ReportedStep {
    #[serde(flatten)]
    pub(super) step: StepResult,
    /// The number of the first step that failed for the same cause, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    same_as: Option<usize>,
    /// What the agent wrote to standard error in a step that failed.
    #[serde(skip_serializing_if = "String::is_empty")]
    stderr: String,
}

impl ReportedStep {
    /// A step that comes after others. What has the same remedy, or was seen before, has the same cause.
    pub(super) fn after(others: &[Self], step: StepResult, stderr: &str) -> Self {
        let is_same = |other: &Self| {
            let other = &other.step;
            !other.passed && (other.remedy == step.remedy || other.seen == step.seen)
        };
        let earlier = others.iter().position(is_same).filter(|_| !step.passed);
        let stderr = if step.passed || earlier.is_some() { "" } else { stderr };
        Self { same_as: earlier.map(|index| index + 1), stderr: stderr.to_owned(), step }
    }

    pub(super) fn text(&self, number: usize, Style { red, green, plain, .. }: Style) -> String {
        let StepResult { demand, passed, place, seen, remedy } = &self.step;
        if *passed {
            return format!("  {number:>2}. {green}passed{plain}  {demand}: {}\n", paragraph(seen));
        }
        let failed = format!("  {number:>2}. {red}FAILED{plain}  {demand}: ");
        let place = place.as_deref().map(plain::line);
        if let Some(earlier) = self.same_as {
            let place = place.map(|place| format!(", at {place}")).unwrap_or_default();
            return format!("{failed}as in step {earlier}{place}\n");
        }
        let place = place.map(|place| format!("{MARGIN}at {place}\n")).unwrap_or_default();
        let remedy = remedy.as_ref().map(|remedy| format!("{MARGIN}remedy: {remedy}\n")).unwrap_or_default();
        let stderr = match stderr_lines(&self.stderr, MARGIN).trim() {
            "" => String::new(),
            stderr => format!("{MARGIN}{stderr}\n"),
        };
        format!("{failed}{}\n{place}{remedy}{stderr}", paragraph(seen))
    }
}

/// What stands before each line of a step but its first.
const MARGIN: &str = "              ";

/// The standard error of an agent, line by line.
pub(super) fn stderr_lines(said: &str, margin: &str) -> String {
    if said.trim().is_empty() {
        return String::new();
    }
    let said = plain::text(said);
    let lines = said.trim_end().lines().map(|line| format!("\n{margin}  {line}"));
    format!("\n{margin}it wrote to standard error:{}", lines.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failed(demand: &str, place: &str, seen: &str, remedy: &str) -> StepResult {
        StepResult {
            demand: demand.to_owned(),
            passed: false,
            place: Some(place.to_owned()),
            seen: seen.to_owned(),
            remedy: Some(remedy.to_owned()),
        }
    }

    #[test]
    fn a_cause_is_reported_once_with_all_of_standard_error() {
        let trace = "Traceback:\n  line 3\nValueError: 7\n";
        let mut steps = vec![ReportedStep::after(&[], failed("a", "game 0", "it died of 7", "live"), trace)];
        steps.push(ReportedStep::after(&steps, failed("b", "game 7", "it died of 8", "live"), trace));
        steps.push(ReportedStep::after(&steps, failed("c", "game 1", "it lies", "speak the truth"), ""));
        let texts: Vec<String> =
            (1..).zip(&steps).map(|(number, step)| step.text(number, Style::default())).collect();
        let first = "   1. FAILED  a: it died of 7\n              at game 0\n              remedy: live\n              \
                     it wrote to standard error:\n                Traceback:\n                  line 3\n                \
                     ValueError: 7\n";
        assert_eq!(texts[0], first);
        assert_eq!(texts[1], "   2. FAILED  b: as in step 1, at game 7\n");
        assert_eq!(
            texts[2],
            "   3. FAILED  c: it lies\n              at game 1\n              remedy: speak the truth\n"
        );
    }
}
