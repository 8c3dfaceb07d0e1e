//! A budget on a command line: `plies=3`, `3 plies`, or `3` where an agent takes only one kind.

use std::str::FromStr;

use engine::abi::host::AgentInfo;
use engine::agent::{Budget, Capabilities};

/// A budget as it is given. Whether an agent takes it is the agent's to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BudgetText {
    /// So much of a kind, or none.
    Exact(Budget),
    /// So much of the one kind that the agent takes.
    Amount(u64),
}

/// The error of a text that is not a budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a budget is plies=N, nodes=N, playouts=N, milliseconds=N or none; `3 plies` is understood too, and `3` where an agent takes only \
     one kind"
)]
pub struct BudgetError;

/// How a budget is made of an amount.
type MakeBudget = fn(u64) -> Budget;

/// What the kinds are called, how many of the engine's unit each is, and how a budget of it is made.
const KINDS: [(&[&str], u64, MakeBudget); 7] = [
    (&["plies", "ply"], 1, Budget::Plies),
    (&["nodes", "node"], 1, Budget::Nodes),
    (&["playouts", "playout"], 1, Budget::Playouts),
    (&["milliseconds", "millisecond", "ms"], 1_000_000, Budget::TimeNs),
    (&["seconds", "second", "s"], 1_000_000_000, Budget::TimeNs),
    (&["microseconds", "microsecond", "us"], 1000, Budget::TimeNs),
    (&["time-ns", "nanoseconds", "nanosecond", "ns"], 1, Budget::TimeNs),
];

/// How each kind of budget is written, by the capability that it asks for.
const FORMS: [(Capabilities, &str); 5] = [
    (Capabilities::NO_BUDGET, "none"),
    (Capabilities::PLIES, "plies=N"),
    (Capabilities::NODES, "nodes=N"),
    (Capabilities::PLAYOUTS, "playouts=N"),
    (Capabilities::TIME, "milliseconds=N"),
];

impl FromStr for BudgetText {
    type Err = BudgetError;

    fn from_str(text: &str) -> Result<Self, BudgetError> {
        let text = text.trim();
        if text == "none" {
            return Ok(Self::Exact(Budget::None));
        }
        if let Some((kind, amount)) = text.split_once('=') {
            return Self::of_kind(kind.trim(), amount.trim()).unwrap_or(Err(BudgetError));
        }
        let digits = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
        let (amount, kind) = text.split_at(digits);
        match kind.trim() {
            "" => Ok(Self::Amount(positive(amount)?)),
            kind => Self::of_kind(kind, amount).unwrap_or(Err(BudgetError)),
        }
    }
}

impl BudgetText {
    /// The budget of a kind by its name; `None` if no kind has this name.
    pub fn of_kind(kind: &str, amount: &str) -> Option<Result<Self, BudgetError>> {
        if kind == "budget" {
            return Some(amount.parse());
        }
        let (_, unit, make) = KINDS.into_iter().find(|(names, ..)| names.contains(&kind))?;
        let budget = || positive(amount)?.checked_mul(unit).map(make).ok_or(BudgetError);
        Some(budget().map(Self::Exact))
    }

    /// The budget for an agent, of whatever kind it takes; `None` if an amount alone does not say of which
    /// kind.
    pub fn of_agent(self, agent: &AgentInfo) -> Option<Budget> {
        let amount = match self {
            Self::Exact(budget) => return Some(budget),
            Self::Amount(amount) => amount,
        };
        let makes: [MakeBudget; 3] = [Budget::Plies, Budget::Nodes, Budget::Playouts];
        let mut fitting = makes.into_iter().map(|make| make(amount)).filter(|&b| agent.capabilities.takes(b));
        match (fitting.next(), fitting.next()) {
            // Nobody who writes a bare number means nanoseconds.
            (Some(only), None) => Some(only),
            _ => None,
        }
    }
}

fn positive(text: &str) -> Result<u64, BudgetError> {
    text.parse().ok().filter(|&amount| amount > 0).ok_or(BudgetError)
}

/// The budgets that an agent takes, as they are written.
pub fn forms(agent: &AgentInfo) -> Vec<&'static str> {
    let is_taken = |&(capability, _): &(Capabilities, &str)| agent.capabilities.contains(capability);
    FORMS.into_iter().filter(is_taken).map(|(_, form)| form).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_is_understood_in_every_form() {
        let exact = |text: &str| match text.parse() {
            Ok(BudgetText::Exact(budget)) => budget,
            other => panic!("{text}: {other:?}"),
        };
        for text in ["plies=3", "3 plies", "3plies", " plies = 3 ", "3 ply", "ply=3"] {
            assert_eq!(exact(text), Budget::Plies(3), "{text}");
        }
        assert_eq!(exact("1000 nodes"), Budget::Nodes(1000));
        assert_eq!(exact("playouts=7"), Budget::Playouts(7));
        for text in ["milliseconds=50", "50 ms", "50ms", "time-ns=50000000", "50000 us"] {
            assert_eq!(exact(text), Budget::TimeNs(50_000_000), "{text}");
        }
        assert_eq!(exact("2 seconds"), Budget::TimeNs(2_000_000_000));
        assert_eq!(exact("none"), Budget::None);
        assert_eq!("3".parse(), Ok(BudgetText::Amount(3)));
        let wrong =
            ["", "plies", "plies=", "plies=0", "0", "hours=5", "3 hours", "-3", "3.5 plies", "plies=3 nodes"];
        for text in wrong.into_iter().chain(["18446744073709551615 s", "99999999999999999999"]) {
            assert_eq!(text.parse::<BudgetText>(), Err(BudgetError), "{text}");
        }
    }

    #[test]
    fn what_is_written_is_read_back() {
        for budget in [
            Budget::Plies(3),
            Budget::Nodes(1),
            Budget::Playouts(20),
            Budget::TimeNs(5_000_000),
            Budget::TimeNs(7),
        ] {
            let written = rendering::settings::budget_argument(budget).unwrap();
            assert_eq!(written.parse(), Ok(BudgetText::Exact(budget)));
        }
    }
}
