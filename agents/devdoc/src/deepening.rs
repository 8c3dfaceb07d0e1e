//! Iterative deepening: the loop `while self.timeRemaining()` of iterations 1 and 6, under a budget of nodes
//! or of time.

use std::time::Instant;

use engine::prelude::*;

use crate::course::{ACTIONS, actions};
use crate::node_value::NodeValue;

/// What happens to a depth that was searched to its end, but ended after the time was up.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Late {
    /// Iteration 1 sets its move without another look at the clock.
    Kept,
    /// Iteration 6 looks again, and stays with the move of the depth before.
    Discarded,
}

/// The result of deepening.
pub(crate) struct DeepeningResult {
    /// The moves as the last depth that counts sees them.
    pub(crate) values: MoveValues,
    /// That depth, as the document counts it; 0 if no depth, not even the first, was done in time.
    pub(crate) depth: u32,
    /// The nodes of all depths, those of a discarded one included.
    pub(crate) nodes: u64,
    /// What was used of the budget, in its unit.
    pub(crate) spent: u64,
}

impl DeepeningResult {
    /// The decision, of which the last depth that counts looked this many plies ahead.
    pub(crate) fn decide(&self, plies: u32) -> Result<Decision, Failure> {
        Ok(Decision { nodes: self.nodes, ..self.values.decide(ACTIONS, plies, self.spent)? })
    }
}

/// Whether depth 1 counts in any case.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum FirstDepth {
    /// DEVIATION: it does, however small the budget: the printed programs would have no move.
    Counts,
    /// It may be too late like any other: the framework has an answer to that.
    InTime,
}

/// Searches the moves of a position to depth 1, 2, 3 and so on until the budget is used up.
///
/// DEVIATION: a depth with as many nodes as the one before has no line that goes on, so no deeper one can
/// change anything: the loop ends there.
pub(crate) fn deepen(
    position: &Position,
    late: Late,
    first: FirstDepth,
    mut search: impl FnMut(Direction, u32) -> NodeValue,
) -> DeepeningResult {
    let mut clock = Clock::start(position.budget);
    let (mut values, mut depth) = (MoveValues::default(), 0);
    let counts_in_any_case = |depth: u32| depth == 0 && first == FirstDepth::Counts;
    while counts_in_any_case(depth) || clock.time_remaining() {
        let is_timed = !counts_in_any_case(depth);
        let searched = clock.one_depth(position, is_timed, |direction| search(direction, depth + 1));
        let Some(deeper) = searched else { break };
        let is_late = is_timed && late == Late::Discarded && !clock.time_remaining();
        if is_late || deeper.total_nodes() == values.total_nodes() {
            break;
        }
        (values, depth) = (deeper, depth + 1);
    }
    DeepeningResult { values, depth, nodes: clock.nodes, spent: clock.spent() }
}

/// The framework's `timeRemaining`.
struct Clock {
    budget: Budget,
    /// There for a budget of time only: under a count nothing may depend on a clock.
    started: Option<Instant>,
    nodes: u64,
}

impl Clock {
    fn start(budget: Budget) -> Self {
        let started = matches!(budget, Budget::TimeNs(_)).then(Instant::now);
        Self { budget, started, nodes: 0 }
    }

    /// Searches all moves to one depth; `None` if the time is up before one of them.
    fn one_depth(
        &mut self,
        position: &Position,
        is_timed: bool,
        mut search: impl FnMut(Direction) -> NodeValue,
    ) -> Option<MoveValues> {
        let mut values = MoveValues::default();
        for direction in actions(position) {
            if is_timed && !self.time_remaining() {
                return None;
            }
            let searched = search(direction);
            self.nodes += searched.nodes;
            searched.set(&mut values, direction);
        }
        Some(values)
    }

    /// What was used, in the unit of the budget.
    fn spent(&self) -> u64 {
        self.started.map_or(self.nodes, |started| started.elapsed().as_nanos() as u64)
    }

    fn time_remaining(&self) -> bool {
        self.spent() < self.budget.amount()
    }
}
