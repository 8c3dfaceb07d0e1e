//! How fast the memoised and pruned searches are, against the plain ones of `tests/reference`, on boards from
//! whole games.
//!
//! Both search the same boards in turns, round by round, and the ratio is that of their best rounds: whatever
//! else the machine does can only make a round slower, and with rounds of milliseconds some go undisturbed.
//! The program fails where one misses its target. Without `--bench`, as under `cargo test`, it only looks
//! whether both come to the same values and moves.

#[path = "../../../engine/benches/common/mod.rs"]
mod common;
#[path = "../tests/reference/mod.rs"]
mod reference;

use std::process::ExitCode;

use common::{exit, is_bench, processor};
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
/// Of every game so many boards, evenly spread over it.
const BOARDS_PER_GAME: usize = 10;
const GAMES: u64 = 3;

fn main() -> ExitCode {
    let boards = boards_of_games();
    if is_bench() {
        println!("{}; {} boards of {GAMES} games, final heuristics", processor(), boards.len());
        println!(
            "{:<22}{:>12}{:>12}{:>12}{:>12}{:>9}{:>8}",
            "", "plain/s", "moves/s", "M nodes/s", "nodes/move", "ratio", "target"
        );
    }
    let layers = Params::default();
    let moves = Params { depth_counts: DepthCounts::Moves, ..layers };
    let races = [
        Race::new::<Expectimax>("expectimax, 3 moves", moves, 3, 5, Opponent::Average, EXPECTIMAX_TARGET),
        Race::new::<Expectimax>("expectimax, 3 layers", layers, 3, 3, Opponent::Average, 0.0),
        Race::new::<MinimaxAntagonistic>(
            "alpha-beta, 5 layers",
            layers,
            5,
            5,
            Opponent::Antagonistic,
            MINIMAX_TARGET,
        ),
    ];
    let mut has_passed = true;
    for mut race in races {
        race.assert_same(if is_bench() { &boards } else { &boards[..3] });
        has_passed &= !is_bench() || race.run_and_report(&boards);
    }
    exit(has_passed)
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

/// A board to a value and the positions expanded.
type Search = Box<dyn FnMut(Board) -> (f64, u64)>;

/// An agent against the plain search that it does.
struct Race {
    name: &'static str,
    plain: Search,
    agent: Search,
    target: f64,
}

impl Race {
    fn new<A: Agent<Params = Params>>(
        name: &'static str,
        params: Params,
        plies: u64,
        layers: u32,
        opponent: Opponent,
        target: f64,
    ) -> Self {
        let heuristic = FinalHeuristics::new(FinalWeights::default());
        let plain = move |board| {
            let rules = &Rules::default();
            let (values, best) = Reference { rules, heuristic: &heuristic, opponent }.search(board, layers);
            (values.value[best as usize].expect("the best move's value"), 0)
        };
        let mut agent = A::create(&Rules::default(), params, Host::silent()).expect("standard rules");
        agent.new_game(AgentSeed(0));
        let agent = move |board| {
            let position = Position::of_board(board).expect("a legal move");
            let position = Position { budget: Budget::Plies(plies), ..position };
            let decision = agent.choose_move(&position).expect("a move");
            (decision.value.expect("its value"), decision.nodes)
        };
        Self { name, plain: Box::new(plain), agent: Box::new(agent), target }
    }

    fn assert_same(&mut self, boards: &[Board]) {
        for &board in boards {
            assert_eq!((self.plain)(board).0, (self.agent)(board).0, "{}: {board}", self.name);
        }
    }

    /// Prints what both reach; returns whether the agent meets the target.
    fn run_and_report(&mut self, boards: &[Board]) -> bool {
        let (mut plain_best_s, mut agent_best_s, mut nodes) = (f64::INFINITY, f64::INFINITY, 0);
        for _ in 0..ROUNDS {
            plain_best_s = plain_best_s.min(seconds(&mut self.plain, boards, 1).0);
            let (agent_s, expanded) = seconds(&mut self.agent, boards, 1 + self.target as u32);
            agent_best_s = agent_best_s.min(agent_s);
            nodes = expanded;
        }
        let ratio = plain_best_s / agent_best_s;
        let is_reached = ratio >= self.target;
        println!(
            "{:<22}{:>12.0}{:>12.0}{:>12.1}{:>12}{ratio:>8.1}x{:>8}{}",
            self.name,
            boards.len() as f64 / plain_best_s,
            boards.len() as f64 / agent_best_s,
            nodes as f64 / agent_best_s / 1e6,
            nodes / boards.len() as u64,
            if self.target > 0.0 { format!("{}x", self.target) } else { "none".to_owned() },
            if is_reached { "" } else { "  misses its target" },
        );
        is_reached
    }
}

/// The time for all boards, and the positions expanded. The faster one repeats itself, so that both have
/// caches of their own for about as long.
fn seconds(search: &mut Search, boards: &[Board], repeats: u32) -> (f64, u64) {
    let mut nodes = 0;
    let all = common::seconds(|| {
        for _ in 0..repeats {
            nodes = boards.iter().map(|&board| search(board).1).sum();
        }
    });
    (all / f64::from(repeats), nodes)
}
