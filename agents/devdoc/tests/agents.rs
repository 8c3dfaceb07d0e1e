//! The agents conform, keep to their budgets as they say, and decide as they did when their records were made.

use engine::abi::host::{LoadedAgent, Plugin, Silent};
use engine::agent::{Budget, Decision, Position};
use engine::conformance::{self, Options};
use engine::{AgentSeed, Board, Odds, Rules, Scatter, Start, signature};

fn course_rules() -> Rules {
    let start = Start::Scatter(Scatter { empty: 16, two: 4, four: 2, eight: 1 });
    Rules { four: Odds::new(1, 4).unwrap(), start, ..Rules::default() }
}

fn create(plugin: &Plugin, id: &str) -> LoadedAgent {
    let index = plugin.agent(id).unwrap().index;
    plugin.create(index, &course_rules(), "{}", Silent).unwrap()
}

fn decide(id: &str, board: &str, budget: Budget) -> Decision {
    let board: Board = board.parse().unwrap();
    let mut agent = create(&devdoc::plugin(), id);
    agent.new_game(AgentSeed(0)).unwrap();
    agent.choose_move(&Position { budget, ..Position::of_board(board).unwrap() }).unwrap()
}

#[test]
fn they_conform() {
    let plugin = devdoc::plugin();
    let ids: Vec<&str> = plugin.agents().iter().map(|agent| agent.id.as_str()).collect();
    assert_eq!(ids, ["devdoc-1", "devdoc-2", "devdoc-3", "devdoc-4", "devdoc-6"]);
    for agent in plugin.agents() {
        let report = conformance::check(&plugin, agent, &Options::default());
        assert!(report.passed(), "{}\n{report}", agent.id);
    }
}

#[test]
fn those_that_deepen_conform_under_a_larger_budget() {
    let plugin = devdoc::plugin();
    for id in ["devdoc-1", "devdoc-6"] {
        let options = Options { budget: Some(Budget::Nodes(10_000)), moves: 100, ..Options::default() };
        let report = conformance::check(&plugin, plugin.agent(id).unwrap(), &options);
        assert!(report.passed(), "{id}\n{report}");
    }
}

#[test]
fn their_decisions_are_pinned() {
    let pinned = [
        ("devdoc-1", Budget::Nodes(1000), "fef0017b1091044d"),
        ("devdoc-1", Budget::Nodes(10_000), "90f8a68df4785ad5"),
        ("devdoc-2", Budget::None, "eea893042d3986ac"),
        ("devdoc-3", Budget::None, "d6b69a39e43c76a7"),
        ("devdoc-4", Budget::None, "8ce43099918b9d41"),
        ("devdoc-6", Budget::Nodes(1000), "ed30708fa276742d"),
        ("devdoc-6", Budget::Nodes(10_000), "070fd0d7fa9055aa"),
    ];
    let plugin = devdoc::plugin();
    let signed = pinned.map(|(id, budget, _)| {
        let letters = signature::decisions(&mut create(&plugin, id), &course_rules(), budget).unwrap();
        let signature = signature::of_decisions(&letters);
        (id, budget, signature.trim_start_matches("positions-1:")[..16].to_owned())
    });
    assert_eq!(signed, pinned.map(|(id, budget, signature)| (id, budget, signature.to_owned())));
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
