//! What tests of agents share: making an agent through the C boundary, asking it, and the suite.

#![allow(dead_code, reason = "every test uses a part of it")]

use std::collections::BTreeMap;

use engine::abi::host::{CreateError, HostFile, LoadedAgent, Plugin, Silent};
use engine::agent::{Budget, Decision, Position};
use engine::conformance::{self, Options};
use engine::{AgentSeed, Board, Game, Merging, Odds, Rng, Rules, Scatter, Start, TileSeed};
use serde_json::Value;

/// Makes an agent. `params` is a JSON object, or its text.
pub(crate) fn create(
    plugin: &Plugin,
    id: &str,
    rules: &Rules,
    params: impl ToString,
) -> Result<LoadedAgent, CreateError> {
    plugin.create(plugin.agent(id).unwrap().index, rules, &params.to_string(), Silent)
}

/// Makes an agent, and begins a game.
pub(crate) fn begun(plugin: &Plugin, id: &str, rules: &Rules, params: impl ToString) -> LoadedAgent {
    let mut agent = create(plugin, id, rules, params).unwrap_or_else(|error| panic!("{id}: {error}"));
    agent.new_game(AgentSeed(0)).unwrap();
    agent
}

/// A drawn board, as the first of a game.
pub(crate) fn position(board: &str, budget: Budget) -> Position {
    Position { budget, ..Position::of_board(board.parse().unwrap()).unwrap() }
}

/// The letter of the move on a drawn board, without a budget.
pub(crate) fn letter(agent: &mut LoadedAgent, board: &str) -> char {
    agent.choose_move(&position(board, Budget::None)).unwrap().direction.letter()
}

/// Plays a game to its end: its moves as letters, and all decisions.
pub(crate) fn play(
    agent: &mut LoadedAgent,
    rules: &Rules,
    budget: Budget,
    number: u64,
) -> (String, Vec<Decision>) {
    let mut game = Game::new(rules, TileSeed::derive(1, number));
    agent.new_game(AgentSeed::derive(1, number)).unwrap();
    let mut decisions = Vec::new();
    while game.ending().is_none() {
        let decision = agent.choose_move(&Position::of_game(&game, budget)).unwrap();
        game.play(decision.direction).unwrap();
        decisions.push(decision);
    }
    (decisions.iter().map(|decision| decision.direction.letter()).collect(), decisions)
}

/// Puts an agent through the suite: this many moves a game, and with this budget or small ones.
pub(crate) fn assert_conforms(plugin: &Plugin, id: &str, params: &Value, moves: u32, budget: Option<Budget>) {
    let options = Options { params: params.as_object().unwrap().clone(), moves, budget };
    let report = conformance::check(plugin, plugin.agent(id).unwrap(), &options);
    assert!(report.passed(), "{id} {params}\n{report}");
}

/// Checks that an agent refuses parameters, and names the one that is wrong.
pub(crate) fn assert_refused(plugin: &Plugin, id: &str, params: &Value, name: &str) {
    let error = create(plugin, id, &Rules::default(), params).map(drop).unwrap_err();
    assert!(matches!(&error, CreateError::BadParams(text) if text.contains(name)), "{id} {params}: {error}");
}

/// The plugin with this file of weights.
pub(crate) fn with_weights(plugin: Plugin, bytes: Vec<u8>) -> Plugin {
    let file = HostFile { path: "weights".into(), bytes: bytes.leak(), sha256: "0".repeat(64) };
    plugin.with_files(BTreeMap::from([("weights".to_owned(), file)]).into())
}

/// The rules of the framework behind the student's development document.
pub(crate) fn course_rules() -> Rules {
    let start = Start::Scatter(Scatter { empty: 16, two: 4, four: 2, eight: 1 });
    Rules { four: Odds::new(1, 4).unwrap(), start, ..Rules::default() }
}

/// Boards of all fillings, with ranks up to the largest, that have a legal move.
pub(crate) fn random_boards(count: usize, largest: u32) -> Vec<Board> {
    let mut rng = Rng::from_seed(u64::from(largest));
    let mut boards = Vec::new();
    while boards.len() < count {
        let (tiles, bound) = (1 + rng.below(16), 1 + rng.below(largest));
        let ranks =
            std::array::from_fn(|_| if rng.below(16) < tiles { 1 + rng.below(bound) as u8 } else { 0 });
        boards.extend(Board::from_ranks(ranks).filter(|board| !board.legal_moves().is_empty()));
    }
    boards
}

/// Rules of all kinds for agents that model them, each with the largest rank of the boards to try.
pub(crate) fn modelled_rules() -> Vec<(Rules, u32)> {
    let standard = Rules::default();
    let with_four = |odds: &str| Rules { four: odds.parse().unwrap(), ..standard.clone() };
    let stop_at = Some(64.try_into().unwrap());
    vec![
        (standard.clone(), 8),
        (standard.clone(), 15),
        (Rules { merging: Merging::Cascading, ..standard.clone() }, 6),
        (with_four("1/4"), 10),
        (with_four("0/1"), 5),
        (with_four("1/1"), 5),
        (Rules { stop_at, ..standard.clone() }, 5),
        (Rules { stop_at, merging: Merging::Cascading, ..with_four("1/3") }, 5),
    ]
}
