//! The agent that measures the table of nodes: its boards, its counts, and that both searches play the same
//! games.

#[path = "../../../engine/tests/common/agents.rs"]
mod agents;
mod plain;

use agents::{begun, create, play, position};
use engine::abi::host::CreateError;
use engine::agent::Budget;
use engine::{AgentSeed, Board, Rng, Rules, Start};
use expectimax_report::Params;
use expectimax_report::measured::BoardsInPlay;
use expectimax_report::search::terminal_depth;
use plain::{Plain, random_board};
use serde_json::json;

/// The rules of the report: 2048 ends the game.
fn rules() -> Rules {
    Rules { stop_at: 2048.try_into().ok(), ..Rules::default() }
}

/// The nodes of a first decision in games that all begin on one board: it is the first that is searched.
fn nodes_of(text: &str, memo: bool, counts: &str) -> u64 {
    let board: Board = text.parse().unwrap();
    let from_board = Rules { start: Start::Board(board), ..rules() };
    let params = json!({"empty": board.empty_count(), "memo": memo, "counts": counts});
    let mut agent = begun(&expectimax_report::plugin(), "er-nodes", &from_board, params);
    let decision = agent.choose_move(&position(text, Budget::None)).unwrap();
    assert_eq!(decision.depth, terminal_depth(board.empty_count()));
    decision.nodes
}

/// Left and right are legal, and after either of them every tile is the end: the root and two afterstates are
/// expanded, and each afterstate has two leaves.
#[test]
fn the_nodes_of_a_last_move_by_hand() {
    let last = "8 8 32 64 / 32 64 128 256 / 64 128 256 512 / 128 256 512 1024";
    assert_eq!((nodes_of(last, false, "expanded"), nodes_of(last, false, "leaves")), (3, 4));
    assert_eq!(nodes_of(last, true, "expanded"), 3);
}

/// Left and right win: both are leaves. Up and down are illegal.
#[test]
fn the_nodes_of_a_won_board_by_hand() {
    let won = "1024 1024 32 64 / 32 64 128 256 / 64 128 256 512 / 128 256 512 8";
    assert_eq!((nodes_of(won, false, "expanded"), nodes_of(won, false, "leaves")), (1, 2));
}

#[test]
fn it_counts_what_the_plain_search_does() {
    let mut plain = Plain::new(&rules(), &Params::default());
    let mut rng = Rng::from_seed(14_400);
    for empty in [0, 1, 2, 11, 14] {
        let board = random_board(&mut rng, empty, 5);
        plain.search(board, terminal_depth(board.empty_count()));
        let text = board.to_string();
        assert_eq!(nodes_of(&text, false, "expanded"), plain.nodes.expanded, "{text}");
        assert_eq!(nodes_of(&text, false, "leaves"), plain.nodes.leaves, "{text}");
        assert!(nodes_of(&text, true, "expanded") < plain.nodes.expanded, "{text}");
    }
}

#[test]
fn boards_have_the_filling_that_was_asked_for_and_come_from_many_games() {
    for empty in 0..=14 {
        let player = Params::default().search(&rules()).unwrap();
        let mut boards = BoardsInPlay::new(&rules(), empty, player);
        boards.begin(AgentSeed(empty.into()));
        let drawn: Vec<Board> = (0..30).map(|_| boards.draw().unwrap()).collect();
        assert!(drawn.iter().all(|board| board.empty_count() == empty && !board.legal_moves().is_empty()));
        assert!(drawn.iter().all(|board| board.max_rank() < 11), "a won game is over");
        boards.begin(AgentSeed(empty.into()));
        assert_eq!(boards.draw().unwrap(), drawn[0], "the seed alone says which boards come");
    }
}

#[test]
fn with_and_without_memo_it_plays_the_same_games() {
    let played = |memo: bool| {
        let params = json!({"empty": 2, "memo": memo});
        let mut agent = begun(&expectimax_report::plugin(), "er-nodes", &rules(), params);
        let (letters, decisions) = play(&mut agent, &rules(), Budget::None, 7);
        (letters, decisions.iter().map(|decision| decision.nodes).sum::<u64>())
    };
    let ((plain, all), (memoised, fewer)) = (played(false), played(true));
    assert_eq!(plain, memoised);
    assert!(2 * fewer < all, "{fewer} and {all} nodes");
}

#[test]
fn it_refuses_rules_that_lead_to_no_board() {
    let start = Start::Board("2 4 8 2 / 4 2 4 8 / 2 8 2 4 / 4 2 8 2".parse().unwrap());
    let dead = Rules { start, ..rules() };
    let error = create(&expectimax_report::plugin(), "er-nodes", &dead, json!({"empty": 0})).map(drop);
    assert!(
        matches!(&error, Err(CreateError::BadRules(text)) if text.contains("0 empty cells")),
        "{error:?}"
    );
}
