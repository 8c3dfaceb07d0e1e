//! Near the end of a small game every line can be searched to its end. Then the heuristics of the leaves
//! between do not matter, and the values of the searches are those of the game itself.

#[path = "../../../engine/tests/common/small_game.rs"]
mod small_game;

use std::collections::HashMap;

use engine::agent::{Agent, Budget, Host, MoveValues, Position};
use engine::naive::NaiveBoard;
use engine::{AgentSeed, Board, Direction, Rng, Rules};
use middleton_schmidt::{
    Expectimax, FinalHeuristics, Heuristic, HeuristicSet, InitialHeuristics, MinimaxAntagonistic, Params,
};
use small_game::{Opponent, SmallGame, mean};

/// The deepest search that the agents accept.
const ALL_LAYERS: u64 = 100;

fn worst(spawned: &[(f64, f64)]) -> f64 {
    spawned.iter().map(|&(_, value)| value).fold(f64::INFINITY, f64::min)
}

/// The value of each legal move, and how many boards can come up; none if they are too many.
fn solved(
    rules: &Rules,
    heuristic: &dyn Heuristic,
    opponent: Opponent,
    board: Board,
) -> Option<(Vec<(Direction, f64)>, usize)> {
    let packed = |board: &NaiveBoard| Board::from_ranks(board.0).unwrap();
    let ended = &|board: &_| heuristic.value(*packed(board));
    let dead = &|board: &_| heuristic.lost(*packed(board));
    let mut game = SmallGame { rules, opponent, ended, dead, most_boards: 1500, values: HashMap::new() };
    let moves = game.moves(board)?;
    Some((moves, game.values.len()))
}

/// Nearly full boards whose tiles stay below the one that ends the game, of small games of more than one
/// move.
fn small_games(rules: &Rules, count: usize) -> Vec<Board> {
    let stop = u32::from(rules.stop_at.unwrap().rank());
    let mut rng = Rng::from_seed(u64::from(stop));
    let heuristic = InitialHeuristics::default();
    let mut games = Vec::new();
    while games.len() < count {
        let ranks =
            std::array::from_fn(|_| if rng.below(24) == 0 { 0 } else { 1 + rng.below(stop - 1) as u8 });
        let board = Board::from_ranks(ranks).unwrap();
        let is_small = || solved(rules, &heuristic, mean, board).is_some_and(|(_, boards)| boards >= 20);
        if !board.legal_moves().is_empty() && is_small() {
            games.push(board);
        }
    }
    games
}

fn search<A: Agent<Params = Params>>(rules: &Rules, heuristics: HeuristicSet, board: Board) -> MoveValues {
    let mut agent = A::create(rules, Params { heuristics, ..Params::default() }, Host::silent()).unwrap();
    agent.new_game(AgentSeed(0));
    let position = Position { budget: Budget::Plies(ALL_LAYERS), ..Position::of_board(board).unwrap() };
    let decision = agent.choose_move(&position).unwrap();
    let values = decision.values.or_else(|| agent.move_values()).unwrap();
    assert_eq!(decision.value, values.value[decision.direction as usize]);
    values
}

#[test]
fn full_depth_searches_find_the_values_of_the_game() {
    let (first, last) = (InitialHeuristics::default(), FinalHeuristics::default());
    for stop in [32, 64] {
        let rules = Rules { stop_at: Some(stop.try_into().unwrap()), ..Rules::default() };
        for board in small_games(&rules, 40) {
            for (set, heuristic) in
                [(HeuristicSet::Initial, &first as &dyn Heuristic), (HeuristicSet::Final, &last)]
            {
                for (opponent, found) in [
                    (mean as Opponent, search::<Expectimax>(&rules, set, board)),
                    (worst, search::<MinimaxAntagonistic>(&rules, set, board)),
                ] {
                    let (expected, _) = solved(&rules, heuristic, opponent, board).unwrap();
                    assert_eq!(expected.len(), found.value.iter().flatten().count(), "{board}");
                    for (direction, value) in expected {
                        let found = found.value[direction as usize].unwrap();
                        let is_same = (value - found).abs() <= 1e-9 * value.abs().max(1.0);
                        assert!(is_same, "{board} {direction:?}: {value} in the game, {found} by search");
                    }
                }
            }
        }
    }
}
