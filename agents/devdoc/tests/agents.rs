//! The agents conform, and keep to their budgets as they say.

#[path = "../../../engine/tests/common/agents.rs"]
mod agents;

use std::collections::BTreeSet;

use agents::{assert_conforms, assert_refused, begun, course_rules, position};
use engine::abi::host::LoadedAgent;
use engine::agent::{Budget, Decision, Position};
use engine::signature::Set;
use engine::{AgentSeed, Board, Direction, Rng};
use serde_json::{Value, json};

fn create(id: &str) -> LoadedAgent {
    create_with(id, &json!({}))
}

fn create_with(id: &str, params: &Value) -> LoadedAgent {
    begun(&devdoc::plugin(), id, &course_rules(), params)
}

/// The start of the signature of what an agent decides on the first set of positions.
fn signature(agent: &mut LoadedAgent, budget: Budget) -> String {
    let letters = Set::First.decisions(agent, &course_rules(), budget, |_| ()).unwrap();
    Set::First.sign(&letters).trim_start_matches("positions-1:")[..16].to_owned()
}

fn decide(id: &str, board: &str, budget: Budget) -> Decision {
    create(id).choose_move(&position(board, budget)).unwrap()
}

#[test]
fn they_conform() {
    let plugin = devdoc::plugin();
    let ids: Vec<&str> = plugin.agents().iter().map(|agent| agent.id.as_str()).collect();
    assert_eq!(ids[..5], ["devdoc-1", "devdoc-2", "devdoc-3", "devdoc-4", "devdoc-6"]);
    assert_eq!(ids[5..], ["devdoc-6-stale", "devdoc-4-weighed", "devdoc-6-weighed"]);
    for id in ids {
        assert_conforms(&plugin, id, &json!({}), 200, None);
    }
}

#[test]
fn they_conform_under_large_budgets_and_under_those_for_which_most_answers_are_late() {
    for (id, nodes, moves) in
        [("devdoc-1", 10_000, 100), ("devdoc-6", 10_000, 100), ("devdoc-6-stale", 20, 200)]
    {
        assert_conforms(&devdoc::plugin(), id, &json!({}), moves, Some(Budget::Nodes(nodes)));
    }
}

/// Every other weight than the printed one decides otherwise somewhere. The largest tile of iteration 6
/// weighs 1 beside a corner of 40,000: leaving it out is too little to be seen, so it weighs much instead.
#[test]
fn every_weight_counts_by_itself() {
    let four = ["empty", "max_tile", "monotonicity", "corner"].map(|name| ("devdoc-4-weighed", name, 0));
    let six = ["smoothness", "monotone_line", "empty", "corner"].map(|name| ("devdoc-6-weighed", name, 0));
    let largest = ("devdoc-6-weighed", "max_tile", 1_000_000);
    let mut seen = BTreeSet::new();
    for (id, name, weight) in four.into_iter().chain(six).chain([largest]) {
        let budget = if id == "devdoc-4-weighed" { Budget::None } else { Budget::Nodes(1000) };
        let changed = signature(&mut create_with(id, &json!({name: weight})), budget);
        assert_ne!(changed, signature(&mut create(id), budget), "{id}, {name} = {weight}");
        assert!(seen.insert((id, changed)), "{id}, {name} = {weight} decides as another change does");
    }
}

/// Without its four terms iteration 4 sees the score alone, so nothing but merges can tell its moves apart.
#[test]
fn without_all_terms_a_board_is_worth_its_score() {
    let nothing = json!({"empty": 0, "max_tile": 0, "monotonicity": 0, "corner": 0});
    let mut agent = create_with("devdoc-4-weighed", &nothing);
    let position = Position { score: 100, ..position(LAST_MOVE, Budget::None) };
    // Both moves merge the 8s, and no tile leaves another.
    assert_eq!(agent.choose_move(&position).unwrap().value, Some(116.0));
    assert_eq!(agent.move_values().unwrap().value, [None, Some(116.0), None, Some(116.0)]);
}

#[test]
fn weights_out_of_range_are_refused_by_name() {
    for (id, name) in [("devdoc-4-weighed", "monotonicity"), ("devdoc-6-weighed", "smoothness")] {
        assert_refused(&devdoc::plugin(), id, &json!({name: 1_000_001}), name);
    }
}

/// Left and right are legal, and after either of them no tile leaves a move: every line ends at depth 2.
const LAST_MOVE: &str = "8 8 32 64 / 32 64 128 256 / 64 128 256 512 / 128 256 512 1024";
const OPEN: &str = "64 8 4 2 / 4 2 . . / 2 . . . / . . . 2";

#[test]
fn deepening_ends_by_itself_where_every_line_does() {
    for budget in [Budget::Nodes(u64::MAX), Budget::TimeNs(u64::MAX)] {
        let decision = decide("devdoc-1", LAST_MOVE, budget);
        // Depth 1: two afterstates. Depth 2: two boards behind each. Depth 3 adds none.
        assert_eq!((decision.nodes, decision.depth), (2 + 6 + 6, 2), "{budget}");
        let decision = decide("devdoc-6", LAST_MOVE, budget);
        assert_eq!((decision.nodes, decision.depth), (6 + 6, 2), "{budget}");
    }
}

#[test]
fn iteration_1_keeps_a_depth_that_ends_as_the_time_is_up() {
    // Depth 1 has 2 nodes, depth 2 has 6.
    assert_eq!(decide("devdoc-1", LAST_MOVE, Budget::Nodes(2)).depth, 1);
    assert_eq!(decide("devdoc-1", LAST_MOVE, Budget::Nodes(5)).depth, 1);
    let late = decide("devdoc-1", LAST_MOVE, Budget::Nodes(8));
    assert_eq!((late.depth, late.spent), (2, 8));
}

#[test]
fn more_nodes_never_mean_less_depth() {
    for id in ["devdoc-1", "devdoc-6"] {
        let depths = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000]
            .map(|nodes| decide(id, OPEN, Budget::Nodes(nodes)).depth);
        assert!(depths.is_sorted() && depths[0] < depths[6], "{id}: {depths:?}");
    }
}

#[test]
fn a_budget_of_time_is_reported_in_nanoseconds_and_any_is_enough_for_depth_1() {
    for (id, least) in [("devdoc-1", 1), ("devdoc-6", 2)] {
        let hasty = decide(id, OPEN, Budget::TimeNs(1));
        assert_eq!(hasty.depth, least);
        let patient = decide(id, OPEN, Budget::TimeNs(5_000_000));
        assert!(patient.spent >= 5_000_000 && patient.depth > least, "{patient:?}");
    }
}

/// Depth 1 takes 6 nodes on [`LAST_MOVE`], and more than 7 on the other boards.
#[test]
fn a_late_answer_replays_the_last_move_that_was_set() {
    let mut agent = create("devdoc-6-stale");
    let mut decide = |board: &str| agent.choose_move(&position(board, Budget::Nodes(7))).unwrap();
    let set = decide(LAST_MOVE);
    // One move of the next depth adds 3 nodes, and the time is up.
    assert_eq!((set.direction, set.nodes, set.depth), (Direction::Right, 6 + 3, 2));
    let late = decide(OPEN);
    assert_eq!((late.direction, late.depth, late.value), (Direction::Right, 0, None));
    // One move of the root, and the time is up: an afterstate with 9 empty cells and two tiles in each.
    assert_eq!((late.nodes, late.spent), (1 + 2 * 9, 1 + 2 * 9));
    // Neither up nor right changes anything here.
    let elsewhere = decide("16 8 4 2 / . . 8 4 / . . . 2 / . . . .");
    assert_eq!(elsewhere.direction, Direction::Down);
    assert_eq!(decide(OPEN).direction, Direction::Right, "the program has set no other since");
}

#[test]
fn without_an_earlier_move_a_late_answer_is_the_first_action() {
    let late = decide("devdoc-6-stale", OPEN, Budget::Nodes(1));
    assert_eq!((late.direction, late.depth), (Direction::Up, 0));
    let mut agent = create("devdoc-6-stale");
    let mut direction = |board: &str| {
        let decision = agent.choose_move(&position(board, Budget::Nodes(7)));
        agent.new_game(AgentSeed(0)).unwrap();
        decision.unwrap().direction
    };
    assert_eq!([LAST_MOVE, OPEN].map(&mut direction), [Direction::Right, Direction::Up], "another game");
}

/// Four moves of one tile inside, 15 cells empty after each: no first depth has more nodes.
#[test]
fn no_answer_is_late_with_more_than_124_nodes() {
    let alone = ". . . . / . 2 . . / . . . . / . . . .";
    assert_eq!(decide("devdoc-6-stale", alone, Budget::Nodes(124)).depth, 0);
    assert_eq!(decide("devdoc-6-stale", alone, Budget::Nodes(125)).depth, 2);
    let (mut stale, mut plain) = (create("devdoc-6-stale"), create("devdoc-6"));
    let mut rng = Rng::from_seed(6);
    for _ in 0..1000 {
        let board = Board::from_packed(rng.next_u64() & rng.next_u64() & rng.next_u64());
        if let Some(position) = Position::of_board(board) {
            let position = Position { budget: Budget::Nodes(125), ..position };
            assert_eq!(stale.choose_move(&position), plain.choose_move(&position), "{board}");
        }
    }
}
