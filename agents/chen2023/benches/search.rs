//! How fast rollouts are played inside the searches, against the engine's own speed on the very same
//! rollouts.
//!
//! The plain search of `tests/plain` says which rollouts a search asks for. Three take turns with them, round
//! by round, in CPU time; a ratio is that of their best rounds, as whatever else the machine does can only
//! make a round slower:
//!
//! - the engine plays them all in one go, as its own benchmark does: lanes always full, whole outcomes;
//! - *playouts* plays what the search has the engine play, batch by batch: guesses that turn out wrong, lanes
//!   that run empty at the end of a move, and the measure are in it, the search's own work is not;
//! - *search* is the agent as it is, selection, expansion and backpropagation included.
//!
//! Playouts have one target for all searches. A search has a floor, which is what it has been seen to reach,
//! less the noise of a busy machine. The program fails below either. Without `--bench`, as under
//! `cargo test`, it only looks whether the agent asks for as many rollouts as the plain search.

#[path = "../../../engine/benches/common/mod.rs"]
mod common;
#[path = "../tests/plain/mod.rs"]
mod plain;

use std::cell::RefCell;
use std::fs;
use std::process::ExitCode;
use std::time::Instant;

use chen2023::flat::Flat;
use chen2023::measure::Measure;
use chen2023::rollout::{Play, RolloutPolicy, Rollouts};
use chen2023::stream_key::StreamKey;
use chen2023::tree::Tree;
use chen2023::{ChenUct, Params, TreeKind};
use common::{exit, is_bench, processor};
use engine::agent::{Agent, Budget, Host, Position};
use engine::playout::{Evaluation, Playout, Playouts};
use engine::{AgentSeed, Board, Rules};
use plain::Plain;

/// The share of the engine's speed that playouts are to reach inside every search.
const TARGET: f64 = 0.85;
const BUDGET: u32 = 1000;
const ROUNDS: usize = 31;
const SEED: AgentSeed = AgentSeed(2048);

/// Boards of one game of 2,897 moves by the agent as released, evenly spread over it.
const BOARDS: [&str; 20] = [
    "16 8 64 4 / . 4 32 8 / 2 4 16 2 / . 4 4 2",
    "32 16 2 2 / 128 2 4 . / 256 . . . / 32 2 . .",
    "2 . 4 8 / . 2 8 4 / 4 8 64 16 / 8 512 128 32",
    ". . 2 4 / . . 8 4 / . 8 64 64 / 64 512 256 128",
    ". . . 2 / . 2 4 16 / 4 16 32 8 / 16 64 256 1024",
    "2 . . . / 4 2 . . / 4 16 8 2 / 64 128 512 1024",
    ". . . 2 / 4 . 2 4 / . 8 16 8 / . . 1024 1024",
    "4 32 16 2048 / 8 256 16 . / 16 2 . . / 2 . . .",
    "2 128 512 2048 / 4 16 4 . / 4 2 . 2 / 4 . . .",
    "128 256 512 2048 / 8 64 16 8 / 4 2 . . / 4 . . 2",
    "2048 2 8 2 / 1024 4 4 . / 256 16 . . / 2 . 2 .",
    "2048 8 . . / 1024 4 2 2 / 512 32 2 4 / 32 4 2 .",
    "2048 16 2 . / 1024 64 4 . / 512 32 8 . / 256 16 4 4",
    "4 2 2 4096 / . . 32 16 / 2 . 4 128 / . . . 32",
    "2 4 8 4096 / . 4 32 128 / 2 2 64 256 / . 2 16 32",
    "4 2 16 4096 / . 8 32 512 / . . 16 256 / 2 . 4 8",
    "2 8 2 4096 / 8 16 8 1024 / 2 4 8 64 / . 2 8 2",
    "2 . 32 4096 / . . 128 2 / . 8 256 1024 / 8 2 2 4",
    "2 . 64 4096 / 2 2 128 4 / 4 4 256 1024 / 2 16 16 256",
    "2 2 64 4096 / 4 2 512 8 / . 8 128 1024 / 2 16 64 256",
];

fn main() -> ExitCode {
    let boards = BOARDS.map(|text| text.parse().expect("a board"));
    if is_bench() {
        println!(
            "{}; {} boards of a game, {BUDGET} playouts a move; target {TARGET}",
            processor(),
            boards.len()
        );
        println!("{:<30}{:>12}{:>12}{:>12}{:>10}", "rollouts/s", "engine", "playouts", "search", "in vain");
    }
    let mut has_passed = true;
    for tree in [TreeKind::AsReleased, TreeKind::AsWritten] {
        for rollouts in [RolloutPolicy::Greedy, RolloutPolicy::Random] {
            for measure in [Measure::Sum, Measure::Mine] {
                let params = Params { tree, rollouts, measure, ..Params::default() };
                let mut race = Race::new(params, if is_bench() { &boards } else { &boards[..2] });
                has_passed &= !is_bench() || race.run_and_report();
            }
        }
    }
    exit(has_passed)
}

/// The share of the engine's speed below which a whole search has become slower than it was.
const fn floor(tree: TreeKind, rollouts: RolloutPolicy) -> f64 {
    match (tree, rollouts) {
        (TreeKind::AsReleased, RolloutPolicy::Greedy) => TARGET,
        (TreeKind::AsReleased, RolloutPolicy::Random) => 0.7,
        (TreeKind::AsWritten, RolloutPolicy::Greedy) => 0.75,
        (TreeKind::AsWritten, RolloutPolicy::Random) => 0.35,
    }
}

fn position(board: Board, playouts: u32) -> Position {
    let position = Position::of_board(board).expect("a legal move");
    Position { budget: Budget::Playouts(playouts.into()), ..position }
}

fn agent(params: Params) -> ChenUct {
    let mut agent = ChenUct::create(&Rules::default(), params, Host::silent()).expect("good parameters");
    agent.new_game(SEED);
    agent
}

/// Plays rollouts, and keeps what it was asked to play, batch by batch.
struct Recorder<'a> {
    rollouts: &'a Rollouts,
    batches: RefCell<Vec<Vec<(Board, u64)>>>,
}

impl Play for Recorder<'_> {
    fn values(&self, jobs: impl Iterator<Item = (Board, u64)>, sink: impl FnMut(usize, u32)) {
        let batch = RefCell::new(Vec::new());
        self.rollouts.values(jobs.inspect(|&job| batch.borrow_mut().push(job)), sink);
        self.batches.borrow_mut().push(batch.into_inner());
    }
}

/// A search against the engine.
struct Race {
    params: Params,
    agent: ChenUct,
    engine: Playouts,
    /// What greedy moves go by; none for random ones.
    greedy: Option<Evaluation>,
    rollouts: Rollouts,
    boards: Vec<Board>,
    /// All that the searches on the boards ask for.
    asked: Vec<(Board, u64)>,
    /// All that they have the engine play.
    batches: Vec<Vec<(Board, u64)>>,
}

impl Race {
    fn new(params: Params, boards: &[Board]) -> Self {
        let rules = Rules::default();
        let rollouts = Rollouts::new(&rules, params.rollouts, params.measure);
        let recorder = Recorder { rollouts: &rollouts, batches: RefCell::default() };
        let mut plain = Plain::new(&rules, &params);
        for &board in boards {
            let (key, before) = (StreamKey::of_search(SEED, 0), plain.asked.len());
            let found = match params.tree {
                TreeKind::AsReleased => {
                    plain.flat(board, key, BUDGET);
                    Flat::new(params.settings(&rules)).search(board, key, BUDGET, &recorder)
                }
                TreeKind::AsWritten => {
                    plain.tree(None, board, key, BUDGET);
                    Tree::new(params.settings(&rules)).search(board, key, BUDGET, &recorder)
                }
            };
            // Where a tree has come to the end of a game, an iteration needs no rollout.
            let asked = (plain.asked.len() - before) as u64;
            assert!(asked == found.rollouts || params.tree == TreeKind::AsWritten && asked < found.rollouts);
        }
        let batches = recorder.batches.into_inner();
        Self {
            params,
            agent: agent(params),
            engine: Playouts::new(&rules),
            greedy: params.rollouts.evaluation(),
            rollouts,
            boards: boards.to_vec(),
            asked: plain.asked,
            batches,
        }
    }

    fn engine_seconds(&self) -> f64 {
        seconds(|| {
            let mut sum = 0;
            // Behind a reference the outcome is whole: the compiler cannot see what of it is used.
            let sink: &mut dyn FnMut(usize, Playout) = &mut |_, playout| sum += u64::from(playout.moves);
            let jobs = self.asked.iter().copied();
            match &self.greedy {
                Some(evaluation) => self.engine.greedy_many(evaluation, jobs, sink),
                None => self.engine.random_many(jobs, sink),
            }
            sum
        })
    }

    fn playouts_seconds(&self) -> f64 {
        seconds(|| {
            let mut sum = 0;
            for batch in &self.batches {
                self.rollouts.values(batch.iter().copied(), |_, value| sum += u64::from(value));
            }
            sum
        })
    }

    fn search_seconds(&mut self) -> f64 {
        seconds(|| {
            let spent = |&board| self.agent.choose_move(&position(board, BUDGET)).expect("a move").spent;
            self.boards.iter().map(spent).sum()
        })
    }

    /// Prints what all reach; returns whether the playouts are above their target and the search above its
    /// floor.
    fn run_and_report(&mut self) -> bool {
        let mut best = [f64::INFINITY; 3];
        for _ in 0..ROUNDS {
            let round = [self.engine_seconds(), self.playouts_seconds(), self.search_seconds()];
            best = std::array::from_fn(|contestant| best[contestant].min(round[contestant]));
        }
        let [engine, playouts, search] = best;
        let asked = self.asked.len() as f64;
        let in_vain = self.batches.iter().map(Vec::len).sum::<usize>() as f64 / asked - 1.0;
        let Params { tree, rollouts, measure, .. } = self.params;
        let has_passed = engine / playouts >= TARGET && engine / search >= floor(tree, rollouts);
        println!(
            "{:<30}{:>12.0}{:>11.1}%{:>11.1}%{:>9.1}%{}",
            format!("{tree:?}, {rollouts:?}, {measure:?}"),
            asked / engine,
            100.0 * engine / playouts,
            100.0 * engine / search,
            100.0 * in_vain,
            if has_passed { "" } else { "  too slow" },
        );
        has_passed
    }
}

/// The CPU time that a run takes, or its wall time where the system does not tell.
fn seconds(run: impl FnOnce() -> u64) -> f64 {
    let (start, start_cpu_ns) = (Instant::now(), cpu_ns());
    std::hint::black_box(run());
    match (start_cpu_ns, cpu_ns()) {
        (Some(before), Some(after)) if after > before => (after - before) as f64 * 1e-9,
        _ => start.elapsed().as_secs_f64(),
    }
}

/// How long this thread has been running, without the time that it waited for a processor.
fn cpu_ns() -> Option<u64> {
    // Giving way makes the system bring its account up to date.
    std::thread::yield_now();
    let account = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    account.split_whitespace().next()?.parse().ok()
}
