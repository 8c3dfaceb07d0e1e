//! Near the end of a small game every line can be searched to its end. Then the heuristics of the leaves between do not
//! matter, and the values of the searches are those of the game itself: what value iteration finds over all boards that can
//! still come up, here on the naive board.

use std::collections::{BTreeMap, BTreeSet};

use engine::agent::{Agent, Budget, Host, MoveValues, Position};
use engine::naive::NaiveBoard;
use engine::{AgentSeed, Board, Direction, Rng, Rules};
use middleton_schmidt::{
    Expectimax, FinalHeuristics, Heuristic, HeuristicSet, InitialHeuristics, MinimaxAntagonistic, Params,
};

/// Games that can still take more boards than this are left out.
const MOST_BOARDS: usize = 1500;
/// The deepest search that the agents accept.
const ALL_LAYERS: u64 = 100;

/// What the opponent does: the mean over all spawns, or the worst of them.
type Opponent = fn(&[(f64, f64)]) -> f64;

fn mean(values: &[(f64, f64)]) -> f64 {
    let total: f64 = values.iter().map(|(weight, _)| weight).sum();
    values.iter().map(|(weight, value)| weight * value).sum::<f64>() / total
}

fn worst(values: &[(f64, f64)]) -> f64 {
    values.iter().map(|&(_, value)| value).fold(f64::INFINITY, f64::min)
}

/// A small game from some board on: all boards that can come up, and their values.
struct SmallGame<'a> {
    rules: &'a Rules,
    heuristic: &'a dyn Heuristic,
    opponent: Opponent,
    values: BTreeMap<[u8; 16], f64>,
}

impl<'a> SmallGame<'a> {
    fn new(
        rules: &'a Rules,
        heuristic: &'a dyn Heuristic,
        opponent: Opponent,
        boards: &BTreeSet<[u8; 16]>,
    ) -> Self {
        let values = boards.iter().map(|&board| (board, 0.0)).collect();
        let mut game = Self { rules, heuristic, opponent, values };
        while game.sweep() {}
        game
    }

    /// Values every board anew by the values that the others have; whether one changed.
    fn sweep(&mut self) -> bool {
        let boards: Vec<[u8; 16]> = self.values.keys().copied().collect();
        let mut has_changed = false;
        for board in boards {
            let moves = Direction::ALL.into_iter().filter_map(|direction| self.direction(board, direction));
            let value = moves
                .reduce(f64::max)
                .unwrap_or_else(|| self.heuristic.lost(*Board::from_ranks(board).unwrap_or_default()));
            has_changed |= self.values.insert(board, value) != Some(value);
        }
        has_changed
    }

    fn direction(&self, board: [u8; 16], direction: Direction) -> Option<f64> {
        let slid = NaiveBoard(board).slide(direction, self.rules.merging)?.board;
        if slid.is_stopped(self.rules) {
            return Some(self.heuristic.value(*Board::from_ranks(slid.0).unwrap()));
        }
        let spawned = spawns(slid.0, self.rules);
        let values: Vec<_> = spawned.iter().map(|(weight, board)| (*weight, self.values[board])).collect();
        Some((self.opponent)(&values))
    }
}

/// All boards after a spawn, with their weights.
fn spawns(slid: [u8; 16], rules: &Rules) -> Vec<(f64, [u8; 16])> {
    let (fours, all) = (f64::from(rules.four.numerator()), f64::from(rules.four.denominator()));
    let empty = (0..16).filter(|&cell| slid[cell] == 0);
    let of_cell = |cell| {
        [(all - fours, 1), (fours, 2)].map(|(weight, rank)| {
            let mut board = slid;
            board[cell] = rank;
            (weight, board)
        })
    };
    empty.flat_map(of_cell).collect()
}

/// All boards that can come up from this one on; none if they are too many.
fn reachable(start: Board, rules: &Rules) -> Option<BTreeSet<[u8; 16]>> {
    let mut seen = BTreeSet::from([start.ranks()]);
    let mut open = vec![start.ranks()];
    while let Some(board) = open.pop() {
        for direction in Direction::ALL {
            let Some(slide) = NaiveBoard(board).slide(direction, rules.merging) else { continue };
            if slide.board.is_stopped(rules) {
                continue;
            }
            open.extend(
                spawns(slide.board.0, rules)
                    .into_iter()
                    .map(|(_, board)| board)
                    .filter(|&board| seen.insert(board)),
            );
        }
        if seen.len() > MOST_BOARDS {
            return None;
        }
    }
    Some(seen)
}

/// Nearly full boards whose tiles stay below the one that ends the game.
fn small_games(rules: &Rules, count: usize) -> Vec<(Board, BTreeSet<[u8; 16]>)> {
    let stop = u32::from(rules.stop_at.unwrap().rank());
    let mut rng = Rng::from_seed(u64::from(stop));
    let mut games = Vec::new();
    while games.len() < count {
        let ranks =
            std::array::from_fn(|_| if rng.below(24) == 0 { 0 } else { 1 + rng.below(stop - 1) as u8 });
        let board = Board::from_ranks(ranks).unwrap();
        if !board.legal_moves().is_empty() {
            // A game of one board is over with the next move.
            games.extend(
                reachable(board, rules).filter(|boards| boards.len() > 20).map(|boards| (board, boards)),
            );
        }
    }
    games
}

fn search<A: Agent<Params = Params>>(rules: &Rules, heuristics: HeuristicSet, board: Board) -> MoveValues {
    let mut agent = A::create(rules, Params { heuristics, ..Params::default() }, Host::silent()).unwrap();
    agent.new_game(AgentSeed(0));
    let position = Position { budget: Budget::Plies(ALL_LAYERS), ..Position::of_board(board).unwrap() };
    let decision = agent.choose_move(&position).unwrap();
    let values = agent.move_values().unwrap();
    assert_eq!(decision.value, values.value[decision.direction as usize]);
    values
}

fn assert_values(game: &SmallGame, board: Board, found: MoveValues) {
    for direction in Direction::ALL {
        let expected = game.direction(board.ranks(), direction);
        let found = found.value[direction as usize];
        let is_same = match (expected, found) {
            (Some(expected), Some(found)) => (expected - found).abs() <= 1e-9 * expected.abs().max(1.0),
            (expected, found) => expected == found,
        };
        assert!(is_same, "{board} {direction:?}: {expected:?} by value iteration, {found:?} by search");
    }
}

#[test]
fn full_depth_searches_find_the_values_of_the_game() {
    let params = Params::default();
    let first = InitialHeuristics::new(params.initial);
    let last = FinalHeuristics::new(params.final_);
    for stop in [32, 64] {
        let rules = Rules { stop_at: Some(stop.try_into().unwrap()), ..Rules::default() };
        for (board, boards) in small_games(&rules, 40) {
            for (set, heuristic) in
                [(HeuristicSet::Initial, &first as &dyn Heuristic), (HeuristicSet::Final, &last)]
            {
                let average = SmallGame::new(&rules, heuristic, mean, &boards);
                assert_values(&average, board, search::<Expectimax>(&rules, set, board));
                let antagonistic = SmallGame::new(&rules, heuristic, worst, &boards);
                assert_values(&antagonistic, board, search::<MinimaxAntagonistic>(&rules, set, board));
            }
        }
    }
}
