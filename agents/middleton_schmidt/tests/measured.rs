//! The agents that are played to be measured: both boards do the same work, and boards have the filling that
//! was asked for.

#[path = "../../../engine/tests/common/agents.rs"]
mod agents;

use agents::{begun, play, position};
use engine::abi::host::LoadedAgent;
use engine::agent::Budget;
use engine::conformance::rule_sets;
use engine::{Board, Model, Rng, Rules, Start};
use middleton_schmidt::boards::{
    BoardForm, BoardsParams, RandomGame, Work, random_boards, random_game, trial,
};
use middleton_schmidt::fullness::{FullnessParams, boards_of_filling};
use middleton_schmidt::{FinalHeuristics, Heuristic, InitialHeuristics, integer, naive};
use serde_json::{Value, json};

fn create(id: &str, params: &Value) -> LoadedAgent {
    begun(&middleton_schmidt::plugin(), id, &Rules::default(), params)
}

/// The moves of one game, and the nodes of each.
fn played(agent: &mut LoadedAgent, budget: Budget, number: u64) -> (String, Vec<u64>) {
    let (letters, decisions) = play(agent, &Rules::default(), budget, number);
    (letters, decisions.iter().map(|decision| decision.nodes).collect())
}

#[test]
fn all_boards_play_the_same_games() {
    for (work, playouts) in [("initial-heuristics", 1000), ("final-heuristics", 1000), ("games", 5)] {
        let agent = |board: &str| create("ms-boards", &json!({"board": board, "work": work}));
        let mut naive = agent("naive");
        let mut others = [agent("integer"), agent("packed")];
        let mut games = Vec::new();
        for number in 0..3 {
            let (letters, _) = played(&mut naive, Budget::Playouts(playouts), number);
            for other in &mut others {
                assert_eq!(letters, played(other, Budget::Playouts(playouts), number).0, "{work}");
            }
            games.push(letters);
        }
        assert!(games[0] != games[1] && games[1] != games[2], "{work}: {games:?}");
    }
}

#[test]
fn all_random_boards_have_the_same_value_on_both_boards() {
    let first = InitialHeuristics::default();
    let last = FinalHeuristics::default();
    for board in random_boards() {
        let packed = Board::from_ranks(board.0).unwrap();
        assert_eq!(naive::initial_value(&board), first.value(*packed), "{packed}");
        assert_eq!(naive::initial_value(&board), integer::initial_value(&packed), "{packed}");
        assert_eq!(naive::final_value(&board), integer::final_value(&packed), "{packed}");
        let (value, tabulated) = (naive::final_value(&board), last.value(*packed));
        assert!((value - tabulated).abs() <= 1e-8, "{packed}: {value}, {tabulated}");
    }
    for work in [Work::InitialHeuristics, Work::FinalHeuristics] {
        let on = |board, amount| {
            trial(BoardsParams { board, work }, &Rules::default())(amount, &mut Rng::from_seed(1))
        };
        for amount in [0, 1, 99_999, 250_000] {
            assert_eq!(on(BoardForm::Naive, amount), on(BoardForm::Packed, amount), "{amount} boards");
        }
        assert_ne!(on(BoardForm::Packed, 1), on(BoardForm::Packed, 2));
    }
}

#[test]
fn random_games_are_the_same_on_all_boards_under_all_rules() {
    for (name, rules) in rule_sets() {
        let tree = Model::new(&rules);
        let [mut one, mut other, mut third] = [5, 5, 5].map(Rng::from_seed);
        for number in 0..50 {
            let played = random_game(&rules, &tree, &mut one);
            assert_eq!(played, naive::random_game(&rules, &mut other), "{name}, game {number}");
            assert_eq!(played, integer::random_game(&rules, &mut third), "{name}, game {number}");
        }
        assert_eq!((&one, &one), (&other, &third), "{name}");
    }
}

#[test]
fn memory_and_pruning_save_work_and_change_no_move() {
    let plies = Budget::Plies(4);
    let play_with = |memo: bool, pruning: bool| {
        let mut agent = create("ms-speedups", &json!({"memo": memo, "pruning": pruning}));
        let (letters, nodes) = played(&mut agent, plies, 0);
        (letters, nodes.iter().sum::<u64>())
    };
    let (moves, both) = play_with(true, true);
    let (no_memo, no_pruning, neither) =
        (play_with(false, true), play_with(true, false), play_with(false, false));
    assert!([&no_memo, &no_pruning, &neither].iter().all(|played| played.0 == moves));
    assert!(both < no_memo.1 && both < no_pruning.1 && no_pruning.1 < neither.1);
    assert_eq!(played(&mut create("ms-minimax-antagonistic", &json!({})), plies, 0).0, moves);
}

/// One column of two 4s: up or down makes an 8, at which the game stops; left or right moves them, and a tile
/// comes.
#[test]
fn a_random_game_ends_before_the_move_to_the_tile_that_stops_it() {
    let rules = Rules {
        start: Start::Board(". 4 . . / . 4 . . / . . . . / . . . .".parse().unwrap()),
        stop_at: Some(8.try_into().unwrap()),
        ..Rules::default()
    };
    let tree = Model::new(&rules);
    for seed in 0..50 {
        let RandomGame { board, moves } = random_game(&rules, &tree, &mut Rng::from_seed(seed));
        assert!(
            board.max_rank() == 2 && board.tile_sum() >= 8 + 2 * moves as u32,
            "{board} after {moves} moves"
        );
    }
}

#[test]
fn drawn_boards_have_the_filling_that_was_asked_for() {
    for (empty_from, empty_to) in [(0, 0), (0, 3), (4, 7), (8, 11), (12, 15)] {
        let boards = boards_of_filling(&Rules::default(), FullnessParams { empty_from, empty_to }).unwrap();
        assert_eq!(boards.len(), 5000);
        let is_right = |board: &Board| {
            (empty_from..=empty_to).contains(&board.empty_count()) && !board.legal_moves().is_empty()
        };
        assert!(boards.iter().all(is_right), "{empty_from} to {empty_to}");
    }
}

/// Section "Speed": fuller boards have fewer spawns to average over, so expectimax is faster on them.
#[test]
fn expectimax_expands_fewer_positions_on_fuller_boards() {
    let means = [(0, 3), (4, 7), (8, 11), (12, 15)].map(|(empty_from, empty_to)| {
        let params = json!({"empty_from": empty_from, "empty_to": empty_to});
        let mut agent = create("ms-fullness", &params);
        let nodes: Vec<u64> =
            (0..20).flat_map(|number| played(&mut agent, Budget::Plies(3), number).1).collect();
        nodes.iter().sum::<u64>() / nodes.len() as u64
    });
    assert_eq!(means, [23, 49, 77, 103]);
}

/// Only the first board of these games has 15 empty cells.
#[test]
fn the_nodes_of_a_single_tile_by_hand() {
    let start = "2 . . . / . . . . / . . . . / . . . .";
    let rules = Rules { start: Start::Board(start.parse().unwrap()), ..Rules::default() };
    let params = json!({"empty_from": 15, "empty_to": 15});
    let mut agent = begun(&middleton_schmidt::plugin(), "ms-fullness", &rules, params);
    let other = position("2 2 . . / . . . . / . . . . / . . . .", Budget::Plies(3));
    let decision = agent.choose_move(&other).unwrap();
    // The root; right and down, each an afterstate; 2 tiles in 15 cells behind each.
    assert_eq!(decision.nodes, 1 + 2 * (1 + 30));
    let mut expectimax = begun(&middleton_schmidt::plugin(), "ms-expectimax", &rules, "{}");
    let searched = expectimax.choose_move(&position(start, Budget::Plies(3))).unwrap();
    assert_eq!(searched.nodes, decision.nodes);
}
