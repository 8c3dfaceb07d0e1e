//! Section 5.2: few empty cells make expectimax take over.

mod reference;

use engine::agent::{Agent, Host, MoveValues, Position};
use engine::{Afterstate, AgentSeed, Board, Direction, Playouts, Rng, Rules};
use reference::{ORDER, Reference, mean_of_top};
use ripstein2023::mdp::Bellman;
use ripstein2023::theta::{FOURS, TWOS};
use ripstein2023::{Mdp, Params};

const SEED: u64 = 0x5eed;
/// One empty cell, and few after any move.
const CROWDED: &str = "2 4 8 16 / 4 8 64 32 / 2 2 16 8 / . 256 4 2";
/// Eight empty cells.
const OPEN: &str = "2 4 8 16 / 4 . . . / 2 . . . / 8 . . 2";

fn values(params: Params, board: &str) -> (MoveValues, u32) {
    let mut agent = Mdp::create(&Rules::default(), params, Host::silent()).unwrap();
    agent.new_game(AgentSeed(SEED));
    let position = Position { score: 400, ..Position::of_board(board.parse().unwrap()).unwrap() };
    let decision = agent.choose_move(&position).unwrap();
    (decision.values.unwrap(), decision.depth)
}

/// Equation 4 as it reads: a recursion that plays the random games where it comes to them. Going through the
/// tree in the same order, it draws the same seeds.
struct Plain<'a> {
    reference: Reference<'a>,
    playouts: Playouts,
    rng: Rng,
    gamma: Option<f64>,
}

impl Plain<'_> {
    fn of_move(&mut self, board: Board, score: u64, direction: Direction, depth: u32) -> Option<f64> {
        let slide = self.reference.slide(board, direction)?;
        let score = score + u64::from(slide.reward);
        let mut expected = 0.0;
        for (rank, probability, games) in [(1, 0.9, TWOS), (2, 0.1, FOURS)] {
            for cell in slide.afterstate.empty_cells() {
                let state = slide.afterstate.with_spawn(cell, rank);
                let games = games[slide.afterstate.empty_count() as usize - 1];
                let value = if depth == 1 {
                    self.by_games(state, score, games)
                } else {
                    self.of_state(state, score, depth - 1)
                };
                expected += probability / f64::from(slide.afterstate.empty_count()) * value;
            }
        }
        Some(self.gamma.map_or(expected, |gamma| f64::from(slide.reward) + gamma * expected))
    }

    fn of_state(&mut self, board: Board, score: u64, depth: u32) -> f64 {
        let values: Vec<f64> =
            ORDER.into_iter().filter_map(|direction| self.of_move(board, score, direction, depth)).collect();
        values.into_iter().reduce(f64::max).unwrap_or(score as f64)
    }

    fn by_games(&mut self, state: Board, score: u64, games: u32) -> f64 {
        let result = |_| score as f64 + f64::from(self.playouts.random(state, self.rng.next_u64()).reward);
        mean_of_top((0..games).map(result).collect(), 1.0)
    }
}

#[test]
fn it_is_the_plain_recursion() {
    let rules = Rules::default();
    let board: Board = CROWDED.parse().unwrap();
    for (bellman, gamma) in
        [(Bellman::Never, None), (Bellman::Expectimax, Some(0.9)), (Bellman::Always, Some(0.9))]
    {
        let (found, depth) = values(Params { bellman, expectimax_below: 2, ..Params::default() }, CROWDED);
        assert_eq!(depth, 4, "two moves and two spawns");
        let mut plain = Plain {
            reference: Reference { rules: &rules, seed: SEED },
            playouts: Playouts::new(&rules),
            rng: Rng::from_seed(SEED),
            gamma,
        };
        for direction in ORDER {
            let expected = plain.of_move(board, 400, direction, 2);
            let found = found.value[direction as usize];
            assert_eq!(expected.is_some(), found.is_some());
            let (Some(expected), Some(found)) = (expected, found) else { continue };
            assert!((expected - found).abs() < 1e-9 * expected, "{direction:?}: {expected} {found}");
        }
    }
}

#[test]
fn it_takes_over_below_the_given_number_of_empty_cells_only() {
    let with = |expectimax_below| Params { expectimax_below, ..Params::default() };
    let mdp = values(Params::default(), CROWDED);
    assert_eq!(values(with(1), CROWDED), mdp);
    assert_ne!(values(with(2), CROWDED), mdp);
    assert_eq!(values(with(8), OPEN), values(Params::default(), OPEN));
    // One move deep it is the MDP.
    assert_eq!(values(Params { expectimax_depth: 1, ..with(16) }, CROWDED), mdp);
    // And where it does not take over, its equation does not either.
    assert_eq!(
        values(Params { bellman: Bellman::Expectimax, ..with(8) }, OPEN),
        values(Params::default(), OPEN)
    );
}

#[test]
fn the_random_games_are_those_of_the_last_layer() {
    let (found, _) = values(Params { expectimax_below: 2, ..Params::default() }, CROWDED);
    let rules = Rules::default();
    let reference = Reference { rules: &rules, seed: SEED };
    let next = |board: Board| -> Vec<Afterstate> {
        ORDER.into_iter().filter_map(|to| Some(reference.slide(board, to)?.afterstate)).collect()
    };
    let mut expected = 0;
    for afterstate in next(CROWDED.parse().unwrap()) {
        for cell in afterstate.empty_cells() {
            for leaf in [1, 2].map(|rank| next(afterstate.with_spawn(cell, rank))).concat() {
                let empty = leaf.empty_count();
                expected += u64::from(empty * (TWOS[empty as usize - 1] + FOURS[empty as usize - 1]));
            }
        }
    }
    assert_eq!(found.nodes.iter().sum::<u64>(), expected);
}
