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
    /// Iteration 6 looks once more, and stays with the move of the depth before.
    Discarded,
}

/// The result of deepening.
pub(crate) struct DeepeningResult {
    /// The moves as the last depth that counts sees them.
    pub(crate) values: MoveValues,
    /// That depth, as the document counts it.
    pub(crate) depth: u32,
    /// The nodes of all depths, those of a discarded one included.
    nodes: u64,
    /// What was used of the budget, in its unit.
    spent: u64,
}

impl DeepeningResult {
    /// The decision, of which the last depth that counts looked so many plies ahead.
    pub(crate) fn decide(&self, plies: u32) -> Result<Decision, Failure> {
        Ok(Decision { nodes: self.nodes, ..self.values.decide(ACTIONS, plies, self.spent)? })
    }
}

/// An answer that came too late: no depth, not even the first, was done in time.
pub(crate) struct TooLate {
    /// The nodes that were searched for nothing.
    pub(crate) nodes: u64,
    /// What was used of the budget, in its unit.
    pub(crate) spent: u64,
}

/// Searches the moves of a position to depth 1, 2, 3 and so on until the budget is used up.
///
/// DEVIATION: depth 1 always counts, however small the budget: the printed programs would have no move.
pub(crate) fn deepen(
    position: &Position,
    late: Late,
    mut search: impl FnMut(Direction, u32) -> NodeValue,
) -> DeepeningResult {
    let mut clock = Clock::start(position.budget);
    let mut first = MoveValues::default();
    for direction in actions(position) {
        clock.count(search(direction, 1)).set(&mut first, direction);
    }
    go_deeper(position, late, clock, first, search)
}

/// The same for a framework that has an answer to having none: depth 1 may be too late like any other.
pub(crate) fn deepen_in_time(
    position: &Position,
    late: Late,
    mut search: impl FnMut(Direction, u32) -> NodeValue,
) -> Result<DeepeningResult, TooLate> {
    let mut clock = Clock::start(position.budget);
    match in_time(position, &mut clock, |direction| search(direction, 1)) {
        Some(first) if late == Late::Kept || clock.time_remaining() => {
            Ok(go_deeper(position, late, clock, first, search))
        }
        _ => Err(TooLate { nodes: clock.nodes, spent: clock.spent() }),
    }
}

/// Goes on behind depth 1.
///
/// DEVIATION: a depth with as many nodes as the one before has no line that goes on, so no deeper one can
/// change anything: the loop ends there.
fn go_deeper(
    position: &Position,
    late: Late,
    mut clock: Clock,
    mut values: MoveValues,
    mut search: impl FnMut(Direction, u32) -> NodeValue,
) -> DeepeningResult {
    let mut depth = 1;
    while clock.time_remaining() {
        let Some(deeper) = in_time(position, &mut clock, |direction| search(direction, depth + 1)) else {
            break;
        };
        let is_late = late == Late::Discarded && !clock.time_remaining();
        if is_late || deeper.total_nodes() == values.total_nodes() {
            break;
        }
        (values, depth) = (deeper, depth + 1);
    }
    DeepeningResult { values, depth, nodes: clock.nodes, spent: clock.spent() }
}

/// Searches all moves to one depth; none where the time is up before one of them.
fn in_time(
    position: &Position,
    clock: &mut Clock,
    mut search: impl FnMut(Direction) -> NodeValue,
) -> Option<MoveValues> {
    let mut values = MoveValues::default();
    for direction in actions(position) {
        if !clock.time_remaining() {
            return None;
        }
        clock.count(search(direction)).set(&mut values, direction);
    }
    Some(values)
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

    fn count(&mut self, searched: NodeValue) -> NodeValue {
        self.nodes += searched.nodes;
        searched
    }

    /// What was used, in the unit of the budget.
    fn spent(&self) -> u64 {
        self.started.map_or(self.nodes, |started| started.elapsed().as_nanos() as u64)
    }

    fn time_remaining(&self) -> bool {
        self.spent() < self.budget.amount()
    }
}
