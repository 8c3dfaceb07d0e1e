//! The agents against the printed programs in plain form: on thousands of random boards the same move, the
//! same values of all moves to the last bit, the same number of nodes and the same depth.

#[path = "../../../engine/tests/common/agents.rs"]
mod agents;
mod reference;

use agents::begun;
use engine::abi::host::LoadedAgent;
use engine::agent::{Budget, Position};
use engine::{Board, Merging, Odds, Rng, Rules};
use reference::{Found, Mostly, Naive, random_board};

/// The rules that the searches are held to: merging, stop tile and cap are theirs to model, the odds of a 4
/// are not.
fn rule_sets() -> Vec<Rules> {
    let standard = Rules::default();
    let stop_at = Some(128.try_into().unwrap());
    vec![
        Rules { four: Odds::new(1, 4).unwrap(), ..standard.clone() },
        Rules { merging: Merging::Cascading, ..standard.clone() },
        Rules { stop_at, ..standard.clone() },
        Rules { stop_at, merging: Merging::Cascading, ..standard },
    ]
}

/// Holds an agent to the program: `plies` is what the decision says of the program's depth.
fn compare(
    id: &str,
    budget: Budget,
    boards: u32,
    plies: impl Fn(u32) -> u32,
    program: impl Fn(Naive, Budget) -> Found,
) {
    for (seed, rules) in (0..).zip(rule_sets()) {
        let mut rng = Rng::from_seed(seed);
        let mut agent = begun(&devdoc::plugin(), id, &rules, "{}");
        for number in 0..boards {
            let largest = if rules.stop_at.is_some() { [6, 6, 6] } else { [4, 11, 15] };
            // Where high ranks are frequent, slides that end the game are.
            let mostly = if number % 2 == 0 { Mostly::Low } else { Mostly::High };
            let board = random_board(&mut rng, largest[number as usize % 3], mostly);
            let score = u64::from(4 * rng.below(10_000));
            compare_on(
                &mut agent,
                board,
                score,
                budget,
                &plies,
                program(Naive::new(board, score, &rules), budget),
            );
        }
    }
}

fn compare_on(
    agent: &mut LoadedAgent,
    board: Board,
    score: u64,
    budget: Budget,
    plies: &impl Fn(u32) -> u32,
    found: Found,
) {
    let position = Position { score, budget, ..Position::of_board(board).unwrap() };
    let decision = agent.choose_move(&position).unwrap();
    let values = agent.move_values().unwrap();
    assert_eq!(values.value, found.values, "{board}");
    assert_eq!((decision.direction, decision.value), (found.action, Some(found.value)), "{board}");
    assert_eq!(decision.depth, plies(found.depth), "{board}");
    // Where every line ends, the agent stops; the program searches the same again until the time is up.
    let ends_by_itself = budget != Budget::None && decision.nodes < budget.amount();
    if !ends_by_itself {
        assert_eq!(decision.nodes, found.nodes, "{board}");
    }
    if budget != Budget::None {
        assert_eq!(decision.spent, decision.nodes);
    }
}

#[test]
fn the_iterations_that_deepen_are_the_printed_ones() {
    for (nodes, boards) in [(1, 1000), (200, 1000), (3000, 500), (60_000, 10)] {
        let budget = Budget::Nodes(nodes);
        compare("devdoc-1", budget, boards, |depth| depth, reference::iteration_1);
        compare("devdoc-6", budget, boards, |depth| 1 + depth, reference::iteration_6);
    }
}

#[test]
fn the_iterations_of_one_depth_are_the_printed_ones() {
    compare("devdoc-2", Budget::None, 2000, |depth| depth, |state, _| reference::iteration_2(state));
    compare("devdoc-3", Budget::None, 2000, |depth| 1 + depth, |state, _| reference::iteration_3(state));
    compare("devdoc-4", Budget::None, 300, |depth| 1 + depth, |state, _| reference::iteration_4(state));
}
