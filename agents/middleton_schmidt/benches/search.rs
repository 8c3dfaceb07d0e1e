//! How fast the memoised and pruned searches are, against the plain ones of `tests/reference`, on boards from
//! whole games.
//!
//! The ratio is that of their best rounds: with rounds of milliseconds some go undisturbed. The program fails
//! if one misses its target. Without `--bench`, as under `cargo test`, it only looks whether both come to the
//! same values.

#[path = "../../../engine/benches/common/mod.rs"]
mod common;
#[path = "../tests/reference/mod.rs"]
mod reference;

use std::process::ExitCode;

use common::{Race, Target, exit, is_bench, print_head};
use engine::agent::{Agent, Budget, Host, Position};
use engine::{AgentSeed, Board, Game, Rules, TileSeed};
use middleton_schmidt::{
    DepthCounts, Expectimax, FinalHeuristics, FinalWeights, MinimaxAntagonistic, Params,
};
use reference::{Opponent, Reference};

/// Memoised expectimax, three moves of the player, against the plain one.
const EXPECTIMAX_TARGET: f64 = 5.0;
/// Minimax with alpha-beta, five layers, against the plain one.
const MINIMAX_TARGET: f64 = 10.0;

const ROUNDS: usize = 301;
/// Of every game this many boards, evenly spread over it.
const BOARDS_PER_GAME: usize = 10;
const GAMES: u64 = 3;

fn main() -> ExitCode {
    let boards = boards_of_games();
    if is_bench() {
        print_head(&format!("moves on {} boards of {GAMES} games, final heuristics", boards.len()));
    }
    let layers = Params::default();
    let moves = Params { depth_counts: DepthCounts::Moves, ..layers };
    let (average, worst) = (Opponent::Average, Opponent::Antagonistic);
    let has_passed = [
        race::<Expectimax>("expectimax, 3 moves", moves, [3, 5], average, EXPECTIMAX_TARGET, &boards),
        race::<Expectimax>("expectimax, 3 layers", layers, [3, 3], average, 0.0, &boards),
        race::<MinimaxAntagonistic>("alpha-beta, 5 layers", layers, [5, 5], worst, MINIMAX_TARGET, &boards),
    ];
    exit(!has_passed.contains(&false))
}

/// Boards as they come up when expectimax plays.
fn boards_of_games() -> Vec<Board> {
    let rules = Rules::default();
    let mut agent = Expectimax::create(&rules, Params::default(), Host::silent()).expect("standard rules");
    let mut boards = Vec::new();
    for number in 0..GAMES {
        let mut game = Game::new(&rules, TileSeed(number));
        let mut seen = Vec::new();
        while game.ending().is_none() {
            seen.push(game.board());
            let position = Position::of_game(&game, Budget::Plies(3));
            game.play(agent.choose_move(&position).expect("a move").direction).expect("a legal one");
        }
        boards.extend(seen.iter().copied().step_by(seen.len() / BOARDS_PER_GAME));
    }
    boards
}

/// An agent against the plain search that it does, of these plies and layers. Returns whether it meets the
/// target.
fn race<A: Agent<Params = Params>>(
    name: &str,
    params: Params,
    [plies, layers]: [u32; 2],
    opponent: Opponent,
    target: f64,
    boards: &[Board],
) -> bool {
    let (rules, heuristic) = (&Rules::default(), &FinalHeuristics::new(FinalWeights::default()));
    let plain = |board: Board| {
        let (values, best) = Reference { rules, heuristic, opponent }.search(board, layers);
        values.value[best as usize]
    };
    let mut agent = A::create(rules, params, Host::silent()).expect("standard rules");
    agent.new_game(AgentSeed(0));
    let mut search = |board: Board| {
        let position = Position::of_board(board).expect("a legal move");
        agent
            .choose_move(&Position { budget: Budget::Plies(plies.into()), ..position })
            .expect("a move")
            .value
    };
    for &board in if is_bench() { boards } else { &boards[..3] } {
        assert_eq!(plain(board), search(board), "{name}: {board}");
    }
    // The faster one repeats itself, so that both have caches of their own for about as long.
    let repeats = 1 + target as usize;
    let race = Race::default()
        .with(format!("{name}, plain"), Target::None, || {
            boards.iter().filter_map(|&board| plain(board)).count() as u64
        })
        .with(name, Target::BestRatio(target), || {
            let all = boards.iter().cycle().take(repeats * boards.len());
            all.filter_map(|&board| search(board)).count() as u64
        });
    !is_bench() || race.run_and_report(ROUNDS)
}
