//! The agent that measures the table of nodes: its boards, its counts, and that both searches play the same games.

mod plain;

use engine::abi::host::{CreateError, LoadedAgent, Silent};
use engine::agent::{Budget, Position};
use engine::conformance::{self, Options};
use engine::{AgentSeed, Board, Game, Rng, Rules, Start, TileSeed};
use expectimax_report::Params;
use expectimax_report::measured::BoardsInPlay;
use expectimax_report::search::terminal_depth;
use plain::{Plain, random_board};
use serde_json::{Value, json};

/// The rules of the report: 2048 ends the game.
fn rules() -> Rules {
    Rules { stop_at: 2048.try_into().ok(), ..Rules::default() }
}

fn create(rules: &Rules, params: &Value) -> Result<LoadedAgent, CreateError> {
    let plugin = expectimax_report::plugin();
    let index = plugin.agent("er-nodes").unwrap().index;
    plugin.create(index, rules, &params.to_string(), Silent)
}

/// The nodes of a first decision in games that all begin on one board: it is the first that is searched.
fn nodes_of(board: &str, memo: bool, counts: &str) -> u64 {
    let board: Board = board.parse().unwrap();
    let from_board = Rules { start: Start::Board(board), ..rules() };
    let params = json!({"empty": board.empty_count(), "memo": memo, "counts": counts});
    let mut agent = create(&from_board, &params).unwrap();
    agent.new_game(AgentSeed(1)).unwrap();
    let decision = agent.choose_move(&Position::of_board(board).unwrap()).unwrap();
    assert_eq!(decision.depth, terminal_depth(board.empty_count()));
    decision.nodes
}

/// Left and right are legal, and after either of them every tile is the end: the root and two afterstates are expanded, and each
/// afterstate has two leaves.
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
        boards.begin(AgentSeed(u64::from(empty)));
        let drawn: Vec<Board> = (0..30).map(|_| boards.draw().unwrap()).collect();
        assert!(drawn.iter().all(|board| board.empty_count() == empty && !board.legal_moves().is_empty()));
        assert!(drawn.iter().all(|board| board.max_rank() < 11), "a won game is over");
        boards.begin(AgentSeed(u64::from(empty)));
        assert_eq!(boards.draw().unwrap(), drawn[0], "the seed alone says which boards come");
    }
}

#[test]
fn with_and_without_memo_it_plays_the_same_games() {
    let play = |memo: bool| {
        let mut agent = create(&rules(), &json!({"empty": 2, "memo": memo})).unwrap();
        agent.new_game(AgentSeed(7)).unwrap();
        let mut game = Game::new(&rules(), TileSeed(7));
        let (mut letters, mut nodes) = (String::new(), 0);
        while game.ending().is_none() {
            let decision = agent.choose_move(&Position::of_game(&game, Budget::None)).unwrap();
            game.play(decision.direction).unwrap();
            letters.push(decision.direction.letter());
            nodes += decision.nodes;
        }
        (letters, nodes)
    };
    let ((plain, all), (memoised, fewer)) = (play(false), play(true));
    assert_eq!(plain, memoised);
    assert!(2 * fewer < all, "{fewer} and {all} nodes");
}

#[test]
fn it_refuses_rows_that_are_not_there_and_rules_that_lead_to_no_board() {
    let error = create(&rules(), &json!({"empty": 15})).map(drop).unwrap_err();
    assert!(matches!(&error, CreateError::BadParams(text) if text.contains("empty")), "{error}");
    let dead =
        Rules { start: Start::Board("2 4 8 2 / 4 2 4 8 / 2 8 2 4 / 4 2 8 2".parse().unwrap()), ..rules() };
    let error = create(&dead, &json!({"empty": 0})).map(drop).unwrap_err();
    assert!(matches!(&error, CreateError::BadRules(text) if text.contains("0 empty cells")), "{error}");
}

#[test]
fn it_conforms() {
    let plugin = expectimax_report::plugin();
    let params = json!({"empty": 5});
    let options = Options { params: params.as_object().unwrap().clone(), moves: 30, budget: None };
    let report = conformance::check(&plugin, plugin.agent("er-nodes").unwrap(), &options);
    assert!(report.passed(), "{report}");
}
